import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import type { LocationId, TableId } from '../store/terms/ids.ts'
import { temporaryFolder } from './support/folders.ts'
import { heldClock } from './support/held-clock.ts'
import { accepted, why } from './support/refusals.ts'
import { importInto } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { withStore } from './support/store.ts'

const here = 1 as LocationId
const there = 2 as LocationId
const [window, terrace, elsewhere] = [1 as TableId, 2 as TableId, 9 as TableId]
const tables = [
  { id: 1, title: 'Window' },
  { id: 2, title: 'Terrace' },
]

/** A restaurant with two tables here and one there; `branch` changes the location here. */
function restaurant(branch: Record<string, unknown> = {}) {
  const one = smallRestaurant({ tables, ...branch })
  const [location] = one.locations
  return { ...one, locations: [location, { ...location, id: 2, code: 'TWO', tables: [{ id: 9, title: 'Bar' }] }] }
}

test('every table gets a code of its own, made once, that names its table and location (decision 061)', t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, restaurant())
  const clock = heldClock('2026-11-21T20:00:00Z')
  withStore(
    file,
    ({ tableCodes }) => {
      assert.deepEqual(
        tableCodes.list(here).map(({ code }) => code),
        [null, null],
      )
      assert.equal(tableCodes.make(here), 2)
      assert.equal(tableCodes.make(there), 1)
      const codes = [...tableCodes.list(here), ...tableCodes.list(there)].map(({ code }) => code ?? '')
      for (const code of codes) assert.match(code, /^[2-9A-HJKMNP-Z]{10}$/)
      assert.equal(new Set(codes).size, 3)
      assert.equal(tableCodes.list(here)[0]?.since, clock.now())
      const [, second = '', bar = ''] = codes
      assert.deepEqual(tableCodes.find(second), { id: terrace, title: 'Terrace', locationId: here })
      assert.deepEqual(tableCodes.find(bar), { id: elsewhere, title: 'Bar', locationId: there })

      assert.equal(tableCodes.make(here), 0)
      assert.deepEqual(
        tableCodes.list(here).map(({ code }) => code),
        codes.slice(0, 2),
      )
    },
    { clock },
  )
})

test('a code is found as a person types it, and nothing else is found', t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, restaurant())
  withStore(file, ({ tableCodes }) => {
    tableCodes.make(here)
    const code = tableCodes.list(here)[0]?.code ?? ''
    const typed = `${code.slice(0, 5).toLowerCase()} ${code.slice(5)}`
    assert.equal(tableCodes.find(typed)?.id, window)
    for (const wrong of ['', '1', code.slice(1), `${code}A`, `%${code.slice(1)}`, 'Window', "' OR 1=1 --"]) {
      assert.equal(tableCodes.find(wrong), undefined, wrong)
    }
  })
})

test('a new code for one table or for all of a location ends the old ones at once, and only those', t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, restaurant())
  withStore(file, ({ tableCodes }) => {
    tableCodes.make(here)
    tableCodes.make(there)
    const codes = () => [...tableCodes.list(here), ...tableCodes.list(there)].map(({ code }) => code ?? '')
    const isFound = (code: string) => tableCodes.find(code) !== undefined
    const before = codes()

    assert.equal(why(tableCodes.reset(here, window)), 'done')
    assert.deepEqual(before.map(isFound), [false, true, true])
    assert.deepEqual(codes().map(isFound), [true, true, true])

    assert.equal(why(tableCodes.reset(here, null)), 'done')
    assert.deepEqual(before.map(isFound), [false, false, true])
    assert.deepEqual(codes().map(isFound), [true, true, true])

    const last = codes()
    assert.equal(why(tableCodes.reset(here, elsewhere)), 'This location has no table 9.')
    assert.equal(why(tableCodes.reset(3 as LocationId, null)), 'There is no location 3.')
    assert.equal(why(tableCodes.make(3 as LocationId)), 'There is no location 3.')
    assert.deepEqual(codes(), last)
  })
})

test('the code of a table or location that a later restaurant file leaves out or closes finds nothing, and works again with it', t => {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, restaurant())
  const code = withStore(file, ({ tableCodes }) => {
    accepted(tableCodes.make(here))
    return tableCodes.list(here)[0]?.code ?? ''
  })
  const finds = () => withStore(file, ({ tableCodes }) => tableCodes.find(code)?.title)
  assert.equal(finds(), 'Window')
  importInto(file, restaurant({ tables: [tables[1]] }))
  assert.equal(finds(), undefined)
  importInto(file, restaurant({ published: false }))
  assert.equal(finds(), undefined)
  importInto(file, restaurant())
  assert.equal(finds(), 'Window')
})
