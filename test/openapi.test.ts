import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createConfig, lint } from '@redocly/openapi-core'
import {
  assertMatches,
  describedErrors,
  descriptionFile,
  examples,
  operations,
  schemaFaults,
} from './support/openapi.ts'

describe('the API description', () => {
  test('passes the linter', async () => {
    // The recommended rules as they are, none switched off, and a few more that make the page complete.
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        'operation-description': 'error',
        'operation-tag-defined': 'error',
        'parameter-description': 'error',
        'path-http-verbs-order': 'error',
        'response-contains-header': { severity: 'error', names: requestIdOn(['2XX', '3XX', '4XX', '5XX']) },
      },
    })
    const all = await lint({ ref: descriptionFile, config })
    // What a receiver of webhooks answers is not ours, and carries no request id.
    const problems = all.filter(({ location }) => location[0]?.pointer !== '#/components/responses/Received/headers')
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`),
      [],
    )
  })

  test('has only examples that match their schema, without additional fields', () => {
    const all = [...examples()]
    assert.ok(all.length > 80, `only ${all.length} examples found`)
    assert.deepEqual(
      all.flatMap(({ pointer, schema, value }) => schemaFaults(schema, value).map(fault => `${pointer}: ${fault}`)),
      [],
    )
  })

  test('describes every error of section 7 with its status, code and title', () => {
    const table = tableRows('contract.md', /^\| (\d{3}) \| ([A-Z_]+) \| (.+?) \|/gm)
    assert.equal(table.length, 7)
    for (const [status, code, title] of table) {
      assert.ok(
        errors().some(error => error.status === status && error.code === code && error.title === title),
        `${status} ${code} "${title}" has no example`,
      )
    }
  })

  test('describes every title of a refused order, with a pointer where the decision gives one', () => {
    const table = tableRows(
      'contract-decisions.md',
      /^ {2}\| ([A-Z].+?\.)(?: \(the contract's\))? \| .+ \| (.+?) \|$/gm,
    )
    assert.equal(table.length, 15)
    for (const [title, pointer] of table) {
      const described = errors().find(error => error.status === '400' && error.title === title)
      assert.equal(described?.code, 'INVALID_ORDER', `"${title}" has no example`)
      assert.equal(described.fields.includes('source'), pointer !== 'none', title)
    }
  })

  test('describes every code of decision A4 under its status', () => {
    const [, text = ''] = /\*\*A4 [^*]+\*\*(.*?)- \*\*A5/s.exec(page('contract-decisions.md')) ?? []
    const codes = [...text.matchAll(/(\d{3}) ([A-Z]+_[A-Z_]+)/g)]
    assert.equal(codes.length, 12)
    for (const [, status, code] of codes) {
      assert.ok(
        errors().some(error => error.status === status && error.code === code),
        `${status} ${code} has no example`,
      )
    }
  })

  test('describes HEAD wherever it describes GET, and OPTIONS everywhere', () => {
    for (const path of new Set(operations().map(operation => operation.path))) {
      const methods = operations().flatMap(operation => (operation.path === path ? [operation.method] : []))
      assert.equal(methods.includes('head'), methods.includes('get'), path)
      assert.ok(methods.includes('options'), path)
    }
  })
})

describe('comparing a response with the API description', () => {
  const json = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r1' }
  const prepared = { ...json, etag: '"a"', 'cache-control': 'no-cache', vary: 'Accept-Encoding' }
  const refusal = (code: string, title: string, more = {}) => ({ errors: [{ title, code, ...more }] })
  const menu = '/shop/api/index.php/v1/restaurant/locations/1/menu?x=1'
  const emptyMenu = { data: { location_id: 1, categories: [], languages: [] } }

  test('accepts a response as described', () => {
    assertMatches(menu, 'GET', 200, prepared, emptyMenu)
    assertMatches(menu, 'GET', 200, new Headers(prepared), JSON.stringify(emptyMenu))
    assertMatches('/v1/restaurant/locations/{locationId}/menu', 'HEAD', 200, prepared, Buffer.alloc(0))
    assertMatches('/v1/restaurant/locations', 'OPTIONS', 204, { ...json, allow: 'GET, HEAD, OPTIONS' }, '')
    assertMatches('/healthz', 'GET', 200, { ...json, 'cache-control': 'no-store' }, { status: 'ok' })
    assertMatches('/nope', 'GET', 404, json, refusal('NOT_FOUND', 'There is nothing at this address.'))
    assertMatches(
      '/v1/restaurant/orders',
      'POST',
      429,
      { ...json, 'retry-after': '17' },
      refusal('RATE_LIMITED', 'Too many orders from this address. Try again shortly.'),
    )
  })

  const refused: [what: string, message: RegExp, ...answer: Parameters<typeof assertMatches>][] = [
    [
      'a missing field',
      /\/data must have required property 'categories'/,
      menu,
      'GET',
      200,
      prepared,
      { data: { location_id: 1 } },
    ],
    [
      'a field of the wrong type',
      /\/data\/location_id must be integer/,
      menu,
      'GET',
      200,
      prepared,
      { data: { location_id: '1', categories: [], languages: [] } },
    ],
    [
      'a field that is not described',
      /additionalProperty":"colour/,
      menu,
      'GET',
      200,
      prepared,
      { data: { ...emptyMenu.data, colour: 'red' } },
    ],
    ['a missing header', /header ETag is missing/, menu, 'GET', 200, { ...prepared, etag: undefined }, emptyMenu],
    ['a weak ETag', /header ETag \(W\/"a"\)/, menu, 'GET', 200, { ...prepared, etag: 'W/"a"' }, emptyMenu],
    [
      'a CORS header',
      /access-control-allow-origin must not be there/,
      menu,
      'GET',
      200,
      { ...prepared, 'access-control-allow-origin': '*' },
      emptyMenu,
    ],
    [
      'a wrong content type',
      /content-type must be application\/json, not text\/html/,
      menu,
      'GET',
      200,
      { ...prepared, 'content-type': 'text/html' },
      emptyMenu,
    ],
    ['a body that is not JSON', /the value must be object/, menu, 'GET', 200, prepared, 'oops'],
    ['a body after HEAD', /must not be a body/, menu, 'HEAD', 200, prepared, emptyMenu],
    ['a body with 304', /must not be a body/, menu, 'GET', 304, prepared, emptyMenu],
    ['a status that is not described', /status is not described/, menu, 'GET', 204, prepared, ''],
    [
      'success on a path that is not described',
      /path is not described, so it must not be found/,
      '/nope',
      'GET',
      200,
      json,
      {},
    ],
    ['success for a method that is not described', /must be refused/, menu, 'DELETE', 200, json, {}],
    [
      'an incomplete Allow header',
      /names GET, HEAD, but the path has GET, HEAD, OPTIONS/,
      menu,
      'DELETE',
      405,
      { ...json, allow: 'GET, HEAD' },
      refusal('METHOD_NOT_ALLOWED', 'This method is not allowed here.'),
    ],
    [
      'a Retry-After that is not a whole number',
      /header Retry-After \(1\.5\)/,
      '/v1/restaurant/orders',
      'POST',
      429,
      { ...json, 'retry-after': '1.5' },
      refusal('RATE_LIMITED', 'Too many orders from this address. Try again shortly.'),
    ],
    [
      'a wrong title',
      /no example of this status has the code INVALID_TOKEN with the title Nope/,
      menu,
      'GET',
      401,
      { ...json, 'www-authenticate': 'Bearer' },
      refusal('INVALID_TOKEN', 'Nope'),
    ],
    [
      'a code under another status',
      /no example of this status has the code NOT_FOUND/,
      menu,
      'GET',
      403,
      json,
      refusal('NOT_FOUND', 'There is nothing at this address.'),
    ],
    [
      'a pointer where none belongs',
      /has the fields code, source, title; its example has code, title/,
      menu,
      'GET',
      404,
      json,
      refusal('UNKNOWN_LOCATION', 'Unknown location', { source: { pointer: '/a' } }),
    ],
    [
      'a pointer that is missing',
      /has the fields code, title; its example has code, source, title/,
      '/v1/restaurant/orders',
      'POST',
      400,
      json,
      refusal('INVALID_ORDER', 'The order has no items.'),
    ],
  ]
  for (const [what, message, ...answer] of refused) {
    test(`reports ${what}`, () => {
      assert.throws(() => assertMatches(...answer), { name: 'AssertionError', message })
    })
  }
})

function requestIdOn(statuses: string[]): Record<string, string[]> {
  return Object.fromEntries(statuses.map(status => [status, ['x-request-id']]))
}

function errors() {
  return operations().flatMap(({ responses }) =>
    [...responses].flatMap(([status, response]) => describedErrors(response).map(error => ({ status, ...error }))),
  )
}

function page(name: string): string {
  return readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')
}

function tableRows(name: string, row: RegExp): string[][] {
  return [...page(name).matchAll(row)].map(([, ...cells]) => cells)
}
