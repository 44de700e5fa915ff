import { everybody } from './access/everybody.ts'
import { token } from './access/token.ts'
import { health } from './api/health.ts'
import { listLocations } from './api/locations.ts'
import { readMenu } from './api/menu.ts'
import { createOrder } from './api/orders.ts'
import type { App } from './http/handler.ts'
import type { Exchange } from './http/reply.ts'
import { type Group, route, router } from './http/router.ts'
import { runner } from './http/run.ts'
import { imageAt, readImage } from './images.ts'

/** Every route: method, path, who may call, handler. `basePath` is where the site is installed ("" or "/shop"). */
function table(basePath: string): Group[] {
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
    {
      prefix: basePath,
      refusals: 'json',
      routes: [route('GET', imageAt, everybody, readImage)],
    },
  ]
}

/** Returns the function that runs each request of the app. */
export function requestRunner(app: App, basePath: string): (exchange: Exchange) => void {
  return runner(app, router(app, table(basePath)))
}
