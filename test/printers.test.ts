import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import fc from 'fast-check'
import { parseDraft } from '../store/ordering/draft.ts'
import { parseEdit } from '../store/ordering/edit-draft.ts'
import type { PrinterChange } from '../store/printing/printers.ts'
import type { OrderId, StationId, TicketId } from '../store/terms/ids.ts'
import { epsonPrinter } from './support/epson-printer.ts'
import { heldClock } from './support/held-clock.ts'
import { logIn } from './support/log-in.ts'
import { orderOf, pizza, pizzeria, salad } from './support/pizzeria.ts'
import { addPrinter, manager } from './support/printers.ts'
import { holdsForAll } from './support/property.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'
import { starPrinter, starText } from './support/star-printer.ts'
import { until } from './support/until.ts'

const SECOND = 1000
const MINUTE = 60_000
const start = '2025-11-20T19:00:00Z'
const OVEN = 1 as StationId

/** A pizzeria whose clock stands still. */
async function openKitchen(t: TestContext) {
  const clock = heldClock(start)
  const shop = await openShop(t, { restaurant: pizzeria({ stock: [] }), clock })
  return { clock, shop, make: () => shop.writer.chore('makePrintJobs') }
}

function place(shop: Shop, items: unknown[], notes: string | null = null): OrderId {
  return accepted(shop.store.orders.place(accepted(parseDraft({ ...orderOf(...items), notes })), 'pos')).id
}

function edit(shop: Shop, id: OrderId, change: object): void {
  accepted(shop.store.edit(id, parseEdit(JSON.stringify(change)).edit))
}

function jobsOf(shop: Shop): string[] {
  return shop.rows('SELECT kind, ticket_id, state FROM print_job ORDER BY id').map(row => Object.values(row).join(' '))
}

const textsOf = (paper: Buffer[]) => paper.map(bytes => starText(bytes).text)

test('a Star printer prints each ticket of its stations once, and a ticket on paper counts as seen', async t => {
  const { shop, make } = await openKitchen(t)
  place(shop, [pizza()])
  const { secret } = await addPrinter(shop, { stations: [OVEN] })
  const printer = starPrinter(shop, secret)
  await make()
  assert.equal(await printer.run(), 0, 'what was ordered before the printer was added is not printed')

  place(shop, [pizza(2, 1), salad], 'table 4')
  await make()
  await make()
  assert.equal(await printer.run(), 1)
  const [paper = ''] = textsOf(printer.paper)
  for (const part of ['ORD-000002', 'Oven', '2 x Pizza', '+ Extra dough', '!! table 4', 'Also at: Pass', 'Ticket 3']) {
    assert.ok(paper.includes(part), `${part} is missing in ${paper}`)
  }
  assert.ok(!paper.includes('Salad'), 'the salad is not for the oven')
  assert.equal(starText(printer.paper[0] ?? Buffer.alloc(0)).cuts, 1)
  assert.deepEqual(shop.rows("SELECT ticket_id, actor_kind, actor FROM ticket_event WHERE what = 'seen'"), [
    { ticket_id: 3, actor_kind: 'device', actor: 'Paper' },
  ])
  assert.deepEqual(shop.rows('SELECT id FROM ticket WHERE seen_at IS NOT NULL'), [{ id: 3 }])
  assert.deepEqual(shop.rows('SELECT content FROM print_job'), [{ content: null }], 'no text of a guest stays behind')
  await make()
  assert.equal(await printer.run(), 0)
})

test('the server makes print jobs by itself after an order was placed', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { secret } = await addPrinter(shop)
  const { status } = await shop.order(orderOf(pizza()))
  assert.equal(status, 201)
  await until(() => jobsOf(shop).length === 2)
  const printer = starPrinter(shop, secret)
  assert.equal(await printer.run(), 2)
})

test('the same GET returns the same bytes until the job is confirmed, whatever happens to the order', async t => {
  const { shop, make } = await openKitchen(t)
  const { id, secret } = await addPrinter(shop, { stations: [OVEN] })
  const order = place(shop, [pizza()], 'no nuts')
  await make()
  const printer = starPrinter(shop, secret)
  assert.ok(await printer.poll())
  const first = await printer.get()
  edit(shop, order, { notes: 'only nuts' })
  const change: PrinterChange = { characters: 'unicode', prints: 'on request', stations: [] }
  assert.equal(await shop.writer.act(manager, 'changePrinter', id, change), undefined)
  await shop.writer.act(manager, 'setSetting', 'kitchen.language', 'de')
  const second = await printer.get()
  assert.ok(first && second)
  assert.equal(first.type, 'application/vnd.star.starprnt')
  assert.deepEqual(second, first)
  assert.equal(await printer.confirm(first), 200)
  assert.equal(await printer.get(), undefined)
  assert.equal(await printer.confirm(first), 200, 'a confirmation that is repeated is accepted')
  assert.equal(shop.rows("SELECT 1 FROM ticket_event WHERE what = 'seen'").length, 1)
})

test('GET with delete, a printer without tokens and plain text work as published', async t => {
  const { shop, make } = await openKitchen(t)
  const { secret } = await addPrinter(shop, { stations: [OVEN] })
  place(shop, [pizza()])
  place(shop, [pizza(3)])
  await make()
  const printer = starPrinter(shop, secret, { prints: ['text/plain'], hasTokens: false })
  for (const dish of ['1 x Pizza', '3 x Pizza']) {
    assert.ok(await printer.poll())
    const job = await printer.get()
    assert.ok(job)
    assert.ok(job.bytes.toString().includes(dish))
    assert.equal(job.type, 'text/plain')
    assert.ok(job.bytes.every(byte => byte === 0x0a || (byte >= 0x20 && byte < 0x7f)))
    assert.equal(await printer.confirm(job, '200 OK', 'GET'), 200)
  }
  assert.equal(await printer.poll(), false)
  const picture = starPrinter(shop, secret, { prints: ['image/png'] })
  place(shop, [pizza()])
  await make()
  assert.ok(await picture.poll())
  assert.equal(await picture.get(), undefined, 'a form that the server does not have is refused')
})

test('a printer that takes a job and dies gets it again, marked as a copy; a late confirmation still counts', async t => {
  const { shop, clock, make } = await openKitchen(t)
  const { secret } = await addPrinter(shop, { stations: [OVEN] })
  place(shop, [pizza()])
  await make()
  const printer = starPrinter(shop, secret)
  assert.ok(await printer.poll())
  const first = await printer.get()
  assert.ok(first)
  assert.equal(await printer.poll(), false, 'it may still be printing')
  clock.pass(20 * SECOND)
  assert.equal(await printer.poll({ printingInProgress: true }), false)
  assert.ok(await printer.poll())
  const second = await printer.get()
  assert.ok(second)
  assert.match(starText(second.bytes).text, /COPY\?/)
  assert.doesNotMatch(starText(first.bytes).text, /COPY/)
  assert.notEqual(second.token, first.token)
  await printer.confirm(first)
  assert.deepEqual(jobsOf(shop), ['ticket 1 printed'])
  assert.equal(await printer.poll(), false)
})

test('a job that was offered but never fetched is not marked as a copy', async t => {
  const { shop, clock, make } = await openKitchen(t)
  const { secret } = await addPrinter(shop, { stations: [OVEN] })
  place(shop, [pizza()])
  await make()
  const printer = starPrinter(shop, secret)
  assert.ok(await printer.poll())
  clock.pass(MINUTE)
  assert.ok(await printer.poll())
  const job = await printer.get()
  assert.ok(job && !starText(job.bytes).text.includes('COPY'))
})

test('after a temporary failure the job is offered again; after a permanent one it waits for a person', async t => {
  const { shop, clock, make } = await openKitchen(t)
  const { id, secret } = await addPrinter(shop, { stations: [OVEN] })
  place(shop, [pizza()])
  place(shop, [pizza(2)])
  await make()
  const printer = starPrinter(shop, secret)
  const attempt = async (code: string) => {
    assert.ok(await printer.poll())
    const job = await printer.get()
    assert.ok(job)
    await printer.confirm(job, code)
    return starText(job.bytes).text
  }
  assert.match(await attempt('520 Timeout'), /1 x Pizza/)
  assert.match(await attempt('510 Incompatible media type'), /COPY\?[\s\S]*1 x Pizza/)
  assert.match(await attempt('200 OK'), /2 x Pizza/)
  assert.equal(await printer.poll(), false)
  assert.deepEqual(jobsOf(shop), ['ticket 1 failed', 'ticket 3 printed'])
  assert.equal(shop.store.printing.unfinished(id)[0]?.problem, '510 Incompatible media type')
  clock.pass(MINUTE)
  accepted(await shop.writer.act(manager, 'settlePrintJobs', id, 'print'))
  assert.match(await attempt('200 OK'), /COPY\?[\s\S]*1 x Pizza/)
})

test('added lines are printed as a ticket of their own, removed lines as a slip, and a void ticket once if it may be on paper', async t => {
  const { shop, make } = await openKitchen(t)
  const { secret } = await addPrinter(shop, { stations: [OVEN] })
  const printer = starPrinter(shop, secret)
  const order = place(shop, [pizza(), pizza(2)])
  const unprinted = place(shop, [pizza(9)])
  await make()
  assert.ok(await printer.poll())
  const job = await printer.get()
  assert.ok(job)
  await printer.confirm(job)
  edit(shop, order, { remove: [2], add: [pizza(5)], notes: 'hurry' })
  accepted(shop.store.move(unprinted, 'cancel', { reason: 'left' }))
  await make()
  await make()
  assert.equal(await printer.run(), 3)
  const [first = '', second = '', third = ''] = textsOf(printer.paper)
  assert.match(first, /ADDED LATER[\s\S]*5 x Pizza[\s\S]*!! hurry/)
  assert.match(second, /VOID[\s\S]*ORD-000001[\s\S]*VOID 2 x Pizza[\s\S]*The rest of the ticket stays/)
  assert.match(third, /CHANGED[\s\S]*ORD-000001[\s\S]*!! hurry/)
  accepted(shop.store.move(order, 'cancel', { reason: 'left' }))
  await make()
  await make()
  await printer.run()
  assert.equal(printer.paper.length, 5)
  for (const slip of textsOf(printer.paper.slice(3))) assert.match(slip, /VOID[\s\S]*The whole ticket is void/)
  assert.deepEqual(
    jobsOf(shop).filter(each => each.endsWith('discarded')),
    ['ticket 3 discarded'],
    'a ticket that was never fetched needs no slip when it is void',
  )
})

test('held tickets are printed when they are fired, and marked when they are held and fired again', async t => {
  const { shop, clock, make } = await openKitchen(t)
  const { secret } = await addPrinter(shop, { stations: [OVEN] })
  const printer = starPrinter(shop, secret)
  const draft = accepted(parseDraft(orderOf(pizza())))
  accepted(shop.store.orders.place(draft, 'pos', { isHeld: true, wantedAt: clock.now() + 60 * MINUTE }))
  await make()
  assert.equal(await printer.run(), 0)
  accepted(shop.store.kitchen.fire(1 as TicketId))
  await make()
  assert.equal(await printer.run(), 1)
  clock.pass(MINUTE)
  accepted(shop.store.kitchen.hold(1 as TicketId, null))
  accepted(shop.store.kitchen.fire(1 as TicketId))
  await make()
  assert.equal(await printer.run(), 1)
  const [first = '', second = ''] = textsOf(printer.paper)
  assert.ok(!first.includes('COPY') && second.includes('COPY?'))
})

test('a printer for unseen tickets prints exactly those that no screen has shown within 20 seconds', async t => {
  const { shop, clock, make } = await openKitchen(t)
  const { secret } = await addPrinter(shop, { prints: 'unseen tickets' })
  const printer = starPrinter(shop, secret)
  place(shop, [pizza()])
  shop.execute('UPDATE ticket SET seen_at = 1 WHERE id = 2')
  clock.pass(19 * SECOND)
  await make()
  assert.equal(await printer.run(), 0)
  clock.pass(SECOND)
  await make()
  await make()
  assert.equal(await printer.run(), 1)
  assert.match(textsOf(printer.paper)[0] ?? '', /Oven[\s\S]*Ticket 1\b/)
})

test('jobs older than 30 minutes wait for a person, who prints or discards them; newer ones do not wait for them', async t => {
  const { shop, clock, make } = await openKitchen(t)
  const { id, secret } = await addPrinter(shop, { stations: [OVEN] })
  const printer = starPrinter(shop, secret)
  place(shop, [pizza(1)])
  place(shop, [pizza(2)])
  await make()
  clock.pass(30 * MINUTE)
  place(shop, [pizza(3)])
  await make()
  assert.equal(await printer.run(), 1)
  assert.match(textsOf(printer.paper)[0] ?? '', /3 x Pizza/)
  assert.equal(shop.store.printing.unfinished(id).filter(({ needsPerson }) => needsPerson).length, 2)
  assert.deepEqual(await shop.writer.act(manager, 'settlePrintJobs', id, 'print'), { jobs: 2 })
  assert.equal(await printer.run(), 2)
  place(shop, [pizza(4)])
  await make()
  clock.pass(30 * MINUTE)
  assert.deepEqual(await shop.writer.act(manager, 'settlePrintJobs', id, 'discard'), { jobs: 1 })
  assert.equal(await printer.run(), 0)
  const deeds = shop.rows("SELECT what, actor FROM activity WHERE what LIKE 'old slips%'")
  assert.deepEqual(deeds, [
    { what: 'old slips printed', actor: 'Ana' },
    { what: 'old slips discarded', actor: 'Ana' },
  ])
})

test('an Epson printer gets the published envelope, and its reports are understood', async t => {
  const { shop, clock, make } = await openKitchen(t)
  const { secret } = await addPrinter(shop, { protocol: 'epson', stations: [OVEN] })
  const printer = epsonPrinter(shop, secret)
  assert.equal(await printer.request(), undefined)
  place(shop, [pizza(2, 1)], 'no <nuts> & "no" \'milk\'')
  await make()
  const job = await printer.request()
  assert.ok(job)
  assert.match(job.text, /ORD-000001[\s\S]*2 x Pizza[\s\S]*\+ Extra dough[\s\S]*!! no <nuts> & "no" 'milk'/)
  assert.equal(job.cuts, 1)
  assert.equal(await printer.request(), undefined, 'it is printing')
  await printer.report(job, 'EPTR_REC_EMPTY', 0x0008_0008)
  const again = await printer.request()
  assert.match(again?.text ?? '', /COPY\?/)
  clock.pass(20 * SECOND)
  const third = await printer.request()
  assert.ok(third && again && third.id !== again.id)
  assert.equal((await printer.report(again)).status, 200, 'a late report counts')
  assert.deepEqual(jobsOf(shop), ['ticket 1 printed'])
  assert.equal((await printer.report(third)).status, 200)

  place(shop, [pizza()])
  await make()
  assert.ok(await printer.request())
  await printer.refuse('Invalid XML format')
  assert.deepEqual(jobsOf(shop)[1], 'ticket 3 failed')
  assert.equal((await printer.status(0x0f00_003c)).status, 200)
})

test('a printer gets only its own jobs, and nothing without its secret', async t => {
  const { shop, make } = await openKitchen(t)
  const one = await addPrinter(shop, { stations: [OVEN] })
  const other = await addPrinter(shop, { stations: [OVEN], title: 'Other' })
  place(shop, [pizza()])
  await make()
  const printer = starPrinter(shop, one.secret)
  assert.ok(await printer.poll())
  const job = await printer.get()
  assert.ok(job)
  assert.equal(await starPrinter(shop, other.secret).confirm(job, '200 OK', 'DELETE'), 200)
  assert.deepEqual(jobsOf(shop), ['ticket 1 waiting', 'ticket 1 waiting'])

  const address = (secret: string) => `${shop.url}/printers/${secret}`
  const post = (secret: string, body = '{"statusCode":"200 OK"}') => fetch(address(secret), { method: 'POST', body })
  assert.equal((await post('A'.repeat(43))).status, 401)
  assert.equal((await post(one.secret, '[')).status, 400)
  assert.equal((await post(one.secret, `"${'x'.repeat(70_000)}"`)).status, 413)
  assert.equal((await fetch(address(one.secret), { method: 'HEAD' })).status, 404)
  assert.equal((await fetch(`${address(one.secret)}?token=${job.token}`, { method: 'DELETE' })).status, 400)
  accepted(await shop.writer.act(manager, 'endDevice', other.id))
  assert.equal((await post(other.secret)).status, 401)
  const { secret } = accepted(await shop.writer.act(manager, 'renewPrinterSecret', one.id))
  assert.equal((await post(one.secret)).status, 401)
  assert.equal((await post(secret)).status, 200)
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await post('B'.repeat(43))).status))
  assert.ok(statuses.includes(429), 'guessing is slowed down')
  assert.equal((await post(secret)).status, 200, 'the printer beside it goes on')
})

test('wherever the connection is cut, every ticket is one job and gets onto paper, and what may be there twice is marked', async t => {
  const { shop, clock, make } = await openKitchen(t)
  const { id, secret } = await addPrinter(shop, { stations: [OVEN] })
  const steps = fc.array(
    fc.constantFrom('order', 'cut off', 'take and die', 'print and die', 'print', 'fail', 'wait'),
    {
      minLength: 4,
      maxLength: 12,
    },
  )
  await holdsForAll(steps, 40, async wanted => {
    const first = Number(shop.rows('SELECT coalesce(max(id), 0) AS id FROM print_job')[0]?.id)
    const printer = starPrinter(shop, secret)
    const paper: string[] = []
    const printOnce = async (job: { bytes: Buffer }) => paper.push(starText(job.bytes).text)
    for (const step of [...wanted, 'order']) {
      if (step === 'order') {
        place(shop, [pizza()])
        await make()
      } else if (step === 'wait') clock.pass(20 * SECOND)
      else if (await printer.poll()) {
        if (step === 'cut off') continue
        const job = await printer.get()
        assert.ok(job)
        if (step === 'print and die' || step === 'print') await printOnce(job)
        if (step === 'print') await printer.confirm(job)
        if (step === 'fail') await printer.confirm(job, '410 Out of paper')
      }
    }
    // The printer recovers well before any job is old.
    for (let round = 0; round < 3; round++) {
      clock.pass(20 * SECOND)
      const before = printer.paper.length
      await printer.run()
      for (const bytes of printer.paper.slice(before)) paper.push(starText(bytes).text)
    }
    assert.deepEqual(shop.store.printing.unfinished(id), [])
    const jobs = shop.rows('SELECT ticket_id, state FROM print_job WHERE id > ?', first)
    assert.equal(new Set(jobs.map(job => job.ticket_id)).size, jobs.length, 'one job for each ticket')
    assert.ok(jobs.every(({ state }) => state === 'printed'))
    for (const { ticket_id: ticket } of jobs) {
      const slips = paper.filter(text => new RegExp(`Ticket ${ticket}\\b`).test(text))
      assert.ok(slips.length >= 1, `ticket ${ticket} is not on paper`)
      assert.ok(
        slips.slice(1).every(text => text.includes('COPY?')),
        'a second slip is not marked',
      )
    }
  })
})

test('the office shows what is wrong with a printer until it is repaired', async t => {
  const { shop, clock, make } = await openKitchen(t)
  const { headers } = logIn(shop, 'manager')
  const star = await addPrinter(shop, { title: 'Grill', stations: [OVEN] })
  const epson = await addPrinter(shop, { title: 'Bar', protocol: 'epson', prints: 'on request' })
  const [grill, bar] = [starPrinter(shop, star.secret), epsonPrinter(shop, epson.secret)]
  const alarms = async () => {
    const page = await (await fetch(`${shop.url}/office/printers`, { headers })).text()
    return /<div id="alarms"[\s\S]*?<\/div>/.exec(page)?.[0] ?? ''
  }
  // The server looks once a second.
  const shows = async (text: string | null) => {
    const end = performance.now() + 10_000
    for (let shown = await alarms(); text === null ? /Printer/.test(shown) : !shown.includes(text); ) {
      if (performance.now() > end) assert.equal(shown, text)
      await new Promise(resolve => setTimeout(resolve, 50))
      shown = await alarms()
    }
  }
  await grill.poll()
  await bar.request()
  await shows(null)
  grill.says('410 Out of paper')
  await grill.poll()
  await shows('Printer Grill has no paper.')
  grill.says('200 OK', '23 86 20 00 00 00 00 00 00')
  await grill.poll()
  await shows('The cover of printer Grill is open.')
  grill.says('200 OK', '23 86 00 00 00 00 00 00 00')
  await grill.poll()
  await bar.status(0x0f08_0014)
  await shows('Printer Bar has no paper.')
  await bar.status(0x0f00_0014)
  await shows(null)

  place(shop, [pizza()])
  await make()
  assert.ok(await grill.poll())
  const job = await grill.get()
  assert.ok(job)
  clock.pass(20 * SECOND)
  await grill.poll({ printingInProgress: true })
  await shows('Printer Grill was sent a slip at 19:00 and has not confirmed it.')
  await grill.confirm(job)
  await shows(null)
  place(shop, [pizza()])
  await make()
  clock.pass(20 * SECOND)
  await shows('Printer Grill has not been heard from since 19:00.')
  clock.pass(30 * MINUTE)
  await grill.poll()
  await shows('Printer Grill has one slip that is old or failed. Print or discard?')
})
