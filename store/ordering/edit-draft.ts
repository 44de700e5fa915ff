import {
  decimal,
  type Format,
  list,
  nullable,
  optional,
  placeAt,
  record,
  recordId,
  required,
  text,
  textLike,
} from '../restaurant-file/format.ts'
import { collectFaults } from '../terms/faults.ts'
import type { Finding } from '../terms/finding.ts'
import type { OrderLineId } from '../terms/ids.ts'
import { LONGEST_REMARK } from '../terms/remark.ts'
import type { GivenDiscount } from './discount.ts'
import { type Draft, type DraftLine, isEmail, LONGEST_CUSTOMER_FIELD, LONGEST_NOTES, parseLine } from './draft.ts'

/** The changes to make to an order. Undefined: unchanged. */
export interface Edit {
  remove: OrderLineId[]
  add: DraftLine[]
  notes: string | null | undefined
  customer: { [Field in keyof Draft['customer']]: string | null | undefined }
  /** Thousandths of the major unit, or millionths; null takes the discount off. */
  discount: GivenDiscount | null | undefined
}

/** A line as the API takes it (section 4.3). */
const line: Format<DraftLine> = {
  read(value, place) {
    const faults = collectFaults()
    const read = parseLine(value, place.pointer, faults)
    for (const { title, pointer } of faults.list) {
      const below = (pointer ?? '').slice(place.pointer.length + 1)
      if (below === '') place.report(title)
      else
        below
          .split('/')
          .reduce((at, key) => at.at(key), place)
          .report(title)
    }
    return read
  },
  write: value => value,
}

const asItIs = <T>(format: Format<T>) => optional<T | null | undefined>(nullable(format), undefined)
const customerField = asItIs(text(LONGEST_CUSTOMER_FIELD))

const editFile = record({
  remove: optional(list(recordId), []),
  add: optional(list(line), []),
  notes: asItIs(text(LONGEST_NOTES)),
  customer: optional(
    record({
      name: customerField,
      phone: customerField,
      email: asItIs(textLike(value => isEmail(value) && value.length <= LONGEST_CUSTOMER_FIELD, 'must be an address')),
    }),
    { name: undefined, phone: undefined, email: undefined },
  ),
  discount: asItIs(
    record({
      percent: nullable(decimal(4, { most: 100, positive: true })),
      amount: nullable(decimal(3, { most: 9_999_999_999, positive: true })),
      reason: required(text(LONGEST_REMARK)),
    }),
  ),
})

/** Reads an edit of an order from its JSON text, with every problem that it has. */
export function parseEdit(source: string): { edit: Edit; problems: Finding[] } {
  const problems: Finding[] = []
  const root = placeAt('', problems)
  let document: unknown = {}
  try {
    document = JSON.parse(source)
  } catch (error) {
    root.report(`is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
  const { remove, add, notes, customer, discount } = editFile.read(document, root)
  if (discount && (discount.percent === null) === (discount.amount === null)) {
    root.at('discount').report('must have either percent or amount')
  }
  return {
    edit: {
      remove: remove as OrderLineId[],
      add,
      notes,
      customer,
      discount:
        discount &&
        (discount.percent !== null
          ? { reason: discount.reason, percentPpm: discount.percent }
          : { reason: discount.reason, amountMilli: discount.amount ?? 0 }),
    },
    problems,
  }
}
