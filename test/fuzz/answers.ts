import assert from 'node:assert/strict'
import { assertMatches, describedErrors, operations } from '../support/openapi.ts'
import { bodyOf, type Heard, headersOf } from './line.ts'

/** Fails unless an answer is one that docs/openapi.yaml describes for this path and method. */
export function assertDescribed(method: string, target: string, answer: Heard): void {
  // A refusal that has a body was not made for HEAD: the parser never came to know the method.
  const meant = method === 'HEAD' && answer.status === 400 && answer.bytes.length > 0 ? 'GET' : method
  assertMatches(target, meant, answer.status, headersOf(answer), answer.bytes)
}

/** Fails unless an answer is a refusal as docs/openapi.yaml describes it for some request or other. */
export function assertRefusal(answer: Heard): void {
  const described = operations().flatMap(({ responses }) => {
    const response = responses.get(String(answer.status))
    return response ? describedErrors(response) : []
  })
  const body = bodyOf(answer) as { errors: { code: string; title: string }[] }
  assert.equal(body.errors.length, 1)
  const [error] = body.errors
  assert.ok(
    described.some(({ code, title }) => code === error?.code && title === error?.title),
    `${answer.status} ${answer.bytes}`,
  )
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
}

/** Fails unless a JSON Pointer (RFC 6901) leads to a part of the document, or to where a missing one would stand. */
export function assertPointsInto(document: unknown, pointer: string): void {
  assert.match(pointer, /^(?:\/(?:[^~/]|~[01])*)*$/)
  const keys = pointer
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  let part = document
  for (const [depth, key] of keys.entries()) {
    const isLast = depth === keys.length - 1
    if (Array.isArray(part) && !(isLast && !/^\d/.test(key))) {
      assert.match(key, /^(0|[1-9]\d*)$/, `${pointer} counts`)
      assert.ok(Number(key) < part.length, `${pointer} leads beyond a list`)
      part = part[Number(key)]
    } else if (typeof part === 'object' && part !== null && Object.hasOwn(part, key)) {
      part = Reflect.get(part, key)
    } else {
      assert.ok(isLast, `${pointer} leads nowhere at ${key}`)
    }
  }
}
