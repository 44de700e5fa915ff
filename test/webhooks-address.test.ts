import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import test, { describe } from 'node:test'
import { parseNetworks } from '../routes/http/address.ts'
import { parseEndpointUrl } from '../store/outbox/endpoints.ts'
import { isAllowed } from '../webhooks/address.ts'
import { why } from './support/refusals.ts'

const none = new BlockList()

describe('webhooks may go only to public addresses', () => {
  for (const address of ['93.184.216.34', '1.1.1.1', '172.32.0.1', '192.167.255.255', '2606:4700::1111', '2a00::1']) {
    test(`${address} may be reached`, () => assert.equal(isAllowed(address, none), true))
  }
  const refused = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:93.184.216.34',
    '0:0:0:0:0:ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::93.184.216.34',
    '64:ff9b:1::a00:1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:5db8:d822::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '127.1',
    '',
  ]
  for (const address of refused) {
    test(`${address || 'an empty address'} may not be reached`, () => assert.equal(isAllowed(address, none), false))
  }

  test('WEBHOOK_ALLOW_NETWORKS permits the networks that it names and no others', () => {
    const { networks } = parseNetworks('192.168.1.0/24, fd00::/8 64:ff9b::/96')
    for (const address of ['192.168.1.7', 'fd00::7', '64:ff9b::5db8:d822', '::ffff:192.168.1.7']) {
      assert.equal(isAllowed(address, networks), true, address)
    }
    for (const address of ['192.168.2.7', 'fc00::7', '127.0.0.1', '::1', '::ffff:192.168.2.7']) {
      assert.equal(isAllowed(address, networks), false, address)
    }
    assert.equal(isAllowed('93.184.216.34', networks), true)
  })
})

describe('an endpoint', () => {
  test('with an unusual spelling of an address is stored in its standard form', () => {
    for (const host of ['127.1', '0x7f000001', '2130706433', '0177.0.0.1', '127.0.0.1.', '１２７.0.0.1']) {
      assert.deepEqual(parseEndpointUrl(`https://${host}/a`), 'https://127.0.0.1/a', host)
    }
    assert.deepEqual(parseEndpointUrl('https://[::ffff:127.0.0.1]/'), 'https://[::ffff:7f00:1]/')
  })

  for (const [text, flaw] of [
    ['http://example.com/', /https/],
    ['ftp://example.com/', /https/],
    ['https://user@example.com/', /user name/],
    ['https://user:pass@example.com/', /user name/],
    ['https://', /not a URL/],
    ['example.com', /not a URL/],
    ['https://256.1.1.1/', /not a URL/],
    ['', /empty/],
    [`https://example.com/${'a'.repeat(2000)}`, /at most 2000 characters/],
  ] as const) {
    test(`${text.slice(0, 40) || 'with an empty URL'} is refused`, () => {
      assert.match(why(parseEndpointUrl(text)), flaw)
    })
  }
})
