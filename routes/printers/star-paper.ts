import { type FittedLine, fitted, type PaperLine, paperOf } from '../../display/paper.ts'
import { westernByte } from '../../display/paper-characters.ts'
import type { Offer } from '../../store/printing/jobs.ts'
import type { Characters } from '../../store/printing/printers.ts'

// Commands that the StarPRNT and the Star Line mode share, from Star's command specifications.
const ESC = 0x1b
const GS = 0x1d
const commands = {
  initialise: [ESC, 0x40],
  expand: (height: number, width: number) => [ESC, 0x69, height - 1, width - 1],
  emphasise: (isOn: boolean) => [ESC, isOn ? 0x45 : 0x46],
  reverse: (isOn: boolean) => [ESC, isOn ? 0x34 : 0x35],
  align: (isCentred: boolean) => [ESC, GS, 0x61, isCentred ? 1 : 0],
  windows1252: [ESC, GS, 0x74, 0x20],
  unicode: (isOn: boolean) => [ESC, GS, 0x29, 0x55, 2, 0, 0x30, isOn ? 1 : 0],
  feedAndCut: [ESC, 0x64, 3],
}

/** A job as commands for a Star printer, in the StarPRNT or the Star Line mode. */
export function starCommands({ content, attempt }: Offer): Buffer {
  const { characters } = content.layout
  const lines = fitted(paperOf(content, attempt), content.layout)
  const pieces = lines.flatMap(line => [Buffer.from(formOf(line, characters)), textOf(line), Buffer.from([0x0a])])
  return Buffer.concat([
    Buffer.from([...commands.initialise, ...codePage(characters)]),
    ...pieces,
    Buffer.from(commands.feedAndCut),
  ])
}

/** A job as plain text, which the printer formats and cuts itself. */
export function starText({ content, attempt }: Offer): Buffer {
  const { layout } = content
  // Its code page is unknown unless the printer takes Unicode.
  const characters = layout.characters === 'unicode' ? 'unicode' : 'plain'
  const lines = fitted(withoutSizes(paperOf(content, attempt)), { ...layout, characters })
  return Buffer.from(lines.map(({ text }) => `${text}\n`).join(''))
}

function withoutSizes(lines: PaperLine[]): PaperLine[] {
  return lines.map(({ size: _, characters: __, ...line }) => line)
}

function codePage(characters: Characters): number[] {
  if (characters === 'unicode') return commands.unicode(true)
  return characters === 'western' ? commands.windows1252 : []
}

function formOf(
  { size, isBold = false, isReverse = false, isCentred = false, characters }: FittedLine,
  usual: Characters,
): number[] {
  return [
    ...commands.align(isCentred),
    ...commands.expand(size === undefined ? 1 : 2, size === 'large' ? 2 : 1),
    ...commands.emphasise(isBold),
    ...commands.reverse(isReverse),
    // Only a test page has lines in other characters.
    ...(characters === usual ? [] : codePage(characters)),
  ]
}

function textOf({ text, characters }: FittedLine): Buffer {
  if (characters !== 'western') return Buffer.from(text)
  return Buffer.from(Array.from(text, each => westernByte(each) ?? 0x3f))
}
