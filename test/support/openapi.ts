// Checks responses against docs/openapi.yaml.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parse } from 'yaml'

/** The headers of a response, as `fetch` or `node:http` provides them. */
export type AnswerHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** An example in the description, with the JSON Pointer of the schema that it belongs to. */
export interface Example {
  readonly pointer: string
  readonly schema: string
  readonly value: unknown
}

interface Place {
  readonly pointer: string
  readonly node: unknown
}

/** The description itself, for the linter. */
export const descriptionFile = fileURLToPath(new URL('../../docs/openapi.yaml', import.meta.url))

const root: Place = { pointer: '', node: parse(readFileSync(descriptionFile, 'utf8')) }
const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace']

// The errors of any request before its path and method are known.
const anywhere: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  408: 'RequestTimeout',
  417: 'ExpectationFailed',
  431: 'HeadersTooLarge',
  500: 'ServerError',
  501: 'NotImplemented',
  503: 'ShuttingDown',
}
const noSuchPath = { ...anywhere, 404: 'NotFound' }
const noSuchMethod = { ...anywhere, 405: 'MethodNotAllowed' }

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictTypes: true })
formats.default(ajv)
// The whole page is given to ajv so that references inside it resolve; its top members are no keywords of JSON Schema.
ajv.addVocabulary(isRecord(root.node) ? Object.keys(root.node) : [])
ajv.addSchema(closed(root.node), 'openapi')

/**
 * Fails unless docs/openapi.yaml describes the response: its status, every header that the description requires, its content
 * type, its body, and for errors one of the described pairs of code and title. Stricter than the description in one respect:
 * a field that it does not name is a fault here, because the page would be incomplete.
 *
 * `path` is the request's target, with or without `/api/index.php` and what comes before it, or a path as the
 * description writes it. `body` is the parsed JSON, or what was received (text or bytes, not compressed).
 */
export function assertMatches(
  path: string,
  method: string,
  status: number,
  headers: AnswerHeaders,
  body: unknown,
): void {
  const problems = [...faults(path, method, status, lowerCased(headers), received(body))]
  if (problems.length === 0) return
  const lines = problems.map(problem => `  - ${problem}`).join('\n')
  const shown = (JSON.stringify(received(body)) ?? 'no body').slice(0, 2000)
  assert.fail(`${method} ${path} answered ${status}, and docs/openapi.yaml disagrees:\n${lines}\n  body: ${shown}`)
}

/** Every example in the description: of bodies, parameters, headers and schemas. */
export function* examples(place = root): Generator<Example> {
  if (Array.isArray(place.node)) {
    for (const index of place.node.keys()) yield* examples(child(place, String(index)))
    return
  }
  if (!isRecord(place.node)) return
  const inSchema = /\/schemas?\//.test(place.pointer)
  if (inSchema && Array.isArray(place.node.examples)) {
    for (const [index, value] of place.node.examples.entries()) {
      yield { pointer: `${place.pointer}/examples/${index}`, schema: place.pointer, value }
    }
  }
  const schema = `${place.pointer}/schema`
  if ('schema' in place.node && 'example' in place.node) {
    yield { pointer: `${place.pointer}/example`, schema, value: place.node.example }
  }
  if ('schema' in place.node && isRecord(place.node.examples)) {
    for (const [name, example] of Object.entries(place.node.examples)) {
      if (isRecord(example)) yield { pointer: `${place.pointer}/examples/${name}`, schema, value: example.value }
    }
  }
  for (const key of Object.keys(place.node)) yield* examples(child(place, key))
}

/** Every operation with its responses: method, path, and each status with the place where its response stands. */
export function operations(): { method: string; path: string; responses: Map<string, Place> }[] {
  return entries(step(root, 'paths')).flatMap(([path, item]) =>
    entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ method, path, responses: new Map(entries(step(operation, 'responses'))) })),
  )
}

/** The errors of all examples of a response. */
export function describedErrors(response: Place): { code: unknown; title: unknown; fields: string[] }[] {
  return entries(step(response, 'content', 'application/json', 'examples'))
    .flatMap(([, example]) => entries(step(example, 'value', 'errors')))
    .map(([, { node }]) => node)
    .filter(isRecord)
    .map(error => ({ code: error.code, title: error.title, fields: Object.keys(error).sort() }))
}

/** The problems of a value by the schema at a JSON Pointer into the description; empty if there are none. */
export function schemaFaults(schema: string, value: unknown): string[] {
  const uri = schema.split('/').map(encodeURIComponent).join('/')
  const validate = ajv.getSchema(`openapi#${uri}`)
  assert.ok(validate, `no schema at ${schema}`)
  return validate(value) ? [] : (validate.errors ?? []).map(sentence)
}

function* faults(
  path: string,
  method: string,
  status: number,
  headers: ReadonlyMap<string, string>,
  body: unknown,
): Generator<string> {
  for (const name of headers.keys()) {
    if (name.startsWith('access-control-')) yield `header ${name} must not be there: no answer has CORS headers`
  }
  const item = describedPath(path)
  const response = describedResponse(item, method, status)
  if (typeof response === 'string') {
    yield response
    return
  }
  yield* headerFaults(response, headers)
  const allow = headers.get('allow')
  if (item && allow !== undefined) {
    const own = methodsOf(item).sort().join(', ')
    const sent = allow.split(/, ?/).sort().join(', ')
    if (sent !== own) yield `header allow names ${sent}, but the path has ${own}`
  }

  const json = step(response, 'content', 'application/json')
  if (method === 'HEAD' || !json) {
    if (body !== undefined) yield 'there must not be a body'
    return
  }
  const type = headers.get('content-type')
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    yield `header content-type must be application/json, not ${type ?? 'missing'}`
  }
  const schema = step(json, 'schema')
  if (schema) yield* schemaFaults(schema.pointer, body)
  if (status >= 400) yield* errorFaults(response, body)
}

/** The described response that matches, or a sentence that says why there is none. */
function describedResponse(item: Place | undefined, method: string, status: number): Place | string {
  if (!item) return sharedResponse(noSuchPath, status) ?? 'the path is not described, so it must not be found'
  if (!methodsOf(item).includes(method)) {
    return sharedResponse(noSuchMethod, status) ?? 'the method is not described for the path, so it must be refused'
  }
  // A response to HEAD has the status and headers of GET (RFC 9110), so it is checked against the description of GET.
  const operation = step(item, method === 'HEAD' ? 'get' : method.toLowerCase())
  const response = operation && step(operation, 'responses', String(status))
  return response ?? 'the status is not described for the operation'
}

function sharedResponse(names: Readonly<Record<number, string>>, status: number): Place | undefined {
  const name = names[status]
  return name === undefined ? undefined : step(root, 'components', 'responses', name)
}

function* headerFaults(response: Place, headers: ReadonlyMap<string, string>): Generator<string> {
  for (const [name, header] of entries(step(response, 'headers'))) {
    const text = headers.get(name.toLowerCase())
    const schema = step(header, 'schema')
    if (text === undefined) {
      if (isRecord(header.node) && header.node.required === true) yield `header ${name} is missing`
    } else if (schema) {
      const isInteger = isRecord(schema.node) && schema.node.type === 'integer'
      const value = isInteger && /^\d+$/.test(text) ? Number(text) : text
      for (const fault of schemaFaults(schema.pointer, value)) yield `header ${name} (${text}): ${fault}`
    }
  }
}

function* errorFaults(response: Place, body: unknown): Generator<string> {
  const described = describedErrors(response)
  for (const error of isRecord(body) && Array.isArray(body.errors) ? body.errors : []) {
    if (!isRecord(error)) continue
    const fields = Object.keys(error).sort().join(', ')
    const same = described.filter(({ code, title }) => code === error.code && title === error.title)
    if (same.length === 0) yield `no example of this status has the code ${error.code} with the title ${error.title}`
    else if (!same.some(example => example.fields.join(', ') === fields)) {
      yield `${error.code} (${error.title}) has the fields ${fields}; its example has ${same[0]?.fields.join(', ')}`
    }
  }
}

function describedPath(target: string): Place | undefined {
  const paths = step(root, 'paths')
  const path = (target.split('?')[0] ?? '').replace(/^.*\/api\/index\.php(?=\/)/, '')
  const found = entries(paths).find(([template]) => {
    const pattern = template.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')
    return new RegExp(`^${pattern}$`).test(path)
  })
  return found?.[1]
}

function methodsOf(item: Place): string[] {
  return entries(item)
    .filter(([key]) => methods.includes(key))
    .map(([key]) => key.toUpperCase())
}

/** The place under the given keys, with references resolved on the way; undefined if there is none. */
function step(from: Place, ...keys: string[]): Place | undefined {
  let place = followed(from)
  for (const key of keys) {
    const holder = place.node
    if (!(isRecord(holder) || Array.isArray(holder)) || !Object.hasOwn(holder, key)) return undefined
    place = followed(child(place, key))
  }
  return place
}

function entries(place: Place | undefined): [string, Place][] {
  const node = place && followed(place).node
  if (!place || !(isRecord(node) || Array.isArray(node))) return []
  return Object.keys(node).map(key => [key, followed(child(followed(place), key))])
}

function followed(place: Place): Place {
  // A schema's reference can be next to other keywords, which ajv combines; only a lone reference is followed.
  if (!isRecord(place.node) || typeof place.node.$ref !== 'string' || Object.keys(place.node).length > 1) return place
  const keys = place.node.$ref.split('/').slice(1)
  const target = step(root, ...keys.map(key => key.replaceAll('~1', '/').replaceAll('~0', '~')))
  assert.ok(target, `${place.pointer} refers to ${place.node.$ref}, which is not there`)
  return target
}

function child(place: Place, key: string): Place {
  const node = isRecord(place.node) || Array.isArray(place.node) ? Reflect.get(place.node, key) : undefined
  return { pointer: `${place.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, node }
}

/** The same description, with every object closed to fields that it does not name. */
function closed(node: unknown): object {
  const copy: unknown = structuredClone(node)
  const close = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(close)
    if (!isRecord(part)) return
    const isObject = part.type === 'object' || (Array.isArray(part.type) && part.type.includes('object'))
    if (isObject && isRecord(part.properties)) part.additionalProperties ??= false
    Object.values(part).forEach(close)
  }
  close(copy)
  assert.ok(isRecord(copy))
  return copy
}

function received(body: unknown): unknown {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body
  if (typeof text !== 'string') return text
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function lowerCased(headers: AnswerHeaders): Map<string, string> {
  const all = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return new Map(
    all.flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(', ')]])),
  )
}

function sentence({ instancePath, message, keyword, params }: ErrorObject): string {
  const detail =
    keyword === 'additionalProperties' || keyword === 'enum' || keyword === 'const' ? ` ${JSON.stringify(params)}` : ''
  return `${instancePath || 'the value'} ${message}${detail}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
