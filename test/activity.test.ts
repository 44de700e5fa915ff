import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { parseDraft } from '../store/ordering/draft.ts'
import { parseEdit } from '../store/ordering/edit-draft.ts'
import { type Activity, deeds } from '../store/people/activity.ts'
import type { Actor } from '../store/people/actor.ts'
import type { Hashed } from '../store/people/password.ts'
import type { LogIn } from '../store/people/sessions.ts'
import type { WantedPrinter } from '../store/printing/printers.ts'
import { parseRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { openStore, type Store } from '../store/store.ts'
import { systemClock } from '../store/terms/clock.ts'
import type {
  DeviceId,
  EndpointId,
  ItemId,
  LocationId,
  OrderId,
  OrderLineId,
  SessionId,
  StaffId,
  StationId,
  StockId,
  TableId,
  TicketId,
} from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { servery } from './support/commands.ts'
import { temporaryFolder } from './support/folders.ts'
import { orderOf, pizza, pizzeria, salad } from './support/pizzeria.ts'
import { why } from './support/refusals.ts'
import { importInto, openShop } from './support/shop.ts'
import { shownAtPassNow, shownNow } from './support/shown.ts'

const ana: Actor = { kind: 'staff', id: 7, name: 'Ana' }
const guest = { name: 'Guest Gertrude', phone: '+351 912 345 678', email: 'g@example.com' }

const [first, second] = [1 as OrderId, 2 as OrderId]
const [dough, endpoint, item, here] = [1 as StockId, 1 as EndpointId, 1 as ItemId, 1 as LocationId]
const KG = 1_000_000
const tables = [{ id: 1, title: 'Window' }]
const printer = 2 as DeviceId
const ovenPrinter: WantedPrinter = {
  title: 'Oven printer',
  locationId: here,
  protocol: 'star',
  widthMm: 80,
  columns: 48,
  characters: 'plain',
  prints: 'on request',
  stations: [],
}

/** A store with a pizzeria in it, through which Ana acts, and a second connection to look at the file. */
function openAs(t: TestContext, actor: () => Actor) {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, pizzeria({ tables }))
  const db = new Database(file)
  const store = openStore(file, { clock: systemClock, create: false, busyMs: 1000, actor })
  t.after(() => {
    store.close()
    db.close()
  })
  db.exec(`INSERT INTO device (id, title, role, location_id, created_at) VALUES (1, 'Bar till', 'till', 1, 0)`)
  return { file, db, store }
}

/** All that the file holds. */
function contents(db: Database.Database): unknown {
  const tables = db.prepare<[], string>(`SELECT name FROM sqlite_master WHERE type = 'table'`).pluck().all()
  return Object.fromEntries(tables.map(table => [table, db.prepare(`SELECT * FROM "${table}"`).all()]))
}

function place(store: Store, ...items: unknown[]) {
  const draft = parseDraft({ ...orderOf(...items), notes: 'Ring at Gertrude', customer: guest })
  return isRefused(draft) ? draft : store.orders.place(draft, 'pos')
}

const edit = (store: Store, wanted: unknown) => store.edit(first, parseEdit(JSON.stringify(wanted)).edit)

/** The printer reports that it cannot print its slip, which then waits for a person. */
function failToPrint(store: Store): void {
  store.printing.finish(printer, null, { isPrinted: false, problem: 'the paper is too narrow', isFinal: true })
}

type Expected = Pick<Activity, 'what'> & Partial<Pick<Activity, 'orderId' | 'subject' | 'was' | 'became'>>

/** An evening of acts, one after the other, and what each writes down; `given` happens before, and writes nothing down. */
const evening: [act: (store: Store) => unknown, expected: Expected, given?: (store: Store) => void][] = [
  [
    store => store.rehearse(() => ({ from: '2026-11-18', to: '2026-11-20' })),
    { what: 'made-up days added', became: '2026-11-18 to 2026-11-20' },
  ],
  [store => store.staff.add('Ben', 'manager'), { what: 'staff added', subject: 'staff 1 Ben', became: 'manager' }],
  [
    store => store.settings.set('site.title', 'Da Ana'),
    { what: 'setting changed', subject: 'site.title', was: 'Pizzeria', became: 'Da Ana' },
  ],
  [store => store.token.generate(), { what: 'token generated' }],
  [
    store => store.webhooks.endpoints.add('https://a.example/hook?key=hidden'),
    { what: 'endpoint added', subject: 'endpoint 1 https://a.example/hook' },
  ],
  [
    store => store.webhooks.endpoints.pause(endpoint, true),
    { what: 'endpoint paused', subject: 'endpoint 1 https://a.example/hook' },
  ],
  [
    store => store.webhooks.endpoints.pause(endpoint, false),
    { what: 'endpoint resumed', subject: 'endpoint 1 https://a.example/hook' },
  ],
  [
    store => store.webhooks.endpoints.select(['order.placed']),
    { what: 'events selected', was: 'all events', became: 'order.placed' },
  ],
  [store => store.webhooks.secrets.set('hidden one'), { what: 'secret set', was: '0 active', became: '1 active' }],
  [
    store => store.webhooks.secrets.rotate('hidden two'),
    { what: 'secret rotated', was: '1 active', became: '2 active' },
  ],
  [store => store.webhooks.secrets.retire(), { what: 'older secrets retired', was: '2 active', became: '1 active' }],
  [store => store.webhooks.secrets.clear(), { what: 'secrets cleared', was: '1 active', became: '0 active' }],
  [
    store => store.pauses.pause(here, Date.parse('2999-01-01T00:00Z')),
    {
      what: 'orders paused',
      subject: 'location 1 A',
      was: 'taking orders',
      became: 'paused until 2999-01-01T00:00:00.000Z',
    },
  ],
  [
    store => store.pauses.resume(here),
    {
      what: 'orders resumed',
      subject: 'location 1 A',
      was: 'paused until 2999-01-01T00:00:00.000Z',
      became: 'taking orders',
    },
  ],
  [store => store.tableCodes.make(here), { what: 'table codes made', subject: 'location 1 A', became: '1 added' }],
  [
    store => store.tableCodes.reset(here, 1 as TableId),
    { what: 'table codes reset', subject: 'table 1 Window', became: '1 changed' },
  ],
  [
    store => store.busy.begin(here, 20, Date.parse('2999-01-01T00:00Z')),
    {
      what: 'marked as busy',
      subject: 'location 1 A',
      was: 'not busy',
      became: '20 min more until 2999-01-01T00:00:00.000Z',
    },
  ],
  [
    store => store.busy.end(here),
    {
      what: 'no longer busy',
      subject: 'location 1 A',
      was: '20 min more until 2999-01-01T00:00:00.000Z',
      became: 'not busy',
    },
  ],
  [
    store => store.stationBackups.set(1 as StationId, 2 as StationId),
    { what: 'station backup set', subject: 'station 1 Oven', became: 'station 2 Pass' },
  ],
  [
    store => store.stations.close(1 as StationId, 2 as StationId, Date.parse('2999-01-01T00:00Z')),
    {
      what: 'station closed',
      subject: 'station 1 Oven',
      became: 'station 2 Pass until 2999-01-01T00:00:00.000Z',
    },
  ],
  [store => store.stations.open(1 as StationId), { what: 'station opened', subject: 'station 1 Oven' }],
  [
    store => store.availability.off({ kind: 'item', id: item }, here, null),
    { what: 'taken off the menu', subject: 'item 1 Pizza, location 1', was: 'on', became: 'off' },
  ],
  [
    store => store.availability.on({ kind: 'item', id: item }, here),
    { what: 'put back on the menu', subject: 'item 1 Pizza, location 1', was: 'off', became: 'on' },
  ],
  [
    store => store.availability.off({ kind: 'item', id: item }, null, Date.parse('2999-01-01T00:00Z')),
    {
      what: 'taken off the menu',
      subject: 'item 1 Pizza, everywhere',
      was: 'on',
      became: 'off until 2999-01-01T00:00:00.000Z',
    },
  ],
  [
    store => store.availability.on({ kind: 'item', id: item }, null),
    {
      what: 'put back on the menu',
      subject: 'item 1 Pizza, everywhere',
      was: 'off until 2999-01-01T00:00:00.000Z',
      became: 'on',
    },
  ],
  [
    store => store.guestSwitches.set(here, 'storefront', ['delivery', 'takeaway']),
    {
      what: 'guest ordering changed',
      subject: 'location 1 A',
      was: 'storefront',
      became: 'storefront takeaway delivery',
    },
  ],
  [
    store => store.shelf.change(dough, 'set', 3 * KG, null),
    { what: 'stock counted', subject: 'stock 1 Dough', was: '2 kg', became: '3 kg' },
  ],
  [
    store => store.shelf.change(dough, 'add', KG / 2, null),
    { what: 'stock delivered', subject: 'stock 1 Dough', was: '3 kg', became: '3.5 kg' },
  ],
  [
    store => store.shelf.change(dough, 'waste', KG, null),
    { what: 'stock wasted', subject: 'stock 1 Dough', was: '3.5 kg', became: '2.5 kg' },
  ],
  [store => place(store, pizza(), salad), { what: 'order placed', orderId: first, became: '15.00 EUR' }],
  [
    store => edit(store, { notes: 'Gertrude comes later', customer: { name: 'Gertrude G' } }),
    { what: 'order edited', orderId: first, subject: 'notes, customer' },
  ],
  [
    store => edit(store, { add: [salad], discount: { amount: 1, reason: 'Gertrude waited' } }),
    { what: 'order edited', orderId: first, subject: 'lines, discount', was: '15.00 EUR', became: '19.00 EUR' },
  ],
  [
    store => store.move(first, 'confirm'),
    { what: 'order confirmed', orderId: first, was: 'placed, in kitchen', became: 'confirmed, in kitchen' },
  ],
  [
    store => store.kitchen.bump(2 as TicketId, 2 as OrderLineId),
    { what: 'ticket bumped', orderId: first, subject: 'ticket 2: Salad' },
  ],
  [
    store => store.kitchen.bump(2 as TicketId, null),
    { what: 'ticket bumped', orderId: first, subject: 'ticket 2: Pizza' },
  ],
  [store => store.kitchen.bump(1 as TicketId, null), { what: 'ticket bumped', orderId: first, subject: 'ticket 1' }],
  [
    store => store.kitchen.bump(3 as TicketId, null),
    {
      what: 'ticket bumped',
      orderId: first,
      subject: 'ticket 3',
      was: 'confirmed, in kitchen',
      became: 'confirmed, ready',
    },
  ],
  [
    store => store.kitchen.recall(3 as TicketId),
    {
      what: 'ticket recalled',
      orderId: first,
      subject: 'ticket 3',
      was: 'confirmed, ready',
      became: 'confirmed, in kitchen',
    },
  ],
  [
    store => store.kitchen.hold(3 as TicketId, null),
    {
      what: 'ticket held',
      orderId: first,
      subject: 'ticket 3',
      was: 'confirmed, in kitchen',
      became: 'confirmed, pending',
    },
  ],
  [
    store => store.kitchen.fire(3 as TicketId),
    {
      what: 'ticket fired',
      orderId: first,
      subject: 'ticket 3',
      was: 'confirmed, pending',
      became: 'confirmed, in kitchen',
    },
  ],
  [
    store => {
      const press = { act: 'acknowledge', ticket: 3 as TicketId, line: null, ref: 'a reference', notice: null } as const
      return store.stationScreens.act({ ...press, shown: shownNow(store, first, press.ticket) }, here)
    },
    { what: 'ticket acknowledged', orderId: first, subject: 'ticket 3' },
  ],
  [
    store => store.kitchen.bump(3 as TicketId, null),
    {
      what: 'ticket bumped',
      orderId: first,
      subject: 'ticket 3',
      was: 'confirmed, in kitchen',
      became: 'confirmed, ready',
    },
  ],
  [
    store => {
      const shown = shownAtPassNow(store, first, 'call')
      return store.pass.act({ act: 'call', order: first, batch: null, ref: null, shown }, here)
    },
    { what: 'order called', orderId: first },
  ],
  [
    store => store.payments.pay(first, { amount: 500, method: 'cash', note: 'from Gertrude' }),
    { what: 'payment taken', orderId: first, subject: 'entry 3, cash', became: '5.00 EUR' },
  ],
  [
    store => store.payments.voidPayment(first, 3),
    { what: 'payment voided', orderId: first, subject: 'entry 4 of entry 3, cash', was: '5.00 EUR' },
  ],
  [
    store => store.move(first, 'out-for-delivery'),
    {
      what: 'order sent out',
      orderId: first,
      was: 'confirmed, ready',
      became: 'confirmed, out for delivery',
    },
  ],
  [
    store => store.move(first, 'fulfil'),
    {
      what: 'order fulfilled',
      orderId: first,
      was: 'confirmed, out for delivery',
      became: 'confirmed, fulfilled',
    },
  ],
  [
    store => {
      const shown = shownAtPassNow(store, first, 'recall')
      return store.pass.act({ act: 'recall', order: first, batch: null, ref: null, shown }, here)
    },
    {
      what: 'hand-over taken back',
      orderId: first,
      was: 'confirmed, fulfilled',
      became: 'confirmed, ready',
    },
  ],
  [
    store => store.move(first, 'fulfil'),
    { what: 'order fulfilled', orderId: first, was: 'confirmed, ready', became: 'confirmed, fulfilled' },
  ],
  [
    store => store.payments.pay(first, { amount: 1900, method: 'card' }),
    {
      what: 'payment taken',
      orderId: first,
      subject: 'entry 5, card',
      was: 'confirmed, fulfilled',
      became: '19.00 EUR, completed, fulfilled',
    },
  ],
  [
    store => store.payments.credit(first, { amount: 200, note: 'Gertrude found it cold' }),
    { what: 'credit given', orderId: first, subject: 'entry 6', became: '2.00 EUR' },
  ],
  [
    store => store.payments.refund(first, { amount: 200, method: 'cash', note: 'to Gertrude' }),
    { what: 'refund given', orderId: first, subject: 'entry 7, cash', became: '2.00 EUR' },
  ],
  [store => place(store, salad), { what: 'order placed', orderId: second, became: '5.00 EUR' }],
  [
    store => store.move(second, 'cancel', { reason: 'Gertrude left' }),
    { what: 'order cancelled', orderId: second, was: 'placed, in kitchen', became: 'cancelled' },
  ],
  [store => place(store, { item_id: 3, qty: 1 }), { what: 'order placed', orderId: 3 as OrderId, became: '2.00 EUR' }],
  [
    store => store.payments.pay(3 as OrderId, { amount: 200, method: 'card' }),
    { what: 'payment taken', orderId: 3 as OrderId, subject: 'entry 2, card', became: '2.00 EUR' },
  ],
  [
    store => store.move(3 as OrderId, 'complete'),
    { what: 'order completed', orderId: 3 as OrderId, was: 'placed', became: 'completed' },
  ],
  [
    store =>
      store.importCatalogue(parseRestaurantFile(JSON.stringify(pizzeria({ title: 'B', tables }))).file, 'replace'),
    { what: 'menu imported', subject: 'replace', became: '2 changed' },
  ],
  [store => store.undoImport(), { what: 'menu import undone', subject: 'replace of AT UTC', became: '2 changed' }],
  [
    store =>
      store.editMenu([{ edit: 'prices', prices: [{ kind: 'item', id: 2, location: null, was: 5000, price: 5500 }] }]),
    { what: 'menu edited', subject: 'item 2 Salad', became: '1 changed' },
  ],
  [store => store.undoImport(), { what: 'menu edit undone', subject: 'edit of AT UTC', became: '1 changed' }],
  [
    store => store.webhooks.endpoints.remove(endpoint),
    { what: 'endpoint removed', subject: 'endpoint 1 https://a.example/hook' },
  ],
  [
    store => store.staff.changeRole(1 as StaffId, 'owner'),
    { what: 'role changed', subject: 'staff 1 Ben', was: 'manager', became: 'owner' },
  ],
  [
    store => store.staff.rename(1 as StaffId, 'Benedita'),
    { what: 'staff renamed', subject: 'staff 1 Ben', was: 'Ben', became: 'Benedita' },
  ],
  [
    store => store.staff.setPassword(1 as StaffId, 'a hash' as Hashed),
    { what: 'password set', subject: 'staff 1 Benedita' },
  ],
  [store => store.staff.setPin(1 as StaffId, 'a hash' as Hashed), { what: 'PIN set', subject: 'staff 1 Benedita' }],
  [store => store.staff.setPin(1 as StaffId, null), { what: 'PIN removed', subject: 'staff 1 Benedita' }],
  [store => store.sessions.logIn(benedita), { what: 'logged in', subject: 'staff 1 Benedita', became: 'owner' }],
  [store => store.sessions.end(1 as SessionId), { what: 'session ended', subject: 'staff 1 Benedita' }],
  [store => store.staff.add('Carl', 'manager'), { what: 'staff added', subject: 'staff 2 Carl', became: 'manager' }],
  [
    store => store.till.enter(here, { kind: 'float', counted: 10_000 }),
    { what: 'drawer opened', subject: 'location 1 A', became: '100.00 EUR' },
  ],
  [
    store => store.till.enter(here, { kind: 'paid_in', counted: 500, note: 'from Gertrude' }),
    { what: 'cash paid in', subject: 'location 1 A', became: '5.00 EUR' },
  ],
  [
    store => store.till.enter(here, { kind: 'paid_out', counted: 200, note: 'to Gertrude' }),
    { what: 'cash paid out', subject: 'location 1 A', became: '2.00 EUR' },
  ],
  [
    store => store.till.enter(here, { kind: 'count', counted: 10_300 }),
    { what: 'cash counted', subject: 'location 1 A', became: '103.00 EUR' },
  ],
  [
    store => {
      const open = store.till.open(here)
      return isRefused(open)
        ? open
        : store.till.closeDay(here, { date: open[0] ?? '', counted: null, left: null, note: 'Gertrude' })
    },
    { what: 'day closed', subject: 'location 1 A, DAY', became: 'close 1' },
  ],
  [
    store => store.printing.printers.add(ovenPrinter, null),
    { what: 'device paired', subject: 'device 2 Oven printer', became: 'printer' },
  ],
  [
    store => store.printing.printers.change(printer, { ...ovenPrinter, stations: [1 as StationId] }),
    {
      what: 'printer changed',
      subject: 'device 2 Oven printer',
      was: 'on request, plain, all stations',
      became: 'on request, plain, stations 1',
    },
  ],
  [
    store => store.printing.printers.renewSecret(printer),
    { what: 'printer changed', subject: 'device 2 Oven printer', became: 'new address' },
  ],
  [
    store => store.printing.request(printer, { kind: 'receipt', order: first }, 'a receipt'),
    { what: 'slip printed', orderId: first, subject: 'device 2 Oven printer', became: 'receipt' },
  ],
  [
    store => store.printing.settle(printer, 'print'),
    { what: 'old slips printed', subject: 'device 2 Oven printer', became: '1' },
    failToPrint,
  ],
  [
    store => store.printing.settle(printer, 'discard'),
    { what: 'old slips discarded', subject: 'device 2 Oven printer', became: '1' },
    failToPrint,
  ],
  [store => store.backups.beginByHand('a.db'), { what: 'backup started', subject: 'a.db' }],
  [store => store.devices.end(1 as DeviceId), { what: 'device ended', subject: 'device 1 Bar till', was: 'till' }],
  [store => store.staff.end('carl'), { what: 'staff ended', subject: 'staff 2 Carl', was: 'manager' }],
]

const benedita: LogIn = {
  staffId: 1 as StaffId,
  checked: 'a hash' as Hashed,
  deviceId: null,
  secret: 'hidden',
  replaces: null,
  address: '192.0.2.1',
  userAgent: 'a phone',
}

test('every act writes one row of who, what, from and to in its own transaction, without secrets or words of guests', t => {
  const { db, store } = openAs(t, () => ana)
  const count = db.prepare<[], number>('SELECT count(*) FROM activity').pluck()
  for (const [act, expected, given] of evening) {
    given?.(store)
    const title = JSON.stringify(expected)
    const before = contents(db)
    db.exec(`CREATE TRIGGER broken AFTER INSERT ON activity BEGIN SELECT raise(ABORT, 'the disk is full'); END`)
    assert.throws(() => act(store), /the disk is full/, title)
    db.exec('DROP TRIGGER broken')
    assert.deepEqual(contents(db), before, title)

    const rows = count.get() ?? 0
    const startedAt = Date.now()
    assert.equal(why(act(store)), 'done', title)
    assert.equal(count.get(), rows + 1, title)
    const [newest] = store.activity({}, 1)
    assert.ok(newest && newest.at >= startedAt && newest.at <= Date.now())
    const { id: _, at: __, ...written } = newest
    written.subject =
      written.subject?.replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC$/, 'AT UTC').replace(/\d{4}-\d\d-\d\d$/, 'DAY') ?? null
    assert.deepEqual(written, { actor: ana, orderId: null, subject: null, was: null, became: null, ...expected })
  }
  const texts = store.activity({}, 1000).map(({ at: _, ...row }) => row)
  assert.doesNotMatch(JSON.stringify(texts), /gertrude|912|g@example|svy_|hidden/i)
  const done = new Set(store.activity({}, 1000).map(({ what }) => what))
  const notHere = deeds.filter(deed => !done.has(deed))
  assert.deepEqual(notHere, ['guest data deleted'])
})

test('acts that are refused or change nothing write no row', t => {
  const { db, store } = openAs(t, () => ana)
  assert.equal(why(place(store, salad)), 'done')
  assert.equal(why(store.payments.pay(first, { amount: 100, method: 'cash', clientRef: 'slip 1' })), 'done')
  assert.equal(why(store.staff.add('Ben', 'staff')), 'done')
  assert.equal(why(store.webhooks.secrets.set('only one')), 'done')
  store.webhooks.endpoints.add('https://a.example/')
  const before = JSON.stringify(store.activity({}, 100))

  const refused = [
    place(store, { item_id: 99, qty: 1 }),
    edit(store, { remove: [99] }),
    store.move(first, 'complete'),
    store.move(first, 'cancel'),
    store.kitchen.recall(1 as TicketId),
    store.kitchen.bump(9 as TicketId, null),
    store.payments.pay(first, { amount: 10_000, method: 'cash' }),
    store.payments.refund(first, { amount: 10_000, method: 'cash' }),
    store.payments.credit(first, { amount: 1, note: 'early' }),
    store.payments.voidPayment(first, 1),
    store.availability.off({ kind: 'item', id: 99 as ItemId }, null, null),
    store.shelf.change(dough, 'waste', 100 * KG, null),
    store.settings.set('orders.limit', '0'),
    store.webhooks.endpoints.add('http://plain.example/'),
    store.webhooks.endpoints.add('https://a.example/'),
    store.webhooks.endpoints.remove(9 as EndpointId),
    store.webhooks.secrets.rotate(''),
    store.staff.add('ben', 'owner'),
    store.staff.end('Carla'),
    store.devices.end(9 as DeviceId),
  ]
  for (const [index, result] of refused.entries()) assert.notEqual(why(result), 'done', `refused ${index}`)
  const idle = [
    edit(store, {}),
    edit(store, { notes: 'Ring at Gertrude' }),
    store.payments.pay(first, { amount: 100, method: 'cash', clientRef: 'slip 1' }),
    store.availability.on({ kind: 'item', id: item }, null),
    store.shelf.change(dough, 'set', 2 * KG, null),
    store.settings.set('site.title', 'Pizzeria'),
    store.importCatalogue(store.exportCatalogue()),
    store.webhooks.endpoints.pause(endpoint, false),
    store.webhooks.endpoints.select([]),
    store.webhooks.secrets.retire(),
  ]
  for (const [index, result] of idle.entries()) assert.equal(why(result), 'done', `idle ${index}`)
  assert.equal(JSON.stringify(store.activity({}, 100)), before)

  store.availability.off({ kind: 'item', id: item }, null, null)
  const rows = db.prepare<[], number>('SELECT count(*) FROM activity').pluck().get()
  store.availability.off({ kind: 'item', id: item }, null, null)
  store.webhooks.secrets.clear()
  store.webhooks.secrets.clear()
  assert.equal(db.prepare('SELECT count(*) FROM activity').pluck().get(), (rows ?? 0) + 1)
})

test('the log can be neither changed nor shortened', t => {
  const { db } = openAs(t, () => ana)
  for (const sql of [
    `UPDATE activity SET actor = 'Somebody'`,
    'DELETE FROM activity',
    `REPLACE INTO activity (id, at, actor_kind, actor, what) VALUES (1, 0, 'staff', 'Somebody', 'menu imported')`,
  ]) {
    assert.throws(() => db.exec(sql), /append-only/, sql)
  }
})

test('the log is read newest first, by time, by name and by order, and never more than asked for', t => {
  let actor = ana
  const { store } = openAs(t, () => actor)
  const before = Date.now()
  place(store, salad)
  actor = { kind: 'staff', id: 8, name: 'Ben' }
  place(store, salad)
  store.move(second, 'confirm')
  const who = (rows: Activity[]) => rows.map(row => `${row.actor.name} ${row.what}`)
  assert.deepEqual(who(store.activity({}, 2)), ['Ben order confirmed', 'Ben order placed'])
  assert.deepEqual(who(store.activity({ by: 'ana' }, 10)), ['Ana order placed'])
  assert.deepEqual(who(store.activity({ orderId: second }, 10)), ['Ben order confirmed', 'Ben order placed'])
  assert.deepEqual(who(store.activity({ orderId: second, by: 'Ana' }, 10)), [])
  assert.equal(store.activity({ since: before }, 100).length, 3)
  assert.deepEqual(store.activity({ since: Date.now() + 1000 }, 100), [])
})

test('an order by API adds no row', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const before = shop.rows('SELECT * FROM activity')
  assert.equal((await shop.order(orderOf(pizza()))).status, 201)
  assert.deepEqual(shop.rows('SELECT * FROM activity'), before)
})

test('an act in the server is that of the person who did it, and an order of staff needs one', async t => {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const draft = parseDraft(orderOf(salad))
  assert.ok(!isRefused(draft))
  assert.equal(why(await shop.writer.place({ draft, source: 'pos', bucket: null, actor: ana })), 'done')
  await assert.rejects(shop.writer.place({ draft, source: 'pos', bucket: null }), /nobody acts/)
  const ben: Actor = { kind: 'device', id: 1, name: 'Bar till' }
  assert.equal(why(await shop.writer.act(ben, 'move', first, 'confirm')), 'done')
  const rows = shop.rows('SELECT actor_kind, actor_id, actor, what, order_id FROM activity ORDER BY id DESC LIMIT 2')
  assert.deepEqual(rows, [
    { actor_kind: 'device', actor_id: 1, actor: 'Bar till', what: 'order confirmed', order_id: 1 },
    { actor_kind: 'staff', actor_id: 7, actor: 'Ana', what: 'order placed', order_id: 1 },
  ])
  assert.deepEqual(shop.rows('SELECT count(*) AS orders FROM orders'), [{ orders: 1 }])
})

test('an act by a command is that of the system user', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, pizzeria())
  const { code } = await servery(file, ['settings', 'set', 'site.title', 'Da Ana'])
  assert.equal(code, 0)
  const db = new Database(file, { readonly: true })
  t.after(() => db.close())
  assert.deepEqual(db.prepare('SELECT actor_kind, actor_id, actor FROM activity ORDER BY id DESC LIMIT 1').get(), {
    actor_kind: 'command',
    actor_id: null,
    actor: userInfo().username,
  })
})
