import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { type Converted, convertMenu, type EarlierConversion } from '../store/foreign-menus/convert.ts'
import { readEarlier, recordText, restaurantText } from '../store/foreign-menus/earlier.ts'
import { MOST_BYTES, menuKinds } from '../store/foreign-menus/recognise.ts'
import { type CommandCall, counted, done, type Outcome, optionText, refused } from './command.ts'
import { lines } from './layout.ts'

// More than these nobody reads at a terminal; --json has all of them.
const MOST_SHOWN = 200

/**
 * `import --from FILE`: writes the restaurant file that a menu of another system becomes, and says what that system could not
 * tell. The database is not touched. Overwrites nothing but an earlier conversion that nobody has edited.
 */
export function convertForeignMenu({ args, options }: CommandCall): Outcome | undefined {
  const from = optionText(options.from)
  if (from === undefined || args.length > 0 || options.check !== undefined) return undefined
  const to = optionText(options.to) ?? join(dirname(from), `${basename(from, extname(from))}.restaurant.json`)
  const ids = optionText(options.ids)
  try {
    if (!statSync(from).isFile()) return refused(`${from} is not a file.`)
    const target = existsSync(to) ? earlierAt(to) : undefined
    if (existsSync(to) && !target) {
      return refused(`${to} is there and was not written by "import --from"; name another file with --to.`)
    }
    if (!target && existsSync(recordOf(to))) {
      return refused(`${recordOf(to)} is there without its restaurant file; name another file with --to.`)
    }
    if (target?.isEdited) {
      return refused(
        `${to} was edited since it was converted, so it is not overwritten. Add "--to NEW.json --ids ${to}" to convert into another file with the same ids.`,
      )
    }
    const earlier = ids === undefined ? target : earlierAt(ids)
    if (ids !== undefined && !earlier)
      return refused(`${ids} was not written by "import --from", so it has no ids to keep.`)
    const conversion = convertMenu(readBounded(from), {
      currency: optionText(options.currency)?.toUpperCase(),
      timeZone: optionText(options.timezone),
      earlier,
    })
    if (!conversion.ok) return refused(`${from} ${conversion.refusal}. Nothing was written.`)
    const text = restaurantText(conversion.restaurant)
    replaceFile(to, text)
    replaceFile(recordOf(to), recordText(conversion, text))
    return report(conversion, to)
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'path' in error) {
      return refused(`${error.path} cannot be read or written (${error.code}).`)
    }
    throw error
  }
}

/** Where the ids of a conversion are kept: beside its restaurant file. */
function recordOf(path: string): string {
  return join(dirname(path), `${basename(path, '.json')}.ids.json`)
}

function earlierAt(path: string): (EarlierConversion & { isEdited: boolean }) | undefined {
  if (!existsSync(recordOf(path)) || !existsSync(path)) return undefined
  return readEarlier(readFileSync(recordOf(path), 'utf8'), readFileSync(path, 'utf8'))
}

/** Reads a file, of which one byte more than is converted is enough to see that it is too large. */
function readBounded(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.min(fstatSync(file).size, MOST_BYTES) + 1)
    let length = 0
    for (;;) {
      const read = readSync(file, bytes, length, bytes.length - length, null)
      length += read
      if (read === 0 || length === bytes.length) return bytes.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

/** Writes a whole file or none: a crash leaves the former one. */
function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.unfinished`
  try {
    writeFileSync(unfinished, text)
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

function report({ kind, restaurant, counts, unknown }: Converted, to: string): Outcome {
  const contents = [
    counted(counts.categories, 'menu section'),
    counted(counts.items, 'item'),
    counted(counts.variations, 'size'),
    counted(counts.modifier_groups, 'option group'),
    counted(counts.modifiers, 'option'),
    counted(counts.locations, 'location'),
    counted(counts.stock, 'stock item'),
  ]
  const shown = unknown.slice(0, MOST_SHOWN).map(({ place, message }) => [`  ${place}`, message])
  const rest = unknown.length - shown.length
  const paragraphs = [
    `${menuKinds[kind]}: ${contents.join(', ')}.`,
    ...(shown.length > 0 ? ['', 'What it could not know:', lines(shown)] : []),
    ...(rest > 0 ? [`  and ${rest} more; --json shows all of them.`] : []),
    '',
    `Written to ${to}. Edit it, look at it with "import ${to} --check", then import it.`,
  ]
  return done(paragraphs.join('\n'), { kind, file: to, counts, unknown, restaurant })
}
