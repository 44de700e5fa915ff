import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import test from 'node:test'
import { root } from './support/folders.ts'

/** The layers, from the outside in. Each may import itself and what stands after it. */
const layers = [
  ['server.ts', 'cli.ts'],
  ['commands', 'routes', 'configuration.ts'],
  ['examples'],
  ['writer', 'reader'],
  ['display'],
  ['webhooks'],
  ['store'],
]

const sources = layers.flat().flatMap(filesIn)

function filesIn(path: string): string[] {
  if (path.endsWith('.ts')) return [path]
  try {
    const entries = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    return entries.filter(entry => entry.endsWith('.ts')).map(entry => join(path, entry))
  } catch {
    return []
  }
}

function layerOf(path: string): number {
  return layers.findIndex(layer => layer.some(name => path === name || path.startsWith(`${name}/`)))
}

/** What a file imports, statically, dynamically or for its types alone. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  const found = source.matchAll(/(?:^(?:import|export)\s[^'"]*?from |^import |\bimport\(\s*)['"]([^'"]+)['"]/gm)
  return [...found].map(match => match[1] as string)
}

function targetsOf(file: string): string[] {
  const local = importsOf(file).filter(name => name.startsWith('.'))
  return local.map(name => relative('.', join(dirname(file), name)))
}

function folderOf(file: string): string {
  return dirname(file) === '.' ? file : dirname(file)
}

test('imports run one way: server and cli, commands and routes, examples, writer and reader, display, webhooks, store', () => {
  assert.ok(sources.length > 20)
  for (const file of sources) {
    for (const target of targetsOf(file)) {
      assert.ok(layerOf(target) >= layerOf(file), `${file} imports ${target}`)
    }
  }
})

test('commands and routes do not import each other', () => {
  for (const file of sources) {
    for (const target of targetsOf(file)) {
      assert.ok(!(file.startsWith('commands/') && target.startsWith('routes/')), `${file} imports ${target}`)
      assert.ok(!(file.startsWith('routes/') && target.startsWith('commands/')), `${file} imports ${target}`)
    }
  }
})

test('no folder imports itself through others, not even by dynamic imports', () => {
  const edges = new Map<string, Set<string>>()
  for (const file of sources) {
    for (const target of targetsOf(file)) {
      if (folderOf(target) === folderOf(file)) continue
      edges.set(folderOf(file), (edges.get(folderOf(file)) ?? new Set()).add(folderOf(target)))
    }
  }
  function pathBack(from: string, to: string, visited: Set<string>): string[] | undefined {
    for (const next of edges.get(from) ?? []) {
      if (next === to) return [from, to]
      if (visited.has(next)) continue
      visited.add(next)
      const rest = pathBack(next, to, visited)
      if (rest) return [from, ...rest]
    }
    return undefined
  }
  for (const folder of edges.keys()) {
    const circle = pathBack(folder, folder, new Set())
    assert.equal(circle, undefined, circle?.join(' → '))
  }
})

test('only the store imports the database driver, and only through one file; the store never imports HTTP', () => {
  for (const file of sources) {
    const names = importsOf(file)
    if (file !== 'store/file/driver.ts') assert.ok(!names.includes('better-sqlite3'), file)
    assert.ok(file.startsWith('store/') || !names.some(name => name.endsWith('file/driver.ts')), file)
    if (file.startsWith('store/')) assert.ok(!names.some(name => /^node:(http|https|http2|net|tls)$/.test(name)), file)
  }
})

test('no statement is iterated, because the driver does not keep iterators from being collected', () => {
  for (const file of sources) assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /\.iterate\(/, file)
})

test('only the reply writes to a response', () => {
  for (const file of sources.filter(name => name !== 'routes/http/reply.ts' && !name.startsWith('examples/'))) {
    const source = readFileSync(join(root, file), 'utf8')
    assert.doesNotMatch(source, /response\.(end|write|writeHead|setHeader)\(/, file)
  }
})

test('nothing but tests and benches needs a development package', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const file of sources) {
    const packages = importsOf(file).filter(name => !name.startsWith('.') && !name.startsWith('node:'))
    for (const name of packages) assert.ok(Object.hasOwn(dependencies, name), `${file} imports ${name}`)
  }
})

test('the bundler is exactly the one that tsx brings, so that it is installed once', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const copies = Object.keys(lock.packages).filter(path => path.endsWith('node_modules/esbuild'))
  assert.deepEqual(copies, ['node_modules/esbuild'])
})

test('style sheets use logical properties, so that pages can be mirrored', () => {
  const folder = join(root, 'browser/style')
  for (const name of readdirSync(folder)) {
    const sheet = readFileSync(join(folder, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    assert.doesNotMatch(sheet, /\b(left|right)\b(?!\))/, name)
    assert.doesNotMatch(sheet, /(?<![-\w])(width|height|top|bottom)\s*:/, name)
  }
})
