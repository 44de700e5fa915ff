import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWindow, withoutBrowser } from './support/browser.ts'
import { logIn } from './support/log-in.ts'
import { openShop } from './support/shop.ts'

const script = '"><img src=x onerror=alert(1)></textarea></title><script>alert(2)</script>\''

/** A restaurant with a script in every text. */
const hostile = {
  site: { title: script, timezone: 'UTC', languages: ['en', 'pt'] },
  tax_classes: [{ id: 1, title: script }],
  labels: [{ id: 1, code: script.slice(0, 50), title: script }],
  allergens: [{ id: 1, title: script }],
  modifier_groups: [
    {
      id: 1,
      title: script,
      selection_type: 'multiple',
      translations: { pt: { title: script } },
      modifiers: [
        {
          id: 1,
          title: script,
          price: 1,
          allergens: [{ id: 1, presence: 'contains' }],
          translations: { pt: { title: script } },
        },
      ],
    },
  ],
  categories: [
    {
      id: 1,
      title: script,
      description: script,
      tax_class: 1,
      translations: { pt: { title: script, description: script } },
      items: [
        {
          id: 1,
          number: script.slice(0, 20),
          title: script,
          description: script,
          price: 5,
          image: "images/'onerror=alert(1) x='.png",
          labels: [1],
          variations: [{ id: 1, title: script, price: 6, translations: { pt: { title: script } } }],
          modifier_groups: [{ id: 1 }],
          allergens: [{ id: 1, presence: 'may_contain' }],
          translations: { pt: { title: script, description: script } },
        },
      ],
    },
  ],
  locations: [1, 2].map(id => ({
    id,
    code: script.slice(0, 19) + id,
    title: script,
    address: script,
    phone: script.slice(0, 30),
    currency: 'EUR',
    timezone: 'UTC',
    tables: [{ id, title: script }],
    stations: [{ id, title: script }],
    closed_dates: [{ from: '2020-01-01', until: '2020-01-02', title: script }],
    stock: [{ id, title: script, unit: script.slice(0, 20), on_hand: 1, low_at: 2, recipe: [{ item: 1, qty: 2 }] }],
    promotions: [{ id, title: script, percent: 5 }],
  })),
}

test('a script in every text of the restaurant does nothing on the pages of the menu and the stock', {
  skip: withoutBrowser,
}, async t => {
  const shop = await openShop(t, { restaurant: hostile })
  const owner = logIn(shop, 'owner', 'Ana')
  const { page, site } = await openWindow(t, shop.port, { cookie: owner.cookie })
  page.on('dialog', dialog => assert.fail(dialog.message()))
  const post = (path: string, fields: Record<string, string>) =>
    fetch(`${shop.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: owner.headers,
      body: new URLSearchParams(fields),
    })
  const off = { item: '1', kind: 'item', id: '1', location: '1', where: 'here', until: 'open' }
  assert.equal((await post('/office/menu/off', off)).status, 303)
  assert.equal((await post('/office/stock', { stock: '1', act: 'waste', quantity: '1', reason: script })).status, 303)
  const paths = [
    'menu',
    `menu?find=${encodeURIComponent(script)}`,
    'menu/off?item=1&location=1',
    'menu/dish?id=1',
    'menu/new',
    'menu/section?id=1',
    'menu/group?id=1',
    'menu/order',
    'menu/prices',
    'menu/file',
    'stock',
    'stock/movements',
  ]
  for (const path of paths) {
    const response = await page.goto(`${site}/office/${path}`)
    assert.equal(response?.status(), 200, path)
    assert.equal(await page.locator('main img[onerror], main script').count(), 0, path)
  }
  await page.goto(`${site}/office/menu/file`)
  const file = { name: `${script}.json`, mimeType: 'application/json' }
  const changed = { ...hostile, categories: [{ ...hostile.categories[0], title: `${script} 2` }] }
  await page.locator('#file').setInputFiles({ ...file, buffer: Buffer.from(JSON.stringify(changed)) })
  await page.getByRole('button', { name: 'Show what would change' }).click()
  await page.getByRole('button', { name: 'Import now' }).waitFor()
  assert.equal(await page.locator('main img[onerror], main script').count(), 0)
})

test('forms of the menu and the stock with senseless fields are refused or do something sensible, and never fail', async t => {
  const shop = await openShop(t, { restaurant: hostile })
  const { headers } = logIn(shop, 'owner')
  const values = [
    '',
    '0',
    '-1',
    '1',
    '1e9',
    '99999999999999999999',
    'NaN',
    '\0',
    '\uD83C',
    '[]',
    '{"places":{"1":5}}',
    'all',
    '1.5',
    script,
  ]
  const forms: [path: string, fields: string[]][] = [
    ['menu/off', ['item', 'kind', 'id', 'location', 'where', 'until', 'time']],
    ['menu/on', ['kind', 'id', 'location', 'where']],
    ['menu/undo', ['at', 'back']],
    [
      'menu/dish',
      [
        'id',
        'seen',
        'title',
        'price',
        'category',
        'size-0-title',
        'size-0-id',
        'place-1-price',
        'group-1',
        'group-1-min',
        'allergen-1',
        'label-9',
        'title-pt',
        'default',
        'tax_class',
      ],
    ],
    ['menu/new', ['title', 'price', 'category', 'spice_level', 'size-x-title', 'allergen-x']],
    ['menu/copy', ['id']],
    ['menu/section', ['id', 'seen', 'title', 'tax_class', 'description-xx']],
    [
      'menu/group',
      [
        'id',
        'seen',
        'title',
        'selection_type',
        'min_select',
        'option-0-title',
        'option-0-price',
        'option-0-id',
        'allergen-0-1',
      ],
    ],
    ['menu/order', ['record', 'id', 'before', 'section']],
    [
      'menu/prices',
      ['do', 'scope', 'column', 'by', 'unit', 'round', 'p-item-1~5000', 'p-item-1-1~', 'p-variation-99~1', 'p-x~y'],
    ],
    ['menu/import', ['file']],
    ['stock', ['stock', 'act', 'was', 'quantity', 'reason']],
  ]
  const kinds = ['item', 'variation', 'modifier', 'preview', 'add', 'waste', 'category', 'time']
  let seed = 7
  const pick = <E>(from: readonly E[]): E => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return from[seed % from.length] as E
  }
  for (const [path, fields] of forms) {
    for (let round = 0; round < 25; round++) {
      const body = new URLSearchParams()
      for (const field of fields) if (pick([true, true, false])) body.set(field, pick([...values, ...kinds]))
      const response = await fetch(`${shop.url}/office/${path}`, { method: 'POST', redirect: 'manual', headers, body })
      assert.ok(response.status < 500, `${response.status} for ${path}: ${body}`)
    }
    const gets = await fetch(
      `${shop.url}/office/${path}?${fields.map(field => `${field}=${encodeURIComponent(pick(values.slice(0, 7)))}`).join('&')}`,
      { headers },
    )
    assert.ok(gets.status < 500, `${gets.status} for GET ${path}`)
  }
  assert.equal(shop.logged.filter(line => line.level === 'error').length, 0)
})
