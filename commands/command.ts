import type { Configuration } from '../configuration.ts'
import { findingText } from '../display/finding.ts'
import { refusalText } from '../display/refusal.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../store/terms/clock.ts'
import type { Finding } from '../store/terms/finding.ts'
import type { Refusal } from '../store/terms/refusal.ts'
import { oneLine } from './layout.ts'
import { nextStep } from './next-step.ts'

/** One maintenance command: how it is called, and what it does. */
export interface Command {
  /** The arguments and options, as usage shows them. */
  usage: string
  /** What it does, in a line. */
  summary: string
  /** The names of the arguments, in their order; those that end in "?" may be left out. */
  takes?: readonly string[]
  options?: Options
  /** Does the work. */
  run(call: CommandCall): Outcome | Promise<Outcome>
}

/** Options by their names: followed by a text, or not. */
export type Options = Readonly<Record<string, { type: 'string' | 'boolean' }>>

export interface CommandCall {
  /** The positional arguments after the command's name. */
  args: string[]
  options: Readonly<Record<string, string | boolean | undefined>>
  configuration: Configuration
  clock: Clock
  /** Opens the database file (or `file` in its place), once. It must be there, unless `create` makes it where there is none. */
  store(ifMissing?: 'create', file?: string): Store
  /** Everything on standard input; null when it is more than any document that is read. */
  input(): Promise<Buffer | null>
}

/** What a command comes to, for people as text and for scripts as one JSON value. */
export interface Outcome {
  /** The exit code: done, refused, or called wrongly. */
  code: 0 | 1 | 2
  text: string
  json: unknown
}

export function done(text: string, json: unknown): Outcome {
  return { code: 0, text, json }
}

/** A refused command: a sentence for the person who called it, or the refusal of the store, of an order where there is one. */
export function refused(why: string | Refusal, order?: string): Outcome {
  if (typeof why === 'string') return { code: 1, text: oneLine(why), json: { error: why } }
  const text = refusalText(why)
  const lines = text.split('\n').map(oneLine)
  return { code: 1, text: `${lines.join('\n')}${nextStep(why, order)}`, json: { error: text } }
}

/** A command that was called wrongly; `why` is a sentence that is shown below the usage. */
export function misused(why: string): Outcome {
  return { code: 2, text: oneLine(why), json: { error: why } }
}

/** Problems and warnings. Warnings alone are no reason to fail. */
export function findings(
  problems: Finding[],
  warnings: Finding[],
  conclusion: string,
): Outcome & { json: { problems: Finding[]; warnings: Finding[] } } {
  const lines = [
    ...problems.map(finding => `problem  ${oneLine(findingText(finding))}`),
    ...warnings.map(finding => `warning  ${oneLine(findingText(finding))}`),
    conclusion,
  ]
  return { code: problems.length === 0 ? 0 : 1, text: lines.join('\n'), json: { problems, warnings } }
}

export function optionText(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A whole number of at least 1, as an argument spells it. */
export function positive(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value))
    ? Number(value)
    : undefined
}

/** "3 items", "1 item". */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** "", or " Did you mean pay?" when one of the known words is spelt much like this one. */
export function didYouMean(word: string, known: readonly string[]): string {
  const most = Math.max(1, Math.floor(word.length / 3))
  const [nearest] = known
    .map(each => ({ each, distance: each.startsWith(word) && word.length > 1 ? 1 : editsBetween(word, each) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return nearest ? ` Did you mean ${nearest.each}?` : ''
}

/** How many letters have to be added, removed, replaced or swapped with their neighbour to make one word of another. */
function editsBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]),
        isSwapped ? (beforeLast[j - 2] ?? i) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
