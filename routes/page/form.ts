import { isAnnouncedAs, parseForm, readBody } from '../http/body.ts'
import type { Call, Caller } from '../http/handler.ts'
import { type Reply, refuse } from '../http/reply.ts'

/** The names of fields whose values are never put into a page. */
export const secretFields = /password|secret|token|^pin$/i

/** The fields of a form that was sent. */
export interface Form<Name extends string> {
  /** The text of a field, with line feeds as line breaks; empty if it was not sent. */
  text(name: Name): string
  /** The text of a field with a fixed list of values; undefined for any other text, which no page sends. */
  choice<const Value extends string>(name: Name, values: readonly Value[]): Value | undefined
  /** The texts of a field that may be repeated. */
  all(name: Name): string[]
  /** The fields whose names start with a prefix, such as "count-", by the rest of their name. */
  below(prefix: Name): Map<string, string>
}

/** Which fields a form has: each once, some any number of times, or all that start with a prefix. */
export interface Fields<Name extends string> {
  once?: readonly Name[]
  repeated?: readonly Name[]
  prefixes?: readonly Name[]
  /** The largest number of fields, where it is more than of any usual form. */
  most?: number
}

export type ReadForm<Name extends string> = { ok: true; form: Form<Name> } | { ok: false; reply: Reply | undefined }

/**
 * Reads the form of a POST. Refuses another type, what is too large or malformed, and unknown or repeated fields, because no
 * page sends them.
 */
export async function readForm<const Name extends string>(
  { exchange, head }: Pick<Call<Caller>, 'exchange' | 'head'>,
  { once = [], repeated = [], prefixes = [], most }: Fields<Name>,
): Promise<ReadForm<Name>> {
  if (!isAnnouncedAs('application/x-www-form-urlencoded', exchange, head)) return refused('UNSUPPORTED_MEDIA_TYPE')
  const read = await readBody(exchange)
  if (!read.ok) return read.reason === 'gone' ? { ok: false, reply: undefined } : refused('PAYLOAD_TOO_LARGE')
  const sent = parseForm(read.bytes, most)
  if (!sent) return refused('BAD_REQUEST')

  const isRepeated = (name: string) => repeated.some(each => each === name)
  const isKnown = (name: string) =>
    once.some(each => each === name) || isRepeated(name) || prefixes.some(prefix => name.startsWith(prefix))
  const seen = new Set<string>()
  for (const name of sent.keys()) {
    if (!isKnown(name) || (seen.has(name) && !isRepeated(name))) return refused('BAD_REQUEST')
    seen.add(name)
  }

  exchange.form = sent
  return {
    ok: true,
    form: {
      text: name => lines(sent.get(name) ?? ''),
      choice: (name, values) => values.find(value => value === (sent.get(name) ?? '')),
      all: name => sent.getAll(name).map(lines),
      below(prefix) {
        const below = [...sent].filter(([name]) => name.startsWith(prefix))
        return new Map(below.map(([name, value]) => [name.slice(prefix.length), lines(value)]))
      },
    },
  }
}

function refused(code: 'UNSUPPORTED_MEDIA_TYPE' | 'PAYLOAD_TOO_LARGE' | 'BAD_REQUEST'): { ok: false; reply: Reply } {
  return { ok: false, reply: refuse(code) }
}

// Browsers send the line breaks of a text field as CR LF.
function lines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
