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
      ['durability.test.ts', 'while the disk fails, orders get 500 ORDER_FAILED and leave nothing'],
      [
        'faults/full-disk.test.ts',
        'orders get 500 ORDER_FAILED and leave nothing, menus are served, and orders are accepted once there is space',
      ],
    ],
    'I/O errors': [
      ['durability.test.ts', 'an error while writing an order gives that order alone 500 ORDER_FAILED'],
      ['faults/disk-errors.test.ts', 'fails, exactly the orders that got 201 are in the file'],
    ],
    'locked database': [
      ['durability.test.ts', 'an order that waits too long for another process gets 500 ORDER_FAILED'],
      ['faults/locked.test.ts', 'while another process locks the file for 10 s'],
    ],
  },
  58: {
    'SIGTERM during a request': [
      ['answers.test.ts', 'a server that shuts down completes requests in flight, refuses later ones'],
      ['faults/stop.test.ts', 'a signal under load ends the process with 0 once every created order has its response'],
    ],
  },
  59: {
    'kill -9 at any moment under load': [
      ['durability.test.ts', 'after kill -9 under load, every order that got 201 is in the file'],
      ['faults/kill.test.ts', 'after each of 50 kill -9 under load on one file, no acknowledged order is lost'],
    ],
  },
  60: {
    'power loss at any fsync': [
      ['durability.test.ts', 'on one connection, every order is synced to the disk before its response'],
      ['faults/power-cut.test.ts', 'a power cut during a night of orders'],
    ],
  },
}

const folder = join(root, 'test')

test('docs/bad-input.md has rows 1 to 63, each with inputs of different names and an answer', () => {
  assert.deepEqual(
    [...rows.keys()],
    Array.from({ length: 63 }, (_, index) => index + 1),
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
