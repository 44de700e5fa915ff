import type { Catalogue, Location } from '../../store/catalogue/catalogue.ts'
import type { Handler } from '../http/handler.ts'
import { preparedOnce } from '../http/prepared.ts'

const prepareLocations = preparedOnce((catalogue: Catalogue) => ({ data: catalogue.locations.map(locationJson) }))

/** GET /v1/restaurant/locations: the published locations (section 4.1). */
export const listLocations: Handler = ({ store }) => ({
  kind: 'prepared',
  prepared: prepareLocations(store.catalogue.current()),
})

function locationJson(location: Location) {
  return {
    id: location.id,
    code: location.code,
    title: location.title,
    currency: location.currency,
    timezone: location.timezone,
    service_modes: location.serviceModes,
    opening_hours: location.openingHours,
    tax_rate: location.taxPpm === null ? null : location.taxPpm / 10_000,
  }
}
