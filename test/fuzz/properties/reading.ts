import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { RestaurantFile } from '../../support/independent-calculation.ts'
import { holdsForAll } from '../../support/property.ts'
import { smallRestaurant } from '../../support/small-restaurant.ts'
import { api, getOf } from '../../support/wire.ts'
import { assertDescribed, assertRefusal } from '../answers.ts'
import { type Heard, shown } from '../line.ts'
import { read } from '../reads.ts'
import { assertMixed, assertUntroubled, FRIDAY_EVENING, openFuzzed, splitOf } from '../shop.ts'
import { type Known, readStrictly, START_PAGE } from '../strict-reader.ts'

/** Without the token nothing is read, and with it the same by everybody: compressed, known already or neither. */
export async function reading(t: TestContext): Promise<void> {
  const { shop, seen, caller } = await openFuzzed(t)
  const known: Known = { restaurant: smallRestaurant() as RestaurantFile, token: shop.token, instant: FRIDAY_EVENING }
  const guest = caller()
  const plain = new Map<string, Buffer>()
  const etags: string[] = []
  for (const path of [`${api}/locations`, `${api}/locations/1/menu`]) {
    for (const coding of ['identity', 'gzip']) {
      const request = getOf(shop, path, { headers: [`Accept-Encoding: ${coding}`] })
      const answer = await guest.ask(request, { method: 'GET' })
      assert.equal(answer?.status, 200)
      etags.push(answer.headers.etag ?? '')
      if (coding === 'identity') plain.set(path, answer.bytes)
    }
  }
  const ends = new Map<number, number>()
  let requests = 0

  const reads = fc.array(read(shop.token, etags), { minLength: 1, maxLength: 60, size: 'max' })
  const runs = await holdsForAll(reads, 20, async wanted => {
    const before = seen.version()
    for (const { method, target, headers } of wanted) {
      const request = Buffer.from(`${[`${method} ${target} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`, 'latin1')
      const { asked, refusals } = readStrictly(request, known)
      const [understood] = asked
      // What is no request is refused with a body, whatever its first word is.
      const answer = await guest.ask(request, { method: understood ? method : 'GET' })
      const told = () => `${answer?.status} to ${shown(request)}`
      assert.ok(answer && (understood?.due ?? refusals).includes(answer.status), told())
      requests++
      ends.set(answer.status, (ends.get(answer.status) ?? 0) + 1)
      if (!understood) {
        assertRefusal(answer)
        continue
      }
      if (understood.path === START_PAGE) continue
      assertDescribed(method, understood.path, { ...answer, bytes: decoded(answer) })
      const identity = plain.get(understood.path)
      if (identity && (answer.status === 200 || answer.status === 304)) {
        const isKnown = headers.some(header => namesOne(header, etags, answer.headers.etag))
        assert.equal(answer.status, isKnown ? 304 : 200, told())
        const body = isKnown || method === 'HEAD' ? Buffer.alloc(0) : identity
        assert.deepEqual(decoded(answer), body, told())
        if (answer.headers['content-encoding']) assert.ok(headers.some(wantsGzip), told())
      }
    }
    assert.equal(seen.version(), before, 'reading leaves the file alone')
    await setImmediate()
    assertUntroubled(shop)
  })
  t.diagnostic(`${runs} runs, ${requests} requests: ${splitOf(ends)}`)
  assertMixed((ends.get(200) ?? 0) + (ends.get(304) ?? 0), requests)
}

/** Whether a header may be one of those that ask for a compressed answer. */
const wantsGzip = (header: string): boolean => /^Accept-Encoding: .*(gzip|\*)/i.test(header)

/** The body of an answer as it was before it was compressed. */
function decoded({ headers, bytes }: Heard): Buffer {
  if (headers['content-encoding'] === undefined || bytes.length === 0) return bytes
  assert.equal(headers['content-encoding'], 'gzip')
  return gunzipSync(bytes)
}

/** Whether a header is an If-None-Match that names the answer with this ETag, in either of its codings. */
function namesOne(header: string, etags: readonly string[], etag = ''): boolean {
  if (!header.startsWith('If-None-Match:')) return false
  const plain = etag.replace('-gzip"', '"')
  const own = etags.filter(each => each.replace('-gzip"', '"') === plain)
  const named = header
    .slice(header.indexOf(':') + 1)
    .split(',')
    .map(each => each.trim())
  return named.some(each => each === '*' || own.includes(each.replace(/^W\//, '')))
}
