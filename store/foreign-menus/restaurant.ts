import { plainTitle } from './file/plain-text.ts'
import { giveIds, type IdKind, type KeptIds } from './ids.ts'
import {
  type ForeignGroup,
  type ForeignItem,
  type ForeignLocation,
  type ForeignMenu,
  type ForeignSize,
  type ForeignStock,
  type Keys,
  keyOf,
} from './menu.ts'

/** What the foreign file cannot tell about a restaurant, and the ids that are to be kept. */
export interface Setting {
  currency: string
  /** null: nobody said. */
  timeZone: string | null
  /** Grows by the new ones. */
  ids: KeptIds
  /** The largest ids that are taken besides. */
  largest: Record<IdKind, number>
}

// The most that the file's whole numbers may be (docs/restaurant-file.md).
const MOST_UNITS = 1_000_000

/**
 * Writes a foreign menu as the document of a restaurant file, and adds to its unknowns what the owner has to fill in there.
 * Sizes and options keep their ids within their dish and group.
 */
export function restaurantDocument(menu: ForeignMenu, { currency, timeZone, ids, largest }: Setting): unknown {
  const give = <T>(kind: IdKind, entries: T[], keys: (entry: T) => Keys) => {
    const given = giveIds(ids[kind], largest[kind], entries, keys)
    return (entry: T): number => given.get(entry) ?? 0
  }
  const categories = [...menu.categories.values()]
  const items = categories.flatMap(category => category.items)
  const sizes = items.flatMap(item => item.sizes.map(size => ({ item, size })))
  const options = menu.groups.flatMap(group => group.options.map(option => ({ group, option })))
  const groupId = give('modifier_groups', menu.groups, ({ keys }) => keys)
  const optionIds = give('modifiers', options, ({ group, option }) => {
    const within = (key: string) => `group ${groupId(group)} ${key}`
    return [...option.keys.map(keys => keys.map(within)), [within(keyOf(option.title))]]
  })
  const categoryId = give('categories', categories, ({ keys }) => keys)
  const itemId = give('items', items, ({ keys }) => keys)
  const sizeIds = give('variations', sizes, ({ item, size }) => [
    ...size.keys,
    [`item ${itemId(item)} ${keyOf(size.title)}`],
  ])
  const idOfSize = new Map(sizes.map(entry => [entry.size, sizeIds(entry)]))
  const idOfOption = new Map(options.map(entry => [entry.option, optionIds(entry)]))
  const locationId = give('locations', menu.locations, ({ keys }) => keys)
  const stocks = menu.locations.flatMap(location => location.stock)
  const stockId = give('stock', stocks, ({ keys }) => keys)
  const variationId = (size: ForeignSize) => idOfSize.get(size) ?? 0

  const limits = new Map(menu.groups.map((group, index) => [group, groupLimits(group, index)]))
  const codes = new Set<string>()
  return {
    ...(timeZone !== null && { site: { timezone: timeZone } }),
    modifier_groups: menu.groups.map(group => ({
      id: groupId(group),
      title: group.title,
      selection_type: group.isSingle ? 'single' : 'multiple',
      ...limits.get(group),
      modifiers: group.options.map(option => ({
        id: idOfOption.get(option),
        title: option.title,
        price: major(option.price),
        is_default: option.isDefault,
        max_quantity: option.maxQuantity !== null && option.maxQuantity <= MOST_UNITS ? option.maxQuantity : null,
      })),
    })),
    categories: categories.map(category => ({
      id: categoryId(category),
      title: category.title,
      items: category.items.map(writeItem),
    })),
    locations: menu.locations.map(writeLocation),
  }

  function groupLimits(group: ForeignGroup, index: number) {
    const place = `/modifier_groups/${index}`
    if (group.options.length === 0) {
      const message = `Of "${group.title}" only the name is known: add its options, or remove it.`
      menu.unknown.push({ place, message })
    }
    if (areLimitsPossible(group, group.min, group.max)) return { min_select: group.min, max_select: group.max }
    if (group.options.length > 0) {
      const message = `The limits of "${group.title}" (${group.min} to ${group.max}) cannot be met, so it has none.`
      menu.unknown.push({ place, message })
    }
    return { min_select: 0, max_select: group.isSingle ? 1 : 0 }
  }

  function writeItem(item: ForeignItem) {
    const standard = item.sizes.find(({ published }) => published) ?? item.sizes[0]
    return {
      id: itemId(item),
      title: item.title,
      description: item.description,
      price: major(item.price),
      published: item.published,
      is_alcohol: item.isAlcohol,
      variations: item.sizes.map(size => ({
        id: variationId(size),
        title: size.title,
        price: major(size.price),
        is_default: size === standard,
        published: size.published,
      })),
      modifier_groups: item.groups.map(({ group, min, max }) => {
        const own = limits.get(group)
        const isPossible = areLimitsPossible(group, min ?? own?.min_select ?? 0, max ?? own?.max_select ?? 0)
        if ((min === null && max === null) || isPossible)
          return { id: groupId(group), min_select: min, max_select: max }
        const message = `The limits of "${group.title}" on "${item.title}" cannot be met, so the group's own hold.`
        menu.unknown.push({ place: `item ${itemId(item)} of the restaurant file`, message })
        return { id: groupId(group) }
      }),
    }
  }

  function writeLocation(location: ForeignLocation, index: number) {
    const place = `/locations/${index}`
    const title = plainTitle(location.title ?? '', 'the header') || 'Restaurant'
    const missing = [
      ...(location.title === null ? ['its name'] : []),
      ...(timeZone === null ? ['its time zone (UTC stands there)'] : []),
      ...(Object.keys(location.openingHours).length === 0 ? ['its opening hours'] : []),
      'its tax rate, and whether prices include it',
    ]
    menu.unknown.push({ place, message: `"${title}": the file does not tell ${missing.join(', ')}.` })
    return {
      id: locationId(location),
      code: codeOf(title, codes),
      title,
      currency,
      timezone: timeZone ?? 'UTC',
      opening_hours: location.openingHours,
      items: [...location.items].map(([item, { enabled, price }]) => ({
        id: itemId(item),
        enabled,
        price: price === null ? null : major(price),
      })),
      variations: [...location.sizes].map(([size, price]) => ({ id: variationId(size), price: major(price) })),
      stock: location.stock.map(writeStock),
    }
  }

  function writeStock(stock: ForeignStock) {
    return {
      id: stockId(stock),
      title: stock.title,
      on_hand: major(stock.onHand),
      low_at: stock.lowAt === null ? null : major(stock.lowAt),
      recipe: stock.recipe.map(({ item, size, qty }) => ({
        ...(size ? { variation: variationId(size) } : { item: itemId(item) }),
        qty: major(qty),
      })),
    }
  }
}

/** Thousandths as the number of the file: 12500 is 12.5. A division rounds correctly, so no digit is lost. */
function major(milli: number): number {
  return milli / 1000
}

function areLimitsPossible(group: ForeignGroup, min: number, max: number): boolean {
  if (min > MOST_UNITS || max > MOST_UNITS || (max !== 0 && max < min)) return false
  if (group.isSingle && (min > 1 || max > 1)) return false
  const most = group.options.reduce((sum, { maxQuantity }) => sum + (maxQuantity ?? Number.POSITIVE_INFINITY), 0)
  return min <= most
}

/** A short code of a location's title, unlike the others: "Ribeira" is RIBEIRA. */
function codeOf(title: string, taken: Set<string>): string {
  const letters = title
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
  const start = letters.slice(0, 8) || 'LOC'
  let code = start
  for (let nth = 2; taken.has(code); nth++) code = `${start}${nth}`
  taken.add(code)
  return code
}
