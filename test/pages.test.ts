import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logIn } from './support/log-in.ts'
import { openShop } from './support/shop.ts'

test('a page may load and run only what this server sends, and no other site may show it', async t => {
  const { url } = await openShop(t)
  const response = await fetch(`${url}/login`, { headers: { Accept: 'text/html' } })
  const { headers } = response
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('referrer-policy'), 'same-origin')
  assert.equal(headers.get('cache-control'), 'no-store')
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types servery',
  ]) {
    assert.ok(policy.split('; ').includes(rule), rule)
  }
  assert.doesNotMatch(policy, /unsafe|\*/)
})

test('the style sheet, the icon and the script are kept by browsers, because their names change with their content', async t => {
  const { url } = await openShop(t, { environment: { BASE_PATH: '/shop' } })
  const page = await (await fetch(`${url}/shop/login`)).text()
  const assets = [...page.matchAll(/(?:href|src)="(\/shop\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
  assert.equal(assets.length, 3)
  for (const path of assets) {
    assert.match(path, /-[0-9a-f]{16}\.(css|js|svg)$/)
    const response = await fetch(`${url}${path}`)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  }
  assert.equal((await fetch(`${url}/shop/assets/style-0000000000000000.css`)).status, 404)
})

test('an address that does not exist is refused as a page for browsers, in their language, and as JSON for programs', async t => {
  const { url } = await openShop(t)
  const asBrowser = (language: string) =>
    fetch(`${url}/office/nothing`, { headers: { Accept: 'text/html', 'Accept-Language': language } })
  const german = await asBrowser('fr, de-AT;q=0.8, en;q=0.5')
  assert.equal(german.status, 404)
  assert.match(await german.text(), /<html lang="de">[\s\S]*Hier ist keine Seite/)
  assert.match(await (await asBrowser('fr')).text(), /<html lang="en">[\s\S]*There is no page here/)
  const program = await fetch(`${url}/office/nothing`)
  assert.equal(program.headers.get('content-type'), 'application/json; charset=utf-8')
  const api = await fetch(`${url}/api/index.php/v1/nothing`, { headers: { Accept: 'text/html' } })
  assert.equal(api.headers.get('content-type'), 'application/json; charset=utf-8')
})

test('the start page leads to the first owner, then to the log-in, and to the orders for those who are logged in', async t => {
  const shop = await openShop(t, { environment: { BASE_PATH: '/shop' } })
  const leadsTo = async (headers: Record<string, string> = {}) =>
    (await fetch(`${shop.url}/shop/`, { headers, redirect: 'manual' })).headers.get('location')
  assert.equal(await leadsTo(), '/shop/setup')
  const owner = logIn(shop, 'owner')
  assert.equal(await leadsTo(), '/shop/login')
  assert.equal(await leadsTo(owner.headers), '/shop/office/orders')
})

test('the language that a person chooses is kept, and leads back to the page', async t => {
  const { url } = await openShop(t)
  const choose = (language: string, back: string) =>
    fetch(`${url}/language`, {
      method: 'POST',
      body: new URLSearchParams({ language, back }),
      headers: { Origin: url },
      redirect: 'manual',
    })
  const chosen = await choose('pt', '/login?next=/office/orders')
  assert.equal(chosen.status, 303)
  assert.equal(chosen.headers.get('location'), '/login?next=%2Foffice%2Forders')
  const cookie = chosen.headers.get('set-cookie') ?? ''
  assert.match(cookie, /^language=pt; Path=\/; Max-Age=31536000; SameSite=Lax; HttpOnly$/)
  const page = await fetch(`${url}/login`, { headers: { Cookie: 'language=pt', 'Accept-Language': 'de' } })
  assert.match(await page.text(), /<html lang="pt">/)
  for (const back of ['//example.com/', 'https://example.com/', '/\\example.com', 'javascript:alert(1)']) {
    assert.match((await choose('en', back)).headers.get('location') ?? '', /^\/(?![/\\])/, back)
  }
  assert.equal((await choose('xx', '/login')).headers.get('set-cookie'), null)
})
