import type { Catalogue } from '../catalogue/catalogue.ts'
import { deliveringTo, noDetails, type OrderDetails } from '../ordering/details.ts'
import type { Draft } from '../ordering/draft.ts'
import type { Placed, Preview } from '../ordering/place.ts'
import { type PricedOrder, priceOrder } from '../ordering/pricing.ts'
import type { Source } from '../terms/channels.ts'
import { type Clock, timeZone } from '../terms/clock.ts'
import { isRefused } from '../terms/refusal.ts'

type Refused = Exclude<Placed, { id: unknown }>

/** What an order costs. */
export interface Quote {
  priced: PricedOrder
}

/**
 * Returns the function that prices an order as it would be placed now. Guests fill a cart while a location is closed and before a
 * delivery reaches its minimum, so these two refusals do not keep it from being priced. Any other refusal is returned.
 */
export function quoting({
  clock,
  catalogue,
  preview,
}: {
  clock: Clock
  catalogue(): Catalogue
  preview(draft: Draft, source: Source, details: OrderDetails): Preview | Refused
}) {
  return (draft: Draft, source: Source, details: OrderDetails): Quote | Refused => {
    const previewed = preview(draft, source, details)
    if (!isRefused(previewed)) return { priced: previewed.priced }
    if (previewed.refused !== 'takes no orders' && previewed.refused !== 'below minimum') return previewed
    const menu = catalogue().menu(draft.locationId)
    if (!menu) return { refused: 'unknown location', location: draft.locationId }
    const location = deliveringTo(menu.location, draft, { ...noDetails, deliveryPostcode: details.postcode ?? null })
    if (isRefused(location)) return location
    const priced = priceOrder(draft, { ...menu, location }, timeZone(location.timezone).at(clock.now()))
    return isRefused(priced) ? priced : { priced }
  }
}
