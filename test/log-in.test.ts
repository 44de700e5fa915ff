import assert from 'node:assert/strict'
import test from 'node:test'
import { passwords } from '../store/people/password.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { heldClock } from './support/held-clock.ts'
import { openShop, type Shop } from './support/shop.ts'

const PASSWORD = 'a long password'

/** Adds somebody who can log in with `PASSWORD`. */
async function addPerson({ store }: Shop, name: string, role: 'owner' | 'manager'): Promise<void> {
  const person = store.staff.add(name, role)
  const hashed = await passwords().hashPassword(PASSWORD, name)
  if (isRefused(person) || isRefused(hashed)) throw new Error('not added')
  store.staff.setPassword(person.id, hashed)
}

/** Posts a form as a browser at this host does. */
function post(shop: Shop, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const own = { Origin: new URL(shop.url).origin, ...headers }
  return fetch(`${shop.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: own,
    body: new URLSearchParams(fields),
  })
}

test('a manager logs in with name and password, and gets a cookie that only this site can read', async t => {
  const shop = await openShop(t)
  await addPerson(shop, 'Ana', 'manager')
  const right = await post(shop, '/login', { name: 'ANA ', password: PASSWORD })
  assert.deepEqual([right.status, right.headers.get('location')], [303, '/office'])
  assert.match(right.headers.get('set-cookie') ?? '', /^servery_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.deepEqual(
    shop.store.sessions.list().map(({ person, address }) => [person.name, person.role, address]),
    [['Ana', 'manager', '127.0.0.1']],
  )
  for (const fields of [
    { name: 'Ana', password: 'another password' },
    { name: 'Ben', password: PASSWORD },
    { name: 'Ana', password: '' },
    {},
  ]) {
    const wrong = await post(shop, '/login', fields)
    assert.deepEqual([wrong.status, wrong.headers.get('set-cookie')], [422, null])
  }
})

test('a form is accepted only from a page of this site', async t => {
  const shop = await openShop(t)
  const own = new URL(shop.url).origin
  const cases: [headers: Record<string, string>, status: number][] = [
    [{ Origin: own }, 422],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 422],
    [{ Origin: 'null' }, 403],
    [{ Origin: '' }, 403],
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: own.replace('http:', 'https:') }, 403],
    [{ Origin: `${own}0` }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: own }, 403],
    [{ 'Sec-Fetch-Site': 'same-site', Origin: own }, 403],
    [{ 'Sec-Fetch-Site': 'none', Origin: own }, 403],
  ]
  for (const [headers, status] of cases) {
    const answer = await post(shop, '/login', { name: 'Ana', password: 'x' }, headers)
    assert.equal(answer.status, status, JSON.stringify(headers))
  }
  const without = await shop.raw(
    'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  )
  assert.match(without, /^HTTP\/1\.1 403 /)
})

test('pages are served under addresses, local names and configured names only', async t => {
  const shop = await openShop(t, { environment: { HOSTS: 'orders.example.com' } })
  for (const [host, status] of [
    ['192.168.1.20:8080', 200],
    ['[fe80::1]:8080', 200],
    ['localhost', 200],
    ['bar', 200],
    ['bar.local:80', 200],
    ['Orders.Example.com', 200],
    ['orders.example.com.', 421],
    ['evil.example', 421],
    ['1.2.3.4.evil.example', 421],
    ['x.orders.example.com', 421],
    ['', 421],
  ] as const) {
    const answer = await shop.raw(`GET /login HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), host)
  }
})

test('wrong passwords make the next try wait longer and longer, and a right one after the wait ends that', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { clock })
  await addPerson(shop, 'Ana', 'owner')
  const tryWith = async (password: string) => (await post(shop, '/login', { name: 'Ana', password })).status
  for (let i = 0; i < 5; i++) assert.equal(await tryWith('wrong'), 422)
  assert.equal(await tryWith(PASSWORD), 429)
  clock.pass(1000)
  assert.equal(await tryWith('wrong'), 422)
  clock.pass(1000)
  assert.equal(await tryWith(PASSWORD), 429)
  clock.pass(1000)
  assert.equal(await tryWith(PASSWORD), 303)
  assert.equal(await tryWith(PASSWORD), 303)
})
