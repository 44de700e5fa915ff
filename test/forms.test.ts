import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseForm } from '../routes/http/body.ts'

const fieldsOf = (text: string | Buffer) => {
  const form = parseForm(Buffer.from(text))
  return form && [...form]
}

test('a form gives its fields in order, decoded, with repeated names kept', () => {
  assert.deepEqual(fieldsOf('name=Ana+Jalape%C3%B1o&item=1&item=2&note=a%26b%3Dc%2B&empty=&alone'), [
    ['name', 'Ana Jalapeño'],
    ['item', '1'],
    ['item', '2'],
    ['note', 'a&b=c+'],
    ['empty', ''],
    ['alone', ''],
  ])
  assert.deepEqual(fieldsOf(''), [])
  assert.deepEqual(fieldsOf('__proto__=1&constructor=2'), [
    ['__proto__', '1'],
    ['constructor', '2'],
  ])
})

test('a form is refused when an escape is malformed or is not UTF-8', () => {
  for (const text of ['a=%', 'a=%zz', 'a=%c3', 'a=%c0%af', 'a=%ed%a0%80', Buffer.from('a=\xff', 'latin1')]) {
    assert.equal(fieldsOf(text), undefined, String(text))
  }
})

test('a form has at most 1,000 fields', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, index) => `field=${index}`).join('&')
  assert.equal(fieldsOf(fields(1000))?.length, 1000)
  assert.equal(fieldsOf(fields(1001)), undefined)
  assert.equal(fieldsOf('&'.repeat(200_000)), undefined)
})
