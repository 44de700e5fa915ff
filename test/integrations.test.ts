import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { openStore } from '../store/store.ts'
import { systemClock } from '../store/terms/clock.ts'
import type { EndpointId } from '../store/terms/ids.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { temporaryFolder } from './support/folders.ts'
import { logIn } from './support/log-in.ts'
import { startProgram } from './support/program.ts'
import { receiver } from './support/receivers.ts'
import { importInto, openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { environmentForReceivers } from './support/webhook-log.ts'

const off = { 'api.module_enabled': 'off', 'api.enabled': 'off' }

function status(shop: Shop, token: string): Promise<number> {
  return fetch(`${shop.url}/api/index.php/v1/restaurant/locations`, {
    headers: { Authorization: `Bearer ${token}` },
  }).then(response => response.status)
}

test('the owner switches the API on, and a client gets through as soon as the page says so', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { settings: off })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'owner').cookie })
  await page.goto(`${site}/office/integrations`)
  assert.equal(await status(shop, shop.token), 403)
  await page.getByText('403 MODULE_DISABLED').first().waitFor()
  await page.getByRole('button', { name: 'Switch on: API module' }).click()
  await page.getByText('403 API_DISABLED').first().waitFor()
  assert.equal(await status(shop, shop.token), 403)
  await page.getByRole('button', { name: 'Switch on: Enable API' }).click()
  await page.getByText('200', { exact: true }).waitFor()
  assert.equal(await status(shop, shop.token), 200)
  await assertUsableEverywhere(page, 'integrations')
})

test('a new token is shown once with lines that work in a terminal, and the old one stops at once', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { environment: { BASE_PATH: '/shop' } })
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'owner').cookie })
  await page.goto(`${site}/shop/office/integrations`)
  await page.getByText('Generate a new token').first().click()
  await page.getByRole('button', { name: 'Generate a new token' }).click()
  const token = await page.locator('#shown-once').innerText()
  assert.match(token, /^svy_[\w-]{43}$/)
  const lines = await page.locator('pre').allInnerTexts()
  assert.equal(lines.length, 3)
  for (const line of lines) {
    const curl = line.replace('curl', `curl -s --resolve servery.test:${shop.port}:127.0.0.1`)
    const { stdout } = await promisify(execFile)('sh', ['-c', curl])
    assert.ok(JSON.parse(stdout).data, line)
  }
  assert.equal(shop.rows('SELECT * FROM orders').length, 1)
  const answer = await shop.get('/locations')
  assert.equal(answer.status, 401)
  await assertUsableEverywhere(page, 'token')

  await page.reload()
  await page.getByText('It was shown already').waitFor()
  assert.equal(shop.rows(`SELECT * FROM activity WHERE what = 'token generated' AND actor_kind = 'staff'`).length, 1)
  const content = await page.content()
  assert.ok(!content.includes(token))
})

test('endpoints are added, paused and removed; a wrong address is shown again with the reason', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t)
  const { page, site } = await openWindow(t, shop.port, {
    cookie: logIn(shop, 'owner').cookie,
    javaScriptEnabled: false,
  })
  await page.goto(`${site}/office/integrations/webhooks`)
  const address = page.getByLabel('Address')
  await address.fill('http://partner.example/hook')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  assert.match(await page.locator('.wrong').innerText(), /must start with https/)
  assert.equal(await address.inputValue(), 'http://partner.example/hook')
  await address.fill('https://partner.example/hook?key=sesame')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByText('Deliveries are not signed').waitFor()
  assert.ok(!(await page.content()).includes('sesame'), 'a key in an address is not shown')
  await page.getByRole('button', { name: 'Generate a secret' }).first().click()
  const secret = await page.locator('#shown-once').innerText()
  assert.match(secret, /^whsec_/)
  await page.getByRole('link', { name: 'Back to Integrations' }).click()
  await page.getByText('Signed with one secret').waitFor()
  assert.ok(!(await page.content()).includes(secret))
  await page.getByText('Pause or remove').click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.getByLabel('order.placed').check()
  await page.getByRole('button', { name: 'Save' }).click()
  assert.deepEqual(shop.store.webhooks.endpoints.selection(), ['order.placed'])
  await page.getByText('Remove', { exact: true }).click()
  await page.getByRole('button', { name: 'Remove https://partner.example/hook' }).click()
  await page.getByText('No other system hears of orders yet').waitFor()
  assert.deepEqual(shop.store.webhooks.endpoints.list(), [])
})

test('the delivery log shows attempts with their reasons, keeps its filters in the address, and runs nothing that a receiver sends', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t)
  const attack = `"><img src=x onerror=alert(1)><script>alert(1)</script>`
  const orders = [await shop.order(anOrder), await shop.order(anOrder)]
  assert.deepEqual(
    orders.map(({ status }) => status),
    [201, 201],
  )
  for (const id of [1, 2]) addAttempt(shop, id, attack)
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'owner').cookie })
  page.on('dialog', () => assert.fail('a script of the receiver ran'))
  await page.goto(`${site}/office/integrations/deliveries`)
  assert.equal(await page.locator('#log tbody tr').count(), 4)
  await page.getByText('Search and filter').click()
  await page.getByLabel('Look for').fill('ORD-000002')
  await page.getByLabel('Result').selectOption('lost only')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  assert.match(page.url(), /search=ORD-000002.*failed=yes/)
  assert.equal(await page.locator('#log tbody tr').count(), 1)
  await assertUsableEverywhere(page, 'deliveries')
  await page.goto(`${site}/office/integrations/deliveries?search=msg_1`)
  assert.equal(await page.locator('#log tbody tr').count(), 2)
  await page.locator('#log tbody tr').last().locator('a').first().click()
  assert.deepEqual(
    await page
      .locator('img, main script, [onerror]')
      .evaluateAll(elements => elements.map(({ outerHTML }) => outerHTML)),
    [],
  )
  assert.ok((await page.locator('pre').allInnerTexts()).some(text => text.includes(attack)))
  await page.getByText('webhook-id: msg_1').waitFor()
  await assertUsableEverywhere(page, 'delivery')

  await page.goto(`${site}/office/integrations/lost`)
  // One endpoint received each of them.
  await page.getByText('Nothing is lost.').waitFor()
})

const anOrder = { location_id: 1, items: [{ item_id: 1, qty: 1 }] }

/** The event of an order, which one endpoint received and another did not, each with a response and a reason that attack. */
function addAttempt(shop: Shop, order: number, attack: string): void {
  const text = attack.replaceAll("'", "''")
  shop.execute(`
    INSERT INTO webhook_event VALUES (${order}, 'msg_${order}', 'order.placed', ${order},
      '{"type":"order.placed","orderId":${order},"locationId":1,"channel":"web","source":"api"}', ${Date.now()}, ${Date.now()});
    INSERT INTO webhook_attempt (event_id, endpoint_id, url, state, started_at, signatures, took_ms, status, reason, response, response_headers)
    VALUES (${order}, 1, 'https://one.example/${'a'.repeat(40)}', 'received', ${Date.now()}, 1, 31, 200, NULL,
        CAST('${text}' AS BLOB), json_array('X-Attack', '${text}')),
      (${order}, 2, 'https://two.example/hook', 'lost', ${Date.now()}, 0, 5000, NULL, '${text}', CAST('${text}' AS BLOB), NULL)`)
}

test('lost events are listed with their orders, to copy and as CSV', { skip: withoutBrowser }, async t => {
  const shop = await openShop(t)
  shop.store.webhooks.endpoints.add('https://one.example/hook')
  const first = shop.store.webhooks.endpoints.list()[0]
  assert.ok(first)
  shop.store.webhooks.endpoints.pause(first.id, true)
  for (let i = 0; i < 3; i++) await shop.order(anOrder)
  const owner = logIn(shop, 'owner')
  const { page, site } = await openWindow(t, shop.port, { cookie: owner.cookie })
  await page.goto(`${site}/office/integrations/lost`)
  assert.equal(await page.locator('#ids').inputValue(), '1 2 3')
  assert.match(await page.locator('tbody tr').first().innerText(), /ORD-000001[\s\S]*the endpoint was paused/)
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  await assertUsableEverywhere(page, 'lost')
  const file = await fetch(`${shop.url}/office/integrations/lost.csv`, { headers: owner.headers })
  assert.match(file.headers.get('content-disposition') ?? '', /lost\.csv/)
  const lines = (await file.text()).trimEnd().split('\r\n')
  assert.equal(lines[0], 'at,type,delivery_id,order_id,order_number,location_id,why')
  assert.deepEqual(
    lines.slice(1).map(line => line.split(',').slice(3, 5)),
    [
      ['1', 'ORD-000001'],
      ['2', 'ORD-000002'],
      ['3', 'ORD-000003'],
    ],
  )
})

test('refused requests are listed by reason, place and address, without their contents', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { settings: { 'orders.limit': '2' } })
  await shop.get('/locations', { Authorization: 'Bearer svy_wrong' })
  await shop.get('/locations', { Authorization: 'Bearer svy_wrong' })
  await shop.order({ location_id: 1, items: [{ item_id: 1, qty: 0 }], customer: { name: 'Gertrude' } })
  for (let i = 0; i < 3; i++) await shop.order(anOrder)
  const { page, site } = await openWindow(t, shop.port, { cookie: logIn(shop, 'owner').cookie })
  await page.goto(`${site}/office/integrations/refused`)
  const rows = await page.locator('#refused tbody tr').allInnerTexts()
  assert.equal(rows.length, 3)
  assert.match(rows[0] ?? '', /429 RATE_LIMITED[\s\S]*1 ×/)
  assert.match(rows[1] ?? '', /400 INVALID_ORDER[\s\S]*\/items\/0\/qty[\s\S]*127\.0\.0\.1/)
  assert.match(rows[2] ?? '', /401 INVALID_TOKEN[\s\S]*2 ×[\s\S]*GET \/api\/index\.php\/v1\/restaurant\/locations/)
  assert.match(await page.locator('#limit').innerText(), /127\.0\.0\.1[\s\S]*2 of 2/)
  assert.ok(!/Gertrude|svy_wrong/.test(await page.content()))
  await assertUsableEverywhere(page, 'refused')
})

test('a test is sent to an endpoint, paused or not, and shows the request and the response', {
  skip: withoutBrowser,
}, async t => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'test.db')
  importInto(file, smallRestaurant())
  const store = openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
  t.after(store.close)
  const { url, got } = await receiver(
    t,
    (_, response) => void response.writeHead(202, { 'X-Partner': 'yes' }).end('thanks'),
  )
  store.webhooks.endpoints.add(`${url}?key=sesame`)
  store.webhooks.secrets.set('a secret of the partner')
  const { child, port } = await startProgram(file, {
    environment: { ...environmentForReceivers(folder), HOSTS: 'servery.test' },
  })
  t.after(() => child.kill('SIGKILL'))
  const execute = (sql: string): void => {
    const db = new Database(file)
    db.exec(sql)
    db.close()
  }
  const owner = logIn({ url: `http://127.0.0.1:${port}`, store, execute }, 'owner')
  const { page, site } = await openWindow(t, port, { cookie: owner.cookie })
  await page.goto(`${site}/office/integrations/webhooks`)
  await assertUsableEverywhere(page, 'webhooks')
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('received: HTTP 202').waitFor()
  assert.equal(got.length, 1)
  assert.equal(got[0]?.path, '/hook?key=sesame')
  const [request = '', body = '', response = '', answer] = await page.locator('pre').allInnerTexts()
  assert.match(request, new RegExp(`POST /hook HTTP/1.1[\\s\\S]*webhook-id: ${got[0]?.headers['webhook-id']}`))
  assert.deepEqual(JSON.parse(body), JSON.parse(`${got[0]?.body}`))
  assert.match(response, /HTTP 202[\s\S]*X-Partner: yes/)
  assert.equal(answer, 'thanks')
  assert.ok(!/sesame|a secret of the partner/.test(await page.content()))

  store.webhooks.endpoints.pause(1 as EndpointId, true)
  await page.goto(`${site}/office/integrations/webhooks`)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('received: HTTP 202').waitFor()
  assert.equal(got.length, 2)
})
