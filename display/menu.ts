import type { RestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import { amount, type Column, count, words } from './cell.ts'

/** A dish, one of its sizes, or an option: everything with an id and a price. */
export interface MenuEntry {
  kind: 'dish' | 'size' | 'option'
  id: number
  title: string
  /** The category of a dish, the dish of a size, the group of an option. */
  of: string
  /** Thousandths of the major unit, before changes by a branch. */
  price: number
  isPublished: boolean
}

/** Everything on the menu, in display order; with a text, only what has it in its title or in that of its parent. */
export function menuEntries({ categories, modifier_groups }: RestaurantFile, text = ''): MenuEntry[] {
  const all: MenuEntry[] = [
    ...categories.flatMap(category =>
      category.items.flatMap(item => [
        entryOf('dish', item, category.title, category.published),
        ...item.variations.map(size => entryOf('size', size, item.title, category.published && item.published)),
      ]),
    ),
    ...modifier_groups.flatMap(group => group.modifiers.map(option => entryOf('option', option, group.title, true))),
  ]
  const wanted = text.trim().toLowerCase()
  return all.filter(({ title, of }) => `${title}\n${of}`.toLowerCase().includes(wanted))
}

function entryOf(
  kind: MenuEntry['kind'],
  { id, title, price, published }: { id: number; title: string; price: number | null; published: boolean },
  of: string,
  isOffered: boolean,
): MenuEntry {
  return { kind, id, title, of, price: price ?? 0, isPublished: isOffered && published }
}

export const menuColumns: Column<MenuEntry>[] = [
  { key: 'kind', head: '', cell: entry => words(entry.kind) },
  { key: 'id', head: 'id', cell: entry => count(entry.id) },
  { key: 'title', head: 'name', cell: entry => words(entry.title) },
  { key: 'of', head: 'of', cell: entry => words(entry.of) },
  { key: 'price', head: 'price', cell: ({ price }) => (price % 10 === 0 ? amount(price / 10, 2) : amount(price, 3)) },
  { key: 'published', head: '', cell: entry => words(entry.isPublished ? null : 'not published') },
]

export function menuEntryJson({ kind, id, title, of, price, isPublished }: MenuEntry) {
  return { kind, id, title, of, price: price / 1000, published: isPublished }
}
