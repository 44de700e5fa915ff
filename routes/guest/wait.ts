import type { Closure } from '../../store/catalogue/catalogue.ts'
import type { Wait } from '../../store/kitchen/waits.ts'
import type { Store } from '../../store/store.ts'
import type { LocationId } from '../../store/terms/ids.ts'
import { type Html, html } from '../html/html.ts'
import type { App } from '../http/handler.ts'
import type { GuestView } from './guest-page.ts'
import type { Setting } from './setting.ts'
import { words } from './words/guest.ts'

// Measuring reads the tickets of the last half hour, which is too slow for every page of hundreds of guests.
const FRESH_MS = 10_000

const measured = new WeakMap<Store, Map<LocationId, { at: number; wait: Wait | undefined }>>()

/** How long guests of a location have to wait now, measured at most every ten seconds; undefined: not known. */
export function waitAt({ store, clock }: App, id: LocationId): Wait | undefined {
  const known = measured.get(store) ?? new Map()
  measured.set(store, known)
  const at = clock.elapsed()
  const last = known.get(id)
  if (last && at - last.at < FRESH_MS) return last.wait
  const wait = store.waits.quote(id)
  known.set(id, { at, wait })
  return wait
}

/** Why the location of a setting takes no orders now; undefined: it takes them. */
export function closureOf({ store, clock }: App, { location, source }: Setting): Closure | undefined {
  return store.catalogue.current().closure(location.id, source, clock.now())
}

/** When orders are taken again: "Opens Monday 18:00", "We take no orders until 18:00"; null: not known. */
export function opensText(view: GuestView, { why, until }: Closure): string | null {
  const w = words[view.language]
  if (until === null) return null
  const { time, date, weekday } = view.formats
  if (why === 'paused') return w.pausedUntil(time(until))
  if (date(until) === date(view.now)) return w.opens(time(until))
  const day = until - view.now < 6 * 86_400_000 ? weekday(until) : date(until)
  return w.opensOn(day, time(until))
}

/** Why no orders are taken, short enough for a button: "Opens 18:00", "We take no orders at the moment". */
export function closureText(view: GuestView, closure: Closure): string {
  const w = words[view.language]
  return opensText(view, closure) ?? (closure.why === 'closed' ? w.closed : w.paused)
}

/** A note why nothing can be ordered now, or else how long orders take; null: neither is known. */
export function stateNote(app: App, view: GuestView, setting: Setting): Html | null {
  const w = words[view.language]
  const closure = closureOf(app, setting)
  if (closure) {
    const title = closure.why === 'closed' ? w.closed : closure.until === null ? w.paused : opensText(view, closure)
    const opens = closure.why === 'closed' ? opensText(view, closure) : null
    return html`<p class="note" role="status"><b>${title}${opens !== null && html`. ${opens}`}.</b> ${w.browse}</p>`
  }
  if (setting.menu.items.size === 0 && setting.whole.items.size > 0)
    return html`<p class="note" role="status">${w.soldOut}</p>`
  const wait = waitAt(app, setting.location.id)
  if (!wait) return null
  return html`<p class="wait quiet">${wait.busyMinutes > 0 && html`<b>${w.busy}</b> `}${w.wait(wait.from, wait.to)}</p>`
}
