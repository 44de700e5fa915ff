import type { MenuEdit } from '../../../store/catalogue/edit.ts'
import type { RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import type { Reply } from '../../http/reply.ts'
import { type Form, readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { viewOf } from '../../page/view.ts'
import { words } from '../words/dish.ts'
import { checkField, selectField, textArea, textField } from './menu-fields.ts'
import {
  formNote,
  noText,
  nothingWrong,
  otherLanguages,
  parseSeen,
  readTexts,
  type Texts,
  translationFields,
  wrongIn,
} from './menu-form.ts'
import { doneNote } from './menu-state.ts'

/** The members of a section that its form shows, as in the restaurant file. */
interface SectionMembers {
  title: string
  description: string | null
  tax_class: number | null
  published: boolean
  translations: Texts
}

const fields = {
  once: ['id', 'seen', 'title', 'description', 'tax_class', 'published'],
  prefixes: ['title-', 'description-'],
} as const

const newSection: SectionMembers = { title: '', description: null, tax_class: null, published: true, translations: {} }

/** GET {basePath}/office/menu/section: a section of the menu, or without an id the form of a new one. */
export const readSection: Handler<PersonCaller> = (app, call) => {
  return sectionPage(app, call, Number(queryOf(call.exchange.request).get('id')), {})
}

/** POST {basePath}/office/menu/section: saves a section or adds one, as one step that can be undone. */
export const saveSection: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, fields)
  if (!read.ok) return read.reply
  const id = Number(read.form.text('id'))
  const members = readMembers(read.form, app.store.restaurant())
  const wanted = { ...members }
  const was = parseSeen(read.form.text('seen'))
  const edit: MenuEdit =
    id === 0 ? { edit: 'add', record: 'category', wanted } : { edit: 'change', record: 'category', id, was, wanted }
  const done = await app.writer.act(call.caller.actor, 'editMenu', [edit])
  app.store.refresh()
  if (isRefused(done)) return sectionPage(app, call, id, { members, refusal: done })
  const saved = app.store.lastMenuChange()?.at
  return { kind: 'redirect', to: app.link('/office/menu/section', { id: done.added[0] ?? id, saved }) }
}

function readMembers(
  form: Form<(typeof fields)['once'][number] | (typeof fields)['prefixes'][number]>,
  restaurant: RestaurantFile,
): SectionMembers {
  const { text } = form
  return {
    title: text('title').trim(),
    description: noText(text('description')),
    tax_class: text('tax_class') === '' ? null : Number(text('tax_class')),
    published: text('published') !== '',
    translations: readTexts(otherLanguages(restaurant), (language, member) =>
      (member === 'title' ? form.below('title-') : form.below('description-')).get(language),
    ),
  }
}

function sectionPage(
  app: App,
  call: Call<PersonCaller>,
  id: number,
  { members, refusal }: { members?: SectionMembers; refusal?: Refusal },
): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const restaurant = app.store.restaurant()
  const entry = restaurant.categories.find(category => category.id === id)
  const back = html`<a class="button" href="${view.link('/office/menu', {}, entry && `section-${id}`)}">${w.back}</a>`
  if (id !== 0 && !entry) return page(view, { title: w.gone, room: 'menu', status: 404, body: html`<p>${back}</p>` })
  const present: SectionMembers = entry ? membersOf(entry) : newSection
  const shown = members ?? present
  const wrong = refusal
    ? wrongIn(view, refusal, place => /^(title|description|translations\/[\w-]+\/\w+)$/.test(place))
    : nothingWrong
  return page(view, {
    title: entry?.title ?? w.newSection,
    room: 'menu',
    status: wrong.isClash ? 409 : refusal ? 422 : 200,
    aside: html`<div class="actions">${back}${entry && html`<a class="button" href="${view.link('/office/menu/new', { section: id })}">${w.newDish}</a>`}</div>`,
    body: html`${doneNote(app, view, queryOf(call.exchange.request), '/office/menu')}
<form method="post" action="${view.link('/office/menu/section')}" class="stack">
<input type="hidden" name="id" value="${id}"><input type="hidden" name="seen" value="${JSON.stringify(present)}">
${formNote(view, wrong)}
<section class="card stack"><div class="fields two">
${textField({ name: 'title', label: w.title, value: shown.title, wrong: wrong.at('title'), isRequired: true })}
${
  restaurant.tax_classes.length > 0 &&
  selectField({ name: 'tax_class', label: w.taxClass, value: shown.tax_class, wrong: wrong.at('tax_class') }, [
    { value: '', label: w.asLocation },
    ...restaurant.tax_classes.map(each => ({ value: each.id, label: each.title })),
  ])
}</div>
${textArea({ name: 'description', label: w.description, value: shown.description, wrong: wrong.at('description') })}
${checkField('published', w.published, shown.published)}</section>
${translationFields(view, otherLanguages(restaurant), shown.translations, wrong)}
<div class="save-bar"><button class="button primary">${w.save}</button></div></form>`,
  })
}

function membersOf({ title, description, tax_class, published, translations }: SectionMembers): SectionMembers {
  return { title, description, tax_class, published, translations }
}
