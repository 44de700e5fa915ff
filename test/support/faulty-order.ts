// Orders as JSON texts, which can also contain what no JavaScript value can.

import assert from 'node:assert/strict'
import type { HeldRow } from './bad-input.ts'
import { assertRefused, type CountedShop } from './traces.ts'
import { postOf } from './wire.ts'

/** The JSON text of an order with these members on its one line. */
export const line = (members: string) => `{"location_id":1,"items":[{${members}}]}`
/** The JSON text of a good order with more members. */
export const order = (members: string) => `{"location_id":1,"items":[{"item_id":1,"qty":1}],${members}}`
/** The JSON text of an order of a burger with these modifiers. */
export const burger = (modifiers: string) => line(`"item_id":2,"qty":1,"modifiers":${modifiers}`)

/** A malformed order: its JSON text, and the pointers to its faults. */
export type FaultyOrder = [body: string, ...pointers: string[]]

/** Tries an input of a row with an order that must be refused with the pointers to its faults. */
export async function isTold({ input, refusal }: HeldRow, shop: CountedShop, name: string, ...faulty: FaultyOrder[]) {
  for (const [body, ...pointers] of faulty) {
    await input(name, async t => {
      const answer = await assertRefused(t, shop, postOf(shop, { body }), refusal())
      const told = answer.body.errors.map((error: { source?: { pointer: string } }) => error.source?.pointer)
      assert.deepEqual(told, pointers)
    })
  }
}
