import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { Reports } from '../reports/reports.ts'
import { businessDate, dayAfter, dayBefore, daysAfter, isDate, timeZone } from '../terms/clock.ts'
import type { LocationId } from '../terms/ids.ts'
import { type Amount, amountText, exponentOf, LARGEST_AMOUNT } from '../terms/money.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { refuseRemarks } from '../terms/remark.ts'
import { type Cash, type Close, type CountedCash, closes as dayCloses, type Part } from './closes.ts'
import { denominationsOf } from './denominations.ts'
import { type DrawerEntry, type DrawerKind, drawerEntries, drawerSums, type Pieces } from './drawer.ts'
import { type DayFigures, differenceOf, isNothing, noFigures, readFigures } from './figures.ts'

/** Where a drawer is, and the business date there now. */
export interface TillPlace {
  id: LocationId
  title: string
  address: string | null
  currency: string
  exponent: Amount['exponent']
  timezone: string
  today: string
}

/** A business day of a location as it is now. */
export interface TillDay {
  place: TillPlace
  date: string
  /** The number of its close; null while it is open. */
  closedAs: number | null
  figures: DayFigures
  /** What was recorded for closed days after they were closed, and no close has counted yet. */
  late: Part[]
  entries: DrawerEntry[]
  /** What should be in the drawer. */
  cash: Cash
  /** The days of the location that can be closed, oldest first, as `open` returns them. */
  open: string[]
  unpaid: Close['unpaid']
}

/** An amount of cash: a sum in minor units, or how many of each note and coin. */
export type Counted = number | Pieces[]

/** What is entered for a drawer. Paying in and out need a reason; only a float and a count may be counted by notes and coins. */
export interface DrawerAct {
  kind: DrawerKind
  counted: Counted
  note?: string | null
  clientRef?: string | undefined
}

/** How a day is closed. */
export interface Closing {
  date: string
  /** Null: the cash was not counted. */
  counted: Counted | null
  /** What stays in the drawer for the next day. Null: all of it. */
  left: number | null
  note?: string | null
  clientRef?: string | undefined
}

export interface TillContext extends Noting {
  now(): number
  reports: Pick<Reports, 'summary' | 'tax' | 'payments'>
  siteTitle(): string
}

const deedOf = {
  float: 'drawer opened',
  paid_in: 'cash paid in',
  paid_out: 'cash paid out',
  count: 'cash counted',
} as const

const MOST_PIECES = 100_000

// So many days back the page offers days that are still to be closed at a location that has never closed one.
const DAYS_OFFERED = 14

/** The cash drawer of each location, and the closes of its business days (decisions G7 and 051). */
export function till(db: Db, { now, reports, siteTitle, actor, note: noteAct }: TillContext) {
  const drawer = drawerEntries(db)
  const closes = dayCloses(db)
  const selectPlace = db.prepare<[LocationId], Omit<TillPlace, 'exponent' | 'today'> & { dayStartsAt: string }>(
    `SELECT id, title, address, currency, timezone, day_starts_at AS dayStartsAt FROM location WHERE id = ?`,
  )
  const selectHasBookings = db
    .prepare<{ locationId: LocationId; date: string }, number>(
      `SELECT EXISTS (SELECT 1 FROM orders WHERE business_date = @date AND location_id = @locationId)
           OR EXISTS (SELECT 1 FROM ledger CROSS JOIN orders ON orders.id = order_id
                       WHERE entry > 1 AND ledger.business_date = @date AND location_id = @locationId)
           OR EXISTS (SELECT 1 FROM drawer WHERE business_date = @date AND location_id = @locationId)`,
    )
    .pluck()
  const selectUnpaid = db.prepare<{ locationId: LocationId; date: string }, Close['unpaid'][number]>(
    `SELECT currency, exponent, count(*) AS orders, sum(balance) AS balance FROM (
       SELECT currency, exponent, (SELECT sum(amount_minor) FROM ledger WHERE order_id = orders.id) AS balance
         FROM orders WHERE business_date = @date AND location_id = @locationId AND status IN ('placed', 'confirmed'))
      WHERE balance > 0 GROUP BY currency, exponent ORDER BY currency`,
  )

  function placeOf(id: LocationId): TillPlace | Refusal<'unknown location'> {
    const found = selectPlace.get(id)
    if (!found) return { refused: 'unknown location', location: id }
    const { dayStartsAt, ...place } = found
    const exponent = exponentOf(place.currency)
    if (exponent === undefined) throw new Error(`location ${id} has the unknown currency ${place.currency}`)
    return { ...place, exponent, today: businessDate(timeZone(place.timezone).at(now()), dayStartsAt) }
  }

  function figuresOf(locationId: LocationId, date: string, entries = drawer.ofDay(locationId, date)): DayFigures {
    return readFigures(reports, drawerSums(entries), { from: date, to: date, locationId })
  }

  /** What came for closed days after they were closed, and no close has counted. */
  function lateParts(locationId: LocationId): Part[] {
    return closes
      .touched(locationId)
      .map(date => ({ date, figures: differenceOf(figuresOf(locationId, date), closes.counted(locationId, date)) }))
      .filter(({ figures }) => !isNothing(figures))
  }

  function dayAt(place: TillPlace, date: string): TillDay {
    const { id, currency } = place
    const closedAs = closes.ofDate(id, date)?.number ?? null
    const entries = drawer.ofDay(id, date)
    const figures = figuresOf(id, date, entries)
    const late = lateParts(id)
    const cash = cashOf(place, {
      left: closes.leftBy(id, closedAs === null ? dayBefore(date) : date, currency),
      late,
      // Of a closed day what came later is all that is still to be counted.
      own: closedAs === null ? figures : noFigures,
      float: closedAs === null ? (entries.findLast(({ kind }) => kind === 'float')?.amount ?? null) : null,
    })
    const unpaid = selectUnpaid.all({ locationId: id, date })
    return { place, date, closedAs, figures, late, entries, cash, open: openDays(place), unpaid }
  }

  /** The first day before `date`, and after the last closed one, on which anything was recorded. Null if no day is closed yet. */
  function openBefore(locationId: LocationId, date: string): string | null {
    const last = closes.lastDate(locationId)
    if (last === null) return null
    for (let day = dayAfter(last); day < date; day = dayAfter(day)) {
      if (selectHasBookings.get({ locationId, date: day }) === 1) return day
    }
    return null
  }

  function openDays({ id, today }: TillPlace): string[] {
    const last = closes.lastDate(id)
    const days: string[] = []
    for (
      let day = last === null ? daysAfter(today, 1 - DAYS_OFFERED) : dayAfter(last);
      day <= today;
      day = dayAfter(day)
    ) {
      if (day === today || selectHasBookings.get({ locationId: id, date: day }) === 1) days.push(day)
    }
    return days
  }

  function amountIn({ exponent, currency }: TillPlace, minor: number): Amount {
    return { minor, exponent, currency }
  }

  /** The sum of what was counted. Refuses what is not a number of pieces or an amount from `least` to the largest. */
  function sumOfCounted(
    place: TillPlace,
    counted: Counted,
    least: 0 | 1,
  ): number | Refusal<'invalid amount' | 'invalid pieces'> {
    let sum = 0
    if (typeof counted === 'number') sum = counted
    else {
      const known = denominationsOf(place.currency)
      for (const { value, pieces } of counted) {
        const isRight = known.includes(value) && Number.isSafeInteger(pieces) && pieces >= 0 && pieces <= MOST_PIECES
        if (!isRight) return { refused: 'invalid pieces', of: amountIn(place, value), most: MOST_PIECES }
        sum += value * pieces
      }
    }
    const isRight = Number.isSafeInteger(sum) && sum >= least && sum <= LARGEST_AMOUNT
    return isRight ? sum : { refused: 'invalid amount', most: amountIn(place, LARGEST_AMOUNT) }
  }

  const enter = db.transaction((id: LocationId, act: DrawerAct): DrawerEntry | Refusal => {
    const place = placeOf(id)
    if (isRefused(place)) return place
    const { kind, counted, note = null, clientRef } = act
    const needsReason = kind === 'paid_in' || kind === 'paid_out'
    const refusal = refuseRemarks({ reference: clientRef, ...(needsReason ? { reason: note ?? '' } : { note }) })
    if (refusal) return refusal
    const amount = sumOfCounted(place, counted, needsReason ? 1 : 0)
    if (isRefused(amount)) return amount
    const earlier = clientRef === undefined ? undefined : drawer.byRef(id, clientRef)
    if (earlier) {
      const isSame = earlier.kind === kind && earlier.amount === amount
      return isSame ? earlier : { refused: 'reference used', reference: clientRef ?? '', entry: earlier.id }
    }
    const day = dayAt(place, place.today)
    if (kind === 'float' && day.closedAs !== null) {
      return { refused: 'day closed', date: day.date, number: day.closedAs }
    }
    const entry = {
      locationId: id,
      kind,
      amount,
      currency: place.currency,
      exponent: place.exponent,
      expected: kind === 'count' ? day.cash.expected : null,
      pieces: typeof counted === 'number' ? null : counted.filter(({ pieces }) => pieces > 0),
      note,
      clientRef: clientRef ?? null,
      at: now(),
      businessDate: place.today,
      actor: actor(),
    }
    noteAct(
      {
        what: deedOf[kind],
        subject: `location ${id} ${place.title}`,
        became: amountText(amount, place.exponent, place.currency),
      },
      { at: entry.at },
    )
    return { id: drawer.append(entry), ...entry }
  })

  const closeDay = db.transaction((id: LocationId, closing: Closing): Close | Refusal => {
    const place = placeOf(id)
    if (isRefused(place)) return place
    const { date, counted, left, note = null, clientRef } = closing
    const refusal = refuseRemarks({ note, reference: clientRef })
    if (refusal) return refusal
    if (!isDate(date)) return { refused: 'invalid date', date }
    const closed = closes.ofDate(id, date)
    if (closed) {
      const same = clientRef !== undefined && closed.clientRef === clientRef && closes.byNumber(id, closed.number)
      return same || { refused: 'day closed', date, number: closed.number }
    }
    if (date > place.today) return { refused: 'day not begun', date }
    const earlier = openBefore(id, date)
    if (earlier !== null) return { refused: 'earlier day open', date: earlier }
    const sum = counted === null ? null : sumOfCounted(place, counted, 0)
    if (isRefused(sum)) return sum
    const { figures, late, cash, unpaid } = dayAt(place, date)
    const kept = left === null ? null : sumOfCounted(place, left, 0)
    if (isRefused(kept)) return kept
    if (kept !== null && sum !== null && kept > sum)
      return { refused: 'more than counted', amount: amountIn(place, sum) }
    const countedCash: CountedCash = {
      ...cash,
      counted: sum,
      difference: sum === null ? null : sum - cash.expected,
      pieces: Array.isArray(counted) ? counted.filter(({ pieces }) => pieces > 0) : null,
      left: kept ?? sum ?? cash.expected,
      note,
    }
    const { title, address, timezone } = place
    const close: Omit<Close, 'number'> = {
      locationId: id,
      date,
      at: now(),
      actor: actor(),
      place: { site: siteTitle(), title, address, timezone },
      parts: [{ date, figures }, ...late],
      cash: countedCash,
      unpaid,
    }
    const number = closes.append(close, clientRef ?? null)
    noteAct(
      { what: 'day closed', subject: `location ${id} ${title}, ${date}`, became: `close ${number}` },
      { at: close.at },
    )
    return { ...close, number }
  })

  const inOneView = <Args extends unknown[], Result>(read: (...args: Args) => Result): ((...args: Args) => Result) => {
    const transaction = db.transaction(read)
    return (...args) => transaction.deferred(...args)
  }

  return {
    /** A business day of a location as it is now; by default today. */
    day: inOneView((id: LocationId, date?: string): TillDay | Refusal<'unknown location' | 'invalid date'> => {
      const place = placeOf(id)
      if (isRefused(place)) return place
      if (date !== undefined && !isDate(date)) return { refused: 'invalid date', date }
      return dayAt(place, date ?? place.today)
    }),

    /**
     * The days up to today that can be closed, oldest first: those after the last closed one on which anything was recorded, and
     * today. Before the first close they are those of the last two weeks.
     */
    open: inOneView((id: LocationId): string[] | Refusal<'unknown location'> => {
      const place = placeOf(id)
      return isRefused(place) ? place : openDays(place)
    }),

    /** The last closes of a location, newest first. */
    closes: (id: LocationId, most: number): Close[] => closes.newest(id, most),

    close: (id: LocationId, number: number): Close | Refusal<'unknown close'> =>
      closes.byNumber(id, number) ?? { refused: 'unknown close', location: id, number },

    /**
     * Enters the float, cash that is paid in or out, or a count, for today. The same reference again returns the first entry.
     * Refuses a float once the day is closed, and paying in or out without a reason.
     */
    enter: (id: LocationId, act: DrawerAct): DrawerEntry | Refusal => enter.immediate(id, act),

    /**
     * Closes a business day. Refuses a day that is closed or has not begun, and one before which another day since the last close
     * is open. The same reference again returns the close.
     */
    closeDay: (id: LocationId, closing: Closing): Close | Refusal => closeDay.immediate(id, closing),
  }
}

export type Till = ReturnType<typeof till>

function cashOf(
  { currency, exponent }: TillPlace,
  { left, late, own, float }: { left: number; late: Part[]; own: DayFigures; float: number | null },
): Cash {
  const ofDay = movedCash(own, currency)
  const carried = late.reduce((sum, { figures }) => {
    const { taken, paidIn, paidOut } = movedCash(figures, currency)
    return sum + taken + paidIn - paidOut
  }, left)
  const opening = float ?? carried
  const expected = opening + ofDay.taken + ofDay.paidIn - ofDay.paidOut
  return { currency, exponent, carried, float, opening, ...ofDay, expected }
}

function movedCash(figures: DayFigures, currency: string): Pick<Cash, 'taken' | 'paidIn' | 'paidOut'> {
  const taken = figures.takings.find(row => row.currency === currency && row.method === 'cash')?.taken ?? 0
  const { paidIn, paidOut } = figures.drawer.find(row => row.currency === currency) ?? { paidIn: 0, paidOut: 0 }
  return { taken, paidIn, paidOut }
}
