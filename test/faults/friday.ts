import { Agent, request } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { restaurant } from '../../examples/demo.ts'
import { type Random, random } from '../../examples/practice/random.ts'
import { openStore } from '../../store/store.ts'
import { systemClock } from '../../store/terms/clock.ts'

// A Friday night for whatever goes wrong in it: the demo restaurant with its kitchen, stock and promotions, and guests who
// order at random. What they were answered is kept, to be held against the file afterwards.

export interface Restaurant {
  file: string
  token: string
}

// In millionths of a piece or a kilogram: nothing runs out before the night is over.
const ON_HAND = 900_000 * 1_000_000

/** Makes the restaurant's file in a folder. An address may place as many orders as it likes. */
export function restaurantIn(folder: string): Restaurant {
  const file = join(folder, 'friday.db')
  const store = openStore(file, { clock: systemClock, create: true, busyMs: 5000 })
  try {
    store.importCatalogue(restaurant())
    for (const { id } of store.shelf.list()) store.shelf.change(id, 'set', ON_HAND, null)
    store.settings.set('api.module_enabled', 'on')
    store.settings.set('api.enabled', 'on')
    store.settings.set('orders.limit', '1000000000')
    store.settings.set('orders.limit_window_s', '1')
    return { file, token: store.token.generate() }
  } finally {
    store.close()
  }
}

const API = '/api/index.php/v1/restaurant'

/** What a client gets back, or undefined when the connection broke and nobody knows what became of the request. */
export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  body: any
  headers: Record<string, string | string[] | undefined>
}

export interface Client {
  call(method: string, path: string, body?: unknown): Promise<Answer | undefined>
  close(): void
}

/** A client of the API that keeps at most so many connections. `path` is below …/v1/restaurant. */
export function client({ port, token, connections }: { port: number; token: string; connections: number }): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    call(method, path, body) {
      return new Promise(resolve => {
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
        const options = { agent, port, host: '127.0.0.1', method, path: `${API}${path}`, headers }
        const sent = request(options, response => {
          const chunks: Buffer[] = []
          response.on('data', chunk => chunks.push(chunk))
          response.on('error', () => resolve(undefined))
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            const parsed = text === '' ? undefined : JSON.parse(text)
            resolve({ status: response.statusCode ?? 0, body: parsed, headers: response.headers })
          })
        })
        sent.on('error', () => resolve(undefined))
        sent.end(body === undefined ? undefined : JSON.stringify(body))
      })
    },
    close: () => agent.destroy(),
  }
}

/** An order that was answered 201, as far as it can be looked up in the file. */
export interface Acknowledged {
  id: number
  order_number: string
  location_id: number
  grand_total: number
  lines: number
}

export interface Evening {
  acknowledged: Acknowledged[]
  /** Answers of another status than 201, as "400 INVALID_ORDER", with how many there were. */
  others: Map<string, number>
  /** Requests whose connection broke before there was an answer. */
  unanswered: number
  /** Lets nobody in any more, waits for what is under way, and goes home. */
  stop(): Promise<void>
}

export interface EveningOptions {
  port: number
  token: string
  /** How many guests order at once, each as soon as the last order is answered. */
  guests: number
  /** Milliseconds that a guest waits between two orders; none by default. */
  pauseMs?: number
  seed?: string
  /** Called with every order that was answered 201. */
  onOrder?(order: Acknowledged): void
}

/** Lets guests order until `stop`. They read the menus once, so they also order what has run out since. */
export async function openEvening(options: EveningOptions): Promise<Evening> {
  const { port, token, guests, pauseMs = 0, seed = 'friday', onOrder = () => {} } = options
  const { call, close } = client({ port, token, connections: guests })
  const locations: number[] = (await call('GET', '/locations'))?.body.data.map(({ id }: { id: number }) => id)
  const menus = await Promise.all(
    locations.map(async id => ({ id, menu: (await call('GET', `/locations/${id}/menu`))?.body.data as Menu })),
  )
  const evening: Evening = { acknowledged: [], others: new Map(), unanswered: 0, stop }
  let isOver = false

  async function beGuest(by: Random): Promise<void> {
    while (!isOver) {
      const { id, menu } = by.pick(menus as [(typeof menus)[0]])
      const answer = await call('POST', '/orders', orderFrom(id, menu, by))
      if (!answer) {
        evening.unanswered++
        await pause(20)
      } else if (answer.status === 201) {
        const { id, order_number, location_id, grand_total, items } = answer.body.data
        const order = { id, order_number, location_id, grand_total, lines: items.length }
        evening.acknowledged.push(order)
        onOrder(order)
      } else {
        const kind = `${answer.status} ${answer.body?.errors[0].code}`
        evening.others.set(kind, (evening.others.get(kind) ?? 0) + 1)
      }
      if (pauseMs > 0) await pause(pauseMs)
    }
  }
  const all = Array.from({ length: guests }, (_, guest) => beGuest(random(`${seed} ${guest}`)))

  async function stop(): Promise<void> {
    isOver = true
    await Promise.all(all)
    close()
  }
  return evening
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** As much of a menu as an order needs (section 4.2). */
export interface Menu {
  categories: { items: MenuItem[] }[]
}

interface MenuItem {
  id: number
  variations: { id: number }[]
  modifier_groups: {
    selection_type: string
    min_select: number
    max_select: number | null
    modifiers: { id: number }[]
  }[]
}

/** An order of one to four lines that the menu allows: a size where there are some, and every group within its bounds. */
export function orderFrom(locationId: number, menu: Menu, by: Random): object {
  const items = menu.categories.flatMap(category => category.items) as [MenuItem, ...MenuItem[]]
  return {
    location_id: locationId,
    channel: by.pick(['web', 'phone', 'takeaway', 'delivery']),
    customer: by.percent(50) ? { name: 'José Almeida', phone: '+351 912 345 678' } : undefined,
    notes: by.percent(20) ? 'Jalapeños apart, please 🌶' : undefined,
    items: Array.from({ length: by.between(1, 4) }, () => {
      const item = by.pick(items)
      const sizes = item.variations.map(({ id }) => id)
      return {
        item_id: item.id,
        qty: by.percent(80) ? by.between(1, 3) : 0.5,
        variation_id: sizes.length > 0 ? by.pick(sizes as [number]) : undefined,
        modifiers: item.modifier_groups.flatMap(group => {
          const most = group.selection_type === 'single' ? 1 : group.max_select || group.modifiers.length
          const count = by.between(group.min_select, Math.min(most, group.modifiers.length, group.min_select + 2))
          const first = by.between(0, group.modifiers.length - 1)
          return [...group.modifiers, ...group.modifiers]
            .slice(first, first + count)
            .map(({ id }) => ({ modifier_id: id, qty: 1 }))
        }),
      }
    }),
  }
}

/**
 * What is wrong with a file after a night, a sentence each: what Servery's own doctor finds, numbers that do not follow each
 * other from ORD-000001, orders by halves, and orders that were answered 201 and are not there as they were answered.
 * The server must have ended: the file is recovered by opening it.
 */
export function flawsOf(file: string, acknowledged: Acknowledged[]): string[] {
  const store = openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
  try {
    const problems = [...store.maintenance.examine().problems, ...store.audit.all()]
    return [
      ...problems
        // What the machine has on its disk and clock is not the file's fault.
        .filter(({ pointer }) => pointer !== '/disk' && pointer !== '/clock')
        .map(({ pointer, message }) => `${pointer} ${message}`),
      ...flawsOfOrders(file, acknowledged),
    ]
  } finally {
    store.close()
  }
}

interface Row {
  id: number
  number: number
  location_id: number
  exponent: number
  grand_total_minor: number
  lines: number
  written: number
  charged: number | null
}

function flawsOfOrders(file: string, acknowledged: Acknowledged[]): string[] {
  const db = new Database(file, { readonly: true })
  try {
    const rows = db
      .prepare<[], Row>(
        `SELECT id, number, location_id, exponent, grand_total_minor,
                (SELECT count(*) FROM order_line WHERE order_id = orders.id AND removed_at IS NULL) AS lines,
                (SELECT sum(total_minor) FROM order_line WHERE order_id = orders.id AND removed_at IS NULL)
                  = subtotal_minor AS written,
                (SELECT amount_minor FROM ledger WHERE order_id = orders.id AND kind = 'charge') AS charged
           FROM orders ORDER BY id`,
      )
      .all()
    const flaws = rows.flatMap(({ id, number, lines, written, charged }, index) => [
      ...(number === index + 1 ? [] : [`order ${id} has number ${number}, but is the ${index + 1}. order`]),
      ...(lines > 0 && written === 1 && charged !== null ? [] : [`order ${id} is there by halves`]),
    ])
    const byId = new Map(rows.map(row => [row.id, row]))
    for (const { id, order_number, location_id, grand_total, lines } of acknowledged) {
      const row = byId.get(id)
      const isThere =
        row?.number === Number(order_number.slice('ORD-'.length)) &&
        row.location_id === location_id &&
        row.lines === lines &&
        row.grand_total_minor === Math.round(grand_total * 10 ** row.exponent)
      if (!isThere)
        flaws.push(`order ${id} (${order_number}) was answered 201 and is lost or another: ${JSON.stringify(row)}`)
    }
    return flaws
  } finally {
    db.close()
  }
}
