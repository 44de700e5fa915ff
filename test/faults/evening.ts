import { setTimeout as pause } from 'node:timers/promises'
import { type Random, random } from '../../examples/practice/random.ts'
import type { Acknowledged } from '../support/acknowledged.ts'
import { client } from '../support/client.ts'
import { type Menu, orderFrom } from '../support/random-order.ts'

export interface Evening {
  acknowledged: Acknowledged[]
  /** How many responses other than 201 there were, by kind, such as "400 INVALID_ORDER". */
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
