import type { Db } from '../file/open.ts'
import type { Kitchen } from '../kitchen/routing.ts'
import { kitchenReader } from '../kitchen/stations.ts'
import { recipeReader, type StockedRecipes } from '../stock/recipe-book.ts'
import type { Recipes } from '../stock/recipes.ts'
import { type Channel, isEnteredByStaff, type ServiceMode, type Source } from '../terms/channels.ts'
import type { Clock, Weekday } from '../terms/clock.ts'
import type {
  AllergenId,
  CategoryId,
  GroupId,
  ItemId,
  LabelId,
  LocationId,
  ModifierId,
  PromotionId,
  TableId,
  VariationId,
  ZoneId,
} from '../terms/ids.ts'
import type { Exponent } from '../terms/money.ts'
import { type ClosedDates, type Opening, type OpeningHours, type OpeningPeriods, openingAt } from '../terms/opening.ts'
import { locationReader } from './location.ts'
import { menuOf } from './menu.ts'
import { menuRows } from './menu-rows.ts'

/** A published location. Amounts are minor units of its currency. */
export interface Location {
  id: LocationId
  code: string
  title: string
  address: string | null
  phone: string | null
  currency: string
  exponent: Exponent
  timezone: string
  serviceModes: ServiceMode[]
  openingHours: OpeningHours
  openingPeriods: OpeningPeriods
  closedDates: ClosedDates[]
  /** The location's own rate, in millionths; null: none. */
  taxPpm: number | null
  /** The location's own rate in the modes takeaway and delivery; null: the same as `taxPpm` (decision C8). */
  takeawayTaxPpm: number | null
  pricesIncludeTax: boolean
  serviceChargePpm: number
  serviceChargeModes: ServiceMode[]
  serviceChargeTaxable: boolean
  deliveryFee: number
  freeDeliveryFrom: number | null
  deliveryFeeTaxable: boolean
  /** The minimum order for a delivery to an address; null: none. It does not apply to the API, which has no addresses. */
  minimumDelivery: number | null
  deliveryZones: DeliveryZone[]
  tables: DiningTable[]
  dayStartsAt: string
  /** The active ones, ordered by id. */
  promotions: Promotion[]
}

/** Where a location delivers to. Amounts are minor units of its currency. */
export interface DeliveryZone {
  id: ZoneId
  title: string
  postcodes: string[]
  fee: number
  /** Null: that of the location. */
  minimum: number | null
}

export interface DiningTable {
  id: TableId
  title: string
}

export interface Promotion {
  id: PromotionId
  title: string
  channel: Channel | null
  serviceMode: ServiceMode | null
  /** Empty: every day. */
  weekdays: Weekday[]
  from: string | null
  /** Exclusive. Earlier than `from`: past midnight. */
  until: string | null
  validFrom: string | null
  validUntil: string | null
  minSubtotal: number
  discount: { percentPpm: number } | { amount: number }
}

/** What one location sells now, in display order: exactly what can be ordered (decision D1). */
export interface Menu {
  location: Location
  /** The languages of its texts; the first is that of the titles themselves. Empty: not specified. */
  languages: string[]
  categories: Category[]
  items: ReadonlyMap<ItemId, Item>
}

export interface Category {
  id: CategoryId
  title: string
  description: string | null
  translations: Translations
  items: Item[]
}

export interface Item {
  id: ItemId
  /** Its number on the printed menu. */
  number: string | null
  title: string
  description: string | null
  price: number
  image: string | null
  prepTimeMinutes: number | null
  calories: number | null
  spiceLevel: number | null
  isAlcohol: boolean
  minimumAge: number | null
  taxPpm: TaxRates
  /** False: taxed at the location's own rates. */
  isTaxedByClass: boolean
  variations: Variation[]
  groups: ModifierGroup[]
  allergens: Allergen[]
  labels: Label[]
  translations: Translations
  /** Every modifier of the groups, by id. */
  options: ReadonlyMap<ModifierId, { modifier: Modifier; group: ModifierGroup }>
}

/** The rates of one dish at one location, in millionths; null: none (decision C8). */
export interface TaxRates {
  inHouse: number | null
  /** In the modes takeaway and delivery. */
  takeaway: number | null
}

/** Texts in other languages, by language; null: not translated. */
export type Translations = Readonly<Record<string, Readonly<Record<string, string | null>>>>

export interface Allergen {
  id: AllergenId
  title: string
  presence: 'contains' | 'may_contain'
  translations: Translations
}

/** What the restaurant declares about a dish, such as vegan. */
export interface Label {
  id: LabelId
  code: string
  title: string
  translations: Translations
}

export interface Variation {
  id: VariationId
  title: string
  price: number
  isDefault: boolean
  translations: Translations
}

/** A group on one item, with that item's minimum and maximum. Required means a minimum of at least 1 (D4). */
export interface ModifierGroup {
  id: GroupId
  title: string
  selectionType: 'single' | 'multiple'
  minSelect: number
  /** 0: no limit. */
  maxSelect: number
  freeQuantity: number
  modifiers: Modifier[]
  translations: Translations
}

export interface Modifier {
  id: ModifierId
  title: string
  price: number
  /** Its price on a line with one of these sizes, instead of `price`. */
  variationPrices: ReadonlyMap<VariationId, number>
  isDefault: boolean
  maxQuantity: number | null
  allergens: Allergen[]
  translations: Translations
}

/** Why a location does not take orders now (decision D10). */
export interface Closure {
  why: 'paused' | 'closed'
  /** When it takes orders again automatically (UTC milliseconds); null: not known. */
  until: number | null
}

/** The published locations and their menus at one instant. Immutable. */
export interface Catalogue {
  locations: Location[]
  /** The image paths of all published items. */
  images: ReadonlySet<string>
  /** Whether clients of the API can order at a location now (decision D10). */
  acceptsOrders(id: LocationId): boolean
  /** Why a location does not take orders of this source at an instant; undefined: it takes them. */
  closure(id: LocationId, source: Source, instant: number): Closure | undefined
  menu(id: LocationId): Menu | undefined
  /** The menu as if nothing had run out, for an edit that gives stock back. */
  menuInFullStock(id: LocationId): Menu | undefined
  /** The menu with what is sold out for now: as if nothing had run out and nothing was 86'd. */
  menuWithSoldOut(id: LocationId): Menu | undefined
  /** The stations of a location, published or not; undefined if none is active. */
  kitchen(id: LocationId): Kitchen | undefined
  /** The recipes of a location, published or not; undefined if no stock is kept there. */
  recipes(id: LocationId): Recipes | undefined
}

/**
 * The catalogue in memory. It is read again only after it has changed in the file, after something in it has begun or ended on
 * schedule, or after the clock was set back. `onlyWhenOpen` is the setting of that name.
 */
export function catalogue(db: Db, clock: Clock, onlyWhenOpen: () => boolean) {
  const read = reader(db)
  const revision = db.prepare<[], number>('SELECT catalogue FROM revision').pluck()
  const advance = db.prepare('UPDATE revision SET catalogue = catalogue + 1')
  let loaded:
    | { catalogue: Catalogue; revision: number; onlyWhenOpen: boolean; validFrom: number; validUntil: number }
    | undefined

  return {
    /** The catalogue as of the last look at the file. */
    current(): Catalogue {
      const instant = clock.now()
      if (
        !loaded ||
        instant >= loaded.validUntil ||
        instant < loaded.validFrom ||
        loaded.onlyWhenOpen !== onlyWhenOpen()
      ) {
        const setting = onlyWhenOpen()
        loaded = {
          ...read(instant, setting),
          revision: revision.get() ?? 0,
          onlyWhenOpen: setting,
          validFrom: instant,
        }
      }
      return loaded.catalogue
    },

    /** Marks the catalogue as changed, for this and all other processes; called in the transaction that changes it. */
    markChanged(): void {
      advance.run()
      loaded = undefined
    },

    /** Drops the catalogue in memory if the one in the file differs; called when something in the file has changed. */
    reload(): void {
      if (loaded && revision.get() !== loaded.revision) loaded = undefined
    },
  }
}

/** Whether orders of this source are taken only while a location is open; those of our own guest pages always are (D10). */
function keepsHours(source: Source, onlyWhenOpen: boolean): boolean {
  return source === 'api' ? onlyWhenOpen : !isEnteredByStaff(source)
}

function reader(db: Db) {
  const readLocations = locationReader(db)
  const readRows = menuRows(db)
  const readKitchens = kitchenReader(db)
  const readRecipes = recipeReader(db)
  const selectPauses = db.prepare<[number], { locationId: LocationId; untilAt: number | null }>(
    'SELECT location_id AS locationId, until_at AS untilAt FROM pause WHERE until_at IS NULL OR until_at > ?',
  )

  /** Reads everything at one instant, and until when it stays valid unless the file changes. */
  return db.transaction((instant: number, onlyWhenOpen: boolean): { catalogue: Catalogue; validUntil: number } => {
    const locations = readLocations()
    const rows = readRows(instant)
    const { kitchens, ends: stationsOpen } = readKitchens(instant)
    const stocked = readRecipes()
    const pauses = new Map(selectPauses.all(instant).map(({ locationId, untilAt }) => [locationId, untilAt]))
    const openings = new Map<LocationId, Opening & { from: number }>()
    const byId = new Map(locations.map(location => [location.id, location]))
    const menus = new Map<LocationId, Menu>()
    const wholeMenus = new Map<LocationId, Menu>()

    function menu(id: LocationId): Menu | undefined {
      const made = menus.get(id) ?? makeMenu(id, stocked.get(id))
      if (made) menus.set(id, made)
      return made
    }

    function makeMenu(id: LocationId, stock: StockedRecipes | undefined): Menu | undefined {
      const location = byId.get(id)
      return location && menuOf(location, rows, stock)
    }

    function menuWithSoldOut(id: LocationId): Menu | undefined {
      const location = byId.get(id)
      const made = wholeMenus.get(id) ?? (location && menuOf(location, { ...rows, unavailable: [] }, undefined))
      if (made) wholeMenus.set(id, made)
      return made
    }

    function openingOf(location: Location, at: number): Opening {
      const known = openings.get(location.id)
      if (known && known.from <= at && at < known.until) return known
      const opening = { ...openingAt(at, location), from: at }
      openings.set(location.id, opening)
      return opening
    }

    function closure(id: LocationId, source: Source, at: number): Closure | undefined {
      if (isEnteredByStaff(source)) return undefined
      const pausedUntil = pauses.get(id)
      if (pausedUntil !== undefined && (pausedUntil === null || at < pausedUntil)) {
        return { why: 'paused', until: pausedUntil }
      }
      const location = byId.get(id)
      if (!location || !keepsHours(source, onlyWhenOpen)) return undefined
      const { isOpen, until } = openingOf(location, at)
      return isOpen ? undefined : { why: 'closed', until: Number.isFinite(until) ? until : null }
    }

    const ends = [...rows.unavailable.map(({ untilAt }) => untilAt), ...pauses.values(), ...stationsOpen]
    const changes = onlyWhenOpen ? locations.map(location => openingOf(location, instant).until) : []
    const images = [...rows.items.values()].flatMap(items => items.flatMap(({ image }) => image ?? []))
    const catalogue: Catalogue = {
      locations,
      images: new Set(images),
      acceptsOrders: id => byId.has(id) && closure(id, 'api', instant) === undefined,
      closure,
      menu,
      menuInFullStock: id => makeMenu(id, undefined),
      menuWithSoldOut,
      kitchen: id => kitchens.get(id),
      recipes: id => stocked.get(id)?.recipes,
    }
    return { catalogue, validUntil: Math.min(...ends.flatMap(end => end ?? []), ...changes, Number.POSITIVE_INFINITY) }
  })
}
