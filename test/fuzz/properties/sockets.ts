import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import type { RestaurantFile } from '../../support/independent-calculation.ts'
import { holdsForAll } from '../../support/property.ts'
import { smallRestaurant } from '../../support/small-restaurant.ts'
import { getOf, postOf } from '../../support/wire.ts'
import { assertDescribed, assertRefusal } from '../answers.ts'
import { bodyOf, dial, type Heard, type Line, PATIENCE_MS, shown } from '../line.ts'
import { assertMixed, assertUntroubled, FRIDAY_EVENING, openFuzzed } from '../shop.ts'
import { type Stream, stream } from '../streams.ts'
import { type Known, type Reading, readStrictly, START_PAGE } from '../strict-reader.ts'

/** Every stream of bytes is answered as a strict reader of it expects, and every order was asked for and answered. */
export async function sockets(t: TestContext): Promise<void> {
  const { shop, seen, caller } = await openFuzzed(t)
  const known: Known = { restaurant: smallRestaurant() as RestaurantFile, token: shop.token, instant: FRIDAY_EVENING }
  const neighbour = caller()
  const count = { streams: 0, flawless: 0, requests: 0, orders: 0, refusals: 0, left: 0 }

  const streams = fc.array(stream(shop.token), { minLength: 1, maxLength: 30, size: 'max' })
  const runs = await holdsForAll(streams, 30, async played => {
    for (const each of played) await play(each)
    const answer = await neighbour.ask(postOf(shop))
    assert.equal(answer?.status, 201, 'the next good order is served')
    await setImmediate()
    assertUntroubled(shop)
  })

  async function play({ bytes, pauses, client }: Stream): Promise<void> {
    const reading = readStrictly(bytes, known)
    const { asked, end } = reading
    const before = seen.lastOrder()
    const methods = asked.map(({ method }) => method)
    const line = dial(shop.port, methods)
    const told = () => `${JSON.stringify(reading)}\n${shown(bytes)}\nheard ${line.heard.map(({ status }) => status)}`

    await speak(line, { bytes, pauses, client }, reading)
    if (client === 'leaves') {
      // By the time that somebody else is answered, all that came in before has been seen.
      for (const _ of ['one', 'two']) await neighbour.ask(getOf(shop, '/healthz'), { method: 'GET' })
      // Writes are done one after the other.
      await shop.writer.chore('cutDeliveryLog')
    }
    count.streams++
    if (end === 'clean' || end === 'closed') count.flawless++
    const acknowledged = assertAnswers(line.heard, reading, told)
    for (const order of acknowledged) seen.assertAsAnswered(order)
    count.requests += Math.min(line.heard.length, asked.length)
    count.refusals += Math.max(0, line.heard.length - asked.length)

    const created = seen.notesAfter(before)
    count.orders += created.length
    if (client === 'leaves') {
      count.left++
      const wanted = asked.flatMap(({ due, notes }) => (due.includes(201) ? [notes] : []))
      assert.deepEqual(created, wanted.slice(0, created.length), `orders that nobody asked for: ${told()}`)
      return
    }
    assert.ok(hasAll(line, reading), `requests without an answer: ${told()}`)
    assertNothingMore(line.rest.toString('latin1'), reading, told)
    const answered = acknowledged.map(({ notes }) => notes)
    assert.deepEqual(created, answered, `an order for each 201, and none besides: ${told()}`)
  }

  t.diagnostic(
    `${runs} runs, ${count.streams} connections, ${count.flawless} of them flawless: ${count.requests} requests answered, ` +
      `${count.orders} orders, ${count.refusals} connections ended with a refusal, ${count.left} clients left`,
  )
  assertMixed(count.flawless, count.streams)
}

/** Whether a client has heard all that it can hear. */
function hasAll({ heard }: Line, { asked }: Reading): boolean {
  return heard.length >= asked.length || heard.at(-1)?.headers.connection === 'close'
}

/** Sends a stream as its client does, and waits until the connection is closed. */
async function speak(line: Line, { bytes, pauses, client }: Stream, reading: Reading): Promise<void> {
  const { end } = reading
  let at = 0
  for (const pause of [...pauses, bytes.length]) {
    line.send(bytes.subarray(at, pause))
    at = pause
    await setImmediate()
  }
  if (client === 'stays') {
    await line.until(() => line.isClosed || hasAll(line, reading), PATIENCE_MS)
    // A fault ends the connection, by the server's own will.
    if (end === 'fault') await line.until(() => line.isClosed, 50)
    if (end === 'open') await line.until(() => line.isClosed, 3)
  }
  if (end !== 'closed' || client !== 'stays') line.finish()
  if (client === 'leaves') line.leave()
  const isClosed = await line.until(() => line.isClosed, PATIENCE_MS)
  line.leave()
  assert.ok(isClosed, `the connection is not closed after ${shown(bytes)}`)
}

/** Fails unless each answer is due to its request, or to the end after the last of them. Gives back the orders. */
function assertAnswers(heard: readonly Heard[], reading: Reading, told: () => string): { notes: string | null }[] {
  const { asked, end, refusals } = reading
  return heard.flatMap((answer, index) => {
    const request = asked[index]
    const isLast = index === heard.length - 1
    if (answer.headers.connection === 'close') assert.ok(isLast, `an answer after the last one: ${told()}`)
    if (!request) {
      assert.ok(isLast && end !== 'clean' && end !== 'closed', `an answer too many: ${told()}`)
      assert.ok(refusals.includes(answer.status), `${answer.status} at the end of ${told()}`)
      assert.equal(answer.headers.connection, 'close')
      // What asks to read something need not wait for a body that nobody reads.
      if (answer.status >= 400) assertRefusal(answer)
      return []
    }
    assert.ok(request.due.includes(answer.status), `${answer.status} ${answer.bytes} as answer ${index + 1}: ${told()}`)
    if (request.target !== '*' && request.path !== START_PAGE) assertDescribed(request.method, request.path, answer)
    if (answer.status !== 201) return []
    const { data } = bodyOf(answer) as { data: { notes: string | null } }
    assert.equal(data.notes, request.notes, told())
    return [data]
  })
}

/** Fails if anything is left over but the refusal of what began as a HEAD request, which has no body. */
function assertNothingMore(rest: string, { end, refusals }: Reading, told: () => string): void {
  const status = /^HTTP\/1\.1 (\d{3}) (?:[^\r]+\r\n)+Connection: close\r\n(?:[^\r]+\r\n)*\r\n$/.exec(rest)?.[1]
  const isRefusedHead = status !== undefined && end !== 'clean' && end !== 'closed' && refusals.includes(Number(status))
  if (!isRefusedHead) assert.equal(rest, '', `half an answer: ${told()}`)
}
