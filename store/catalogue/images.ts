import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refusal } from '../terms/refusal.ts'

/** The largest image that is kept: what a guest's phone has to load for each dish. */
export const LARGEST_IMAGE = 200 * 1024

/** The most pixels on a side: what a phone can still show. */
const LONGEST_SIDE = 6000

interface Size {
  width: number
  height: number
}

// Each returns the size in the header of a file that is whole; undefined for what is no such image. No SVG: it can contain scripts.
const kinds: { extension: string; sizeOf(bytes: Buffer): Size | undefined }[] = [
  { extension: 'png', sizeOf: pngSize },
  { extension: 'jpg', sizeOf: jpegSize },
  { extension: 'gif', sizeOf: gifSize },
  { extension: 'webp', sizeOf: webpSize },
  { extension: 'avif', sizeOf: avifSize },
]

/**
 * Keeps an image below the folder of the images, under a name made from its content, and returns its path there, such as
 * "images/3fc9….jpg". It is never overwritten: the same content has the same name. Refuses what is larger than
 * `LARGEST_IMAGE`, and what is no whole PNG, JPEG, GIF, WebP or AVIF of at most `LONGEST_SIDE` by its header and its end. Throws
 * when the disk refuses it.
 */
export async function keepImage(siteRoot: string, bytes: Buffer): Promise<string | Refusal<'image'>> {
  if (bytes.length > LARGEST_IMAGE) return { refused: 'image', flaw: 'too large', mostBytes: LARGEST_IMAGE }
  const kind = kinds.find(({ sizeOf }) => {
    const size = sizeOf(bytes)
    return size !== undefined && isShowable(size)
  })
  if (!kind) return { refused: 'image', flaw: 'no image', mostBytes: LARGEST_IMAGE }
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const path = `images/${name}.${kind.extension}`
  await mkdir(join(siteRoot, 'images'), { recursive: true })
  const unfinished = join(siteRoot, 'images', `.${randomUUID()}.part`)
  try {
    const file = await open(unfinished, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, join(siteRoot, path))
  } finally {
    await rm(unfinished, { force: true })
  }
  return path
}

function pngSize(bytes: Buffer): Size | undefined {
  const start = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const end = Buffer.from('0000000049454e44ae426082', 'hex')
  if (bytes.length < 57 || !bytes.subarray(0, 16).equals(start) || !bytes.subarray(-12).equals(end)) return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** The size is in the first frame header, after segments that each give their length. */
function jpegSize(bytes: Buffer): Size | undefined {
  const isWhole = bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.includes(Buffer.from('ffd9', 'hex'))
  if (!isWhole) return undefined
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
  }
  return undefined
}

function gifSize(bytes: Buffer): Size | undefined {
  const isOne = bytes.length >= 26 && /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) && bytes.at(-1) === 0x3b
  return isOne ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : undefined
}

function webpSize(bytes: Buffer): Size | undefined {
  const [, form] = /^RIFF.{4}WEBP(VP8[ LX])/s.exec(bytes.toString('latin1', 0, 16)) ?? []
  if (bytes.length < 30 || bytes.readUInt32LE(4) !== bytes.length - 8) return undefined
  if (form === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (form !== 'VP8L') return undefined
  const packed = bytes.readUInt32LE(21)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}

/** The size is in the first image spatial extents property. */
function avifSize(bytes: Buffer): Size | undefined {
  const at = bytes.indexOf('ispe', 12, 'latin1')
  const isOne = bytes.length >= 100 && /^ftypavi[fs]$/.test(bytes.toString('latin1', 4, 12))
  if (!isOne || at === -1 || at + 16 > bytes.length) return undefined
  return { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
}

function isShowable({ width, height }: Size): boolean {
  return Math.min(width, height) >= 1 && Math.max(width, height) <= LONGEST_SIDE
}
