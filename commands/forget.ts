import { setTimeout } from 'node:timers/promises'
import { orderNumber } from '../display/order.ts'
import type { Remnants } from '../store/file/remnants.ts'
import type { GuestOrder, Whose } from '../store/people/guest-data.ts'
import { monthsBefore } from '../store/terms/clock.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, counted, done, misused, type Outcome, optionText, refused } from './command.ts'

// Longer lists are cut; --json has everything.
const MOST_SHOWN = 20

// A pause between two transactions, so that the server can write orders.
const PAUSE_MS = 200

const DAY_MS = 86_400_000

export const forget: Command = {
  usage: 'forget --phone …|--email …|--older-than 90d|6m|1y [--dry-run]',
  summary: `delete what guests wrote in their orders: names, phones, emails, notes, addresses; money stays (docs/privacy.md)
      --dry-run shows which orders that would be`,
  options: {
    phone: { type: 'string' },
    email: { type: 'string' },
    'older-than': { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  async run({ options, clock, store }) {
    const [phone, email, age] = [options.phone, options.email, options['older-than']].map(optionText)
    if ([phone, email, age].filter(each => each !== undefined).length !== 1) {
      return misused('Give one of --phone, --email and --older-than.')
    }
    const placedBefore = age === undefined ? undefined : instantBefore(clock.now(), age)
    if (age !== undefined && placedBefore === undefined) {
      return misused(`"${age}" is not an age; write it like 90d, 6m or 1y.`)
    }
    const whose: Whose =
      phone !== undefined ? { phone } : email !== undefined ? { email } : { placedBefore: placedBefore ?? 0 }
    const found = store().guestData.find(whose)
    if (isRefused(found)) return refused(found)
    const { orders, open, withRemarks } = found
    const isTrial = options['dry-run'] === true
    let left = isTrial ? [] : orders
    while (left.length > 0) {
      left = left.slice(store().guestData.delete(left))
      if (left.length > 0) await setTimeout(PAUSE_MS)
    }
    const remnants = isTrial || orders.length === 0 ? 'none' : store().clearRemnants()
    const copies = store().copies()
    const what = 'names, phones, emails, notes and addresses'
    const text = [
      orders.length === 0
        ? `Nothing to delete: no${open.length > 0 ? ' other' : ''} order that is meant holds anything that a guest wrote.`
        : `${isTrial ? 'Would delete' : 'Deleted'} ${what} of ${counted(orders.length, 'order')}: ${named(orders)}.`,
      ...(open.length === 0
        ? []
        : [`Still open, so left as it is: ${named(open)}. Complete or cancel it, and call this again.`]),
      ...(withRemarks === 0
        ? []
        : [`Reasons and notes that staff wrote stay: ${counted(withRemarks, 'order')} with some.`]),
      ...remnantsText[remnants],
      ...(isTrial || orders.length === 0 ? [] : copiesText(copies)),
    ]
    return outcome(text, { deleted: !isTrial, orders: orders.map(json), open: open.map(json), remnants, copies })
  },
}

function outcome(text: string[], value: unknown): Outcome {
  return done(text.join('\n'), value)
}

const remnantsText: Record<Remnants, string[]> = {
  none: [],
  'in the log': [
    'Copies of it can still be in the log beside the file, because another program was reading. Later orders overwrite them.',
  ],
  'in the file': [
    'Copies of it can still be in unused parts of the file, which could not be rewritten now. See docs/privacy.md.',
  ],
}

/** Where copies of the data remain, and what to do about them. */
function copiesText(copies: string[]): string[] {
  const beside = copies.length === 0 ? '' : ` Beside the file: ${copies.join(', ')}.`
  return [
    `Backups and other copies keep the data.${beside} Delete them, or call this for each: DATABASE_FILE=COPY … forget …`,
  ]
}

/** The instant that is an age such as 90d, 6m or 1y before another; undefined if the age is not written like that. */
function instantBefore(now: number, age: string): number | undefined {
  const [, digits, unit] = /^([1-9]\d{0,3})([dmy])$/.exec(age) ?? []
  if (digits === undefined) return undefined
  const number = Number(digits)
  return unit === 'd' ? now - number * DAY_MS : monthsBefore(now, unit === 'm' ? number : 12 * number)
}

function named(orders: GuestOrder[]): string {
  const shown = orders.slice(0, MOST_SHOWN).map(({ number }) => orderNumber(number))
  const more = orders.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function json({ id, number }: GuestOrder) {
  return { id, order_number: orderNumber(number) }
}
