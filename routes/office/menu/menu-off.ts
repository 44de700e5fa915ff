import { refusalText } from '../../../display/refusal.ts'
import type { MenuPart } from '../../../store/catalogue/availability.ts'
import type { Off, StaffMenu, StaffPart } from '../../../store/catalogue/staff-menu.ts'
import { parseInstant, timeZone } from '../../../store/terms/clock.ts'
import type { ItemId, LocationId, ModifierId, VariationId } from '../../../store/terms/ids.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/menu.ts'
import { menuAt, putBackForm } from './menu.ts'
import { offText } from './menu-state.ts'

// Where a part is taken off: at the location that is shown, or at all.
const places = ['here', 'all'] as const

// Taking a dish, a size or an option off the menu takes two taps: one on the menu, one here.

/** GET {basePath}/office/menu/off: what can be taken off of one dish, and until when. */
export const readOff: Handler<PersonCaller> = (app, call) => {
  const query = queryOf(call.exchange.request)
  return offPage(app, call, {
    item: Number(query.get('item')),
    location: Number(query.get('location')),
    where: query.get('where') === 'all' ? 'all' : 'here',
  })
}

/** POST {basePath}/office/menu/off: takes a part of the menu off. */
export const takeOff: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['item', 'kind', 'id', 'location', 'where', 'until', 'time'] })
  if (!read.ok) return read.reply
  const { text, choice } = read.form
  const where = choice('where', places)
  const back = choice('until', ['tomorrow', 'open', 'time'])
  if (!where || !back) return refuse('BAD_REQUEST')
  const shown = { item: Number(text('item')), location: Number(text('location')), where }
  const part = partOf(text('kind'), Number(text('id')))
  const menu = menuAt(app, shown.location)
  if (!part || !menu || !dishOf(menu, shown.item)) return offPage(app, call, shown)
  const until = untilOf(app, menu, back, text('time'))
  if (until === undefined) {
    return offPage(app, call, { ...shown, wrong: { part, time: text('time') } })
  }
  const place = shown.where === 'all' ? null : (menu.location.id as LocationId)
  const refusal = await app.writer.act(call.caller.actor, 'takeOffMenu', part, place, until)
  if (isRefused(refusal))
    return offPage(app, call, { ...shown, wrong: { part, message: refusalText(refusal, viewOf(app, call).language) } })
  return { kind: 'redirect', to: app.link('/office/menu', { location: shown.location }, `dish-${shown.item}`) }
}

/** POST {basePath}/office/menu/on: puts a part of the menu back where it was taken off. */
export const putBack: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['kind', 'id', 'location', 'where'] })
  if (!read.ok) return read.reply
  const { text, choice } = read.form
  const where = choice('where', places)
  if (!where) return refuse('BAD_REQUEST')
  const part = partOf(text('kind'), Number(text('id')))
  const location = Number(text('location'))
  const place = where === 'all' ? null : (location as LocationId)
  if (part) await app.writer.act(call.caller.actor, 'putBackOnMenu', part, place)
  return { kind: 'redirect', to: app.link('/office/menu', { location }) }
}

function dishOf({ categories }: StaffMenu, id: number) {
  return categories.flatMap(({ dishes }) => dishes).find(({ entry }) => entry.id === id)
}

function partOf(kind: string, id: number): MenuPart | undefined {
  if (kind === 'item') return { kind, id: id as ItemId }
  if (kind === 'variation') return { kind, id: id as VariationId }
  return kind === 'modifier' ? { kind, id: id as ModifierId } : undefined
}

/** When a part comes back: at an instant, or (null) when a person puts it back. Undefined for a time that is none. */
function untilOf(app: App, { location }: StaffMenu, until: string, time: string): number | null | undefined {
  const now = app.clock.now()
  const zone = location.timezone
  if (until === 'tomorrow') return tomorrowAt(location, now)
  return until === 'time' ? parseInstant(time, { zone, now, day: 'next' }) : null
}

/** When the next business day starts. */
function tomorrowAt({ timezone, day_starts_at }: StaffMenu['location'], now: number): number {
  const tomorrow = parseInstant(day_starts_at, { zone: timezone, now, day: 'next' })
  return tomorrow ?? timeZone(timezone).instantOf(timeZone(timezone).at(now + 86_400_000).date, '00:00:00')
}

interface Shown {
  item: number
  location: number
  where: 'here' | 'all'
  wrong?: { part: MenuPart; time?: string; message?: string }
}

function offPage(app: App, call: Call<PersonCaller>, shown: Shown): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const menu = menuAt(app, shown.location)
  const dish = menu && dishOf(menu, shown.item)
  const back = html`<p><a class="button" href="${view.link('/office/menu', { location: shown.location || null })}">${w.back}</a></p>`
  if (!menu || !dish) return page(view, { title: w.gone, room: 'menu', status: 404, body: back })
  const groups = dish.entry.modifier_groups.flatMap(({ id }) => menu.groups.find(group => group.entry.id === id) ?? [])
  const options = groups.flatMap(group => group.options).filter(({ entry }) => entry.published)
  const sizes = dish.sizes.filter(({ entry }) => entry.published)
  const part = (kind: MenuPart['kind'], each: StaffPart<{ id: number; title: string }>, title = each.entry.title) =>
    partCard(view, menu, shown, { kind, id: each.entry.id, title, off: each.off })
  return page(view, {
    title: w.takeOffTitle(dish.entry.title),
    room: 'menu',
    status: shown.wrong ? 422 : 200,
    body: html`${placeChoice(app, view, menu, shown)}
<section class="stack tight">${part('item', dish, w.dish)}</section>
${sizes.length > 0 && html`<section class="stack tight"><h2>${w.sizes}</h2>${sizes.map(size => part('variation', size))}</section>`}
${options.length > 0 && html`<section class="stack tight"><h2>${w.options}</h2><p class="quiet">${w.optionsHelp}</p>${options.map(option => part('modifier', option))}</section>`}
${back}`,
  })
}

function placeChoice(app: App, view: View, { location }: StaffMenu, { item, where }: Shown): Html | undefined {
  if (app.store.restaurant().locations.length < 2) return undefined
  const w = words[view.language]
  const chip = (wanted: Shown['where'], label: string) =>
    html`<a class="chip" href="${view.link('/office/menu/off', { item, location: location.id, where: wanted })}" aria-current="${where === wanted && 'true'}">${label}</a>`
  return html`<nav class="chips" aria-label="${w.where}">${[chip('here', w.here(location.title)), chip('all', w.everywhere)]}</nav>`
}

function partCard(
  view: View,
  menu: StaffMenu,
  { item, where, wrong }: Shown,
  { kind, id, title, off }: { kind: MenuPart['kind']; id: number; title: string; off: Off[] },
): Html {
  const w = words[view.language]
  const own = wrong?.part.kind === kind && wrong.part.id === id ? wrong : undefined
  const takenOff = off.flatMap(each => (each.why === 'taken off' ? [each.entry] : []))
  const isOffThere = takenOff.some(({ locationId }) => (locationId === null) === (where === 'all'))
  const field = `time-${kind}-${id}`
  return html`<div class="card part">
<div class="head">${kind === 'item' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}<span class="state ${off.length === 0 ? 'done' : 'wait'}">${
    off.length === 0 ? w.orderable : view.formats.list(off.map(each => offText(view, each)))
  }</span></div>
${takenOff.map(({ locationId }) => putBackForm(view, menu, { kind, id, title, isEverywhere: locationId === null }))}
${
  !isOffThere &&
  html`<form method="post" action="${view.link('/office/menu/off')}" class="stack tight">
<input type="hidden" name="item" value="${item}"><input type="hidden" name="kind" value="${kind}"><input type="hidden" name="id" value="${id}">
<input type="hidden" name="location" value="${menu.location.id}"><input type="hidden" name="where" value="${where}">
<div class="actions"><button class="${kind === 'item' ? 'button primary' : 'button'}" name="until" value="tomorrow">${w.untilTomorrow}</button>
<button class="button" name="until" value="open">${w.untilPutBack}</button></div>
<details open="${own !== undefined}"><summary>${w.untilTime}</summary>
<div class="row"><div class="field short"><label for="${field}">${w.time}</label>
<input id="${field}" name="time" inputmode="numeric" autocomplete="off" placeholder="18:00" value="${own?.time ?? ''}" aria-invalid="${own !== undefined && 'true'}" aria-describedby="${field}-help">
<span class="help" id="${field}-help">${own ? html`<span class="wrong" role="alert">${own.message ?? w.wrongTime}</span>` : w.timeHelp}</span></div>
<button class="button" name="until" value="time">${w.apply}</button></div></details>
</form>`
}
</div>`
}
