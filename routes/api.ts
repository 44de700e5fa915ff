import { everybody } from './access/everybody.ts'
import { token } from './access/token.ts'
import { health } from './api/health.ts'
import { listLocations } from './api/locations.ts'
import { readMenu } from './api/menu.ts'
import { createOrder } from './api/orders.ts'
import { type Group, route } from './http/router.ts'

/** The routes for programs: the operations of the contract, and the health check. `basePath` is where the site is installed. */
export function apiRoutes(basePath: string): Group[] {
  return [
    {
      // {base_url} of section 1
      prefix: `${basePath}/api/index.php`,
      refusals: 'json',
      routes: [
        route('GET', '/v1/restaurant/locations', token, listLocations),
        route('GET', '/v1/restaurant/locations/:locationId/menu', token, readMenu),
        route('POST', '/v1/restaurant/orders', token, createOrder, 'ORDER_FAILED'),
      ],
    },
    {
      prefix: '',
      refusals: 'json',
      routes: [route('GET', '/healthz', everybody, health)],
    },
  ]
}
