import type { Characters, PrintOccasion, Protocol } from '../store/printing/printers.ts'
import type { DeviceId, OrderId } from '../store/terms/ids.ts'
import type { Formats } from './formats.ts'
import { type Language, sentences } from './language.ts'
import type { Term } from './terms.ts'

/** What is wrong with a printer, or waits there for a person (decision 058). Instants are UTC milliseconds. */
export type PrinterAlarm = { kind: 'printer'; printer: DeviceId; title: string } & (
  | { what: 'paper low' | 'paper out' | 'cover open' | 'error'; words: string | null }
  /** It has not asked for a job. `since`: when it last did; null: not since the server started. */
  | { what: 'silent'; since: number | null; waiting: number }
  /** It was offered a job and has not confirmed it. */
  | { what: 'unconfirmed'; since: number; orderId: OrderId | null; words: string | null }
  /** A person must decide whether old or failed jobs are printed. */
  | { what: 'question'; jobs: number }
)

/** "Printer Grill has no paper." */
export function printerAlarmText(alarm: PrinterAlarm, language: Language, { time }: Pick<Formats, 'time'>): string {
  const w = alarmWords[language]
  const { title } = alarm
  switch (alarm.what) {
    case 'paper low':
      return w.paperLow(title)
    case 'paper out':
      return w.paperOut(title)
    case 'cover open':
      return w.coverOpen(title)
    case 'error':
      return w.error(title, alarm.words ?? '')
    case 'silent':
      return alarm.since === null ? w.neverHeard(title) : w.silent(title, time(alarm.since))
    case 'unconfirmed':
      return w.unconfirmed(title, time(alarm.since))
    case 'question':
      return w.question(title, alarm.jobs)
    default:
      return alarm satisfies never
  }
}

const alarmWords = sentences({
  paperLow: {
    en: (title: string) => `Printer ${title}: the paper is almost used up.`,
    de: title => `Drucker ${title}: Das Papier geht zu Ende.`,
    pt: title => `Impressora ${title}: o papel está a acabar.`,
  },
  paperOut: {
    en: (title: string) => `Printer ${title} has no paper.`,
    de: title => `Drucker ${title} hat kein Papier.`,
    pt: title => `A impressora ${title} está sem papel.`,
  },
  coverOpen: {
    en: (title: string) => `The cover of printer ${title} is open.`,
    de: title => `Die Klappe von Drucker ${title} ist offen.`,
    pt: title => `A tampa da impressora ${title} está aberta.`,
  },
  error: {
    en: (title: string, words: string) => `Printer ${title} reports an error: ${words}.`,
    de: (title, words) => `Drucker ${title} meldet einen Fehler: ${words}.`,
    pt: (title, words) => `A impressora ${title} comunica um erro: ${words}.`,
  },
  silent: {
    en: (title: string, time: string) => `Printer ${title} has not been heard from since ${time}.`,
    de: (title, time) => `Drucker ${title} meldet sich seit ${time} nicht mehr.`,
    pt: (title, time) => `A impressora ${title} não dá sinal desde as ${time}.`,
  },
  neverHeard: {
    en: (title: string) => `Printer ${title} has not been heard from since the server started.`,
    de: title => `Drucker ${title} hat sich seit dem Start des Servers nicht gemeldet.`,
    pt: title => `A impressora ${title} não deu sinal desde o arranque do servidor.`,
  },
  unconfirmed: {
    en: (title: string, time: string) => `Printer ${title} was sent a slip at ${time} and has not confirmed it.`,
    de: (title, time) => `Drucker ${title} bekam um ${time} einen Beleg und hat ihn nicht bestätigt.`,
    pt: (title, time) => `A impressora ${title} recebeu um talão às ${time} e não o confirmou.`,
  },
  question: {
    en: (title: string, jobs: number) =>
      `Printer ${title} has ${jobs === 1 ? 'one slip that is' : `${jobs} slips that are`} old or failed. Print or discard?`,
    de: (title, jobs) =>
      `Drucker ${title} hat ${jobs === 1 ? 'einen alten oder fehlgeschlagenen Beleg' : `${jobs} alte oder fehlgeschlagene Belege`}. Drucken oder verwerfen?`,
    pt: (title, jobs) =>
      `A impressora ${title} tem ${jobs === 1 ? 'um talão antigo ou falhado' : `${jobs} talões antigos ou falhados`}. Imprimir ou descartar?`,
  },
})

/** The state of a printer in a few words. */
export const printerStateText: Record<PrinterAlarm['what'], Term> = {
  'paper low': { en: 'little paper left', de: 'wenig Papier', pt: 'pouco papel' },
  'paper out': { en: 'no paper', de: 'kein Papier', pt: 'sem papel' },
  'cover open': { en: 'cover open', de: 'Klappe offen', pt: 'tampa aberta' },
  error: { en: 'error', de: 'Fehler', pt: 'erro' },
  silent: { en: 'silent', de: 'meldet sich nicht', pt: 'sem sinal' },
  unconfirmed: { en: 'slip not confirmed', de: 'Beleg nicht bestätigt', pt: 'talão não confirmado' },
  question: { en: 'slips to decide on', de: 'Belege warten auf Entscheidung', pt: 'talões por decidir' },
}

export const protocolText: Record<Protocol, string> = {
  star: 'Star CloudPRNT',
  epson: 'Epson Server Direct Print',
}

export const printOccasionText: Record<PrintOccasion, Term> = {
  'every ticket': { en: 'every ticket', de: 'jeden Bon', pt: 'todos os talões' },
  'unseen tickets': {
    en: 'tickets that no screen has shown for 20 seconds',
    de: 'Bons, die 20 Sekunden lang kein Bildschirm gezeigt hat',
    pt: 'talões que nenhum ecrã mostrou durante 20 segundos',
  },
  'on request': { en: 'only what somebody asks for', de: 'nur auf Wunsch', pt: 'só a pedido' },
}

export const charactersText: Record<Characters, Term> = {
  plain: { en: 'plain letters', de: 'einfache Buchstaben', pt: 'letras simples' },
  western: { en: 'Western Europe', de: 'Westeuropa', pt: 'Europa Ocidental' },
  unicode: { en: 'all', de: 'alle', pt: 'todos' },
}
