import type { MenuEdit, PriceEdit } from '../../../store/catalogue/edit.ts'
import type { ItemEntry, LocationEntry, RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import { type Html, html } from '../../html/html.ts'
import type { Form } from '../../page/form.ts'
import type { View } from '../../page/view.ts'
import { words } from '../words/dish.ts'
import { checkField, selectField, textArea, textField } from './menu-fields.ts'
import {
  type Allergens,
  allergenFields,
  type Figure,
  figureText,
  formNote,
  inOrderOf,
  languageName,
  noText,
  optionalFigure,
  otherLanguages,
  parseSeen,
  priceFigure,
  readAllergens,
  readTexts,
  type Texts,
  translationFields,
  type Wrong,
} from './menu-form.ts'

export interface SizeInput {
  id?: number
  title: string
  price: Figure
  is_default: boolean
  published: boolean
  translations: Texts
}

/** The members of a dish that its form shows, as in the restaurant file. */
export interface DishMembers {
  title: string
  number: string | null
  description: string | null
  price: Figure
  published: boolean
  tax_class: number | null
  prep_time_minutes: Figure | null
  calories: Figure | null
  spice_level: Figure | null
  minimum_age: Figure | null
  is_alcohol: boolean
  labels: number[]
  variations: SizeInput[]
  modifier_groups: { id: number; min_select: Figure | null; max_select: Figure | null }[]
  allergens: Allergens
  translations: Texts
}

/** What differs at one location. An empty price inherits. */
interface PlaceInput {
  isOffered: boolean
  price: string
}

export interface DishInput {
  members: DishMembers
  category: number
  places: Map<number, PlaceInput>
}

/** The names of the fields of the form, for `readForm`. */
export const dishFields = {
  once: [
    'id',
    'seen',
    'title',
    'number',
    'description',
    'price',
    'published',
    'category',
    'default',
    'tax_class',
    'prep_time_minutes',
    'calories',
    'spice_level',
    'minimum_age',
    'is_alcohol',
  ],
  prefixes: ['size-', 'place-', 'group-', 'allergen-', 'label-', 'title-', 'description-'],
} as const

type DishForm = Form<(typeof dishFields)['once'][number] | (typeof dishFields)['prefixes'][number]>

export const newDish: DishInput = {
  members: {
    title: '',
    number: null,
    description: null,
    price: '',
    published: true,
    tax_class: null,
    prep_time_minutes: null,
    calories: null,
    spice_level: null,
    minimum_age: null,
    is_alcohol: false,
    labels: [],
    variations: [],
    modifier_groups: [],
    allergens: [],
    translations: {},
  },
  category: 0,
  places: new Map(),
}

/** A dish as its form shows it. */
export function inputOf(restaurant: RestaurantFile, entry: ItemEntry, view: View): DishInput {
  const { title, number, description, published, tax_class, is_alcohol, labels, allergens, translations } = entry
  const { prep_time_minutes, calories, spice_level, minimum_age, modifier_groups } = entry
  const category = restaurant.categories.find(({ items }) => items.some(({ id }) => id === entry.id))?.id ?? 0
  return {
    members: {
      ...{ title, number, description, published, tax_class, is_alcohol, labels, allergens, translations },
      ...{ prep_time_minutes, calories, spice_level, minimum_age, modifier_groups },
      price: entry.price / 1000,
      variations: entry.variations.map(size => ({ ...size, price: size.price / 1000 })),
    },
    category,
    places: new Map(restaurant.locations.map(location => [location.id, placeOf(location, entry.id, view)])),
  }
}

function placeOf({ items }: LocationEntry, id: number, view: View): PlaceInput {
  const exception = items.find(each => each.id === id)
  const price = exception?.price ?? null
  return { isOffered: exception?.enabled !== false, price: price === null ? '' : figureText(view, price / 1000) }
}

/** Reads the form of a dish. `now` is the dish as it is; undefined: a new one. */
export function readDish(form: DishForm, restaurant: RestaurantFile, now: ItemEntry | undefined): DishInput {
  const { text } = form
  const languages = otherLanguages(restaurant)
  const sizes = form.below('size-')
  const places = form.below('place-')
  const groups = form.below('group-')
  const labels = [...form.below('label-').keys()].map(Number)
  const chosen = [...groups.keys()].filter(key => /^\d+$/.test(key)).map(Number)
  const rows = [...sizes.keys()].flatMap(key => /^(\d+)-title$/.exec(key)?.[1] ?? [])
  return {
    members: {
      title: text('title').trim(),
      number: noText(text('number')),
      description: noText(text('description')),
      price: priceFigure(text('price')),
      published: text('published') !== '',
      tax_class: text('tax_class') === '' ? null : Number(text('tax_class')),
      prep_time_minutes: optionalFigure(text('prep_time_minutes')),
      calories: optionalFigure(text('calories')),
      spice_level: optionalFigure(text('spice_level')),
      minimum_age: optionalFigure(text('minimum_age')),
      is_alcohol: text('is_alcohol') !== '',
      labels: inOrderOf(now?.labels ?? [], labels, id => id),
      variations: rows.flatMap(row => readSize(row, sizes, text('default') === row, languages)),
      modifier_groups: inOrderOf(now?.modifier_groups.map(({ id }) => id) ?? [], chosen, id => id).map(id => ({
        id,
        min_select: optionalFigure(groups.get(`${id}-min`) ?? ''),
        max_select: optionalFigure(groups.get(`${id}-max`) ?? ''),
      })),
      allergens: readAllergens(form.below('allergen-'), now?.allergens ?? []),
      translations: readTexts(languages, (language, member) =>
        (member === 'title' ? form.below('title-') : form.below('description-')).get(language),
      ),
    },
    category: Number(text('category')),
    places: new Map(
      restaurant.locations.map(({ id }) => [
        id,
        { isOffered: places.has(`${id}-offered`), price: (places.get(`${id}-price`) ?? '').trim() },
      ]),
    ),
  }
}

/** A row without a name and a price is no size. */
function readSize(row: string, fields: Map<string, string>, isDefault: boolean, languages: string[]): SizeInput[] {
  const field = (name: string) => fields.get(`${row}-${name}`) ?? ''
  const title = field('title').trim()
  if (title === '' && (field('price').trim() === '' || field('id') !== '')) return []
  return [
    {
      ...(field('id') !== '' && { id: Number(field('id')) }),
      title,
      price: priceFigure(field('price')),
      is_default: isDefault,
      published: field('published') !== '',
      translations: readTexts(languages, (language, member) => (member === 'title' ? field(language) : undefined)),
    },
  ]
}

/** What a hidden field keeps of a dish, to find out later what the person has changed. */
export function seenText({ members, category, places }: DishInput): string {
  return JSON.stringify({ members, category, places: Object.fromEntries(places) })
}

/** The steps that make a dish what its form says; `seen` is the hidden field. */
export function editsOf(id: number, { members, category, places }: DishInput, seen: string): MenuEdit[] {
  const { members: was, category: oldCategory, places: oldPlaces } = parseSeen(seen)
  const edits: MenuEdit[] = [
    { edit: 'change', record: 'item', id, was: parseSeen(JSON.stringify(was ?? {})), wanted: { ...members } },
  ]
  if (category !== oldCategory) edits.push({ edit: 'move', record: 'item', id, category, before: null })
  const prices: PriceEdit[] = []
  const known = parseSeen(JSON.stringify(oldPlaces ?? {}))
  for (const [location, { isOffered, price }] of places) {
    const old = parseSeen(JSON.stringify(known[location] ?? {}))
    if (old.isOffered !== isOffered) {
      edits.push({ edit: 'offer', item: id, location, was: old.isOffered !== false, isOffered })
    }
    if (old.price !== price) {
      const oldPrice = typeof old.price === 'string' ? old.price : ''
      prices.push({ kind: 'item', id, location, was: milliOf(oldPrice), price: milliOf(price) })
    }
  }
  if (prices.length > 0) edits.push({ edit: 'prices', prices })
  return edits
}

/** An empty price is null; one that cannot be read is refused before it comes here. */
function milliOf(price: string): number | null {
  const figure = priceFigure(price)
  return typeof figure === 'number' ? Math.round(figure * 1000) : null
}

/** The places of prices that cannot be read. */
export function unreadablePrices({ places }: DishInput): number[] {
  return [...places].flatMap(([id, { price }]) => (price !== '' && typeof priceFigure(price) === 'string' ? [id] : []))
}

/** The fields of a dish. */
export function dishFieldset(view: View, restaurant: RestaurantFile, input: DishInput, wrong: Wrong): Html {
  const w = words[view.language]
  const { members } = input
  const categories = restaurant.categories.map(({ id, title }) => ({ value: id, label: title }))
  const whole = (name: 'prep_time_minutes' | 'calories' | 'spice_level' | 'minimum_age', label: string) =>
    textField({ name, label, value: members[name], inputmode: 'numeric', wrong: wrong.at(name) })
  return html`${formNote(view, wrong)}
<section class="card stack"><div class="fields two">
${textField({ name: 'title', label: w.title, value: members.title, wrong: wrong.at('title'), isRequired: true })}
${textField({ name: 'price', label: w.price, value: figureText(view, members.price), inputmode: 'decimal', help: w.priceHelp, wrong: wrong.at('price'), isRequired: true })}
${selectField({ name: 'category', label: w.section, value: input.category, wrong: wrong.at('category') }, categories)}
${textField({ name: 'number', label: w.number, value: members.number, wrong: wrong.at('number') })}</div>
${textArea({ name: 'description', label: w.description, value: members.description, wrong: wrong.at('description') })}
${checkField('published', w.published, members.published)}
</section>
${sizesSection(view, restaurant, members, wrong)}
${input.places.size > 0 && placesSection(view, restaurant, input, wrong)}
${groupsSection(view, restaurant, members, wrong)}
<section class="card stack"><h2>${w.allergens}</h2><p class="quiet small">${w.allergensHelp}</p>
${wrong.at('allergens') && html`<p class="wrong">${wrong.at('allergens')}</p>`}
${allergenFields(view, restaurant, members.allergens, 'allergen-')}</section>
${
  restaurant.labels.length > 0 &&
  html`<section class="card stack tight"><h2>${w.labels}</h2>${wrong.at('labels') && html`<p class="wrong">${wrong.at('labels')}</p>`}<div class="chips">${restaurant.labels.map(({ id, title }) => checkField(`label-${id}`, title, members.labels.includes(id)))}</div></section>`
}
${translationFields(view, otherLanguages(restaurant), members.translations, wrong)}
<section class="card stack"><h2>${w.more}</h2><div class="fields two">
${
  restaurant.tax_classes.length > 0 &&
  selectField({ name: 'tax_class', label: w.taxClass, value: members.tax_class, wrong: wrong.at('tax_class') }, [
    { value: '', label: w.asSection },
    ...restaurant.tax_classes.map(({ id, title }) => ({ value: id, label: title })),
  ])
}
${whole('prep_time_minutes', w.prepTime)}${whole('calories', w.calories)}${whole('spice_level', w.spice)}${whole('minimum_age', w.age)}
${checkField('is_alcohol', w.alcohol, members.is_alcohol)}
</div></section>`
}

function sizesSection(view: View, restaurant: RestaurantFile, { variations }: DishMembers, wrong: Wrong): Html {
  const w = words[view.language]
  const languages = otherLanguages(restaurant)
  const blank: SizeInput = { title: '', price: '', is_default: false, published: true, translations: {} }
  const rows = [...variations, blank, ...(variations.length === 0 ? [blank] : [])]
  return html`<section class="card stack"><h2>${w.sizes}</h2><p class="quiet small">${w.sizesHelp}</p>
${wrong.at('variations') && html`<p class="wrong">${wrong.at('variations')}</p>`}
${rows.map((size, row) => {
  const name = `size-${row}`
  const place = `variations/${row}`
  return html`<fieldset class="part-row"><legend class="sr">${w.size(row + 1)}</legend>
${size.id !== undefined && html`<input type="hidden" name="${name}-id" value="${size.id}">`}
${textField({ name: `${name}-title`, label: w.title, value: size.title, wrong: wrong.at(`${place}/title`) })}
${languages.map(language =>
  textField({
    name: `${name}-${language}`,
    label: w.inLanguage(w.title, languageName(view, language)),
    value: size.translations[language]?.title ?? '',
    wrong: wrong.at(`${place}/translations/${language}/title`),
  }),
)}
${textField({ name: `${name}-price`, label: w.price, value: figureText(view, size.price), inputmode: 'decimal', wrong: wrong.at(`${place}/price`) })}
<div class="marks"><label class="choice"><input type="radio" name="default" value="${row}" checked="${size.is_default}">${w.isDefault}</label>
${checkField(`${name}-published`, w.published, size.published)}</div></fieldset>`
})}</section>`
}

function placesSection(view: View, { locations }: RestaurantFile, { members, places }: DishInput, wrong: Wrong): Html {
  const w = words[view.language]
  return html`<section class="card stack"><h2>${w.places}</h2><div class="fields two">${locations.map(
    ({ id, title }) => {
      const place = places.get(id)
      return html`<div class="stack tight">${checkField(`place-${id}-offered`, w.offeredIn(title), place?.isOffered !== false)}
${textField({ name: `place-${id}-price`, label: w.priceIn(title), value: place?.price ?? '', inputmode: 'decimal', help: w.inherits(figureText(view, members.price)), wrong: wrong.at(`place-${id}`) })}</div>`
    },
  )}</div></section>`
}

function groupsSection(
  view: View,
  { modifier_groups }: RestaurantFile,
  { modifier_groups: links }: DishMembers,
  wrong: Wrong,
): Html {
  const w = words[view.language]
  const groups = new Map(modifier_groups.map(group => [group.id, group]))
  const others = modifier_groups.filter(({ id }) => !links.some(link => link.id === id))
  return html`<section class="card stack tight"><h2>${w.options}</h2>
${modifier_groups.length === 0 && html`<p class="quiet">${w.noGroups}</p>`}
${wrong.at('modifier_groups') && html`<p class="wrong">${wrong.at('modifier_groups')}</p>`}
${links.map(({ id, min_select, max_select }, index) => {
  const { title = '', min_select: least = 0, max_select: most = 0 } = groups.get(id) ?? {}
  const limit = (name: 'min' | 'max', label: string, value: Figure | null, own: number) =>
    textField({
      name: `group-${id}-${name}`,
      label,
      value,
      inputmode: 'numeric',
      help: w.inherits(name === 'max' && own === 0 ? w.noLimit : String(own)),
      wrong: wrong.at(`modifier_groups/${index}/${name}_select`),
    })
  return html`<fieldset class="group-row"><legend class="sr">${title}</legend>${checkField(`group-${id}`, title, true)}
<a class="button plain" href="${view.link('/office/menu/group', { id })}">${w.edit}<span class="sr"> ${title}</span></a>
<div class="marks">${limit('min', w.least, min_select, least)}${limit('max', w.most, max_select, most)}</div></fieldset>`
})}
${
  others.length > 0 &&
  html`<details open="${links.length === 0}"><summary>${w.otherGroups}</summary><div class="marks">${others.map(({ id, title }) => checkField(`group-${id}`, title, false))}</div></details>`
}</section>`
}
