/** What stands in a foreign file, or does not, and cannot be carried over: where, and a sentence for the owner. */
export interface Unknown {
  /** A place in the foreign file ("row 7", "line 3", "item 4711"), or a JSON Pointer into the restaurant file. */
  place: string
  message: string
}

/**
 * By what a record is found again in a later conversion, in levels: what identifies it for certain stands before what
 * only makes it likely (docs/moving-in.md).
 */
export type Keys = string[][]

/** A menu as another system describes it, before it has ids. Prices are thousandths of the major unit. */
export interface ForeignMenu {
  /** By what distinguishes one from another in the file. */
  categories: Map<string, ForeignCategory>
  groups: ForeignGroup[]
  locations: ForeignLocation[]
  unknown: Unknown[]
}

export interface ForeignCategory {
  keys: Keys
  title: string
  items: ForeignItem[]
}

export interface ForeignItem {
  keys: Keys
  title: string
  description: string | null
  price: number
  published: boolean
  isAlcohol: boolean
  sizes: ForeignSize[]
  groups: { group: ForeignGroup; min: number | null; max: number | null }[]
}

export interface ForeignSize {
  keys: Keys
  title: string
  price: number
  published: boolean
}

export interface ForeignGroup {
  keys: Keys
  title: string
  isSingle: boolean
  min: number
  /** 0: no limit. */
  max: number
  options: ForeignOption[]
}

export interface ForeignOption {
  keys: Keys
  title: string
  price: number
  isDefault: boolean
  maxQuantity: number | null
}

export interface ForeignLocation {
  keys: Keys
  /** null: the file does not name it. */
  title: string | null
  openingHours: Record<string, { open: string; close: string }>
  /** What differs from the item itself; a price of null is the item's own. */
  items: Map<ForeignItem, { enabled: boolean; price: number | null }>
  sizes: Map<ForeignSize, number>
  stock: ForeignStock[]
}

/** What is counted, and the dishes that take of it; quantities are thousandths. */
export interface ForeignStock {
  keys: Keys
  title: string
  onHand: number
  lowAt: number | null
  recipe: { item: ForeignItem; size: ForeignSize | null; qty: number }[]
}

export function emptyLocation(title: string | null): ForeignLocation {
  const keys = [[`title ${keyOf(title ?? '')}`]]
  return { keys, title, openingHours: {}, items: new Map(), sizes: new Map(), stock: [] }
}

/** A title as it is compared: without regard to capitals and spaces. */
export function keyOf(title: string): string {
  return title.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The keys of an item: those of the other system first, then its category and title, then its title alone. */
export function itemKeys(certain: string[], category: string, title: string): Keys {
  return [certain, [`${keyOf(category)} / ${keyOf(title)}`], [keyOf(title)]]
}

/** The category of a title, made at its first use; `key` is what it is known by in the file. */
export function categoryOf(menu: ForeignMenu, title: string, key = title): ForeignCategory {
  const known = menu.categories.get(keyOf(key))
  if (known) return known
  const category: ForeignCategory = { keys: [[keyOf(key)], [keyOf(title)]], title, items: [] }
  menu.categories.set(keyOf(key), category)
  return category
}
