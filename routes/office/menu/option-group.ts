import type { MenuEdit } from '../../../store/catalogue/edit.ts'
import type { GroupEntry, RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import type { Reply } from '../../http/reply.ts'
import { type Form, readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/dish.ts'
import { checkField, selectField, textField } from './menu-fields.ts'
import {
  type Allergens,
  allergenFields,
  type Figure,
  figureText,
  formNote,
  languageName,
  nothingWrong,
  optionalFigure,
  otherLanguages,
  parseSeen,
  priceFigure,
  readAllergens,
  readTexts,
  type Texts,
  type Wrong,
  wholeFigure,
  wrongIn,
} from './menu-form.ts'
import { doneNote } from './menu-state.ts'

interface OptionInput {
  id?: number
  title: string
  price: Figure
  is_default: boolean
  max_quantity: Figure | null
  published: boolean
  allergens: Allergens
  translations: Texts
  /** Not in the form, so kept as they are. */
  variation_prices: { variation: number; price: number }[]
}

/** The members of an option group that its form shows, as in the restaurant file. */
interface GroupMembers {
  title: string
  selection_type: string
  is_required: boolean
  min_select: Figure
  max_select: Figure
  free_quantity: Figure
  modifiers: OptionInput[]
  translations: Texts
}

const fields = {
  once: ['id', 'seen', 'title', 'selection_type', 'min_select', 'max_select', 'free_quantity'],
  prefixes: ['option-', 'title-', 'allergen-'],
  most: 5000,
} as const

const newGroup: GroupMembers = {
  title: '',
  selection_type: 'multiple',
  is_required: false,
  min_select: 0,
  max_select: 0,
  free_quantity: 0,
  modifiers: [],
  translations: {},
}

/** GET {basePath}/office/menu/group: an option group with its options, or without an id the form of a new one. */
export const readGroup: Handler<PersonCaller> = (app, call) => {
  return groupPage(app, call, Number(queryOf(call.exchange.request).get('id')), {})
}

/** POST {basePath}/office/menu/group: saves an option group or adds one, as one step that can be undone. */
export const saveGroup: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, fields)
  if (!read.ok) return read.reply
  const id = Number(read.form.text('id'))
  const restaurant = app.store.restaurant()
  const present = restaurant.modifier_groups.find(group => group.id === id)
  const members = readMembers(read.form, restaurant, present)
  const wanted = { ...members }
  const was = parseSeen(read.form.text('seen'))
  const edit: MenuEdit =
    id === 0
      ? { edit: 'add', record: 'modifier_group', wanted }
      : { edit: 'change', record: 'modifier_group', id, was, wanted }
  const done = await app.writer.act(call.caller.actor, 'editMenu', [edit])
  app.store.refresh()
  if (isRefused(done)) return groupPage(app, call, id, { members, refusal: done })
  const saved = app.store.lastMenuChange()?.at
  return { kind: 'redirect', to: app.link('/office/menu/group', { id: done.added[0] ?? id, saved }) }
}

type GroupForm = Form<(typeof fields)['once'][number] | (typeof fields)['prefixes'][number]>

function readMembers(form: GroupForm, restaurant: RestaurantFile, now: GroupEntry | undefined): GroupMembers {
  const { text } = form
  const languages = otherLanguages(restaurant)
  const options = form.below('option-')
  const rows = [...options.keys()].flatMap(key => /^(\d+)-title$/.exec(key)?.[1] ?? [])
  const least = wholeFigure(text('min_select') || '0')
  return {
    title: text('title').trim(),
    selection_type: text('selection_type'),
    is_required: typeof least === 'number' && least >= 1,
    min_select: least,
    max_select: wholeFigure(text('max_select') || '0'),
    free_quantity: wholeFigure(text('free_quantity') || '0'),
    modifiers: rows.flatMap(row => readOption(row, options, form.below('allergen-'), languages, now)),
    translations: readTexts(languages, (language, member) =>
      member === 'title' ? form.below('title-').get(language) : undefined,
    ),
  }
}

/** A row without a name and a price is no option. */
function readOption(
  row: string,
  fields: Map<string, string>,
  allergens: Map<string, string>,
  languages: string[],
  now: GroupEntry | undefined,
): OptionInput[] {
  const field = (name: string) => fields.get(`${row}-${name}`) ?? ''
  const title = field('title').trim()
  if (title === '' && (field('price').trim() === '' || field('id') !== '')) return []
  const id = field('id') === '' ? undefined : Number(field('id'))
  const present = now?.modifiers.find(option => option.id === id)
  const declared = [...allergens].filter(([key]) => key.startsWith(`${row}-`))
  return [
    {
      ...(id !== undefined && { id }),
      title,
      price: priceFigure(field('price')),
      is_default: field('default') !== '',
      max_quantity: optionalFigure(field('most')),
      published: field('published') !== '',
      allergens: readAllergens(
        new Map(declared.map(([key, presence]) => [key.slice(row.length + 1), presence])),
        present?.allergens ?? [],
      ),
      translations: readTexts(languages, (language, member) => (member === 'title' ? field(language) : undefined)),
      variation_prices: pricesBySize(present),
    },
  ]
}

function pricesBySize(option: GroupEntry['modifiers'][number] | undefined): OptionInput['variation_prices'] {
  return (option?.variation_prices ?? []).map(({ variation, price }) => ({ variation, price: price / 1000 }))
}

function groupPage(
  app: App,
  call: Call<PersonCaller>,
  id: number,
  { members, refusal }: { members?: GroupMembers; refusal?: Refusal },
): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const restaurant = app.store.restaurant()
  const entry = restaurant.modifier_groups.find(group => group.id === id)
  const back = html`<a class="button" href="${view.link('/office/menu')}">${w.back}</a>`
  if (id !== 0 && !entry) return page(view, { title: w.gone, room: 'menu', status: 404, body: html`<p>${back}</p>` })
  const present = entry ? membersOf(entry) : newGroup
  const shown = members ?? present
  const wrong = refusal ? wrongIn(view, refusal, isShown) : nothingWrong
  const whole = (name: 'min_select' | 'max_select' | 'free_quantity', label: string, help?: string) =>
    textField({ name, label, value: shown[name], inputmode: 'numeric', help, wrong: wrong.at(name) })
  return page(view, {
    title: entry?.title ?? w.newGroup,
    room: 'menu',
    status: wrong.isClash ? 409 : refusal ? 422 : 200,
    aside: back,
    body: html`${doneNote(app, view, queryOf(call.exchange.request), '/office/menu')}
<form method="post" action="${view.link('/office/menu/group')}" class="stack">
<input type="hidden" name="id" value="${id}"><input type="hidden" name="seen" value="${JSON.stringify(present)}">
${formNote(view, wrong)}
<section class="card fields two">
${textField({ name: 'title', label: w.title, value: shown.title, wrong: wrong.at('title'), isRequired: true })}
${selectField({ name: 'selection_type', label: w.selection, value: shown.selection_type }, [
  { value: 'multiple', label: w.multiple },
  { value: 'single', label: w.single },
])}
${whole('min_select', w.least)}${whole('max_select', w.most, `0: ${w.noLimit}`)}${whole('free_quantity', w.free)}
${otherLanguages(restaurant).map(language =>
  textField({
    name: `title-${language}`,
    label: w.inLanguage(w.title, languageName(view, language)),
    value: shown.translations[language]?.title ?? '',
    wrong: wrong.at(`translations/${language}/title`),
  }),
)}</section>
${optionRows(view, restaurant, shown, wrong)}
<div class="save-bar"><button class="button primary">${w.save}</button></div></form>`,
  })
}

function optionRows(view: View, restaurant: RestaurantFile, { modifiers }: GroupMembers, wrong: Wrong): Html {
  const w = words[view.language]
  const blank: OptionInput = {
    title: '',
    price: '',
    is_default: false,
    max_quantity: null,
    published: true,
    allergens: [],
    translations: {},
    variation_prices: [],
  }
  return html`<section class="card stack"><h2>${w.options}</h2><p class="quiet small">${w.optionsHelp}</p>
${wrong.at('modifiers') && html`<p class="wrong">${wrong.at('modifiers')}</p>`}
${[...modifiers, blank, blank].map((option, row) => {
  const name = `option-${row}`
  const place = `modifiers/${row}`
  return html`<fieldset class="part-row"><legend class="sr">${w.option(row + 1)}</legend>
${option.id !== undefined && html`<input type="hidden" name="${name}-id" value="${option.id}">`}
${textField({ name: `${name}-title`, label: w.title, value: option.title, wrong: wrong.at(`${place}/title`) })}
${otherLanguages(restaurant).map(language =>
  textField({
    name: `${name}-${language}`,
    label: w.inLanguage(w.title, languageName(view, language)),
    value: option.translations[language]?.title ?? '',
    wrong: wrong.at(`${place}/translations/${language}/title`),
  }),
)}
${textField({ name: `${name}-price`, label: w.price, value: figureText(view, option.price), inputmode: 'decimal', wrong: wrong.at(`${place}/price`) })}
${textField({ name: `${name}-most`, label: w.mostEach, value: option.max_quantity, inputmode: 'numeric', wrong: wrong.at(`${place}/max_quantity`) })}
<div class="marks">${checkField(`${name}-default`, w.isDefault, option.is_default)}${checkField(`${name}-published`, w.published, option.published)}</div>
${
  restaurant.allergens.length > 0 &&
  html`<details class="whole"><summary>${w.allergens}${option.allergens.length > 0 && ` (${option.allergens.length})`}</summary>${allergenFields(view, restaurant, option.allergens, `allergen-${row}-`)}</details>`
}</fieldset>`
})}</section>`
}

function isShown(place: string): boolean {
  return /^(title|min_select|max_select|free_quantity|modifiers\/\d+\/(title|price|max_quantity)|translations\/[\w-]+\/title)$/.test(
    place,
  )
}

function membersOf(entry: GroupEntry): GroupMembers {
  const { title, selection_type, is_required, min_select, max_select, free_quantity, translations } = entry
  return {
    ...{ title, selection_type, is_required, min_select, max_select, free_quantity, translations },
    modifiers: entry.modifiers.map(option => ({
      ...option,
      price: option.price / 1000,
      variation_prices: pricesBySize(option),
    })),
  }
}
