import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { rows } from './support/bad-input.ts'
import { root } from './support/folders.ts'

/**
 * The inputs that are faults of the machine, and the tests that hold each: a file, and a part of the test's title. The quick
 * ones run with the other tests, those in faults/ with `npm run faults`.
 */
const faults: Record<number, Record<string, [file: string, title: string][]>> = {
  57: {
    full: [
      ['durability.test.ts', 'when the disk fails, orders get 500 ORDER_FAILED and leave nothing'],
      [
        'faults/full-disk.test.ts',
        'orders get 500 ORDER_FAILED and leave nothing, menus are served, and with some room',
      ],
    ],
    'I/O errors': [
      ['durability.test.ts', 'a fault while writing an order gets it alone 500 ORDER_FAILED'],
      ['faults/disk-errors.test.ts', 'fails for a while, as guests order: what was answered 201 is in the file'],
    ],
    'locked database': [
      ['durability.test.ts', 'an order that waited too long for another process gets 500 ORDER_FAILED'],
      ['faults/locked.test.ts', 'a file that another process locks for 10 s'],
    ],
  },
  58: {
    'SIGTERM during a request': [
      ['answers.test.ts', 'a server that shuts down answers what is in flight, refuses what comes after'],
      ['faults/stop.test.ts', 'a signal under load: what was created was answered, the process ends with 0'],
    ],
  },
  59: {
    'kill -9 at any moment under load': [
      ['durability.test.ts', 'after kill -9 under load every order that was answered 201 is there'],
      ['faults/kill.test.ts', 'kill -9 under load, 50 times on one file: nothing that was answered is lost'],
    ],
  },
  60: {
    'power loss at any fsync': [
      ['durability.test.ts', 'every order at one connection is synced to the disk before its answer'],
      ['faults/power-cut.test.ts', 'the power fails in a night of orders'],
    ],
  },
}

const folder = join(root, 'test')

test('docs/bad-input.md has rows 1 to 62, each with inputs of different names and an answer', () => {
  assert.deepEqual(
    [...rows.keys()],
    Array.from({ length: 62 }, (_, index) => index + 1),
  )
  for (const { number, inputs } of rows.values()) {
    assert.equal(new Set(inputs).size, inputs.length, `row ${number} has an input twice`)
    assert.ok(
      inputs.every(name => name !== ''),
      `row ${number} has an input without a name`,
    )
  }
})

test('every row of docs/bad-input.md is held by exactly one test, and no test names another row', () => {
  const sources = readdirSync(folder).filter(name => name.endsWith('.test.ts'))
  const held = sources.flatMap(name =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/^row\(\s*(\d+),/gm)].map(match => Number(match[1])),
  )
  const all = [...held, ...Object.keys(faults).map(Number)].sort((a, b) => a - b)
  assert.deepEqual(all, [...rows.keys()])
})

test('every fault of the machine in docs/bad-input.md is held by the tests that are named for it', () => {
  for (const [number, named] of Object.entries(faults)) {
    assert.deepEqual(Object.keys(named), rows.get(Number(number))?.inputs, `the inputs of row ${number}`)
    for (const [file, title] of Object.values(named).flat()) {
      const tests = readFileSync(join(folder, file), 'utf8').split(/^ *test\(\s*/m)
      const titles = tests.slice(1).map(source => source.split('\n', 1)[0] ?? '')
      const found = titles.filter(line => line.includes(title))
      assert.equal(found.length, 1, `${file} has not exactly one test with "${title}" in its title`)
    }
  }
})
