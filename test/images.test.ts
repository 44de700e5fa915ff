import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { row } from './support/bad-input.ts'
import { beside } from './support/beside.ts'
import { temporaryFolder } from './support/folders.ts'
import { openShop, type Shop } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { openCountedShop, refuses } from './support/traces.ts'
import { until } from './support/until.ts'
import { getOf, openWire } from './support/wire.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

/** The small restaurant with a dish for each of these image paths. */
function pictured(images: string[], item: Record<string, unknown> = {}) {
  const dishes = images.map((image, index) => ({ id: 100 + index, title: image, price: 1, image, ...item }))
  return smallRestaurant(
    {},
    {
      categories: [{ id: 1, title: 'Dishes', items: [{ id: 1, title: 'Soup', price: 6 }, ...dishes] }],
    },
  )
}

/** A site's folder with these files in it, by path. */
function siteWith(t: TestContext, files: Record<string, string | Buffer>): string {
  const site = mkdtempSync(join(temporaryFolder(t), 'site-'))
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(join(site, path, '..'), { recursive: true })
    writeFileSync(join(site, path), contents)
  }
  return site
}

interface Got {
  status: number | undefined
  headers: IncomingMessage['headers']
  bytes: Buffer
}

/** Sends a request with exactly this path and without a token. */
function get(
  shop: Pick<Shop, 'port'>,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request({ port: shop.port, host: '127.0.0.1', path, method, headers }, async response => {
      const bytes = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode, headers: response.headers, bytes })
    })
    asked.once('error', reject).end()
  })
}

async function statusOf(shop: Pick<Shop, 'port'>, path: string): Promise<number | undefined> {
  return (await get(shop, path)).status
}

test('an image that the catalogue names is served below the base path, to GET and HEAD, without a token', async t => {
  const types: Record<string, string> = {
    'images/soup.jpg': 'image/jpeg',
    'images/soup.JPEG': 'image/jpeg',
    'images/soup.png': 'image/png',
    'images/deep/er/soup.webp': 'image/webp',
    'soup.gif': 'image/gif',
    'soup.avif': 'image/avif',
    'images/soup.svg': 'image/svg+xml',
  }
  const names = Object.keys(types)
  const SITE_ROOT = siteWith(t, Object.fromEntries(names.map(name => [name, `bytes of ${name}`])))
  for (const BASE_PATH of ['', '/shop/north']) {
    const shop = await openShop(t, { restaurant: pictured(names), environment: { SITE_ROOT, BASE_PATH } })
    for (const [name, type] of Object.entries(types)) {
      const got = await get(shop, `${BASE_PATH}/${name}`)
      assert.deepEqual([got.status, got.headers['content-type'], String(got.bytes)], [200, type, `bytes of ${name}`])
      assert.equal(got.headers['x-content-type-options'], 'nosniff')
      assert.equal(got.headers['cache-control'], 'public, max-age=300')
      assert.match(got.headers.etag ?? '', /^"[^"]+"$/)
      const head = await get(shop, `${BASE_PATH}/${name}`, {}, 'HEAD')
      assert.deepEqual([head.status, head.bytes.length], [200, 0])
      for (const header of ['content-type', 'content-length', 'etag', 'cache-control']) {
        assert.equal(head.headers[header], got.headers[header], header)
      }
    }
    if (BASE_PATH !== '') assert.equal(await statusOf(shop, '/images/soup.jpg'), 404)
  }
})

test('an image is served whatever the switches of the API say', async t => {
  const environment = { SITE_ROOT: siteWith(t, { 'soup.png': 'png' }) }
  const settings = { 'api.module_enabled': 'off', 'api.enabled': 'off' }
  const shop = await openShop(t, { restaurant: pictured(['soup.png']), environment, settings })
  assert.equal(await statusOf(shop, '/soup.png'), 200)
})

test('an SVG image opened by itself may run no script and load nothing', async t => {
  const environment = { SITE_ROOT: siteWith(t, { 'soup.svg': svg }) }
  const shop = await openShop(t, { restaurant: pictured(['soup.svg']), environment })
  const { headers } = await get(shop, '/soup.svg')
  assert.equal(headers['content-security-policy'], "default-src 'none'; style-src 'unsafe-inline'; sandbox")
})

test('If-None-Match gives 304 until the file changes', async t => {
  const SITE_ROOT = siteWith(t, { 'soup.png': 'old' })
  const shop = await openShop(t, { restaurant: pictured(['soup.png']), environment: { SITE_ROOT } })
  const { headers } = await get(shop, '/soup.png')
  const etag = headers.etag ?? ''
  for (const method of ['GET', 'HEAD']) {
    const known = await get(shop, '/soup.png', { 'If-None-Match': `"x", ${etag}` }, method)
    assert.deepEqual([known.status, known.bytes.length, known.headers.etag], [304, 0, etag])
  }
  writeFileSync(join(SITE_ROOT, 'soup.png'), 'new')
  const changed = await get(shop, '/soup.png', { 'If-None-Match': etag })
  assert.deepEqual([changed.status, String(changed.bytes)], [200, 'new'])
  assert.notEqual(changed.headers.etag, etag)
})

test('an image path may have spaces and any letters, which a URL escapes', async t => {
  const names = ['images/pão de queijo.png', 'images/100%.png', 'スープ.png', "d'été(1).png"]
  const SITE_ROOT = siteWith(t, Object.fromEntries(names.map(name => [name, name])))
  const shop = await openShop(t, { restaurant: pictured(names), environment: { SITE_ROOT } })
  for (const name of names) {
    const path = name.split('/').map(encodeURIComponent).join('/')
    assert.equal(String((await get(shop, `/${path}`)).bytes), name)
  }
})

test('an image goes as soon as the catalogue no longer names it, and one of an unpublished item is not served', async t => {
  const environment = { SITE_ROOT: siteWith(t, { 'soup.png': 'soup', 'cake.png': 'cake' }) }
  const shop = await openShop(t, { restaurant: pictured(['soup.png']), environment })
  const { importRestaurant } = beside(t, shop)
  assert.deepEqual([await statusOf(shop, '/soup.png'), await statusOf(shop, '/cake.png')], [200, 404])
  importRestaurant(pictured(['cake.png']))
  assert.deepEqual([await statusOf(shop, '/soup.png'), await statusOf(shop, '/cake.png')], [404, 200])
  importRestaurant(pictured(['cake.png'], { published: false }))
  assert.equal(await statusOf(shop, '/cake.png'), 404)
})

test('a named image is refused when it is no file of the folder: missing, empty, a folder, a pipe, a link that leads out', async t => {
  const SITE_ROOT = siteWith(t, { 'empty.png': '', 'real.png': 'real', 'folder.png/x': 'x' })
  const outside = siteWith(t, { 'secret.png': 'secret' })
  symlinkSync(join(outside, 'secret.png'), join(SITE_ROOT, 'out.png'))
  symlinkSync(outside, join(SITE_ROOT, 'out'))
  symlinkSync(join(SITE_ROOT, 'loop.png'), join(SITE_ROOT, 'loop.png'))
  symlinkSync('real.png', join(SITE_ROOT, 'link.png'))
  execFileSync('mkfifo', [join(SITE_ROOT, 'pipe.png')])
  const refused = ['missing.png', 'none/missing.png', 'real.png/x.png', 'empty.png', 'folder.png']
  refused.push('pipe.png', 'out.png', 'out/secret.png', 'loop.png')
  const shop = await openShop(t, {
    restaurant: pictured([...refused, 'real.png', 'link.png']),
    environment: { SITE_ROOT },
  })
  for (const name of refused) {
    const { status, headers, bytes } = await get(shop, `/${name}`)
    assert.deepEqual([status, headers['content-type']], [404, 'application/json; charset=utf-8'], name)
    assert.deepEqual(JSON.parse(String(bytes)), {
      errors: [{ title: 'There is nothing at this address.', code: 'NOT_FOUND' }],
    })
  }
  for (const name of ['real.png', 'link.png']) assert.equal(await statusOf(shop, `/${name}`), 200, name)
})

test('a method that an image does not have is refused as JSON, as on the API', async t => {
  const environment = { SITE_ROOT: siteWith(t, { 'soup.png': 'soup' }) }
  const shop = await openShop(t, { restaurant: pictured(['soup.png']), environment })
  for (const path of ['/soup.png', '/api/index.php/v1/restaurant/locations']) {
    const { status, headers, bytes } = await get(shop, path, {}, 'POST')
    assert.deepEqual(
      [status, headers.allow, headers['content-type']],
      [405, 'GET, HEAD, OPTIONS', 'application/json; charset=utf-8'],
    )
    assert.deepEqual(JSON.parse(String(bytes)), {
      errors: [{ title: 'This method is not allowed here.', code: 'METHOD_NOT_ALLOWED' }],
    })
  }
  const options = await get(shop, '/soup.png', {}, 'OPTIONS')
  assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS'])
})

test('an image whose name is the path of a route does not replace it, and a hidden file is not served', async t => {
  const names = ['healthz', 'api/index.php/v1/restaurant/locations', '.hidden.png', '.git/soup.png', 'images/.soup.png']
  const files = Object.fromEntries(names.map(name => [name, 'a file']))
  const environment = { SITE_ROOT: siteWith(t, files) }
  const shop = await openShop(t, { restaurant: pictured(names), environment })
  const [health, locations] = [await get(shop, '/healthz'), await get(shop, `/${names[1]}`)]
  assert.deepEqual([health.status, JSON.parse(String(health.bytes))], [200, { status: 'ok' }])
  assert.equal(locations.status, 401)
  for (const name of names.slice(2)) assert.equal(await statusOf(shop, `/${name}`), 404, name)
  assert.equal(await statusOf(shop, '/%2egit/soup.png'), 404)
})

row(63, 'of the site’s folder only the images are served that the catalogue names', async (t, { input, refusal }) => {
  const SITE_ROOT = siteWith(t, {
    'images/soup.png': 'soup',
    'images/other.png': 'other',
    'menu.html': '<p>',
    '.env': 'SECRET=1',
  })
  writeFileSync(join(SITE_ROOT, '..', 'above.png'), 'above')
  const shop = await openCountedShop(t, { environment: { SITE_ROOT } })
  for (const [index, image] of ['images/soup.png', 'menu.html', '.env', 'images/none'].entries()) {
    shop.execute(`UPDATE item SET image = '${image}' WHERE id = ${index + 1}`)
  }
  shop.execute('UPDATE revision SET catalogue = catalogue + 1')
  const cases: Record<string, string[]> = {
    'a file that the catalogue does not name': ['/images/other.png', '/images/', '/images'],
    'a named file that is no image': ['/menu.html', '/.env', '/images/none'],
    'a path that leads out': ['/../above.png', '/images/../../above.png', '/images/../images/soup.png'],
    'an escaped path that leads out': ['/..%2fabove.png', '/%2e%2e/above.png', '/images/..%5c..%5cabove.png'],
    'an escaped slash': ['/images%2fsoup.png', '/images%2Fsoup.png'],
    'another spelling': ['//images/soup.png', '/images//soup.png', '/IMAGES/soup.png', '/images/./soup.png'],
    'a malformed escape': ['/images/%zz.png', '/images/%c0%ae.png', '/images/soup.png%', '/images/soup%00.png'],
    'a letter too many': ['/images/soup.png/', '/images/soup.png.png', '/ximages/soup.png', '/images/soup.png;a=b'],
  }
  for (const [name, paths] of Object.entries(cases)) {
    for (const path of paths) await input(name, refuses(shop, getOf(shop, path), refusal()))
  }
  assert.equal(await statusOf(shop, '/images/soup.png?v=2'), 200)
})

/** How many files of a folder this process has open. */
function openFilesIn(folder: string): number {
  return readdirSync('/proc/self/fd').filter(descriptor => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder)
    } catch {
      return false
    }
  }).length
}

test('a large image arrives whole, images asked for together arrive in order, and no file stays open', async t => {
  const large = Buffer.alloc(20_000_000, 'large image ')
  const SITE_ROOT = siteWith(t, {
    'large.png': large,
    'medium.png': large.subarray(0, 3_000_000),
    'small.png': 'small',
  })
  const shop = await openShop(t, {
    restaurant: pictured(['large.png', 'medium.png', 'small.png']),
    environment: { SITE_ROOT },
  })
  assert.ok((await get(shop, '/large.png')).bytes.equals(large))

  const wire = openWire(t, shop.port)
  const together = ['/medium.png', '/small.png', '/medium.png', '/healthz']
  wire.send(
    Buffer.concat(
      together.map(path => getOf(shop, path, { headers: path === '/healthz' ? ['Connection: close'] : [] })),
    ),
  )
  const received = await wire.rest()
  const lengths = [...received.matchAll(/HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)*Content-Length: (\d+)\r\n/g)].map(
    found => found[1],
  )
  assert.deepEqual(lengths, ['3000000', '5', '3000000', '15'])

  const gone = connect(shop.port, '127.0.0.1')
  gone.write(getOf(shop, '/large.png'))
  await new Promise(resolve => gone.once('data', resolve))
  gone.destroy()
  await until(() => openFilesIn(SITE_ROOT) === 0)
  await shop.stop()
  assert.deepEqual(
    shop.logged.filter(({ level }) => level === 'error'),
    [],
  )
})

test('an image that is cut short while it is sent ends the connection, so that nothing else is read as its rest', async t => {
  const SITE_ROOT = siteWith(t, { 'large.png': Buffer.alloc(60_000_000, 'x') })
  const shop = await openShop(t, { restaurant: pictured(['large.png']), environment: { SITE_ROOT } })
  const socket = connect(shop.port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  socket.write(Buffer.concat([getOf(shop, '/large.png'), getOf(shop, '/healthz')]))
  let received = 0
  let tail = ''
  await new Promise<void>(resolve => {
    socket.once('data', () => {
      socket.pause()
      writeFileSync(join(SITE_ROOT, 'large.png'), 'short')
      socket.resume()
    })
    socket.on('data', chunk => {
      received += chunk.length
      tail = String(chunk.subarray(-200))
    })
    socket.once('close', () => resolve())
  })
  assert.ok(received < 60_000_000)
  assert.doesNotMatch(tail, /HTTP\/1\.1/)
})
