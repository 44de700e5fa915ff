import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { type Method, methods } from '../store/ledger/ledger.ts'
import type { Draft, DraftLine } from '../store/ordering/draft.ts'
import type { Actor } from '../store/people/actor.ts'
import type { Account } from '../store/reports/accounts.ts'
import type { Period } from '../store/reports/period.ts'
import type { Sales } from '../store/reports/sales.ts'
import { openStore, type Store } from '../store/store.ts'
import type { ItemId, LocationId, ModifierId, OrderId, OrderLineId, StockId, VariationId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { groupBy } from '../store/terms/rows.ts'
import { heldClock } from './support/held-clock.ts'
import { wallClock } from './support/independent-calculation.ts'
import { accepted } from './support/refusals.ts'
import { importInto } from './support/shop.ts'

// Random days at three locations, across the nights on which the clocks change; then every report against a calculation of
// its own from the raw rows.

/** In Berlin's autumn night 02:30, where the day starts there, comes round twice. */
const places = [
  { id: 1, currency: 'EUR', timezone: 'Europe/Berlin', day_starts_at: '02:30' },
  { id: 2, currency: 'USD', timezone: 'America/New_York', day_starts_at: '04:00' },
  { id: 3, currency: 'JPY', timezone: 'Asia/Tokyo', day_starts_at: '00:00' },
] as const

/** Several rates at each location, or one: as it was before there were classes. */
function restaurant(hasClasses: boolean) {
  const rates = [
    { tax_rates: [{ tax_class: 1, rate: 7 }] },
    {
      takeaway_tax_rate: 5,
      tax_rates: [
        { tax_class: 1, rate: 0, takeaway_rate: 8.25 },
        { tax_class: 2, rate: 14.25, takeaway_rate: 0 },
      ],
    },
    {
      tax_rates: [
        { tax_class: 1, rate: 8 },
        { tax_class: 2, rate: 10, takeaway_rate: 8 },
      ],
    },
  ]
  const ofClass = (id: number) => hasClasses && { tax_class: id }
  const terms = [
    {
      tax_rate: 19,
      prices_include_tax: true,
      service_charge_rate: 5,
      service_charge_taxable: false,
      delivery_fee: 2.5,
      promotions: [{ id: 1, title: 'Late', percent: 7.5, from: '22:00', until: '03:00' }],
    },
    { tax_rate: 8.25, service_charge_rate: 10, delivery_fee: 4.95, delivery_fee_taxable: true, free_delivery_from: 60 },
    { tax_rate: null, delivery_fee: 300 },
  ]
  return {
    site: { title: 'Sums', timezone: 'UTC' },
    tax_classes: [
      { id: 1, title: 'Food' },
      { id: 2, title: 'Drinks' },
    ],
    modifier_groups: [
      {
        id: 1,
        title: 'Extras',
        selection_type: 'multiple',
        free_quantity: 1,
        modifiers: [
          { id: 1, title: 'Egg', price: 1.55 },
          { id: 2, title: 'Ham', price: 0.85 },
          { id: 3, title: 'Dill', price: 0 },
        ],
      },
    ],
    categories: [
      {
        id: 1,
        title: 'All',
        items: [
          { id: 1, title: 'Soup', price: 6.15, modifier_groups: [{ id: 1 }], ...ofClass(1) },
          { id: 2, title: 'Cheese by weight', price: 19.99, modifier_groups: [{ id: 1 }] },
          {
            id: 3,
            title: 'Tea',
            price: 3,
            ...ofClass(2),
            variations: [
              { id: 1, title: 'Cup', price: 3.05, is_default: true },
              { id: 2, title: 'Pot', price: 7.45 },
            ],
          },
          { id: 4, title: 'Bread on the house', price: 0, ...ofClass(1) },
        ],
      },
    ],
    locations: places.map((place, index) => ({
      ...place,
      ...terms[index],
      ...(hasClasses && rates[index]),
      code: `L${place.id}`,
      title: `Location ${place.id}`,
      stations: place.id === 3 ? [] : [{ id: place.id, title: 'Stove' }],
      stock:
        place.id === 3
          ? []
          : [
              {
                id: place.id,
                title: 'Stock cubes',
                on_hand: 40,
                recipe: [
                  { item: 1, qty: 1 },
                  { modifier: 2, qty: 0.125 },
                ],
              },
              { id: place.id + 10, title: 'Tea', unit: 'kg', on_hand: 0.2, recipe: [{ variation: 2, qty: 0.01 }] },
            ],
    })),
  }
}

const kinds = [
  'place',
  'place',
  'place',
  'place',
  'pay',
  'pay',
  'edit',
  'cancel',
  'refund',
  'void',
  'credit',
  'complete',
  'confirm',
  'bump',
  'stock',
] as const

interface Act {
  kind: (typeof kinds)[number]
  /** Minutes that pass before it. */
  wait: number
  /** What it is about, taken as each kind of act needs it. */
  choice: number[]
}

// The clocks change in New York and Berlin in these nights; a story of a few days covers one of them.
const starts = ['2026-03-07T18:00Z', '2026-03-28T14:00Z', '2026-10-24T16:00Z', '2026-10-31T20:00Z'] as const

const story = fc.record({
  start: fc.constantFrom(...starts),
  hasClasses: fc.nat({ max: 2 }).map(kind => kind > 0),
  depleteAt: fc.constantFrom('placed', 'confirmed', 'completed'),
  acts: fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      wait: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 60, max: 240 })),
      choice: fc.array(fc.nat({ max: 999 }), { minLength: 8, maxLength: 8 }),
    }),
    { minLength: 20, maxLength: 70, size: 'max' },
  ),
})

const people: Actor[] = ['Ana', 'Rui'].map((name, index) => ({ kind: 'staff', id: index + 1, name }))

/** Who placed each order, by its id, and who made each entry of its account, by "id entry". */
type Doers = Map<string, string>

async function live(
  store: Store,
  clock: ReturnType<typeof heldClock>,
  acts: Act[],
  setActor: (actor: Actor) => void,
): Promise<{ done: Set<string>; doers: Doers }> {
  const ids: OrderId[] = []
  const done = new Set<string>()
  const doers: Doers = new Map()
  for (const { kind, wait, choice } of acts) {
    clock.pass(wait * 60_000 + 7_321)
    const [a = 0, b = 0, c = 0, d = 0] = choice
    const person = people[d % 2] as Actor
    setActor(person)
    // Mostly one of the last few: nobody pays for what was ordered days ago, but somebody does.
    const id = ids[b % 5 === 0 ? a % (ids.length || 1) : Math.max(0, ids.length - 1 - (a % 4))]
    if (kind === 'place') {
      const placed = store.orders.place(draftOf(choice), 'pos')
      if (!isRefused(placed)) {
        ids.push(placed.id)
        doers.set(String(placed.id), person.name)
      }
    } else if (kind === 'stock') {
      const stock = ([1, 2, 11, 12] as StockId[])[a % 4] as StockId
      store.shelf.change(stock, (['set', 'add', 'waste'] as const)[b % 3] ?? 'add', (c % 50) * 100_000, null)
    } else if (id !== undefined) {
      const told = act(store, id, kind, choice)
      if (told !== undefined && !isRefused(told)) done.add(kind)
      for (const { entry } of store.payments.entries(id)) {
        if (!doers.has(`${id} ${entry}`)) doers.set(`${id} ${entry}`, person.name)
      }
    }
  }
  return { done, doers }
}

function act(store: Store, id: OrderId, kind: Exclude<Act['kind'], 'place' | 'stock'>, choice: number[]) {
  const [a = 0, b = 0, c = 0, d = 0] = choice
  const method = methods[d % 4] as Method
  const { balance, paid, due } = store.payments.standing(id)
  const part = (whole: number) => (c % 3 === 0 ? Math.max(1, Math.floor(whole / 2)) : whole)
  switch (kind) {
    case 'pay':
      return store.payments.pay(id, { amount: part(balance), method })
    case 'refund':
      return store.payments.refund(id, { amount: part(balance < 0 ? -balance : paid), method })
    case 'credit':
      return store.payments.credit(id, { amount: part(due), note: 'cold' })
    case 'void': {
      const payment = store.payments.entries(id).findLast(entry => entry.kind === 'payment')
      return store.payments.voidPayment(id, payment?.entry ?? 2)
    }
    case 'edit': {
      const order = store.orderBook.byId(id)
      const line = order?.lines[c % (order.lines.length || 1)]
      return store.edit(id, {
        remove: b % 2 === 0 && line ? [line.id as OrderLineId] : [],
        add: b % 3 === 0 ? [] : [lineOf(choice.slice(3))],
        notes: undefined,
        customer: { name: undefined, phone: undefined, email: undefined },
        discount:
          a % 4 === 0
            ? { reason: 'late', ...(a % 8 === 0 ? { percentPpm: 33_333 } : { amountMilli: 1_250 }) }
            : undefined,
      })
    }
    case 'cancel':
      if (paid > 0 && c % 4 !== 0) store.payments.refund(id, { amount: paid, method })
      return store.move(id, 'cancel', {
        reason: 'gone',
        ...(d % 3 === 0 && { stock: d % 2 === 0 ? 'waste' : 'restock' }),
      })
    case 'confirm':
      return store.move(id, 'confirm')
    case 'bump': {
      const ticket = accepted(store.kitchen.list(null)).tickets.find(({ orderId }) => orderId === id)
      return ticket && store.kitchen.bump(ticket.id, null)
    }
    case 'complete': {
      for (const ticket of accepted(store.kitchen.list(null)).tickets)
        if (ticket.orderId === id) store.kitchen.bump(ticket.id, null)
      if (balance > 0) store.payments.pay(id, { amount: balance, method })
      return store.move(id, 'complete')
    }
    default:
      return kind satisfies never
  }
}

function draftOf(choice: number[]): Draft {
  const [a = 0, b = 0, c = 0] = choice
  return {
    locationId: places[a % 3]?.id as LocationId,
    channel: (['web', 'phone', 'takeaway', 'delivery'] as const)[b % 4] ?? 'web',
    serviceMode: [null, 'dine_in', 'Dine In', 'delivery', 'qr', 'picnic'][c % 6] ?? null,
    notes: null,
    customer: { name: null, phone: null, email: null },
    lines: c % 3 === 0 ? [lineOf(choice), lineOf(choice.toReversed())] : [lineOf(choice)],
  }
}

function lineOf(choice: number[]): DraftLine {
  const [a = 0, b = 0, c = 0, d = 0] = choice
  const itemId = ((a + b) % 4) + 1
  return {
    itemId: itemId as ItemId,
    variationId: itemId === 3 && c % 3 > 0 ? ((c % 3) as VariationId) : null,
    qtyMilli: itemId === 2 ? 1 + ((b * 37) % 2400) : 1000 * ((c % 3) + 1),
    notes: null,
    modifiers:
      itemId > 2
        ? []
        : [1, 2, 3, 1]
            .slice(0, d % 5)
            .map((modifier, index) => ({ id: modifier as ModifierId, qty: ((b + index) % 2) + 1 })),
  }
}

interface RawOrder {
  id: number
  location: number
  currency: string
  status: string
  channel: string
  mode: string | null
  subtotal: number
  discount: number
  service: number
  fee: number
  tax: number
  total: number
  rate: number | null
  included: number
  serviceTaxed: number
  feeTaxed: number
  taxLines: string | null
  at: number
}
interface RawLine {
  orderId: number
  item: number
  variation: number | null
  qty: number
  total: number
  rate: number | null
  modifiers: string | null
}
interface RawEntry {
  orderId: number
  entry: number
  kind: string
  amount: number
  method: string | null
  at: number
}
interface RawMovement {
  stock: number
  kind: string
  qty: number
  at: number
}

function readRaw(file: string) {
  const db = new Database(file, { readonly: true })
  try {
    return {
      orders: db
        .prepare<[], RawOrder>(
          `SELECT id, location_id AS location, currency, status, channel, mode, subtotal_minor AS subtotal,
                discount_minor AS discount, service_charge_minor AS service, delivery_fee_minor AS fee, tax_minor AS tax,
                grand_total_minor AS total, tax_ppm AS rate, prices_include_tax AS included, service_charge_taxable AS serviceTaxed,
                delivery_fee_taxable AS feeTaxed, tax_lines AS taxLines, placed_at AS at FROM orders`,
        )
        .all(),
      lines: db
        .prepare<[], RawLine>(
          `SELECT order_id AS orderId, item_id AS item, variation_id AS variation, qty_milli AS qty, total_minor AS total,
                tax_ppm AS rate, modifiers FROM order_line WHERE removed_at IS NULL`,
        )
        .all(),
      entries: db
        .prepare<[], RawEntry>(
          'SELECT order_id AS orderId, entry, kind, amount_minor AS amount, method, at FROM ledger',
        )
        .all(),
      movements: db
        .prepare<[], RawMovement>('SELECT stock_id AS stock, kind, qty_micro AS qty, at FROM stock_movement')
        .all(),
      onHand: new Map(db.prepare<[], [number, number]>('SELECT id, on_hand_micro FROM stock_item').raw().all()),
    }
  } finally {
    db.close()
  }
}
type Raw = ReturnType<typeof readRaw>

/** The business date by what the decision says, and not as the store does it. */
function dateAt(location: number, instant: number): string {
  const place = places[location - 1] as (typeof places)[number]
  const { date, time } = wallClock(instant, place.timezone)
  if (time.slice(0, 5) >= place.day_starts_at) return date
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day - 1)).toISOString().slice(0, 10)
}

const sum = <T>(rows: T[], value: (row: T) => number): number => rows.reduce((total, row) => total + value(row), 0)
const currencies = ['EUR', 'USD', 'JPY']

/** Rows as a table from key to figures, so that their order does not count. */
const tableOf = <Row>(rows: Row[], key: (row: Row) => unknown, figures: (row: Row) => unknown) => {
  const table = Object.fromEntries(rows.map(row => [String(key(row)), figures(row)]))
  assert.equal(Object.keys(table).length, rows.length, 'one row for each key')
  return table
}

/** The same table from raw rows: grouped by key, and the figures of each group. */
function grouped<Row>(rows: Row[], key: (row: Row) => unknown, figures: (group: Row[]) => unknown) {
  return Object.fromEntries([...groupBy(rows, row => String(key(row)))].map(([name, group]) => [name, figures(group)]))
}

interface TaxPart {
  ratePpm: number
  base: number
  tax: number
}

const untaxedOf = (order: RawOrder) => order.service * (1 - order.serviceTaxed) + order.fee * (1 - order.feeTaxed)

/** The tax of an order at each rate. */
function taxPartsOf(order: RawOrder): TaxPart[] {
  if (order.taxLines !== null) return JSON.parse(order.taxLines)
  const base = order.total - untaxedOf(order) - (order.included ? 0 : order.tax)
  return [{ ratePpm: order.rate ?? 0, base, tax: order.tax }]
}

/** Whatever was edited: each order is taxed at the rates of its lines, with its discount shared in proportion (decision C8). */
function checkTax({ orders, lines }: Raw): void {
  for (const order of orders) {
    const own = order.rate ?? 0
    const parts = taxPartsOf(order)
    const its = lines.filter(line => line.orderId === order.id)
    const taxedCharges = order.service * order.serviceTaxed + order.fee * order.feeTaxed
    const rates = new Set(its.map(line => line.rate ?? own))
    if (taxedCharges > 0) rates.add(own)
    const ratesDown = [...rates].sort((a, b) => b - a)
    assert.deepEqual(
      parts.map(({ ratePpm }) => ratePpm),
      ratesDown,
    )
    assert.equal(
      sum(parts, ({ tax }) => tax),
      order.tax,
    )
    assert.equal(
      sum(parts, ({ base }) => base),
      order.subtotal - order.discount + taxedCharges,
    )
    for (const { ratePpm, base, tax } of parts) {
      const total = sum(
        its.filter(line => (line.rate ?? own) === ratePpm),
        line => line.total,
      )
      const discount = total + (ratePpm === own ? taxedCharges : 0) - base
      assert.ok(Math.abs(discount * order.subtotal - order.discount * total) < Math.max(1, order.subtotal))
      const whole = 1_000_000 + (order.included ? ratePpm : 0)
      assert.equal(tax, Math.floor((base * ratePpm + whole / 2) / whole))
    }
  }
}

function checkPeriod(store: Store, raw: Raw, doers: Doers, period: Period): void {
  const { reports } = store
  const isOf = (order: RawOrder) => period.channel === null || period.channel === order.channel
  const isIn = (location: number, date: string) =>
    (period.locationId === null || period.locationId === location) && period.from <= date && date <= period.to
  const byId = new Map(raw.orders.map(order => [order.id, order]))
  const placed = raw.orders.filter(order => isOf(order) && isIn(order.location, dateAt(order.location, order.at)))
  const sales = placed.filter(order => order.status !== 'cancelled')
  const lines = raw.lines.filter(line => sales.some(order => order.id === line.orderId))
  const currencyOf = (row: { orderId: number }) => byId.get(row.orderId)?.currency
  const ofOrders = raw.entries.filter(entry => placed.some(order => order.id === entry.orderId))
  const ofDays = raw.entries.filter(entry => {
    const order = byId.get(entry.orderId) as RawOrder
    const { location } = order
    return isOf(order) && isIn(location, dateAt(location, entry.at))
  })

  const figuresOf = (orders: RawOrder[]) => [
    orders.length,
    sum(orders, order => order.subtotal),
    sum(orders, order => order.discount),
    sum(orders, order => order.service),
    sum(orders, order => order.fee),
    sum(orders, order => (order.included ? 0 : order.tax)),
    sum(orders, order => order.total),
    sum(orders, order => order.tax),
  ]
  const shownSales = (row: Sales) => [
    row.orders,
    row.subtotal,
    row.discounts,
    row.serviceCharge,
    row.deliveryFee,
    row.taxAdded,
    row.total,
    row.tax,
  ]
  const accountOf = (entries: RawEntry[]) => {
    const of = (kind: string) =>
      sum(
        entries.filter(entry => entry.kind === kind),
        entry => entry.amount,
      )
    return [
      of('charge'),
      of('adjustment'),
      of('charge_void'),
      of('credit'),
      of('payment'),
      of('payment_void'),
      of('refund'),
    ]
  }
  const shownAccount = (row: Account) => [
    row.charges,
    row.adjustments,
    row.chargeVoids,
    row.credits,
    row.payments,
    row.paymentVoids,
    row.refunds,
  ]

  const summary = reports.summary(period)
  const all = (currency: string) => summary.find(row => row.currency === currency)
  for (const currency of currencies) {
    const row = all(currency)
    const its = <T extends { orderId: number }>(rows: T[]) => rows.filter(each => currencyOf(each) === currency)
    const involved = its(ofOrders).length + its(ofDays).length
    assert.equal(row !== undefined, involved > 0, `${currency} is there when something happened in it`)
    if (!row) continue
    const own = (order: RawOrder) => order.currency === currency
    assert.deepEqual(shownSales(row.sales), figuresOf(sales.filter(own)))
    const cancelled = placed.filter(order => own(order) && order.status === 'cancelled')
    assert.deepEqual(row.cancelled, { orders: cancelled.length, total: sum(cancelled, order => order.total) })
    assert.deepEqual(shownAccount(row.ofOrders), accountOf(its(ofOrders)))
    assert.deepEqual(shownAccount(row.ofDays), accountOf(its(ofDays)))
    for (const account of [row.ofOrders, row.ofDays])
      assert.equal(
        account.balance,
        sum(shownAccount(account), x => x),
      )

    // The summary and the ledger.
    const s = row.sales
    assert.equal(s.total, s.subtotal - s.discounts + s.serviceCharge + s.deliveryFee + s.taxAdded)
    assert.equal(s.total, row.ofOrders.charges + row.ofOrders.adjustments + row.ofOrders.chargeVoids)
    assert.equal(row.cancelled.total, 0 - row.ofOrders.chargeVoids)
    assert.equal(row.ofOrders.charges, row.ofDays.charges)

    // The parts and the summary.
    const part = <T extends { currency: string }>(rows: T[]) => rows.filter(each => each.currency === currency)
    for (const rows of [
      reports.days(period),
      reports.hours(period),
      reports.weekdays(period),
      reports.channels(period),
      reports.modes(period),
      reports.tables(period),
    ]) {
      const parts = part<Sales>(rows).map(shownSales)
      for (const [index, whole] of shownSales(s).entries())
        assert.equal(
          sum(parts, figures => figures[index] ?? 0),
          whole,
        )
    }
    assert.equal(
      sum(part(reports.items(period)), each => each.amount),
      s.subtotal,
    )
    assert.equal(
      sum(part(reports.modifiers(period)), each => each.amount),
      s.subtotal,
    )
    const taxed = part(reports.tax(period))
    for (const each of taxed) assert.equal(each.net + each.untaxed + each.tax, each.total)
    assert.deepEqual([sum(taxed, each => each.tax), sum(taxed, each => each.total)], [s.tax, s.total])
    const taken = part(reports.payments(period))
    assert.equal(
      sum(taken, each => each.payments),
      -row.ofDays.payments + 0,
    )
    assert.equal(
      sum(taken, each => each.voided),
      row.ofDays.paymentVoids,
    )
    assert.equal(
      sum(taken, each => each.refunded),
      row.ofDays.refunds,
    )
    for (const each of taken) assert.equal(each.taken, each.payments - each.voided - each.refunded)
    const staff = part(reports.staff(period))
    assert.deepEqual(
      [sum(staff, each => each.orders), sum(staff, each => each.discounts), sum(staff, each => each.total)],
      [s.orders, s.discounts, s.total],
    )
    assert.deepEqual(
      [sum(staff, each => each.payments), sum(staff, each => each.taken)],
      [sum(taken, each => each.count), sum(taken, each => each.taken)],
    )
    const compared = part(reports.comparison(period))
    assert.equal(
      sum(compared, each => each.total),
      s.total,
    )
    const singles = part(reports.entries(period))
    assert.equal(
      sum(singles, each => each.amount),
      row.ofDays.balance,
    )
    const listed = part(reports.cancelled(period))
    assert.deepEqual([listed.length, sum(listed, each => each.total)], [row.cancelled.orders, row.cancelled.total])
  }

  // The parts by themselves.
  const inMoney = (row: { currency: string }, key: unknown) => `${row.currency} ${key}`
  assert.deepEqual(
    tableOf(reports.days(period), row => inMoney(row, row.date), shownSales),
    grouped(sales, order => inMoney(order, dateAt(order.location, order.at)), figuresOf),
  )
  const hourOf = (order: RawOrder) =>
    Number(wallClock(order.at, places[order.location - 1]?.timezone ?? '').time.slice(0, 2))
  assert.deepEqual(
    tableOf(reports.hours(period), row => inMoney(row, row.hour), shownSales),
    grouped(sales, order => inMoney(order, hourOf(order)), figuresOf),
  )
  const weekdayAt = (order: RawOrder) =>
    new Date(dateAt(order.location, order.at))
      .toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' })
      .toLowerCase()
  assert.deepEqual(
    tableOf(reports.weekdays(period), row => inMoney(row, [row.weekday, row.hour]), shownSales),
    grouped(sales, order => inMoney(order, [weekdayAt(order), hourOf(order)]), figuresOf),
  )
  const days = Math.round((Date.parse(period.to) - Date.parse(period.from)) / 86_400_000) + 1
  const shift = Math.ceil(days / 7) * 7 * 86_400_000
  const shifted = (date: string, by: number) => new Date(Date.parse(date) + by).toISOString().slice(0, 10)
  const earlier = raw.orders.filter(
    order =>
      isOf(order) &&
      order.status !== 'cancelled' &&
      isIn(order.location, shifted(dateAt(order.location, order.at), shift)),
  )
  assert.deepEqual(
    tableOf(
      reports.comparison(period),
      row => inMoney(row, row.date),
      row => [row.orders, row.total, row.ordersBefore, row.totalBefore, row.change],
    ),
    grouped(
      [
        ...sales.map(order => ({ order, isNow: true, date: dateAt(order.location, order.at) })),
        ...earlier.map(order => ({ order, isNow: false, date: shifted(dateAt(order.location, order.at), shift) })),
      ],
      ({ order, date }) => inMoney(order, date),
      group => {
        const [now, before] = [true, false].map(side => group.filter(({ isNow }) => isNow === side))
        const totals = [now, before].map(part => sum(part ?? [], ({ order }) => order.total))
        const [total = 0, totalBefore = 0] = totals
        return [now?.length, total, before?.length, totalBefore, total - totalBefore]
      },
    ),
  )
  const staffFigures = new Map<string, number[]>()
  const addWork = (currency: string, who: string | undefined, index: number, value: number) => {
    const key = `${currency} ${who ?? null}`
    const row = staffFigures.get(key) ?? [0, 0, 0, 0, 0, 0, 0, 0, 0]
    row[index] = (row[index] ?? 0) + value
    staffFigures.set(key, row)
  }
  for (const order of sales) {
    const who = doers.get(String(order.id))
    addWork(order.currency, who, 0, 1)
    addWork(order.currency, who, 1, order.total)
  }
  for (const { orderId, entry, kind, amount } of ofDays) {
    const add = (index: number, value: number) =>
      addWork(currencyOf({ orderId }) ?? '', doers.get(`${orderId} ${entry}`), index, value)
    if (kind === 'payment') add(2, 1)
    if (kind === 'payment' || kind === 'payment_void' || kind === 'refund') add(3, -amount)
    if (kind === 'payment_void') add(4, amount)
    if (kind === 'refund') add(5, amount)
    if (kind === 'credit') add(6, -amount)
    if (kind === 'charge_void') {
      add(7, 1)
      add(8, -amount)
    }
  }
  assert.deepEqual(
    tableOf(
      reports.staff(period),
      row => `${row.currency} ${row.who?.name ?? null}`,
      row => [
        row.orders,
        row.total,
        row.payments,
        row.taken,
        row.voided,
        row.refunded,
        row.credits,
        row.cancelled,
        row.cancelledTotal,
      ],
    ),
    Object.fromEntries(staffFigures),
  )
  assert.deepEqual(
    reports
      .entries(period)
      .map(row => [row.currency, row.orderId, row.entry, row.kind, row.amount])
      .sort(),
    ofDays.map(entry => [currencyOf(entry), entry.orderId, entry.entry, entry.kind, entry.amount]).sort(),
  )
  assert.deepEqual(
    tableOf(reports.channels(period), row => inMoney(row, row.channel), shownSales),
    grouped(sales, order => inMoney(order, order.channel), figuresOf),
  )
  assert.deepEqual(
    tableOf(reports.modes(period), row => inMoney(row, row.mode), shownSales),
    grouped(sales, order => inMoney(order, order.mode), figuresOf),
  )
  assert.deepEqual(
    tableOf(
      reports.tax(period),
      row => inMoney(row, [row.ratePpm, row.isIncluded]),
      row => [row.orders, row.net, row.untaxed, row.tax, row.total],
    ),
    grouped(
      sales.flatMap(order => {
        const { currency, included } = order
        const parts = taxPartsOf(order).map(part => ({ currency, included, orders: 1, untaxed: 0, ...part }))
        const untaxed = untaxedOf(order)
        if (untaxed > 0)
          parts.push({ currency, included, orders: 0, untaxed, ratePpm: order.rate ?? 0, base: 0, tax: 0 })
        return parts
      }),
      part => inMoney(part, [part.ratePpm, part.included === 1]),
      group => [
        sum(group, part => part.orders),
        sum(group, part => part.base - (part.included ? part.tax : 0)),
        sum(group, part => part.untaxed),
        sum(group, part => part.tax),
        sum(group, part => part.base + part.untaxed + (part.included ? 0 : part.tax)),
      ],
    ),
  )
  assert.deepEqual(
    tableOf(
      reports.items(period),
      row => inMoney(row, [row.itemId, row.variationId]),
      row => [row.lines, row.qtyMilli, row.amount],
    ),
    grouped(
      lines,
      line => `${currencyOf(line)} ${[line.item, line.variation]}`,
      group => [group.length, sum(group, line => line.qty), sum(group, line => line.total)],
    ),
  )
  const chosen = lines.flatMap(line =>
    (JSON.parse(line.modifiers ?? '[]') as { id: number; qty: number; free: number; price: number }[]).map(choice => ({
      ...choice,
      orderId: line.orderId,
      times: line.qty,
    })),
  )
  const options = reports.modifiers(period).filter(row => row.modifierId !== null)
  assert.deepEqual(
    tableOf(
      options,
      row => inMoney(row, row.modifierId),
      row => [row.qtyMilli, row.freeMilli],
    ),
    grouped(
      chosen,
      choice => `${currencyOf(choice)} ${choice.id}`,
      group => [sum(group, choice => choice.qty * choice.times), sum(group, choice => choice.free * choice.times)],
    ),
  )
  for (const row of options) {
    const its = chosen.filter(choice => choice.id === row.modifierId && currencyOf(choice) === row.currency)
    const exact = sum(its, choice => ((choice.qty - choice.free) * choice.price * choice.times) / 1000)
    // Whole dishes leave nothing to round; a part of one moves a choice by less than a minor unit.
    assert.ok(Math.abs(row.amount - exact) <= its.filter(choice => choice.times % 1000 !== 0).length + 1e-6)
  }
  assert.deepEqual(
    tableOf(
      reports.payments(period),
      row => inMoney(row, row.method),
      row => row.taken,
    ),
    grouped(
      ofDays.filter(entry => entry.method !== null),
      entry => `${currencyOf(entry)} ${entry.method}`,
      group => 0 - sum(group, entry => entry.amount),
    ),
  )
  for (const row of reports.stock(period)) {
    const location = row.stockId % 10
    const its = raw.movements.filter(({ stock, at }) => stock === row.stockId && isIn(location, dateAt(location, at)))
    const of = (kind: string) =>
      sum(
        its.filter(movement => movement.kind === kind),
        movement => movement.qty,
      )
    assert.deepEqual(
      [row.delivered, row.counted, row.sold, row.returned, row.wasted, row.change, row.onHand],
      [
        of('add'),
        of('set'),
        0 - of('sold'),
        of('returned'),
        0 - of('waste'),
        sum(its, movement => movement.qty),
        raw.onHand.get(row.stockId),
      ],
    )
  }
}

test('after any acts at any times, the parts of every report add up to the summary, and the summary to the ledger', async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(story, async ({ start, hasClasses, depleteAt, acts }) => {
      const folder = mkdtempSync(join(tmpdir(), 'servery-sums-'))
      const file = join(folder, 'sums.db')
      const clock = heldClock(start)
      importInto(file, restaurant(hasClasses), { 'stock.deplete_at': depleteAt }, clock)
      let actor = people[0] as Actor
      const store = openStore(file, { clock, create: false, busyMs: 1000, actor: () => actor })
      try {
        const { done, doers } = await live(store, clock, acts, acting => {
          actor = acting
        })
        for (const kind of done) seen.set(kind, (seen.get(kind) ?? 0) + 1)
        const raw = readRaw(file)
        checkTax(raw)
        if (!hasClasses) assert.ok(raw.orders.every(({ taxLines }) => taxLines === null))
        if (raw.orders.some(order => taxPartsOf(order).length > 1)) seen.set('rates', (seen.get('rates') ?? 0) + 1)
        const dates = [...new Set(raw.orders.map(order => dateAt(order.location, order.at)))].sort()
        const whole = { from: '2026-01-01', to: '2026-12-31' }
        const ranges = [
          whole,
          ...dates.map(date => ({ from: date, to: date })),
          { from: dates[0] ?? '2026-01-01', to: dates[1] ?? '2026-01-01' },
        ]
        for (const range of ranges) {
          for (const locationId of [null, 1, 2, 3])
            checkPeriod(store, raw, doers, { ...range, locationId: locationId as LocationId | null, channel: null })
        }
        checkPeriod(store, raw, doers, { ...whole, locationId: null, channel: 'phone' })
        // Over all days the ledger of the orders is that of the days, and what moved is what there is.
        for (const row of store.reports.summary({ ...whole, locationId: null }))
          assert.deepEqual(row.ofOrders, row.ofDays)
        for (const row of store.reports.stock({ ...whole, locationId: null })) assert.equal(row.change, row.onHand)
        assert.deepEqual(
          store.audit.all().map(({ message }) => message),
          [],
        )
      } finally {
        store.close()
        rmSync(folder, { recursive: true, force: true })
      }
    }),
    { numRuns: 25 },
  )
  // A story in which nothing succeeds would prove nothing.
  for (const kind of ['pay', 'edit', 'cancel', 'refund', 'void', 'credit', 'complete', 'bump', 'rates']) {
    assert.ok((seen.get(kind) ?? 0) > 0, `no story had ${kind}`)
  }
})
