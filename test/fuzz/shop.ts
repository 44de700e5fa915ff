import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { isRefused } from '../../store/terms/refusal.ts'
import { beside } from '../support/beside.ts'
import { heldClock } from '../support/held-clock.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { type Caller, caller } from './line.ts'
import { traces } from './traces.ts'

export const FRIDAY_EVENING = Date.UTC(2026, 10, 20, 19, 42)

/** A shop that takes orders without end, on a clock that stands, with an endpoint for their events that is paused. */
export async function openFuzzed(t: TestContext) {
  const callers: Caller[] = []
  // Before the shop is closed, which waits for whoever is still on a line.
  t.after(() => {
    for (const each of callers) each.hangUp()
  })
  const clock = heldClock(FRIDAY_EVENING)
  const shop = await openShop(t, { clock, settings: { 'orders.limit': '1000000000' } })
  const store = beside(t, shop)
  // The first use of the token is written down; what is written after it is another matter.
  await shop.get('/locations')
  await setImmediate()
  const added = store.webhooks.endpoints.add('https://127.0.0.1:9/')
  assert.ok(!isRefused(added))
  store.webhooks.endpoints.pause(added.id, true)
  return {
    shop,
    clock,
    store,
    seen: traces(t, shop),
    caller() {
      const made = caller(shop.port)
      callers.push(made)
      return made
    },
  }
}

/** Fails when the server has logged anything worse than what it does all day. */
export function assertUntroubled({ logged }: Shop): void {
  const troubles = logged.splice(0).filter(({ level }) => level !== 'info')
  assert.deepEqual(troubles, [], 'the log tells of no failure')
}

/** Fails when of many cases nearly none or nearly all succeeded: such cases would show little. */
export function assertMixed(succeeded: number, cases: number): void {
  if (cases < 200) return
  assert.ok(succeeded > cases / 5 && succeeded < (cases * 4) / 5, `${succeeded} of ${cases} succeeded`)
}

/** How many cases ended in which way, as "201: 57, 400: 39". */
export function splitOf(ends: ReadonlyMap<unknown, number>): string {
  return [...ends]
    .map(([end, count]) => `${end}: ${count}`)
    .sort()
    .join(', ')
}
