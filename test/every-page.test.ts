import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { assertFits, assertUsableEverywhere, openWindow, type Window, withoutBrowser } from './support/browser.ts'
import { busyShop } from './support/busy-shop.ts'
import type { LoggedIn } from './support/log-in.ts'
import { examplesOf, formPaths, isAt, pagePaths, type Visitor, visitors } from './support/pages.ts'
import { openShop, type Shop } from './support/shop.ts'

// Where `npm run screenshots` wants pictures of the pages.
if (process.env.SCREENSHOTS) mkdirSync(process.env.SCREENSHOTS, { recursive: true })

test('every page can be used on each screen, by the ones with the least rights for it, and in German without script', {
  skip: withoutBrowser,
}, async t => {
  const shop = await busyShop(t)
  const secrets = visitors(shop)
  const windows = new Map<string, Window>()
  const windowOf = async (visitor: Visitor, isPlain: boolean) => {
    const key = `${visitor} ${isPlain}`
    const plain = { javaScriptEnabled: false, locale: 'de-DE', width: 320, height: 640 }
    const { cookie } = secrets[visitor]
    const opened =
      windows.get(key) ?? (await openWindow(t, shop.port, { ...(cookie && { cookie }), ...(isPlain && plain) }))
    windows.set(key, opened)
    return opened
  }

  for (const path of pagePaths) {
    const [address] = examplesOf(path)
    let visitor: Visitor | undefined
    let response: Response | undefined
    for (const [each, { headers }] of Object.entries(secrets)) {
      visitor = each as Visitor
      response = await fetch(`${shop.url}${address}`, {
        redirect: 'manual',
        headers: { ...headers, Accept: 'text/html' },
      })
      if (response.status === 200) break
      await response.text()
    }
    if (path === '/' || path === '/setup') {
      assert.equal(response?.status, 303)
      continue
    }
    await t.test(`${path} as ${visitor}`, async () => {
      assert.ok(visitor && response)
      assert.equal(response.status, 200)
      if (!response.headers.get('content-type')?.startsWith('text/html')) return

      const { page, site } = await windowOf(visitor, false)
      if (isShownOnce(path)) await makeSecret(shop, path, secrets[visitor])
      await page.goto(`${site}${address}`)
      await assertUsableEverywhere(page, path.slice(1).replaceAll(/\W+/g, '-'))
      assert.equal(await page.locator('h1:visible').count(), 1, 'one heading of the page')
      assert.ok((await page.locator('.primary:visible').count()) <= 1, 'more than one primary button')

      const plain = await windowOf(visitor, true)
      await plain.page.goto(`${site}${address}`)
      await assertFits(plain.page)
      assert.notEqual(await plain.page.locator('h1').innerText(), '')
      assert.equal(await plain.page.locator('html').getAttribute('lang'), 'de')
      assert.deepEqual(await uselessWithoutScript(plain), [])
    })
  }
})

test('the page for the first owner can be used on each screen', { skip: withoutBrowser }, async t => {
  const { page, site } = await openWindow(t, (await openShop(t)).port)
  await page.goto(`${site}/setup`)
  await assertUsableEverywhere(page, 'setup')
})

/** Pages that show a secret once, after it was made with the form of the same path. */
function isShownOnce(path: string): boolean {
  return path.endsWith('/token') || path.endsWith('/secret')
}

async function makeSecret({ url }: Shop, path: string, { headers }: Pick<LoggedIn, 'headers'>): Promise<void> {
  const body = new URLSearchParams(path.endsWith('/secret') ? { act: 'generate' } : {})
  const { status } = await fetch(`${url}${path}`, { method: 'POST', redirect: 'manual', headers, body })
  assert.equal(status, 303)
}

/** Controls that do nothing without a script, and forms that lead nowhere. */
async function uselessWithoutScript({ page }: Window): Promise<string[]> {
  const forms = await page.evaluate(() =>
    [...document.forms]
      .filter(form => !form.hidden)
      .map(form => ({
        method: form.getAttribute('method') ?? 'get',
        path: new URL(form.action).pathname,
        hasButton: [...form.elements].some(each => each instanceof HTMLButtonElement && each.type === 'submit'),
      })),
  )
  const routeOf = (paths: string[], path: string) => paths.some(known => isAt(known, path))
  const wrong = forms.filter(
    ({ method, path, hasButton }) => !hasButton || !routeOf(method === 'post' ? formPaths : pagePaths, path),
  )
  const dead = page.locator('button[type="button"]:visible, input[type="button"]:visible')
  const buttons = await dead.evaluateAll(found => found.map(each => each.outerHTML))
  return [...wrong.map(form => JSON.stringify(form)), ...buttons]
}
