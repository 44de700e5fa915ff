import type { ParseArgsConfig } from 'node:util'
import type { Configuration } from '../configuration.ts'
import { refusalText } from '../display/refusal.ts'
import type { Store } from '../store/store.ts'
import { type Clock, timeZone } from '../store/terms/clock.ts'
import type { Finding } from '../store/terms/finding.ts'
import type { Refusal } from '../store/terms/refusal.ts'

/** One maintenance command: how it is called, and what it does. */
export interface Command {
  /** The arguments and options, as usage shows them. */
  usage: string
  /** What it does, in a line. */
  summary: string
  options?: NonNullable<ParseArgsConfig['options']>
  /** Does the work. Undefined means that the arguments are not as `usage` says. */
  run(call: CommandCall): Outcome | undefined | Promise<Outcome | undefined>
}

export interface CommandCall {
  /** The positional arguments after the command's name. */
  args: string[]
  options: Record<string, unknown>
  configuration: Configuration
  clock: Clock
  /** Opens the database file (or `file` in its place), once. It must be there, unless `create` makes it where there is none. */
  store(ifMissing?: 'create', file?: string): Store
  /** Everything on standard input. */
  input(): Promise<Buffer>
}

/** What a command answers: for people as text, for scripts as one JSON value. */
export interface Outcome {
  ok: boolean
  text: string
  json: unknown
}

export function done(text: string, json: unknown): Outcome {
  return { ok: true, text, json }
}

/** A refused command, with the refusal or a sentence for the person who called it. */
export function refused(why: string | Refusal): Outcome {
  const text = typeof why === 'string' ? why : refusalText(why)
  return { ok: false, text, json: { error: text } }
}

/** Problems and warnings. Warnings alone are no reason to fail. */
export function findings(problems: Finding[], warnings: Finding[], conclusion: string): Outcome {
  const lines = [
    ...problems.map(({ pointer, message }) => `problem  ${pointer || '/'}  ${message}`),
    ...warnings.map(({ pointer, message }) => `warning  ${pointer || '/'}  ${message}`),
    conclusion,
  ]
  return { ok: problems.length === 0, text: lines.join('\n'), json: { problems, warnings } }
}

export function optionText(value: unknown): string | undefined {
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

/**
 * An instant as people write it: with an offset ("2026-11-20T19:42Z", "2026-11-20 19:42+01:00"), or as the clock on the
 * wall of a time zone shows it ("2026-11-20 19:42"). Undefined for anything else.
 */
export function parseInstant(text: string, zone: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(Z|[+-]\d\d:\d\d)?$/.exec(text.trim())
  if (!match) return undefined
  const [, date = '', minutes = '', seconds = ':00', offset] = match
  const shown = Date.parse(`${date}T${minutes}${seconds}Z`)
  // Dates that no calendar has, such as 30 February, are otherwise taken for another day.
  if (Number.isNaN(shown) || !new Date(shown).toISOString().startsWith(`${date}T${minutes}`)) return undefined
  if (offset !== undefined) {
    const instant = Date.parse(`${date}T${minutes}${seconds}${offset}`)
    return Number.isNaN(instant) ? undefined : instant
  }
  return timeZone(zone).instantOf(date, `${minutes}${seconds}`)
}
