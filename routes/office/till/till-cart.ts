import { randomUUID } from 'node:crypto'
import { parsePrice } from '../../../display/price.ts'
import type { Item, Menu } from '../../../store/catalogue/catalogue.ts'
import type { OrderDetails } from '../../../store/ordering/details.ts'
import type { GivenDiscount } from '../../../store/ordering/discount.ts'
import { type Draft, type DraftLine, MOST_LINES, parseDraft, parseLine } from '../../../store/ordering/draft.ts'
import { serviceModes } from '../../../store/terms/channels.ts'
import { parseInstant } from '../../../store/terms/clock.ts'
import { parseDecimal } from '../../../store/terms/decimal.ts'
import { collectFaults } from '../../../store/terms/faults.ts'
import type { TableId } from '../../../store/terms/ids.ts'
import type { Refusal } from '../../../store/terms/refusal.ts'
import type { Form } from '../../page/form.ts'

/** What a till sends besides its lines; also the names of the fields. */
export const texts = [
  'mode',
  'phoned',
  'table',
  'name',
  'phone',
  'notes',
  'address',
  'postcode',
  'at',
  'insist',
  'discount',
  'value',
  'reason',
] as const
export type Texts = Record<(typeof texts)[number], string>

/** The fields of the till's form. `sheet` is the dish whose options are being chosen, and the line that it changes. */
export const tillFields = {
  once: ['do', 'lines', 'attempt', 'shown', 'find', 'sheet', 'size', 'quantity', 'note', ...texts],
  prefixes: ['one-', 'some-'],
} as const
export type TillForm = Form<(typeof tillFields.once)[number] | (typeof tillFields.prefixes)[number]>

/** A line of an order that is being entered. */
export interface CartLine extends DraftLine {
  /** Whether it belongs to a later course, which waits until a person fires it. */
  isLater?: boolean
}

/** An order that is being entered. It is kept in its form, so that it survives everything but closing the page. */
export interface Cart {
  lines: CartLine[]
  texts: Texts
  /** Makes a second press the same order. */
  attempt: string
  /** The total that the person saw, in thousandths. */
  shown: number | undefined
}

/** A dish whose size and options are being chosen; `index` is the line that is changed, undefined for a new one. */
export interface Sheet {
  item: Item
  index: number | undefined
  line: DraftLine
}

export function emptyCart(): Cart {
  const none = Object.fromEntries(texts.map(name => [name, ''])) as Texts
  return { lines: [], texts: none, attempt: randomUUID(), shown: undefined }
}

export function cartOf(form: TillForm): Cart {
  const read = Object.fromEntries(texts.map(name => [name, form.text(name)])) as Texts
  const attempt = form.text('attempt')
  return {
    lines: linesOf(form.text('lines')),
    texts: read,
    attempt: /^[\w-]{1,100}$/.test(attempt) ? attempt : randomUUID(),
    shown: parseDecimal(form.text('shown'), 0),
  }
}

/** Whether the mode and the kind of the discount are from the lists of the form. */
export function hasKnownChoices(form: TillForm): boolean {
  const mode = form.choice('mode', ['', ...serviceModes])
  return mode !== undefined && form.choice('discount', ['', 'percent', 'amount']) !== undefined
}

/** The lines as the form keeps them; nothing for a text that no till has written. */
export function linesOf(text: string): CartLine[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  if (!Array.isArray(value) || value.length > MOST_LINES) return []
  const faults = collectFaults()
  const lines = value.map((line, index): CartLine => {
    const parsed = parseLine(line, `/${index}`, faults)
    return line?.later === true ? { ...parsed, isLater: true } : parsed
  })
  return faults.list.length === 0 ? lines : []
}

/** Lines in the form of the API, for the form and the draft. */
export function linesJson(lines: CartLine[]) {
  return lines.map(({ itemId, variationId, qtyMilli, notes, modifiers, isLater }) => ({
    item_id: itemId,
    variation_id: variationId,
    qty: qtyMilli / 1000,
    notes,
    modifiers: modifiers.map(({ id, qty }) => ({ modifier_id: id, qty })),
    ...(isLater && { later: true }),
  }))
}

/** The order of a cart at a location, or what is wrong with it. `zone` and `now` are for the wanted time. */
export function orderOfCart(
  { lines, texts: given, attempt, shown }: Cart,
  { location }: Menu,
  now: number,
): { draft: Draft; details: OrderDetails } | Refusal<'faults'> | 'not a time' {
  const { mode, phoned, table, name, phone, notes, address, postcode, at, insist } = given
  const trimmed = (text: string) => (text.trim() === '' ? undefined : text.trim())
  const draft = parseDraft({
    location_id: location.id,
    channel: phoned === 'on' ? 'phone' : mode,
    service_mode: mode,
    notes: trimmed(notes),
    customer: { name: trimmed(name), phone: trimmed(phone) },
    items: linesJson(lines),
  })
  if ('refused' in draft) return draft
  const wantedAt = at.trim() === '' ? undefined : parseInstant(at, { zone: location.timezone, now, day: 'next' })
  if (at.trim() !== '' && wantedAt === undefined) return 'not a time'
  const isDelivered = mode === 'delivery'
  const details: OrderDetails = {
    attemptId: attempt,
    totalMilli: shown,
    tableId: table === '' ? undefined : (Number(table) as TableId),
    address: isDelivered ? trimmed(address) : undefined,
    postcode: isDelivered ? trimmed(postcode) : undefined,
    wantedAt,
    isInsisted: insist === 'on',
    later: lines.flatMap(({ isLater }, index) => (isLater ? [index] : [])),
    discount: discountOf(given),
  }
  return { draft, details }
}

/** What cannot be read is no discount at all, which the store refuses. */
function discountOf({ discount, value, reason }: Texts): GivenDiscount | undefined {
  const text = value.trim().replace(',', '.')
  if (discount === 'percent') return { reason: reason.trim(), percentPpm: parseDecimal(text, 4) ?? 0 }
  if (discount === 'amount') return { reason: reason.trim(), amountMilli: parsePrice(text) ?? 0 }
  return undefined
}

/** Whether a dish needs a choice before it can be ordered. */
export function hasChoices({ variations, groups }: Item): boolean {
  return variations.length > 0 || groups.length > 0
}

/** One portion of a dish, with its default size and options. */
export function defaultLine(item: Item, qtyMilli = 1000): DraftLine {
  const size = item.variations.find(({ isDefault }) => isDefault) ?? item.variations[0]
  const modifiers = item.groups.flatMap(({ modifiers }) => modifiers.filter(({ isDefault }) => isDefault))
  return {
    itemId: item.id,
    variationId: size?.id ?? null,
    qtyMilli,
    notes: null,
    modifiers: modifiers.map(({ id }) => ({ id, qty: 1 })),
  }
}

/** The dish of the sheet in a form, with what was chosen in it. */
export function sheetOf(form: TillForm, menu: Menu): Sheet | undefined {
  const [, itemId, index] = /^(\d+)(?::(\d+))?$/.exec(form.text('sheet')) ?? []
  const item = [...menu.items.values()].find(({ id }) => String(id) === itemId)
  if (!item) return undefined
  const one = [...form.below('one-').values()]
  const some = form.below('some-')
  const modifiers = [...item.options.keys()].flatMap(id => {
    const qty = one.includes(String(id)) ? 1 : Number(some.get(String(id)) ?? 0)
    return Number.isInteger(qty) && qty > 0 && qty < 100 ? [{ id, qty }] : []
  })
  const note = form.text('note').trim()
  return {
    item,
    index: index === undefined ? undefined : Number(index),
    line: {
      itemId: item.id,
      variationId: item.variations.find(({ id }) => String(id) === form.text('size'))?.id ?? null,
      qtyMilli: parseDecimal(form.text('quantity').trim().replace(',', '.'), 3) ?? 0,
      notes: note === '' ? null : note,
      modifiers,
    },
  }
}

/** Adds a line to others; one that is there already becomes more. */
export function withLine(lines: CartLine[], added: CartLine): CartLine[] {
  const like = (line: CartLine) => JSON.stringify({ ...line, qtyMilli: 0 })
  const same = lines.findIndex(line => like(line) === like(added))
  if (same === -1) return [...lines, added]
  return lines.with(same, { ...added, qtyMilli: (lines[same]?.qtyMilli ?? 0) + added.qtyMilli })
}
