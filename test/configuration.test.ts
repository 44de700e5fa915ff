import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { readConfiguration } from '../configuration.ts'
import { CannotStart, serve } from '../server.ts'
import { restaurantFileIn, runToEnd, servery } from './support/commands.ts'
import { root, temporaryFolder } from './support/folders.ts'
import { importInto, openShop, switchedOn } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'
import { api, goodOrder, openWire, orderCount, postOf } from './support/wire.ts'

/** The server as a process of its own, started as `npm start` does. */
interface Process {
  url: string
  port: number
  /** What it said when it was ready, a line each. */
  said: string[]
  child: ChildProcess
  /** Resolves once it has logged an event. */
  logged(event: string): Promise<void>
  exited: Promise<{ code: number | null; signal: string | null }>
}

async function startServer(t: TestContext, file: string): Promise<Process> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'server.ts'], {
    cwd: root,
    env: { ...process.env, DATABASE_FILE: file, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => (stdout += chunk))
  child.stderr.on('data', chunk => (stderr += chunk))

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      const ended = exited.then(({ code }) => Promise.reject(new Error(`it ended with ${code}: ${stderr}`)))
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended])
    }
  }
  await until(() => stdout.split('\n').length > 2)
  const said = stdout.trimEnd().split('\n')
  const url = / at (http:\S+)$/.exec(said[0] ?? '')?.[1] ?? assert.fail(stdout)
  return {
    url,
    port: Number(new URL(url).port),
    said,
    child,
    logged: event => until(() => stderr.includes(`"event":"${event}"`)),
    exited,
  }
}

/** Runs the server when it cannot start, and returns its lines about that. */
async function failToStart(environment: Record<string, string>): Promise<string[]> {
  const { code, stdout, stderr } = await runToEnd(['server.ts'], environment)
  assert.deepEqual([code, stdout], [1, ''], stderr)
  return stderr.trimEnd().split('\n')
}

test('all problems of the configuration are reported together, before anything is touched', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  const environment = {
    PORT: '99999',
    BASE_PATH: 'shop',
    TRUSTED_PROXIES: '10.0.0.0/33 ::1, proxy.example',
    HOSTS: 'bar.example:80',
  }
  const lines = await failToStart({ ...environment, DATABASE_FILE: file })
  assert.equal(lines.length, 5)
  for (const [index, pattern] of [
    /^PORT .*"99999"/,
    /^BASE_PATH .*"shop"/,
    /^TRUSTED_PROXIES .*"10\.0\.0\.0\/33"/,
    /^TRUSTED_PROXIES .*"proxy\.example"/,
    /^HOSTS .*"bar\.example:80"/,
  ].entries()) {
    assert.match(lines[index] ?? '', pattern)
  }
  assert.equal(existsSync(file), false)
})

test('a variable that is not set has its default, and white space around a value is ignored', () => {
  const expected = {
    host: '127.0.0.1',
    port: 8080,
    databaseFile: 'data/servery.db',
    basePath: '',
    siteRoot: 'public',
    limits: {
      headersTimeoutS: 10,
      requestTimeoutS: 15,
      keepAliveS: 5,
      unreadTimeoutS: 30,
      headerBytes: 8192,
      requestsPerSocket: 1000,
      sockets: 1024,
      socketsPerAddress: 512,
    },
  }
  for (const environment of [
    {},
    { PORT: ' 8080\n', HOST: '', BASE_PATH: ' ', TRUSTED_PROXIES: '', SITE_ROOT: ' public' },
  ]) {
    const { configuration, problems } = readConfiguration(environment)
    const { trustedProxies, webhookNetworks, hosts, ...rest } = configuration
    assert.deepEqual([...hosts], [])
    assert.deepEqual(rest, expected)
    assert.deepEqual(problems, [])
    assert.equal(trustedProxies.check('127.0.0.1'), false, 'nobody is trusted unless named')
    assert.equal(webhookNetworks.check('127.0.0.1'), false, 'no private network is opened unless named')
  }
})

test('an unusable value is reported under the name of its variable', () => {
  const good: [name: string, ...values: string[]][] = [
    ['PORT', '0', '80', '65535'],
    ['BASE_PATH', '', '/shop', '/a/b-c_d.e~f', '/.well-known'],
    ['TRUSTED_PROXIES', '127.0.0.1', '10.0.0.0/8,192.168.0.0/16', '::1 fd00::/8', '0.0.0.0/0', ',,'],
  ]
  const bad: typeof good = [
    ['PORT', '-1', '65536', '80.5', '0x50', 'http', '8 0', '000080'],
    [
      'BASE_PATH',
      'shop',
      '/',
      '/shop/',
      '//shop',
      '/a//b',
      '/../shop',
      '/shop/.',
      '/sh op',
      '/:id',
      '/*',
      '/%41',
      '/é',
    ],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/',
      '10.0.0.0/33',
      '::1/129',
      '10.0.0/8',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      'localhost',
      '*',
    ],
  ]
  for (const [isGood, table] of [[true, good] as const, [false, bad] as const]) {
    for (const [name, ...values] of table) {
      for (const value of values) {
        const { problems } = readConfiguration({ [name]: value })
        assert.equal(problems.length, isGood ? 0 : 1, `${name}=${value}`)
        if (!isGood) assert.ok(problems[0]?.startsWith(`${name} must`), problems[0])
      }
    }
  }
})

test('the API is served below BASE_PATH, and /healthz outside it', async t => {
  const shop = await openShop(t, { environment: { BASE_PATH: '/shop/west' } })
  assert.equal((await shop.get('/locations')).status, 200)
  assert.equal((await shop.order(goodOrder)).status, 201)
  const statusOf = async (path: string) =>
    (await fetch(`${shop.url}${path}`, { headers: { Authorization: `Bearer ${shop.token}` } })).status
  assert.equal(await statusOf(`${api}/locations`), 404)
  assert.equal(await statusOf(`/shop${api}/locations`), 404)
  assert.equal(await statusOf(`/shop/west/shop/west${api}/locations`), 404)
  assert.equal(await statusOf('/shop/west/healthz'), 404)
  assert.equal(await statusOf('/healthz'), 200)
})

test('/healthz needs neither the token nor the switches, and reports that the file can be read', async t => {
  const shop = await openShop(t, { settings: { 'api.module_enabled': 'off' } })
  const answer = await fetch(`${shop.url}/healthz`)
  assert.deepEqual([answer.status, await answer.json()], [200, { status: 'ok' }])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
})

test('a port in use and an address of another machine are each reported in one line', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const cases: [environment: Record<string, string>, line: string][] = [
    [{ PORT: port }, `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or set PORT.`],
    [
      { HOST: '192.0.2.1', PORT: '8080' },
      'Servery cannot listen on 192.0.2.1 port 8080 (EADDRNOTAVAIL). Set HOST to an address of this machine.',
    ],
  ]
  for (const [environment, line] of cases) {
    assert.deepEqual(await failToStart({ DATABASE_FILE: file, ...environment }), [line])
  }
  await startServer(t, file)
})

test('a second server on the same file is refused in one line, and the first goes on serving', async t => {
  const shop = await openShop(t)
  const lines = await failToStart({ DATABASE_FILE: shop.file, PORT: '0' })
  assert.deepEqual(lines, [`Another Servery is already serving ${shop.file}. Stop it first, or set DATABASE_FILE.`])
  assert.equal((await shop.order(goodOrder)).status, 201)
})

test('a server that could not start, or has stopped, releases its file', async t => {
  const shop = await openShop(t)
  const file = join(temporaryFolder(t), 'test.db')
  const log = { info() {}, error() {}, repeated() {} }
  const start = (port: number) =>
    serve(readConfiguration({ PORT: String(port), DATABASE_FILE: file }).configuration, { log })
  await assert.rejects(start(shop.port), CannotStart)
  for (const _ of ['once', 'again']) await (await start(0)).stop()
})

test('a killed server leaves nothing behind that locks the next one out of its file', async t => {
  const file = join(temporaryFolder(t), 'test.db')
  const token = importInto(file, smallRestaurant(), switchedOn)
  const killed = await startServer(t, file)
  killed.child.kill('SIGKILL')
  assert.equal((await killed.exited).signal, 'SIGKILL')
  const next = await startServer(t, file)
  const answer = await fetch(`${next.url}${api}/locations`, { headers: { 'X-Api-Token': token } })
  assert.equal(answer.status, 200)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} lets the request in flight complete, accepts no new ones, and ends the process with 0`, async t => {
    const file = join(temporaryFolder(t), 'test.db')
    const token = importInto(file, smallRestaurant(), switchedOn)
    const server = await startServer(t, file)
    const body = JSON.stringify(goodOrder)
    const framing = [`Content-Length: ${body.length}`]
    const silent = openWire(t, server.port)
    const busy = openWire(t, server.port)
    busy.send(postOf({ token }, { framing, headers: ['Expect: 100-continue'], body: '' }))
    assert.equal((await busy.answer()).status, 100)

    server.child.kill(signal)
    await server.logged('stopping')
    server.child.kill(signal)
    assert.equal(await silent.rest(), '')
    await assert.rejects(fetch(`${server.url}/healthz`))
    busy.send(body)
    const answer = await busy.answer()
    assert.deepEqual([answer.status, answer.headers.connection], [201, 'close'])
    assert.equal(await busy.rest(), '')
    assert.deepEqual(await server.exited, { code: 0, signal: null })

    const db = new Database(file, { readonly: true })
    t.after(() => db.close())
    assert.equal(orderCount({ rows: sql => db.prepare<[], Record<string, unknown>>(sql).all() }), 1)
  })
}

test('npm start says how to make the first owner and in one line what to do next, which turns the API on without a restart', async t => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(scripts.start, 'node --import tsx server.ts')

  const folder = temporaryFolder(t)
  const file = join(folder, 'made', 'for', 'it.db')
  const server = await startServer(t, file)
  const { said, url } = server
  assert.equal(said.length, 5)
  assert.equal(said[0], `Servery serves ${file} at ${url}`)
  assert.equal(said[3], `  ${url}/setup`)
  assert.match(said[4] ?? '', /^and enter the code [2-9A-Z]{8}, within 30 minutes\.$/)
  const locations = (token: string) => fetch(`${url}${api}/locations`, { headers: { 'X-Api-Token': token } })
  assert.equal((await locations('svy_none')).status, 403, 'everything is off')

  const next = /^Next: (.+)$/.exec(said[1] ?? '')?.[1] ?? assert.fail(said[1])
  let last = ''
  for (const command of next.split(' ; ')) {
    const words = command.split(' ')
    assert.deepEqual(words.splice(0, 5), ['npm', 'run', '-s', 'servery', '--'])
    const args = words.map(word => (word === 'FILE' ? restaurantFileIn(folder, smallRestaurant()) : word))
    const { code, stdout, stderr } = await servery(file, args)
    assert.equal(code, 0, stderr)
    last = stdout
  }
  const token = /svy_[\w-]+/.exec(last)?.[0] ?? assert.fail(last)
  assert.equal((await locations(token)).status, 200)

  for (const args of [
    ['add', 'Ana', 'owner'],
    ['password', 'Ana', 'generate'],
  ]) {
    assert.equal((await servery(file, ['staff', ...args])).code, 0)
  }
  server.child.kill('SIGTERM')
  await server.exited
  assert.deepEqual((await startServer(t, file)).said.slice(1), ['The API is on.'])
})
