import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type MenuEdit, priceKey } from '../store/catalogue/edit.ts'
import { staffMenu } from '../store/catalogue/staff-menu.ts'
import { parseRestaurantFile, writeRestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { openStore, type Store } from '../store/store.ts'
import { systemClock } from '../store/terms/clock.ts'
import type { ItemId, LocationId, ModifierId, StockId, VariationId } from '../store/terms/ids.ts'
import { isRefused, type Refusal } from '../store/terms/refusal.ts'
import { temporaryFolder } from './support/folders.ts'
import { pizzeria } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { importInto } from './support/shop.ts'
import { smallRestaurant } from './support/small-restaurant.ts'

const first = 1 as LocationId

function storeOf(t: TestContext, restaurant: unknown): Store {
  const file = join(temporaryFolder(t), 'test.db')
  importInto(file, restaurant)
  const store = openStore(file, { clock: systemClock, create: false, busyMs: 5000, actor: () => person })
  t.after(store.close)
  return store
}

const person = { kind: 'staff', id: 1, name: 'Ana' } as const

function refused(result: unknown): Refusal {
  if (!isRefused(result)) assert.fail('it was not refused')
  return result
}

const exported = (store: Store) => writeRestaurantFile(store.exportCatalogue())

function dish(store: Store, id: number) {
  const items = store.exportCatalogue().categories.flatMap(({ items }) => items)
  return items.find(item => item.id === id) ?? assert.fail(`there is no dish ${id}`)
}

const titled = (was: string, title: string, id = 1): MenuEdit => ({
  edit: 'change',
  record: 'item',
  id,
  was: { title: was },
  wanted: { title },
})

test('an edit is one step that can be undone, by name in the activity, and what it leaves can be imported', t => {
  const store = storeOf(t, smallRestaurant())
  const before = exported(store)
  const edits: MenuEdit[] = [
    titled('Soup', 'Broth'),
    { edit: 'prices', prices: [{ kind: 'item', id: 1, location: null, was: 6000, price: 6500 }] },
    { edit: 'prices', prices: [{ kind: 'item', id: 1, location: 1, was: null, price: 7000 }] },
    { edit: 'offer', item: 2, location: 1, was: true, isOffered: false },
    { edit: 'move', record: 'item', id: 1, category: 2, before: 4 },
    { edit: 'move', record: 'category', id: 2, before: 1 },
  ]
  const { changes } = accepted(store.editMenu(edits))
  assert.deepEqual(
    changes.map(({ thing, title }) => `${thing} ${title}`),
    ['restaurant Test', 'item Broth', 'item at a location Broth', 'item at a location Burger'],
  )
  assert.equal(store.activity({ by: 'Ana' }, 1)[0]?.subject, 'restaurant 0 Test and 3 more')
  const menu = store.catalogue.current().menu(first)
  assert.deepEqual(
    menu?.categories.map(({ title, items }) => [title, ...items.map(({ title, price }) => `${title} ${price}`)]),
    [
      ['Drinks', 'Broth 700', 'Latte 300'],
      ['Mains', 'Steak 2000'],
    ],
  )
  const { file, problems } = parseRestaurantFile(JSON.stringify(exported(store)))
  assert.deepEqual(problems, [])
  assert.deepEqual(accepted(store.previewImport(file, 'replace')).changes, [])

  const { at } = accepted(store.previewUndo())
  assert.equal(refused(store.undoImport(at - 1)).refused, 'undone first')
  assert.equal(accepted(store.undoImport(at)).how, 'edit')
  assert.deepEqual(exported(store), before)
})

test('what an import refuses is refused by an edit, beside its field, and nothing is written', t => {
  const store = storeOf(t, smallRestaurant())
  const before = exported(store)
  const wrong: [wanted: Record<string, unknown>, field: string | null][] = [
    [{ title: ' ' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ price: 'a lot' }, 'price'],
    [{ price: -1 }, 'price'],
    [{ spice_level: 6 }, 'spice_level'],
    [{ image: '../secret.png' }, 'image'],
    [{ colour: 'red' }, 'colour'],
    [{ variations: [{ title: 'Half', price: 1.2345 }] }, 'variations/0/price'],
    // Found at the other dish, which comes later in the file.
    [{ variations: [{ id: 1, title: 'A size of another dish', price: 1 }] }, null],
    [{ allergens: [{ id: 9, presence: 'contains' }] }, 'allergens/0/id'],
    [{ modifier_groups: [{ id: 2, min_select: 2 }] }, 'modifier_groups/0/min_select'],
    [{ tax_class: 3 }, 'tax_class'],
    [{ labels: 'vegan' }, 'labels'],
  ]
  for (const [wanted, field] of wrong) {
    for (const edit of [
      { edit: 'change', record: 'item', id: 1, was: {}, wanted } as const,
      { edit: 'add', record: 'item', category: 1, wanted: { title: 'New', price: 1, ...wanted } } as const,
    ]) {
      const refusal = refused(store.editMenu([edit]))
      assert.equal(refusal.refused, 'edit does not fit', `${edit.edit} ${field}`)
      const fields = refusal.refused === 'edit does not fit' && refusal.problems.map(problem => problem.field)
      assert.deepEqual(fields, [field], edit.edit)
    }
  }
  assert.deepEqual(exported(store), before)
  assert.equal(accepted(store.previewUndo()).how, 'replace')
})

test('two people can edit different things, and nobody overwrites what somebody else has changed meanwhile', t => {
  const store = storeOf(t, smallRestaurant())
  accepted(store.editMenu([titled('Soup', 'Broth')]))
  const mine: MenuEdit = {
    edit: 'change',
    record: 'item',
    id: 1,
    was: { title: 'Soup', description: null },
    wanted: { title: 'Soup', description: 'Hot' },
  }
  accepted(store.editMenu([mine]))
  assert.deepEqual([dish(store, 1).title, dish(store, 1).description], ['Broth', 'Hot'])

  assert.deepEqual(refused(store.editMenu([titled('Soup', 'Stew')])), {
    refused: 'changed meanwhile',
    fields: [{ field: 'title', now: 'Broth' }],
  })
  const price = { kind: 'variation', id: 2, location: 1 } as const
  accepted(store.editMenu([{ edit: 'prices', prices: [{ ...price, was: null, price: 5000 }] }]))
  assert.deepEqual(refused(store.editMenu([{ edit: 'prices', prices: [{ ...price, was: null, price: 4500 }] }])), {
    refused: 'changed meanwhile',
    fields: [{ field: priceKey(price), now: 5000 }],
  })
  assert.deepEqual(accepted(store.editMenu([{ edit: 'prices', prices: [{ ...price, was: null, price: 5000 }] }])), {
    changes: [],
    added: [],
  })
  assert.equal(dish(store, 1).title, 'Broth')
})

test('a new dish and a copy have ids that nothing ever had, and a copy keeps prices, recipes and kitchen rules', t => {
  const store = storeOf(t, pizzeria({ items: [{ id: 4, price: 4 }], variations: [{ id: 2, price: 28 }] }))
  const added = accepted(
    store.editMenu([{ edit: 'add', record: 'item', category: 1, wanted: { title: 'Pie', price: 4 } }]),
  )
  assert.deepEqual(added.added, [5])
  accepted(store.undoImport())
  const { added: again } = accepted(
    store.editMenu([
      {
        edit: 'add',
        record: 'item',
        category: 1,
        wanted: { title: 'Tart', price: 4, variations: [{ title: 'Half', price: 2 }] },
      },
    ]),
  )
  assert.deepEqual(again, [6], 'an order may refer to the dish of which the addition was undone')
  assert.deepEqual(
    dish(store, 6).variations.map(({ id, title }) => [id, title]),
    [[3, 'Half']],
  )

  assert.deepEqual(accepted(store.editMenu([{ edit: 'copy', item: 1, title: 'Calzone' }])).added, [7])
  assert.deepEqual(accepted(store.editMenu([{ edit: 'copy', item: 4, title: 'Gateau' }])).added, [8])
  const [location] = store.exportCatalogue().locations
  assert.equal(dish(store, 7).published, false)
  assert.deepEqual(location?.routing.find(rule => rule.item === 7)?.stations, [1, 2])
  assert.equal(location?.stock[0]?.recipe.find(line => line.item === 7)?.qty, 250)
  assert.equal(location?.items.find(({ id }) => id === 8)?.price, 4000)
  const [, whole] = dish(store, 8).variations
  assert.equal(location?.variations.find(({ id }) => id === whole?.id)?.price, 28_000)
})

test('a size that an edit removes takes its branch prices, recipe and option prices with it', t => {
  const restaurant = pizzeria({
    variations: [{ id: 2, price: 28 }],
    stock: [
      {
        id: 1,
        title: 'Dough',
        on_hand: 9,
        recipe: [
          { variation: 2, qty: 1 },
          { modifier: 1, qty: 1 },
        ],
      },
    ],
  })
  const store = storeOf(t, restaurant)
  const [slice] = dish(store, 4).variations
  accepted(
    store.editMenu([
      {
        edit: 'change',
        record: 'item',
        id: 4,
        was: {},
        wanted: { variations: [{ id: slice?.id, title: 'Piece', price: 3 }] },
      },
    ]),
  )
  const [location] = store.exportCatalogue().locations
  assert.deepEqual(location?.variations, [])
  assert.deepEqual(
    location?.stock[0]?.recipe.map(line => line.modifier),
    [1],
  )
})

test('the staff see why a dish is off, and a dish has a reason exactly if it cannot be ordered', t => {
  const store = storeOf(
    t,
    pizzeria({
      items: [{ id: 2, enabled: false }],
      stock: [
        {
          id: 1,
          title: 'Dough',
          unit: 'kg',
          on_hand: 0.2,
          recipe: [
            { item: 1, qty: 0.25 },
            { variation: 2, qty: 1 },
          ],
        },
      ],
    }),
  )
  const states = [
    () => accepted(store.availability.off({ kind: 'item', id: 3 as ItemId }, null, null)),
    () => accepted(store.availability.off({ kind: 'variation', id: 1 as VariationId }, first, null)),
    () =>
      accepted(store.editMenu([{ edit: 'change', record: 'category', id: 2, was: {}, wanted: { published: false } }])),
    () => accepted(store.shelf.change(1 as StockId, 'set', 5_000_000, null)),
    () =>
      accepted(
        store.editMenu([
          { edit: 'change', record: 'modifier_group', id: 1, was: {}, wanted: { min_select: 1, is_required: true } },
        ]),
      ),
    () => accepted(store.availability.off({ kind: 'modifier', id: 1 as ModifierId }, null, null)),
    () => accepted(store.availability.off({ kind: 'modifier', id: 2 as ModifierId }, null, null)),
  ]
  const seen: string[][] = []
  for (const change of [() => {}, ...states]) {
    change()
    const live = { unavailable: store.availability.list(), shortages: store.shelf.shortages() }
    const menu = staffMenu(store.restaurant(), 1, live) ?? assert.fail('there is no location 1')
    const dishes = menu.categories.flatMap(category => category.dishes)
    const orderable = store.catalogue.current().menu(first)?.items
    for (const { entry, off, sizes } of dishes) {
      const sold = orderable?.get(entry.id as ItemId)
      assert.equal(off.length === 0, sold !== undefined, entry.title)
      const open = sizes.filter(size => size.off.length === 0).map(size => size.entry.id as number)
      if (sold)
        assert.deepEqual(
          open,
          sold.variations.map(({ id }) => id),
          entry.title,
        )
    }
    seen.push(dishes.map(({ entry, off }) => `${entry.title}: ${off.map(({ why }) => why).join(', ')}`))
  }
  assert.deepEqual(seen.at(2), ['Pizza: stock', 'Salad: not offered here', 'Cake: no size left', 'Water: taken off'])
  assert.deepEqual(seen.at(-1), [
    'Pizza: too few options',
    'Salad: not offered here',
    'Cake: ',
    'Water: section not published, taken off',
  ])
})

test('a count is refused if something was sold or counted since the person looked, unless it says the same', t => {
  const store = storeOf(t, pizzeria())
  const dough = 1 as StockId
  accepted(store.shelf.change(dough, 'waste', 500_000, 'dropped'))
  assert.deepEqual(refused(store.shelf.change(dough, 'set', 1_000_000, null, 2_000_000)), {
    refused: 'stock moved',
    title: 'Dough',
    unit: 'kg',
    was: 2_000_000,
    onHand: 1_500_000,
  })
  accepted(store.shelf.change(dough, 'set', 1_500_000, null, 2_000_000))
  accepted(store.shelf.change(dough, 'set', 1_000_000, null, 1_500_000))
  assert.deepEqual(
    store.shelf.movements(0, dough, 10).map(({ kind, qty, actor, note }) => [kind, qty / 1_000_000, actor, note]),
    [
      ['set', -0.5, 'Ana', null],
      ['waste', -0.5, 'Ana', 'dropped'],
      ['set', 2, null, 'restaurant file'],
    ],
  )
})
