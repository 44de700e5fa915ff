import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { type CommandCall, findings, type Outcome, refused } from './command.ts'

/** The size of the largest document, in bytes: many times the largest menu. */
const LARGEST_DOCUMENT = 16 * 1024 * 1024

const CHUNK = 1024 * 1024

/** The text of a file, or of standard input for "-", or why it cannot be read. */
export async function readDocument({ input }: CommandCall, path: string): Promise<string | Outcome> {
  let bytes: Buffer | null
  try {
    bytes = path === '-' ? await input() : readFile(path)
  } catch (error) {
    return refused(`${path} cannot be read (${error instanceof Error && 'code' in error ? error.code : error}).`)
  }
  if (!bytes) return refused(`${path} is longer than ${LARGEST_DOCUMENT / CHUNK} MiB, so it is not read.`)
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return findings([{ pointer: '', message: 'is not UTF-8 text; save it as UTF-8' }], [], 'Nothing was changed.')
}

/** All bytes of a stream, or null if there are more than in the largest document. */
export async function bytesOf(stream: Readable): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > LARGEST_DOCUMENT) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The bytes of a file. The size of devices and pipes is only known after reading. */
function readFile(path: string): Buffer | null {
  const file = openSync(path, 'r')
  try {
    const chunks: Buffer[] = []
    for (let size = 0; size <= LARGEST_DOCUMENT; ) {
      const chunk = Buffer.allocUnsafe(CHUNK)
      const length = readSync(file, chunk)
      if (length === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, length))
      size += length
    }
    return null
  } finally {
    closeSync(file)
  }
}
