import type { ShownItem, ShownTicket } from '../store/ordering/shown-ticket.ts'
import type { Content, Layout } from '../store/printing/jobs.ts'
import type { Characters } from '../store/printing/printers.ts'
import { valueText } from './cell.ts'
import { minuteText } from './instant.ts'
import { type Language, languages, quoted, sentences } from './language.ts'
import { addressText, orderNumber } from './order.ts'
import { columnsOf, paperText } from './paper-characters.ts'
import { modeText, tableText } from './terms.ts'
import { totalSteps } from './total.ts'

/** A line on paper, before it is laid out for a printer or a page. */
export interface PaperLine {
  text: string
  /** A line across the paper instead of a text. */
  isRule?: boolean
  /** Stands at the end of the line, or on the next one if both do not fit. */
  end?: string
  /** Tall: twice as high; large: twice as high and wide. */
  size?: 'tall' | 'large'
  isBold?: boolean
  /** White on black. */
  isReverse?: boolean
  isCentred?: boolean
  /** How many columns are left free at its start, also where it is broken. */
  indent?: number
  /** Other characters than the printer is set to, on a test page. */
  characters?: Characters
}

/** A line that fits the paper, in characters that the printer has. */
export type FittedLine = Omit<PaperLine, 'end' | 'indent' | 'characters' | 'isRule'> & { characters: Characters }

/** What a job prints, line by line. `attempt` counts from 1; later ones are marked as a possible copy (decision 058). */
export function paperOf(content: Content, attempt: number): PaperLine[] {
  const language = languageOf(content.layout)
  const marks = attempt > 1 ? [markLine(paperWords[language].maybeCopy)] : []
  switch (content.kind) {
    case 'ticket':
      return [...marks, ...ticketLines(content.ticket, content.alsoAt, language)]
    case 'copy':
      return [markLine(paperWords[language].copy), ...ticketLines(content.ticket, content.alsoAt, language)]
    case 'changed':
      return [...marks, ...changedLines(content.ticket, language)]
    case 'void':
      return [...marks, ...voidLines(content, language)]
    case 'receipt':
      return [...marks, ...receiptLines(content, language)]
    case 'test':
      return [...marks, ...testLines(content, language)]
    default:
      return content satisfies never
  }
}

function languageOf({ language }: Layout): Language {
  return languages.find(each => each === language) ?? 'en'
}

/** A kitchen ticket: the order, what to prepare, and the notes. */
export function ticketLines(ticket: ShownTicket, alsoAt: string[], language: Language): PaperLine[] {
  const w = paperWords[language]
  const { id, batch, orderNotes, openedAt, timezone } = ticket
  return [
    ...(batch > 1 ? [markLine(w.addedLater)] : []),
    ...headLines(ticket, language),
    ...(ticket.state === 'void' ? [markLine(w.void)] : []),
    rule,
    ...ticket.items.flatMap(item => itemLines(item, language)),
    ...(orderNotes === null ? [] : [rule, noteLine(orderNotes, 0)]),
    rule,
    ...(alsoAt.length > 0 ? [{ text: w.alsoAt(alsoAt.join(', ')) }] : []),
    { text: w.ticket(id), end: minuteText(openedAt, timezone) },
  ]
}

function headLines(ticket: ShownTicket, language: Language): PaperLine[] {
  const w = paperWords[language]
  const { orderNumber: number, station, openedAt, timezone, mode, tableTitle, wantedAt } = ticket
  const address = addressText(ticket)
  return [
    { text: orderNumber(number), size: 'large', isCentred: true },
    { text: station, end: timeOf(openedAt, timezone), isBold: true },
    ...(tableTitle === null ? [] : [{ text: tableText(tableTitle, language), size: 'large' } as const]),
    ...(mode === null ? [] : [{ text: modeText(mode, language), isBold: true }]),
    ...(wantedAt === null
      ? []
      : [{ text: w.for(minuteText(wantedAt, timezone)), size: 'tall', isBold: true } as const]),
    ...(address === '' ? [] : [{ text: address }]),
  ]
}

function itemLines({ qtyMilli, name, modifiers, notes, state }: ShownItem, language: Language): PaperLine[] {
  const w = paperWords[language]
  const isVoid = state === 'void'
  const done = state === 'done' ? ` (${w.done})` : ''
  return [
    {
      text: `${isVoid ? `${w.void} ` : ''}${qtyMilli / 1000} x ${name}${done}`,
      size: 'tall',
      isBold: !isVoid,
      isReverse: isVoid,
    },
    ...modifiers.map(({ title, qty }) => ({ text: `+ ${qty > 1 ? `${qty} x ` : ''}${title}`, indent: 4 })),
    ...(notes === null ? [] : [noteLine(notes, 4)]),
  ]
}

function changedLines(ticket: ShownTicket, language: Language): PaperLine[] {
  const w = paperWords[language]
  const { id, orderNotes } = ticket
  return [
    markLine(w.changed),
    ...headLines(ticket, language),
    rule,
    orderNotes === null ? { text: w.noNote, size: 'tall', isBold: true } : noteLine(orderNotes, 0),
    rule,
    { text: w.ticket(id) },
  ]
}

function voidLines({ ticket, lines }: Content & { kind: 'void' }, language: Language): PaperLine[] {
  const w = paperWords[language]
  const items = ticket.items.filter(({ lineId }) => lines.includes(lineId))
  return [
    { ...markLine(w.void), size: 'large' },
    ...headLines(ticket, language),
    rule,
    ...items.flatMap(item => itemLines({ ...item, state: 'void' }, language)),
    rule,
    { text: ticket.state === 'void' ? w.allVoid : w.partVoid, isBold: true },
    { text: w.ticket(ticket.id) },
  ]
}

function receiptLines(content: Content & { kind: 'receipt' }, language: Language): PaperLine[] {
  const w = paperWords[language]
  const { order, standing, location, layout } = content
  const place = [location.title, location.address].filter(part => part !== null && part !== '').join(', ')
  return [
    { text: layout.siteTitle, isBold: true, isCentred: true },
    { text: place, isCentred: true },
    { text: orderNumber(order.number), size: 'large', isCentred: true },
    {
      text: order.tableTitle === null ? '' : tableText(order.tableTitle, language),
      end: minuteText(order.placedAt, location.timezone),
    },
    rule,
    ...totalSteps(order, standing, language).map(({ kind, label, how, amount }): PaperLine => {
      if (kind === 'choice') return { text: `+ ${label}`, end: how, indent: 4 }
      if (kind === 'note') return { text: quoted(label, language), indent: 4 }
      const isTotal = kind === 'grand total' || kind === 'open'
      return {
        text: how === '' ? label : `${label} (${how})`,
        end: valueText(amount),
        ...(isTotal && { isBold: true, size: 'tall' }),
      }
    }),
    rule,
    { text: order.currency, end: w.noTaxDocument },
  ]
}

const sample = 'é ã ü ß € ł ő Ωμέγα 中文'

function testLines({ printer, at, timezone, layout }: Content & { kind: 'test' }, language: Language): PaperLine[] {
  const w = paperWords[language]
  const trial = (characters: Characters, name: string): PaperLine[] => [
    { text: name, isBold: true },
    { text: sample, characters, indent: 2 },
  ]
  return [
    { text: w.test, size: 'large', isCentred: true },
    { text: printer, end: minuteText(at, timezone), isBold: true },
    { text: layout.siteTitle },
    rule,
    { text: w.fullLine(layout.columns) },
    { text: '1234567890'.repeat(7).slice(0, layout.columns) },
    { text: w.tall, size: 'tall' },
    { text: w.large, size: 'large' },
    { text: w.reverse, isReverse: true },
    rule,
    ...trial('plain', w.plain),
    ...trial('western', w.western),
    ...trial('unicode', w.unicode),
    { text: w.chooseCharacters },
  ]
}

const rule: PaperLine = { text: '', isRule: true }

function markLine(text: string): PaperLine {
  return { text: ` ${text} `, isReverse: true, isBold: true, isCentred: true, size: 'tall' }
}

/** A note may be about an allergy, so it stands out everywhere. */
function noteLine(text: string, indent: number): PaperLine {
  return { text: `!! ${text}`, indent, size: 'tall', isBold: true }
}

function timeOf(instant: number, zone: string): string {
  return minuteText(instant, zone).slice(-5)
}

/** Lays lines out for the paper: in its characters, broken where they are too long, with their ends at the right edge. */
export function fitted(lines: PaperLine[], layout: Layout): FittedLine[] {
  const language = languageOf(layout)
  return lines.flatMap(line => {
    const { text, end, indent = 0, characters = layout.characters, isRule = false, ...form } = line
    const columns = form.size === 'large' ? Math.floor(layout.columns / 2) : layout.columns
    const fit = (each: string): FittedLine => ({ ...form, characters, text: each })
    if (isRule) return [fit('-'.repeat(columns))]
    const isMark = form.isReverse === true && text.startsWith(' ')
    const written = paperText(text, characters, language)
    const last = end === undefined ? '' : paperText(end, characters, language)
    const gap = columns - indent - columnsOf(written) - columnsOf(last)
    if (last !== '' && gap > 0) return [fit(`${' '.repeat(indent)}${written}${' '.repeat(gap)}${last}`)]
    const broken = brokenText(written, columns - indent - (isMark ? 2 : 0))
    const body = broken.map(each => fit(isMark ? ` ${each} ` : `${' '.repeat(indent)}${each}`))
    if (last === '') return body
    return [...body, ...brokenText(last, columns).map(each => fit(`${' '.repeat(columns - columnsOf(each))}${each}`))]
  })
}

/** Breaks a text into pieces of at most `columns` columns, between words where possible. */
function brokenText(text: string, columns: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const word of text.split(' ')) {
    if (piece !== '' && columnsOf(piece) + 1 + columnsOf(word) <= columns) piece += ` ${word}`
    else {
      if (piece !== '') pieces.push(piece)
      piece = ''
      for (const character of word) {
        if (columnsOf(piece) + columnsOf(character) > columns) {
          pieces.push(piece)
          piece = ''
        }
        piece += character
      }
    }
  }
  return piece === '' ? pieces : [...pieces, piece]
}

const paperWords = sentences({
  ticket: { en: (id: number) => `Ticket ${id}`, de: id => `Bon ${id}`, pt: id => `Talão ${id}` },
  for: { en: (at: string) => `For ${at}`, de: at => `Für ${at}`, pt: at => `Para ${at}` },
  alsoAt: {
    en: (stations: string) => `Also at: ${stations}`,
    de: stations => `Auch bei: ${stations}`,
    pt: stations => `Também em: ${stations}`,
  },
  addedLater: { en: 'ADDED LATER', de: 'NACHBESTELLT', pt: 'ADICIONADO DEPOIS' },
  void: { en: 'VOID', de: 'STORNO', pt: 'ANULADO' },
  allVoid: {
    en: 'The whole ticket is void.',
    de: 'Der ganze Bon ist storniert.',
    pt: 'O talão inteiro foi anulado.',
  },
  partVoid: {
    en: 'The rest of the ticket stays.',
    de: 'Der Rest des Bons bleibt.',
    pt: 'O resto do talão mantém-se.',
  },
  changed: { en: 'CHANGED', de: 'GEÄNDERT', pt: 'ALTERADO' },
  noNote: { en: 'The note was removed.', de: 'Der Hinweis wurde entfernt.', pt: 'A nota foi retirada.' },
  copy: { en: 'COPY', de: 'KOPIE', pt: 'CÓPIA' },
  maybeCopy: {
    en: 'COPY? It may have been printed before',
    de: 'KOPIE? Vielleicht schon gedruckt',
    pt: 'CÓPIA? Talvez já tenha sido impresso',
  },
  done: { en: 'done', de: 'fertig', pt: 'pronto' },
  noTaxDocument: { en: 'Not a tax document', de: 'Kein Steuerbeleg', pt: 'Não é um documento fiscal' },
  test: { en: 'TEST', de: 'TEST', pt: 'TESTE' },
  fullLine: {
    en: (columns: number) => `This line should be full, with ${columns} characters:`,
    de: columns => `Diese Zeile sollte voll sein, mit ${columns} Zeichen:`,
    pt: columns => `Esta linha deve ficar cheia, com ${columns} carateres:`,
  },
  tall: { en: 'Twice as high', de: 'Doppelt so hoch', pt: 'O dobro da altura' },
  large: { en: 'Large', de: 'Groß', pt: 'Grande' },
  reverse: { en: 'White on black', de: 'Weiß auf Schwarz', pt: 'Branco sobre preto' },
  plain: { en: 'Plain', de: 'Einfach', pt: 'Simples' },
  western: { en: 'Western Europe', de: 'Westeuropa', pt: 'Europa Ocidental' },
  unicode: { en: 'All', de: 'Alle', pt: 'Todos' },
  chooseCharacters: {
    en: 'Choose the last one that is printed correctly.',
    de: 'Wählen Sie das letzte, das richtig gedruckt ist.',
    pt: 'Escolha o último que ficou bem impresso.',
  },
})
