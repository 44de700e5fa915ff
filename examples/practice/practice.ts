import type { Location } from '../../store/catalogue/catalogue.ts'
import type { Method } from '../../store/ledger/ledger.ts'
import type { Edit } from '../../store/ordering/edit-draft.ts'
import type { RehearsedDays, Stage } from '../../store/ordering/rehearsal.ts'
import type { ShelfItem } from '../../store/stock/inventory.ts'
import { MICRO } from '../../store/stock/recipes.ts'
import type { Store } from '../../store/store.ts'
import { businessDate, dayAfter, dayBefore, timeZone } from '../../store/terms/clock.ts'
import type { OrderId } from '../../store/terms/ids.ts'
import { isRefused, type Refusal } from '../../store/terms/refusal.ts'
import { datesUntil, later, type OpenDay, openDay } from './calendar.ts'
import { draftOf, type Guest, guestOf, lineOf, tastes } from './guests.ts'
import { type Random, random } from './random.ts'

export interface PracticeWish {
  /** The number of whole business days before today. */
  days: number
  /** The same seed gives the same days for the same restaurant on the same date. */
  seed: string
}

export interface Practised extends RehearsedDays {
  orders: number
}

/** Something that happens at an instant. */
interface Step {
  at: number
  happen(): void
}

/** An order in progress. */
interface Course {
  id?: OrderId
  guest: Guest
  by: Random
  method: Method
}

const cancelReasons = ['guest changed their mind', 'ordered twice', 'nobody came for it', 'waited too long'] as const
const creditReasons = ['arrived cold', 'a dish was missing', 'wrong sauce'] as const

/**
 * Fills a file without orders with so many simulated days before today, and with today until now, so that reports and screens
 * have something to show. Guests, kitchen, till and stock use the same operations as real ones.
 */
export function practice(store: Pick<Store, 'rehearse'>, wish: PracticeWish): Practised | Refusal {
  return store.rehearse(stage => play(stage, wish))
}

function play(stage: Stage, { days, seed }: PracticeWish): RehearsedDays | Refusal {
  const { payments: till, orderBook: book } = stage
  const { locations } = stage.catalogue()
  if (locations.length === 0) return { refused: 'nothing published' }
  const now = stage.startedAt
  const todays = locations.map(({ timezone, dayStartsAt }) => businessDate(timeZone(timezone).at(now), dayStartsAt))
  const steps = locations.flatMap((location, index) => {
    const today = todays[index] ?? ''
    const dates = [...datesUntil(dayBefore(today), days), today]
    return storyOf(location, dates)
  })
  steps.sort((a, b) => a.at - b.at)
  for (const { at, happen } of steps) {
    // What would happen after now is left to the people who practise.
    if (at > now) break
    stage.setTime(at)
    happen()
  }
  const [from = '', to = ''] = [datesUntil(todays.toSorted()[0] ?? '', days + 1)[0], todays.toSorted().at(-1)]
  return { from, to }

  function storyOf(location: Location, dates: string[]): Step[] {
    const taste = tastes(seed)
    const pars = new Map<ShelfItem['id'], number>()
    return dates.flatMap(date => {
      const day = openDay(location, date, seed)
      if (!day) return []
      const guests = day.arrivals.flatMap((arrival, index) =>
        visit(location, day, arrival, taste, random(`${seed} guest ${location.id} ${date} ${index}`)),
      )
      const hands = random(`${seed} store room ${location.id} ${date}`)
      return [
        { at: day.opensAt - 40 * 60_000, happen: () => stockUp(location, pars, hands) },
        ...guests,
        { at: day.closesAt + 20 * 60_000, happen: () => clearUp(location, hands) },
      ]
    })
  }

  /** One order, from placing it to a refund on the next day, as chance decides. */
  function visit(
    location: Location,
    day: OpenDay,
    { at, isEvening }: OpenDay['arrivals'][number],
    taste: ReturnType<typeof tastes>,
    by: Random,
  ): Step[] {
    const guest = guestOf(location, isEvening, by)
    const course: Course = { guest, by, method: methodOf(guest, by) }
    const steps: Step[] = []
    const then = (when: number, happen: (id: OrderId) => void): number => {
      steps.push({ at: when, happen: () => course.id !== undefined && happen(course.id) })
      return when
    }

    steps.push({ at, happen: () => place(location, course, taste) })
    const paysFirst = guest.mode === 'delivery' ? course.method !== 'cash' : guest.mode === 'qr'
    if (paysFirst) then(at + 5000, id => payRest(id, course))
    if (guest.source === 'pos' || by.percent(70)) then(later(at, by, 1, 3), id => stage.move(id, 'confirm'))
    if (by.percent(4)) then(later(at, by, 3, 6), id => change(id, location, course))
    const cooked = later(at, by, 9, 24)
    if (by.percent(2.5)) {
      then(by.percent(60) ? later(at, by, 1, 8) : later(cooked, by, 5, 20), id => cancel(id, course))
    }
    then(cooked, cook)

    if (guest.mode === 'delivery') {
      const left = then(later(cooked, by, 2, 8), id => stage.move(id, 'out-for-delivery'))
      const arrived = then(later(left, by, 10, 25), id => payRest(id, course))
      then(arrived + 1000, id => stage.move(id, 'fulfil'))
    } else {
      const served = then(later(cooked, by, 1, 5), id => stage.move(id, 'fulfil'))
      then(guest.mode === 'dine_in' ? later(served, by, 20, 60) : served + 1000, id => payRest(id, course))
    }
    if (by.percent(0.8)) {
      const nextDay = timeZone(location.timezone).instantOf(dayAfter(day.date), '12:10:00')
      then(later(nextDay, by, 0, 90), id => makeGood(id, course))
    }
    return steps
  }

  function place(location: Location, course: Course, taste: ReturnType<typeof tastes>): void {
    // What a guest chose may have run out meanwhile; the guest chooses again, once.
    for (let attempt = 0; attempt < 2 && course.id === undefined; attempt++) {
      const menu = stage.catalogue().menu(location.id)
      const draft = menu && draftOf(course.guest, menu, taste, course.by)
      if (!draft) return
      const placed = stage.place(draft, course.guest.source)
      if (!isRefused(placed)) course.id = placed.id
    }
  }

  /** Pays what is still open: in one payment, in two, or with a mistake at the till that is corrected. */
  function payRest(id: OrderId, { by, method }: Course): void {
    const { balance } = till.standing(id)
    if (balance < 0) till.refund(id, { amount: -balance, method, note: 'order changed' })
    if (balance <= 0) return
    const pay = (amount: number, how: Method) => till.pay(id, { amount, method: how })
    if (by.percent(1)) {
      const slip = pay(balance, method === 'cash' ? 'card' : 'cash')
      if (!isRefused(slip)) till.voidPayment(id, slip.entry, { note: 'wrong key' })
    } else if (balance > 1 && by.percent(6)) {
      pay(Math.floor(balance / 2), by.pick(['cash', 'card']))
    }
    const rest = till.standing(id).balance
    if (rest > 0) pay(rest, method)
  }

  function cook(id: OrderId): void {
    for (const ticket of new Set(stage.tickets.items(id).map(({ ticketId }) => ticketId)))
      stage.kitchen.bump(ticket, null)
  }

  /** Adds a dish, removes one, or gives a discount for a long wait. */
  function change(id: OrderId, location: Location, { by }: Course): void {
    const order = book.byId(id)
    const menu = stage.catalogue().menu(location.id)
    if (!order || !menu) return
    const edit: Edit = {
      remove: [],
      add: [],
      notes: undefined,
      customer: { name: undefined, phone: undefined, email: undefined },
      discount: undefined,
    }
    const [first, ...others] = menu.items.values()
    const last = order.lines.at(-1)
    if (by.percent(15)) edit.discount = { reason: 'waited too long', percentPpm: 100_000 }
    else if (order.lines.length > 1 && last && by.percent(35)) edit.remove = [last.id]
    else if (first) edit.add = [lineOf(by.pick([first, ...others]), by)]
    stage.edit(id, edit)
  }

  function cancel(id: OrderId, { by, method }: Course): void {
    const { paid } = till.standing(id)
    const order = book.byId(id)
    if (!order || order.status === 'completed') return
    if (paid > 0) till.refund(id, { amount: paid, method, note: 'cancelled' })
    stage.move(id, 'cancel', { reason: by.pick(cancelReasons) })
  }

  /** On the next day a guest complains and gets a part of the price back. */
  function makeGood(id: OrderId, { by, method }: Course): void {
    const amount = book.byId(id)?.lines[0]?.lineTotal ?? 0
    const { due } = till.standing(id)
    if (amount < 1 || amount > due) return
    const credited = till.credit(id, { amount, note: by.pick(creditReasons) })
    if (!isRefused(credited)) till.refund(id, { amount, method, note: 'complaint' })
  }

  /** Restocks items that are low, to their first quantity or to enough for a day. */
  function stockUp(location: Location, pars: Map<ShelfItem['id'], number>, by: Random): void {
    for (const item of stockOf(location)) {
      const portions = stage.catalogue().recipes(location.id)?.portions.get(item.id) ?? []
      const enough = Math.max(item.onHand, 3 * (item.lowAt ?? 0), 40 * (portions.at(-1) ?? 0), MICRO)
      const par = pars.get(item.id) ?? enough
      pars.set(item.id, par)
      if (item.onHand < par / 2) stage.shelf.change(item.id, 'add', wholeMilli(par - item.onHand), 'delivery')
      else if (by.percent(3)) stage.shelf.change(item.id, 'set', wholeMilli(item.onHand * 0.99), 'counted')
    }
  }

  function clearUp(location: Location, by: Random): void {
    for (const item of stockOf(location)) {
      const spoilt = wholeMilli(item.onHand * 0.02 * by.next())
      if (spoilt > 0 && by.percent(12)) stage.shelf.change(item.id, 'waste', spoilt, 'spoilt')
    }
  }

  function stockOf({ id }: Location): ShelfItem[] {
    return stage.shelf.list().filter(({ locationId }) => locationId === id)
  }
}

function methodOf({ mode }: Guest, by: Random): Method {
  if (mode === 'delivery') return by.percent(30) ? 'cash' : 'card'
  if (mode === 'qr') return 'card'
  return (
    by.weighted<{ method: Method; weight: number }>(
      [
        { method: 'card', weight: 62 },
        { method: 'cash', weight: 34 },
        { method: 'transfer', weight: 2 },
        { method: 'other', weight: 2 },
      ],
      ({ weight }) => weight,
    )?.method ?? 'card'
  )
}

/** Millionths rounded to three decimals, as people enter quantities. */
function wholeMilli(micro: number): number {
  return Math.max(0, Math.floor(micro / 1000) * 1000)
}
