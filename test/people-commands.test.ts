import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import test from 'node:test'
import type { Actor } from '../store/people/actor.ts'
import type { OrderId } from '../store/terms/ids.ts'
import { servery } from './support/commands.ts'
import { orderOf, pizzeria, salad } from './support/pizzeria.ts'
import { openShop } from './support/shop.ts'

const ana: Actor = { kind: 'staff', id: 1, name: 'Ana' }
const me = `${userInfo().username} (command)`

test('an order shows its timeline: what a guest did, and what staff did by whom', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  assert.equal((await shop.order(orderOf(salad))).status, 201)
  await shop.writer.act(ana, 'move', 1 as OrderId, 'confirm')
  assert.equal((await servery(shop.file, ['pay', '1', '2.50', '--method', 'cash'])).code, 0)
  const { stdout } = await servery(shop.file, ['order', '1'])
  const steps = stdout.slice(stdout.indexOf('\nat ')).trim().split('\n')
  assert.equal(steps.length, 4)
  assert.match(steps[1] ?? '', /order placed {2,}by api$/)
  assert.match(steps[2] ?? '', /Ana {2,}order confirmed {2,}placed, in kitchen → confirmed, in kitchen$/)
  assert.match(steps[3] ?? '', /payment taken {2,}entry 2, cash: 2\.50 EUR$/)
  assert.ok(steps[3]?.includes(me))
  const { timeline } = JSON.parse((await servery(shop.file, ['order', '1', '--json'])).stdout)
  assert.deepEqual(
    timeline.map(({ actor, what }: { actor: Actor | null; what: string }) => [actor?.name ?? null, what]),
    [
      [null, 'order placed'],
      ['Ana', 'order confirmed'],
      [userInfo().username, 'payment taken'],
    ],
  )
})

test('entries of an account from before acts were written down are in the timeline without a name', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  assert.equal((await shop.order(orderOf(salad))).status, 201)
  shop.execute(`INSERT INTO ledger (order_id, entry, kind, amount_minor, method, at, business_date)
    VALUES (1, 2, 'payment', -100, 'card', ${Date.now() + 1000}, '2026-11-20')`)
  const { timeline } = JSON.parse((await servery(shop.file, ['order', '1', '--json'])).stdout)
  assert.deepEqual(
    timeline.map(({ actor, what, details }: Record<string, unknown>) => [actor, what, details]),
    [
      [null, 'order placed', 'by api'],
      [null, 'payment, card', '1.00 EUR'],
    ],
  )
})

test('staff are added, listed and ended, devices are listed, and the activity shows who did it', async t => {
  const { file, execute } = await openShop(t, { restaurant: pizzeria() })
  assert.match((await servery(file, ['staff', 'add', 'Ana', 'manager'])).stdout, /^Ana works here as manager/)
  assert.match((await servery(file, ['staff', 'add', 'ana', 'staff'])).stderr, /Ana already works here/)
  const lines = await servery(file, ['staff', 'add', 'Eve\nBob', 'staff'])
  assert.equal(lines.stderr, 'The name must not contain a line break.\n')
  assert.match((await servery(file, ['staff', 'add', 'Ben', 'chef'])).stderr, /There is no role "chef"/)
  assert.match((await servery(file, ['staff', 'end', 'Ana'])).stdout, /^Ana no longer works here\.\n$/)
  const [row] = JSON.parse((await servery(file, ['staff', '--json'])).stdout)
  assert.deepEqual([row.id, row.name, row.role, typeof row.ended_at], [1, 'Ana', 'manager', 'string'])
  execute(`INSERT INTO device (id, title, role, location_id, created_at) VALUES (1, 'Bar till', 'till', 1, 0)`)
  assert.match((await servery(file, ['devices'])).stdout, /Bar till +till/)
  assert.match((await servery(file, ['devices', 'end', '1'])).stdout, /^Bar till is no longer in use\.\n$/)

  const shown = (await servery(file, ['activity', '--by', userInfo().username, '--last', '2'])).stdout.split('\n')
  assert.match(shown[1] ?? '', /device ended {2,}device 1 Bar till: till →$/)
  assert.match(shown[2] ?? '', /staff ended {2,}staff 1 Ana: manager →$/)
  assert.equal((await servery(file, ['activity', '--by', 'Nobody'])).stdout, 'Nothing.\n')
  assert.match((await servery(file, ['activity', '--since', 'soon'])).stderr, /"soon" is not an instant/)
})

test('an owner and staff are made for the pages by commands alone', async t => {
  const { file, store, url } = await openShop(t, { restaurant: pizzeria() })
  const run = async (...args: string[]) => servery(file, ['staff', ...args])
  assert.match((await run('add', 'Ana', 'owner')).stdout, /Next: staff password Ana generate\n$/)
  const [password = ''] = (await run('password', 'Ana', 'generate')).stdout.split('\n')
  const entered = await fetch(`${url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: url },
    body: new URLSearchParams({ name: 'Ana', password }),
  })
  assert.equal(entered.status, 303)
  const typed = await servery(file, ['staff', 'password', 'Ana', '-'], { input: 'too short\n' })
  assert.equal(typed.stderr, 'A password must have at least 10 characters.\n')
  assert.match((await run('end', 'Ana')).stderr, /Ana is the only owner who can log in/)
  assert.match((await run('role', 'Ana', 'staff')).stderr, /Ana is the only owner who can log in/)

  assert.match((await run('add', 'Ben', 'staff')).stdout, /Next: staff pin Ben generate\n$/)
  assert.match((await run('pin', 'Ben', 'generate')).stdout, /^\d{6}\nBen logs in with the new PIN/)
  assert.match((await run('password', 'Ben', 'generate')).stderr, /Ben logs in with a PIN/)
  assert.match((await run('rename', 'Ben', 'Benedita')).stdout, /^Ben is called Benedita now/)
  assert.match((await run('role', 'Benedita', 'manager')).stdout, /^Benedita works here as manager now/)
  assert.match((await run('pin', 'Benedita', 'none')).stdout, /^Benedita has no PIN any more/)
  assert.deepEqual(
    store.staff.list().map(({ name, role, hasPassword, hasPin }) => [name, role, hasPassword, hasPin]),
    [
      ['Ana', 'owner', true, false],
      ['Benedita', 'manager', false, false],
    ],
  )
})
