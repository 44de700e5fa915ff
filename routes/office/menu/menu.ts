import { type StaffDish, type StaffMenu, type StaffPart, staffMenu } from '../../../store/catalogue/staff-menu.ts'
import { lintRestaurant } from '../../../store/restaurant-file/lint.ts'
import type { RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import type { Finding } from '../../../store/terms/finding.ts'
import { type Exponent, exponentOf, minorUnits } from '../../../store/terms/money.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/menu.ts'
import { doneNote, locationOf, offText } from './menu-state.ts'

/** GET {basePath}/office/menu: the menu of a location as guests see it, with what is off and why. */
export const readMenuPage: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const location = locationOf(app, query)
  const menu = location && menuAt(app, location.id)
  const isManager = call.caller.person.role !== 'staff'
  if (!menu) return page(view, { title: w.title, room: 'menu', body: emptyMenu(view, isManager) })
  const here = `/office/menu?location=${menu.location.id}`
  const wanted = (query.get('find') ?? '').trim()
  const sections = menu.categories.map(({ entry, dishes }) => ({
    entry,
    dishes: dishes.filter(dish =>
      `${dish.entry.number} ${dish.entry.title}`.toLowerCase().includes(wanted.toLowerCase()),
    ),
  }))
  const titles = new Map(app.store.restaurant().allergens.map(({ id, title }) => [id, title]))
  const shown: Shown = { view, menu, titles, money: priceOf(view, menu.location.currency), isManager }
  return page(view, {
    title: w.title,
    room: 'menu',
    ...(isManager && { aside: tools(view, menu) }),
    body: html`${doneNote(app, view, query, here)}
${isManager && findingsNote(app, view)}
${placeChips(app, view, menu)}
${offList(view, menu)}
${findForm(view, menu, wanted)}
${sections.filter(({ dishes }) => wanted === '' || dishes.length > 0).map(category => section(shown, category))}
${isManager && wanted === '' && groupList(view, menu)}
${wanted !== '' && sections.every(({ dishes }) => dishes.length === 0) && html`<p class="card empty">${w.notFound(wanted)}</p>`}`,
  })
}

/** The menu of a location with its live state. */
export function menuAt({ store }: App, locationId: number): StaffMenu | undefined {
  const live = { unavailable: store.availability.list(), shortages: store.shelf.shortages() }
  return staffMenu(store.restaurant(), locationId, live)
}

const found = new WeakMap<RestaurantFile, Finding[]>()

/** What the check of the menu finds, worked out once for each state of the catalogue. */
export function findingsOf({ store, siteRoot, clock }: App): Finding[] {
  const restaurant = store.restaurant()
  const findings = found.get(restaurant) ?? lintRestaurant(restaurant, siteRoot, clock.now())
  found.set(restaurant, findings)
  return findings
}

function emptyMenu(view: View, isManager: boolean): Html {
  const w = words[view.language]
  return html`<div class="card empty"><p>${w.noLocation}</p>
${isManager && html`<p><a class="button primary" href="${view.link('/office/menu/file')}">${w.file}</a></p>`}</div>`
}

function tools(view: View, { location }: StaffMenu): Html {
  const w = words[view.language]
  const { id } = location
  return html`<div class="actions tools">
<a class="button" href="${view.link('/office/menu/prices', { location: id })}">${w.prices}</a>
<a class="button" href="${view.link('/office/menu/order')}">${w.order}</a>
<a class="button" href="${view.link('/office/menu/section')}">${w.newSection}</a>
<a class="button" href="${view.link('/office/menu/file')}">${w.file}</a>
<a class="button" href="${view.link('/office/print')}">${w.print}</a>
<a class="button primary" href="${view.link('/office/menu/new')}">${w.newDish}</a>
</div>`
}

function findingsNote(app: App, view: View): Html | undefined {
  const count = findingsOf(app).length
  if (count === 0) return undefined
  const w = words[view.language]
  return html`<p class="note"><span>${w.findings(count)}</span><a class="button" href="${view.link('/office/menu/file', {}, 'check')}">${w.look}</a></p>`
}

function placeChips(app: App, view: View, { location }: StaffMenu): Html | undefined {
  const { locations } = app.store.restaurant()
  if (locations.length < 2) return undefined
  return html`<nav class="chips" aria-label="${words[view.language].places}">${locations.map(
    ({ id, title }) =>
      html`<a class="chip" href="${view.link('/office/menu', { location: id })}" aria-current="${id === location.id && 'true'}">${title}</a>`,
  )}</nav>`
}

function findForm(view: View, { location, categories }: StaffMenu, wanted: string): Html {
  const w = words[view.language]
  return html`<form class="row find" method="get" action="${view.link('/office/menu')}" role="search">
<input type="hidden" name="location" value="${location.id}">
<div class="field"><label class="sr" for="find">${w.find}</label><input id="find" type="search" name="find" value="${wanted}" placeholder="${w.find}" autocomplete="off"></div>
<button class="button">${w.findButton}</button></form>
${
  wanted === '' &&
  html`<nav class="chips along" aria-label="${w.sections}">${categories.map(
    ({ entry }) =>
      html`<a class="chip" href="${view.link('/office/menu', { location: location.id }, `section-${entry.id}`)}">${entry.title}</a>`,
  )}</nav>`
}`
}

/** Everything that people have taken off, each with the button that puts it back. */
function offList(view: View, menu: StaffMenu): Html | undefined {
  const w = words[view.language]
  const parts: { kind: 'item' | 'variation' | 'modifier'; title: string; part: StaffPart<{ id: number }> }[] = [
    ...menu.categories.flatMap(({ dishes }) =>
      dishes.flatMap(dish => [
        { kind: 'item' as const, title: dish.entry.title, part: dish },
        ...dish.sizes.map(size => ({
          kind: 'variation' as const,
          title: `${dish.entry.title}, ${size.entry.title}`,
          part: size,
        })),
      ]),
    ),
    ...menu.groups.flatMap(({ options }) =>
      options.map(option => ({ kind: 'modifier' as const, title: option.entry.title, part: option })),
    ),
  ]
  const rows = parts.flatMap(({ kind, title, part }) =>
    part.off.flatMap(off =>
      off.why === 'taken off'
        ? html`<li><span><strong>${title}</strong> <span class="quiet">${offText(view, off)}</span></span>
${putBackForm(view, menu, { kind, id: part.entry.id, title, isEverywhere: off.entry.locationId === null })}</li>`
        : [],
    ),
  )
  if (rows.length === 0) return undefined
  return html`<section class="card off-list"><h2>${w.offNow(rows.length)}</h2><ul>${rows}</ul></section>`
}

/** The button that puts a part back, where it is off. */
export function putBackForm(
  view: View,
  { location }: StaffMenu,
  part: { kind: string; id: number; title: string; isEverywhere: boolean; back?: string },
): Html {
  const w = words[view.language]
  return html`<form method="post" action="${view.link('/office/menu/on')}">
<input type="hidden" name="kind" value="${part.kind}"><input type="hidden" name="id" value="${part.id}">
<input type="hidden" name="location" value="${location.id}"><input type="hidden" name="where" value="${part.isEverywhere ? 'all' : 'here'}">
<button>${w.putBack} <span class="sr">${part.title}</span></button></form>`
}

/** What every row of the menu needs. */
interface Shown {
  view: View
  menu: StaffMenu
  /** Of the allergens. */
  titles: ReadonlyMap<number, string>
  money(milli: number): string
  isManager: boolean
}

function section(shown: Shown, { entry, dishes }: StaffMenu['categories'][number]): Html {
  const { view, isManager } = shown
  const w = words[view.language]
  const title = isManager
    ? html`<a href="${view.link('/office/menu/section', { id: entry.id })}">${entry.title}</a>`
    : entry.title
  return html`<section class="card list menu-section" id="section-${entry.id}">
<div class="head"><h2>${title}</h2>${!entry.published && html`<span class="state off">${w.notPublished}</span>`}</div>
${dishes.length === 0 && html`<p class="quiet">${w.noDishes}</p>`}
<ul>${dishes.map(dish => dishRow(shown, dish))}</ul>
</section>`
}

/** The option groups, for those who may edit them. */
function groupList(view: View, { groups }: StaffMenu): Html {
  const w = words[view.language]
  return html`<section class="card stack tight"><div class="head"><h2>${w.options}</h2>
<a class="button" href="${view.link('/office/menu/group')}">${w.newGroup}</a></div>
<div class="chips">${groups.map(({ entry }) => html`<a class="chip" href="${view.link('/office/menu/group', { id: entry.id })}">${entry.title}</a>`)}</div></section>`
}

function dishRow({ view, menu, titles, money, isManager }: Shown, dish: StaffDish): Html {
  const w = words[view.language]
  const { location } = menu
  const { entry, off, sizes, price } = dish
  const offSizes = sizes.filter(size => size.off.length > 0 && size.entry.published)
  const name = html`${entry.number !== null && html`<span class="quiet">${entry.number}</span> `}${entry.title}`
  return html`<li id="dish-${entry.id}" class="${off.length > 0 ? 'dish-row is-off' : 'dish-row'}">
<div class="dish-text">
<h3>${isManager ? html`<a href="${view.link('/office/menu/dish', { id: entry.id })}">${name}</a>` : name}</h3>
${off.length > 0 && html`<p class="state ${off.some(({ why }) => why === 'taken off' || why === 'stock') ? 'wait' : 'off'}">${view.formats.list(off.map(each => offText(view, each)))}</p>`}
${offSizes.map(size => html`<p class="state wait">${size.entry.title}: ${view.formats.list(size.off.map(each => offText(view, each)))}</p>`)}
${allergensText(view, titles, dish)}
</div>
<div class="num dish-price">${
    sizes.length === 0
      ? money(price)
      : sizes.map(size => html`<span><span class="quiet">${size.entry.title}</span> ${money(size.price)}</span>`)
  }</div>
<a class="button" href="${view.link('/office/menu/off', { item: entry.id, location: location.id })}">${w.takeOff} <span class="sr">${entry.title}</span></a>
</li>`
}

function allergensText(view: View, titles: ReadonlyMap<number, string>, { entry }: StaffDish): Html | undefined {
  if (entry.allergens.length === 0) return undefined
  const w = words[view.language]
  const listed = (presence: string) =>
    entry.allergens.filter(each => each.presence === presence).flatMap(({ id }) => titles.get(id) ?? [])
  const [certain, possible] = [listed('contains'), listed('may_contain')].map(list => list.join(', '))
  const parts = [certain && w.contains(certain), possible && w.mayContain(possible)].filter(Boolean).join('; ')
  return html`<p class="quiet small">${parts.replace(/^./, first => first.toUpperCase())}</p>`
}

/** Returns what writes a price in thousandths as an amount of a currency. */
export function priceOf({ formats }: View, currency: string): (milli: number) => string {
  const exponent: Exponent = exponentOf(currency) ?? 2
  // Many dishes have the same price.
  const known = new Map<number, string>()
  return milli => {
    const text = known.get(milli) ?? formats.money(minorUnits(milli, exponent), exponent, currency)
    known.set(milli, text)
    return text
  }
}
