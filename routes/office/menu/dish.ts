import type { MenuEdit } from '../../../store/catalogue/edit.ts'
import { keepImage, LARGEST_IMAGE } from '../../../store/catalogue/images.ts'
import type { ItemEntry, RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import type { Reply } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { readUpload } from '../../page/upload.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/dish.ts'
import {
  type DishInput,
  dishFields,
  dishFieldset,
  editsOf,
  inputOf,
  newDish,
  readDish,
  seenText,
  unreadablePrices,
} from './dish-form.ts'
import { findingsOf } from './menu.ts'
import { figureText, nothingWrong, type Wrong, wrongIn } from './menu-form.ts'
import { doneNote } from './menu-state.ts'

// A photograph with the rest of its form.
const LARGEST_UPLOAD = LARGEST_IMAGE + 16 * 1024

/** GET {basePath}/office/menu/dish: everything about one dish. */
export const readDishPage: Handler<PersonCaller> = (app, call) => {
  const id = Number(queryOf(call.exchange.request).get('id'))
  return dishPage(app, call, id, {})
}

/** POST {basePath}/office/menu/dish: saves a dish as one step that can be undone. */
export const saveDish: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, dishFields)
  if (!read.ok) return read.reply
  const id = Number(read.form.text('id'))
  const restaurant = app.store.restaurant()
  const input = readDish(read.form, restaurant, itemOf(restaurant, id))
  const unreadable = unreadablePrices(input)
  if (unreadable.length > 0) return dishPage(app, call, id, { input, unreadable })
  const done = await app.writer.act(call.caller.actor, 'editMenu', editsOf(id, input, read.form.text('seen')))
  app.store.refresh()
  if (isRefused(done)) return dishPage(app, call, id, { input, refusal: done })
  return saved(app, id)
}

/** GET {basePath}/office/menu/new: the form of a new dish. */
export const readNewDish: Handler<PersonCaller> = (app, call) => {
  const category = Number(queryOf(call.exchange.request).get('section'))
  return newDishPage(app, call, { ...newDish, category }, nothingWrong)
}

/** POST {basePath}/office/menu/new: adds a dish at the end of its section. */
export const addDish: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, dishFields)
  if (!read.ok) return read.reply
  const input = readDish(read.form, app.store.restaurant(), undefined)
  const { category, members } = input
  const edit: MenuEdit = { edit: 'add', record: 'item', category, wanted: { ...members } }
  const done = await app.writer.act(call.caller.actor, 'editMenu', [edit])
  if (!isRefused(done)) return saved(app, done.added[0] ?? 0)
  return newDishPage(app, call, input, wrongOf(viewOf(app, call), done))
}

/** POST {basePath}/office/menu/copy: copies a dish; the copy is not published. */
export const copyDish: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['id'] })
  if (!read.ok) return read.reply
  const id = Number(read.form.text('id'))
  const view = viewOf(app, call)
  const title = words[view.language].copyOf(itemOf(app.store.restaurant(), id)?.title ?? '')
  const done = await app.writer.act(call.caller.actor, 'editMenu', [{ edit: 'copy', item: id, title }])
  if (isRefused(done)) return dishPage(app, call, id, { refusal: done })
  return saved(app, done.added[0] ?? id)
}

/** POST {basePath}/office/menu/image: keeps an image and shows it with a dish, or removes the one of the dish. */
export const saveImage: Handler<PersonCaller> = async (app, call) => {
  const read = await readUpload(call, LARGEST_UPLOAD)
  const view = viewOf(app, call)
  const w = words[view.language]
  // The address names the dish as well, so that the page can be shown even if the upload could not be read.
  const id = Number(queryOf(call.exchange.request).get('id'))
  const item = itemOf(app.store.restaurant(), id)
  if (!read.ok) {
    if (read.reason === 'gone') return undefined
    const image = read.reason === 'too large' ? w.imageTooLarge(LARGEST_IMAGE / 1024) : w.noImage
    return dishPage(app, call, id, { image })
  }
  const { file, text } = read.upload
  if (text('remove') === '' && !file) return dishPage(app, call, id, { image: w.noImageChosen })
  const kept = file && text('remove') === '' ? await keepImage(app.siteRoot, file.bytes) : null
  if (isRefused(kept)) {
    const image = kept.flaw === 'too large' ? w.imageTooLarge(LARGEST_IMAGE / 1024) : w.noImage
    return dishPage(app, call, id, { image })
  }
  const was = { image: item?.image ?? null }
  const done = await app.writer.act(call.caller.actor, 'editMenu', [
    { edit: 'change', record: 'item', id, was, wanted: { image: kept } },
  ])
  app.store.refresh()
  return isRefused(done) ? dishPage(app, call, id, { refusal: done }) : saved(app, id)
}

/** Leads to a dish that was just changed, with the way to undo that. */
function saved(app: App, id: number): Reply {
  app.store.refresh()
  return { kind: 'redirect', to: app.link('/office/menu/dish', { id, saved: app.store.lastMenuChange()?.at }) }
}

function itemOf({ categories }: RestaurantFile, id: number): ItemEntry | undefined {
  return categories.flatMap(({ items }) => items).find(item => item.id === id)
}

interface Shown {
  /** What the person wants instead of what is there. */
  input?: DishInput
  refusal?: Refusal
  /** The locations whose prices cannot be read. */
  unreadable?: number[]
  /** What is wrong with the image. */
  image?: string
}

function dishPage(app: App, call: Call<PersonCaller>, id: number, shown: Shown): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const restaurant = app.store.restaurant()
  const item = itemOf(restaurant, id)
  const back = html`<a class="button" href="${view.link('/office/menu', {}, item && `dish-${id}`)}">${w.back}</a>`
  if (!item) return page(view, { title: w.gone, room: 'menu', status: 404, body: html`<p>${back}</p>` })
  const present = inputOf(restaurant, item, view)
  const { input = present, refusal, unreadable, image } = shown
  const wrong = refusal ? wrongOf(view, refusal) : unreadable ? wrongPrices(view, unreadable) : nothingWrong
  const status = refusal?.refused === 'changed meanwhile' ? 409 : wrong !== nothingWrong || image ? 422 : 200
  const query = queryOf(call.exchange.request)
  return page(view, {
    title: item.title,
    room: 'menu',
    status,
    aside: html`<div class="actions">${back}
<form method="post" action="${view.link('/office/menu/copy')}"><input type="hidden" name="id" value="${id}"><button>${w.copy}</button></form></div>`,
    body: html`${doneNote(app, view, query, '/office/menu')}
${findingsNote(app, view, restaurant, id)}
<form method="post" action="${view.link('/office/menu/dish')}" class="stack">
<input type="hidden" name="id" value="${id}"><input type="hidden" name="seen" value="${seenText(present)}">
${dishFieldset(view, restaurant, input, wrong)}
<div class="save-bar"><button class="button primary">${w.save}</button></div>
</form>
${imageSection(app, view, item, image)}`,
  })
}

function newDishPage(app: App, call: Call<PersonCaller>, input: DishInput, wrong: Wrong): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const restaurant = app.store.restaurant()
  return page(view, {
    title: w.newDish,
    room: 'menu',
    status: wrong === nothingWrong ? 200 : 422,
    aside: html`<a class="button" href="${view.link('/office/menu')}">${w.back}</a>`,
    body: html`<form method="post" action="${view.link('/office/menu/new')}" class="stack">
${dishFieldset(view, restaurant, input, wrong)}
<div class="save-bar"><button class="button primary">${w.save}</button></div></form>`,
  })
}

function wrongOf(view: View, refusal: Refusal): Wrong {
  const isClash = refusal.refused === 'changed meanwhile'
  // The key of a price at a location is that of its field.
  const clash: Refusal = isClash
    ? {
        ...refusal,
        fields: refusal.fields.map(({ field, now }) => ({
          field: field.replace(/^(?:item-\d+|offer)-(\d+)$/, 'place-$1'),
          now: /^item-/.test(field) && typeof now === 'number' ? now / 1000 : now,
        })),
      }
    : refusal
  return wrongIn(view, clash, isShown, (now, field) => nowText(view, now, field))
}

/** Whether the form of a dish has a field for a place. */
function isShown(place: string): boolean {
  return /^(title|number|description|price|prep_time_minutes|calories|spice_level|minimum_age|tax_class|variations\/\d+\/(title|price)|modifier_groups\/\d+\/(min|max)_select|translations\/[\w-]+\/\w+)$/.test(
    place,
  )
}

function nowText(view: View, now: unknown, field: string): string {
  const w = words[view.language]
  if (now === null || now === '') return w.empty
  if (typeof now === 'number')
    return field === 'price' || field.startsWith('place-') ? figureText(view, now) : String(now)
  if (typeof now === 'string') return now
  return w.changedToo
}

function wrongPrices(view: View, places: number[]): Wrong {
  const w = words[view.language]
  const fields = new Set(places.map(id => `place-${id}`))
  return { at: place => (fields.has(place) ? w.wrongPrice : undefined), elsewhere: [], isClash: false }
}

/** What the check of the menu says about this dish. */
function findingsNote(app: App, view: View, { categories }: RestaurantFile, id: number): Html | undefined {
  const w = words[view.language]
  const pointer = categories
    .map(({ items }, index) => `/categories/${index}/items/${items.findIndex(item => item.id === id)}`)
    .find(each => !each.endsWith('-1'))
  const own = findingsOf(app).filter(
    finding => finding.pointer === pointer || finding.pointer.startsWith(`${pointer}/`),
  )
  if (own.length === 0) return undefined
  return html`<div class="note"><div><p>${w.check}</p><ul>${own.map(({ message }) => html`<li>${message}</li>`)}</ul></div></div>`
}

function imageSection(app: App, view: View, { id, title, image }: ItemEntry, wrong: string | undefined): Html {
  const w = words[view.language]
  const isServed = image !== null && app.store.catalogue.current().images.has(image)
  const path = image?.split('/').map(encodeURIComponent).join('/')
  return html`<section class="card stack" id="image"><h2>${w.image}</h2>
${isServed && html`<img class="dish-image" src="${view.link(`/${path}`)}" alt="${title}">`}
${image !== null && html`<p class="quiet small path">${image}</p>`}
<form method="post" action="${view.link('/office/menu/image', { id })}" enctype="multipart/form-data" class="stack">
<div class="field"><label for="file">${w.chooseImage}</label>
<input id="file" type="file" name="file" accept="image/png,image/jpeg,image/webp,image/avif,image/gif" data-shrink="${LARGEST_IMAGE}" aria-invalid="${wrong !== undefined && 'true'}" aria-describedby="file-help">
<span class="${wrong === undefined ? 'help' : 'wrong'}" id="file-help" role="${wrong !== undefined && 'alert'}">${wrong ?? w.imageHelp}</span></div>
<div class="actions"><button class="button">${w.upload}</button>
${image !== null && html`<button class="button danger" name="remove" value="1">${w.removeImage}</button>`}</div>
</form></section>`
}
