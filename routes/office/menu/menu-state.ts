import type { Off } from '../../../store/catalogue/staff-menu.ts'
import { MICRO } from '../../../store/stock/recipes.ts'
import { timeZone } from '../../../store/terms/clock.ts'
import { type Html, html } from '../../html/html.ts'
import type { App } from '../../http/handler.ts'
import type { View } from '../../page/view.ts'
import { words } from '../words/menu.ts'

/** The location that a page shows: the one in its query, else the first. Undefined if there is none. */
export function locationOf(app: App, query: URLSearchParams) {
  const { locations } = app.store.restaurant()
  const wanted = Number(query.get('location'))
  return locations.find(({ id }) => id === wanted) ?? locations.find(({ published }) => published) ?? locations[0]
}

/** Why a part of the menu is off, as a sentence without a full stop. */
export function offText(view: View, off: Off): string {
  const w = words[view.language]
  switch (off.why) {
    case 'taken off': {
      const { actor, since, until, locationId } = off.entry
      return w.takenOff(
        actor,
        sinceText(view, since),
        until === null ? null : sinceText(view, until),
        locationId === null ? w.inAllPlaces : null,
      )
    }
    case 'stock': {
      const { title, unit, onHand } = off.shortage
      return w.outOfStock(title, `${view.formats.number(onHand / MICRO)} ${unit}`)
    }
    case 'not published':
      return w.notPublished
    case 'section not published':
      return w.sectionNotPublished
    case 'not offered here':
      return w.notHere
    case 'no size left':
      return w.noSize
    case 'too few options':
      return w.tooFewOptions(off.group)
  }
}

const WEEK = 7 * 86_400_000

/** "18:40" for today, "Tuesday 18:40" within a week, else the date. */
export function sinceText({ formats, zone, now }: View, instant: number): string {
  const dateOf = (at: number) => timeZone(zone).at(at).date
  if (dateOf(instant) === dateOf(now)) return formats.time(instant)
  return Math.abs(now - instant) < WEEK - 86_400_000
    ? `${formats.weekday(instant)} ${formats.time(instant)}`
    : formats.date(instant)
}

/**
 * What has just been done, as the query of the page says it: `saved`, with a button that undoes exactly this change, or
 * `undone`. `back` is where the person is after the undo.
 */
export function doneNote(app: App, view: View, query: URLSearchParams, back: string): Html | undefined {
  const w = words[view.language]
  if (query.has('undone')) return html`<p class="note done" role="status">${w.undone}</p>`
  const last = query.has('saved') ? app.store.lastMenuChange() : undefined
  if (!last || String(last.at) !== query.get('saved')) return undefined
  return html`<div class="note done" role="status"><span>${w.saved}</span>
<form method="post" action="${view.link('/office/menu/undo')}"><input type="hidden" name="at" value="${last.at}"><input type="hidden" name="back" value="${back}"><button>${w.undo}</button></form></div>`
}
