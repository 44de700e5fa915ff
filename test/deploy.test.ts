import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { readLimits } from '../routes/http/limits.ts'
import { root, temporaryFolder } from './support/folders.ts'

const guide = readFileSync(join(root, 'docs/deploy.md'), 'utf8')

// In tenths; systemd calls up to 2.0 "OK", and without the network and the compiler of V8 there would be no server.
const MOST_EXPOSED = 15

const isThere = spawnSync('systemd-analyze', ['--version']).status === 0

test(
  'the systemd unit of the guide denies the server everything that it does not need',
  isThere ? {} : { skip: 'systemd-analyze is not installed' },
  t => {
    const [, unit = ''] = /`\/etc\/systemd\/system\/servery\.service`:\n\n```ini\n([\s\S]*?)```/.exec(guide) ?? []
    assert.match(unit, /^User=servery$/m)
    const file = join(temporaryFolder(t), 'servery.service')
    writeFileSync(file, unit)
    const command = ['security', '--offline=true', '--no-pager', `--threshold=${MOST_EXPOSED}`, file]
    const { status, stdout } = spawnSync('systemd-analyze', command, { encoding: 'utf8' })
    const conclusion = stdout.trimEnd().split('\n').at(-1)
    t.diagnostic(String(conclusion))
    assert.equal(status, 0, stdout)
  },
)

test('the guide lists every configurable limit with its default', () => {
  const asked: [string, string][] = []
  readLimits((name, fallback) => {
    asked.push([name, fallback])
    return fallback
  })
  assert.equal(asked.length, 8)
  for (const [name, fallback] of asked) assert.ok(guide.includes(`| \`${name}\` | ${fallback} |`), name)
})
