import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { logIn } from './support/log-in.ts'
import { pizzeria } from './support/pizzeria.ts'
import { openShop } from './support/shop.ts'
import { openWire } from './support/wire.ts'

test('a form that is being saved when the server stops is saved, and a later one gets a page that says so', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { cookie, headers } = logIn(shop, 'staff')
  // Pages are ready from the first one on.
  assert.equal((await fetch(`${shop.url}/office/stock`, { headers: { ...headers, Accept: 'text/html' } })).status, 200)
  const formOf = (quantity: number) => {
    const body = new URLSearchParams({ stock: '1', act: 'add', quantity: String(quantity) }).toString()
    const head = [
      'POST /office/stock HTTP/1.1',
      `Host: ${new URL(shop.url).host}`,
      `Origin: ${headers.Origin}`,
      `Cookie: ${cookie}`,
      'Accept: text/html',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ]
    return `${head.join('\r\n')}\r\n\r\n${body}`
  }
  const [early, late] = [openWire(t, shop.port), openWire(t, shop.port)]
  const second = formOf(20)
  late.send(`GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n${second.slice(0, 60)}`)
  await late.answer()
  const writer = new Database(shop.file)
  t.after(() => writer.close())
  writer.exec('BEGIN IMMEDIATE')
  early.send(formOf(3))
  // Once this is answered, the form before it has been taken in.
  await shop.get('/locations')

  const stopped = shop.stop()
  late.send(second.slice(60))
  const refused = await late.answer()
  assert.deepEqual([refused.status, refused.headers['content-type']], [503, 'text/html; charset=utf-8'])
  assert.match(refused.bytes.toString(), /Servery is stopping[\s\S]*Nothing was changed/)
  writer.exec('ROLLBACK')
  assert.equal((await early.answer()).status, 303)
  await stopped
  assert.deepEqual(
    shop.rows('SELECT on_hand_micro AS micro FROM stock_item').map(({ micro }) => micro),
    [5_000_000],
  )
})
