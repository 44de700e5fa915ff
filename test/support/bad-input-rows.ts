// The requests of those rows of docs/bad-input.md that are single requests: by the name of the input, as bytes. The tests
// send each of them once, `npm run bench:abuse` thousands of times.

import { line, order } from './faulty-order.ts'
import { api, chunked, getOf, goodOrder, type Parts, postOf } from './wire.ts'

/** The requests of a row by the name of the input. */
export type Requests = Record<string, Buffer[]>

type Server = Parameters<typeof postOf>[0]

const good = JSON.stringify(goodOrder)
const length = `Content-Length: ${good.length}`
const chunks = 'Transfer-Encoding: chunked'
const size = good.length.toString(16)
const json = 'Content-Type: application/json'

const repeated = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index))

/** Makes the requests of a row from what each input has instead of the parts of a good order. */
function posts(server: Server, inputs: Record<string, Parts[]>): Requests {
  return mapped(inputs, parts => postOf(server, parts))
}

function mapped<T>(inputs: Record<string, T[]>, make: (value: T) => Buffer): Requests {
  return Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, values.map(make)]))
}

export const requests = {
  6: (server: Server) => ({
    ...mapped(
      {
        'a slash at the end': [`${api}/locations/`, `${api}/locations/1/menu/`],
        '%2e%2e': [`${api}/%2e%2e/restaurant/locations`, `${api}/locations/%2e%2e/menu`],
        '..%2f': [`${api}/x/..%2flocations`, `${api}/locations/..%2f1/menu`],
        '\\..\\': [`${api}/x\\..\\locations`, `${api}/locations/x\\..\\1/menu`],
        '%zz': [`${api}/%zz`, `${api}/locations/%zz/menu`, `${api}/locations/1/menu%`],
        '%c0%ae': [`${api}/%c0%ae`, `${api}/locations/%c0%ae/menu`],
        '%00': [`${api}/locations/1%00/menu`, `${api}/locations%00`],
        'an escaped letter': [`${api}/%6cocations`, `${api}/locations/%31/menu`],
        '//evil/…': [`//evil${api}/locations`],
        'a doubled slash': [`/${api}/locations`, `${api}//locations`, `${api}/locations//menu`],
        'a dot segment': [`${api}/../restaurant/locations`, `${api}/./locations`, `${api}/locations/../locations`],
        capitals: [`${api}/Locations`, `${api.toUpperCase()}/locations`],
        ';a=b': [`${api}/locations;a=b`],
      },
      path => getOf(server, path),
    ),
  }),

  8: (server: Server) =>
    mapped(
      {
        'http://[::bad/': ['http://[::bad/'],
        'another scheme': ['ftp://shop.example/'],
        '*': ['*'],
        'no slash': ['shop.example'],
        'a raw space': ['/a b'],
        'a tab': ['/a\tb'],
        'UTF-8': [Buffer.from(`${api}/locations/1/menu?é`).toString('latin1')],
        'Latin-1': ['/caf\u00e9'],
        'a fragment': [`${api}/locations#part`],
      },
      target => getOf(server, target),
    ),

  11: (server: Server): Requests => ({
    'a target of 20 KB': [
      getOf(server, `/${'a'.repeat(20_000)}`),
      getOf(server, `${api}/locations?${'a'.repeat(20_000)}`),
    ],
    'a header of 20 KB': [
      postOf(server, { headers: [`X-Long: ${'a'.repeat(20_000)}`] }),
      postOf(server, { headers: [`${'X'.repeat(20_000)}: a`] }),
    ],
    'a header of 8 MB': [postOf(server, { headers: [`X-Long: ${'a'.repeat(8_000_000)}`] })],
    'headers of 20 KB together': [postOf(server, { headers: repeated(1000, i => `X-${i}: ${'a'.repeat(15)}`) })],
    'thousands of empty headers': [
      postOf(server, { headers: repeated(2500, () => 'a:') }),
      getOf(server, undefined, { headers: repeated(2500, () => 'a:') }),
      // A header after thousands of others must not be overlooked.
      postOf(server, {
        framing: [...repeated(2500, () => 'a:'), 'Transfer-Encoding: gzip, chunked'],
        body: '1\r\n{\r\n0\r\n\r\n',
      }),
      postOf(server, {
        framing: [...repeated(2500, () => 'a:'), 'Content-Length: 0', 'Content-Encoding: gzip'],
        body: '',
      }),
    ],
  }),

  15: (server: Server): Requests => ({
    FOO: [postOf(server, { line: `FOO ${api}/orders HTTP/1.1` })],
    get: [postOf(server, { line: `get ${api}/locations HTTP/1.1` })],
    none: [postOf(server, { line: ` ${api}/orders HTTP/1.1` })],
    'outside ASCII': [postOf(server, { line: `P\u00d6ST ${api}/orders HTTP/1.1` })],
    CONNECT: ['shop.example:443', `${api}/orders`].map(target =>
      getOf(server, undefined, { line: `CONNECT ${target} HTTP/1.1` }),
    ),
  }),

  18: (server: Server): Requests => ({
    ...mapped(
      Object.fromEntries(
        ['HTTP/2.0', 'HTTP/1.2', 'HTTP/0.9', 'http/1.1'].map(version => [
          version,
          [
            { line: `POST ${api}/orders ${version}` },
            { line: `GET ${api}/locations ${version}`, type: [], framing: [], body: '' },
            { line: `OPTIONS * ${version}`, type: [], framing: [], body: '' },
          ],
        ]),
      ),
      parts => postOf(server, parts),
    ),
    none: [postOf(server, { line: `POST ${api}/orders` })],
  }),

  19: (server: Server): Requests => {
    const requests = posts(server, {
      'before Transfer-Encoding': [chunked(good), good].map(body => ({ framing: [length, chunks], body })),
      'after Transfer-Encoding': [chunked(good), good].map(body => ({ framing: [chunks, length], body })),
      twice: [{ framing: [length, length] }],
      'twice and different': [{ framing: [length, 'Content-Length: 5'] }],
      'as a list': [{ framing: [`${length}, ${good.length}`] }],
      '+ before it': [{ framing: [`Content-Length: +${good.length}`] }],
      '-1': [{ framing: ['Content-Length: -1'] }],
      '0x2': [{ framing: ['Content-Length: 0x2'] }],
      empty: [{ framing: ['Content-Length:'] }],
      overflowing: [{ framing: ['Content-Length: 99999999999999999999'] }],
    })
    requests['after Transfer-Encoding']?.push(getOf(server, undefined, { framing: [chunks, 'Content-Length: 0'] }))
    return requests
  },

  20: (server: Server): Requests => {
    const coded = (coding: string): Parts => ({ framing: [`Transfer-Encoding:${coding}`], body: chunked(good) })
    return posts(server, {
      xchunked: [coded(' xchunked')],
      identity: [coded(' identity')],
      empty: [coded('')],
      'chunked, chunked': [coded(' chunked, chunked')],
      twice: [{ framing: [chunks, chunks], body: chunked(good) }],
      'identity, chunked': [coded(' identity, chunked')],
      'chunked, gzip': [coded(' chunked, gzip')],
      'chunked of HTTP/1.0': [{ ...coded(' chunked'), line: `POST ${api}/orders HTTP/1.0` }],
      'gzip, chunked': [' gzip, chunked', ' GZIP,chunked', ' x-gzip, chunked', ' deflate, chunked'].map(coded),
    })
  },

  21: (server: Server & { token: string }): Requests => {
    const inChunks = (body: string): Parts => ({ framing: [chunks], body })
    return {
      'bare LF throughout': [Buffer.from(postOf(server).toString('latin1').replaceAll('\r\n', '\n'))],
      ...posts(server, {
        'one bare LF': [{ headers: ['X-A: a\nX-B: b'] }],
        'a bare CR': [{ headers: ['X-A: a\rX-B: b'] }],
        'NUL in a value': [{ headers: ['X-A: a\0b'] }],
        'NUL in a name': [{ headers: ['X\0A: a'] }],
        'a folded line': [{ headers: ['X-A: a\r\n b'] }, { host: [' folded', 'Host: shop.example'] }],
        'a folded token': [{ access: [`Authorization: Bearer\r\n ${server.token}`] }],
        'a space before the colon': [{ headers: ['X-A : a'] }, { framing: [`Content-Length : ${good.length}`] }],
        'an empty header name': [{ headers: [': a'] }],
        'a line without a colon': [{ headers: ['abc'] }],
        'a chunk of size 0x2': [inChunks(`0x2\r\n{}\r\n0\r\n\r\n`)],
        'a chunk of size -2': [inChunks(`-2\r\n{}\r\n0\r\n\r\n`)],
        'a chunk without a size': [inChunks(`\r\n${good}\r\n0\r\n\r\n`), inChunks(`;a\r\n${good}\r\n0\r\n\r\n`)],
        'a chunk of an overflowing size': [
          inChunks(`fffffffffffffffff\r\n{}\r\n0\r\n\r\n`),
          // It is 51, cut to 64 bits.
          inChunks(`10000000000000033\r\n${good}\r\n0\r\n\r\n`),
        ],
        'a bare LF after a size': [inChunks(`${size}\n${good}\r\n0\r\n\r\n`)],
        'a bare LF after an extension': [
          inChunks(`${size};a\n${good}\r\n0\r\n\r\n`),
          inChunks(`${size};a="b\nc"\r\n${good}\r\n0\r\n\r\n`),
        ],
        'a bare LF after a chunk': [inChunks(`${size}\r\n${good}\n0\r\n\r\n`)],
        'bare LF at the end': [inChunks(`${size}\r\n${good}\r\n0\n\n`)],
      }),
    }
  },

  22: (server: Server) =>
    posts(server, {
      'an extension of 20 KB': [{ framing: [chunks], body: `${size};${'a'.repeat(20_000)}\r\n${good}\r\n0\r\n\r\n` }],
    }),

  30: (): Requests => ({
    // The beginning of a ClientHello as OpenSSL sends it.
    'a TLS handshake': [Buffer.from('16030100c8010000c40303'.padEnd(410, '5a'), 'hex')],
    'PRI * HTTP/2.0': [Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  }),

  34: (server: Server) =>
    posts(server, {
      'Content-Encoding: gzip': [
        { headers: ['Content-Encoding: gzip'] },
        { headers: ['Content-Encoding: gzip'], body: good.padEnd(100_000) },
        { headers: ['Content-Encoding: br'] },
      ],
      'gzip beside identity': [
        { headers: ['Content-Encoding: identity', 'Content-Encoding: gzip'] },
        { headers: ['Content-Encoding: gzip, identity'] },
      ],
      'no Content-Type': [{ type: [] }],
      'an empty Content-Type': [{ type: ['Content-Type:'] }],
      'text/plain': [{ type: ['Content-Type: text/plain'] }],
      'a form': [
        { type: ['Content-Type: application/x-www-form-urlencoded'] },
        { type: ['Content-Type: multipart/form-data; boundary=x'] },
      ],
      'charset=utf-16': [{ type: [`${json}; charset=utf-16`] }, { type: [`${json};charset=UTF-16LE`] }],
      'another charset, quoted': [{ type: [`${json}; charset="iso-8859-1"`] }],
      'application/jsonx': [{ type: ['Content-Type: application/jsonx'] }],
      'application/problem+json': [{ type: ['Content-Type: application/problem+json'] }],
      'two Content-Type': [{ type: [json, json] }, { type: [json, 'Content-Type: text/plain'] }],
      'two types in one': [{ type: [`${json}, text/plain`] }, { type: [`${json}, application/json`] }],
    }),

  36: (server: Server): Requests => {
    const quoted = (hex: string) => Buffer.concat([Buffer.from('"'), Buffer.from(hex, 'hex'), Buffer.from('"')])
    const noted = (text: Buffer) => Buffer.concat([Buffer.from(order('"notes":').slice(0, -1)), text, Buffer.from('}')])
    return mapped<string | Buffer>(
      {
        empty: [''],
        'white space': [' ', ' \n\t\r'],
        'truncated JSON': repeated(good.length - 1, index => good.slice(0, index + 1)),
        'something after the JSON': [`${good}x`, `${good}\0`, `${good},`],
        'two values': [good + good, `${good}\n${good}`],
        NaN: [order('"notes":NaN'), order('"notes":Infinity'), line('"item_id":1,"qty":NaN')],
        '01': [
          '{"location_id":01}',
          line('"item_id":01,"qty":1'),
          line('"item_id":1,"qty":+1'),
          line('"item_id":1,"qty":.5'),
        ],
        'a trailing comma': [order(''), '{"location_id":1,"items":[{"item_id":1,"qty":1},]}'],
        'single quotes': [good.replaceAll('"', "'")],
        'a comment': [`${good}// done`, `/* an order */${good}`],
        'a control character': [order('"notes":"\u0001"'), order('"notes":"\n"')],
        'invalid UTF-8': [noted(quoted('c328')), noted(quoted('ff')), noted(quoted('f4908080')), noted(quoted('e28c'))],
        'overlong UTF-8': [noted(quoted('c0af')), noted(quoted('e080af'))],
        'half a surrogate pair in UTF-8': [noted(quoted('eda080')), noted(quoted('eda080edb080'))],
        'UTF-16': [Buffer.from(good, 'utf16le'), Buffer.from(good, 'utf16le').swap16()],
        'UTF-16 with a byte order mark': [
          Buffer.from(`\uFEFF${good}`, 'utf16le'),
          Buffer.from(`\uFEFF${good}`, 'utf16le').swap16(),
        ],
      },
      body => postOf(server, { body }),
    )
  },
} satisfies Record<number, (server: Server) => Requests>

/** All requests of some rows. */
export function allRequests(server: Server, ...rows: (keyof typeof requests)[]): Buffer[] {
  return rows.flatMap(row => Object.values(requests[row](server)).flat())
}

/** A good order in chunks of so many bytes, padded with spaces to a length. */
export function inSmallChunks(server: Server, bytes: number, bodyLength: number): Buffer {
  const spaces = `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`.repeat((bodyLength - good.length) / bytes)
  return postOf(server, { framing: [chunks], body: spaces + chunked(good) })
}
