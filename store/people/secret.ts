import { hash, randomBytes, randomInt } from 'node:crypto'

/** A secret for a cookie: 32 random bytes in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of a secret. It needs no salt, because nobody can guess 32 random bytes. */
export function sha256(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

// Without characters that look alike: 0 and O, 1, I and L.
const CODE_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 8

/** A code for people to read and type. */
export function newCode(length = CODE_LENGTH): string {
  return Array.from({ length }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('')
}

/** A PIN that follows the rules. */
export function newPin(): string {
  let pin = ''
  while (pin === '' || isSimplePin(pin)) pin = String(randomInt(1_000_000)).padStart(6, '0')
  return pin
}

/** Whether six digits are among the first that somebody would guess: all the same, or in a row. */
export function isSimplePin(pin: string): boolean {
  return /^(\d)\1*$/.test(pin) || '01234567890'.includes(pin) || '09876543210'.includes(pin)
}

/** A code as somebody typed it: in upper or lower case, with spaces or a hyphen. */
export function normalCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .slice(0, 2 * CODE_LENGTH)
}
