import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refusal } from '../terms/refusal.ts'

/** The largest image that is kept: what a guest's phone has to load for each dish. */
export const LARGEST_IMAGE = 200 * 1024

// No SVG: it can contain scripts.
const kinds: { extension: string; isOne(bytes: Buffer): boolean }[] = [
  { extension: 'png', isOne: bytes => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')) },
  { extension: 'jpg', isOne: bytes => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')) },
  { extension: 'gif', isOne: bytes => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) },
  { extension: 'webp', isOne: bytes => /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, 12)) },
  { extension: 'avif', isOne: bytes => /^ftypavi[fs]$/.test(bytes.toString('latin1', 4, 12)) },
]

/**
 * Keeps an image below the folder of the images, under a name made from its content, and returns its path there, such as
 * "images/3fc9….jpg". It is never overwritten: the same content has the same name. Refuses what is larger than
 * `LARGEST_IMAGE`, and what is no PNG, JPEG, GIF, WebP or AVIF by its first bytes. Throws when the disk refuses it.
 */
export async function keepImage(siteRoot: string, bytes: Buffer): Promise<string | Refusal<'image'>> {
  if (bytes.length > LARGEST_IMAGE) return { refused: 'image', flaw: 'too large', mostBytes: LARGEST_IMAGE }
  const kind = kinds.find(({ isOne }) => isOne(bytes))
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
