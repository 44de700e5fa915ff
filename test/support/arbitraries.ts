import fc from 'fast-check'
import {
  type Channel,
  type ExpectedMenu,
  type ExpectedMenuItem,
  expectedMenu,
  exponentOf,
  type GroupRecord,
  type ItemRecord,
  type LocationRecord,
  type ModifierRecord,
  type PromotionRecord,
  type RestaurantFile,
  type ServiceMode,
  type Weekday,
  wallClock,
} from './independent-calculation.ts'

const MODES: readonly ServiceMode[] = ['dine_in', 'takeaway', 'delivery', 'qr']
const CHANNELS: readonly Channel[] = ['web', 'phone', 'takeaway', 'delivery']
const WEEK: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const CURRENCIES = ['USD', 'EUR', 'GBP', 'AED', 'JPY', 'KRW', 'VND', 'KWD', 'BHD', 'TND'] as const
const ZONES = [
  'UTC',
  'Europe/Lisbon',
  'America/New_York',
  'America/St_Johns',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
] as const

/** Dates on which clocks change, or a month or year ends; promotions start and end on them. */
const DATES = [
  '2026-02-28',
  '2026-03-08',
  '2026-03-28',
  '2026-03-29',
  '2026-07-04',
  '2026-10-25',
  '2026-11-01',
  '2026-12-31',
] as const
const TIMES = [
  '00:01',
  '01:00',
  '01:30',
  '02:00',
  '02:30',
  '04:00',
  '12:00',
  '17:00',
  '19:00',
  '22:30',
  '23:59',
] as const

/** Thousandths of the major unit that end on or beside half a minor unit, or whose tax or percentage does. */
const TRAPS = [
  0, 1, 4, 5, 6, 10, 14, 15, 50, 125, 145, 150, 333, 499, 500, 501, 585, 850, 990, 994, 995, 999, 1000, 1195, 1250,
  1275, 1499, 1500, 1985, 2445, 2500, 2900, 3500, 5850, 6000, 7335, 8005, 9995, 12_500, 12_990, 15_950, 47_300, 99_995,
] as const
const RATES = [0, 0.0001, 0.5, 5, 7.7, 8, 8.25, 9.75, 10, 12.5, 13, 15, 17.5, 20, 23, 33.3333, 99.9999, 100] as const

/** 813 of it cost exactly 9,999,999,999 minor units, the largest amount of an order (A8). */
const DEAREST = 12_300_123
const DEAREST_QTY = 813

const TITLES = [
  'Soup',
  'Crème brûlée',
  'Tom & "Jerry" <b>',
  '🍕 Margherita',
  'بيتزا',
  "Chef's (special)",
  '100 %',
] as const

/** Draws one value after the other; the restaurant and the orders are built from draws, so they shrink as their draws do. */
export type Draw = fc.GeneratorValue

// `fc.gen` does not advance the stream of random numbers, so later draws would use the same numbers.
const elsewhere = fc.noShrink(fc.uint8Array({ minLength: 97, maxLength: 97 }))

/** Values made of independent draws, also when several are in one list or record. */
export function drawn<T>(make: (draw: Draw) => T): fc.Arbitrary<T> {
  return fc.tuple(elsewhere, fc.gen()).map(([, draw]) => make(draw))
}

const evenly = (max: number): fc.Arbitrary<number> => fc.noBias(fc.nat({ max }))
export const upTo = (draw: Draw, max: number): number => draw(evenly, max)
export const between = (draw: Draw, min: number, max: number): number => min + upTo(draw, max - min)

/** True in about `percent` of the draws; shrinks to false. */
export const chance = (draw: Draw, percent: number): boolean => upTo(draw, 99) >= 100 - percent

export function pick<T>(draw: Draw, values: readonly [T, ...T[]]): T
export function pick<T>(draw: Draw, values: readonly T[]): T | undefined
export function pick<T>(draw: Draw, values: readonly T[]): T | undefined {
  return values.length === 0 ? undefined : values[upTo(draw, values.length - 1)]
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

export const some = <T>(draw: Draw, values: readonly T[], percent = 50): T[] =>
  values.filter(() => chance(draw, percent))

export function shuffled<T>(draw: Draw, values: readonly T[]): T[] {
  const rest = [...values]
  return times(rest.length, () => rest.splice(upTo(draw, rest.length - 1), 1)).flat()
}

/** Ids of one kind: unique, in no particular order, now and then the largest a JSON number can carry. */
function idsOf(draw: Draw): () => number {
  const left = times(60, index => index + 1)
  let isLargestFree = true
  return () => {
    if (isLargestFree && chance(draw, 1)) {
      isLargestFree = false
      return Number.MAX_SAFE_INTEGER
    }
    return left.splice(upTo(draw, Math.min(9, left.length - 1)), 1)[0] ?? 0
  }
}

/** A price in major units with at most 3 decimals. */
function price(draw: Draw): number {
  const kind = upTo(draw, 9)
  if (kind < 5) return pick(draw, TRAPS) / 1000
  if (kind < 8) return between(draw, 0, 4000) / 100
  return between(draw, 0, 60_000) / 1000
}

/** A price for branches of this currency: whole minor units mostly, sometimes finer, and yen by the hundred. */
function priceIn(draw: Draw, currency: string): number {
  if (exponentOf(currency) === 0 && chance(draw, 70)) return pick(draw, TRAPS)
  return price(draw)
}

/** An amount of exactly the currency's precision. */
const wholeAmount = (draw: Draw, currency: string, max: number): number =>
  between(draw, 0, max) / 10 ** exponentOf(currency)

const rate = (draw: Draw): number => (chance(draw, 25) ? between(draw, 0, 1_000_000) / 10_000 : pick(draw, RATES))

/** A rate, often the same as one of these. */
const rateLike = (draw: Draw, rates: readonly (number | null | undefined)[]): number =>
  (chance(draw, 35) ? pick(draw, rates) : null) ?? rate(draw)

/** What the dishes of a restaurant can refer to. */
interface Declared {
  /** In addition to that of the titles themselves. */
  languages: string[]
  allergens: { id: number }[]
  labels: { id: number }[]
  taxClasses: { id: number }[]
}

/** A text in some of these languages. */
function inLanguages(draw: Draw, languages: readonly string[]): { [language: string]: { title: string } } {
  return Object.fromEntries(some(draw, languages, 40).map(language => [language, { title: pick(draw, TITLES) }]))
}

/** Some options have their own prices for some sizes. */
function addPricesBySize(draw: Draw, groups: readonly GroupRecord[], variations: readonly { id: number }[]): void {
  for (const modifier of groups.flatMap(({ modifiers }) => modifiers ?? [])) {
    const sizes = chance(draw, 40) ? some(draw, variations, 40) : []
    if (sizes.length > 0) modifier.variation_prices = sizes.map(({ id }) => ({ variation: id, price: price(draw) }))
  }
}

/** Periods of some days that never overlap: two windows, one past midnight, or all day. */
function openingPeriods(draw: Draw): NonNullable<LocationRecord['opening_periods']> {
  const noon = { open: '12:00', close: '15:00' }
  const days = some(draw, WEEK, 60).map(day => [
    day,
    pick(draw, [
      [noon],
      [noon, { open: '19:00', close: '02:00' }],
      [{ open: '15:00', close: '23:00' }, noon],
      [],
      null,
    ]),
  ])
  return Object.fromEntries(days)
}

function modifierGroup(draw: Draw, id: number, modifierId: () => number, about: Declared): GroupRecord {
  const group: GroupRecord = { id, title: `Group ${id}`, selection_type: chance(draw, 55) ? 'multiple' : 'single' }
  const modifiers = times(between(draw, chance(draw, 4) ? 0 : 1, 4), () => {
    const modifier: ModifierRecord = { id: modifierId(), title: pick(draw, TITLES), price: price(draw) }
    if (chance(draw, 40)) modifier.max_quantity = between(draw, 1, 3)
    else if (chance(draw, 30)) modifier.max_quantity = null
    if (chance(draw, 12)) modifier.published = false
    if (chance(draw, 15)) modifier.is_default = true
    const declared = some(draw, about.allergens, 15)
    if (declared.length > 0) modifier.allergens = declared.map(({ id }) => ({ id, presence: 'may_contain' }))
    if (chance(draw, 20)) modifier.translations = inLanguages(draw, about.languages)
    return modifier
  })
  if (modifiers.length > 0 || chance(draw, 50)) group.modifiers = modifiers

  const reach = reachOf(group)
  if (group.selection_type === 'single') {
    if (reach > 0 && chance(draw, 40)) group.min_select = 1
    if (chance(draw, 60)) group.max_select = pick(draw, [1, 0])
  } else {
    if (chance(draw, 50)) group.min_select = between(draw, 0, Math.min(3, reach))
    if (chance(draw, 60)) group.max_select = chance(draw, 25) ? 0 : between(draw, Math.max(1, group.min_select ?? 0), 4)
  }
  if (reach > 0 && chance(draw, 25)) group.is_required = true
  if (chance(draw, 20)) group.translations = inLanguages(draw, about.languages)
  if (chance(draw, 45)) group.free_quantity = between(draw, 0, ownLimits(group).max || 3)
  return group
}

/** The largest number of units of all modifiers of a group, published or not, as an import checks it. */
const reachOf = (group: GroupRecord): number =>
  (group.modifiers ?? []).reduce((sum, modifier) => sum + (modifier.max_quantity ?? Number.POSITIVE_INFINITY), 0)

const ownLimits = (group: GroupRecord): { min: number; max: number } => ({
  min: Math.max(group.min_select ?? 0, group.is_required ? 1 : 0),
  max: group.selection_type === 'single' ? 1 : (group.max_select ?? 0),
})

function groupUse(
  draw: Draw,
  group: GroupRecord,
): { id: number; min_select?: number | null; max_select?: number | null } {
  const use: { id: number; min_select?: number | null; max_select?: number | null } = { id: group.id }
  const own = ownLimits(group)
  if (group.selection_type === 'multiple' && chance(draw, 25)) {
    use.max_select = pick(draw, [own.min || 1, own.min + 1, 0, null])
  }
  const max = use.max_select ?? own.max
  const mins = [0, 1, 2].filter(min => min <= reachOf(group) && (max === 0 || min <= max))
  if (chance(draw, 25)) use.min_select = pick(draw, [null, ...mins])
  return use
}

function item(
  draw: Draw,
  id: number,
  variationId: () => number,
  groups: readonly GroupRecord[],
  { languages, allergens, labels, taxClasses }: Declared,
): ItemRecord {
  const record: ItemRecord = {
    id,
    title: chance(draw, 30) ? pick(draw, TITLES) : `Dish ${id}`,
    price: chance(draw, 6) ? DEAREST / pick(draw, [100, 1000, 1]) : price(draw),
  }
  if (chance(draw, 40)) record.description = pick(draw, [null, 'With salt', 'Ação\n2 lines'])
  if (chance(draw, 7)) record.published = false
  if (chance(draw, 14)) record.available = chance(draw, 50)
  if (chance(draw, 30)) record.image = pick(draw, [null, `images/${id}.jpg`])
  if (chance(draw, 30)) record.prep_time_minutes = pick(draw, [null, 0, 15])
  if (chance(draw, 30)) record.calories = pick(draw, [null, 0, 1300])
  if (chance(draw, 30)) record.spice_level = pick(draw, [null, 0, 1, 5])
  if (chance(draw, 20)) record.is_alcohol = chance(draw, 70)
  if (chance(draw, 30)) record.number = pick(draw, [null, `F${id}`])
  if (chance(draw, 40)) record.tax_class = pick(draw, [null, ...taxClasses.map(taxClass => taxClass.id)])
  if (chance(draw, 20)) record.minimum_age = pick(draw, [null, 0, 18])
  if (chance(draw, 30)) record.labels = shuffled(draw, some(draw, labels)).map(label => label.id)
  if (chance(draw, 30)) {
    record.translations = inLanguages(draw, languages)
    for (const text of Object.values(record.translations)) if (chance(draw, 30)) text.description = 'Salt\nand pepper'
  }
  if (chance(draw, 40)) {
    record.variations = times(between(draw, 1, 3), index => ({
      id: variationId(),
      title: pick(draw, ['Small', 'Large', 'Meia-dose', 'XL (45 cm)']),
      price: price(draw),
      ...(index === 0 && chance(draw, 50) && { is_default: true }),
      ...(chance(draw, 15) && { published: false }),
      ...(chance(draw, 15) && { translations: inLanguages(draw, languages) }),
    }))
  }
  const used = shuffled(draw, some(draw, groups, 40))
  if (used.length > 0) record.modifier_groups = used.map(group => groupUse(draw, group))
  const declared = shuffled(draw, some(draw, allergens, 40))
  if (declared.length > 0) {
    record.allergens = declared.map(allergen => ({
      id: allergen.id,
      presence: pick(draw, ['contains', 'may_contain'] as const),
    }))
  }
  return record
}

function promotion(draw: Draw, id: number, currency: string): PromotionRecord {
  const record: PromotionRecord = { id, title: `Promotion ${id}` }
  if (chance(draw, 55)) {
    record.percent = pick(draw, [10, 15, 12.5, 50, 100, 0.0001, 33.3333])
    if (chance(draw, 30)) record.amount = null
  } else {
    record.amount = chance(draw, 25) ? priceIn(draw, currency) || 0.5 : wholeAmount(draw, currency, 3000) || 1
    if (chance(draw, 30)) record.percent = null
  }
  if (chance(draw, 10)) record.active = chance(draw, 30)
  if (chance(draw, 25)) record.channel = pick(draw, [null, ...CHANNELS])
  if (chance(draw, 25)) record.service_mode = pick(draw, [null, ...MODES])
  if (chance(draw, 40)) record.weekdays = some(draw, WEEK, 60)
  if (chance(draw, 50)) {
    const from = pick(draw, ['00:00', ...TIMES])
    const until = pick(draw, [...TIMES, '00:00'])
    const given = pick(draw, ['both', 'both', 'both', 'from', 'until'])
    if (given !== 'until' || until === '00:00') record.from = from
    if (given !== 'from' && until !== from && until !== '00:00') record.until = until
    if (given === 'both' && until === '00:00' && from !== until) record.until = until
  }
  if (chance(draw, 30)) {
    const first = pick(draw, DATES)
    record.valid_from = first
    if (chance(draw, 60))
      record.valid_until =
        pick(
          draw,
          DATES.filter(date => date >= first),
        ) ?? first
  } else if (chance(draw, 15)) {
    record.valid_until = pick(draw, DATES)
  }
  if (chance(draw, 30)) record.min_subtotal = pick(draw, [null, 0, wholeAmount(draw, currency, 3000)])
  return record
}

function location(
  draw: Draw,
  id: number,
  isFirst: boolean,
  items: readonly ItemRecord[],
  taxClasses: readonly { id: number }[],
  promotionId: () => number,
): LocationRecord {
  const currency = pick(draw, CURRENCIES)
  const record: LocationRecord = {
    id,
    code: `B${id}`,
    title: `Branch ${id}`,
    currency,
    timezone: pick(draw, ZONES),
  }
  if (!isFirst && chance(draw, 15)) record.published = false
  if (chance(draw, 80)) record.service_modes = some(draw, MODES, 70)
  if (chance(draw, 30)) {
    record.opening_periods = openingPeriods(draw)
  } else if (chance(draw, 70)) {
    record.opening_hours = Object.fromEntries(
      some(draw, WEEK, 70).map(day => [
        day,
        chance(draw, 15) ? null : { open: '12:00', close: pick(draw, ['23:00', '02:00']) },
      ]),
    )
  }
  if (chance(draw, 80)) record.tax_rate = chance(draw, 12) ? null : rate(draw)
  if (chance(draw, 35)) record.takeaway_tax_rate = chance(draw, 20) ? null : rate(draw)
  const taxed = some(draw, taxClasses, 70)
  if (taxed.length > 0) {
    const used = [record.tax_rate, record.takeaway_tax_rate]
    record.tax_rates = taxed.map(({ id: tax_class }) => {
      const rates = { rate: rateLike(draw, used), takeaway_rate: chance(draw, 20) ? null : rateLike(draw, used) }
      used.push(rates.rate, rates.takeaway_rate)
      return chance(draw, 40) ? { tax_class, ...rates } : { tax_class, rate: rates.rate }
    })
  }
  if (chance(draw, 20))
    record.closed_dates = [{ from: pick(draw, DATES), until: '2026-12-31', title: pick(draw, TITLES) }]
  if (chance(draw, 20)) record.address = pick(draw, [null, 'Main St 1\nPorto'])
  if (chance(draw, 20)) record.phone = pick(draw, [null, '+351 222 000 111'])
  if (chance(draw, 20)) {
    record.minimum_delivery = wholeAmount(draw, currency, 3000)
    record.delivery_zones = [{ id, title: 'Centre', postcodes: ['4050', `${id}`], fee: price(draw) }]
  }
  if (chance(draw, 20)) record.tables = [{ id, title: 'Window 1' }]
  if (chance(draw, 50)) record.prices_include_tax = chance(draw, 70)
  if (chance(draw, 60)) record.service_charge_rate = rate(draw)
  if (chance(draw, 40)) record.service_charge_modes = some(draw, MODES, 60)
  if (chance(draw, 50)) record.service_charge_taxable = chance(draw, 40)
  if (chance(draw, 60)) {
    record.delivery_fee = chance(draw, 15) ? priceIn(draw, currency) : wholeAmount(draw, currency, 900)
    if (chance(draw, 50)) record.free_delivery_from = pick(draw, [null, 0, wholeAmount(draw, currency, 6000)])
    if (chance(draw, 50)) record.delivery_fee_taxable = chance(draw, 60)
  }
  if (chance(draw, 20)) record.day_starts_at = pick(draw, ['04:00', '00:00', '05:30'])

  const exceptions = some(draw, items, 45)
  if (exceptions.length > 0) {
    record.items = exceptions.map(({ id }) => ({
      id,
      ...(chance(draw, 15) && { enabled: chance(draw, 40) }),
      ...(chance(draw, 15) && { available: chance(draw, 40) }),
      ...(chance(draw, 65) && { price: branchPrice(draw, currency) }),
    }))
  }
  const variations = some(
    draw,
    items.flatMap(({ variations }) => variations ?? []),
    40,
  )
  if (variations.length > 0) {
    record.variations = variations.map(({ id }) => ({
      id,
      ...(chance(draw, 85) && { price: branchPrice(draw, currency) }),
    }))
  }
  if (chance(draw, 70)) record.promotions = times(between(draw, 1, 4), () => promotion(draw, promotionId(), currency))
  return record
}

function branchPrice(draw: Draw, currency: string): number | null {
  const kind = upTo(draw, 99)
  if (kind < 10) return null
  if (kind < 20) return 0
  if (kind < 25) return DEAREST / 10 ** exponentOf(currency)
  return priceIn(draw, currency)
}

function buildRestaurant(draw: Draw): RestaurantFile {
  const allergenId = idsOf(draw)
  const groupId = idsOf(draw)
  const modifierId = idsOf(draw)
  const categoryId = idsOf(draw)
  const itemId = idsOf(draw)
  const variationId = idsOf(draw)
  const locationId = idsOf(draw)
  const promotionId = idsOf(draw)

  const languages = pick(draw, [[], ['pt'], ['pt', 'en'], ['pt', 'en', 'pt-BR']])
  const declared = {
    languages: languages.slice(1),
    allergens: times(upTo(draw, 3), () => ({ id: allergenId(), title: pick(draw, ['Gluten', 'Noix', 'Ovo']) })),
    labels: times(upTo(draw, 2), index => ({ id: index + 1, code: `label-${index}`, title: pick(draw, TITLES) })),
    taxClasses: times(upTo(draw, 3), index => ({ id: index + 1, title: `Class ${index + 1}` })),
  }
  const groups = times(upTo(draw, 4), () => modifierGroup(draw, groupId(), modifierId, declared))
  const categories = times(between(draw, 1, 4), index => ({
    id: categoryId(),
    title: `Category ${index + 1}`,
    ...(index > 0 && chance(draw, 10) && { published: false }),
    ...(chance(draw, 20) && { description: 'From the oven' }),
    ...(chance(draw, 30) && { tax_class: pick(draw, declared.taxClasses)?.id ?? null }),
    ...(chance(draw, 20) && { translations: inLanguages(draw, declared.languages) }),
    items: times(between(draw, index === 0 ? 1 : 0, 4), () => item(draw, itemId(), variationId, groups, declared)),
  }))
  const items = categories.flatMap(category => category.items)
  addPricesBySize(
    draw,
    groups,
    items.flatMap(({ variations }) => variations ?? []),
  )
  return {
    site: { title: 'Random', timezone: pick(draw, ZONES), ...(languages.length > 0 && { languages }) },
    tax_classes: declared.taxClasses,
    labels: declared.labels,
    allergens: declared.allergens,
    modifier_groups: groups,
    categories,
    locations: times(between(draw, 2, 3), index =>
      location(draw, locationId(), index === 0, items, declared.taxClasses, promotionId),
    ),
  }
}

/** Small valid restaurant files: two or three branches, their menus and prices, taxes, fees and promotions, full of edges. */
export function restaurant(): fc.Arbitrary<RestaurantFile> {
  return fc.gen().map(buildRestaurant)
}

/**
 * An instant in UTC milliseconds, mostly at or one second beside a moment when a promotion opens or closes on its branch's
 * clock, or at the midnights of its dates. The branch is the one of this id, else any of the restaurant's.
 */
export function instant(restaurant: RestaurantFile, locationId?: number): fc.Arbitrary<number> {
  return drawn(draw => {
    const branches = restaurant.locations ?? []
    const branch = branches.find(({ id }) => id === locationId) ?? pick(draw, branches)
    const { from, until, valid_from, valid_until } = pick(draw, branch?.promotions ?? []) ?? {}
    const isAtEdge = chance(draw, 75)
    const edges = [from ?? until ?? '00:00', until ?? from ?? '00:00'] as const
    const dates = [valid_from ?? valid_until, valid_until ?? valid_from]
    const time = isAtEdge ? pick(draw, edges) : pick(draw, TIMES)
    const date = (isAtEdge ? pick(draw, dates) : undefined) ?? pick(draw, DATES)
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    const day = Date.parse(`${date}T00:00:00Z`) + pick(draw, [0, 1, 0, -1]) * 86_400_000
    const local = day + (hours * 60 + minutes) * 60_000 + pick(draw, [0, -1000, 1000, -1, 59_999])
    return instantOf(local, branch?.timezone ?? 'UTC')
  })
}

/** The instant at which the wall clock of a zone shows this time (given as if it were UTC); a near one if clocks skip it. */
function instantOf(local: number, timeZone: string): number {
  const second = Math.floor(local / 1000) * 1000
  let guess = second
  for (let round = 0; round < 2; round++) {
    const { date, time } = wallClock(guess, timeZone)
    guess += second - Date.parse(`${date}T${time}Z`)
  }
  return guess + local - second
}

interface OrderBody {
  location_id: number
  items: OrderLine[]
  [member: string]: unknown
}

interface OrderLine {
  item_id: number
  qty: number
  modifiers?: OrderModifier[] | null
  [member: string]: unknown
}

interface OrderModifier {
  modifier_id: number
  qty?: number | null
  [member: string]: unknown
}

const LINE_QUANTITIES = [1, 1, 1, 2, 3, 0.5, 1.5, 0.333, 0.125, 2.675, 0.001, 998.999, 999] as const
const GOOD_NOTES = [
  null,
  '',
  ' ',
  'No salt',
  'Ohne Käse 🧀',
  '\u202eלא חריף',
  'e\u0301\ntab\t"',
  '🍕'.repeat(1000),
] as const
const GOOD_MODES = [
  ...['dine_in', ' Dine-In ', 'DINE IN', 'takeaway', 'Takeaway', 'delivery', 'DELIVERY\n', 'qr', 'QR'],
  ...['curbside', 'dine__in', 'drive-through', '', '🛵'.repeat(50), null],
]
const STRANGE_CHANNELS = ['constructor', 'WEB', ' delivery', '', 5, true, null, {}, ['delivery']] as const
const GOOD_CUSTOMERS = [
  null,
  {},
  { name: 'Ana', phone: '+351 912 345 678', email: 'ana@example.test' },
  { name: null, phone: '', email: '' },
  { name: '名'.repeat(255), email: `${'a'.repeat(243)}@example.tld`, vat: 5 },
] as const

/** A few units of one group's modifiers within its limits, as a client might spread them over entries. */
function groupEntries(draw: Draw, group: ExpectedMenuItem['modifier_groups'][number]): OrderModifier[] {
  const most = group.max_select > 0 ? group.max_select : group.min_select + 3
  const wanted = chance(draw, 60) ? between(draw, group.min_select, most) : group.min_select
  const left = group.modifiers.map(modifier => ({ id: modifier.id, left: modifier.max_quantity ?? wanted }))
  const entries: OrderModifier[] = []
  for (let unit = 0; unit < wanted; unit++) {
    const modifier = pick(
      draw,
      left.filter(candidate => candidate.left > 0),
    )
    if (!modifier) break
    modifier.left -= 1
    const last = entries.at(-1)
    if (last?.modifier_id === modifier.id && chance(draw, 70)) last.qty = (last.qty ?? 1) + 1
    else entries.push({ modifier_id: modifier.id, ...(chance(draw, 30) && { qty: pick(draw, [1, null]) }) })
  }
  return entries
}

function buildLine(draw: Draw, item: ExpectedMenuItem): OrderLine {
  const line: OrderLine = { item_id: item.id, qty: pick(draw, LINE_QUANTITIES) }
  const variation = chance(draw, 80) ? pick(draw, item.variations) : undefined
  if (variation) line.variation_id = variation.id
  else if (chance(draw, 20)) line.variation_id = null

  const isDearest = String(variation?.price ?? item.price).replace('.', '') === String(DEAREST)
  if (isDearest) line.qty = pick(draw, [DEAREST_QTY, DEAREST_QTY + 0.001, 1])

  const entries = item.modifier_groups.flatMap(group => groupEntries(draw, group))
  if (entries.length > 0) line.modifiers = chance(draw, 50) ? shuffled(draw, entries) : entries
  else if (chance(draw, 20)) line.modifiers = pick(draw, [[], null])

  if (chance(draw, 25)) line.notes = pick(draw, GOOD_NOTES)
  if (chance(draw, 10)) line.unit_price = 0.01
  if (chance(draw, 5)) line.line_total = 'free'
  return line
}

/** A list of lines whose `modifiers` are as long as they may be, when a group on the menu has no limits at all. */
function longestLine(draw: Draw, item: ExpectedMenuItem): OrderLine | undefined {
  const group = item.modifier_groups.find(({ max_select }) => max_select === 0)
  const modifier = group?.modifiers.find(({ max_quantity }) => max_quantity === null)
  if (!modifier) return undefined
  const line = buildLine(draw, item)
  const chosen = line.modifiers ?? []
  const more = times(50 - chosen.length, () => ({ modifier_id: modifier.id, qty: pick(draw, [1, 2, 99]) }))
  line.modifiers = [...chosen, ...more]
  return line
}

interface Built {
  body: OrderBody
  menu: ExpectedMenu
}

const dishesOf = (menu: ExpectedMenu): ExpectedMenuItem[] => menu.categories.flatMap(category => category.items)

function buildOrder(draw: Draw, restaurant: RestaurantFile): Built {
  const menus = (restaurant.locations ?? []).map(({ id }) => expectedMenu(restaurant, id)).filter(menu => menu !== null)
  const menu = pick(
    draw,
    menus.filter(({ categories }) => categories.length > 0),
  ) ??
    pick(draw, menus) ?? { location_id: 1, languages: [], categories: [] }
  const dishes = dishesOf(menu)
  const line = (): OrderLine => {
    const dish = pick(draw, dishes)
    return dish && !chance(draw, 1) ? buildLine(draw, dish) : { item_id: anyItemId(draw, restaurant), qty: 1 }
  }
  const body: OrderBody = { location_id: menu.location_id, items: times(between(draw, 1, 4), line) }
  if (chance(draw, 2)) body.items = times(100, index => body.items[index % body.items.length] ?? line())
  else if (chance(draw, 10)) {
    const long = dishes.map(dish => longestLine(draw, dish)).find(candidate => candidate !== undefined)
    if (long) body.items.push(long)
  }

  if (chance(draw, 55)) body.channel = chance(draw, 80) ? pick(draw, CHANNELS) : pick(draw, STRANGE_CHANNELS)
  if (chance(draw, 55)) body.service_mode = pick(draw, GOOD_MODES)
  if (chance(draw, 30)) body.notes = pick(draw, GOOD_NOTES)
  if (chance(draw, 30)) body.customer = pick(draw, GOOD_CUSTOMERS)
  if (chance(draw, 10)) Object.assign(body, { status: 'completed', grand_total: 0, id: 7, order_number: 'ORD-000001' })
  if (chance(draw, 5)) Object.defineProperty(body, '__proto__', { value: { items: [] }, enumerable: true })
  return { body, menu }
}

const anyItemId = (draw: Draw, restaurant: RestaurantFile): number =>
  pick(
    draw,
    (restaurant.categories ?? []).flatMap(category => category.items ?? []),
  )?.id ?? 1

/**
 * Bodies for this restaurant's branches that are good orders, nearly all: of everything on their menus, with the
 * quantities, repeated and reordered options, modes, channels and texts that A8 to A10 and C4 still allow. The few that are not go
 * past the largest amount or name an item that the branch may not offer.
 */
export function order(restaurant: RestaurantFile): fc.Arbitrary<unknown> {
  return drawn(draw => buildOrder(draw, restaurant).body)
}

type Json = { [member: string]: unknown }

interface Breaking extends Built {
  draw: Draw
  restaurant: RestaurantFile
}

/** Breaks the order in one way and says whether it could. */
type Break = (order: Breaking) => boolean

const BAD_INTEGERS = [null, '1', true, 1.5, 9_007_199_254_740_992, 1e300, [], [1], {}, undefined]
const BAD_QUANTITIES = [0, -1, 0.0001, 1.0005, 999.001, 1000, 1e308, 1e-7, '1', true, [], {}, null, undefined]
const BAD_OPTION_QUANTITIES = [0, -1, 1.5, 100, 1e21, '1', true, [], {}]
const BAD_CHARACTERS = ['a\u0000b', 'a\ud83d', '\udf55b', '\udf55\ud83d', 'ok \ud83d\ud83c\udf55'] as const

const badText = (draw: Draw, longest: number): unknown =>
  pick(draw, [5, true, 0, false, [], {}, ['x'], 'x'.repeat(longest + 1), '🍕'.repeat(longest + 1), ...BAD_CHARACTERS])

/** Leaves the member out when the value is undefined, as JSON does. */
function put(target: Json, key: string, value: unknown): boolean {
  target[key] = value
  return true
}

function isLine(line: unknown): line is OrderLine {
  return typeof line === 'object' && line !== null && !Array.isArray(line)
}

const linesOf = (body: OrderBody): OrderLine[] => (Array.isArray(body.items) ? body.items.filter(isLine) : [])

function inLine(change: (line: OrderLine, order: Breaking) => boolean): Break {
  return order => {
    const line = pick(order.draw, linesOf(order.body))
    return line !== undefined && change(line, order)
  }
}

/** Puts a line somewhere among the others. */
function insert({ draw, body }: Breaking, line: unknown): boolean {
  if (!Array.isArray(body.items)) return false
  const lines: unknown[] = body.items
  lines.splice(upTo(draw, lines.length), 0, line)
  return true
}

/** Adds a good line of a dish that has such a group, changed by `change`. */
function withGroup(
  fits: (group: ExpectedMenuItem['modifier_groups'][number]) => boolean,
  change: (entries: OrderModifier[], group: ExpectedMenuItem['modifier_groups'][number], draw: Draw) => OrderModifier[],
): Break {
  return order => {
    const { draw, menu } = order
    const found = dishesOf(menu).flatMap(dish => dish.modifier_groups.filter(fits).map(group => ({ dish, group })))
    const chosen = pick(draw, found)
    if (!chosen) return false
    const line = buildLine(draw, chosen.dish)
    line.modifiers = change(line.modifiers ?? [], chosen.group, draw)
    return insert(order, line)
  }
}

function optionIn(line: OrderLine, { draw }: Breaking): OrderModifier {
  const entries = Array.isArray(line.modifiers) ? line.modifiers : []
  line.modifiers = entries
  const entry = pick(draw, entries.filter(isOption)) ?? { modifier_id: 1 }
  if (!entries.includes(entry)) entries.push(entry)
  return entry
}

const isOption = (entry: unknown): entry is OrderModifier =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry)

function addOption(line: OrderLine, entry: unknown, draw: Draw): boolean {
  const entries: unknown[] = Array.isArray(line.modifiers) ? line.modifiers : []
  entries.splice(upTo(draw, entries.length), 0, entry)
  return put(line, 'modifiers', entries)
}

function customerOf(body: OrderBody): Json {
  const customer: Json = { name: 'Ana' }
  body.customer = customer
  return customer
}

const unknownId = (draw: Draw): number => pick(draw, [61, 1000, 2 ** 31, 9_007_199_254_740_990])

/** Faults of the body's shape and, the second, of its location. */
const BAD_SHAPES: { [name: string]: Break } = {
  'a wrong location_id': ({ draw, body }) => put(body, 'location_id', pick(draw, [...BAD_INTEGERS, 0, -1])),
  'a location that is not there': ({ draw, body, restaurant }) => {
    const hidden = (restaurant.locations ?? []).filter(({ published }) => published === false)
    return put(body, 'location_id', pick(draw, hidden)?.id ?? unknownId(draw))
  },
  'no items': ({ draw, body }) => put(body, 'items', pick(draw, [undefined, null, {}, [], 'x', 5, { length: 1 }])),
  'more than 100 lines': ({ draw, body }) => {
    const lines = linesOf(body)
    return (
      lines.length > 0 &&
      put(
        body,
        'items',
        times(between(draw, 101, 103), index => lines[index % lines.length]),
      )
    )
  },
  'a line that is no object': order => insert(order, pick(order.draw, [null, 5, 'x', true, [], [{}]])),
  'a wrong item_id': inLine((line, { draw }) => put(line, 'item_id', pick(draw, BAD_INTEGERS))),
  'a wrong variation_id': inLine((line, { draw }) =>
    put(
      line,
      'variation_id',
      pick(
        draw,
        BAD_INTEGERS.filter(value => value != null),
      ),
    ),
  ),
  'a wrong qty': inLine((line, { draw }) => put(line, 'qty', pick(draw, BAD_QUANTITIES))),
  'wrong line notes': inLine((line, { draw }) => put(line, 'notes', badText(draw, 1000))),
  'modifiers that are no list': inLine((line, { draw }) =>
    put(line, 'modifiers', pick(draw, [{}, 'x', 5, true, false])),
  ),
  'more than 50 modifier entries': inLine((line, { draw }) => {
    const chosen = Array.isArray(line.modifiers) && line.modifiers.length > 0 ? line.modifiers : [{ modifier_id: 1 }]
    return put(
      line,
      'modifiers',
      times(between(draw, 51, 53), index => chosen[index % chosen.length]),
    )
  }),
  'a modifier that is no object': inLine((line, { draw }) =>
    addOption(line, pick(draw, [null, 5, 'x', true, [], [1]]), draw),
  ),
  'a wrong modifier_id': inLine((line, { draw }) =>
    addOption(line, { modifier_id: pick(draw, BAD_INTEGERS), qty: pick(draw, [1, 0]) }, draw),
  ),
  'a wrong modifier qty': inLine((line, order) =>
    put(optionIn(line, order), 'qty', pick(order.draw, BAD_OPTION_QUANTITIES)),
  ),
  'wrong order notes': ({ draw, body }) => put(body, 'notes', badText(draw, 1000)),
  'a wrong service_mode': ({ draw, body }) => put(body, 'service_mode', badText(draw, 50)),
  'a wrong customer': ({ draw, body }) => put(body, 'customer', pick(draw, ['x', '', 5, 0, true, false, [], [{}]])),
  'wrong customer details': ({ draw, body }) => {
    const customer = customerOf(body)
    for (const key of some(draw, ['phone', 'email'])) customer[key] = badText(draw, 255)
    return put(customer, 'name', badText(draw, 255))
  },
  'a wrong email': ({ draw, body }) =>
    put(
      customerOf(body),
      'email',
      pick(draw, ['ana', '@', 'ana@', '@example.test', 'an a@example.test', 'ana@ex ample']),
    ),
  'more faults than are listed': ({ draw, body }) => {
    const lines = linesOf(body)
    if (lines.length === 0) return false
    const key = pick(draw, ['qty', 'item_id', 'notes'])
    return put(
      body,
      'items',
      times(between(draw, 19, 24), index => ({ ...lines[index % lines.length], [key]: false })),
    )
  },
}

/** Faults that only the catalogue shows: each leaves the body a well-shaped order. */
const BAD_CHOICES: { [name: string]: Break } = {
  'an item that is not offered': order => {
    const { draw, menu, restaurant } = order
    const offered = new Set(dishesOf(menu).map(({ id }) => id))
    const hidden = (restaurant.categories ?? [])
      .flatMap(({ items }) => items ?? [])
      .filter(({ id }) => !offered.has(id))
    const id = chance(draw, 60) ? pick(draw, hidden)?.id : undefined
    return insert(order, {
      item_id: id ?? pick(draw, [unknownId(draw), 0, -1]),
      qty: 1,
      variation_id: pick(draw, [null, 1]),
    })
  },
  'a variation that is not offered': inLine((line, { draw, menu, restaurant }) => {
    const own =
      dishesOf(menu)
        .find(({ id }) => id === line.item_id)
        ?.variations.map(({ id }) => id) ?? []
    const all = (restaurant.categories ?? [])
      .flatMap(({ items }) => items ?? [])
      .flatMap(({ variations }) => variations ?? [])
    const others = all.filter(({ id }) => !own.includes(id))
    const id = chance(draw, 70) ? pick(draw, others)?.id : undefined
    return put(line, 'variation_id', id ?? pick(draw, [unknownId(draw), 0, -1]))
  }),
  'an option that is not offered': inLine((line, { draw, menu, restaurant }) => {
    const dish = dishesOf(menu).find(({ id }) => id === line.item_id)
    const own = dish?.modifier_groups.flatMap(({ modifiers }) => modifiers.map(({ id }) => id)) ?? []
    const all = (restaurant.modifier_groups ?? []).flatMap(({ modifiers }) => modifiers ?? [])
    const others = all.filter(({ id }) => !own.includes(id))
    const id = chance(draw, 70) ? pick(draw, others)?.id : undefined
    return addOption(line, { modifier_id: id ?? unknownId(draw) }, draw)
  }),
  'an option beyond its own limit': withGroup(
    group => group.modifiers.some(({ max_quantity }) => max_quantity !== null),
    (entries, group, draw) => {
      const limited = group.modifiers.filter(({ max_quantity }) => max_quantity !== null)
      const { id = 1, max_quantity } = pick(draw, limited) ?? {}
      const qty = max_quantity ?? 1
      const more = pick(draw, [[qty + 1], [qty, 1], [1, qty, 1], [...times(qty, () => 1), 1, 1]])
      return shuffled(draw, [...entries, ...more.map(units => ({ modifier_id: id, qty: units }))])
    },
  ),
  'a required option left out': withGroup(
    group => group.min_select > 0,
    (entries, group, draw) => {
      const own = new Set(group.modifiers.map(({ id }) => id))
      const rest = entries.filter(({ modifier_id }) => !own.has(modifier_id))
      const first = group.modifiers[0]
      return group.min_select > 1 && first && chance(draw, 50) ? [...rest, { modifier_id: first.id }] : rest
    },
  ),
  'too many options': withGroup(
    group => group.max_select > 0,
    (entries, group, draw) => {
      const more = times(group.max_select + 1, () => ({ modifier_id: pick(draw, group.modifiers)?.id ?? 1 }))
      return shuffled(draw, [...entries, ...more])
    },
  ),
  'a total beyond the largest amount': ({ draw, body, menu, restaurant }) => {
    const currency = restaurant.locations?.find(({ id }) => id === menu.location_id)?.currency ?? ''
    const dearest = dishesOf(menu).toSorted((a, b) => b.price - a.price)[0]
    if (!dearest || dearest.price * 999 * 100 * 10 ** exponentOf(currency) < 1.1e10) return false
    const { variation_id: _, ...line } = buildLine(draw, dearest)
    return put(
      body,
      'items',
      times(100, () => ({ ...line, qty: 999 })),
    )
  },
}

/**
 * Bodies that are no good orders for this restaurant, nearly all: a good one broken in one to three ways, so that every row
 * of A2's table that JSON can carry comes up, by itself, among others of its stage and among those of other stages. They are what the server will parse: `undefined`
 * has become a missing member.
 */
export function brokenOrder(restaurant: RestaurantFile): fc.Arbitrary<unknown> {
  return fc.gen().map(draw => {
    if (chance(draw, 4)) return pick(draw, [null, [], [{}], 5, 'order', true])
    const built = { ...buildOrder(draw, restaurant), draw, restaurant }
    let left = pick(draw, [1, 1, 1, 2, 2, 3])
    const shapes = shuffled(draw, Object.values(BAD_SHAPES))
    const choices = shuffled(draw, Object.values(BAD_CHOICES))
    const first = pick(draw, [shapes, choices, choices, shuffled(draw, [...shapes, ...choices])])
    for (const breakIt of [...first, ...shapes]) {
      if (left > 0 && breakIt(built)) left -= 1
    }
    return JSON.parse(JSON.stringify(built.body))
  })
}
