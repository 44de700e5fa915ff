import { parseRestaurantFile, type RestaurantFile, writeRestaurantFile } from '../restaurant-file/restaurant-file.ts'
import { isTimeZone } from '../terms/clock.ts'
import { exponentOf } from '../terms/money.ts'
import { UnreadableMenu } from './file/unreadable.ts'
import { type IdKind, type KeptIds, perKind } from './ids.ts'
import { loyverseMenu, loyversePrices } from './loyverse.ts'
import type { ForeignMenu, Unknown } from './menu.ts'
import { currenciesIn, markIn } from './prices.ts'
import { type MenuKind, type Recognised, recognise } from './recognise.ts'
import { restaurantDocument } from './restaurant.ts'
import { squareMenu, squarePrices } from './square.ts'
import { textMenu, textPrices } from './text-list.ts'
import { uberMenu } from './uber-eats.ts'

/** What the owner says about a foreign file, and what is left of an earlier conversion of the same source. */
export interface ConversionOptions {
  /** An ISO 4217 code; without it, the sign of the prices decides. */
  currency?: string | undefined
  /** An IANA name. */
  timeZone?: string | undefined
  earlier?: EarlierConversion | undefined
}

export interface EarlierConversion {
  kind: MenuKind
  currency: string
  timeZone: string | null
  ids: KeptIds
  /** The restaurant file of then as it is now; ids that were added by hand are not given again. */
  file: RestaurantFile
}

export interface Converted {
  ok: true
  kind: MenuKind
  /** The document of a restaurant file, without problems. */
  restaurant: unknown
  counts: Record<IdKind, number>
  unknown: Unknown[]
  /** For the next conversion. */
  currency: string
  timeZone: string | null
  ids: KeptIds
}

/** `refusal` ends a sentence that begins with the file's name. */
export type Conversion = Converted | { ok: false; refusal: string }

/**
 * Converts a menu of another system (Square, Loyverse, Uber Eats, a text list) to a restaurant file. Never invents a price: what
 * it could not know is listed. Refuses a file of another kind, a damaged or too large one, and one whose currency nobody says.
 * A later conversion of the same source keeps the ids (docs/moving-in.md).
 */
export function convertMenu(bytes: Buffer, options: ConversionOptions = {}): Conversion {
  try {
    return convert(bytes, options)
  } catch (error) {
    if (error instanceof UnreadableMenu) return { ok: false, refusal: error.message }
    throw error
  }
}

function convert(bytes: Buffer, { currency: given, timeZone: zone, earlier }: ConversionOptions): Conversion {
  const found = recognise(bytes)
  if (earlier && earlier.kind !== found.kind) {
    throw new UnreadableMenu(`is of another kind (${found.kind}) than what was converted before (${earlier.kind})`)
  }
  const prices = pricesIn(found)
  const currency = given ?? earlier?.currency ?? currencyOf(prices)
  if (exponentOf(currency) === undefined)
    throw new UnreadableMenu(`cannot be in ${currency}, which is no currency code`)
  const timeZone = zone ?? earlier?.timeZone ?? null
  if (timeZone !== null && !isTimeZone(timeZone)) {
    throw new UnreadableMenu(`cannot be in the time zone ${timeZone}, which this system does not know`)
  }
  const menu = read(found, { currency, mark: markIn(prices) })
  if (![...menu.categories.values()].some(({ items }) => items.length > 0)) {
    const [first] = menu.unknown
    throw new UnreadableMenu(`has no dish with a price${first ? ` (${first.place}: ${first.message})` : ''}`)
  }
  const ids: KeptIds = perKind(kind => new Map(earlier?.ids[kind]))
  const document = restaurantDocument(menu, { currency, timeZone, ids, largest: largestIds(earlier?.file) })
  const { file, problems } = parseRestaurantFile(JSON.stringify(document))
  const [problem] = problems
  if (problem) throw new UnreadableMenu(`cannot become a restaurant file: ${problem.pointer} ${problem.message}`)
  const restaurant = writeRestaurantFile(file)
  const { kind } = found
  return { ok: true, kind, restaurant, counts: countsOf(file), unknown: menu.unknown, currency, timeZone, ids }
}

function pricesIn(found: Recognised): Set<string> {
  switch (found.kind) {
    case 'square':
      return squarePrices(found.table)
    case 'loyverse':
      return loyversePrices(found.table)
    case 'uber-eats':
      return new Set()
    case 'text':
      return textPrices(found.text)
  }
}

function read(found: Recognised, style: { currency: string; mark: '.' | ',' | null }): ForeignMenu {
  switch (found.kind) {
    case 'square':
      return squareMenu(found.table, style)
    case 'loyverse':
      return loyverseMenu(found.table, style)
    case 'uber-eats':
      return uberMenu(found.document, style.currency)
    case 'text':
      return textMenu(found.text, style)
  }
}

function currencyOf(prices: Set<string>): string {
  const [currency, other] = currenciesIn(prices)
  if (currency === undefined)
    throw new UnreadableMenu('does not tell its currency; say it, for example with --currency EUR')
  if (other !== undefined)
    throw new UnreadableMenu(`has prices in ${currency} and in ${other}; say which, with --currency`)
  return currency
}

function entriesOf(file: RestaurantFile): Record<IdKind, { id: number }[]> {
  const items = file.categories.flatMap(category => category.items)
  return {
    categories: file.categories,
    items,
    variations: items.flatMap(item => item.variations),
    modifier_groups: file.modifier_groups,
    modifiers: file.modifier_groups.flatMap(group => group.modifiers),
    locations: file.locations,
    stock: file.locations.flatMap(location => location.stock),
  }
}

function largestIds(file: RestaurantFile | undefined): Record<IdKind, number> {
  const entries = file && entriesOf(file)
  return perKind(kind => entries?.[kind].reduce((most, { id }) => Math.max(most, id), 0) ?? 0)
}

function countsOf(file: RestaurantFile): Record<IdKind, number> {
  const entries = entriesOf(file)
  return perKind(kind => entries[kind].length)
}
