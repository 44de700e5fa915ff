import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import test from 'node:test'
import { root } from './harness.ts'

/** The rooms of the house, from the outside in. Each may use itself and what stands after it. */
const rooms = [['server.ts', 'cli.ts'], ['commands'], ['routes'], ['webhooks'], ['store']]

const sources = ['server.ts', 'cli.ts', 'commands', 'routes', 'webhooks', 'store'].flatMap(filesIn)

function filesIn(path: string): string[] {
  if (path.endsWith('.ts')) return [path]
  try {
    const entries = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    return entries.filter(entry => entry.endsWith('.ts')).map(entry => join(path, entry))
  } catch {
    return []
  }
}

function roomOf(path: string): number {
  return rooms.findIndex(room => room.some(name => path === name || path.startsWith(`${name}/`)))
}

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(/^(?:import|export)\s[^'"]*?from '([^']+)'/gm)].map(match => match[1] as string)
}

test('imports run one way: server and cli, commands, routes, webhooks, store', () => {
  assert.ok(sources.length > 20)
  for (const file of sources) {
    for (const name of importsOf(file).filter(each => each.startsWith('.'))) {
      const target = relative('.', join(dirname(file), name))
      assert.ok(roomOf(target) >= roomOf(file), `${file} imports ${target}`)
    }
  }
})

test('only the store touches the database driver, and by one way; the store never touches HTTP', () => {
  for (const file of sources) {
    const names = importsOf(file)
    if (file !== 'store/driver.ts') assert.ok(!names.includes('better-sqlite3'), file)
    assert.ok(file.startsWith('store/') || !names.some(name => name.endsWith('store/driver.ts')), file)
    if (file.startsWith('store/')) assert.ok(!names.some(name => /^node:(http|https|http2|net|tls)$/.test(name)), file)
  }
})

test('a statement is never iterated: unlike statements, iterators of the driver are not kept from being collected', () => {
  for (const file of sources) assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /\.iterate\(/, file)
})

test('only what answers requests writes to a response', () => {
  for (const file of sources.filter(name => name !== 'routes/reply.ts')) {
    const source = readFileSync(join(root, file), 'utf8')
    assert.doesNotMatch(source, /response\.(end|write|writeHead|setHeader)\(/, file)
  }
})
