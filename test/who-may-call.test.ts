import assert from 'node:assert/strict'
import test from 'node:test'
import { everybody } from '../routes/access/everybody.ts'
import { manager, owner, staff } from '../routes/access/person.ts'
import { token } from '../routes/access/token.ts'
import type { App } from '../routes/http/handler.ts'
import { table } from '../routes/index.ts'
import { type Role, roles } from '../store/people/staff.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { pizzeria } from './support/pizzeria.ts'
import { openShop } from './support/shop.ts'

// The table of the server, which needs its app only when a request comes.
const groups = table({ basePath: '' } as App, () => undefined)
const routes = groups.flatMap(({ prefix, routes, refusals }) =>
  routes.flatMap(({ method, path, access }) =>
    typeof path === 'string' ? { method, access, isPage: refusals !== 'json', path: `${prefix}${path}` } : [],
  ),
)

const least = new Map<unknown, Role>([
  [owner, 'owner'],
  [manager, 'manager'],
  [staff, 'staff'],
])

/** A path of the table with something in place of its variable parts. */
function filled(path: string): string {
  return path.replace(/:\w+/g, '1')
}

test('nobody gets further than their role allows: every route, every role and without a log-in', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const kitchen = pairDevice(shop, 'kitchen')
  logIn(shop, 'owner')
  assert.ok(routes.length > 15)
  for (const { method, path, access } of routes) {
    if (access === everybody || access === token) continue
    const send = async (headers: Record<string, string>) => {
      const body = method === 'POST' ? { body: new URLSearchParams() } : {}
      const own = { Origin: new URL(shop.url).origin, Accept: 'text/html' }
      const answer = await fetch(`${shop.url}${filled(path)}`, {
        method,
        redirect: 'manual',
        headers: { ...own, ...headers },
        ...body,
      })
      await answer.text()
      const to = answer.headers.get('location') ?? ''
      if (answer.status === 401 || /^\/(login|pin|pair|setup)(\?|$)/.test(to)) return 'not logged in'
      return answer.status === 403 ? 'not allowed' : answer.status < 500 ? 'allowed' : `failed with ${answer.status}`
    }
    const title = `${method} ${path}`
    assert.equal(await send({}), 'not logged in', title)
    assert.equal(await send({ Accept: '*/*' }), 'not logged in', title)

    const needed = least.get(access)
    if (needed === undefined) {
      // A paired device, of which some roles may call.
      assert.equal(await send({ Cookie: logIn(shop, 'owner').cookie }), 'not logged in', title)
      continue
    }
    assert.equal(await send({ Cookie: kitchen.cookie }), 'not logged in', `${title} with a device alone`)
    for (const role of roles) {
      const expected: string = roles.indexOf(role) <= roles.indexOf(needed) ? 'allowed' : 'not allowed'
      assert.equal(await send({ Cookie: logIn(shop, role).cookie }), expected, `${title} as ${role}`)
    }
  }
})

test('no form is taken from another site, and no page is served under another name, on any route of the pages', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { cookie } = logIn(shop, 'owner')
  const before = shop.rows('SELECT count(*) AS acts FROM activity')[0]?.acts
  for (const { method, path, isPage, access } of routes) {
    if (!isPage) continue
    assert.notEqual(access, token, 'a page never takes the token')
    const title = `${method} ${path}`
    if (method === 'POST') {
      for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }, {}]) {
        const body = new URLSearchParams()
        const answer: Response = await fetch(`${shop.url}${filled(path)}`, {
          method,
          body,
          headers: { Cookie: cookie, ...headers },
        })
        assert.equal(answer.status, 403, title)
      }
    }
    const request = `${method} ${filled(path)} HTTP/1.1\r\nHost: evil.example\r\nCookie: ${cookie}\r\nConnection: close`
    assert.match(await shop.raw(`${request}\r\n\r\n`), /^HTTP\/1\.1 421 /, title)
  }
  assert.equal(shop.rows('SELECT count(*) AS acts FROM activity')[0]?.acts, before)
})
