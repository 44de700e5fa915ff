import type fc from 'fast-check'
import { between, chance, type Draw, drawn, pick, times, upTo } from '../support/arbitraries.ts'
import { api } from '../support/wire.ts'

// Requests to read something, by callers with and without the right token, who have it already or want it compressed.

export interface Read {
  method: string
  target: string
  headers: string[]
}

const TARGETS = [
  '/locations',
  '/locations/1/menu',
  '/locations',
  '/locations/1/menu',
  '/locations/2/menu',
  '/orders',
  '',
] as const

const DAMAGE = [
  ...[
    '/',
    '//',
    '.',
    '..',
    '/..',
    '/./',
    '%',
    '%2f',
    '%2F',
    '%00',
    '%zz',
    '%c0%ae',
    '\\',
    ';a=1',
    '#x',
    '?',
    '&',
    '*',
    '~',
    '@',
  ],
  ...[
    'é',
    '\x01',
    ' ',
    '"',
    '<',
    '[',
    ']',
    '{',
    '|',
    '^',
    '`',
    '+',
    ',',
    "'",
    ':',
    '0',
    '1',
    'a',
    'A',
    '-',
    '_proto_',
    '__proto__',
  ],
]

/** Requests of callers who know this token and these ETags. */
export function read(token: string, etags: readonly string[]): fc.Arbitrary<Read> {
  return drawn(draw => {
    const method = chance(draw, 20) ? pick(draw, ['HEAD', 'HEAD', 'OPTIONS', 'POST', 'DELETE']) : 'GET'
    const headers = ['Host: shop.example', ...access(draw, token)]
    if (chance(draw, 50)) headers.push(`If-None-Match: ${known(draw, etags)}`)
    if (chance(draw, 60)) headers.push(`Accept-Encoding: ${codings(draw)}`)
    if (chance(draw, 10))
      headers.push(
        pick(draw, ['Range: bytes=0-3', 'If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT', 'If-Match: "x"']),
      )
    return { method, target: target(draw), headers }
  })
}

function target(draw: Draw): string {
  let path = chance(draw, 12) ? '/healthz' : `${api}${pick(draw, TARGETS)}`
  for (let left = chance(draw, 20) ? between(draw, 1, 3) : 0; left > 0; left--) {
    const at = upTo(draw, path.length)
    const odd = pick(draw, DAMAGE) ?? ''
    path = pick(draw, [
      () => `${path.slice(0, at)}${odd}${path.slice(at)}`,
      () => `${path.slice(0, at)}${path.slice(at + 1)}`,
      () => `${path.slice(0, at)}${escaped(path[at] ?? '')}${path.slice(at + 1)}`,
      () => `${path.slice(0, at)}${odd}${path.slice(at + 1)}`,
      () => path.replace(/[a-z]/g, letter => (chance(draw, 10) ? letter.toUpperCase() : letter)),
      () => path.replace('1', pick(draw, ['01', '1.0', '1e0', '0x1', '+1', '9007199254740993', '1'.repeat(2000)])),
    ])()
  }
  const query = chance(draw, 25)
    ? `?${pick(draw, ['', 'x=1', 'token=a&access_token=b', '%zz', '__proto__[x]=1', '//..//', '?', 'a#b'])}`
    : ''
  const origin = chance(draw, 6)
    ? pick(draw, ['http://shop.example', 'HTTPS://[::1]:8443', 'http://', 'ftp://x', 'http://[', '//'])
    : ''
  return `${origin}${path}${query}`
}

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16)}`

/** What a caller shows: the token in nine of twelve cases, else something like it. */
function access(draw: Draw, token: string): string[] {
  const bearer = `Authorization: Bearer ${token}`
  const key = `X-Api-Token: ${token}`
  if (chance(draw, 75))
    return pick(draw, [
      [bearer],
      [key],
      [`AUTHORIZATION: bEARER   ${token}  `],
      [bearer, 'X-Api-Token: x'],
      ['Authorization: Basic eDp5', key],
    ])
  const at = upTo(draw, token.length - 1)
  const nearly = pick(draw, [
    token.slice(0, at),
    `${token.slice(0, at)}${token.slice(at + 1)}`,
    `${token}${pick(draw, ['a', '=', ' a', '\xa0', ','])}`,
    `${token.slice(0, at)}${token[at] === 'x' ? 'y' : 'x'}${token.slice(at + 1)}`,
    token.toUpperCase(),
    token.replace('svy_', ''),
    `"${token}"`,
    `${token} ${token}`,
    `${token}, ${token}`,
  ])
  return pick(draw, [
    [],
    [`Authorization: Bearer ${nearly}`],
    [`X-Api-Token: ${nearly}`],
    [`Authorization: ${pick(draw, ['Basic', 'Token', 'Bearer:', 'Bearer\t', ''])} ${token}`],
    [bearer, bearer],
    [key, key],
    [`Authorization: Bearer ${nearly}`, key],
    ['Authorization: Bearer', key],
    [`Cookie: token=${token}`],
    [`X-Api-Token : ${token}`.replace(' :', '_:')],
  ])
}

function known(draw: Draw, etags: readonly string[]): string {
  const one = () => {
    const etag = pick(draw, etags) ?? '""'
    return pick(draw, [
      etag,
      `W/${etag}`,
      etag.slice(1, -1),
      etag.toLowerCase(),
      `w/${etag}`,
      '"other"',
      '*',
      '""',
      '"',
      'W/',
      '"a,b"',
      ` ${etag}\t`,
    ])
  }
  return times(pick(draw, [1, 1, 2, 5]), one).join(pick(draw, [',', ', ', ' ,', ';', ',,']))
}

function codings(draw: Draw): string {
  const one = () => {
    const coding = pick(draw, [
      'gzip',
      'GZip',
      'x-gzip',
      'br',
      'deflate',
      'identity',
      '*',
      'zstd',
      'gzip-x',
      '',
      'gzi',
      'é',
    ])
    const weight = pick(draw, [
      '',
      '',
      ';q=1',
      ';q=0',
      ' ; q=0.000',
      ';q=0.5',
      ';Q=0',
      ';q=x',
      ';q=',
      ';q=1;q=0',
      ';level=9',
    ])
    return `${coding}${weight}`
  }
  return times(pick(draw, [1, 1, 2, 4]), one).join(pick(draw, [',', ', ', ' , ', ';']))
}
