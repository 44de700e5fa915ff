import type { Channel } from '../terms/channels.ts'
import { daysAfter, daysFrom } from '../terms/clock.ts'
import type { LocationId } from '../terms/ids.ts'
import type { Exponent } from '../terms/money.ts'

/** What a report covers: business dates (YYYY-MM-DD), both inclusive, at one location and in one channel or (null) all. */
export interface Period {
  from: string
  to: string
  locationId: LocationId | null
  channel: Channel | null
}

/** The same, where leaving the channel out means all. */
export type WantedPeriod = Omit<Period, 'channel'> & { channel?: Channel | null }

/** How many days before a period the one is with which it is compared: a week or, if it is longer, as many as it has begun. */
export function shiftOf({ from, to }: Pick<Period, 'from' | 'to'>): number {
  return 7 * Math.ceil(daysFrom(from, to) / 7)
}

/** The period with which a period is compared: as long, and with the same weekdays. */
export function periodBefore<Wanted extends WantedPeriod>(period: Wanted): Wanted {
  const shift = shiftOf(period)
  return { ...period, from: daysAfter(period.from, -shift), to: daysAfter(period.to, -shift) }
}

/** The orders that a period is about, whatever their day, as a condition. */
export const inScope = `(@locationId IS NULL OR orders.location_id = @locationId)
  AND (@channel IS NULL OR orders.channel = @channel)`

/** What every row with amounts has. Amounts in different currencies are never added together (decision E6). */
export interface InCurrency {
  currency: string
  exponent: Exponent
}

/** The orders of a period, as a condition that the index on the business date serves. */
export const inPeriod = `orders.business_date BETWEEN @from AND @to AND ${inScope}`

/** The entries of a period besides the charges, which are those of its orders. Needs a join of the orders. */
export const booked = `ledger.entry > 1 AND ledger.business_date BETWEEN @from AND @to AND ${inScope}`

/** The orders that are sales; cancelled ones are reported separately. */
export const sold = `${inPeriod} AND orders.status <> 'cancelled'`
