import type { Item, Modifier, ModifierGroup } from '../../store/catalogue/catalogue.ts'
import type { DraftLine, DraftModifier } from '../../store/ordering/draft.ts'
import { type ModifierId, parseId, type VariationId } from '../../store/terms/ids.ts'
import { isAtMost, isStorable } from '../../store/terms/text.ts'
import { LONGEST_LINE_NOTE, MOST_OF_A_DISH } from './cart.ts'

/** The fields of the form of a dish. They come in a query or in a body. */
export const choiceFields = { once: ['size', 'quantity', 'note', 'line'], prefixes: ['one-', 'some-'] } as const

/** Reads these fields. */
export interface Fields {
  text(name: (typeof choiceFields.once)[number]): string
  below(prefix: (typeof choiceFields.prefixes)[number]): Map<string, string>
}

/** What a guest has chosen of a dish. */
export interface Chosen {
  line: DraftLine
  /** Which fields have a value that no line can have. */
  wrong: { quantity: boolean; note: boolean; size: boolean }
}

/** The fields of a form that was sent by GET. */
export function fieldsOf(query: URLSearchParams): Fields {
  return {
    text: name => query.get(name) ?? '',
    below: prefix =>
      new Map(
        [...query].flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
      ),
  }
}

/** Whether a query has choices. Otherwise it only opens the dish. */
export function hasChoices(query: URLSearchParams): boolean {
  return query.has('quantity')
}

/** The line of a cart that the fields describe: options in the order of the menu, then those that the dish no longer has. */
export function chosenIn(fields: Fields, item: Item): Chosen {
  const size = numberOf<VariationId>(fields.text('size'))
  const quantity = /^[1-9]\d?$/.test(fields.text('quantity').trim()) ? Number(fields.text('quantity')) : undefined
  const note = fields.text('note').replace(/\s+/g, ' ').trim()
  const isNoteFine = isAtMost(note, LONGEST_LINE_NOTE) && isStorable(note)
  const sent = new Map<ModifierId, number>()
  for (const value of fields.below('one-').values()) {
    const id = numberOf<ModifierId>(value)
    if (id !== undefined) sent.set(id, 1)
  }
  for (const [key, value] of fields.below('some-')) {
    const id = numberOf<ModifierId>(key)
    const count = /^[1-9]\d?$/.test(value.trim()) ? Number(value) : 0
    if (id !== undefined && count > 0) sent.set(id, count)
  }
  const ordered = [...item.options.keys()].filter(id => sent.has(id))
  const others = [...sent.keys()].filter(id => !item.options.has(id))
  const modifiers: DraftModifier[] = [...ordered, ...others].map(id => ({ id, qty: sent.get(id) ?? 1 }))
  return {
    line: {
      itemId: item.id,
      variationId: size ?? null,
      qtyMilli: (quantity ?? 1) * 1000,
      notes: note === '' || !isNoteFine ? null : note,
      modifiers,
    },
    wrong: {
      quantity: quantity === undefined || quantity > MOST_OF_A_DISH,
      note: !isNoteFine,
      size: item.variations.length > 0 && size === undefined,
    },
  }
}

function numberOf<Id extends ModifierId | VariationId>(text: string): Id | undefined {
  return /^[1-9]\d{0,15}$/.test(text) ? parseId<Id>(Number(text)) : undefined
}

/**
 * One portion as the page of a dish first shows it: the default size, and the default options that are free. Nothing that costs extra
 * is chosen for a guest (decision 059).
 */
export function firstChoice(item: Item): DraftLine {
  const size = item.variations.find(({ isDefault }) => isDefault) ?? item.variations[0]
  const modifiers = item.groups.flatMap(({ modifiers }) =>
    modifiers.filter(option => option.isDefault && isFree(option)),
  )
  return {
    itemId: item.id,
    variationId: size?.id ?? null,
    qtyMilli: 1000,
    notes: null,
    modifiers: modifiers.map(({ id }) => ({ id, qty: 1 })),
  }
}

function isFree({ price, variationPrices }: Modifier): boolean {
  return price === 0 && [...variationPrices.values()].every(each => each === 0)
}

/** How many units of the options of a group can be chosen; Infinity: any number. */
export function mostOf({ selectionType, maxSelect }: ModifierGroup): number {
  return selectionType === 'single' ? 1 : maxSelect === 0 ? Number.POSITIVE_INFINITY : maxSelect
}

/**
 * How many units of an option a guest can choose. An option without a limit of its own can be chosen once, unless its group requires
 * more units than it has options.
 */
export function mostOfOption({ maxQuantity }: Modifier, group: ModifierGroup): number {
  const own = maxQuantity ?? (group.minSelect > group.modifiers.length ? group.minSelect : 1)
  return Math.min(own, mostOf(group), MOST_OF_A_DISH)
}
