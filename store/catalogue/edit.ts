import { category, item, modifierGroup } from '../restaurant-file/dishes.ts'
import { type Format, placeAt } from '../restaurant-file/format.ts'
import { parseRestaurantFile, type RestaurantFile, writeRestaurantFile } from '../restaurant-file/restaurant-file.ts'
import type { Finding } from '../terms/finding.ts'
import type { CategoryId, GroupId, ItemId, LocationId, ModifierId, VariationId } from '../terms/ids.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'

/** Members of a record as a restaurant file has them. New sizes and options have no id. */
export type Members = Record<string, unknown>

/**
 * One step of an edit of the menu, in the terms of the restaurant file. `was` is what the person saw: a member or a price that
 * somebody else has changed since is not overwritten (decision 050).
 */
export type MenuEdit =
  | { edit: 'change'; record: 'item' | 'category' | 'modifier_group'; id: number; was: Members; wanted: Members }
  | { edit: 'prices'; prices: PriceEdit[] }
  | { edit: 'offer'; item: number; location: number; was: boolean; isOffered: boolean }
  /** Moves a dish or a category before another one or (null) to the end. `category` is the one in which a dish ends up. */
  | { edit: 'move'; record: 'item'; id: number; category: number; before: number | null }
  | { edit: 'move'; record: 'category'; id: number; before: number | null }
  | { edit: 'add'; record: 'item'; category: number; wanted: Members }
  | { edit: 'add'; record: 'category' | 'modifier_group'; wanted: Members }
  /** Copies a dish with its sizes, branch prices, recipes and kitchen rules; the copy is not published. */
  | { edit: 'copy'; item: number; title: string }

/** A price of a dish, a size or an option in thousandths; at a location, null inherits. */
export interface PriceEdit {
  kind: 'item' | 'variation' | 'modifier'
  id: number
  /** Null: everywhere, unless a location has its own. */
  location: number | null
  was: number | null
  price: number | null
}

/** A problem at a place of the edited restaurant. */
export interface EditProblem extends Finding {
  /** The place within the edited record, such as "variations/0/price"; null: elsewhere. */
  field: string | null
}

export const idKinds = ['item', 'category', 'modifier_group', 'variation', 'modifier', 'routing_rule'] as const
type IdKind = (typeof idKinds)[number]
/** Returns an id that no record of this kind has or ever had. */
export type NewId = (kind: IdKind) => number

export type EditRefusal = Refusal<
  | 'edit does not fit'
  | 'changed meanwhile'
  | 'unknown item'
  | 'unknown category'
  | 'unknown group'
  | 'unknown size'
  | 'unknown option'
  | 'unknown location'
>

/** The restaurant after an edit, with the ids of the records that it adds; the present one is unchanged. */
export interface Edited {
  next: RestaurantFile
  added: number[]
}

/**
 * Makes the steps of an edit, then checks the whole restaurant as if it were imported. Refuses what an import would refuse, and
 * to overwrite what has changed since the person saw it.
 */
export function editRestaurant(present: RestaurantFile, edits: MenuEdit[], newId: NewId): Edited | EditRefusal {
  const draft: Draft = { file: structuredClone(present), newId, problems: [], clashes: [], added: [], edited: null }
  const refusal = firstRefusal(edits, edit => step(draft, edit))
  if (refusal) return refusal
  if (draft.clashes.length > 0) return { refused: 'changed meanwhile', fields: draft.clashes }
  if (draft.problems.length > 0) return { refused: 'edit does not fit', problems: draft.problems }
  dropDangling(draft.file)
  const { file: next, problems } = parseRestaurantFile(JSON.stringify(writeRestaurantFile(draft.file)))
  if (problems.length === 0) return { next, added: draft.added }
  const place = draft.edited && pointerTo(draft.edited, draft.file)
  return {
    refused: 'edit does not fit',
    problems: problems.map(problem => ({
      ...problem,
      field: place && problem.pointer.startsWith(`${place}/`) ? problem.pointer.slice(place.length + 1) : null,
    })),
  }
}

interface Draft {
  file: RestaurantFile
  newId: NewId
  problems: EditProblem[]
  clashes: Refusal<'changed meanwhile'>['fields']
  added: number[]
  /** The record that the person edits, whose problems belong beside its fields. */
  edited: object | null
}

type Entry = { id: number }

function step(draft: Draft, edit: MenuEdit): EditRefusal | undefined {
  switch (edit.edit) {
    case 'change':
      return change(draft, edit)
    case 'prices':
      return firstRefusal(edit.prices, wanted => reprice(draft, wanted))
    case 'offer':
      return offer(draft, edit)
    case 'move':
      return move(draft, edit)
    case 'add':
      return add(draft, edit)
    case 'copy':
      return copy(draft, edit)
  }
}

function change(draft: Draft, edit: Extract<MenuEdit, { edit: 'change' }>): EditRefusal | undefined {
  const { file } = draft
  if (edit.record === 'category') return changeEntry(draft, edit, file.categories, category)
  if (edit.record === 'modifier_group') return changeEntry(draft, edit, file.modifier_groups, modifierGroup)
  return changeEntry(draft, edit, categoryOf(file, edit.id)?.items ?? [], item)
}

function changeEntry<E extends Entry>(
  draft: Draft,
  { record, id, was, wanted }: Extract<MenuEdit, { edit: 'change' }>,
  entries: E[],
  format: Format<E>,
): EditRefusal | undefined {
  const index = entries.findIndex(entry => entry.id === id)
  const entry = entries[index]
  if (!entry) return unknown(record, id)
  const document = membersOf(format, entry)
  const next = read(draft, format, { ...document, ...wanted, ...withIds(draft, wanted) })
  // Both are read, too, so that all three have their members in the same order.
  const seen = format.read({ ...document, ...was }, placeAt('', []))
  const present = format.read(document, placeAt('', []))
  const merged: E = { ...entry }
  for (const member of Object.keys(wanted)) {
    const [before, now, then] = [seen, present, next].map(each => JSON.stringify(Reflect.get(each, member)))
    if (then === before || then === now) continue
    if (now === before) Reflect.set(merged, member, Reflect.get(next, member))
    else draft.clashes.push({ field: member, now: document[member] ?? null })
  }
  entries[index] = merged
  draft.edited = merged
  return undefined
}

function reprice(draft: Draft, wanted: PriceEdit): EditRefusal | undefined {
  const place = placeOfPrice(draft.file, wanted)
  if (isRefused(place)) return place
  const now = place.price()
  if (now === wanted.was || now === wanted.price) place.set(wanted.price)
  else draft.clashes.push({ field: priceKey(wanted), now })
  return undefined
}

/** The name of a price among all prices: "item-12", at a location "item-12-3". */
export function priceKey({ kind, id, location }: Pick<PriceEdit, 'kind' | 'id' | 'location'>): string {
  return location === null ? `${kind}-${id}` : `${kind}-${id}-${location}`
}

/** Reads and sets a price of the file. A price that is needed is not taken away: null leaves it as it is. */
function placeOfPrice(
  file: RestaurantFile,
  { kind, id, location: locationId }: PriceEdit,
): { price(): number | null; set(price: number | null): void } | EditRefusal {
  const items = file.categories.flatMap(each => each.items)
  const priced: (Entry & { price: number })[] =
    kind === 'item'
      ? items
      : kind === 'variation'
        ? items.flatMap(each => each.variations)
        : file.modifier_groups.flatMap(group => group.modifiers)
  const entry = priced.find(each => each.id === id)
  if (!entry) return unknown(kind, id)
  if (locationId === null) {
    return {
      price: () => entry.price,
      set(price) {
        entry.price = price ?? entry.price
      },
    }
  }
  const location = file.locations.find(each => each.id === locationId)
  if (!location) return { refused: 'unknown location', location: locationId as LocationId }
  if (kind === 'modifier') return unknown(kind, id)
  const own = (location[kind === 'item' ? 'items' : 'variations'] as Exception[]).find(each => each.id === id)
  return {
    price: () => own?.price ?? null,
    set(price) {
      if (own) own.price = price
      else if (price === null) return
      else if (kind === 'item') location.items.push({ id, enabled: true, available: null, price })
      else location.variations.push({ id, price })
    },
  }
}

type Exception = Entry & { price: number | null }

function offer(
  draft: Draft,
  { item: id, location: locationId, was, isOffered }: Extract<MenuEdit, { edit: 'offer' }>,
): EditRefusal | undefined {
  const location = draft.file.locations.find(each => each.id === locationId)
  if (!location) return { refused: 'unknown location', location: locationId as LocationId }
  const known = location.items.find(each => each.id === id)
  const now = known?.enabled ?? true
  if (now !== was && now !== isOffered) draft.clashes.push({ field: `offer-${locationId}`, now })
  else if (known) known.enabled = isOffered
  else if (!isOffered) location.items.push({ id, enabled: false, available: null, price: null })
  return undefined
}

function move({ file }: Draft, edit: Extract<MenuEdit, { edit: 'move' }>): EditRefusal | undefined {
  if (edit.record === 'category') return moveEntry(edit, file.categories, file.categories)
  const to = file.categories.find(({ id }) => id === edit.category)
  if (!to) return unknown('category', edit.category)
  return moveEntry(edit, categoryOf(file, edit.id)?.items ?? [], to.items)
}

function moveEntry<E extends Entry>(
  { record, id, before }: Extract<MenuEdit, { edit: 'move' }>,
  from: E[],
  to: E[],
): EditRefusal | undefined {
  const entry = from.find(each => each.id === id)
  if (!entry) return unknown(record, id)
  if (before === id) return undefined
  if (before !== null && !to.some(each => each.id === before)) return unknown(record, before)
  from.splice(from.indexOf(entry), 1)
  to.splice(before === null ? to.length : to.findIndex(each => each.id === before), 0, entry)
  return undefined
}

function add(draft: Draft, edit: Extract<MenuEdit, { edit: 'add' }>): EditRefusal | undefined {
  const { file } = draft
  const owner = edit.record === 'item' ? file.categories.find(({ id }) => id === edit.category) : undefined
  if (edit.record === 'item' && !owner) return unknown('category', edit.category)
  const id = draft.newId(edit.record)
  const document = { ...edit.wanted, ...withIds(draft, edit.wanted), id }
  draft.added.push(id)
  if (edit.record === 'item') owner?.items.push(edited(draft, read(draft, item, document)))
  else if (edit.record === 'category') file.categories.push(edited(draft, read(draft, category, document)))
  else file.modifier_groups.push(edited(draft, read(draft, modifierGroup, document)))
  return undefined
}

function copy(draft: Draft, { item: id, title }: Extract<MenuEdit, { edit: 'copy' }>): EditRefusal | undefined {
  const { file, newId } = draft
  const owner = categoryOf(file, id)
  const original = owner?.items.find(each => each.id === id)
  if (!owner || !original) return unknown('item', id)
  const copyId = newId('item')
  const sizes = new Map(original.variations.map(size => [size.id, newId('variation')]))
  const variations = original.variations.map(size => ({ ...size, id: sizes.get(size.id) ?? 0 }))
  const made = edited(draft, { ...original, id: copyId, title, number: null, published: false, variations })
  owner.items.splice(owner.items.indexOf(original) + 1, 0, made)
  draft.added.push(copyId)
  for (const modifier of file.modifier_groups.flatMap(group => group.modifiers)) {
    modifier.variation_prices.push(...again(modifier.variation_prices, 'variation', sizes))
  }
  const dishes = new Map([[id, copyId]])
  for (const location of file.locations) {
    location.items.push(...again(location.items, 'id', dishes))
    location.variations.push(...again(location.variations, 'id', sizes))
    const rules = again(location.routing, 'item', dishes)
    location.routing.push(...rules.map(rule => ({ ...rule, id: newId('routing_rule') })))
    for (const { recipe } of location.stock) {
      recipe.push(...again(recipe, 'item', dishes), ...again(recipe, 'variation', sizes))
    }
  }
  return undefined
}

/** The entries that refer to one of these ids, once more, with its new id. */
function again<E, Key extends keyof E>(entries: E[], key: Key, ids: ReadonlyMap<number, number>): E[] {
  return entries.flatMap(entry => {
    const id = ids.get(Number(entry[key]))
    return id === undefined ? [] : [{ ...entry, [key]: id }]
  })
}

/** Drops what branches, recipes and options say of sizes and options that an edit has removed. */
function dropDangling({ categories, modifier_groups, locations }: RestaurantFile): void {
  const sizes = idsOf(categories.flatMap(({ items }) => items.flatMap(({ variations }) => variations)))
  const options = idsOf(modifier_groups.flatMap(({ modifiers }) => modifiers))
  for (const modifier of modifier_groups.flatMap(({ modifiers }) => modifiers)) {
    modifier.variation_prices = modifier.variation_prices.filter(({ variation }) => sizes.has(variation))
  }
  for (const location of locations) {
    location.variations = location.variations.filter(({ id }) => sizes.has(id))
    for (const stock of location.stock) {
      stock.recipe = stock.recipe.filter(
        ({ variation, modifier }) =>
          (variation === null || sizes.has(variation)) && (modifier === null || options.has(modifier)),
      )
    }
  }
}

function edited<E extends object>(draft: Draft, entry: E): E {
  draft.edited = entry
  return entry
}

/** Reads a record as the person wrote it, with its problems. */
function read<E>(draft: Draft, format: Format<E>, document: Members): E {
  const problems: Finding[] = []
  const entry = format.read(document, placeAt('', problems))
  draft.problems.push(...problems.map(problem => ({ ...problem, field: problem.pointer.slice(1) })))
  return entry
}

/** A record as it is written in the restaurant file; members that equal their defaults are left out. */
function membersOf<E>(format: Format<E>, entry: E): Members {
  return Object.fromEntries(Object.entries(format.write(entry) ?? {}))
}

/** The lists of sizes and options, with ids for the new ones. */
function withIds({ newId }: Draft, wanted: Members): Members {
  const given = (member: string, kind: IdKind) => {
    const list = wanted[member]
    if (!Array.isArray(list)) return {}
    return { [member]: list.map((entry: Members) => ('id' in entry ? entry : { ...entry, id: newId(kind) })) }
  }
  return { ...given('variations', 'variation'), ...given('modifiers', 'modifier') }
}

function categoryOf({ categories }: RestaurantFile, itemId: number) {
  return categories.find(({ items }) => items.some(({ id }) => id === itemId))
}

function idsOf(entries: Entry[]): Set<number> {
  return new Set(entries.map(({ id }) => id))
}

/** The JSON Pointer of a record within a restaurant file. */
function pointerTo(record: object, file: RestaurantFile): string | undefined {
  for (const [index, each] of file.modifier_groups.entries()) if (each === record) return `/modifier_groups/${index}`
  for (const [index, each] of file.categories.entries()) {
    if (each === record) return `/categories/${index}`
    const at = each.items.findIndex(entry => Object.is(entry, record))
    if (at !== -1) return `/categories/${index}/items/${at}`
  }
  return undefined
}

function firstRefusal<Each>(
  all: readonly Each[],
  refuse: (each: Each) => EditRefusal | undefined,
): EditRefusal | undefined {
  for (const each of all) {
    const refusal = refuse(each)
    if (refusal) return refusal
  }
  return undefined
}

function unknown(record: 'item' | 'category' | 'modifier_group' | 'variation' | 'modifier', id: number): EditRefusal {
  switch (record) {
    case 'item':
      return { refused: 'unknown item', item: id as ItemId }
    case 'category':
      return { refused: 'unknown category', category: id as CategoryId }
    case 'modifier_group':
      return { refused: 'unknown group', group: id as GroupId }
    case 'variation':
      return { refused: 'unknown size', size: id as VariationId }
    case 'modifier':
      return { refused: 'unknown option', option: id as ModifierId }
  }
}
