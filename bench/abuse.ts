import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bounds, type Cost, flawsOf, startAbusedServer } from './abuse/abused-server.ts'
import { type Abuse, abuses } from './abuse/inputs.ts'

// Sends each input of docs/bad-input.md thousands of times to a server in its own process, and measures the cost: memory, file
// descriptors, lines in the log, and how long another client waits for an order meanwhile. Ends with exit code 1 if anything is
// out of bounds. An argument selects the inputs with that text in their description.

const bounds: Bounds = { memory: 64, memoryKept: 32, longestMs: 5000 }

// MiB at the very end, above the memory before the first abuse: what the allocator keeps after 500 bodies of 256 KiB, and the
// state of 50,000 addresses.
const MOST_KEPT = 176

const [only = ''] = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))
mkdirSync(join(root, 'data'), { recursive: true })
const folder = mkdtempSync(join(root, 'data', 'abuse-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const server = await startAbusedServer(join(folder, 'abuse.db'), 500)
process.on('exit', server.kill)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const columns: [title: string, cell: (abuse: Abuse, cost: Cost) => string | number][] = [
  ['rows', ({ rows }) => rows],
  ['input', ({ what }) => what],
  ['answers', (_, { tally }) => [...tally].map(([status, count]) => `${count} × ${status}`).join(', ')],
  ['seconds', (_, { seconds }) => seconds.toFixed(1)],
  ['MiB more', (_, { memory }) => Math.round(memory)],
  ['kept', (_, { memoryKept }) => Math.round(memoryKept)],
  ['descriptors more', (_, { descriptors }) => descriptors],
  ['kept', (_, { descriptorsKept }) => descriptorsKept],
  ['lines logged', (_, { lines }) => lines],
  ['orders meanwhile', (_, { orders }) => orders],
  ['longest ms', (_, { longestMs }) => Math.round(longestMs)],
]
const showRow = (cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)

const { idle } = server
console.log(`The idle server holds ${Math.round(idle.rss)} MiB and ${idle.descriptors} file descriptors.\n`)
showRow(columns.map(([title]) => title))
showRow(columns.map((_, index) => (index < 3 ? '---' : '---:')))

const flaws: string[] = []
for (const abuse of abuses.filter(({ what }) => what.includes(only))) {
  const cost = await server.suffer(abuse, 1)
  showRow(columns.map(([, cell]) => cell(abuse, cost)))
  for (const flaw of flawsOf(abuse, cost, bounds)) flaws.push(`rows ${abuse.rows}, ${abuse.what}: ${flaw}`)
}

const kept = Math.round(server.vitals().rss - idle.rss)
console.log(`\nIn the end it holds ${kept} MiB more than in the beginning.`)
if (kept > MOST_KEPT) flaws.push(`${kept} MiB were kept in all`)
const code = await server.end()
if (code !== 0) flaws.push(`the server ended with ${code}`)
console.log(flaws.length === 0 ? 'All is within bounds.' : flaws.map(flaw => `\n**Out of bounds:** ${flaw}.`).join(''))
process.exitCode = flaws.length === 0 ? 0 : 1
