import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openWindow, withoutBrowser } from './support/browser.ts'
import { busyShop } from './support/busy-shop.ts'
import { examplesOf, isAt, pagePaths, visitors } from './support/pages.ts'

const mark = `"'><x-injected></x-injected><img src=x onerror=injected()>`
const texts = [mark, `</title></textarea></script><script>injected()</script>${mark}`, 'javascript:injected()']

/** What a page has that only a text that was taken for HTML or for an address can have made. */
async function injected(page: Page): Promise<string[]> {
  const addresses = ['href', 'src', 'action', 'formaction'].map(name => `[${name}^="javascript:" i]`)
  const made = ['x-injected', '[onerror]', 'img[src="x"]', 'script:not([src])', ...addresses]
  return page.locator(made.join()).evaluateAll(found => found.map(each => each.outerHTML))
}

test('no text that a person, a program or an address brings becomes a part of a page', {
  skip: withoutBrowser,
}, async t => {
  const shop = await busyShop(t, { written: text => `${text}${mark}` })
  await shop.raw(`GET /api/index.php/${encodeURI(mark)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  await shop.order({ location_id: 1, [mark]: 1, items: [{ item_id: 1, qty: mark, [mark]: mark }] })
  const { owner: person, kitchen, till, nobody } = visitors(shop)
  // The owner at a screen of the kitchen, whose pages are only for devices.
  const cookie = `${person.cookie}; ${kitchen.cookie}`
  const owner = { cookie, headers: { ...person.headers, Cookie: cookie } }
  const { page, site, context } = await openWindow(t, shop.port, { cookie: owner.cookie })
  // It has no policy that would help.
  const bare = await context.newPage()
  const queries = new Map<string, Set<string>>()
  let shown = 0

  for (const address of pagePaths.flatMap(examplesOf)) {
    const response = await fetch(`${shop.url}${address}`, { headers: { ...owner.headers, Accept: 'text/html' } })
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue
    await page.goto(`${site}${address}`, { waitUntil: 'domcontentloaded' })
    assert.deepEqual(await injected(page), [], address)
    const html = await page.content()
    if (html.includes('x-injected')) shown++
    for (const [path, names] of await queriesOf(page))
      queries.set(path, new Set([...(queries.get(path) ?? []), ...names]))
  }
  assert.ok(shown > pagePaths.length / 2, `only ${shown} pages show a text that somebody has written`)

  for (const path of pagePaths) {
    const [example = path] = examplesOf(path)
    const names = [...queries].flatMap(([address, names]) => (isAt(path, address) ? [...names] : []))
    for (const text of texts) {
      const query = new URLSearchParams([...names, 'next', 'back', 'q'].map(name => [name, text]))
      const address = `${example.split('?')[0]}?${query}`
      for (const { headers } of names.length > 0 ? [owner] : [till, nobody]) {
        const response = await fetch(`${shop.url}${address}`, { headers: { ...headers, Accept: 'text/html' } })
        assert.ok(response.status < 500, address)
        if (!response.headers.get('content-type')?.startsWith('text/html')) continue
        await bare.setContent(await response.text(), { waitUntil: 'domcontentloaded' })
        assert.deepEqual(await injected(bare), [], address)
      }
    }
  }
})

/** The names in the queries of the links and forms of a page, by the path that they lead to. */
async function queriesOf(page: Page): Promise<[path: string, names: string[]][]> {
  return page.evaluate(() => [
    ...[...document.links].map(({ href }): [string, string[]] => {
      const { pathname, searchParams } = new URL(href)
      return [pathname, [...searchParams.keys()]]
    }),
    ...[...document.querySelectorAll<HTMLFormElement>('form[method="get"]')].map((form): [string, string[]] => [
      new URL(form.getAttribute('action') ?? '', location.href).pathname,
      [...new FormData(form).keys()],
    ]),
  ])
}
