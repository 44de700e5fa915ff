import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import test from 'node:test'
import { root, temporaryFolder } from './support/folders.ts'

test('the example receiver makes a certificate of its own, which a client that is given it trusts', async t => {
  const folder = temporaryFolder(t)
  const port = 20_000 + (process.pid % 20_000)
  const child = spawn(process.execPath, ['--import', 'tsx', 'examples/receiver.ts'], {
    cwd: root,
    env: { ...process.env, CERTIFICATE_FOLDER: folder, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', chunk => (printed += chunk))
  while (!printed.includes('Stop with Ctrl-C')) await once(child.stdout, 'data')
  const ca = readFileSync(join(folder, 'cert.pem'))
  for (const host of ['127.0.0.1', 'localhost']) {
    const status = await new Promise((resolve, reject) => {
      const call = request({ host, port, ca, family: 4, path: '/webhooks' }, response => resolve(response.statusCode))
      call.on('error', reject).end()
    })
    assert.ok(Number(status) >= 400, 'it is no delivery')
  }
})
