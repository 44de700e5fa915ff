import type { Converted } from '../store/foreign-menus/convert.ts'
import { convertFile } from '../store/foreign-menus/convert-file.ts'
import { menuKinds } from '../store/foreign-menus/recognise.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type CommandCall, counted, done, misused, type Outcome, optionText, refused } from './command.ts'
import { lines } from './layout.ts'

// Longer lists are cut; --json has everything.
const MOST_SHOWN = 200

/** `import --from FILE`: converts a menu of another system into a restaurant file. The database is not touched. */
export function convertForeignMenu({ args, options }: CommandCall): Outcome {
  const from = optionText(options.from)
  if (from === undefined || args.length > 0) return misused('Give the file after --from, and no other argument.')
  if (options.check !== undefined) return misused('--check goes with a restaurant file, not with --from.')
  const converted = convertFile({
    from,
    to: optionText(options.to),
    ids: optionText(options.ids),
    currency: optionText(options.currency)?.toUpperCase(),
    timeZone: optionText(options.timezone),
  })
  return isRefused(converted) ? refused(converted) : report(converted)
}

function report({ path, kind, counts, unknown }: Converted & { path: string }): Outcome {
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
    `Written to ${path}. Edit it, look at it with "import ${path} --check", then import it.`,
  ]
  return done(paragraphs.join('\n'), { kind, file: path, counts, unknown })
}
