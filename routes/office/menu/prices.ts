import type { Language } from '../../../display/language.ts'
import { parsePrice, priceText } from '../../../display/price.ts'
import { refusalText } from '../../../display/refusal.ts'
import { type PriceEdit, priceKey } from '../../../store/catalogue/edit.ts'
import type { RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import { parseDecimal } from '../../../store/terms/decimal.ts'
import { share } from '../../../store/terms/money.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import type { Reply } from '../../http/reply.ts'
import { type Form, readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/prices.ts'
import { doneNote } from './menu-state.ts'

// A dish, a size or an option is a row; the price for everywhere and that of each location are columns. The name of each field
// holds the price that the person saw: "p-item-12-3~13500", so that nothing that somebody else changed is overwritten.

const fields = {
  once: ['do', 'place', 'scope', 'column', 'by', 'unit', 'round'],
  prefixes: ['p-'],
  most: 20_000,
} as const

/** Percentages have two decimals, amounts three. */
const steps = [10, 50, 100, 500, 1000] as const

interface Row {
  kind: PriceEdit['kind']
  id: number
  title: string
  /** Null: there is none at a location; undefined: this kind has none there. */
  prices: (number | null | undefined)[]
}

interface Part {
  /** What the selection names: "section-3" or "group-1". */
  key: string
  title: string
  rows: Row[]
}

/** What a person typed into a cell, and the price that they saw there. */
interface Typed {
  text: string
  was: number | null
}

/** GET {basePath}/office/menu/prices: the prices of all dishes and sizes, everywhere and at each location. */
export const readPrices: Handler<PersonCaller> = (app, call) =>
  pricesPage(app, call, {
    place: queryOf(call.exchange.request).get('location') ?? '',
    typed: new Map(),
  })

/** POST {basePath}/office/menu/prices: saves the changed prices as one step, or shows what a change of many would make of them. */
export const savePrices: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, fields)
  if (!read.ok) return read.reply
  const { form } = read
  const typed = readTyped(form)
  const place = form.text('place')
  if (form.text('do') === 'preview') return previewPage(app, call, form, typed)
  const edits: PriceEdit[] = []
  const wrong = new Map<string, 'wrong' | 'needed'>()
  for (const [key, { text, was }] of typed) {
    const cell = cellOf(key)
    if (!cell) continue
    const price = text.trim() === '' ? null : parsePrice(text)
    if (price === undefined) wrong.set(key, 'wrong')
    else if (price === null && cell.location === null) wrong.set(key, 'needed')
    else if (price !== was) edits.push({ ...cell, was, price })
  }
  if (wrong.size > 0) return pricesPage(app, call, { place, typed, wrong })
  const done = await app.writer.act(call.caller.actor, 'editMenu', [{ edit: 'prices', prices: edits }])
  app.store.refresh()
  if (isRefused(done)) return pricesPage(app, call, { place, typed, refusal: done })
  return {
    kind: 'redirect',
    to: app.link('/office/menu/prices', { location: place, saved: app.store.lastMenuChange()?.at }),
  }
}

function readTyped(form: Form<'p-' | (typeof fields)['once'][number]>): Map<string, Typed> {
  const cells = [...form.below('p-')].flatMap(([name, text]) => {
    const [key = '', was = ''] = name.split('~')
    const isPrice = /^\d{1,15}$/.test(was)
    return isPrice || was === '' ? [[key, { text, was: isPrice ? Number(was) : null }] as const] : []
  })
  return new Map(cells)
}

/** The cell of a key such as "item-12-3". */
function cellOf(key: string): Pick<PriceEdit, 'kind' | 'id' | 'location'> | undefined {
  const match = /^(item|variation|modifier)-(\d{1,16})(?:-(\d{1,16}))?$/.exec(key)
  if (!match) return undefined
  const [, kind, id, location] = match
  const known = (['item', 'variation', 'modifier'] as const).find(each => each === kind)
  return known && { kind: known, id: Number(id), location: location === undefined ? null : Number(location) }
}

function partsOf({ categories, modifier_groups, locations }: RestaurantFile, view: View): Part[] {
  const w = words[view.language]
  const own = locations.map(({ items, variations }) => ({
    item: new Map(items.map(({ id, price }) => [id, price])),
    variation: new Map(variations.map(({ id, price }) => [id, price])),
  }))
  const row = (kind: 'item' | 'variation', entry: { id: number; title: string; price: number }): Row => ({
    kind,
    id: entry.id,
    title: entry.title,
    prices: [entry.price, ...own.map(place => place[kind].get(entry.id) ?? null)],
  })
  return [
    ...categories.map(({ id, title, items }) => ({
      key: `section-${id}`,
      title,
      rows: items.flatMap(item => [row('item', item), ...item.variations.map(size => row('variation', size))]),
    })),
    ...modifier_groups.map(({ id, title, modifiers }) => ({
      key: `group-${id}`,
      title: w.options(title),
      rows: modifiers.map(option => ({
        kind: 'modifier' as const,
        id: option.id,
        title: option.title,
        prices: [option.price, ...locations.map(() => undefined)],
      })),
    })),
  ].filter(({ rows }) => rows.length > 0)
}

interface Bulk {
  scope: string
  column: string
  by: string
  unit: string
  round: string
}

interface Shown {
  /** Which locations have a column: one, or all. */
  place: string
  typed: Map<string, Typed>
  wrong?: Map<string, 'wrong' | 'needed'>
  refusal?: Refusal
  bulk?: Bulk
  /** How many prices the preview changes; null: the change cannot be read. */
  previewed?: number | null
}

/** Puts into the cells what a percentage or an amount over a selection makes of them. */
function previewPage(
  app: App,
  call: Call<PersonCaller>,
  form: Form<'p-' | (typeof fields)['once'][number]>,
  typed: Map<string, Typed>,
): Reply {
  const place = form.text('place')
  const bulk = {
    scope: form.text('scope'),
    column: form.text('column'),
    by: form.text('by'),
    unit: form.text('unit'),
    round: form.text('round'),
  }
  const repriced = repricing(bulk)
  if (!repriced) return pricesPage(app, call, { place, typed, bulk, previewed: null })
  const view = viewOf(app, call)
  const restaurant = withPlace(app.store.restaurant(), place)
  const location = bulk.column === '' ? null : Number(bulk.column)
  const column = location === null ? 0 : restaurant.locations.findIndex(({ id }) => id === location) + 1
  const next = new Map(typed)
  let changed = 0
  for (const { key: part, rows } of partsOf(restaurant, view)) {
    if (bulk.scope !== '' && bulk.scope !== part) continue
    for (const { kind, id, prices } of rows) {
      const key = priceKey({ kind, id, location })
      const saved = prices[column]
      const { text, was } = typed.get(key) ?? { text: undefined, was: saved ?? null }
      const price = text === undefined ? saved : parsePrice(text)
      // Where a location inherits, the price for everywhere is the one to change.
      if (saved === undefined || price === null || price === undefined) continue
      const after = repriced(price)
      if (after === price) continue
      next.set(key, { text: priceText(after, 2, view.language), was })
      changed++
    }
  }
  return pricesPage(app, call, { place, typed: next, bulk, previewed: changed })
}

/** What a change makes of a price in thousandths; undefined if the change cannot be read. */
function repricing({ by, unit, round }: Bulk): ((price: number) => number) | undefined {
  const match = /^\s*([+-]?)\s*(\S+)\s*$/.exec(by.replace(',', '.').replace('−', '-'))
  const size = match && parseDecimal(match[2] ?? '', unit === 'amount' ? 3 : 2)
  const step = steps.find(each => String(each) === round) ?? 10
  if (!match || size === undefined || size === null) return undefined
  const sign = match[1] === '-' ? -1 : 1
  if (unit !== 'amount' && sign * size < -10_000) return undefined
  return price => {
    const changed = unit === 'amount' ? Math.max(0, price + sign * size) : share(price, 10_000 + sign * size, 10_000)
    return share(changed, 1, step) * step
  }
}

function pricesPage(app: App, call: Call<PersonCaller>, shown: Shown): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const restaurant = withPlace(app.store.restaurant(), shown.place)
  const parts = partsOf(restaurant, view)
  const { refusal, wrong, previewed } = shown
  const query = queryOf(call.exchange.request)
  const isWrong = refusal !== undefined || wrong !== undefined || previewed === null
  return page(view, {
    title: w.title,
    room: 'menu',
    status: refusal?.refused === 'changed meanwhile' ? 409 : isWrong ? 422 : 200,
    aside: html`<a class="button" href="${view.link('/office/menu')}">${w.back}</a>`,
    body:
      parts.length === 0
        ? html`<p class="card empty">${w.nothing}</p>`
        : html`${doneNote(app, view, query, '/office/menu/prices')}
${notesOf(view, shown)}
${placeChips(view, app.store.restaurant(), restaurant)}
<form method="post" action="${view.link('/office/menu/prices')}" class="stack" data-grid=""><input type="hidden" name="place" value="${shown.place}">
<div class="actions"><button class="button primary" name="do" value="save">${w.save}</button></div>
${bulkFields(view, restaurant, parts, shown)}
<p class="quiet small">${w.help}</p>
<div class="card scroll grid-card">${grid(view, restaurant, parts, shown)}</div>
</form>`,
  })
}

/** The restaurant with the locations that have a column: the one of the query, all, or of many the first. */
function withPlace(restaurant: RestaurantFile, place: string): RestaurantFile {
  const { locations } = restaurant
  if (place === 'all' || (place === '' && locations.length < 3)) return restaurant
  const chosen = locations.find(({ id }) => String(id) === place) ?? locations.find(({ published }) => published)
  return chosen ? { ...restaurant, locations: [chosen] } : restaurant
}

function placeChips(view: View, { locations }: RestaurantFile, shown: RestaurantFile): Html | undefined {
  if (locations.length < 2) return undefined
  const w = words[view.language]
  const [first, ...others] = shown.locations
  const chip = (location: string | number, title: string, isShown: boolean) =>
    html`<a class="chip" href="${view.link('/office/menu/prices', { location })}" aria-current="${isShown && 'true'}">${title}</a>`
  return html`<nav class="chips" aria-label="${w.places}">${locations.map(({ id, title }) => chip(id, title, others.length === 0 && first?.id === id))}${chip('all', w.allPlaces, others.length > 0)}</nav>`
}

function notesOf(view: View, { refusal, wrong, previewed }: Shown): Html | undefined {
  const w = words[view.language]
  if (previewed !== undefined && previewed !== null) {
    return html`<p class="note" role="status">${w.previewed(previewed)}</p>`
  }
  if (refusal?.refused === 'changed meanwhile') return html`<p class="note bad" role="alert">${w.clashNote}</p>`
  if (refusal) return html`<p class="note bad" role="alert">${refusalText(refusal, view.language)}</p>`
  return wrong && html`<p class="note bad" role="alert">${w.wrongNote}</p>`
}

function bulkFields(view: View, { locations }: RestaurantFile, parts: Part[], { bulk, previewed }: Shown): Html {
  const w = words[view.language]
  const choice = (name: keyof Bulk, label: string, entries: (readonly [value: string, label: string])[]) =>
    html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${entries.map(
      ([value, text]) => html`<option value="${value}" selected="${(bulk?.[name] ?? '') === value}">${text}</option>`,
    )}</select></div>`
  const isWrong = previewed === null
  return html`<details class="card" open="${bulk !== undefined}"><summary>${w.several}</summary>
<div class="fields two">
${choice('scope', w.which, [['', w.all] as const, ...parts.map(({ key, title }) => [key, title] as const)])}
${choice('column', w.column, [['', w.everywhere] as const, ...locations.map(({ id, title }) => [String(id), title] as const)])}
<div class="field"><label for="by">${w.change}</label>
<input id="by" name="by" value="${bulk?.by ?? ''}" autocomplete="off" aria-invalid="${isWrong && 'true'}" aria-describedby="by-help">
<span class="${isWrong ? 'wrong' : 'help'}" id="by-help">${isWrong ? w.wrongChange : w.changeHelp}</span></div>
${choice('unit', w.unit, [
  ['percent', w.percent],
  ['amount', w.amount],
])}
${choice(
  'round',
  w.round,
  steps.map(step => [String(step), priceText(step, 2, view.language)] as const),
)}
</div>
<div class="actions"><button class="button" name="do" value="preview">${w.preview}</button></div></details>`
}

// The untouched grid of a large menu has thousands of fields, and is the same until the menu changes.
const untouched = new WeakMap<RestaurantFile, Map<Language, Html>>()

function grid(view: View, restaurant: RestaurantFile, parts: Part[], shown: Shown): Html {
  if (shown.typed.size > 0 || shown.refusal || shown.wrong) return drawGrid(view, restaurant, parts, shown)
  const drawn = untouched.get(restaurant) ?? new Map<Language, Html>()
  untouched.set(restaurant, drawn)
  const known = drawn.get(view.language) ?? drawGrid(view, restaurant, parts, shown)
  drawn.set(view.language, known)
  return known
}

function drawGrid(view: View, { locations }: RestaurantFile, parts: Part[], shown: Shown): Html {
  const w = words[view.language]
  const columns = [
    { id: null, title: w.everywhere },
    ...locations.map(({ id, title, currency }) => ({ id, title: `${title} (${currency})` })),
  ]
  const clashes = new Map(
    shown.refusal?.refused === 'changed meanwhile' ? shown.refusal.fields.map(({ field, now }) => [field, now]) : [],
  )
  const cell = (row: Row, column: number): Html | undefined => {
    const { id: location } = columns[column] ?? { id: null }
    const saved = row.prices[column]
    if (saved === undefined) return html`<td></td>`
    const key = priceKey({ kind: row.kind, id: row.id, location })
    const typed = shown.typed.get(key)
    const savedText = saved === null ? '' : priceText(saved, 2, view.language)
    const labels = `r-${row.kind}-${row.id} c-${column}`
    const inherited = column > 0 && saved === null && priceText(row.prices[0] ?? 0, 2, view.language)
    // Most cells of a large menu: the fewer holes, the faster.
    if (!typed) {
      return html`<td><input name="p-${key}~${saved ?? ''}" value="${savedText}" aria-labelledby="${labels}" placeholder="${inherited}"></td>`
    }
    const isClash = clashes.has(key)
    const was = isClash ? saved : typed.was
    const { text } = typed
    const isChanged = text !== savedText
    const problem = shown.wrong?.get(key)
    const about = problem
      ? w[problem]
      : isClash
        ? w.now(savedText || w.noPrice)
        : isChanged
          ? w.was(savedText || w.noPrice)
          : undefined
    const isBad = problem !== undefined || isClash
    return html`<td><input name="p-${key}~${was ?? ''}" value="${text}" aria-labelledby="${labels}" placeholder="${inherited}" data-was="${isChanged && savedText}" aria-invalid="${isBad && 'true'}" aria-describedby="${about !== undefined && `a-${key}`}">${about !== undefined && html`<small class="${isBad ? 'wrong' : 'changed'}" id="a-${key}">${about}</small>`}</td>`
  }
  return html`<table class="grid">
<thead><tr><th scope="col">${w.dish}</th>${columns.map(({ title }, column) => html`<th scope="col" id="c-${column}">${title}</th>`)}</tr></thead>
${parts.map(
  ({
    key,
    title,
    rows,
  }) => html`<tbody id="${key}"><tr><th class="band" scope="rowgroup" colspan="${columns.length + 1}">${title}</th></tr>
${rows.map(
  row =>
    html`<tr><th scope="row" id="r-${row.kind}-${row.id}" class="${row.kind === 'variation' ? 'size' : ''}">${row.title}</th>${columns.map((_, column) => cell(row, column))}</tr>`,
)}</tbody>`,
)}</table>`
}
