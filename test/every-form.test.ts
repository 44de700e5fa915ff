import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { busyShop, statusToken } from './support/busy-shop.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { examplesOf, formPaths, formsIn, guestAt, type OfferedForm, pagePaths, visitors } from './support/pages.ts'
import { holdsForAll } from './support/property.ts'
import type { Shop } from './support/shop.ts'

const urlencoded = 'application/x-www-form-urlencoded'

/** What no page may contain: details of the program, and texts below as HTML. */
const refused =
  /node_modules|\.ts:\d|SQLITE|better-sqlite3|\bSELECT \w|\bat \w+ \(|TypeError|\[object |undefined|<script>alert|<img src=x/

/** Texts that have broken forms elsewhere. */
const hostile = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  '0x10',
  '9007199254740993',
  '99999999999999999999',
  '1.23456789',
  '1,5',
  'NaN',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '//evil.example/',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; DROP TABLE orders; --",
  '%00',
  '\0',
  '\r\nSet-Cookie: a=b',
  '\u202e\u2066x',
  '😀'.repeat(300),
  'x'.repeat(10_000),
  '2026-02-30',
  '25:61',
]

/** The forms that the pages of a shop offer to its owner, each once: those that differ only in numbers are the same. */
async function offeredForms(shop: Shop): Promise<OfferedForm[]> {
  const { nobody, kiosk, till, kitchen, owner } = visitors(shop)
  // A kiosk at which nobody has started yet has a form that begins.
  const idle = pairDevice(shop, 'kiosk')
  const forms = new Map<string, OfferedForm>()
  for (const address of pagePaths.flatMap(examplesOf)) {
    for (const { headers } of [nobody, kiosk, idle, till, kitchen, owner]) {
      const response = await fetch(`${shop.url}${address}`, { headers: { ...headers, Accept: 'text/html' } })
      for (const form of formsIn(await response.text())) {
        const names = form.fields.map(({ name }) => name)
        forms.set(`${form.action} ${names}`.replaceAll(/\d+/g, ''), form)
      }
    }
  }
  return [...forms.values()]
}

test('no form fails, tells of anything internal or damages the file, whatever is sent to it', async t => {
  const shop = await busyShop(t, { environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  const forms = await offeredForms(shop)
  let sent = 0

  const unseen = formPaths.filter(path => forms.every(form => form.path !== path))
  // On the page for the first owner, on the one to which a form of managers leads staff, on the preview of an upload, and in the
  // browser that placed an order.
  assert.deepEqual(unseen, ['/setup', '/approve', '/office/menu/import', '/o/:token/cancel'])
  for (const path of unseen) {
    forms.push({ path, action: path.replace(':token', statusToken), isMultipart: false, fields: [] })
  }
  // Forms of the office can turn off what guests use.
  const isOfOffice = ({ path }: OfferedForm) => path.startsWith('/office/')
  forms.sort((a, b) => Number(isOfOffice(a)) - Number(isOfOffice(b)))

  for (const [turn, { path, action, fields, isMultipart }] of forms.entries()) {
    // A form may end the session that it is sent with.
    const role = path === '/pin' ? 'till' : (['kitchen', 'kiosk'] as const).find(each => path.startsWith(`/${each}`))
    const caller = role ? pairDevice(shop, role) : logIn(shop, 'owner')
    const { headers } = role === 'kiosk' ? guestAt(caller) : caller
    const send = async (body: string | Uint8Array, type: string | null = urlencoded, to = action) => {
      // From another address each time, because wrong tries at logging in have to wait.
      const from = `10.0.${sent >> 8}.${sent++ & 255}`
      const response = await fetch(`${shop.url}${to}`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          ...headers,
          Accept: 'text/html',
          'X-Forwarded-For': from,
          ...(type !== null && { 'Content-Type': type }),
        },
        body: Buffer.from(body),
      })
      const text = await response.text()
      const what = `${to} with ${Buffer.from(body).toString().slice(0, 200)}: ${response.status}\n${text}`
      assert.ok(response.status < 500, what)
      if (response.status === 303) assert.match(response.headers.get('location') ?? '', /^\/(?!\/)/, what)
      else assert.match(response.headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/, what)
      assert.doesNotMatch(text.replaceAll(/value="[^"]*"/g, ''), refused, what)
      return response.status
    }
    const encoded = (pairs: readonly (readonly [string, string])[]) =>
      new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString()
    // Of fields that are only numbered, the first.
    const kinds = new Map(fields.toReversed().map(({ name }) => [name.replaceAll(/\d+/g, ''), name]))
    const names = [...kinds.values()]
    const good = names.map(name => [name, fields.find(each => each.name === name)?.value ?? ''] as const)

    await t.test(`${action} with ${names.join(', ')}`, async () => {
      for (const [body, type] of [
        ['', null],
        ['{"a":1}', 'application/json'],
        ['a=1', 'text/plain'],
        ['a=1', `${urlencoded}; charset=utf-16`],
        ['--x\r\nnothing', 'multipart/form-data; boundary=x'],
        ['--x--', 'multipart/form-data'],
      ] as const) {
        const isOwnType = isMultipart && type?.startsWith('multipart')
        const status = await send(body, type)
        if (path !== '/logout') assert.ok(status >= (isOwnType || isMultipart ? 400 : 415), `${path} takes ${type}`)
      }
      for (const body of ['a=%', 'a=%zz', 'a=%c3', Buffer.from([0xff, 0xfe, 0]), 'a&'.repeat(2000)]) {
        await send(body)
      }
      if (path === '/logout') return
      assert.ok((await send('a'.repeat(300_000))) >= 400)
      if (isMultipart) return

      assert.equal(await send(encoded([...good, ['surprise', '1']])), 400, 'an unknown field')
      for (const [index, name] of names.entries()) {
        await send(encoded(good.filter(([other]) => other !== name)))
        await send(encoded([...good, [name, 'again']]))
        for (const text of hostile.filter((_, at) => at % 4 === (index + turn) % 4)) {
          await send(encoded(good.map(([other, value]) => [other, other === name ? text : value])))
        }
      }
      for (const part of ['0', '-1', '999999', '1e3', 'x', '9'.repeat(400)]) {
        if (path.includes(':')) await send(encoded(good), urlencoded, path.replaceAll(/:\w+/g, part))
      }
      const field = fc.tuple(
        fc.constantFrom(...names, 'x'),
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostile)),
      )
      await holdsForAll(fc.oneof(fc.array(field), fc.uint8Array()), 10, async body => {
        await send(body instanceof Uint8Array ? body : encoded(body))
      })
    })
  }
  assert.deepEqual(shop.store.audit.all(), [])
  // The clock stands still, so the nightly backup that a form asks for may get the name of the one before it.
  const isSameSecond = ({ event, error }: Record<string, unknown>) =>
    event === 'no backup was made' && String(error).startsWith('{"refused":"file exists"')
  assert.deepEqual(
    shop.logged.filter(line => line.level === 'error' && !isSameSecond(line)),
    [],
  )
  t.diagnostic(`${sent} forms were sent`)
})

test('whatever the form, its input is kept while its session has ended, except for passwords and files', async t => {
  const shop = await busyShop(t)
  let kept = 0
  for (const { path, action, fields, isMultipart } of await offeredForms(shop)) {
    if (isMultipart || !path.startsWith('/office/')) continue
    const typed = [...new Set(fields.map(({ name }) => name))].map(name => [name, `a "${name}" & ü\n`])
    const response = await fetch(`${shop.url}${action}`, {
      method: 'POST',
      headers: { Origin: new URL(shop.url).origin, Accept: 'text/html' },
      body: new URLSearchParams(typed),
    })
    assert.equal(response.status, 401, action)
    const [form] = formsIn(await response.text())
    const sent = (name: string) => form?.fields.find(field => field.name === name)?.value ?? ''
    assert.equal(sent('to'), action)
    const expected = typed.filter(([name = '']) => !/password|secret|^pin$/.test(name))
    assert.deepEqual([...new URLSearchParams(sent('kept'))], expected, action)
    kept++
  }
  assert.ok(kept > 30)
})
