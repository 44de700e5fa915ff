import type fc from 'fast-check'
import { chance, drawn, pick } from '../support/arbitraries.ts'
import { ODD_TEXTS } from './json.ts'

const SCHEMES = [
  'https://',
  'https://',
  'https://',
  'https://',
  'HTTPS://',
  'http://',
  'https:',
  'https:/',
  'ftp://',
  'file://',
  'javascript:',
  '//',
  '',
]
const USERS = ['', '', '', '', '', '', 'u@', 'u:p@', ':@', '@', '%40@']
const HOSTS = [
  ...[
    'shop.example',
    'SHOP.example',
    'localhost',
    'localhost.',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
  ],
  ...[
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::',
    '[fe80::1%25eth0]',
    '10.0.0.1',
    '169.254.169.254',
    '0',
    '',
    ' ',
    'a b',
    'ex%61mple.org',
  ],
  ...[
    'münchen.example',
    'xn--',
    '例え.example',
    'a..b',
    '.',
    '-a.example',
    'a_b.example',
    'x'.repeat(64),
    `${'x.'.repeat(130)}example`,
  ],
]
const PORTS = ['', '', '', ':443', ':8443', ':0', ':65535', ':65536', ':-1', ':', ':a', ':00443']
const PATHS = [
  '',
  '/',
  '/hook',
  '/hook?key=secret',
  '/a/../b',
  '/a%2fb',
  '/%zz',
  '\\a',
  '/ö',
  '?x',
  '#part',
  '/hook#',
  '/'.repeat(50),
  `/${'a'.repeat(1990)}`,
  '/a b',
  '/\t',
  '/\n',
]

/** Texts that are URLs, and texts that only look like them. */
export function endpointUrl(): fc.Arbitrary<string> {
  return drawn(draw => {
    const text = [SCHEMES, USERS, HOSTS, PORTS, PATHS].map(parts => pick(draw, parts) ?? '').join('')
    return chance(draw, 10) ? `${pick(draw, ODD_TEXTS)}${text}${pick(draw, ODD_TEXTS)}` : text
  })
}
