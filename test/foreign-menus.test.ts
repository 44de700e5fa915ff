import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { type ConversionOptions, type Converted, convertMenu } from '../store/foreign-menus/convert.ts'
import { readCsv } from '../store/foreign-menus/file/csv.ts'
import { markIn, readPrice } from '../store/foreign-menus/prices.ts'
import { parseRestaurantFile, type RestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { root } from './support/folders.ts'
import type { ExpectedMenu } from './support/independent-calculation.ts'
import { openShop } from './support/shop.ts'
import { type Cell, workbook } from './support/workbook.ts'

const example = (name: string) => readFileSync(join(root, 'examples/moving-in', name))
const square = example('square-items.csv')
const loyverse = example('loyverse-items.csv')
const uber = example('uber-eats-menu.json')
const list = example('menu.txt')

function converted(source: Buffer | string, options: ConversionOptions = {}): Converted & { file: RestaurantFile } {
  const conversion = convertMenu(Buffer.from(source), options)
  if (!conversion.ok) assert.fail(conversion.refusal)
  const { file, problems } = parseRestaurantFile(JSON.stringify(conversion.restaurant))
  assert.deepEqual(problems, [])
  return { ...conversion, file }
}

/** Every price of a restaurant, as a guest at each location pays it: "Latte (Small) 3.3". */
function prices(file: RestaurantFile): string[] {
  return file.locations.flatMap(location => {
    const own = new Map(location.items.map(entry => [entry.id, entry]))
    const ownSizes = new Map(location.variations.map(entry => [entry.id, entry.price]))
    const dishes = file.categories.flatMap(({ title, items }) => items.map(item => ({ ...item, category: title })))
    return dishes.flatMap(item => {
      const where = file.locations.length > 1 ? `${location.title}: ` : ''
      const start = `${where}${item.category} / ${item.title}`
      if (!item.published) return [`${start} not published`]
      if (own.get(item.id)?.enabled === false) return [`${start} off`]
      if (item.variations.length === 0) return [`${start} ${(own.get(item.id)?.price ?? item.price) / 1000}`]
      return item.variations.map(size => `${start} (${size.title}) ${(ownSizes.get(size.id) ?? size.price) / 1000}`)
    })
  })
}

function options(file: RestaurantFile): string[] {
  return file.modifier_groups.map(group => {
    const entries = group.modifiers.map(
      ({ title, price, max_quantity }) => `${title} ${price / 1000} ×${max_quantity ?? '∞'}`,
    )
    return `${group.title} ${group.selection_type} ${group.min_select}–${group.max_select}: ${entries.join(', ')}`
  })
}

function told({ unknown }: Converted): string[] {
  return unknown.map(({ place, message }) => `${place}: ${message}`)
}

test('a Square export keeps every price, by size and by branch', () => {
  const { file, kind, currency } = converted(square)
  assert.deepEqual([kind, currency], ['square', 'GBP'])
  const everywhere = [
    'Breakfast / Porridge 4.8',
    'Rolls, baps / Bacon roll 4.5',
    'Kitchen / Fish finger sandwich 8.9',
    'Kitchen / Pumpkin soup not published',
    'Coffee / Flat White (double) 3.4',
    'Coffee / Latte (Small) 3.3',
    'Coffee / Latte (Large) 3.8',
    'Tea / Pot of tea 2.7',
    'Cold / Tap water 0',
    'Cold / Still lemonade 3.1',
  ]
  const expected = [
    ...['Harbour Lane', 'Station Kiosk'].flatMap(branch => everywhere.map(line => `${branch}: ${line}`)),
    'Harbour Lane: Breakfast / Full English 11.5',
    'Station Kiosk: Breakfast / Full English 9.95',
    'Harbour Lane: Breakfast / Eggs Benedict (Small) 7.25',
    'Harbour Lane: Breakfast / Eggs Benedict (Large) 9.75',
    'Station Kiosk: Breakfast / Eggs Benedict (Small) 7.25',
    'Station Kiosk: Breakfast / Eggs Benedict (Large) 9.25',
    'Harbour Lane: Rolls, baps / Egg roll 4.2',
    'Station Kiosk: Rolls, baps / Egg roll off',
    'Harbour Lane: Kitchen / Soup 5.4',
    'Station Kiosk: Kitchen / Soup 4.9',
    'Harbour Lane: Beer / Lager (Half) 3.05',
    'Harbour Lane: Beer / Lager (Pint) 5.6',
    'Station Kiosk: Beer / Lager off',
    'Harbour Lane: Private hire / Christmas table 4250',
    'Station Kiosk: Private hire / Christmas table off',
  ]
  assert.deepEqual(prices(file).sort(), expected.sort())
})

test('a Square export keeps plain descriptions, what contains alcohol, and which dish has which options', () => {
  const { file } = converted(square)
  const items = new Map(file.categories.flatMap(category => category.items).map(item => [item.title, item]))
  assert.equal(
    items.get('Full English')?.description,
    'Two eggs, bacon & sausage.\nServed until 11:30\n- toast\n- beans',
  )
  assert.equal(items.get('Fish finger sandwich')?.description, 'Tartare & rocket, "the big one"')
  assert.deepEqual([items.get('Lager')?.is_alcohol, items.get('Soup')?.is_alcohol], [true, false])
  assert.deepEqual(
    items.get('Full English')?.modifier_groups.map(({ id }) => id),
    [2, 3],
  )
  assert.deepEqual(options(file), [
    'Milk multiple 0–0: ',
    'Breakfast extras multiple 0–0: ',
    'Sauce - on the side multiple 0–0: ',
  ])
})

test('what a Square export does not say is listed with its row, and left out instead of guessed', () => {
  assert.deepEqual(told(converted(square, { timeZone: 'Europe/London' })), [
    'row 8: "Porridge" stands in "Food > Breakfast" only, not also in Food > Vegan.',
    'row 11: "Catch of the day" has a variable price, so it is left out.',
    'row 18: "Latte (Bucket)" has no price, so it is left out.',
    'the header: The tax "VAT" of 20 % is on 19 of 20 rows, but not whether prices include it. Set tax_rate and prices_include_tax.',
    '/modifier_groups/0: Of "Milk" only the name is known: add its options, or remove it.',
    '/modifier_groups/1: Of "Breakfast extras" only the name is known: add its options, or remove it.',
    '/modifier_groups/2: Of "Sauce - on the side" only the name is known: add its options, or remove it.',
    '/locations/0: "Harbour Lane": the file does not tell its opening hours, its tax rate, and whether prices include it.',
    '/locations/1: "Station Kiosk": the file does not tell its opening hours, its tax rate, and whether prices include it.',
  ])
})

/** The Square example as a workbook, with prices that are numbers where that is possible. */
function squareWorkbook(): Buffer {
  const rows = readCsv(square.toString('utf8').slice(1), ',').map(({ cells }) => cells)
  const priced = rows[3]?.flatMap((name, at) => (/^Price/.test(name) ? [at] : [])) ?? []
  const items = rows.map((cells, row) =>
    cells.map((cell, at): Cell => {
      const isNumber = row > 3 && priced.includes(at) && /^£[\d.]+$/.test(cell)
      return isNumber ? Number(cell.slice(1)) : cell
    }),
  )
  return workbook({ 'Read me': [['How to use this file']], Items: items, 'Component Inventory': [['Token\n(locked)']] })
}

test('a Square workbook says the same as the CSV, though its numbers are written with 17 digits', () => {
  const { restaurant, unknown } = converted(square)
  const same = converted(squareWorkbook())
  assert.deepEqual(same.restaurant, restaurant)
  assert.deepEqual(same.unknown, unknown)
})

test('the columns of an older Square export are read: Category, and no branches', () => {
  const source = [
    'Token;Item Name;Variation Name;SKU;Description;Category;Price',
    'A1;Schnitzel;Regular;;;Küche;14,50 €',
    'A2;Bier;0,3 l;;;Getränke > kalt;3,20',
    'A3;Bier;0,5 l;;;Getränke > kalt;4,80',
    'A4;Tafel für 20;Regular;;;Küche;1.250',
  ]
  const { file } = converted(source.join('\n'), { currency: 'EUR' })
  assert.deepEqual(prices(file), [
    'Küche / Schnitzel 14.5',
    'Küche / Tafel für 20 1250',
    'Getränke > kalt / Bier (0,3 l) 3.2',
    'Getränke > kalt / Bier (0,5 l) 4.8',
  ])
})

test('categories of the same last name keep their whole path', () => {
  const source = ['Token,Item Name,Categories,Price', '1,Soup,Lunch > Starters,5.00', '2,Olives,Dinner > Starters,4.00']
  const { file } = converted(source.join('\n'), { currency: 'USD' })
  assert.deepEqual(
    file.categories.map(({ title }) => title),
    ['Lunch – Starters', 'Dinner – Starters'],
  )
})

test('a second row of the same size is listed and left out, and a dish sold nowhere keeps its price unpublished', () => {
  const square = ['Token,Item Name,Variation Name,Categories,Price', '1,Tea,Small,Hot,2.00', '2,Tea,small,Hot,2.50']
  const twice = converted(square.join('\n'), { currency: 'USD' })
  assert.deepEqual(prices(twice.file), ['Hot / Tea (Small) 2'])
  assert.equal(told(twice)[0], 'row 3: "Tea (small)" has another row already, so it is left out.')
  const loyverse = [
    'Handle,SKU,Name,Category,Sold by weight,Price [A],Available for sale [A]',
    'pie,1,Pie,Food,N,4.00,N',
  ]
  const { file } = converted(loyverse.join('\n'), { currency: 'USD' })
  const [item] = file.categories[0]?.items ?? []
  assert.deepEqual([item?.price, item?.published], [4000, false])
})

test('a size that is archived is not published, and neither the default nor the price of the dish', () => {
  const source = [
    'Token,Item Name,Variation Name,Categories,Price,Archived',
    '1,Tea,Tiny,Hot,1.00,Y',
    '2,Tea,Large,Hot,3.00,N',
  ]
  const { file } = converted(source.join('\n'), { currency: 'USD' })
  const [tea] = file.categories[0]?.items ?? []
  assert.deepEqual([tea?.price, tea?.published], [3000, true])
  const sizes = tea?.variations.map(({ title, published, is_default }) => [title, published, is_default])
  assert.deepEqual(sizes, [
    ['Tiny', false, false],
    ['Large', true, true],
  ])
})

test('a Loyverse export keeps every price, by size and by store', () => {
  const { file } = converted(loyverse, { currency: 'EUR' })
  const both = [
    'Sopas / Caldo verde 3.5',
    'Bebidas / Imperial 1.5',
    'Bebidas / Vinho da casa (Copo / Tinto) 2.2',
    'Bebidas / Vinho da casa (Copo / Branco) 2.2',
    'Bebidas / Vinho da casa (Jarro 1/2 l / Branco) 5.5',
    'Bebidas / Água 33 cl 1.1',
    'Sanduíches / Prego no pão 6.8',
    'Sanduíches / Prego duplo 9.9',
    'Pratos / Leitão not published',
    'Sobremesas / Pastel de nata 1.25',
  ]
  const expected = [
    ...['Baixa', 'Foz'].flatMap(store => both.map(line => `${store}: ${line}`)),
    'Baixa: Sopas / Sopa do dia 2.9',
    'Foz: Sopas / Sopa do dia 3.2',
    'Baixa: Menus / Menu prego 7.9',
    'Foz: Menus / Menu prego 8.2',
    'Baixa: Bebidas / Vinho da casa (Jarro 1/2 l / Tinto) 5.5',
    'Foz: Bebidas / Vinho da casa (Jarro 1/2 l / Tinto) 6',
    'Baixa: Pratos / Polvo à lagareiro 17.5',
    'Foz: Pratos / Polvo à lagareiro off',
    'Baixa: Pratos / Arroz de marisco 14.75',
    'Foz: Pratos / Arroz de marisco off',
  ]
  assert.deepEqual(prices(file).sort(), expected.sort())
})

test('what Loyverse counts and includes in a dish becomes stock with a recipe, and an ingredient is no dish', () => {
  const { file } = converted(loyverse, { currency: 'EUR' })
  const titles = new Map(file.categories.flatMap(category => category.items).map(({ id, title }) => [id, title]))
  assert.ok(![...titles.values()].includes('Pão de prego'))
  const stock = file.locations.map(location =>
    location.stock.map(({ title, on_hand, low_at, recipe }) => {
      const parts = recipe.map(({ item, qty }) => `${titles.get(item ?? 0)} ×${qty / 1000}`)
      return `${title}: ${(on_hand ?? 0) / 1000}, low at ${low_at === null ? '–' : low_at / 1000}; ${parts.join(', ')}`
    }),
  )
  const pregos = 'Prego no pão ×1, Prego duplo'
  assert.deepEqual(stock, [
    [
      `Pão de prego: 60, low at 12; ${pregos} ×1, Menu prego ×1`,
      `Bife da vazia 120 g: 35, low at 6; ${pregos} ×2, Menu prego ×1`,
      'Imperial: 200, low at –; Imperial ×1, Menu prego ×1',
    ],
    [
      `Pão de prego: 42, low at 10; ${pregos} ×1, Menu prego ×1`,
      `Bife da vazia 120 g: 18, low at 5; ${pregos} ×2, Menu prego ×1`,
      'Imperial: 150, low at –; Imperial ×1, Menu prego ×1',
    ],
  ])
})

test('what a Loyverse export does not say is listed with its row', () => {
  assert.deepEqual(told(converted(loyverse, { currency: 'EUR', timeZone: 'Europe/Lisbon' })).slice(0, 5), [
    'row 20: "Peixe do dia" has no price, so it is left out.',
    'row 21: "Leitão" is sold by weight, which a menu cannot say; it is not published.',
    'row 22: "Arroz de marisco" has no price at Foz, so the dish is switched off there.',
    'the column Track stock: 1 counted items are part of no other; their counts are not taken over (docs/stock.md).',
    'the header: The tax "IVA" of 13 % is on 16 of 22 rows, but not whether prices include it. Set tax_rate and prices_include_tax.',
  ])
})

test('a dish that includes what is not counted, or not there, has no recipe, so that it is not sold out at once', () => {
  const header =
    'Handle,SKU,Name,Category,Sold by weight,SKU of included item,Quantity of included item,Track stock,Default price,In stock'
  const rows = ['bun,1,Bun,Bread,N,,,N,1.00,', 'roll,2,Roll,Food,N,1,1,N,4.00,', 'roll,,,,,9,1,,,']
  const conversion = converted([header, ...rows].join('\n'), { currency: 'USD' })
  assert.deepEqual(conversion.file.locations[0]?.stock, [])
  assert.deepEqual(told(conversion).slice(0, 2), [
    'row 3: "Roll" includes "Bun", which is not counted, so it has no recipe.',
    'row 4: "Roll" includes the SKU 9, which no row has.',
  ])
})

test('an Uber Eats menu keeps every price and every option, with what an option costs in its group', () => {
  const { file } = converted(uber, { currency: 'EUR' })
  assert.deepEqual(prices(file), [
    'Vom Spieß / Döner im Brot 7.5',
    'Vom Spieß / Dürüm 8.5',
    'Vom Spieß / Dönerteller 12.9',
    'Ohne Spieß / Lahmacun 4.9',
    'Ohne Spieß / Falafel im Brot 6.5',
    'Ohne Spieß / Linsensuppe 4.5',
    'Menüs / Döner-Menü 10.9',
    'Getränke / Ayran 0,25 l 2',
    'Getränke / Cola 0,33 l 2.9',
    'Getränke / Efes 0,5 l 3.9',
    'Süßes / Baklava, 3 Stück 3.9',
  ])
  assert.deepEqual(options(file), [
    'Fleisch single 1–1: Kalb 0 ×1, Hähnchen 0 ×1',
    'Soßen multiple 0–3: Kräuter 0 ×1, Knoblauch 0 ×1, Scharf 0 ×2',
    'Extras multiple 0–5: Schafskäse 1 ×2, Peperoni 0.5 ×3',
    'Beilage single 1–1: Pommes 0 ×1, Reis 0 ×1',
    'Getränk single 1–1: Ayran 0,25 l 0 ×1, Cola 0,33 l 0.5 ×1',
    'Dip single 0–1: Mayo 0.6 ×∞',
  ])
  const lahmacun = file.categories[1]?.items[0]
  assert.deepEqual(lahmacun?.modifier_groups, [{ id: 2, min_select: 0, max_select: 1 }])
  assert.equal(file.categories[3]?.items[2]?.is_alcohol, true)
  assert.deepEqual(file.locations[0]?.opening_hours.sun, { open: '12:00', close: '22:30' })
})

test('what an Uber Eats menu says and a restaurant file cannot is listed', () => {
  assert.deepEqual(told(converted(uber, { currency: 'EUR', timeZone: 'Europe/Berlin' })), [
    'item pommes: The option "Pommes" has options of its own (dip), which are left out.',
    'tax_info: 9 dishes have the vat_rate_percentage 7; set tax_rate and prices_include_tax.',
    'tax_info: 2 dishes have the vat_rate_percentage 19; set tax_rate and prices_include_tax.',
    'image_url: 1 pictures are addresses on the web; put the files below SITE_ROOT.',
    'item linsensuppe: "Linsensuppe" is suspended on Uber Eats; on the menu here it is available.',
    'translations: The titles in en are left out; those in de are kept.',
    '/locations/0: "Restaurant": the file does not tell its name, its tax rate, and whether prices include it.',
  ])
})

for (const [currency, price] of [
  ['EUR', 'Suppe 4.5'],
  ['JPY', 'Suppe 450'],
  ['KWD', 'Suppe 0.45'],
] as const) {
  test(`an Uber Eats price of 450 is in the minor units of ${currency}`, () => {
    const menu = {
      menus: [{ id: 'm', category_ids: ['c'] }],
      categories: [{ id: 'c', title: { translations: { en: 'Food' } }, entities: [{ id: 'i', type: 'ITEM' }] }],
      items: [{ id: 'i', title: { translations: { en: 'Suppe' } }, price_info: { price: 450 } }],
    }
    assert.deepEqual(prices(converted(JSON.stringify(menu), { currency }).file), [`Food / ${price}`])
  })
}

test('limits that no guest could meet are dropped and listed, so that the dish can be ordered', () => {
  const group = (id: string, min: number, max: number) => ({
    id,
    title: { translations: { en: id } },
    quantity_info: { quantity: { min_permitted: min, max_permitted: max } },
    modifier_options: id === 'empty' ? [{ id: 'gone' }] : [{ id: 'o' }],
  })
  const menu = {
    menus: [{ id: 'm', category_ids: ['c'] }],
    categories: [{ id: 'c', title: { translations: { en: 'Food' } }, entities: [{ id: 'i' }] }],
    items: [
      {
        id: 'i',
        title: { translations: { en: 'Pie' } },
        price_info: { price: 450 },
        modifier_group_ids: { ids: ['few', 'odd', 'empty'] },
      },
      {
        id: 'o',
        title: { translations: { en: 'Peas' } },
        price_info: { price: 0 },
        quantity_info: { quantity: { max_permitted: 2 } },
      },
    ],
    modifier_groups: [group('few', 3, 0), group('odd', 2, 1), group('empty', 1, 1)],
  }
  const conversion = converted(JSON.stringify(menu), { currency: 'GBP' })
  assert.deepEqual(options(conversion.file), [
    'few multiple 0–0: Peas 0 ×2',
    'odd single 0–1: Peas 0 ×2',
    'empty single 0–1: ',
  ])
  assert.deepEqual(told(conversion).slice(0, 4), [
    'modifier group empty: It names the item gone, which the file does not have or has no title for.',
    '/modifier_groups/0: The limits of "few" (3 to 0) cannot be met, so it has none.',
    '/modifier_groups/1: The limits of "odd" (2 to 1) cannot be met, so it has none.',
    '/modifier_groups/2: Of "empty" only the name is known: add its options, or remove it.',
  ])
})

test('a text list keeps every price, its headings as categories and indented lines as descriptions', () => {
  const { file, currency } = converted(list)
  assert.equal(currency, 'EUR')
  assert.deepEqual(prices(file), [
    'Para começar / Pão e azeitonas 2.2',
    'Para começar / Chouriço assado 7.5',
    'Para começar / Pataniscas de bacalhau (4) 8',
    'Pratos / Francesinha 13.5',
    'Pratos / Bacalhau à Brás 12.9',
    'Pratos / Arroz de tamboril (2 pessoas) 34',
    'Pratos / Polvo à lagareiro 18.5',
    'Bebidas / Imperial 1.6',
    'Bebidas / Vinho da casa, copo 2.4',
    'Bebidas / Água 33 cl 1.2',
    'Bebidas / Café 0.9',
    'Sobremesas / Pastel de nata 1.3',
    'Sobremesas / Leite-creme 3.8',
  ])
  const described = file.categories.flatMap(({ items }) => items.flatMap(item => item.description ?? []))
  assert.deepEqual(described, ['com maionese de alho', 'com ovo e batata frita'])
})

test('capitals between a dish and its price are part of the dish unless they are a currency', () => {
  const { file } = converted('Food\nPrego DOC 5,00\nBifana EUR 4,00\nSandes BLT … 6,00', { currency: 'EUR' })
  assert.deepEqual(prices(file), ['Food / Prego DOC 5', 'Food / Bifana 4', 'Food / Sandes BLT 6'])
})

test('a line of a text list that may be read in two ways is listed, not guessed', () => {
  assert.deepEqual(told(converted(list)).slice(0, 5), [
    'line 1: "TABERNA DO CAIS" is followed by no dish; it is neither a dish nor a category.',
    'line 15: "Lagosta … preço do dia" has no price, so it is left out.',
    'line 16: "Bitoque" ends with 11, which may be a price or part of the name (write it as 11,00 or 11.00), so it is left out.',
    'line 21: "Vinho da casa, jarro 3,50 /" has more than one price, so it is left out.',
    'line 29: "Bom apetite!" is followed by no dish; it is neither a dish nor a category.',
  ])
})

for (const [name, source, currency] of [
  ['the Square export', square, 'GBP'],
  ['the Loyverse export', loyverse, 'EUR'],
  ['the Uber Eats menu', uber, 'EUR'],
  ['the text list', list, 'EUR'],
] as const) {
  test(`guests of the API see every price of ${name}, and none that it does not have`, async t => {
    const { file, restaurant } = converted(source, { currency })
    const shop = await openShop(t, { restaurant })
    const { body } = await shop.get('/locations')
    const shown: string[] = []
    for (const { id, title } of body.data) {
      const menu: ExpectedMenu = (await shop.get(`/locations/${id}/menu`)).body.data
      for (const category of menu.categories) {
        for (const item of category.items) {
          const start = `${body.data.length > 1 ? `${title}: ` : ''}${category.title} / ${item.title}`
          if (item.variations.length === 0) shown.push(`${start} ${item.price}`)
          for (const size of item.variations) shown.push(`${start} (${size.title}) ${size.price}`)
        }
      }
    }
    assert.deepEqual(
      shown,
      prices(file).filter(line => !/ (off|not published)$/.test(line)),
    )
  })
}

const written: [text: string, mark: '.' | ',' | null, amount: number | RegExp][] = [
  ['£4,250.00', null, 4_250_000],
  ['13,50', null, 13_500],
  ['8.90 €', null, 8_900],
  ['EUR 8.90', null, 8_900],
  ['1.234.567,89', null, 1_234_567_890],
  ["1'250.00", null, 1_250_000],
  ['1 250,00', null, 1_250_000],
  ['12,-', null, 12_000],
  ['7', null, 7_000],
  ['0', null, 0],
  ['0.00', null, 0],
  ['9,5', null, 9_500],
  ['1.250', ',', 1_250_000],
  ['1.250', '.', 1_250],
  ['1,250', '.', 1_250_000],
  ['2.1250', '.', 2_125],
  ['0.29', null, 290],
  ['1.005', '.', 1_005],
  ['1,250', null, /can be read in two ways/],
  ['', null, /has no price/],
  ['variable', null, /has a variable price/],
  ['-5', null, /"-5" for a price/],
  ['2.5.', null, /for a price/],
  ['1,25.000', null, /for a price/],
  ['1.23456', null, /for a price/],
  ['5 each', null, /for a price/],
  ['1e3', null, /for a price/],
  ['=1+1', null, /for a price/],
  ['CHF 5.00', null, /not in/],
  ['$5.00', null, /not in/],
  ['12 kr', null, /not in/],
  ['1.250.50', null, /for a price/],
  ['999999999', null, /too large/],
]
for (const [text, mark, expected] of written) {
  const what = expected instanceof RegExp ? `is no price: ${expected.source}` : `is ${expected} thousandths`
  test(`"${text}"${mark === null ? '' : ` where "${mark}" is the decimal mark`} ${what}`, () => {
    const price = readPrice(text, { currency: text.startsWith('£') ? 'GBP' : 'EUR', mark })
    if (expected instanceof RegExp) assert.match('flaw' in price ? price.flaw : String(price.amount), expected)
    else assert.deepEqual(price, { amount: expected })
  })
}

test('the decimal mark of a file is what its unmistakable prices agree on', () => {
  assert.equal(markIn(['1.250', '3,20']), ',')
  assert.equal(markIn(['1,250', '$3.20']), '.')
  assert.equal(markIn(['1.250.000', '7']), ',')
  assert.equal(markIn(['1,250', '7']), null)
  assert.equal(markIn(['3,20', '3.20']), null)
})
