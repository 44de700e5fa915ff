import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from './file/open.ts'
import type { Noting } from './people/activity.ts'
import type { Clock } from './terms/clock.ts'

// The last use of the token is written at most once a minute (decision B2).
const NOTE_EVERY = 60_000

export interface TokenUse {
  createdAt: number
  lastUsedAt: number | null
  lastUsedFrom: string | null
}

/** The one API token of section 5: shown once when made, kept as a SHA-256 hash, replaced by the next one. */
export function token(db: Db, clock: Clock, { note }: Noting) {
  const selectToken = db.prepare<[], TokenUse & { sha256: Buffer }>(
    `SELECT sha256, created_at AS createdAt, last_used_at AS lastUsedAt, last_used_from AS lastUsedFrom FROM api_token`,
  )
  const replace = db.prepare<{ sha256: Buffer; now: number }>(
    'INSERT OR REPLACE INTO api_token (id, sha256, created_at) VALUES (1, @sha256, @now)',
  )
  const noteUse = db.prepare<{ sha256: Buffer; now: number; from: string }>(
    'UPDATE api_token SET last_used_at = @now, last_used_from = @from WHERE sha256 = @sha256',
  )

  const change = db.transaction((secret: string): void => {
    replace.run({ sha256: sha256(secret), now: clock.now() })
    note({ what: 'token generated' })
  })

  let known = selectToken.get()
  // The last token that matched, so that it is not hashed with every request.
  let matched: Buffer | undefined
  let notedAt = Number.NEGATIVE_INFINITY

  return {
    /** Makes a new token, which replaces the old one at once, and returns it; it cannot be shown again (B2). */
    generate(): string {
      const secret = `svy_${randomBytes(32).toString('base64url')}`
      change.immediate(secret)
      known = selectToken.get()
      matched = undefined
      return secret
    },

    /**
     * Whether this is the token, compared in constant time (B1): by SHA-256, or with the last one that matched. False if no token
     * was made yet.
     */
    matches(candidate: string): boolean {
      if (!known) return false
      const bytes = Buffer.from(candidate)
      if (matched?.length === bytes.length && timingSafeEqual(matched, bytes)) return true
      if (!timingSafeEqual(sha256(bytes), known.sha256)) return false
      matched = bytes
      return true
    },

    /** True at most once a minute; the caller that gets true calls `noteUse`. */
    takeTurnToNote(): boolean {
      const now = clock.elapsed()
      if (now - notedAt < NOTE_EVERY) return false
      notedAt = now
      return true
    },

    /** Records that the token was used now, from an address. */
    noteUse(from: string): void {
      if (known) noteUse.run({ sha256: known.sha256, now: clock.now(), from })
    },

    /** When the token was made and last used; undefined if there is none. */
    use: (): TokenUse | undefined => selectToken.get(),

    /** Reads the hash again; called when something in the file has changed. */
    reload(): void {
      const before = known
      known = selectToken.get()
      if (!known || !before?.sha256.equals(known.sha256)) matched = undefined
    },
  }
}

function sha256(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer')
}
