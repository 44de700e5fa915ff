import {
  emptyLocation,
  type ForeignCategory,
  type ForeignGroup,
  type ForeignItem,
  type ForeignMenu,
  itemKeys,
  keyOf,
  UnreadableMenu,
} from './menu.ts'
import { plainDescription, plainTitle } from './plain-text.ts'
import { minorPrice, type Price } from './prices.ts'
import { MOST_ROWS } from './table.ts'

/** A part of a JSON document: what is not there or of another kind reads as nothing. */
interface Part {
  value: unknown
  at(key: string): Part
  list(): Part[]
  text(): string
  whole(): number | null
}

function part(value: unknown): Part {
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  return {
    value,
    at: key => part(members.find(([name]) => name === key)?.[1]),
    list: () => (Array.isArray(value) ? value.map(part) : []),
    text: () => (typeof value === 'string' ? value : ''),
    whole: () => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null),
  }
}

/** True for a JSON document that is an Uber Eats menu (version 2 of its interface). */
export function isUberMenu(document: unknown): boolean {
  const lists = ['menus', 'categories', 'items']
  const isMenu = lists.every(name => Array.isArray(part(document).at(name).value))
  return (
    isMenu &&
    part(document)
      .at('items')
      .list()
      .every(item => item.at('id').text() !== '')
  )
}

/**
 * Reads an Uber Eats menu: items of categories are dishes, items of modifier groups their options. Prices are in minor units;
 * a price or a limit that an option has in one group only (an override) counts there. Refuses more than 20,000 items.
 */
export function uberMenu(document: unknown, currency: string): ForeignMenu {
  const root = part(document)
  const [location, menu] = emptyMenu()
  const items = byId(root.at('items').list())
  if (items.size > MOST_ROWS) throw new UnreadableMenu(`has more than ${MOST_ROWS} items`)
  const note = (place: string, message: string) => void menu.unknown.push({ place, message })
  const language = languageOf(root)
  const title = (entry: Part, place: string) => plainTitle(translation(entry.at('title'), language), place)

  const groups = new Map<string, ForeignGroup>()
  const overridesOf = overridesByContext()
  const groupEntries = byId(root.at('modifier_groups').list())
  for (const [id, entry] of groupEntries) {
    const group = readGroup(id, entry)
    groups.set(id, group)
    menu.groups.push(group)
  }
  const dishes = new Map<string, ForeignItem>()
  const pricesOf = new Map<string, Part>()
  const menus = root.at('menus').list()
  const categories = byId(root.at('categories').list())
  const order = menus.flatMap(entry =>
    entry
      .at('category_ids')
      .list()
      .map(id => id.text()),
  )
  for (const id of new Set([...order, ...categories.keys()])) {
    const entry = categories.get(id)
    if (!entry) note(`category ${id}`, 'A menu names this category, but the file does not have it.')
    else if (!order.includes(id)) note(`category ${id}`, `"${title(entry, id)}" is on no menu; it is left out.`)
    else readCategory(id, entry)
  }
  location.openingHours = openingHours(menus, note)
  noteRest()
  return menu

  function readGroup(id: string, entry: Part): ForeignGroup {
    const place = `modifier group ${id}`
    const quantity = entry.at('quantity_info').at('quantity')
    const overrides = entry.at('quantity_info').at('overrides').list()
    const limits = [quantity, ...overrides.map(each => each.at('quantity'))]
    const options = entry
      .at('modifier_options')
      .list()
      .flatMap(option => readOption(id, option.at('id').text()))
    const group: ForeignGroup = {
      keys: [[`id ${id}`], [keyOf(title(entry, place))]],
      title: title(entry, place) || 'Options',
      isSingle: limits.every(each => each.at('max_permitted').whole() === 1),
      min: quantity.at('min_permitted').whole() ?? 0,
      max: quantity.at('max_permitted').whole() ?? 0,
      options,
    }
    if (limits.some(each => each.at('charge_above').whole() !== null)) {
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
    const read = minorPrice(price.value, currency)
    if ('flaw' in read) {
      note(place, `The option "${name}" ${read.flaw}, so it is left out.`)
      return []
    }
    const nested = entry
      .at('modifier_group_ids')
      .at('ids')
      .list()
      .map(each => each.text())
    if (nested.length > 0)
      note(place, `The option "${name}" has options of its own (${nested.join(', ')}), which are left out.`)
    const most = quantity.at('max_permitted').whole()
    return [
      {
        keys: [[`id ${id}`]],
        title: name,
        price: read.amount,
        isDefault: (quantity.at('default_quantity').whole() ?? 0) > 0,
        maxQuantity: most !== null && most > 0 ? most : null,
      },
    ]
  }

  function readCategory(id: string, entry: Part): void {
    const name = title(entry, `category ${id}`) || 'Menu'
    const category: ForeignCategory = { keys: [[`id ${id}`], [keyOf(name)]], title: name, items: [] }
    for (const entity of entry.at('entities').list()) {
      const itemId = entity.at('id').text()
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

  function readDish(id: string, entry: Part, category: string): ForeignItem | undefined {
    const place = `item ${id}`
    const name = title(entry, place)
    const price: Price =
      name === '' ? { flaw: 'has no title' } : minorPrice(entry.at('price_info').at('price').value, currency)
    if ('flaw' in price) {
      note(place, `"${name}" ${price.flaw}, so it is left out.`)
      return undefined
    }
    const ids = new Set(
      entry
        .at('modifier_group_ids')
        .at('ids')
        .list()
        .map(each => each.text()),
    )
    const dish: ForeignItem = {
      keys: itemKeys([`id ${id}`], category, name),
      title: name,
      description: plainDescription(translation(entry.at('description'), language), place),
      price: price.amount,
      published: true,
      isAlcohol: (entry.at('classifications').at('alcoholic_items').whole() ?? 0) > 0,
      sizes: [],
      groups: [...ids].flatMap(groupId => {
        const group = groups.get(groupId)
        if (!group) note(place, `"${name}" names the modifier group ${groupId}, which the file does not have.`)
        return group ? [{ group, ...limitsFor(groupId, id) }] : []
      }),
    }
    dishes.set(id, dish)
    pricesOf.set(id, entry.at('price_info'))
    return dish
  }

  /** The limits that a group has on one item only. */
  function limitsFor(groupId: string, itemId: string): { min: number | null; max: number | null } {
    const info = groupEntries.get(groupId)?.at('quantity_info')
    const quantity = info && overridesOf(info).get(`ITEM ${itemId}`)?.at('quantity')
    return { min: quantity?.at('min_permitted').whole() ?? null, max: quantity?.at('max_permitted').whole() ?? null }
  }

  /** What the file says and a restaurant file cannot, or not as it is said there. */
  function noteRest(): void {
    for (const [id, info] of pricesOf) {
      const others = info
        .at('overrides')
        .list()
        .filter(each => each.at('context_type').text() !== 'MODIFIER_GROUP')
      for (const each of others) {
        const where = `${each.at('context_type').text()} ${each.at('context_value').text()}`
        note(`item ${id}`, `It has a price of its own in ${where}, which is left out.`)
      }
    }
    const rates = new Map<string, number>()
    for (const id of dishes.keys()) {
      const tax = items.get(id)?.at('tax_info')
      for (const kind of ['tax_rate', 'vat_rate_percentage']) {
        const rate = tax?.at(kind).value
        if (typeof rate === 'number') rates.set(`${kind} ${rate}`, (rates.get(`${kind} ${rate}`) ?? 0) + 1)
      }
    }
    for (const [rate, count] of rates) {
      note('tax_info', `${count} dishes have the ${rate}; set tax_rate and prices_include_tax.`)
    }
    const pictures = [...dishes.keys()].filter(id => items.get(id)?.at('image_url').text()).length
    if (pictures > 0) note('image_url', `${pictures} pictures are addresses on the web; put the files below SITE_ROOT.`)
    const suspended = [...items].filter(([, entry]) =>
      entry.at('suspension_info').at('suspension').at('suspend_until').whole(),
    )
    for (const [id, entry] of suspended) {
      note(`item ${id}`, `"${title(entry, id)}" is suspended on Uber Eats; on the menu here it is available.`)
    }
    const languages = new Set(
      [...items.values()].flatMap(entry => Object.keys(entry.at('title').at('translations').value ?? {})),
    )
    languages.delete(language)
    if (languages.size > 0)
      note('translations', `The titles in ${[...languages].join(', ')} are left out; those in ${language} are kept.`)
  }

  /** What an option costs in a group, and how many may be had there. */
  function inGroup(entry: Part, groupId: string): { price: Part; quantity: Part } {
    const prices = entry.at('price_info')
    const quantities = entry.at('quantity_info')
    const price = overridesOf(prices).get(`MODIFIER_GROUP ${groupId}`)?.at('price')
    return {
      price: typeof price?.value === 'number' ? price : prices.at('price'),
      quantity: overridesOf(quantities).get(`MODIFIER_GROUP ${groupId}`)?.at('quantity') ?? quantities.at('quantity'),
    }
  }
}

function emptyMenu(): [ReturnType<typeof emptyLocation>, ForeignMenu] {
  const location = emptyLocation(null)
  return [location, { categories: new Map(), groups: [], locations: [location], unknown: [] }]
}

/** Finds overrides by their context, which is looked through once: a file may have very many. */
function overridesByContext(): (info: Part) => Map<string, Part> {
  const known = new Map<unknown, Map<string, Part>>()
  return info => {
    const overrides = known.get(info.value) ?? new Map<string, Part>()
    if (known.has(info.value)) return overrides
    for (const each of info.at('overrides').list()) {
      const context = `${each.at('context_type').text()} ${each.at('context_value').text()}`
      if (!overrides.has(context)) overrides.set(context, each)
    }
    known.set(info.value, overrides)
    return overrides
  }
}

function byId(entries: Part[]): Map<string, Part> {
  const found = new Map<string, Part>()
  for (const entry of entries) {
    const id = entry.at('id').text()
    if (id === '') continue
    if (found.has(id)) throw new UnreadableMenu(`has the id ${JSON.stringify(id.slice(0, 60))} twice`)
    found.set(id, entry)
  }
  return found
}

/** The language of the first title, which is taken for the restaurant's. */
function languageOf(root: Part): string {
  const titled = [...root.at('menus').list(), ...root.at('items').list()]
  for (const entry of titled) {
    const [language] = Object.keys(entry.at('title').at('translations').value ?? {})
    if (language !== undefined) return language
  }
  return 'en'
}

function translation(text: Part, language: string): string {
  const translations = text.at('translations')
  const [first] = Object.values(translations.value ?? {})
  return translations.at(language).text() || part(first).text()
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
function openingHours(menus: Part[], note: (place: string, message: string) => void) {
  const hours: Record<string, { open: string; close: string }> = {}
  const availability = menus.flatMap(entry => entry.at('service_availability').list())
  const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
  const isPlain = menus.length === 1 && availability.every(day => day.at('time_periods').list().length <= 1)
  for (const day of isPlain ? availability : []) {
    const name = days[day.at('day_of_week').text().toLowerCase()]
    const [period] = day.at('time_periods').list()
    const open = period?.at('start_time').text() ?? ''
    const close = period?.at('end_time').text() ?? ''
    if (name !== undefined && isTime(open) && isTime(close)) hours[name] = { open, close }
  }
  if (Object.keys(hours).length === 0 && availability.length > 0) {
    note('service_availability', 'The hours are several a day or differ by menu; set opening_hours.')
  }
  return hours
}
