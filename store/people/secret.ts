import { hash, randomBytes } from 'node:crypto'

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

/** A code for people to read and type: 8 characters. */
export function newCode(): string {
  let code = ''
  while (code.length < CODE_LENGTH) {
    // The bytes from 248 would make the first characters more likely.
    const [byte = 255] = randomBytes(1)
    if (byte < 8 * CODE_CHARACTERS.length) code += CODE_CHARACTERS[byte % CODE_CHARACTERS.length]
  }
  return code
}

/** A code as somebody typed it: in upper or lower case, with spaces or a hyphen. */
export function normalCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .slice(0, 2 * CODE_LENGTH)
}
