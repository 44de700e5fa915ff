import { plainDescription, plainTitle } from './file/plain-text.ts'
import { MOST_ROWS } from './file/table.ts'
import { UnreadableMenu } from './file/unreadable.ts'
import {
  emptyLocation,
  type ForeignCategory,
  type ForeignGroup,
  type ForeignItem,
  type ForeignMenu,
  itemKeys,
  keyOf,
} from './menu.ts'
import { minorPrice, type Price } from './prices.ts'

// A JSON document is read by its parts: what is not there, or of another kind, reads as nothing.

function at(value: unknown, ...path: string[]): unknown {
  let found = value
  for (const key of path) {
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, key)
    found = isThere ? Reflect.get(Object(found), key) : undefined
  }
  return found
}

function list(value: unknown, ...path: string[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

function text(value: unknown, ...path: string[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

function whole(value: unknown, ...path: string[]): number | null {
  const found = at(value, ...path)
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : null
}

const MOST_LINKS = 100_000

/** True for a JSON document that is an Uber Eats menu (version 2 of its interface). */
export function isUberMenu(document: unknown): boolean {
  const lists = ['menus', 'categories', 'items']
  const isMenu = lists.every(name => Array.isArray(at(document, name)))
  return isMenu && list(document, 'items').every(item => text(item, 'id') !== '')
}

/**
 * Reads an Uber Eats menu: items of categories are dishes, items of modifier groups their options. Prices are in minor units;
 * a price or a limit that an option has in one group only (an override) counts there. Refuses more items and options than a
 * menu has.
 */
export function uberMenu(document: unknown, currency: string): ForeignMenu {
  const [location, menu] = emptyMenu()
  const items = byId(list(document, 'items'))
  if (items.size > MOST_ROWS) throw new UnreadableMenu(`has more than ${MOST_ROWS} items`)
  refuseTooMany(document)
  const note = (place: string, message: string) => void menu.unknown.push({ place, message })
  const language = languageOf(document)
  const title = (entry: unknown, place: string) => plainTitle(translation(at(entry, 'title'), language), place)

  const groups = new Map<string, ForeignGroup>()
  const overridesOf = overridesByContext()
  const groupEntries = byId(list(document, 'modifier_groups'))
  for (const [id, entry] of groupEntries) {
    const group = readGroup(id, entry)
    groups.set(id, group)
    menu.groups.push(group)
  }
  const dishes = new Map<string, ForeignItem>()
  const pricesOf = new Map<string, unknown>()
  const menus = list(document, 'menus')
  const categories = byId(list(document, 'categories'))
  const onMenus = new Set(menus.flatMap(entry => list(entry, 'category_ids')).map(id => text(id)))
  for (const id of new Set([...onMenus, ...categories.keys()])) {
    const entry = categories.get(id)
    if (!entry) note(`category ${id}`, 'A menu names this category, but the file does not have it.')
    else if (!onMenus.has(id)) note(`category ${id}`, `"${title(entry, id)}" is on no menu; it is left out.`)
    else readCategory(id, entry)
  }
  location.openingHours = openingHours(menus, note)
  noteRest()
  return menu

  function readGroup(id: string, entry: unknown): ForeignGroup {
    const place = `modifier group ${id}`
    const quantity = at(entry, 'quantity_info', 'quantity')
    const overrides = list(entry, 'quantity_info', 'overrides')
    const limits = [quantity, ...overrides.map(each => at(each, 'quantity'))]
    const options = list(entry, 'modifier_options').flatMap(option => readOption(id, text(option, 'id')))
    const group: ForeignGroup = {
      keys: [[`id ${id}`], [keyOf(title(entry, place))]],
      title: title(entry, place) || 'Options',
      isSingle: limits.every(each => whole(each, 'max_permitted') === 1),
      min: whole(quantity, 'min_permitted') ?? 0,
      max: whole(quantity, 'max_permitted') ?? 0,
      options,
    }
    if (limits.some(each => whole(each, 'charge_above') !== null)) {
      note(place, `"${group.title}" has options that are free up to a number; set free_quantity.`)
    }
    return group
  }

  function readOption(groupId: string, id: string) {
    const entry = items.get(id)
    const place = `item ${id}`
    const name = entry ? title(entry, place) : ''
    if (!entry || name === '') {
      note(`modifier group ${groupId}`, `It names the item ${id}, which the file does not have or has no title for.`)
      return []
    }
    const { price, quantity } = inGroup(entry, groupId)
    const read = minorPrice(price, currency)
    if ('flaw' in read) {
      note(place, `The option "${name}" ${read.flaw}, so it is left out.`)
      return []
    }
    const nested = list(entry, 'modifier_group_ids', 'ids').map(each => text(each))
    if (nested.length > 0)
      note(place, `The option "${name}" has options of its own (${nested.join(', ')}), which are left out.`)
    const most = whole(quantity, 'max_permitted')
    return [
      {
        keys: [[`id ${id}`]],
        title: name,
        price: read.amount,
        isDefault: (whole(quantity, 'default_quantity') ?? 0) > 0,
        maxQuantity: most !== null && most > 0 ? most : null,
      },
    ]
  }

  function readCategory(id: string, entry: unknown): void {
    const name = title(entry, `category ${id}`) || 'Menu'
    const category: ForeignCategory = { keys: [[`id ${id}`], [keyOf(name)]], title: name, items: [] }
    for (const entity of list(entry, 'entities')) {
      const itemId = text(entity, 'id')
      const item = items.get(itemId)
      if (!item) note(`category ${id}`, `It names the item ${itemId}, which the file does not have.`)
      else if (dishes.has(itemId))
        note(`item ${itemId}`, `It stands in several categories; "${name}" is left without it.`)
      else {
        const dish = readDish(itemId, item, name)
        if (dish) category.items.push(dish)
      }
    }
    if (category.items.length > 0) menu.categories.set(id, category)
  }

  function readDish(id: string, entry: unknown, category: string): ForeignItem | undefined {
    const place = `item ${id}`
    const name = title(entry, place)
    const price: Price = name === '' ? { flaw: 'has no title' } : minorPrice(at(entry, 'price_info', 'price'), currency)
    if ('flaw' in price) {
      note(place, `"${name}" ${price.flaw}, so it is left out.`)
      return undefined
    }
    const ids = new Set(list(entry, 'modifier_group_ids', 'ids').map(each => text(each)))
    const dish: ForeignItem = {
      keys: itemKeys([`id ${id}`], category, name),
      title: name,
      description: plainDescription(translation(at(entry, 'description'), language), place),
      price: price.amount,
      published: true,
      isAlcohol: (whole(entry, 'classifications', 'alcoholic_items') ?? 0) > 0,
      sizes: [],
      groups: [...ids].flatMap(groupId => {
        const group = groups.get(groupId)
        if (!group) note(place, `"${name}" names the modifier group ${groupId}, which the file does not have.`)
        return group ? [{ group, ...limitsFor(groupId, id) }] : []
      }),
    }
    dishes.set(id, dish)
    pricesOf.set(id, at(entry, 'price_info'))
    return dish
  }

  /** The limits that a group has on one item only. */
  function limitsFor(groupId: string, itemId: string): { min: number | null; max: number | null } {
    const info = at(groupEntries.get(groupId), 'quantity_info')
    const quantity = at(overridesOf(info).get(`ITEM ${itemId}`), 'quantity')
    return { min: whole(quantity, 'min_permitted'), max: whole(quantity, 'max_permitted') }
  }

  /** What the file says and a restaurant file cannot, or not as it is said there. */
  function noteRest(): void {
    for (const [id, info] of pricesOf) {
      const others = list(info, 'overrides').filter(each => text(each, 'context_type') !== 'MODIFIER_GROUP')
      for (const each of others) {
        const where = `${text(each, 'context_type')} ${text(each, 'context_value')}`
        note(`item ${id}`, `It has a price of its own in ${where}, which is left out.`)
      }
    }
    const rates = new Map<string, number>()
    for (const id of dishes.keys()) {
      const tax = at(items.get(id), 'tax_info')
      for (const kind of ['tax_rate', 'vat_rate_percentage']) {
        const rate = at(tax, kind)
        if (typeof rate === 'number') rates.set(`${kind} ${rate}`, (rates.get(`${kind} ${rate}`) ?? 0) + 1)
      }
    }
    for (const [rate, count] of rates) {
      note('tax_info', `${count} dishes have the ${rate}; set tax_rate and prices_include_tax.`)
    }
    const pictures = [...dishes.keys()].filter(id => text(items.get(id), 'image_url')).length
    if (pictures > 0) note('image_url', `${pictures} pictures are addresses on the web; put the files below SITE_ROOT.`)
    const suspended = [...items].filter(([, entry]) => whole(entry, 'suspension_info', 'suspension', 'suspend_until'))
    for (const [id, entry] of suspended) {
      note(`item ${id}`, `"${title(entry, id)}" is suspended on Uber Eats; on the menu here it is available.`)
    }
    const languages = new Set([...items.values()].flatMap(entry => namesIn(at(entry, 'title', 'translations'))))
    languages.delete(language)
    if (languages.size > 0)
      note(
        'translations',
        `The titles in ${[...languages].slice(0, 5).join(', ')} are left out; those in ${language} are kept.`,
      )
  }

  /** What an option costs in a group, and how many may be had there. */
  function inGroup(entry: unknown, groupId: string): { price: unknown; quantity: unknown } {
    const prices = at(entry, 'price_info')
    const quantities = at(entry, 'quantity_info')
    const context = `MODIFIER_GROUP ${groupId}`
    const price = at(overridesOf(prices).get(context), 'price')
    return {
      price: typeof price === 'number' ? price : at(prices, 'price'),
      quantity: at(overridesOf(quantities).get(context), 'quantity') ?? at(quantities, 'quantity'),
    }
  }
}

function emptyMenu(): [ReturnType<typeof emptyLocation>, ForeignMenu] {
  const location = emptyLocation(null)
  return [location, { categories: new Map(), groups: [], locations: [location], unknown: [] }]
}

/** Finds overrides by their context, which is looked through once: a file may have very many. */
function overridesByContext(): (info: unknown) => Map<string, unknown> {
  const known = new Map<unknown, Map<string, unknown>>()
  return info => {
    const overrides = known.get(info) ?? new Map<string, unknown>()
    if (known.has(info)) return overrides
    for (const each of list(info, 'overrides')) {
      const context = `${text(each, 'context_type')} ${text(each, 'context_value')}`
      if (!overrides.has(context)) overrides.set(context, each)
    }
    known.set(info, overrides)
    return overrides
  }
}

/** A list that names few things very often would make a restaurant file far larger than itself. */
function refuseTooMany(document: unknown): void {
  const options = list(document, 'modifier_groups').flatMap(group => list(group, 'modifier_options')).length
  const links = list(document, 'items').flatMap(item => list(item, 'modifier_group_ids', 'ids')).length
  if (options + links > MOST_LINKS) throw new UnreadableMenu(`has more than ${MOST_LINKS} options and groups of items`)
}

function byId(entries: unknown[]): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const entry of entries) {
    const id = text(entry, 'id')
    if (id === '') continue
    if (found.has(id)) throw new UnreadableMenu(`has the id ${JSON.stringify(id.slice(0, 60))} twice`)
    found.set(id, entry)
  }
  return found
}

/** The language of the first title, which is taken for the restaurant's. */
function languageOf(document: unknown): string {
  const titled = [...list(document, 'menus'), ...list(document, 'items')]
  for (const entry of titled) {
    const [language] = namesIn(at(entry, 'title', 'translations'))
    if (language !== undefined) return language
  }
  return 'en'
}

function translation(titles: unknown, language: string): string {
  const translations = at(titles, 'translations')
  const [first = ''] = namesIn(translations)
  return text(translations, language) || text(translations, first)
}

function namesIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

const days: Record<string, string> = {
  monday: 'mon',
  tuesday: 'tue',
  wednesday: 'wed',
  thursday: 'thu',
  friday: 'fri',
  saturday: 'sat',
  sunday: 'sun',
}

/** The hours of the only menu with one period a day; other hours are for the owner to set. */
function openingHours(menus: unknown[], note: (place: string, message: string) => void) {
  const hours: Record<string, { open: string; close: string }> = {}
  const availability = menus.flatMap(entry => list(entry, 'service_availability'))
  const isTime = (value: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
  const isPlain = menus.length === 1 && availability.every(day => list(day, 'time_periods').length <= 1)
  for (const day of isPlain ? availability : []) {
    const name = days[text(day, 'day_of_week').toLowerCase()]
    const [period] = list(day, 'time_periods')
    const open = text(period, 'start_time')
    const close = text(period, 'end_time')
    if (name !== undefined && isTime(open) && isTime(close)) hours[name] = { open, close }
  }
  if (Object.keys(hours).length === 0 && availability.length > 0) {
    note('service_availability', 'The hours are several a day or differ by menu; set opening_hours.')
  }
  return hours
}
