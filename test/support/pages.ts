import type { App } from '../../routes/http/handler.ts'
import { table } from '../../routes/index.ts'
import { type LoggedIn, logIn, pairDevice } from './log-in.ts'
import type { Shop } from './shop.ts'

// The table of the server, which needs its app only when a request comes.
const routes = table({ basePath: '' } as App, () => undefined).flatMap(({ prefix, routes, refusals }) =>
  routes.flatMap(({ method, path }) =>
    typeof path === 'string' && refusals !== 'json' ? [{ method, path: `${prefix}${path}` }] : [],
  ),
)

/** The path of each page in the table of routes, such as "/office/orders/:id". */
export const pagePaths = routes.flatMap(({ method, path }) => (method === 'GET' ? [path] : []))

/** The path of each form. */
export const formPaths = routes.flatMap(({ method, path }) => (method === 'POST' ? [path] : []))

/** Addresses of pages of the busy shop (busy-shop.ts) whose paths have variable parts, or that show nothing without a query. */
const examples: Record<string, string> = {
  '/office/menu/off': '/office/menu/off?item=303&location=1',
}

/** An address of the busy shop at a path of the table. */
export function exampleOf(path: string): string {
  const address = examples[path] ?? path
  if (address.includes(':')) throw new Error(`test/support/pages.ts has no example of ${path}`)
  return address
}

/** Who may look at a page, the ones with the least rights first. */
export type Visitor = 'nobody' | 'till' | 'staff' | 'manager' | 'owner'

/** What each of them sends. */
export function visitors(shop: Shop): Record<Visitor, Pick<LoggedIn, 'cookie' | 'headers'>> {
  return {
    nobody: { cookie: '', headers: { Cookie: '', Origin: new URL(shop.url).origin } },
    till: pairDevice(shop, 'till'),
    staff: logIn(shop, 'staff', 'Cid'),
    manager: logIn(shop, 'manager', 'Dora'),
    owner: logIn(shop, 'owner', 'Olga'),
  }
}
