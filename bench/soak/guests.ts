// All clients of the API: guests who read and order at a steady rate, clients that are refused, and clients that disconnect or
// go silent. Each response is compared with the expected one.

import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Random, random } from '../../examples/practice/random.ts'
import type { Acknowledged } from '../../test/support/acknowledged.ts'
import { type Menu, orderFrom } from '../../test/support/random-order.ts'
import { api } from '../../test/support/wire.ts'
import type { Changing } from './changes.ts'

/** Requests of each kind a second. */
export const RATES = { orders: 20, reads: 60, refused: 3, greedy: 1, brokenOff: 0.5, silent: 0.2 }
export const CONNECTIONS = 16

/** The order limit of one address, as in a new installation; at times it is `fewer`. */
export const LIMIT = { orders: 60, fewer: 50, windowS: 300 }

/** A note that marks orders whose clients did not wait for the response. */
export const WALKED_AWAY = 'I cannot wait'

/** What staff change during the night and guests can see. */
export interface Offer {
  token: string
  /** Counts the tokens. */
  tokens: Changing<number>
  /** A dish of one location whose price changes. */
  priced: { itemId: number; locationId: number; price: Changing<number> }
  /** A dish of one location that is off the menu at times. */
  scarce: { itemId: number; locationId: number; isOn: Changing<boolean> }
}

export interface GuestsOptions {
  port: number
  offer: Offer
  onOrder(order: Acknowledged): void
  onTook(what: 'order' | 'menu', ms: number): void
}

export interface Guests {
  acknowledged: Acknowledged[]
  /** Responses by kind, such as "order 201" or "a wrong token 401". */
  answers: Map<string, number>
  /** Responses with 500 and above. */
  failures: number
  /** Good requests whose connection broke before the response. */
  unanswered: number
  /** The first unexpected responses, a sentence each. */
  flaws: string[]
  /** Orders from clients that did not wait for the response. */
  walkedAway: number
  stop(): Promise<void>
}

interface Question {
  method: string
  path: string
  body?: string | Buffer
  headers?: Record<string, string>
  agent?: Agent
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  sent: number
  answered: number
}

const MOST_FLAWS = 50
const ADDRESSES = 2000
const GREEDY_ADDRESS = '203.0.113.7'

/** Longer than the server waits for a silent client. */
const LONGEST_SILENCE_MS = 30_000

/** Runs all clients until `stop`. */
export async function openDoors({ port, offer, onOrder, onTook }: GuestsOptions): Promise<Guests> {
  const by = random('soak')
  const kiosks = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const guests: Guests = {
    acknowledged: [],
    answers: new Map(),
    failures: 0,
    unanswered: 0,
    flaws: [],
    walkedAway: 0,
    stop,
  }
  const underWay = new Set<Promise<void>>()
  let isOver = false
  let turn = 0

  function complain(flaw: string): void {
    if (guests.flaws.length < MOST_FLAWS) guests.flaws.push(flaw)
  }

  function count(what: string): void {
    guests.answers.set(what, (guests.answers.get(what) ?? 0) + 1)
  }

  function ask({ method, path, body, headers, agent }: Question): Promise<Answer | undefined> {
    return new Promise(resolve => {
      const sent = performance.now()
      let isAnswered = false
      const lost = () => {
        if (isAnswered) return
        guests.unanswered++
        complain(`${method} ${path} was not answered`)
        resolve(undefined)
      }
      const outgoing = request(
        {
          // Over all connections in turn, and one request in twenty over a new one.
          agent: agent ?? (by.percent(5) ? new Agent() : (kiosks[turn++ % CONNECTIONS] as Agent)),
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { Authorization: `Bearer ${offer.token}`, 'X-Forwarded-For': someAddress(by), ...headers },
        },
        response => {
          const chunks: Buffer[] = []
          response.on('data', chunk => chunks.push(chunk))
          response.on('error', lost)
          response.on('end', () => {
            isAnswered = true
            const status = response.statusCode ?? 0
            if (status >= 500) guests.failures++
            const text = method === 'POST' ? Buffer.concat(chunks).toString() : ''
            resolve({ status, headers: response.headers, text, sent, answered: performance.now() })
          })
        },
      )
      outgoing.on('error', lost)
      outgoing.end(body)
    })
  }

  /** Whether a refusal is caused by a token that was just being replaced. */
  function isBetweenTokens({ status, sent, answered }: Answer): boolean {
    return status === 401 && offer.tokens.met(sent, answered).length > 1
  }

  async function place(body: object, address?: string): Promise<Answer | undefined> {
    const headers = { 'Content-Type': 'application/json', ...(address && { 'X-Forwarded-For': address }) }
    const answer = await ask({ method: 'POST', path: `${api}/orders`, body: JSON.stringify(body), headers })
    if (!answer) return undefined
    count(`order ${answer.status}`)
    if (answer.status === 201) {
      const { id, order_number, location_id, grand_total, items } = JSON.parse(answer.text).data
      const order = { id, order_number, location_id, grand_total, lines: items.length }
      guests.acknowledged.push(order)
      onOrder(order)
    }
    return answer
  }

  async function order(menus: { id: number; menu: Menu }[]): Promise<void> {
    const { id, menu } = by.pick(menus as [(typeof menus)[0]])
    const wanted = orderFrom(id, menu, by) as { items: { item_id: number }[] }
    const answer = await place(wanted)
    if (!answer || isBetweenTokens(answer)) return
    const { status, text, sent, answered } = answer
    const { priced, scarce } = offer
    const hasScarce = id === scarce.locationId && wanted.items.some(({ item_id }) => item_id === scarce.itemId)
    const wasOn = hasScarce ? scarce.isOn.met(sent, answered) : [true]
    if (status === 400 && wasOn.includes(false)) return
    if (status !== 201 || !wasOn.includes(true)) {
      return complain(`an order was answered ${status} where on the menu is ${wasOn}: ${text.slice(0, 300)}`)
    }
    onTook('order', answered - sent)
    if (id !== priced.locationId) return
    const prices = priced.price.met(sent, answered)
    for (const line of JSON.parse(text).data.items) {
      if (line.item_id === priced.itemId && !prices.includes(line.unit_price))
        complain(`a dish of ${prices.join(' or ')} was sold for ${line.unit_price}`)
    }
  }

  const etags = new Map<string, { etag: string; sent: number; answered: number }>()

  async function read(locations: number[]): Promise<void> {
    const path = by.percent(80) ? `${api}/locations/${by.pick(locations as [number])}/menu` : `${api}/locations`
    const known = by.percent(50) ? etags.get(path) : undefined
    const isSqueezed = known === undefined && by.percent(30)
    const answer = await ask({
      method: 'GET',
      path,
      headers: {
        ...(known && { 'If-None-Match': known.etag }),
        ...(isSqueezed && { 'Accept-Encoding': 'gzip' }),
      },
    })
    if (!answer) return
    const { status, headers, sent, answered } = answer
    const name = path.endsWith('/menu') ? 'menu' : 'locations'
    count(`${name} ${status}`)
    if (isBetweenTokens(answer)) return
    if (status !== 200 && !(status === 304 && known)) return complain(`${path} was answered ${status}`)
    if (status === 200 && name === 'menu') onTook('menu', answered - sent)
    if (status === 200 && !isSqueezed) etags.set(path, { etag: String(headers.etag), sent, answered })
    // The price and the menu have changed permanently since the menu was read.
    const { locationId, price } = offer.priced
    const isStale =
      known &&
      path.endsWith(`/${locationId}/menu`) &&
      !price.met(known.sent, known.answered).some(value => price.met(sent, answered).includes(value))
    if (status === 304 && isStale) complain('a menu was answered 304 although a price had changed')
  }

  async function beRefused(): Promise<void> {
    const { what, answered, ask: question } = by.pick(refusals)
    const answer = await ask({ method: 'POST', path: `${api}/orders`, ...question() })
    if (!answer) return
    count(`${what} ${answer.status}`)
    if (answer.status !== answered && !isBetweenTokens(answer)) complain(`${what} was answered ${answer.status}`)
  }

  const greedy: { sent: number; answered: number }[] = []

  async function orderGreedily(): Promise<void> {
    const body = { location_id: 1, items: [{ item_id: 2, qty: 1 }] }
    const answer = await place(body, GREEDY_ADDRESS)
    if (!answer || isBetweenTokens(answer)) return
    if (answer.status === 201) {
      greedy.push(answer)
      const first = greedy.at(-1 - LIMIT.orders)
      if (first && answer.answered - first.sent < LIMIT.windowS * 1000)
        complain(`one address created more than ${LIMIT.orders} orders within ${LIMIT.windowS} seconds`)
    } else if (answer.status !== 429 || greedy.length < LIMIT.fewer || !(Number(answer.headers['retry-after']) > 0)) {
      complain(`a greedy client was answered ${answer.status} after ${greedy.length} orders`)
    }
  }

  /** Sends a whole order or half of one, and does not wait for the response. */
  function breakOff(): Promise<void> {
    const body = JSON.stringify({ location_id: 1, notes: WALKED_AWAY, items: [{ item_id: 2, qty: 1 }] })
    const isWhole = by.percent(50)
    if (isWhole) guests.walkedAway++
    count(isWhole ? 'broken off after an order' : 'broken off within an order')
    const sent = `${headOf(body, offer.token, by)}${isWhole ? body : body.slice(0, 20)}`
    return new Promise(resolve => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.once('close', () => resolve())
      socket.write(sent, () => setTimeout(() => socket.destroy(), by.between(0, 5)))
    })
  }

  /** Sends half a request, and then nothing until the server closes the connection. */
  function fallSilent(): Promise<void> {
    const body = JSON.stringify({ location_id: 1, items: [{ item_id: 2, qty: 1 }] })
    const head = headOf(body, offer.token, by)
    const sent = by.percent(50) ? head.slice(0, 60) : `${head}${body.slice(0, 20)}`
    return new Promise(resolve => {
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      const patience = setTimeout(() => {
        complain('a silent client was not sent away')
        socket.destroy()
      }, LONGEST_SILENCE_MS)
      socket.on('data', chunk => (answer += chunk.toString('latin1')))
      socket.on('error', () => {})
      socket.once('close', () => {
        clearTimeout(patience)
        const status = / (\d{3}) /.exec(answer)?.[1] ?? 'not'
        count(`a silent client ${status}`)
        if (status !== '408' && !isOver) complain(`a silent client was answered ${status}`)
        resolve()
      })
      socket.write(sent)
    })
  }

  /** Does something so many times a second, at irregular intervals, without waiting for earlier results. */
  async function keepComing(perSecond: number, come: () => Promise<void>): Promise<void> {
    let due = performance.now()
    for (;;) {
      due += (by.next() * 2000) / perSecond
      await new Promise(resolve => setTimeout(resolve, Math.max(0, due - performance.now())))
      if (isOver) return
      const one = come()
        .catch(error => complain(String(error)))
        .finally(() => underWay.delete(one))
      underWay.add(one)
    }
  }

  async function stop(): Promise<void> {
    isOver = true
    await Promise.all(coming)
    await Promise.all(underWay)
    for (const kiosk of kiosks) kiosk.destroy()
  }

  const menus = await readMenus(port, offer.token)
  const locations = menus.map(({ id }) => id)
  let greedyTurn = Promise.resolve()
  const coming = [
    keepComing(RATES.orders, () => order(menus)),
    keepComing(RATES.reads, () => read(locations)),
    keepComing(RATES.refused, beRefused),
    // One at a time, so that the order of requests is known.
    keepComing(RATES.greedy, () => (greedyTurn = greedyTurn.then(orderGreedily))),
    keepComing(RATES.brokenOff, breakOff),
    keepComing(RATES.silent, fallSilent),
  ]
  return guests
}

/** The menus at the beginning of the night, from which guests order. */
async function readMenus(port: number, token: string): Promise<{ id: number; menu: Menu }[]> {
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${api}${path}`, { headers: { 'X-Api-Token': token } })
    return ((await response.json()) as { data: unknown }).data
  }
  const locations = (await read('/locations')) as { id: number }[]
  return Promise.all(locations.map(async ({ id }) => ({ id, menu: (await read(`/locations/${id}/menu`)) as Menu })))
}

const json = { 'Content-Type': 'application/json' }
const asJson = (value: unknown) => ({ headers: json, body: JSON.stringify(value) })
const line = { item_id: 2, qty: 1 }

/** Requests that are refused, each with its expected status. */
const refusals: [Refusal, ...Refusal[]] = [
  { what: 'a wrong token', answered: 401, ask: () => ({ headers: { ...json, Authorization: 'Bearer svy_wrong' } }) },
  { what: 'no JSON', answered: 400, ask: () => ({ headers: json, body: '{"location_id": 1, "items": [' }) },
  { what: 'no order', answered: 400, ask: () => asJson([]) },
  { what: 'no lines', answered: 400, ask: () => asJson({ location_id: 1, items: [] }) },
  {
    what: 'an unknown dish',
    answered: 400,
    ask: () => asJson({ location_id: 1, items: [{ item_id: 99_999, qty: 1 }] }),
  },
  {
    what: 'a dish that is switched off',
    answered: 400,
    ask: () => asJson({ location_id: 1, items: [{ item_id: 7, qty: 1 }] }),
  },
  { what: 'a wrong quantity', answered: 400, ask: () => asJson({ location_id: 1, items: [{ item_id: 2, qty: -1 }] }) },
  { what: 'an unknown location', answered: 404, ask: () => asJson({ location_id: 99, items: [line] }) },
  { what: 'an unknown menu', answered: 404, ask: () => ({ method: 'GET', path: `${api}/locations/99/menu` }) },
  { what: 'an unknown path', answered: 404, ask: () => ({ method: 'GET', path: `${api}/reservations` }) },
  { what: 'a wrong method', answered: 405, ask: () => ({ method: 'DELETE', path: `${api}/orders` }) },
  {
    what: 'a too large body',
    answered: 413,
    ask: () => ({ headers: json, body: JSON.stringify({ notes: 'x'.repeat(300_000) }) }),
  },
  { what: 'another type', answered: 415, ask: () => ({ headers: { 'Content-Type': 'text/plain' }, body: '{}' }) },
  {
    what: 'a compressed body',
    answered: 415,
    ask: () => ({ headers: { ...json, 'Content-Encoding': 'gzip' }, body: gzipSync('{}') }),
  },
  {
    what: 'too long headers',
    answered: 431,
    ask: () => ({ headers: { 'X-Long': 'x'.repeat(10_000) }, agent: new Agent() }),
  },
]

interface Refusal {
  what: string
  answered: number
  ask(): Partial<Question>
}

function headOf(body: string, token: string, by: Random): string {
  const lines = [
    `POST ${api}/orders HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: ${someAddress(by)}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

function someAddress(by: Random): string {
  const number = by.between(0, ADDRESSES - 1)
  return `10.0.${Math.floor(number / 250)}.${(number % 250) + 1}`
}
