import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { root, temporaryFolder } from './support/folders.ts'

const run = promisify(execFile)

test('the demo prints a log-in, its token and three curl commands that work as printed, and SIGINT stops it with exit code 0', async t => {
  const folder = temporaryFolder(t)
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), join(root, 'server.ts'), '--demo'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', DATABASE_FILE: join(folder, 'real.db'), SITE_ROOT: join(root, 'public') },
  })
  t.after(() => child.kill('SIGKILL'))
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed.includes('Stop with Ctrl-C')) break
  }
  assert.match(printed, /Its token, made new at every start: svy_[\w-]{43}\n/)
  const [, page = '', name = '', password = ''] =
    /(http:\S+)\n {2}Name: +(\S+)\n {2}Password: +(\S+)\n/.exec(printed) ?? assert.fail(printed)
  const entered = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: new URL(page).origin },
    body: new URLSearchParams({ name, password }),
  })
  assert.deepEqual([entered.status, entered.headers.getSetCookie().length], [303, 1])
  // The demo never touches the file of a real restaurant.
  assert.match(printed, /serves data\/demo\.db/)

  const guests = /guests order:\n {2}(\S+)/.exec(printed)?.[1] ?? assert.fail(printed)
  assert.match(await (await fetch(guests)).text(), /\/order\/1"[\s\S]*\/order\/2"/)
  // At any hour: a closed location offers no choices.
  assert.match(await (await fetch(`${guests}/1/dish/303`)).text(), /<button class="primary"/)

  const commands = printed.split('\n').filter(line => line.includes('curl '))
  const answers = []
  for (const command of commands) {
    const { stdout } = await run('sh', ['-c', command])
    answers.push(JSON.parse(stdout).data)
  }
  const [locations, menu, order] = answers
  assert.deepEqual(
    locations.map(({ id }: { id: number }) => id),
    [1, 2],
  )
  assert.equal(menu.location_id, 1)
  assert.ok(menu.categories.length >= 8)
  // 2 × (5.40 + 0.80) and a box of six for 8.40, of which 13 % are tax: 20.80 × 13 / 113 = 2.3929.
  assert.deepEqual([order.subtotal, order.tax_total, order.grand_total], [20.8, 2.39, 20.8])

  const site = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
  const dishes: { image: string | null }[] = menu.categories.flatMap((category: { items: unknown[] }) => category.items)
  const images = new Set(dishes.flatMap(({ image }) => image ?? []))
  assert.equal(images.size, 9)
  for (const image of images) {
    const { status, headers } = await fetch(`${site}/${image}`)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml'], image)
  }

  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})
