import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { Refusal } from '../terms/refusal.ts'
import { isAtMost, isStorable } from '../terms/text.ts'
import { isSimplePin } from './secret.ts'

declare const hashed: unique symbol

/** What is kept of a password or PIN that follows the rules: "scrypt$N$r$p$salt$key", the last two in base64url. */
export type Hashed = string & { readonly [hashed]: true }

// OWASP's set for 32 MiB (decision 047). The parameters are kept with each hash, so that they can be raised.
const COST = { N: 2 ** 15, r: 8, p: 3 }
const KEY_BYTES = 32

// Each calculation takes 32 MiB and a thread that the disk needs, too.
const MOST_WAITING = 8

const LEAST_CHARACTERS = 10
const MOST_CHARACTERS = 200

type Busy = Refusal<'too many log-ins'>

export type Passwords = ReturnType<typeof passwords>

/**
 * Hashes and compares passwords and PINs, one at a time, outside transactions and off the main thread. Refuses when 8 already
 * wait. One for each process.
 */
export function passwords() {
  let atWork = 0
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T | Busy> {
    if (atWork > MOST_WAITING) return Promise.resolve({ refused: 'too many log-ins' })
    atWork++
    const done = last.then(work).finally(() => {
      atWork--
    })
    last = done.catch(() => {})
    return done
  }

  async function hash(text: string): Promise<Hashed | Busy> {
    const salt = randomBytes(16)
    const key = await inTurn(() => keyOf(text, salt, COST))
    if (!Buffer.isBuffer(key)) return key
    const { N, r, p } = COST
    return `scrypt$${N}$${r}$${p}$${salt.toString('base64url')}$${key.toString('base64url')}` as Hashed
  }

  return {
    /** Hashes a password. Refuses fewer than 10 characters, more than 200, and the person's name. */
    async hashPassword(password: string, name: string): Promise<Hashed | Refusal<'invalid password'> | Busy> {
      const flaw = flawOfPassword(password, name)
      return flaw ? { refused: 'invalid password', flaw } : hash(password)
    },

    /** Hashes a PIN. Refuses what has not six digits, one digit six times, and six digits in a row. */
    async hashPin(pin: string): Promise<Hashed | Refusal<'invalid PIN'> | Busy> {
      if (!/^\d{6}$/.test(pin)) return { refused: 'invalid PIN', flaw: 'not six digits' }
      if (isSimplePin(pin)) return { refused: 'invalid PIN', flaw: 'simple' }
      return hash(pin)
    },

    /** Whether a text is what was hashed. Without a hash it takes as long, so that nobody learns which names exist. */
    async matches(text: string, known: Hashed | null): Promise<boolean | Busy> {
      const parsed = known === null ? undefined : parse(known)
      const { salt, cost, key } = parsed ?? { salt: Buffer.alloc(16), cost: COST, key: Buffer.alloc(KEY_BYTES) }
      const found = await inTurn(() => keyOf(text.slice(0, 4 * MOST_CHARACTERS), salt, cost))
      if (!Buffer.isBuffer(found)) return found
      return found.length === key.length && timingSafeEqual(found, key) && parsed !== undefined
    },
  }
}

function flawOfPassword(password: string, name: string): Refusal<'invalid password'>['flaw'] | null {
  if (!isStorable(password)) return 'unstorable'
  if (isAtMost(password, LEAST_CHARACTERS - 1)) return { shorterThan: LEAST_CHARACTERS }
  if (!isAtMost(password, MOST_CHARACTERS)) return { longerThan: MOST_CHARACTERS }
  return password.trim().toLowerCase() === name.trim().toLowerCase() ? 'the name' : null
}

function parse(known: Hashed) {
  const [, N, r, p, salt = '', key = ''] = known.split('$')
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  }
}

function keyOf(text: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Keyboards differ in how they compose letters with accents.
    const bytes = Buffer.from(text.normalize('NFKC'))
    const maxmem = 128 * cost.N * cost.r + 1024 * 1024
    scrypt(bytes, salt, KEY_BYTES, { ...cost, maxmem }, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
