/**
 * The responses that the server must give, calculated independently: only from sections 2, 4 and 8 of the contract and
 * decisions A, C and D, from the restaurant file as written, in exact rationals. It shares no code with the server; if the two
 * differ, one of them is wrong.
 */

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'
export type ServiceMode = 'dine_in' | 'takeaway' | 'delivery' | 'qr'
export type Channel = 'web' | 'phone' | 'takeaway' | 'delivery'

export interface RestaurantFile {
  site: { title?: string; timezone: string; languages?: string[] }
  tax_classes?: { id: number; title: string }[]
  labels?: { id: number; code: string; title: string; translations?: Titles }[]
  allergens?: { id: number; title: string; translations?: Titles }[]
  modifier_groups?: GroupRecord[]
  categories?: CategoryRecord[]
  locations?: LocationRecord[]
}

/** Titles, and descriptions of dishes and categories, by language. */
type Titles = { [language: string]: { title?: string | null; description?: string | null } }

export interface CategoryRecord {
  id: number
  title: string
  description?: string | null
  tax_class?: number | null
  published?: boolean
  translations?: Titles
  items?: ItemRecord[]
}

export interface GroupRecord {
  id: number
  title: string
  selection_type: 'single' | 'multiple'
  is_required?: boolean
  min_select?: number
  max_select?: number
  free_quantity?: number
  translations?: Titles
  modifiers?: ModifierRecord[]
}

export interface ModifierRecord {
  id: number
  title: string
  price: number
  variation_prices?: { variation: number; price: number }[]
  is_default?: boolean
  max_quantity?: number | null
  published?: boolean
  allergens?: AllergenUse[]
  translations?: Titles
}

export interface AllergenUse {
  id: number
  presence: 'contains' | 'may_contain'
}

export interface VariationRecord {
  id: number
  title: string
  price: number
  is_default?: boolean
  published?: boolean
  translations?: Titles
}

export interface ItemRecord {
  id: number
  number?: string | null
  title: string
  description?: string | null
  tax_class?: number | null
  minimum_age?: number | null
  labels?: number[]
  translations?: Titles
  price: number
  published?: boolean
  available?: boolean
  image?: string | null
  prep_time_minutes?: number | null
  calories?: number | null
  spice_level?: number | null
  is_alcohol?: boolean
  variations?: VariationRecord[]
  modifier_groups?: { id: number; min_select?: number | null; max_select?: number | null }[]
  allergens?: AllergenUse[]
}

export interface LocationRecord {
  id: number
  code: string
  title: string
  published?: boolean
  currency: string
  timezone: string
  service_modes?: ServiceMode[]
  opening_hours?: { [day in Weekday]?: Period | null }
  opening_periods?: { [day in Weekday]?: Period[] | null } | null
  closed_dates?: { from: string; until: string; title: string }[]
  address?: string | null
  phone?: string | null
  tax_rate?: number | null
  takeaway_tax_rate?: number | null
  tax_rates?: { tax_class: number; rate: number; takeaway_rate?: number | null }[]
  prices_include_tax?: boolean
  service_charge_rate?: number
  service_charge_modes?: ServiceMode[]
  service_charge_taxable?: boolean
  delivery_fee?: number
  free_delivery_from?: number | null
  delivery_fee_taxable?: boolean
  day_starts_at?: string
  minimum_delivery?: number | null
  delivery_zones?: { id: number; title: string; postcodes?: string[]; fee?: number; minimum?: number | null }[]
  tables?: { id: number; title: string }[]
  items?: { id: number; enabled?: boolean; available?: boolean; price?: number | null }[]
  variations?: { id: number; price?: number | null }[]
  promotions?: PromotionRecord[]
}

interface Period {
  open: string
  close: string
}

export interface PromotionRecord {
  id: number
  title: string
  active?: boolean
  channel?: Channel | null
  service_mode?: ServiceMode | null
  weekdays?: Weekday[]
  from?: string | null
  until?: string | null
  valid_from?: string | null
  valid_until?: string | null
  min_subtotal?: number | null
  percent?: number | null
  amount?: number | null
}

export interface Fault {
  title: string
  pointer: string | null
  /** The group of options that too few or too many were chosen from. */
  group?: number
}

export interface ExpectedLine {
  item_id: number
  variation_id: number | null
  name_snapshot: string
  qty: number
  unit_price: number
  modifiers_total: number
  line_total: number
  notes: string | null
  modifiers: { modifier_id: number; title: string; qty: number; free: number; price: number }[]
}

/** The Order of section 2 without what only the database knows: its id, its number and the ids of its lines. */
export interface ExpectedOrder {
  location_id: number
  channel: Channel
  status: 'placed'
  fulfillment_status: null
  subtotal: number
  discount_total: number
  tax_total: number
  service_charge: number
  delivery_fee: number
  grand_total: number
  currency: string
  notes: string | null
  placed_at: string
  tax_lines: { rate: number; base: number; tax: number }[]
  items: ExpectedLine[]
}

export type Expected = { status: 201; order: ExpectedOrder } | { status: 404 } | { status: 400; faults: Fault[] }

const TITLE = {
  unavailable: 'One of the items is no longer available.',
  notAnOrder: 'The request body is not an order.',
  location: 'A valid location_id is required.',
  noItems: 'The order has no items.',
  tooLarge: 'The order is too large.',
  line: 'An order line is not valid.',
  quantity: 'The quantity of an item is not valid.',
  option: 'A selected option is not available.',
  optionQuantity: 'The quantity of an option is not valid.',
  missingOption: 'A required option is missing.',
  tooManyOptions: 'Too many options are selected.',
  details: 'The order details are not valid.',
} as const

const MAX_FAULTS = 20
const LARGEST_AMOUNT = 9_999_999_999n

/** An exact number: `n / d` with `d` positive. Nothing here is negative once the body's shape has been checked. */
interface Rational {
  readonly n: bigint
  readonly d: bigint
}

const ONE: Rational = { n: 1n, d: 1n }

/** The decimal that JavaScript prints for a number, which is its shortest one. Throws on NaN and infinities. */
export function rational(value: number): Rational {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (!match) throw new RangeError(`${value} is not a finite number`)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(sign + whole + fraction)
  const power = Number(exponent) - fraction.length
  return power >= 0 ? { n: digits * 10n ** BigInt(power), d: 1n } : { n: digits, d: 10n ** BigInt(-power) }
}

const plus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d })
const times = (a: Rational, b: Rational): Rational => ({ n: a.n * b.n, d: a.d * b.d })
const over = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d, d: a.d * b.n })
const integer = (n: bigint): Rational => ({ n, d: 1n })
const percent = (value: number): Rational => over(rational(value), integer(100n))

/** Half up (C3); what it rounds is never below zero. */
const roundHalfUp = (a: Rational): bigint => (2n * a.n + a.d) / (2n * a.d)

const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

/** Decimals of a currency's minor unit (C1). */
export function exponentOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0
  return THREE_DECIMALS.includes(currency) ? 3 : 2
}

/** A price of the file in minor units of the currency, rounded by itself (C2). */
const minorUnits = (price: number, exponent: number): bigint =>
  roundHalfUp(times(rational(price), integer(10n ** BigInt(exponent))))

/** Minor units as the JSON number of C6. */
const majorNumber = (minor: bigint, exponent: number): number => Number(`${minor}e-${exponent}`)

const DAYS: readonly Weekday[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const clocks = new Map<string, Intl.DateTimeFormat>()

/** Date and time in a time zone at an instant: `2026-03-29` and `01:59:59`. */
export function wallClock(instant: number, timeZone: string): { date: string; time: string } {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    clocks.set(timeZone, clock)
  }
  const part: { [type: string]: string } = {}
  for (const { type, value } of clock.formatToParts(instant)) part[type] = value
  return { date: `${part.year}-${part.month}-${part.day}`, time: `${part.hour}:${part.minute}:${part.second}` }
}

const dayBefore = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

const weekdayOf = (date: string): Weekday | undefined => DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]

interface OfferedModifier {
  id: number
  title: string
  price: bigint
  priceBySize: Map<number, bigint>
  isDefault: boolean
  maxQuantity: number | null
  record: ModifierRecord
}

interface OfferedGroup {
  id: number
  title: string
  single: boolean
  min: number
  max: number
  free: number
  modifiers: OfferedModifier[]
  record: GroupRecord
}

interface OfferedItem {
  record: ItemRecord
  rates: { inHouse: number | null; takeaway: number | null }
  price: bigint
  variations: { id: number; title: string; price: bigint; isDefault: boolean; record: VariationRecord }[]
  groups: OfferedGroup[]
}

/** What a location offers, in display order: the one rule of D1 behind the menu and the order. */
function offer(
  restaurant: RestaurantFile,
  location: LocationRecord,
): { record: CategoryRecord; items: OfferedItem[] }[] {
  const exponent = exponentOf(location.currency)
  const branchItem = new Map((location.items ?? []).map(entry => [entry.id, entry]))
  const branchVariation = new Map((location.variations ?? []).map(entry => [entry.id, entry]))
  const groupById = new Map((restaurant.modifier_groups ?? []).map(group => [group.id, group]))

  const categories = []
  for (const category of restaurant.categories ?? []) {
    if (category.published === false) continue
    const items: OfferedItem[] = []
    for (const record of category.items ?? []) {
      const branch = branchItem.get(record.id)
      if (record.published === false || record.available === false) continue
      if (branch?.enabled === false || branch?.available === false) continue
      const groups = offeredGroups(record, groupById, exponent)
      if (!groups) continue
      const variations = (record.variations ?? [])
        .filter(variation => variation.published !== false)
        .map(variation => ({
          id: variation.id,
          title: variation.title,
          price: minorUnits(branchVariation.get(variation.id)?.price ?? variation.price, exponent),
          isDefault: variation.is_default ?? false,
          record: variation,
        }))
      const price = minorUnits(branch?.price ?? record.price, exponent)
      items.push({ record, rates: ratesOf(location, category, record), price, variations, groups })
    }
    if (items.length > 0) categories.push({ record: category, items })
  }
  return categories
}

/** The rates of C8 as percentages: those of the item's class, else of its category's, else the location's own. */
function ratesOf(location: LocationRecord, category: CategoryRecord, item: ItemRecord): OfferedItem['rates'] {
  const taxClass = item.tax_class ?? category.tax_class ?? null
  const ofClass = (location.tax_rates ?? []).find(rate => rate.tax_class === taxClass)
  if (ofClass) return { inHouse: ofClass.rate, takeaway: ofClass.takeaway_rate ?? ofClass.rate }
  const inHouse = location.tax_rate ?? null
  return { inHouse, takeaway: location.takeaway_tax_rate ?? inHouse }
}

/** The item's groups with the effective limits of D4, or null when a required one cannot be satisfied. */
function offeredGroups(item: ItemRecord, groupById: Map<number, GroupRecord>, exponent: number): OfferedGroup[] | null {
  const offered: OfferedGroup[] = []
  for (const use of item.modifier_groups ?? []) {
    const group = groupById.get(use.id)
    if (!group) continue
    const modifiers = (group.modifiers ?? [])
      .filter(modifier => modifier.published !== false)
      .map(modifier => ({
        id: modifier.id,
        title: modifier.title,
        price: minorUnits(modifier.price, exponent),
        priceBySize: new Map(
          (modifier.variation_prices ?? []).map(size => [size.variation, minorUnits(size.price, exponent)]),
        ),
        isDefault: modifier.is_default ?? false,
        maxQuantity: modifier.max_quantity ?? null,
        record: modifier,
      }))
    const single = group.selection_type === 'single'
    const ownMin = Math.max(group.min_select ?? 0, group.is_required ? 1 : 0)
    const min = use.min_select ?? ownMin
    const max = single ? 1 : (use.max_select ?? group.max_select ?? 0)
    const within = modifiers.reduce((sum, modifier) => sum + (modifier.maxQuantity ?? Number.POSITIVE_INFINITY), 0)
    if (min > within) return null
    if (modifiers.length === 0) continue
    const free = group.free_quantity ?? 0
    offered.push({ id: group.id, title: group.title, single, min, max, free, modifiers, record: group })
  }
  return offered
}

const findLocation = (restaurant: RestaurantFile, id: number): LocationRecord | undefined =>
  (restaurant.locations ?? []).find(location => location.id === id && location.published !== false)

/** The days on which a location is open, each with all of its periods. */
function periodsOf(location: LocationRecord): [string, Period[]][] {
  const days: [string, Period[]][] = location.opening_periods
    ? Object.entries(location.opening_periods).map(([day, periods]) => [day, periods ?? []])
    : Object.entries(location.opening_hours ?? {}).map(([day, hours]) => [day, hours ? [hours] : []])
  return days.filter(([, periods]) => periods.length > 0)
}

/** From the first opening to the last closing; a period that closes at or before its opening ends on the next day. */
function spanOf(periods: readonly Period[]): Period {
  const closing = ({ open, close }: Period) => `${close > open ? 0 : 1} ${close}`
  const last = periods.reduce((a, b) => (closing(b) > closing(a) ? b : a))
  const open = periods.map(period => period.open).sort()[0] ?? last.open
  return { open, close: last.close }
}

/** `data` of the locations response (section 4.1), for locations that are not paused. */
export function expectedLocations(restaurant: RestaurantFile): object[] {
  return (restaurant.locations ?? [])
    .filter(location => location.published !== false)
    .map(location => ({
      id: location.id,
      code: location.code,
      title: location.title,
      currency: location.currency,
      timezone: location.timezone,
      service_modes: location.service_modes ?? [],
      opening_hours: Object.fromEntries(periodsOf(location).map(([day, periods]) => [day, spanOf(periods)])),
      tax_rate: location.tax_rate ?? null,
      address: location.address ?? null,
      phone: location.phone ?? null,
      opening_periods: Object.fromEntries(periodsOf(location)),
      closed_dates: location.closed_dates ?? [],
      accepts_orders: 1,
      takeaway_tax_rate: location.takeaway_tax_rate ?? null,
      prices_include_tax: flag(location.prices_include_tax),
      service_charge_rate: location.service_charge_rate ?? 0,
      service_charge_modes: location.service_charge_modes ?? ['dine_in', 'qr'],
      service_charge_taxable: flag(location.service_charge_taxable ?? true),
      delivery_fee: shownAmount(location.delivery_fee ?? 0, location),
      free_delivery_from: shownAmount(location.free_delivery_from ?? null, location),
      delivery_fee_taxable: flag(location.delivery_fee_taxable),
      promotions: (location.promotions ?? [])
        .filter(promotion => promotion.active !== false)
        .sort((a, b) => a.id - b.id)
        .map(promotion => ({
          id: promotion.id,
          title: promotion.title,
          channel: promotion.channel ?? null,
          service_mode: promotion.service_mode ?? null,
          weekdays: promotion.weekdays ?? [],
          from: promotion.from ?? null,
          until: promotion.until ?? null,
          valid_from: promotion.valid_from ?? null,
          valid_until: promotion.valid_until ?? null,
          min_subtotal: shownAmount(promotion.min_subtotal ?? 0, location),
          percent: promotion.percent ?? null,
          amount: shownAmount(promotion.amount ?? null, location),
        })),
    }))
}

/** A price of the file as a location shows it. */
function shownAmount(price: number | null, { currency }: LocationRecord): number | null {
  const exponent = exponentOf(currency)
  return price === null ? null : majorNumber(minorUnits(price, exponent), exponent)
}

type ExpectedTranslations = { [language: string]: { title: string | null; description?: string | null } }

interface ExpectedAllergen extends AllergenUse {
  title: string
  translations: ExpectedTranslations
}

export interface ExpectedMenu {
  location_id: number
  languages: string[]
  categories: {
    id: number
    title: string
    items: ExpectedMenuItem[]
    description: string | null
    translations: ExpectedTranslations
  }[]
}

export interface ExpectedMenuItem {
  id: number
  title: string
  description: string | null
  price: number
  has_variations: 0 | 1
  image: string | null
  prep_time_minutes: number | null
  calories: number | null
  spice_level: number | null
  is_alcohol: 0 | 1
  variations: {
    id: number
    title: string
    price: number
    is_default: 0 | 1
    modifier_prices: { modifier_id: number; price: number }[]
    translations: ExpectedTranslations
  }[]
  modifier_groups: {
    id: number
    title: string
    selection_type: 'single' | 'multiple'
    is_required: 0 | 1
    min_select: number
    max_select: number
    free_quantity: number
    modifiers: {
      id: number
      title: string
      price: number
      is_default: 0 | 1
      max_quantity: number | null
      allergens: ExpectedAllergen[]
      translations: ExpectedTranslations
    }[]
    translations: ExpectedTranslations
  }[]
  allergens: ExpectedAllergen[]
  number: string | null
  labels: { id: number; code: string; title: string; translations: ExpectedTranslations }[]
  minimum_age: number | null
  tax_rate: number | null
  takeaway_tax_rate: number | null
  translations: ExpectedTranslations
}

function translatedTitles(titles: Titles = {}): ExpectedTranslations {
  return Object.fromEntries(Object.entries(titles).map(([language, { title }]) => [language, { title: title ?? null }]))
}

function translatedTexts(titles: Titles = {}): ExpectedTranslations {
  const texts = Object.entries(titles).map(([language, { title, description }]) => {
    return [language, { title: title ?? null, description: description ?? null }]
  })
  return Object.fromEntries(texts)
}

const flag = (value: boolean | undefined): 0 | 1 => (value ? 1 : 0)

/** `data` of the menu response (section 4.2), or null when no published location has this id. */
export function expectedMenu(restaurant: RestaurantFile, locationId: number): ExpectedMenu | null {
  const location = findLocation(restaurant, locationId)
  if (!location) return null
  const exponent = exponentOf(location.currency)
  const allergenOf = new Map((restaurant.allergens ?? []).map(allergen => [allergen.id, allergen]))
  const labelOf = new Map((restaurant.labels ?? []).map(label => [label.id, label]))
  const declared = (uses: AllergenUse[] = []): ExpectedAllergen[] =>
    uses.map(({ id, presence }) => {
      const allergen = allergenOf.get(id)
      return { id, title: allergen?.title ?? '', presence, translations: translatedTitles(allergen?.translations) }
    })
  return {
    location_id: location.id,
    languages: restaurant.site.languages ?? [],
    categories: offer(restaurant, location).map(category => ({
      id: category.record.id,
      title: category.record.title,
      description: category.record.description ?? null,
      translations: translatedTexts(category.record.translations),
      items: category.items.map(({ record, rates, price, variations, groups }) => ({
        id: record.id,
        title: record.title,
        description: record.description ?? null,
        price: majorNumber(price, exponent),
        has_variations: flag(variations.length > 0),
        image: record.image ?? null,
        prep_time_minutes: record.prep_time_minutes ?? null,
        calories: record.calories ?? null,
        spice_level: record.spice_level ?? null,
        is_alcohol: flag(record.is_alcohol),
        variations: variations.map(variation => ({
          id: variation.id,
          title: variation.title,
          price: majorNumber(variation.price, exponent),
          is_default: flag(variation.isDefault),
          modifier_prices: groups
            .flatMap(group => group.modifiers)
            .flatMap(({ id, priceBySize }) => {
              const bySize = priceBySize.get(variation.id)
              return bySize === undefined ? [] : [{ modifier_id: id, price: majorNumber(bySize, exponent) }]
            }),
          translations: translatedTitles(variation.record.translations),
        })),
        modifier_groups: groups.map(group => ({
          id: group.id,
          title: group.title,
          selection_type: group.single ? 'single' : 'multiple',
          is_required: flag(group.min > 0),
          min_select: group.min,
          max_select: group.max,
          free_quantity: group.free,
          modifiers: group.modifiers.map(modifier => ({
            id: modifier.id,
            title: modifier.title,
            price: majorNumber(modifier.price, exponent),
            is_default: flag(modifier.isDefault),
            max_quantity: modifier.maxQuantity,
            allergens: declared(modifier.record.allergens),
            translations: translatedTitles(modifier.record.translations),
          })),
          translations: translatedTitles(group.record.translations),
        })),
        allergens: declared(record.allergens),
        number: record.number ?? null,
        labels: (record.labels ?? []).map(id => {
          const label = labelOf.get(id)
          return {
            id,
            code: label?.code ?? '',
            title: label?.title ?? '',
            translations: translatedTitles(label?.translations),
          }
        }),
        minimum_age: record.minimum_age ?? null,
        tax_rate: rates.inHouse,
        takeaway_tax_rate: rates.takeaway,
        translations: translatedTexts(record.translations),
      })),
    })),
  }
}

interface Draft {
  locationId: number
  channel: Channel
  serviceMode: string | null
  notes: string | null
  lines: DraftLine[]
}

interface DraftLine {
  itemId: number
  variationId: number | null
  qty: number
  notes: string | null
  modifiers: { id: number; qty: number }[]
}

type JsonObject = { [key: string]: unknown }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

const member = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

/** Text of at most `longest` code points without U+0000 and lone surrogates (A8). */
const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value) && [...value].length <= longest

const isLineQuantity = (value: unknown): value is number => {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0 || value > 999) return false
  const { n, d } = rational(value)
  return (n * 1000n) % d === 0n
}

const isOptionQuantity = (value: unknown): value is number => isInteger(value) && value >= 1 && value <= 99

/** The shape of the whole body (A2, A3, A8, A9). The draft is only good when `faults` stayed empty. */
function readBody(body: unknown, faults: Fault[]): Draft {
  const draft: Draft = { locationId: 0, channel: 'web', serviceMode: null, notes: null, lines: [] }
  if (!isObject(body)) {
    faults.push({ title: TITLE.notAnOrder, pointer: '' })
    return draft
  }

  const locationId = member(body, 'location_id')
  if (isInteger(locationId) && locationId >= 1) draft.locationId = locationId
  else faults.push({ title: TITLE.location, pointer: '/location_id' })

  const items = member(body, 'items')
  if (!Array.isArray(items) || items.length === 0) {
    faults.push({ title: TITLE.noItems, pointer: '/items' })
  } else {
    if (items.length > 100) faults.push({ title: TITLE.tooLarge, pointer: '/items' })
    draft.lines = items.map((line: unknown, index) => readLine(line, `/items/${index}`, faults))
  }

  const channel = member(body, 'channel')
  if (channel === 'phone' || channel === 'takeaway' || channel === 'delivery') draft.channel = channel
  draft.serviceMode = readText(body, 'service_mode', 50, TITLE.details, '', faults)
  draft.notes = readText(body, 'notes', 1000, TITLE.details, '', faults)

  const customer = member(body, 'customer')
  if (isObject(customer)) {
    readText(customer, 'name', 255, TITLE.details, '/customer', faults)
    readText(customer, 'phone', 255, TITLE.details, '/customer', faults)
    const before = faults.length
    const email = readText(customer, 'email', 255, TITLE.details, '/customer', faults)
    if (faults.length === before && email !== null && !/^[^\s@]+@[^\s@]+$/u.test(email)) {
      faults.push({ title: TITLE.details, pointer: '/customer/email' })
    }
  } else if (!isAbsent(customer)) {
    faults.push({ title: TITLE.details, pointer: '/customer' })
  }
  return draft
}

function readLine(line: unknown, at: string, faults: Fault[]): DraftLine {
  const draft: DraftLine = { itemId: 0, variationId: null, qty: 0, notes: null, modifiers: [] }
  if (!isObject(line)) {
    faults.push({ title: TITLE.line, pointer: at })
    return draft
  }

  const itemId = member(line, 'item_id')
  if (isInteger(itemId)) draft.itemId = itemId
  else faults.push({ title: TITLE.line, pointer: `${at}/item_id` })

  const variationId = member(line, 'variation_id')
  if (isInteger(variationId)) draft.variationId = variationId
  else if (!isAbsent(variationId)) faults.push({ title: TITLE.line, pointer: `${at}/variation_id` })

  const qty = member(line, 'qty')
  if (isLineQuantity(qty)) draft.qty = qty
  else faults.push({ title: TITLE.quantity, pointer: `${at}/qty` })

  draft.notes = readText(line, 'notes', 1000, TITLE.line, at, faults)

  const modifiers = member(line, 'modifiers')
  if (Array.isArray(modifiers)) {
    if (modifiers.length > 50) faults.push({ title: TITLE.tooLarge, pointer: `${at}/modifiers` })
    draft.modifiers = modifiers.map((entry: unknown, index) => readModifier(entry, `${at}/modifiers/${index}`, faults))
  } else if (!isAbsent(modifiers)) {
    faults.push({ title: TITLE.line, pointer: `${at}/modifiers` })
  }
  return draft
}

function readModifier(entry: unknown, at: string, faults: Fault[]): { id: number; qty: number } {
  const draft = { id: 0, qty: 1 }
  if (!isObject(entry)) {
    faults.push({ title: TITLE.option, pointer: `${at}/modifier_id` })
    return draft
  }
  const id = member(entry, 'modifier_id')
  if (isInteger(id)) draft.id = id
  else faults.push({ title: TITLE.option, pointer: `${at}/modifier_id` })

  const qty = member(entry, 'qty')
  if (isOptionQuantity(qty)) draft.qty = qty
  else if (!isAbsent(qty)) faults.push({ title: TITLE.optionQuantity, pointer: `${at}/qty` })
  return draft
}

/** An optional text; null when it is absent, null, empty or at fault. */
function readText(
  object: JsonObject,
  key: string,
  longest: number,
  title: string,
  parent: string,
  faults: Fault[],
): string | null {
  const value = member(object, key)
  if (isAbsent(value) || value === '') return null
  if (isText(value, longest)) return value
  faults.push({ title, pointer: `${parent}/${key}` })
  return null
}

interface PricedLine {
  line: DraftLine
  rates: OfferedItem['rates']
  name: string
  unitPrice: bigint
  modifiersTotal: bigint
  lineTotal: bigint
  options: { id: number; title: string; qty: number; free: number; price: bigint }[]
}

/** One line against what the location offers (D1 to D4), priced per C4 and C5; meaningless once it has added to `faults`. */
function priceLine(line: DraftLine, at: string, offered: Map<number, OfferedItem>, faults: Fault[]): PricedLine | null {
  const item = offered.get(line.itemId)
  if (!item) {
    faults.push({ title: TITLE.unavailable, pointer: `${at}/item_id` })
    return null
  }
  const variation = item.variations.find(candidate => candidate.id === line.variationId)
  if (line.variationId !== null && !variation) {
    faults.push({ title: TITLE.unavailable, pointer: `${at}/variation_id` })
  }

  const chosen = new Map<number, number>()
  const inGroup = new Map<number, number>()
  const options: PricedLine['options'] = []
  let modifiersTotal = 0n
  line.modifiers.forEach(({ id, qty }, index) => {
    const group = item.groups.find(candidate => candidate.modifiers.some(modifier => modifier.id === id))
    const modifier = group?.modifiers.find(candidate => candidate.id === id)
    if (!group || !modifier) {
      faults.push({ title: TITLE.option, pointer: `${at}/modifiers/${index}/modifier_id` })
      return
    }
    const before = chosen.get(id) ?? 0
    chosen.set(id, before + qty)
    if (modifier.maxQuantity !== null && before <= modifier.maxQuantity && before + qty > modifier.maxQuantity) {
      faults.push({ title: TITLE.optionQuantity, pointer: `${at}/modifiers/${index}/qty` })
    }
    const price = (variation && modifier.priceBySize.get(variation.id)) ?? modifier.price
    let free = 0
    for (let unit = 0; unit < qty; unit++) {
      const nth = (inGroup.get(group.id) ?? 0) + 1
      inGroup.set(group.id, nth)
      if (nth > group.free) modifiersTotal += price
      else free += 1
    }
    options.push({ id, title: modifier.title, qty, free, price })
  })
  for (const group of item.groups) {
    const count = inGroup.get(group.id) ?? 0
    if (count < group.min) faults.push({ title: TITLE.missingOption, pointer: `${at}/modifiers`, group: group.id })
    else if (group.max > 0 && count > group.max) {
      faults.push({ title: TITLE.tooManyOptions, pointer: `${at}/modifiers`, group: group.id })
    }
  }

  const unitPrice = variation ? variation.price : item.price
  return {
    line,
    rates: item.rates,
    name: variation ? `${item.record.title} (${variation.title})` : item.record.title,
    unitPrice,
    modifiersTotal,
    lineTotal: roundHalfUp(times(rational(line.qty), integer(unitPrice + modifiersTotal))),
    options,
  }
}

/** The effective service mode of C4. */
function effectiveMode(serviceMode: string | null, channel: Channel): ServiceMode | null {
  const mode = (serviceMode ?? '').trim().toLowerCase().replaceAll(' ', '_').replaceAll('-', '_')
  if (mode === 'dine_in' || mode === 'takeaway' || mode === 'delivery' || mode === 'qr') return mode
  return channel === 'takeaway' || channel === 'delivery' ? channel : null
}

/**
 * Whether a promotion's window is open. `until` is exclusive, dates are inclusive, and weekday and dates are those of
 * the day the window started; a lone `from` runs until midnight and a lone `until` from midnight.
 */
function isWindowOpen(promotion: PromotionRecord, date: string, time: string): boolean {
  const from = promotion.from ?? '00:00'
  const until = promotion.until ?? '24:00'
  let start = date
  if (from <= until) {
    if (time < from || time >= until) return false
  } else if (time < until) {
    start = dayBefore(date)
  } else if (time < from) {
    return false
  }
  const weekdays: readonly (Weekday | undefined)[] = promotion.weekdays ?? []
  if (weekdays.length > 0 && !weekdays.includes(weekdayOf(start))) return false
  return start >= (promotion.valid_from ?? start) && start <= (promotion.valid_until ?? start)
}

function bestDiscount(
  location: LocationRecord,
  subtotal: bigint,
  channel: Channel,
  mode: ServiceMode | null,
  instant: number,
): bigint {
  const exponent = exponentOf(location.currency)
  const { date, time } = wallClock(instant, location.timezone)
  let best = 0n
  for (const promotion of location.promotions ?? []) {
    if (promotion.active === false) continue
    if (!isAbsent(promotion.channel) && promotion.channel !== channel) continue
    if (!isAbsent(promotion.service_mode) && promotion.service_mode !== mode) continue
    if (!isAbsent(promotion.min_subtotal) && subtotal < minorUnits(promotion.min_subtotal, exponent)) continue
    if (!isWindowOpen(promotion, date, time)) continue
    const discount = isAbsent(promotion.percent)
      ? minorUnits(promotion.amount ?? 0, exponent)
      : roundHalfUp(times(integer(subtotal), percent(promotion.percent)))
    const clamped = discount < subtotal ? discount : subtotal
    if (clamped > best) best = clamped
  }
  return best
}

/**
 * The discount at each rate, a percentage (C8): shared in proportion to the totals of the lines at that rate, in whole minor
 * units; the units left over go to the largest remainders, among equals to the higher rate.
 */
function discountByRate(totals: Map<number, bigint>, discount: bigint): Map<number, bigint> {
  const subtotal = [...totals.values()].reduce((sum, total) => sum + total, 0n)
  if (subtotal === 0n) return new Map()
  const shares = [...totals].map(([rate, total]) => {
    const exact = over(times(integer(discount), integer(total)), integer(subtotal))
    return { rate, whole: exact.n / exact.d, remainder: exact.n % exact.d }
  })
  const left = shares.reduce((rest, { whole }) => rest - whole, discount)
  // All remainders have the same denominator, the subtotal.
  shares.sort((a, b) => Number(b.remainder - a.remainder) || b.rate - a.rate)
  return new Map(shares.map(({ rate, whole }, index) => [rate, index < left ? whole + 1n : whole]))
}

/** The base and the tax of each rate, a percentage, the highest first (C8). */
function taxByRate(
  lines: { rate: number; lineTotal: bigint }[],
  discount: bigint,
  charges: { rate: number; taxed: bigint },
  pricesIncludeTax: boolean,
): { rate: number; base: bigint; tax: bigint }[] {
  const totals = new Map<number, bigint>()
  for (const { rate, lineTotal } of lines) totals.set(rate, (totals.get(rate) ?? 0n) + lineTotal)
  const discounts = discountByRate(totals, discount)
  const bases = new Map([...totals].map(([rate, total]) => [rate, total - (discounts.get(rate) ?? 0n)]))
  if (charges.taxed > 0n) bases.set(charges.rate, (bases.get(charges.rate) ?? 0n) + charges.taxed)
  return [...bases]
    .sort(([a], [b]) => b - a)
    .map(([rate, base]) => {
      const part = pricesIncludeTax ? over(percent(rate), plus(ONE, percent(rate))) : percent(rate)
      return { rate, base, tax: roundHalfUp(times(integer(base), part)) }
    })
}

/**
 * The response of `POST /v1/restaurant/orders` to this parsed body at this instant (UTC milliseconds). The restaurant is
 * freshly imported; the order limit, stock and the kitchen are not considered.
 */
export function expectedOrder(restaurant: RestaurantFile, body: unknown, instant: number): Expected {
  const faults: Fault[] = []
  const draft = readBody(body, faults)
  if (faults.length > 0) return { status: 400, faults: faults.slice(0, MAX_FAULTS) }

  const location = findLocation(restaurant, draft.locationId)
  if (!location) return { status: 404 }

  const offered = new Map(
    offer(restaurant, location).flatMap(category => category.items.map(item => [item.record.id, item])),
  )
  const lines = draft.lines.flatMap((line, index) => priceLine(line, `/items/${index}`, offered, faults) ?? [])
  if (faults.length > 0) return { status: 400, faults: faults.slice(0, MAX_FAULTS) }

  const exponent = exponentOf(location.currency)
  const mode = effectiveMode(draft.serviceMode, draft.channel)
  const subtotal = lines.reduce((sum, line) => sum + line.lineTotal, 0n)
  const discount = bestDiscount(location, subtotal, draft.channel, mode, instant)
  const net = subtotal - discount

  const chargedModes = location.service_charge_modes ?? ['dine_in', 'qr']
  const serviceCharge =
    mode !== null && chargedModes.includes(mode)
      ? roundHalfUp(times(integer(net), percent(location.service_charge_rate ?? 0)))
      : 0n

  const freeFrom = location.free_delivery_from ?? null
  const isFree = mode !== 'delivery' || (freeFrom !== null && net >= minorUnits(freeFrom, exponent))
  const deliveryFee = isFree ? 0n : minorUnits(location.delivery_fee ?? 0, exponent)

  const isTakeaway = mode === 'takeaway' || mode === 'delivery'
  const ownRate = (isTakeaway ? (location.takeaway_tax_rate ?? location.tax_rate) : location.tax_rate) ?? 0
  const includesTax = location.prices_include_tax === true
  const taxedCharges =
    (location.service_charge_taxable === false ? 0n : serviceCharge) +
    (location.delivery_fee_taxable === true ? deliveryFee : 0n)
  const taxLines = taxByRate(
    lines.map(({ rates, lineTotal }) => ({ rate: (isTakeaway ? rates.takeaway : rates.inHouse) ?? 0, lineTotal })),
    discount,
    { rate: ownRate, taxed: taxedCharges },
    includesTax,
  )
  const taxTotal = taxLines.reduce((sum, { tax }) => sum + tax, 0n)
  const grandTotal = net + serviceCharge + deliveryFee + (includesTax ? 0n : taxTotal)

  const amounts = [subtotal, discount, taxTotal, serviceCharge, deliveryFee, grandTotal]
  for (const line of lines) amounts.push(line.unitPrice, line.modifiersTotal, line.lineTotal)
  if (amounts.some(amount => amount > LARGEST_AMOUNT)) {
    return { status: 400, faults: [{ title: TITLE.tooLarge, pointer: '/items' }] }
  }

  const placed = wallClock(instant, restaurant.site.timezone)
  const money = (minor: bigint): number => majorNumber(minor, exponent)
  return {
    status: 201,
    order: {
      location_id: location.id,
      channel: draft.channel,
      status: 'placed',
      fulfillment_status: null,
      subtotal: money(subtotal),
      discount_total: money(discount),
      tax_total: money(taxTotal),
      service_charge: money(serviceCharge),
      delivery_fee: money(deliveryFee),
      grand_total: money(grandTotal),
      currency: location.currency,
      notes: draft.notes,
      placed_at: `${placed.date} ${placed.time}`,
      tax_lines: taxLines.map(({ rate, base, tax }) => ({ rate, base: money(base), tax: money(tax) })),
      items: lines.map(({ line, name, unitPrice, modifiersTotal, lineTotal, options }) => ({
        item_id: line.itemId,
        variation_id: line.variationId,
        name_snapshot: name,
        qty: line.qty,
        unit_price: money(unitPrice),
        modifiers_total: money(modifiersTotal),
        line_total: money(lineTotal),
        notes: line.notes,
        modifiers: options.map(({ id, title, qty, free, price }) => ({
          modifier_id: id,
          title,
          qty,
          free,
          price: money(price),
        })),
      })),
    },
  }
}
