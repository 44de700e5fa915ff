import type { LocationId } from '../terms/ids.ts'
import type { Exponent } from '../terms/money.ts'

/** What a report covers: business dates (YYYY-MM-DD), both inclusive, at one location or (null) all. */
export interface Period {
  from: string
  to: string
  locationId: LocationId | null
}

/** What every row with amounts has. Amounts in different currencies are never added together (decision E6). */
export interface InCurrency {
  currency: string
  exponent: Exponent
}

/** The orders of a period, as a condition that the index on the business date serves. */
export const inPeriod = `orders.business_date BETWEEN @from AND @to
  AND (@locationId IS NULL OR orders.location_id = @locationId)`

/** The orders that are sales; cancelled ones are reported separately. */
export const sold = `${inPeriod} AND orders.status <> 'cancelled'`
