import type { Db } from '../file/open.ts'
import type { Deed, Noting } from '../people/activity.ts'
import type { Clock } from '../terms/clock.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { isStorable } from '../terms/text.ts'

// A key shorter than this is easier to guess than the signature is to forge.
const ENOUGH_BYTES = 24

const MARK = 'whsec_'

/** A secret that can sign. A key of fewer than `ENOUGH_BYTES` bytes is weak. */
export interface ParsedSecret {
  secret: string
  warning: string | null
}

/**
 * The active signing secrets, newest first. Only `keys` gives them out, for signing (section 6).
 * `markChanged` is called in every transaction that changes them.
 */
export function secrets(db: Db, clock: Clock, markChanged: () => void, { note }: Noting) {
  const selectAll = db.prepare<[], { secret: string; createdAt: number }>(
    'SELECT secret, created_at AS createdAt FROM webhook_secret ORDER BY id DESC',
  )
  const insert = db.prepare<{ secret: string; now: number }>(
    'INSERT INTO webhook_secret (secret, created_at) VALUES (@secret, @now)',
  )
  const deleteAll = db.prepare('DELETE FROM webhook_secret')
  const deleteOlder = db.prepare('DELETE FROM webhook_secret WHERE id < (SELECT max(id) FROM webhook_secret)')

  const change = db.transaction((what: Deed, work: () => void): void => {
    const before = selectAll.all().length
    work()
    markChanged()
    note({ what, was: activeText(before), became: activeText(selectAll.all().length) })
  })

  function take(what: Deed, text: string, endOthers: () => void): ParsedSecret | Refusal<'invalid secret'> {
    const parsed = parseSecret(text)
    if (isRefused(parsed)) return parsed
    change.immediate(what, () => {
      endOthers()
      insert.run({ secret: parsed.secret, now: clock.now() })
    })
    return parsed
  }

  return {
    /** The keys that sign, newest first; none: deliveries are unsigned. */
    keys: (): Buffer[] => selectAll.all().map(({ secret }) => keyOf(secret)),

    /** When each active secret was set, newest first. */
    createdAt: (): number[] => selectAll.all().map(({ createdAt }) => createdAt),

    /** Makes this the only secret. Refuses what cannot sign. */
    set: (text: string): ParsedSecret | Refusal<'invalid secret'> =>
      take('secret set', text, () => void deleteAll.run()),

    /** Makes this the newest secret and keeps the others active (decision F5). Refuses what cannot sign. */
    rotate: (text: string): ParsedSecret | Refusal<'invalid secret'> => take('secret rotated', text, () => {}),

    /** Removes all secrets but the newest. Refuses when there is none. */
    retire(): Refusal<'no secret'> | undefined {
      const active = selectAll.all().length
      if (active === 0) return { refused: 'no secret' }
      if (active > 1) change.immediate('older secrets retired', () => deleteOlder.run())
      return undefined
    },

    /** Removes all secrets: deliveries are unsigned from now on. */
    clear(): void {
      if (selectAll.all().length > 0) change.immediate('secrets cleared', () => deleteAll.run())
    },
  }
}

function activeText(secrets: number): string {
  return `${secrets} active`
}

/**
 * A signing secret as typed (decision F5): kept exactly, except that white space around a `whsec_` secret is
 * trimmed, and what follows that prefix must be standard base64.
 */
export function parseSecret(text: string): ParsedSecret | Refusal<'invalid secret'> {
  if (text === '') return { refused: 'invalid secret', flaw: 'empty' }
  if (!isStorable(text)) return { refused: 'invalid secret', flaw: 'unstorable' }
  const trimmed = text.trim()
  if (!trimmed.startsWith(MARK)) return { secret: text, warning: null }
  const encoded = trimmed.slice(MARK.length)
  const isBase64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$/.test(encoded)
  if (!isBase64 || encoded === '') return { refused: 'invalid secret', flaw: 'not base64' }
  const bytes = keyOf(trimmed).length
  const warning =
    bytes < ENOUGH_BYTES ? `The key has only ${bytes} bytes, which is weak; ${ENOUGH_BYTES} or more are better.` : null
  return { secret: trimmed, warning }
}

/** A secret of 32 random bytes in the form of the standard. */
export function generateSecret(random: (bytes: number) => Buffer): string {
  return `${MARK}${random(32).toString('base64')}`
}

/** The HMAC key of a secret: what follows `whsec_` is decoded, any other text is used as typed (section 6). */
export function keyOf(secret: string): Buffer {
  return secret.startsWith(MARK) ? Buffer.from(secret.slice(MARK.length), 'base64') : Buffer.from(secret, 'utf8')
}
