import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Hole, html } from '../routes/html/html.ts'
import { linker } from '../routes/html/link.ts'
import { openWindow, withoutBrowser } from './support/browser.ts'
import { openShop } from './support/shop.ts'

const link = linker('/shop')

test('text is escaped between tags and in attributes, and HTML is not', () => {
  const text = `<b>&"'`
  assert.equal(
    html`<p title="${text}" class="a ${text}">${text}${html`<i>${1}</i>`}${['a', null, false, undefined, html`<hr>`]}</p>`
      .text,
    '<p title="&lt;b&gt;&amp;&quot;&#39;" class="a &lt;b&gt;&amp;&quot;&#39;">&lt;b&gt;&amp;&quot;&#39;<i>1</i>a<hr></p>',
  )
})

test('an attribute that is one hole is left out for null, undefined and false, and is empty for true', () => {
  const of = (value: Hole) => html`<input name="x" checked="${value}">`.text
  for (const value of [null, undefined, false]) assert.equal(of(value), '<input name="x">')
  assert.equal(of(true), '<input name="x" checked="">')
  assert.equal(of(''), '<input name="x" checked="">')
  assert.equal(of(2), '<input name="x" checked="2">')
})

test('an address in an attribute must be one of this site', () => {
  assert.equal(
    html`<a href="${link('/office', { q: 'ä&b', list: [1, 2], none: null }, 'top')}">x</a>`.text,
    '<a href="/shop/office?q=%C3%A4%26b&amp;list=1&amp;list=2#top">x</a>',
  )
  for (const value of ['/office', 'javascript:alert(1)', 'https://example.com']) {
    assert.throws(() => html`<a href="${value}">x</a>`, TypeError)
    assert.throws(() => html`<form action="${value}"></form>`, TypeError)
    assert.throws(() => html`<img src="${value}">`, TypeError)
  }
  for (const path of ['//example.com', '/\\example.com', '/a/../b', '/..', 'https://example.com', '/a"b', '/a b', '']) {
    assert.throws(() => linker('')(path), TypeError, path)
  }
})

test('a template with a hole where text could become code is refused', () => {
  const x = 'x'
  const templates = [
    () => html`<a onclick="${x}">x</a>`,
    () => html`<a style="${x}">x</a>`,
    () => html`<a srcdoc="${x}">x</a>`,
    () => html`<meta http-equiv="refresh" content="${x}">`,
    () => html`<a href="/x?${x}">x</a>`,
    () => html`<a ${x}>x</a>`,
    () => html`<a x=${x}>x</a>`,
    () => html`<${x}>x</a>`,
    () => html`<a x="1"y="${x}">x</a>`,
    () => html`<script>${x}</script>`,
    () => html`<style>${x}</style>`,
    () => html`<!-- ${x} -->`,
    () => html`<base href="${link('/')}">`,
    () => html`<iframe src="${link('/')}"></iframe>`,
    () => html`<p title="${x}`,
    () => html`<p title="${html`x`}">x</p>`,
    () => html`<p title="${['x']}">x</p>`,
    () => html`<p>${true}</p>`,
  ]
  for (const template of templates) assert.throws(template, /Error/, String(template))
})

test('a real browser reads back every text as it was, in every place', { skip: withoutBrowser }, async t => {
  const shop = await openShop(t)
  const { page, site } = await openWindow(t, shop.port)
  await page.goto(`${site}/healthz`)
  const pieces = [
    '<',
    '>',
    '&',
    '"',
    "'",
    '`',
    '=',
    '/',
    '\r',
    '\n',
    '\0',
    '-->',
    '</textarea>',
    '</title>',
    '<script>',
    '&lt;',
    '&#0;',
    ']]>',
    'ä',
    '😀',
    '\u2028',
    '{',
    ' ',
  ]
  const text = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 8 })
    .map(parts => parts.join('').toWellFormed())
  const cases = fc.sample(text, 400)
  const documents = cases.map(
    value =>
      html`<div><p title="${value}" class="a ${value} b">${value}</p><textarea>${value}</textarea><pre>${value}</pre><input value="${value}"></div>`
        .text,
  )
  const read = await page.evaluate(
    all =>
      all.map(source => {
        const body = new DOMParser().parseFromString(source, 'text/html').body
        const [div, p, area, pre, input] = ['div', 'p', 'textarea', 'pre', 'input'].map(name =>
          body.querySelector(name),
        )
        return {
          elements: body.querySelectorAll('*').length,
          texts: [
            p?.textContent,
            p?.getAttribute('title'),
            area?.textContent,
            pre?.textContent,
            input?.getAttribute('value'),
          ],
          className: p?.className,
          isWhole: body.children.length === 1 && div?.children.length === 4,
        }
      }),
    documents,
  )
  read.forEach((found, index) => {
    const value = (cases[index] as string).replaceAll('\0', '\uFFFD')
    assert.deepEqual(found, { elements: 5, texts: Array(5).fill(value), className: `a ${value} b`, isWhole: true })
  })
})
