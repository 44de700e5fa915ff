import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { parseDraft } from '../store/ordering/draft.ts'
import type { LocationId, OrderId, StationId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { servery } from './support/commands.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn, type PairedDevice, pairDevice } from './support/log-in.ts'
import { orderOf, pizza, pizzeria, salad } from './support/pizzeria.ts'
import { holdsForAll } from './support/property.ts'
import { openShop, type Shop, type ShopOptions } from './support/shop.ts'
import { shownNow as shownOfOrder } from './support/shown.ts'
import { until } from './support/until.ts'

interface BoardReply {
  version: string
  parts?: Record<string, string>
  tickets?: { id: number; rev: string; html?: string }[]
}

/** A screen that talks to the server as its script does. The oven is station 1, the pass is station 2. */
function screen(shop: Shop, { headers }: Pick<PairedDevice, 'headers'>, stations = '1') {
  let drawn = ''
  async function ask(version = drawn, more: Record<string, string> = {}): Promise<BoardReply> {
    const query = new URLSearchParams({ stations, ...(version !== '' && { drawn: version }), ...more })
    const response = await fetch(`${shop.url}/kitchen/board?${query}`, { headers })
    const body = await response.text()
    assert.equal(response.status, 200, body)
    assert.match(response.headers.get('servery-now') ?? '', /^\d{13}$/)
    return JSON.parse(body)
  }
  return {
    ask,
    /** Asks with the version that is drawn, and draws the reply. */
    async draw(): Promise<BoardReply> {
      const reply = await ask()
      drawn = reply.version
      return reply
    },
    async act(
      fields: Record<string, string | number>,
    ): Promise<{ status: number; body: { done?: true; shown?: string; refused?: string } }> {
      const shown = shownNow(shop, Number(fields.ticket))
      const given = Object.entries({ ref: randomBytes(16).toString('hex'), shown, ...fields })
      const body = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
      const sent = { method: 'POST', headers: { ...headers, Accept: 'application/json' }, body }
      const response = await fetch(`${shop.url}/kitchen/act?stations=${stations}`, sent)
      return { status: response.status, body: await response.json() }
    },
  }
}

async function open(t: TestContext, options: ShopOptions = {}) {
  const shop = await openShop(t, { restaurant: pizzeria(), clock: heldClock('2026-11-20T19:00:00Z'), ...options })
  // A page waits until the scripts are built. A board names its script, so it would change when that is done.
  await fetch(`${shop.url}/login`)
  return { shop, device: pairDevice(shop, 'kitchen') }
}

const ids = ({ tickets }: BoardReply) => tickets?.map(({ id }) => id)
const seenTickets = (shop: Shop) =>
  shop.rows('SELECT id FROM ticket WHERE seen_at IS NOT NULL ORDER BY id').map(({ id }) => id)
/** What an act on a ticket names if it was pressed on the current card. */
function shownNow(shop: Shop, ticket: number): string {
  const [{ order } = {}] = shop.rows('SELECT order_id AS "order" FROM ticket WHERE id = ?', ticket)
  return shownOfOrder(shop.store, Number(order) as OrderId, ticket)
}

const bumps = (shop: Shop) =>
  shop.rows(`SELECT ticket_id AS ticket, line_id AS line FROM ticket_event WHERE what = 'done' ORDER BY seq`)

test('a screen gets its board at once, then its request is held until an order comes, and it gets only tickets of its stations', async t => {
  const { shop, device } = await open(t)
  const oven = screen(shop, device)
  assert.deepEqual(ids(await oven.draw()), [])
  const held = oven.draw()
  await until(() => shop.screens.rollCall()[0]?.isHeld === true)
  await shop.order(orderOf(salad))
  await shop.order(orderOf(pizza(2, 1), salad))
  const board = await held
  assert.deepEqual(ids(board), [2])
  assert.match(board.tickets?.[0]?.html ?? '', /Extra dough/)
  assert.doesNotMatch(board.tickets?.[0]?.html ?? '', /Salad/)
  assert.match(board.tickets?.[0]?.html ?? '', /Also at: Pass/)
  assert.match(board.parts?.counts ?? '', /Pizza <b>2<\/b>.*Extra dough <b>2<\/b>/)
  assert.deepEqual(ids(await screen(shop, device, '1,2').ask()), [1, 2, 3])

  // Of a card that the screen already has, only the revision is sent.
  await shop.order(orderOf(pizza()))
  const more = await oven.ask()
  assert.deepEqual(ids(more), [2, 4])
  assert.deepEqual(
    more.tickets?.map(({ rev, html }) => [rev === board.tickets?.[0]?.rev, html === undefined]),
    [
      [true, true],
      [false, false],
    ],
  )
})

test('a held screen wakes for what another process has written', async t => {
  const { shop, device } = await open(t)
  await shop.order(orderOf(pizza()))
  const oven = screen(shop, device)
  await oven.draw()
  const held = oven.draw()
  // The server's own writes are done.
  await until(() => seenTickets(shop).length === 1)
  const { code } = await servery(shop.file, ['bump', '1'])
  assert.equal(code, 0)
  assert.deepEqual(ids(await held), [])
})

test('a held screen wakes for what the office changes: a backup, a station that is closed, a setting', async t => {
  const { shop, device } = await open(t)
  const clock = shop.clock as ReturnType<typeof heldClock>
  const person = { kind: 'command', id: null, name: 'test' } as const
  await shop.order(orderOf(pizza()))
  const pass = screen(shop, device, '2')
  await pass.draw()
  /** Waits until the board is as expected. A request that nothing wakes gets no tickets. */
  async function drawUntil(isExpected: (reply: BoardReply) => boolean): Promise<void> {
    for (;;) {
      const reply = await pass.draw()
      assert.ok(reply.tickets, 'nothing woke it')
      if (isExpected(reply)) return
    }
  }
  async function assertWakes(change: () => unknown, isExpected: (reply: BoardReply) => boolean): Promise<void> {
    const woken = drawUntil(isExpected)
    await until(() => shop.screens.rollCall()[0]?.isHeld === true)
    await change()
    await woken
  }
  const alarmsHave = (text: string) => (reply: BoardReply) => reply.parts?.alarms?.includes(text) === true
  await assertWakes(() => clock.pass(20_000), alarmsHave('Oven has not shown'))
  await assertWakes(
    () => shop.writer.act(person, 'setSetting', 'kitchen.slow_minutes', '3'),
    ({ tickets }) => tickets?.[0]?.html?.includes('data-slow="180000"') === true,
  )
  await assertWakes(
    () => shop.writer.act(person, 'setStationBackup', 1 as StationId, 2 as StationId),
    reply => ids(reply)?.join() === '1,2',
  )
  await assertWakes(
    () => shop.writer.act(person, 'closeStation', 1 as StationId, 2 as StationId),
    alarmsHave('Also shows Oven'),
  )
})

test('when nothing changes, a held request gets a reply that says so after ten seconds, and HEAD is never held', async t => {
  const { shop, device } = await open(t)
  const oven = screen(shop, device)
  const { version } = await oven.draw()
  const head = await fetch(`${shop.url}/kitchen/board?stations=1&drawn=${version}`, {
    method: 'HEAD',
    headers: device.headers,
  })
  assert.equal(head.status, 200)
  assert.deepEqual(await oven.ask(), { version })
})

test('stopping the server ends held requests at once', async t => {
  const { shop, device } = await open(t)
  const oven = screen(shop, device)
  const { version } = await oven.draw()
  const held = [oven.ask(), oven.ask()]
  await until(() => shop.screens.rollCall()[0]?.isHeld === true)
  await new Promise(resolve => setTimeout(resolve, 50))
  const start = performance.now()
  await shop.stop()
  for (const reply of await Promise.all(held)) assert.deepEqual(reply, { version })
  assert.ok(performance.now() - start < 8000, 'the ten seconds were not waited for')
})

test('at most four requests of one device are held; a fifth ends the oldest', async t => {
  const { shop, device } = await open(t)
  const oven = screen(shop, device)
  const { version } = await oven.draw()
  const first = oven.ask()
  await until(() => shop.screens.rollCall()[0]?.isHeld === true)
  const later = [1, 2, 3, 4].map(() => oven.ask())
  assert.deepEqual(await first, { version })
  await shop.order(orderOf(pizza()))
  for (const reply of await Promise.all(later)) assert.deepEqual(ids(reply), [1])
})

test('a device that is no longer paired gets nothing more, not even for a request that was held', async t => {
  const { shop, device } = await open(t)
  const oven = screen(shop, device)
  const { version } = await oven.draw()
  const held = fetch(`${shop.url}/kitchen/board?stations=1&drawn=${version}`, { headers: device.headers })
  await until(() => shop.screens.rollCall()[0]?.isHeld === true)
  shop.store.devices.end(device.id)
  await shop.order(orderOf(pizza()))
  assert.equal((await held).status, 401)
})

test('a ticket is seen once a screen has drawn a version that contains it, and only then; being seen does not change the board', async t => {
  const { shop, device } = await open(t)
  await shop.order(orderOf(pizza()))
  await shop.order(orderOf(salad))
  const oven = screen(shop, device)
  const { version } = await oven.ask('')
  assert.deepEqual(seenTickets(shop), [])
  // From a hidden screen, from another start of the server, and made up.
  for (const [drawn, visible] of [
    [version, 'no'],
    [`x${version}`, 'yes'],
    ['1.2.3', 'yes'],
  ] as const) {
    const reply = oven.ask(drawn, { visible })
    if (drawn !== version) await reply
    else await until(() => shop.screens.rollCall()[0]?.isHeld === true)
  }
  assert.deepEqual(seenTickets(shop), [])
  const held = oven.ask(version)
  await until(() => seenTickets(shop).length === 1)
  const [first] = shop.rows(
    `SELECT ticket_id AS ticket, actor_kind AS kind, actor_id AS actor FROM ticket_event WHERE what = 'seen'`,
  )
  assert.deepEqual(first, { ticket: 1, kind: 'device', actor: device.id })
  const second = screen(shop, pairDevice(shop, 'kitchen'))
  await second.draw()
  const heldToo = second.draw()
  await shop.order(orderOf(pizza()))
  assert.deepEqual(ids(await held), [1, 4])
  assert.deepEqual(ids(await heldToo), [1, 4])
  assert.equal(shop.rows(`SELECT count(*) AS seen FROM ticket_event WHERE what = 'seen' AND ticket_id = 1`)[0]?.seen, 1)
})

test('a ticket that is held and fired again must be seen again', async t => {
  const { shop, device } = await open(t)
  await shop.order(orderOf(pizza()))
  const oven = screen(shop, device)
  await oven.draw()
  void oven.ask()
  await until(() => seenTickets(shop).length === 1)
  shop.store.kitchen.hold(1 as never, null)
  await oven.draw()
  void oven.ask()
  ;(shop.clock as ReturnType<typeof heldClock>).pass(60_000)
  shop.store.kitchen.fire(1 as never)
  assert.deepEqual(seenTickets(shop), [])
  const board = await oven.draw()
  assert.match(board.tickets?.[0]?.html ?? '', /class="ticket"/)
  void oven.ask()
  await until(() => seenTickets(shop).length === 1)
})

test('an act is done once for its idempotency key, even when it is sent again after a recall', async t => {
  const { shop, device } = await open(t)
  await shop.order(orderOf(pizza(), salad))
  const [one, other] = [screen(shop, device, '1,2'), screen(shop, pairDevice(shop, 'kitchen'), '1,2')]
  const done = { act: 'done', ticket: 2, ref: 'r'.repeat(20) }
  const before = shownNow(shop, 2)
  assert.deepEqual(await one.act(done), { status: 200, body: { done: true, shown: before } })
  const recalled = await one.act({ act: 'recall', ticket: 2 })
  assert.deepEqual(recalled, { status: 200, body: { done: true, shown: shownNow(shop, 2) } })
  assert.deepEqual(await one.act({ ...done, shown: before }), { status: 200, body: { done: true, shown: before } })
  assert.equal(shop.rows('SELECT state FROM ticket WHERE id = 2')[0]?.state, 'open')

  // Two cooks on the same line: both are told that it is done, and it was done once.
  const line = { act: 'done', ticket: 2, line: 1 }
  const same = 's'.repeat(20)
  const both = await Promise.all([one.act(line), other.act({ ...line, ref: same })])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(bumps(shop).filter(bump => bump.ticket === 2 && bump.line === 1).length, 2)
  // The second one changed nothing then, and must not after a recall either.
  await one.act({ act: 'recall', ticket: 2, line: 1 })
  assert.equal((await other.act({ ...line, ref: same })).status, 200)
  assert.deepEqual(shop.rows('SELECT state FROM ticket_item WHERE ticket_id = 2'), [
    { state: 'open' },
    { state: 'open' },
  ])
})

test('a ticket with a note from a guest is not bumped before it is acknowledged, and again after the note has changed', async t => {
  const { shop, device } = await open(t)
  const oven = screen(shop, device)
  await shop.order({ ...orderOf(pizza()), notes: 'By the window' })
  assert.match((await oven.ask('')).tickets?.[0]?.html ?? '', /value="acknowledge"/)
  for (const line of ['', '1']) {
    const { status, body } = await oven.act({ act: 'done', ticket: 1, line })
    assert.deepEqual([status, /note about an allergy or from the guest/.test(body.refused ?? '')], [409, true])
  }
  assert.equal((await oven.act({ act: 'acknowledge', ticket: 1 })).status, 200)
  shop.store.edit(1 as never, { remove: [], add: [], notes: 'Nut allergy', customer: {} } as never)
  assert.match((await oven.ask('')).tickets?.[0]?.html ?? '', /Allergy read/)
  assert.equal((await oven.act({ act: 'done', ticket: 1 })).status, 409)
  assert.equal((await oven.act({ act: 'acknowledge', ticket: 1 })).status, 200)
  assert.equal((await oven.act({ act: 'done', ticket: 1 })).status, 200)
  assert.deepEqual(ids(await oven.ask('')), [])
})

test('an act applies only to the notes that were shown with it', async t => {
  const { shop, device } = await open(t)
  const oven = screen(shop, device)
  await shop.order({ ...orderOf(pizza()), notes: 'By the window' })
  const shown = shownNow(shop, 1)
  shop.store.edit(1 as never, { remove: [], add: [], notes: 'Nut allergy', customer: {} } as never)
  for (const act of ['acknowledge', 'done']) {
    const { status, body } = await oven.act({ act, ticket: 1, shown })
    assert.deepEqual([status, /changed since/.test(body.refused ?? '')], [409, true])
  }
  assert.match((await oven.ask('')).tickets?.[0]?.html ?? '', /Nut allergy.*value="acknowledge"/s)
  assert.equal((await oven.act({ act: 'acknowledge', ticket: 1 })).status, 200)
  assert.equal((await oven.act({ act: 'done', ticket: 1, shown: '' })).status, 409)
  assert.equal((await oven.act({ act: 'done', ticket: 1 })).status, 200)
})

test('an act on an older state of a ticket is refused, and one whose result is already there is no error', async t => {
  const { shop, device } = await open(t)
  const [one, other] = [screen(shop, device), screen(shop, pairDevice(shop, 'kitchen'))]
  const changes = {
    recalled: async () => {
      await other.act({ act: 'done', ticket: 1 })
      await other.act({ act: 'recall', ticket: 1 })
    },
    'held and fired': async () => {
      shop.store.kitchen.hold(1 as never, null)
      shop.store.kitchen.fire(1 as never)
    },
    'another one after a backup was restored': async () => shop.execute('UPDATE ticket SET opened_at = opened_at + 1'),
  }
  await shop.order(orderOf(pizza(), pizza(2)))
  for (const [how, change] of Object.entries(changes)) {
    const shown = shownNow(shop, 1)
    await change()
    for (const line of ['', 1]) {
      const { status, body } = await one.act({ act: 'done', ticket: 1, line, shown })
      assert.deepEqual([status, /changed since/.test(body.refused ?? '')], [409, true], how)
    }
  }
  const shown = shownNow(shop, 1)
  await other.act({ act: 'done', ticket: 1, line: 1 })
  for (const { act } of [one, other]) assert.equal((await act({ act: 'done', ticket: 1, shown })).status, 200)
  assert.equal(shop.rows('SELECT state FROM ticket WHERE id = 1')[0]?.state, 'done')
  for (const { act } of [one, other]) assert.equal((await act({ act: 'recall', ticket: 1, shown })).status, 200)
  // Only a screen that has shown the earlier state is told the new one.
  assert.equal((await other.act({ act: 'recall', ticket: 1, shown })).body.shown, shown)
})

test('voided lines stay until somebody dismisses those that were shown; a later one stays', async t => {
  const { shop, device } = await open(t)
  const clock = shop.clock as ReturnType<typeof heldClock>
  await shop.order(orderOf(pizza(), pizza(2)))
  const oven = screen(shop, device)
  const noticeIn = ({ tickets }: BoardReply) => /name="notice" value="(\d+)"/.exec(tickets?.[0]?.html ?? '')?.[1] ?? ''
  const remove = (line: number) => shop.store.edit(1 as never, { remove: [line], add: [], customer: {} } as never)
  await oven.act({ act: 'done', ticket: 1, line: 1 })
  remove(2)
  const first = await oven.ask('')
  // Its last line was voided, and yet it does not disappear.
  assert.match(first.tickets?.[0]?.html ?? '', /value="dismiss"/)
  clock.pass(60_000)
  assert.equal((await oven.act({ act: 'dismiss', ticket: 1, notice: '123' })).status, 200)
  assert.deepEqual(ids(await oven.ask('')), [1])
  assert.equal((await oven.act({ act: 'dismiss', ticket: 1, notice: noticeIn(first) })).status, 200)
  assert.deepEqual(ids(await oven.ask('')), [])

  const { body } = await shop.order(orderOf(pizza(), pizza(2)))
  shop.store.move(body.data.id, 'cancel', { reason: 'left' })
  const cancelled = await oven.ask('')
  assert.match(cancelled.tickets?.[0]?.html ?? '', /VOID/)
  await oven.act({ act: 'dismiss', ticket: 3, notice: noticeIn(cancelled) })
  assert.deepEqual(ids(await oven.ask('')), [])
})

test('the screen of a station also shows the tickets of closed stations whose dishes it prepares, and of those that no longer exist', async t => {
  const { shop, device } = await open(t)
  await shop.order(orderOf(pizza()))
  const pass = screen(shop, device, '2')
  assert.deepEqual(ids(await pass.ask('')), [2])
  shop.store.stations.close(1 as StationId, 2 as StationId, shop.clock.now() + 60_000)
  const covering = await pass.ask('')
  assert.deepEqual(ids(covering), [1, 2])
  assert.match(covering.parts?.alarms ?? '', /Also shows Oven/)
  const closed = await screen(shop, device, '1').ask('')
  assert.match(closed.parts?.alarms ?? '', /Closed: Pass prepares the new dishes of Oven until 19:01/)
  ;(shop.clock as ReturnType<typeof heldClock>).pass(60_000)
  assert.deepEqual(ids(await pass.ask('')), [2])
  shop.execute('UPDATE station SET active = 0 WHERE id = 1; UPDATE revision SET catalogue = catalogue + 1')
  assert.deepEqual(ids(await pass.ask('')), [1, 2])
})

test('a ticket that is held for another day is at the pass with its date, and appears at the station on its day', async t => {
  const { shop, device } = await open(t)
  const draft = parseDraft(orderOf(pizza()))
  assert.ok(!isRefused(draft))
  const wantedAt = Date.parse('2026-11-23T20:00:00Z')
  assert.ok(!isRefused(shop.store.orders.place(draft, 'pos', { wantedAt, isInsisted: true })))
  const oven = screen(shop, device)
  assert.deepEqual(ids(await oven.ask('')), [])
  const readPass = async () => (await fetch(`${shop.url}/kitchen/pass`, { headers: device.headers })).text()
  assert.match(await readPass(), /For Mon,? 23 Nov,? 20:00/)
  ;(shop.clock as ReturnType<typeof heldClock>).pass(Date.parse('2026-11-23T10:00:00Z') - shop.clock.now())
  const today = await oven.ask('')
  assert.deepEqual(ids(today), [1])
  assert.match(today.tickets?.[0]?.html ?? '', /For 20:00/)
})

test('a screen acts only on tickets of its own location, and what no screen sends is refused', async t => {
  const restaurant = pizzeria()
  const [location] = restaurant.locations
  const elsewhere = {
    ...location,
    id: 2,
    code: 'B',
    title: 'B',
    stations: [{ id: 9, title: 'Grill' }],
    routing: [],
    stock: [],
  }
  const { shop, device } = await open(t, { restaurant: { ...restaurant, locations: [location, elsewhere] } })
  await shop.order({ ...orderOf(salad), location_id: 2 })
  const oven = screen(shop, device)
  assert.equal((await oven.act({ act: 'done', ticket: 1 })).status, 409)
  assert.deepEqual(ids(await screen(shop, device, '9').ask('')), [])
  const bad = [
    { act: 'bump', ticket: 1 },
    { act: 'done', ticket: 'x' },
    { act: 'done', ticket: 1, ref: 'short' },
    { act: 'done 1 1', ticket: 1 },
    { act: 'done 01', ticket: 1 },
    { act: 'done ', ticket: 1 },
    { act: 'done x', ticket: 1 },
    { act: 'done', ticket: 1, line: '01' },
    { act: 'acknowledge 1', ticket: 1 },
  ]
  for (const fields of bad) {
    const body = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))
    const { status } = await fetch(`${shop.url}/kitchen/act`, { method: 'POST', headers: device.headers, body })
    assert.equal(status, 400, JSON.stringify(fields))
    const told = await oven.act(fields)
    assert.deepEqual([told.status, typeof told.body.refused], [400, 'string'], 'a script gets a sentence')
  }
})

test('without script, the buttons of a card lead back to the screen, and the next page load reports what was shown', async t => {
  const { shop, device } = await open(t)
  await shop.order(orderOf(salad))
  const page = await (await fetch(`${shop.url}/kitchen?stations=2`, { headers: device.headers })).text()
  const next = /http-equiv="refresh" content="\d+;url=([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.equal((await fetch(`${shop.url}${next}`, { headers: device.headers })).status, 200)
  await until(() => seenTickets(shop).length === 1)
  const shown = /name="shown" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const body = new URLSearchParams({ act: 'done', ticket: '1', shown })
  const sent = { method: 'POST', redirect: 'manual', headers: device.headers, body } as const
  const done = await fetch(`${shop.url}/kitchen/act?stations=2`, sent)
  assert.deepEqual([done.status, done.headers.get('location')], [303, '/kitchen?stations=2'])
  await shop.order(orderOf(salad, salad))
  const withLines = await (await fetch(`${shop.url}/kitchen?stations=2`, { headers: device.headers })).text()
  const [, buttonOfLine = '', line] = /<li data-line.*?<button name="act" value="(done (\d+))"/.exec(withLines) ?? []
  const ofLine = new URLSearchParams({ act: buttonOfLine, ticket: '2', shown: shownNow(shop, 2) })
  assert.equal((await fetch(`${shop.url}/kitchen/act?stations=2`, { ...sent, body: ofLine })).status, 303)
  assert.deepEqual(bumps(shop).at(-1), { ticket: 2, line: Number(line) })
  await shop.order({ ...orderOf(salad), notes: 'x' })
  const refused = await fetch(`${shop.url}/kitchen/act?stations=2`, {
    ...sent,
    body: new URLSearchParams({ act: 'done', ticket: '3', shown: shownNow(shop, 3) }),
  })
  assert.equal(refused.status, 409)
  assert.match(await refused.text(), /role="alert">This ticket has a note/)
})

test('the roll call knows when each screen last asked, what it shows and what it says about itself', async t => {
  const { shop, device } = await open(t)
  const clock = shop.clock as ReturnType<typeof heldClock>
  const oven = screen(shop, device)
  const { version } = await oven.draw()
  const held = oven.ask(version, { sound: 'off', awake: 'unknown', visible: 'yes' })
  await until(() => shop.screens.rollCall()[0]?.isHeld === true)
  clock.pass(5000)
  const expected = {
    device: { id: device.id, title: 'A kitchen', role: 'kitchen' },
    locationId: 1 as LocationId,
    stations: [1 as StationId],
    silentMs: 5000,
    isHeld: true,
    drawn: version,
    isCurrent: true,
    report: { sound: false, awake: null, visible: true },
  }
  assert.deepEqual(shop.screens.rollCall(), [expected])
  const { headers } = logIn(shop, 'staff')
  const office = async () =>
    (await fetch(`${shop.url}/office/kitchen`, { headers: { ...headers, Accept: 'text/html' } })).text()
  assert.match(await office(), /A kitchen/)
  await shop.order(orderOf(pizza()))
  await held
  shop.store.devices.end(device.id)
  assert.deepEqual(shop.screens.rollCall(), [])
  assert.doesNotMatch(await office(), /A kitchen/)
})

const places = fc.nat(5)
const step = fc.oneof(
  fc.record({ do: fc.constant('order' as const), isNoted: fc.boolean() }),
  fc.record({ do: fc.constantFrom('draw' as const, 'tell' as const), by: fc.nat(2) }),
  fc.record({
    do: fc.constantFrom('done' as const, 'recall' as const, 'acknowledge' as const),
    by: fc.nat(2),
    at: places,
  }),
  fc.record({ do: fc.constantFrom('hold' as const, 'fire' as const), at: places }),
)

test('whatever cooks and screens do at the same time, a ticket is seen if and only if a screen has said that it shows it, and no bump is lost or done twice', async t => {
  const { shop } = await open(t, { settings: { 'orders.limit': '100000' } })
  const screens = ['1', '2', '1,2'].map(stations => {
    const device = pairDevice(shop, 'kitchen')
    return {
      ...screen(shop, device, stations),
      stations,
      headers: device.headers,
      version: '',
      open: new Map<number, string>(),
    }
  })
  const opened = (html = '') => /class="ticket"[^>]* data-opened="(\d+)"/.exec(html)?.[1]
  const clock = shop.clock as ReturnType<typeof heldClock>
  const told = new Set<string>()
  const refs = new Map<string, { ticket: number; act: string; status: number }>()
  const openTickets = () =>
    shop.rows(`SELECT id, opened_at AS at, seen_at IS NOT NULL AS seen FROM ticket WHERE state = 'open' ORDER BY id`)

  await holdsForAll(
    fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 10 }),
    20,
    async rounds => {
      const first = Number(shop.rows('SELECT coalesce(max(id), 0) AS last FROM ticket')[0]?.last)
      for (const round of rounds) {
        clock.pass(1000)
        const work = round.map(async (done, index) => {
          const ticket = 'at' in done ? first + 1 + done.at : 0
          const by = 'by' in done ? screens[done.by] : undefined
          switch (done.do) {
            case 'order':
              return void (await shop.order({ ...orderOf(pizza()), ...(done.isNoted && { notes: 'Nut allergy' }) }))
            case 'draw': {
              const { version, tickets } = await (by ?? assert.fail()).ask('')
              if (by)
                Object.assign(by, {
                  version,
                  open: new Map(tickets?.flatMap(({ id, html }) => (opened(html) ? [[id, opened(html)]] : []))),
                })
              return
            }
            case 'tell': {
              if (!by || by.version === '') return
              const query = new URLSearchParams({ stations: by.stations, drawn: by.version })
              for (const [id, at] of by.open) told.add(`${id}@${at}`)
              return void (await fetch(`${shop.url}/kitchen/board?${query}`, { method: 'HEAD', headers: by.headers }))
            }
            case 'hold':
            case 'fire':
              return void shop.store.kitchen[done.do](ticket as never, null as never)
            default: {
              const ref = randomBytes(16).toString('hex')
              const press = { act: done.do, ticket, ref, shown: shownNow(shop, ticket) }
              const { status } = await (by ?? assert.fail()).act(press)
              refs.set(ref, { ticket, act: done.do, status })
              // Sent again, as after a lost reply, at the same time as other acts.
              if (index % 2 === 0) assert.equal((await by?.act(press))?.status, status)
            }
          }
        })
        await Promise.all(work)
      }
      const expected = openTickets().map(({ id, at }) => ({ id, at, seen: told.has(`${id}@${at}`) ? 1 : 0 }))
      await until(
        () => JSON.stringify(openTickets()) === JSON.stringify(expected),
        () => `${JSON.stringify(openTickets())} is not ${JSON.stringify(expected)}`,
        2000,
      )
      const shown = [
        ...new Set(
          (await Promise.all(screens.map(({ ask }) => ask(''))))
            .flatMap(({ tickets }) => tickets ?? [])
            .flatMap(({ id, html }) => (opened(html) ? [id] : [])),
        ),
      ]
      assert.deepEqual(
        shown.sort((a, b) => a - b),
        openTickets().map(({ id }) => id),
        'every open ticket is on a screen',
      )
      // A line is done, then reopened, then done, and so on; and each key has changed something at most once.
      for (const { states } of shop.rows(
        `SELECT group_concat(what, ' ' ORDER BY seq) AS states FROM ticket_event WHERE line_id IS NOT NULL GROUP BY ticket_id, line_id`,
      ))
        assert.match(String(states), /^done( recalled done)*( recalled)?$/)
      const events = shop.rows(
        'SELECT client_ref AS ref, ticket_id AS ticket FROM ticket_event WHERE client_ref IS NOT NULL',
      )
      for (const { ref, ticket } of events) assert.equal(refs.get(String(ref))?.ticket, ticket)
      assert.equal(
        events.length,
        [...refs.values()].filter(({ status }) => status === 200).length,
        'each act that was confirmed is in the file',
      )
    },
  )
})
