import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { flawsOf, startAbusedServer } from '../bench/abuse/abused-server.ts'
import { abuses } from '../bench/abuse/inputs.ts'
import { temporaryFolder } from './support/folders.ts'

// A fiftieth of what `npm run bench:abuse` does, without what takes long. The bounds are wide, because the machine may be
// busy with other tests: here it counts that nothing is kept, and that everything is answered as it should be.
const SCALE = 0.02
const bounds = { memory: 256, memoryKept: 160, longestMs: 20_000 }

const skip = existsSync('/proc/self/clear_refs') ? false : 'what a process holds is read from /proc, which is not here'

test('while one client abuses the server, others are served, and memory, descriptors and the log stay within bounds', {
  skip,
}, async t => {
  const server = await startAbusedServer(join(temporaryFolder(t), 'abuse.db'), 100)
  t.after(server.kill)
  for (const abuse of abuses.filter(({ isSlow }) => !isSlow)) {
    await t.test(`rows ${abuse.rows}: ${abuse.what}`, async () => {
      assert.deepEqual(flawsOf(abuse, await server.suffer(abuse, SCALE), bounds), [])
    })
  }
  assert.equal(await server.end(), 0)
})
