import { isUtf8 } from 'node:buffer'
import { crc32, inflateRawSync } from 'node:zlib'
import { UnreadableMenu } from './unreadable.ts'

// What all read entries of an archive may be together: a bomb ends here, a workbook of 20,000 rows does not.
const MOST_BYTES = 64 * 1024 * 1024
const MOST_ENTRIES = 1_000

interface Entry {
  method: number
  checksum: number
  packed: number
  size: number
  start: number
}

/**
 * The entries of a ZIP archive, stored or deflated. Refuses what is damaged, encrypted, split, of the 64-bit kind, or
 * inflates to more than 64 MiB in all.
 */
export function archive(bytes: Buffer): { names(): string[]; text(name: string): string } {
  const entries = readDirectory(bytes)
  let left = MOST_BYTES

  function text(name: string): string {
    const entry = entries.get(name)
    if (!entry) throw damaged()
    const { method, packed, size, start, checksum } = entry
    if (size > left) throw new UnreadableMenu(`holds more than ${MOST_BYTES / 1024 / 1024} MiB when unpacked`)
    left -= size
    const local = bytes.subarray(start, start + 30)
    if (local.length < 30 || local.readUInt32LE(0) !== 0x04034b50) throw damaged()
    const from = start + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
    const data = bytes.subarray(from, from + packed)
    const content = method === 0 ? data : inflated(data, size)
    if (content.length !== size || crc32(content) !== checksum) throw damaged()
    if (!isUtf8(content)) throw damaged()
    return content.toString('utf8')
  }
  return { names: () => [...entries.keys()], text }
}

function inflated(data: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, size) })
  } catch {
    throw damaged()
  }
}

function readDirectory(bytes: Buffer): Map<string, Entry> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end === -1 || end + 22 > bytes.length) throw damaged()
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (count > MOST_ENTRIES) throw new UnreadableMenu(`is an archive of more than ${MOST_ENTRIES} files`)
  const entries = new Map<string, Entry>()
  for (let nth = 0; nth < count; nth++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== 0x02014b50) throw damaged()
    const flags = bytes.readUInt16LE(at + 8)
    const method = bytes.readUInt16LE(at + 10)
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    if ((flags & 1) !== 0) throw new UnreadableMenu('is encrypted; save it without a password')
    if (method !== 0 && method !== 8) throw damaged()
    entries.set(name, {
      method,
      checksum: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      start: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

function damaged(): UnreadableMenu {
  return new UnreadableMenu('is a damaged or cut off workbook')
}
