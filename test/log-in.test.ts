import assert from 'node:assert/strict'
import test from 'node:test'
import { passwords } from '../store/people/password.ts'
import type { Role } from '../store/people/staff.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { openShop, type Shop } from './support/shop.ts'

const PASSWORD = 'a long password'
const PIN = '271828'

const asPage = { Accept: 'text/html' }

/** Adds somebody with a real password, or staff with a real PIN. */
async function addPerson({ store }: Shop, name: string, role: Role) {
  const person = store.staff.add(name, role)
  const password = await passwords().hashPassword(PASSWORD, name)
  const pin = await passwords().hashPin(PIN)
  if (isRefused(person) || isRefused(password) || isRefused(pin)) throw new Error('not added')
  if (role !== 'staff') store.staff.setPassword(person.id, password)
  store.staff.setPin(person.id, pin)
  return person
}

/** Posts a form as a browser at this host does. */
function post(shop: Shop, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(`${shop.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: new URL(shop.url).origin, ...headers },
    body: new URLSearchParams(fields),
  })
}

function get(shop: Shop, path: string, headers: Record<string, string> = {}) {
  return fetch(`${shop.url}${path}`, { redirect: 'manual', headers: { ...asPage, ...headers } })
}

/** The cookie that a response sets, as a browser sends it back. */
function cookieOf(response: Response, name = 'servery_session'): string {
  const set = response.headers.getSetCookie().find(each => each.startsWith(`${name}=`))
  return set?.split(';')[0] ?? assert.fail(`no cookie ${name}`)
}

/** The text of a field of a page. */
function valueIn(page: string, name: string): string | undefined {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]
  return value?.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
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

test('over https the cookies are secure and no other host can set them, if a trusted proxy says that it is https', async t => {
  const shop = await openShop(t, { environment: { TRUSTED_PROXIES: '127.0.0.1/32', BASE_PATH: '/shop' } })
  await addPerson(shop, 'Ana', 'manager')
  const fields = { name: 'Ana', password: PASSWORD }
  const https = await post(shop, '/shop/login', fields, {
    'X-Forwarded-Proto': 'https',
    Origin: new URL(shop.url).origin.replace('http:', 'https:'),
  })
  const secure = /^(__Host-servery_session=[\w-]{43}); Path=\/; HttpOnly; SameSite=Lax; Secure$/
  const [, cookie = ''] = secure.exec(https.headers.get('set-cookie') ?? '') ?? []
  assert.notEqual(cookie, '')
  const proto = { 'X-Forwarded-Proto': 'https' }
  assert.equal((await get(shop, '/shop/office', { ...proto, Cookie: cookie })).status, 200)
  const plain = cookie.replace('__Host-', '')
  assert.equal((await get(shop, '/shop/office', { ...proto, Cookie: plain })).status, 303)
  assert.equal((await get(shop, '/shop/office', { Cookie: cookie })).status, 303)
  const http = await post(shop, '/shop/login', fields)
  assert.match(
    http.headers.get('set-cookie') ?? '',
    /^servery_session=[\w-]{43}; Path=\/shop\/; HttpOnly; SameSite=Lax$/,
  )
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
    const answer = await post(shop, '/pair', { code: 'x' }, headers)
    assert.equal(answer.status, status, JSON.stringify(headers))
  }
  const without = await shop.raw(
    'POST /pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
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
    const answer = await shop.raw(`GET /pair HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), host)
  }
})

test('wrong passwords make the next try wait longer and longer, and nobody is locked out', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { clock, environment: { TRUSTED_PROXIES: '127.0.0.1/32' } })
  await addPerson(shop, 'Ana', 'owner')
  const from = async (address: string, password: string) => {
    const answer = await post(shop, '/login', { name: 'Ana', password }, { 'X-Forwarded-For': address })
    return answer.status
  }
  assert.equal(await from('192.0.2.1', PASSWORD), 303)
  for (let i = 0; i < 5; i++) assert.equal(await from('192.0.2.9', 'wrong'), 422)
  assert.equal(await from('192.0.2.9', PASSWORD), 429, 'even the right one has to wait')
  assert.equal(await from('192.0.2.8', PASSWORD), 429, 'from every address that Ana has not logged in from')
  assert.equal(await from('192.0.2.1', PASSWORD), 303, 'but not from where she has')
  let waits = ''
  for (let i = 0; i < 8; i++) {
    let seconds = 0
    while ((await from('192.0.2.9', 'wrong')) === 429) {
      clock.pass(1000)
      seconds++
    }
    waits += `${seconds} `
  }
  assert.equal(waits, '1 2 4 8 16 32 60 60 ')
  clock.pass(60_000)
  assert.equal(await from('192.0.2.9', PASSWORD), 303)
  assert.equal(await from('192.0.2.9', PASSWORD), 303)
})

test('one address that tries many names or codes has to wait, and so does nobody else', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { clock, environment: { TRUSTED_PROXIES: '127.0.0.1/32' } })
  const pairFrom = async (address: string) =>
    (await post(shop, '/pair', { code: 'ABCDEFGH' }, { 'X-Forwarded-For': address })).status
  for (let i = 0; i < 20; i++) assert.equal(await pairFrom('2001:db8::1'), 422)
  assert.equal(await pairFrom('2001:db8::2'), 429, 'a network of IPv6 is one address')
  assert.equal(await pairFrom('2001:db8:0:1::1'), 422)
  const fields = { code: shop.setupCode, name: 'Ana', password: PASSWORD }
  const setUpFrom = async (address: string) =>
    (await post(shop, '/setup', fields, { 'X-Forwarded-For': address })).status
  assert.equal(await setUpFrom('2001:db8::3'), 429)
  clock.pass(1000)
  assert.equal(await setUpFrom('2001:db8::3'), 303)
})

test('log-ins are compared one at a time, and the tenth at once is told to try again', async t => {
  const shop = await openShop(t)
  const tries = Array.from({ length: 12 }, (_, i) => post(shop, '/login', { name: `guest ${i}`, password: 'wrong' }))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  assert.deepEqual(
    [statuses.filter(status => status === 422).length, statuses.filter(status => status === 429).length],
    [9, 3],
  )
})

test('a session ends by logging out, by a new log-in of the browser, and with a change of password or role', async t => {
  const shop = await openShop(t)
  const ana = await addPerson(shop, 'Ana', 'manager')
  const enter = async (cookie = '') =>
    cookieOf(await post(shop, '/login', { name: 'Ana', password: PASSWORD }, { Cookie: cookie }))
  const isIn = async (Cookie: string) => (await get(shop, '/office', { Cookie })).status === 200

  const first = await enter()
  const second = await enter(first)
  assert.deepEqual([await isIn(first), await isIn(second)], [false, true])
  const out = await post(shop, '/logout', {}, { Cookie: second })
  assert.match(out.headers.get('set-cookie') ?? '', /^servery_session=; .*Max-Age=0/)
  assert.equal(await isIn(second), false)

  const third = await enter()
  shop.store.staff.changeRole(ana.id, 'owner')
  assert.equal(await isIn(third), false)
  const fourth = await enter()
  const hashed = await passwords().hashPassword('another password', 'Ana')
  if (isRefused(hashed)) throw new Error('not hashed')
  shop.store.staff.setPassword(ana.id, hashed)
  assert.equal(await isIn(fourth), false)
  assert.deepEqual(shop.store.sessions.list(), [])
})

test('a session ends three days after the last request, and thirty days after the log-in', async t => {
  const clock = heldClock('2026-11-01T12:00:00Z')
  const shop = await openShop(t, { clock })
  const DAY = 86_400_000
  const idle = logIn(shop, 'manager')
  clock.pass(3 * DAY - 1)
  assert.equal((await get(shop, '/office', idle.headers)).status, 200)
  await shop.writer.chore('cutDeliveryLog')
  clock.pass(3 * DAY)
  assert.equal((await get(shop, '/office', idle.headers)).status, 303)

  const busy = logIn(shop, 'manager')
  for (let day = 0; day < 29; day++) {
    clock.pass(DAY)
    assert.equal((await get(shop, '/office', busy.headers)).status, 200, `day ${day}`)
    await shop.writer.chore('cutDeliveryLog')
  }
  clock.pass(DAY)
  assert.equal((await get(shop, '/office', busy.headers)).status, 303)
})

test('a session with a PIN ends half an hour after the person has last done something, which a page by itself does not', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { clock })
  const ben = logIn(shop, 'staff')
  const MINUTE = 60_000
  const open = async (headers: Record<string, string> = {}) => {
    const answer = await get(shop, '/office', { ...ben.headers, ...headers })
    // Whatever the request has noted is written before this.
    await shop.writer.chore('cutDeliveryLog')
    return answer.status
  }
  clock.pass(29 * MINUTE)
  assert.equal(await open(), 200)
  clock.pass(29 * MINUTE)
  assert.equal(await open({ 'Servery-Refresh': 'yes' }), 200)
  clock.pass(MINUTE)
  assert.equal(await open({ 'Servery-Refresh': 'yes' }), 303)
})

test('a log-in never takes over a session that the browser was given before', async t => {
  const shop = await openShop(t)
  await addPerson(shop, 'Ana', 'manager')
  const given = `servery_session=${'A'.repeat(43)}`
  const entered = await post(shop, '/login', { name: 'Ana', password: PASSWORD }, { Cookie: given })
  assert.notEqual(cookieOf(entered), given)
  assert.equal((await get(shop, '/office', { Cookie: given })).status, 303)
})

test('a forged, changed, repeated or malformed cookie is no log-in', async t => {
  const shop = await openShop(t)
  const { cookie } = logIn(shop, 'owner')
  assert.equal((await get(shop, '/office', { Cookie: `other=1; ${cookie}; language=en` })).status, 200)
  const secret = cookie.slice('servery_session='.length)
  const stored = shop.rows('SELECT hex(sha256) AS hash FROM session')[0]?.hash
  for (const wrong of [
    `${cookie}; ${cookie}`,
    `${cookie}; servery_session=x`,
    `servery_session=${secret.slice(1)}A`,
    `servery_session="${secret}"`,
    `servery_session=${stored}`,
    `SERVERY_SESSION=${secret}`,
    `__Host-servery_session=${secret}`,
    `servery_device=${secret}`,
    'servery_session=',
  ]) {
    assert.equal((await get(shop, '/office', { Cookie: wrong })).status, 303, wrong)
  }
})

test('after the log-in the person is where they wanted to be, but never on another site', async t => {
  const shop = await openShop(t)
  await addPerson(shop, 'Ana', 'owner')
  const lost = await get(shop, '/office?from=here')
  assert.equal(lost.headers.get('location'), '/login?next=%2Foffice%3Ffrom%3Dhere')
  const page = await (await get(shop, lost.headers.get('location') ?? '')).text()
  assert.equal(valueIn(page, 'next'), '/office?from=here')
  for (const [next, location] of [
    ['/office?from=here', '/office?from=here'],
    ['//evil.example', '/office'],
    ['/\\evil.example', '/office'],
    ['https://evil.example/', '/office'],
    ['/nothing', '/office'],
    ['/../office', '/office'],
    ['javascript:alert(1)', '/office'],
    ['/office\r\nSet-Cookie: a=b', '/office'],
  ] as const) {
    const answer = await post(shop, '/login', { name: 'Ana', password: PASSWORD, next })
    assert.equal(answer.headers.get('location'), location, next)
  }
})

test('a form whose session has ended is kept without passwords, and sent again after the log-in', async t => {
  const shop = await openShop(t)
  await addPerson(shop, 'Ana', 'manager')
  const ended = await post(shop, '/approve?a=1', { to: 'x "y"', kept: 'a=1&b=ü', pin: '123456' }, asPage)
  const page = await ended.text()
  assert.equal(ended.status, 401)
  const kept = { to: valueIn(page, 'to') ?? '', kept: valueIn(page, 'kept') ?? '' }
  assert.deepEqual(kept, { to: '/approve?a=1', kept: 'to=x+%22y%22&kept=a%3D1%26b%3D%C3%BC' })
  const wrong = await (await post(shop, '/login', { name: 'Ana', password: 'wrong', ...kept })).text()
  assert.equal(valueIn(wrong, 'kept'), kept.kept)
  const again = await (await post(shop, '/login', { name: 'Ana', password: PASSWORD, ...kept })).text()
  assert.match(again, /<form method="post" action="\/approve\?a=1"/)
  assert.deepEqual([valueIn(again, 'to'), valueIn(again, 'kept')], ['x "y"', 'a=1&b=ü'])
  const elsewhere = await post(shop, '/login', { name: 'Ana', password: PASSWORD, to: '//evil.example/', kept: 'a=1' })
  assert.deepEqual([elsewhere.status, elsewhere.headers.get('location')], [303, '/office'])
})

test('staff log in with a PIN on a paired till only, and the device carries it', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { clock })
  const ben = await addPerson(shop, 'Ben', 'staff')
  const ana = await addPerson(shop, 'Ana', 'owner')
  const till = pairDevice(shop, 'till')
  const other = pairDevice(shop, 'till')
  const board = pairDevice(shop, 'board')
  const fields = { person: String(ben.id), pin: PIN }

  assert.equal((await post(shop, '/pin', fields)).status, 401)
  assert.equal((await post(shop, '/pin', fields, { Cookie: board.cookie })).status, 403)
  assert.match(await (await get(shop, '/pin', { Cookie: till.cookie })).text(), /Ana[\s\S]*Ben/)
  assert.equal((await get(shop, '/office', { Cookie: till.cookie })).headers.get('location'), '/pin?next=%2Foffice')
  const entered = await post(shop, '/pin', fields, { Cookie: till.cookie })
  assert.equal(entered.status, 303)
  const session = cookieOf(entered)
  assert.equal((await get(shop, '/office', { Cookie: `${till.cookie}; ${session}` })).status, 200)
  assert.equal((await get(shop, '/office', { Cookie: session })).status, 303, 'without the device')
  assert.equal((await get(shop, '/office', { Cookie: `${other.cookie}; ${session}` })).status, 303, 'on another device')

  const owner = await post(shop, '/pin', { person: String(ana.id), pin: PIN }, { Cookie: `${till.cookie}; ${session}` })
  const asStaff = await (await get(shop, '/office', { Cookie: `${till.cookie}; ${cookieOf(owner)}` })).text()
  assert.doesNotMatch(asStaff, /integrations/, 'with a PIN, an owner has the rights of staff')
  assert.equal(shop.store.sessions.list().length, 1, 'who was logged in before is not any more')

  for (let i = 0; i < 5; i++) {
    assert.equal((await post(shop, '/pin', { ...fields, pin: '000001' }, { Cookie: till.cookie })).status, 422)
  }
  assert.equal((await post(shop, '/pin', fields, { Cookie: till.cookie })).status, 429)
  assert.equal((await post(shop, '/pin', fields, { Cookie: other.cookie })).status, 303)
  clock.pass(1000)
  assert.equal((await post(shop, '/pin', fields, { Cookie: till.cookie })).status, 303)

  shop.store.devices.end(till.id)
  assert.equal((await get(shop, '/pin', { Cookie: till.cookie })).headers.get('location'), '/pair')
})

test('a code pairs one device, for ten minutes, and is void after five wrong tries', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { clock })
  const offer = () => {
    const wanted = { title: 'Bar', role: 'till', locationId: 1, stationId: null } as const
    const offered = shop.store.devices.offerPairing(wanted as never)
    if (isRefused(offered)) throw new Error(offered.refused)
    return offered.code
  }
  const pair = async (code: string) => (await post(shop, '/pair', { code })).status
  const code = offer()
  assert.match(code, /^[2-9A-HJKMNP-Z]{8}$/)
  const paired = await post(shop, '/pair', { code: ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}` })
  assert.equal(paired.status, 200)
  const device = cookieOf(paired, 'servery_device')
  assert.equal((await get(shop, '/pin', { Cookie: device })).status, 200)
  assert.equal(await pair(code), 422, 'a second time')

  const late = offer()
  clock.pass(10 * 60_000)
  assert.equal(await pair(late), 422)

  const guessed = offer()
  const wrong = `${guessed.slice(0, 7)}${guessed.endsWith('2') ? '3' : '2'}`
  for (let i = 0; i < 4; i++) assert.equal(await pair(wrong), 422)
  const other = offer()
  assert.equal(await pair(wrong), 422)
  assert.equal(await pair(guessed), 422)
  assert.equal(await pair(other), 200, 'other codes are not affected')
  assert.doesNotMatch(JSON.stringify(shop.rows('SELECT * FROM device, activity')), new RegExp(code))
})

test('the first owner is made with the code of the start, and of two racers one becomes it', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { clock })
  const fields = { code: shop.setupCode, name: 'Ana', password: PASSWORD }
  assert.equal((await get(shop, '/office')).headers.get('location'), '/setup?next=%2Foffice')
  assert.equal((await post(shop, '/setup', { ...fields, code: 'ABCDEFGH' })).status, 422)
  assert.equal((await post(shop, '/setup', { ...fields, password: 'short' })).status, 422)
  assert.equal((await post(shop, '/setup', { ...fields, password: 'ANA', name: 'Ana' })).status, 422)
  const racers = await Promise.all([post(shop, '/setup', fields), post(shop, '/setup', { ...fields, name: 'Ben' })])
  assert.deepEqual(racers.map(({ status }) => status).sort(), [303, 303])
  const [winner, ...others] = shop.rows("SELECT name FROM staff WHERE role = 'owner'")
  assert.ok(winner)
  assert.deepEqual(others, [])
  const locations = racers.map(({ headers }) => headers.get('location')).sort()
  assert.deepEqual(locations, ['/login', '/office'])
  assert.equal((await get(shop, '/setup')).headers.get('location'), '/login')
  assert.equal((await post(shop, '/setup', fields)).headers.get('location'), '/login')
})

test('the code of the start is valid for thirty minutes', async t => {
  const clock = heldClock('2026-11-20T12:00:00Z')
  const shop = await openShop(t, { clock })
  clock.pass(30 * 60_000)
  const late = await post(shop, '/setup', { code: shop.setupCode, name: 'Ana', password: PASSWORD })
  assert.equal(late.status, 422)
  assert.deepEqual(shop.rows('SELECT * FROM staff'), [])
})
