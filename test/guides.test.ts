import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { root, temporaryFolder } from './support/folders.ts'

// The blocks of docs/deploy.md and docs/recovery.md are run as they are printed, but below a folder of the test's own: a block's
// absolute paths begin there. What changes the machine itself or needs another one is a stand-in that only succeeds.

const STAND_INS = ['useradd', 'git', 'npm', 'systemctl', 'journalctl', 'curl', 'ufw', 'scp', 'chown'] as const

// These do what they do in the guide, but as the user who runs the test.
const WITHOUT_OWNER = {
  install:
    'args=; while [ $# -gt 0 ]; do case $1 in -o|-g) shift ;; *) args="$args $1" ;; esac; shift; done\nexec /usr/bin/install $args',
  runuser: 'shift 3; exec "$@"',
}

const OWN_PATHS = /(?<![\w.])\/(?=(?:etc|opt|srv|root|dev\/shm|var\/lib|var\/backups|usr\/local\/bin)(?:\/|\b))/g

interface Block {
  language: string
  text: string
  /** The heading that it stands under. */
  section: string
}

function blocksOf(guide: string): Block[] {
  const blocks: Block[] = []
  let section = ''
  const source = readFileSync(join(root, 'docs', guide), 'utf8')
  for (const [, heading, indent = '', language = '', text = ''] of source.matchAll(
    /^#+ (.*)$|^( *)```(\w*)\n([\s\S]*?)^ *```$/gm,
  )) {
    if (heading !== undefined) section = heading
    else blocks.push({ language, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), section })
  }
  return blocks
}

/** A folder that a machine's paths are in, with the program, the `servery` script of the guide and the stand-ins. */
function machine(t: TestContext) {
  const folder = temporaryFolder(t)
  for (const path of ['bin', 'etc/servery', 'opt', 'root', 'dev/shm', 'var/lib/servery', 'usr/local/bin']) {
    mkdirSync(join(folder, path), { recursive: true })
  }
  symlinkSync(root, join(folder, 'opt/servery'))
  copyFileSync(join(root, 'examples/demo-restaurant.json'), join(folder, 'etc/servery/restaurant.json'))

  function program(path: string, text: string): void {
    writeFileSync(join(folder, path), text)
    chmodSync(join(folder, path), 0o755)
  }
  for (const name of STAND_INS) program(`bin/${name}`, '#!/bin/sh\n')
  for (const [name, text] of Object.entries(WITHOUT_OWNER)) program(`bin/${name}`, `#!/bin/sh\n${text}\n`)
  const script = blocksOf('deploy.md').find(({ text }) => text.startsWith('#!/bin/sh\n'))?.text ?? ''
  program('usr/local/bin/servery', placed(script))

  function placed(text: string): string {
    return text.replaceAll(OWN_PATHS, `${folder}/`).replaceAll('/usr/bin/node', process.execPath)
  }

  /** Runs commands as a person pastes them, and expects each to succeed. Returns what they print. */
  function run(text: string): string {
    const path = [`${folder}/bin`, `${folder}/usr/local/bin`, process.env.PATH].join(':')
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', placed(text)], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: path },
    })
    assert.deepEqual([status, stderr], [0, ''], text)
    return stdout
  }

  return { folder, run }
}

const isShell = ({ language, text }: Block) => language === 'sh' && !text.startsWith('#!')

const ordersIn = (file: string): unknown => {
  const db = new Database(file, { readonly: true })
  try {
    return db.prepare('SELECT count(*) FROM orders').pluck().get()
  } finally {
    db.close()
  }
}

test('every shell block of the guides does what it says, in the order in which it is printed', t => {
  const { folder, run } = machine(t)
  const backups = join(folder, 'var/backups/servery')
  for (const { section, text } of blocksOf('deploy.md').filter(isShell)) {
    if (section === 'Restore') cpSync(join(backups, '2026-11-20.db'), join(backups, '2026-11-20-043000.db'))
    const said = run(text)
    if (text.includes('servery doctor')) assert.match(said, /^Servery is well\.$/m, text)
  }
  assert.equal(readdirSync(backups).filter(name => name.startsWith('before-upgrade-')).length, 1)

  for (const { section, text } of blocksOf('recovery.md').filter(isShell)) {
    if (text.includes('cp -a rescue'))
      cpSync(join(folder, 'dev/shm/rescue'), join(folder, 'rescue'), { recursive: true })
    const said = run(text)
    if (text.includes('servery doctor')) assert.match(said, /^Servery is well\.$/m, section)
  }
  assert.ok(readFileSync(join(folder, 'root/restaurant.json'), 'utf8').includes('"categories"'))
})

test('restoring twice keeps what was there before each time', t => {
  const { folder, run } = machine(t)
  const blocks = blocksOf('deploy.md').filter(isShell)
  for (const { section, text } of blocks) if (section === 'Install' || section === 'Turn it on') run(text)
  const restore = blocks.find(({ section }) => section === 'Restore')?.text ?? ''
  const order = { location_id: 1, items: [{ item_id: 101, qty: 1 }] }
  writeFileSync(join(folder, 'etc/order.json'), JSON.stringify(order))
  const place = 'servery place --file /etc/order.json --source pos'
  run(`${place}\nservery backup /var/backups/servery/2026-11-20-043000.db`)
  run(`${place}\n${place}`)
  run(restore)
  run(`${place}`)
  // Each restore is named by the second.
  run('sleep 1')
  run(restore)
  const served = join(folder, 'var/lib/servery')
  const kept = readdirSync(served).filter(name => name.startsWith('before-restore-'))
  assert.deepEqual(
    kept.sort().map(name => ordersIn(join(served, name, 'servery.db'))),
    [3, 2],
  )
  assert.equal(ordersIn(join(served, 'servery.db')), 1)
})

test('the other blocks of the guides are well formed', () => {
  for (const guide of ['deploy.md', 'recovery.md']) {
    for (const { language, text } of blocksOf(guide)) {
      if (language === 'ini') {
        for (const line of text.split('\n')) assert.match(line, /^(|#.*|\[\w+\]|[A-Z]\w*=.*)$/, line)
      } else if (language === 'caddyfile' || language === 'nginx') {
        assert.equal(text.split('{').length, text.split('}').length, text)
      } else if (language === 'sh') {
        assert.equal(spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' }).stderr, '', text)
      }
    }
  }
})
