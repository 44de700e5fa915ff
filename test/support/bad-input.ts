// The rows of docs/bad-input.md, and the tests for them.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { root } from './folders.ts'

/** One row of docs/bad-input.md. */
export interface Row {
  number: number
  /** The names of its inputs, as in the page but without backquotes. */
  inputs: string[]
  refusals: Refusal[]
}

/** How a request is refused. */
export interface Refusal {
  status: number
  code: string
  /** The connection is closed after the response, whether or not the response says so. */
  isLast: boolean
}

/** The rows of the page by number. */
export const rows: ReadonlyMap<number, Row> = readRows(readFileSync(join(root, 'docs/bad-input.md'), 'utf8'))

function readRows(page: string): Map<number, Row> {
  const lines = page.matchAll(/^\| (\d+) \| .+? \| (.+?) \| (.+?) \|$/gm)
  return new Map(
    [...lines].map(([, number = '', input = '', answer = '']) => [
      Number(number),
      {
        number: Number(number),
        inputs: input.replaceAll('`', '').split(' · '),
        refusals: [...answer.matchAll(/`(\d{3}) ([A-Z_]+)`([^`]*)/g)].map(([, status, code = '', after = '']) => ({
          status: Number(status),
          code,
          isLast: after.includes('closed'),
        })),
      },
    ]),
  )
}

/** A row while its test runs. */
export interface HeldRow {
  /** Tries one input of the row, by its name on the page. An input may be tried in several ways. */
  input(name: string, act: (t: TestContext) => Promise<void> | void): Promise<void>
  /** The refusal in the row's response, or the one with this code if there are several. */
  refusal(code?: string): Refusal
}

/**
 * The test of a row of docs/bad-input.md. It fails if an input of the row was not tried, or if an input is tried that the row
 * does not have.
 */
export function row(number: number, title: string, hold: (t: TestContext, row: HeldRow) => Promise<void>): void {
  const found = rows.get(number)
  if (!found) throw new Error(`docs/bad-input.md has no row ${number}`)
  const { inputs, refusals } = found
  test(`row ${number}: ${title}`, async t => {
    const untried = new Set(inputs)
    await hold(t, {
      async input(name, act) {
        assert.ok(inputs.includes(name), `docs/bad-input.md has no input "${name}" in row ${number}`)
        untried.delete(name)
        await t.test(name, act)
      },
      refusal(code) {
        const [refusal, other] = code === undefined ? refusals : refusals.filter(each => each.code === code)
        assert.ok(refusal && !other, `docs/bad-input.md has not exactly one such refusal in row ${number}`)
        return refusal
      },
    })
    assert.deepEqual([...untried], [], 'inputs of the row that were not tried')
  })
}
