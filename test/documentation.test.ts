import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import test from 'node:test'
import { runToEnd } from './support/commands.ts'
import { root } from './support/folders.ts'

const pages = ['.', 'docs', 'docs/decisions', 'bench'].flatMap(folder =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => join(root, folder, name)),
)

const codeBlocks = /^ *```[\s\S]*?^ *```$/gm

/** The targets of a page's links that are not on the web. */
function targetsOf(page: string): string[] {
  const prose = readFileSync(page, 'utf8').replaceAll(codeBlocks, '')
  const targets = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(match => match[1] as string)
  return targets.filter(target => !/^[a-z]+:/.test(target))
}

/** The anchors of a page's headings, made as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(page, 'utf8')
    .replaceAll(codeBlocks, '')
    .matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('every relative link in the documentation leads to a file, and to a heading in it if it names one', () => {
  assert.ok(pages.length > 20)
  for (const page of pages) {
    for (const target of targetsOf(page)) {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      const where = `${relative(root, page)} links to ${target}`
      assert.ok(existsSync(file), where)
      if (anchor !== undefined) assert.ok(anchorsOf(file).includes(anchor), where)
    }
  }
})

test('every decision has a number of its own', () => {
  const numbers = readdirSync(join(root, 'docs/decisions')).map(name => name.slice(0, 3))
  assert.deepEqual(
    numbers.filter((number, index) => numbers.indexOf(number) !== index),
    [],
  )
})

test('the README lists every maintenance command, and no other', async () => {
  const table = /^## Everyday commands$([\s\S]*?)^## /m.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? ''
  const cells = [...table.matchAll(/^\| (`.*?`) \|/gm)].map(match => match[1] as string)
  const listed = cells.flatMap(cell => [...cell.matchAll(/`([a-z-]+)/g)].map(match => match[1] as string))
  const { stdout } = await runToEnd(['cli.ts', 'help'])
  const offered = [...stdout.matchAll(/^ {2}([a-z-]+)/gm)].map(match => match[1] as string)
  assert.ok(offered.length > 20)
  assert.deepEqual([...new Set(listed)].sort(), [...new Set(offered)].sort())
})
