import type { Configuration } from '../configuration.ts'
import { findingText } from '../display/finding.ts'
import { refusalText } from '../display/refusal.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../store/terms/clock.ts'
import type { Finding } from '../store/terms/finding.ts'
import type { Refusal } from '../store/terms/refusal.ts'
import { oneLine } from './layout.ts'
import { nextStep } from './next-step.ts'

/** A maintenance command. */
export interface Command {
  /** The arguments and options, as usage shows them. */
  usage: string
  /** What it does; the first line is a summary. */
  summary: string
  /** The names of the arguments, in order; those that end in "?" are optional. */
  takes?: readonly string[]
  options?: Options
  run(call: CommandCall): Outcome | Promise<Outcome>
}

/** Options by name: with a value (string) or without (boolean). */
export type Options = Readonly<Record<string, { type: 'string' | 'boolean' }>>

export interface CommandCall {
  /** The positional arguments after the command's name. */
  args: string[]
  options: Readonly<Record<string, string | boolean | undefined>>
  configuration: Configuration
  clock: Clock
  /** Opens the database file (or `file` instead), once. It must exist, unless `create` is given. */
  store(ifMissing?: 'create', file?: string): Store
  /** Everything on standard input; null if it is larger than the largest document. */
  input(): Promise<Buffer | null>
}

/** The result of a command, as text for people and as one JSON value for scripts. */
export interface Outcome {
  /** The exit code: done, refused, or called wrongly. */
  code: 0 | 1 | 2
  text: string
  json: unknown
}

export function done(text: string, json: unknown): Outcome {
  return { code: 0, text, json }
}

/** A refused command: a sentence, or a refusal of the store; `order` is the order that it is about, if any. */
export function refused(why: string | Refusal, order?: string): Outcome {
  if (typeof why === 'string') return { code: 1, text: oneLine(why), json: { error: why } }
  const text = refusalText(why)
  // Only these have several lines; a line break in another one comes from what was given.
  const hasLines = why.refused === 'faults' || why.refused === 'does not fit'
  const lines = (hasLines ? text.split('\n') : [text]).map(oneLine)
  return { code: 1, text: `${lines.join('\n')}${nextStep(why, order)}`, json: { error: text } }
}

/** A command that was called wrongly; `why` is a sentence that is printed below the usage. */
export function misused(why: string): Outcome {
  return { code: 2, text: oneLine(why), json: { error: why } }
}

/** Problems and warnings. Warnings alone do not make a command fail. */
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

/** An argument as a whole number of at least 1, or undefined. */
export function positive(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value))
    ? Number(value)
    : undefined
}

/** "3 items", "1 item". */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** " Did you mean pay?" if one of the known words is similar to this one, else "". */
export function didYouMean(word: string, known: readonly string[]): string {
  const most = Math.max(1, Math.floor(word.length / 3))
  const [nearest] = known
    .map(each => ({ each, distance: each.startsWith(word) && word.length > 1 ? 1 : editsBetween(word, each) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return nearest ? ` Did you mean ${nearest.each}?` : ''
}

/** The edit distance of two words: letters added, removed, replaced, or swapped with a neighbour. */
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
