import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { openStore } from '../../../store/store.ts'
import { systemClock } from '../../../store/terms/clock.ts'
import { order } from '../../support/arbitraries.ts'
import { temporaryFolder } from '../../support/folders.ts'
import type { RestaurantFile } from '../../support/independent-calculation.ts'
import { holdsForAll } from '../../support/property.ts'
import { importInto } from '../../support/shop.ts'
import { smallRestaurant } from '../../support/small-restaurant.ts'
import { type Run, runCommandLine } from '../command-line.ts'
import { type CommandLine, commandLine } from '../command-lines.ts'
import { shown as printed } from '../line.ts'
import { assertMixed, splitOf } from '../shop.ts'
import { traces } from '../traces.ts'

/** A restaurant with a kitchen and some stock. */
const shown = smallRestaurant({
  stations: [
    { id: 1, title: 'Grill', is_default: true },
    { id: 2, title: 'Bar' },
  ],
  routing: [{ id: 1, item: 4, stations: [2] }],
  stock: [
    {
      id: 1,
      title: 'Bread',
      on_hand: 500,
      low_at: 5,
      recipe: [
        { item: 1, qty: 1 },
        { modifier: 1, qty: 0.25 },
      ],
    },
  ],
}) as RestaurantFile

/** Each command line ends with an answer, a refusal or the usage, to read or to parse, and leaves the books in order. */
export async function commandLines(t: TestContext): Promise<void> {
  const folder = temporaryFolder(t)
  const stoodIn = process.cwd()
  // Backups are written to where a person stands.
  process.chdir(folder)
  t.after(() => process.chdir(stoodIn))
  const file = join(folder, 'test.db')
  importInto(file, shown)
  for (const good of fc.sample(order(shown), { numRuns: 6, seed: 1 })) {
    await runCommandLine(file, ['place', '--file', '-', '--source', 'pos'], Buffer.from(JSON.stringify(good)))
  }
  const store = openStore(file, { clock: systemClock, create: false, busyMs: 5000 })
  t.after(store.close)
  const seen = traces(t, { file })
  const ends = new Map<string, number>()
  const count = { lines: 0, placed: 0, notPlaced: 0, edited: 0, notEdited: 0 }

  const sessions = fc.array(commandLine(shown), { minLength: 1, maxLength: 4 })
  const runs = await holdsForAll(sessions, 30, async session => {
    for (const typed of session) {
      const before = seen.lastOrder()
      const run = await runCommandLine(file, typed.words, typed.input)
      const told = () => `${JSON.stringify(typed.words)} < ${printed(typed.input)}\n${JSON.stringify(run)}`
      assertReadable(typed, run, told)
      count.lines++
      ends.set(`exit ${run.code}`, (ends.get(`exit ${run.code}`) ?? 0) + 1)

      const isDone = run.code === 0 && !typed.words.includes('--help')
      const isPlaced = typed.words.includes('place') && isDone
      assert.equal(seen.lastOrder() - before, Number(isPlaced), told())
      if (typed.words[0] === 'place') count[isPlaced ? 'placed' : 'notPlaced']++
      if (typed.words[0] === 'edit') count[isDone ? 'edited' : 'notEdited']++
    }
    assert.deepEqual(store.audit.newest(50), [])
  })
  const disagreeing = store.health().problems.filter(({ pointer }) => pointer !== '/disk')
  assert.deepEqual([...disagreeing, ...store.audit.all()], [])
  t.diagnostic(
    `${runs} sessions, ${count.lines} command lines: ${splitOf(ends)}; ${count.placed} orders placed and ` +
      `${count.notPlaced} refused, ${count.edited} edits made and ${count.notEdited} refused`,
  )
  assertMixed(ends.get('exit 0') ?? 0, count.lines)
}

/** Fails unless a command line ended as people and scripts expect it, with nothing that a terminal would obey. */
function assertReadable({ words, input }: CommandLine, { code, stdout, stderr }: Run, told: () => string): void {
  const all = stdout + stderr
  assert.ok(code === 0 || code === 1 || code === 2, told())
  assert.doesNotMatch(all, /\n\s+at .*(file:|node:)|SQLITE_/, told())
  const isClumsy = (text: string) => /undefined|NaN|\[object/.test(text)
  assert.ok(!isClumsy(all) || isClumsy(`${words} ${input}`), told())
  if (code !== 0) assert.notEqual(stderr.trim(), '', told())

  const isUsage = code === 2 || words.includes('--help') || words.includes('help')
  if (isUsage) return
  if (words.includes('--json') && !words.includes('--')) assert.doesNotThrow(() => JSON.parse(stdout), told())
  else assert.doesNotMatch(all, /(?![\r\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u, told())
}
