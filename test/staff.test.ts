import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { temporaryFolder } from './support/folders.ts'
import { why } from './support/refusals.ts'
import { withStore } from './support/store.ts'

test('names of staff have 1 to 80 characters and are unique among those who work here', t => {
  withStore(
    join(temporaryFolder(t), 'test.db'),
    ({ staff }) => {
      assert.match(why(staff.add('', 'staff')), /name must not be empty/)
      assert.match(why(staff.add(' \t', 'staff')), /name must not be empty/)
      assert.match(why(staff.add('x'.repeat(81), 'staff')), /at most 80 characters/)
      assert.match(why(staff.add('An\0a', 'staff')), /cannot be stored/)
      assert.equal(why(staff.add('🍕'.repeat(80), 'staff')), 'done', 'characters are code points')
      assert.equal(why(staff.add(' Zoë ', 'owner')), 'done')
      assert.match(why(staff.add('ZOË', 'staff')), /Zoë already works here/)
      assert.deepEqual(
        staff.list().map(({ name, role, endedAt }) => [name, role, endedAt]),
        [
          ['Zoë', 'owner', null],
          ['🍕'.repeat(80), 'staff', null],
        ],
      )
    },
    { create: true },
  )
})

test('one who leaves keeps the name, which somebody else can have then', t => {
  withStore(
    join(temporaryFolder(t), 'test.db'),
    ({ staff, activity }) => {
      staff.add('Ana', 'manager')
      assert.match(why(staff.end('Ben')), /Nobody called Ben works here/)
      assert.equal(why(staff.end('ana ')), 'done')
      assert.match(why(staff.end('Ana')), /Nobody called Ana works here/)
      assert.equal(why(staff.add('Ana', 'staff')), 'done')
      const [now, before] = staff.list()
      assert.deepEqual([now?.id, now?.role, now?.endedAt], [2, 'staff', null])
      assert.deepEqual([before?.id, before?.name, before?.role], [1, 'Ana', 'manager'])
      assert.ok(before?.endedAt)
      assert.deepEqual(
        activity({}, 10).map(({ what, subject }) => `${what}: ${subject}`),
        ['staff added: staff 2 Ana', 'staff ended: staff 1 Ana', 'staff added: staff 1 Ana'],
      )
    },
    { create: true },
  )
})
