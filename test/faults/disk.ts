import type { Random } from '../../examples/practice/random.ts'
import type { Happening, Moment } from './recording.ts'

// What a disk has of a folder when the power fails, as far as POSIX promises anything:
//
// - The bytes and the size of a file last once an fsync or fdatasync of it has ended that began after they were written.
//   Before that, of each write all, nothing or a part may be there, whatever came of the others, and the size may have
//   grown without the bytes: zeros are there then, or what the disk had there before.
// - A name (made, linked, moved or removed) lasts once an fsync of the folder has ended that began after it. Before that,
//   each change of a name may have happened or not, and a file that was synced may have no name.
// - What lasts is not damaged by what is written beside it (SQLite's powersafe overwrite).
//
// File systems that keep a journal promise more, above all of names.

/** What becomes of what does not last yet: nothing of it is there, or each write is or is not, or some are in part. */
export const losses = ['dropped', 'kept at random', 'torn'] as const
export type Loss = (typeof losses)[number] | 'nothing'

type Changing = Happening & { kind: 'write' | 'truncate' }
export type Sync = Happening & { kind: 'sync' }

/** The place among all moments from which on something is on the disk for good; none when it never is. */
interface Lasting {
  lasts?: number
}

interface File {
  content: Content
  changes: (Changing & Lasting)[]
}

/** A name stands for a file from then on, or for none. */
interface Naming extends Lasting {
  begun: number
  ended: number
  name: string
  file: File | undefined
}

export interface Disk {
  /**
   * The files of the folder by their names, had the power failed just before the moment at this place. From one call to the
   * next the place must not go back: what lasts is written once.
   */
  filesAt(place: number, loss: Loss, by: Random): Map<string, Buffer>
}

/**
 * A disk on which a recording is played, from the files that were there when it began. `believes` tells which syncs count;
 * the others are as if the program had left them out.
 */
export function diskOf(
  start: ReadonlyMap<string, Buffer>,
  moments: Moment[],
  believes: (sync: Sync) => boolean = () => true,
): Disk {
  const names = new Map([...start].map(([name, bytes]): [string, File] => [name, emptyFile(bytes)]))
  const { files, namings } = play(new Map(names), moments, believes)

  function filesAt(place: number, loss: Loss, by: Random): Map<string, Buffer> {
    const chanceOf = patternOf(by)
    const isLasting = ({ lasts = Number.POSITIVE_INFINITY }: Lasting) => lasts < place

    for (const { content, changes } of files) {
      // What lasts but follows on what does not has to wait: of two writes to one place the second counts.
      const waiting = changes.findIndex(change => !isLasting(change))
      for (const change of changes.splice(0, waiting < 0 ? changes.length : waiting)) content.apply(wholeOf(change))
    }

    const found = new Map(names)
    for (const naming of namings) {
      if (naming.begun >= place) break
      const isKept = loss === 'nothing' || isLasting(naming) || (loss !== 'dropped' && by.percent(50))
      if (!isKept) continue
      if (naming.file) found.set(naming.name, naming.file)
      else found.delete(naming.name)
    }

    // By file, because one may have two names.
    const left = new Map<File, Buffer>()
    for (const file of new Set(found.values())) {
      const content = file.content.copy()
      const made = file.changes.filter(({ begun }) => begun < place)
      for (const [index, change] of made.entries()) {
        const chance = chanceOf(index / made.length)
        const parts = isLasting(change) ? [wholeOf(change)] : partsOf(change, loss, chance, by)
        for (const part of parts) content.apply(part)
      }
      left.set(file, content.bytes())
    }
    return new Map([...found].map(([name, file]) => [name, left.get(file) ?? Buffer.alloc(0)]))
  }

  return { filesAt }
}

/** Finds for each change which file it is of and when it lasts. `live` are the files by their names, as programs see them. */
function play(live: Map<string, File>, moments: Moment[], believes: (sync: Sync) => boolean) {
  const files = [...live.values()]
  const namings: Naming[] = []
  // A file may still be written when its name is gone.
  const last = new Map(live)

  function fileOf(name: string): File {
    const file = live.get(name) ?? last.get(name)
    if (!file) throw new Error(`there was no file ${name}`)
    return file
  }

  function setName(happening: Happening, name: string, file: File | undefined): void {
    namings.push({ begun: happening.begun, ended: happening.ended, name, file })
    if (!file) live.delete(name)
    else {
      live.set(name, file)
      last.set(name, file)
    }
  }

  for (const { isEnd, happening } of moments) {
    if (!isEnd) {
      if (happening.kind === 'write' || happening.kind === 'truncate')
        fileOf(happening.name).changes.push({ ...happening })
      continue
    }
    switch (happening.kind) {
      case 'create': {
        const { name, isEmptied } = happening
        const known = live.get(name)
        if (known && isEmptied) known.changes.push({ ...happening, kind: 'truncate', size: 0 })
        if (known) break
        const made = emptyFile()
        files.push(made)
        setName(happening, name, made)
        break
      }
      case 'link':
        setName(happening, happening.to, fileOf(happening.name))
        break
      case 'rename':
        setName(happening, happening.to, fileOf(happening.name))
        setName(happening, happening.name, undefined)
        break
      case 'unlink':
        setName(happening, happening.name, undefined)
        break
      case 'sync': {
        if (!believes(happening)) break
        const synced: (Lasting & { ended: number })[] =
          happening.name === '.' ? namings : fileOf(happening.name).changes
        for (const change of synced) if (change.ended < happening.begun) change.lasts ??= happening.ended
      }
    }
  }
  return { files, namings }
}

/** Bytes at a place, or as many as the file then has, the new ones of them with this value. */
type Part = { offset: number; bytes: Buffer } | { size: number; filler: number; isShrinking: boolean }

const wholeOf = (change: Changing): Part =>
  change.kind === 'write' ? change : { size: change.size, filler: 0, isShrinking: true }

/**
 * How likely it is, in percent, that a change is there, by the share of a file's changes that came before it: each the same,
 * or what was written first and not what was written last, or the other way round.
 */
function patternOf(by: Random): (share: number) => number {
  const bound = by.next()
  return by.pick<(share: number) => number>([
    () => 10,
    () => 50,
    () => 90,
    share => (share < bound ? 100 : 0),
    share => (share < bound ? 0 : 100),
  ])
}

const SECTOR = 512

/** What is there of a change that does not last yet. */
function partsOf(change: Changing, loss: Loss, chance: number, by: Random): Part[] {
  if (loss === 'dropped') return []
  if (loss === 'nothing') return [wholeOf(change)]
  if (loss === 'kept at random' || change.kind === 'truncate') return by.percent(chance) ? [wholeOf(change)] : []
  if (by.percent(chance / 2)) return [change]

  const { offset, bytes } = change
  const end = offset + bytes.length
  const filler = by.percent(50) ? 0 : by.between(1, 255)
  const grown: Part[] = by.percent(50) ? [{ size: end, filler, isShrinking: false }] : []
  if (by.percent(30)) return grown
  const anywhere = by.between(1, bytes.length - 1)
  const atSector = Math.ceil((offset + anywhere) / SECTOR) * SECTOR - offset
  const cut = by.percent(50) && atSector < bytes.length ? atSector : anywhere
  const isFront = by.percent(50)
  return [
    ...grown,
    isFront ? { offset, bytes: bytes.subarray(0, cut) } : { offset: offset + cut, bytes: bytes.subarray(cut) },
  ]
}

interface Content {
  apply(part: Part): void
  bytes(): Buffer
  copy(): Content
}

function emptyFile(bytes: Buffer = Buffer.alloc(0)): File {
  return { content: contentOf(bytes), changes: [] }
}

/** The bytes of a file, which may grow. */
function contentOf(bytes: Buffer): Content {
  let held = Buffer.from(bytes)
  let size = bytes.length

  function grow(wanted: number, filler: number): void {
    if (wanted > held.length) held = Buffer.concat([held, Buffer.alloc(wanted * 2 - held.length)])
    held.fill(filler, size, wanted)
    size = wanted
  }

  return {
    apply(part) {
      if ('bytes' in part) {
        const end = part.offset + part.bytes.length
        if (end > size) grow(end, 0)
        part.bytes.copy(held, part.offset)
      } else if (part.size > size) grow(part.size, part.filler)
      else if (part.isShrinking) size = part.size
    },
    bytes: () => held.subarray(0, size),
    copy: () => contentOf(held.subarray(0, size)),
  }
}
