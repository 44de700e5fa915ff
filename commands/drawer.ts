import {
  cashJson,
  cashTable,
  closeColumns,
  closeJson,
  drawerColumns,
  drawerJson,
  partTables,
} from '../display/close.ts'
import type { Store } from '../store/store.ts'
import { parseDecimal } from '../store/terms/decimal.ts'
import type { LocationId } from '../store/terms/ids.ts'
import { amountText, decimalText } from '../store/terms/money.ts'
import { isRefused } from '../store/terms/refusal.ts'
import type { Close } from '../store/till/closes.ts'
import type { DrawerKind } from '../store/till/drawer.ts'
import type { TillDay } from '../store/till/till.ts'
import {
  type Command,
  type CommandCall,
  didYouMean,
  done,
  misused,
  type Outcome,
  optionText,
  positive,
  refused,
} from './command.ts'
import { list, table } from './layout.ts'
import { locationNamed } from './names.ts'

const acts: Record<string, DrawerKind> = { float: 'float', in: 'paid_in', out: 'paid_out', count: 'count' }
const MOST_LISTED = 30

export const drawer: Command = {
  usage: 'drawer [float|in|out|count AMOUNT [--reason …]] [--location LOCATION]',
  summary: `show the cash drawer of today; enter the float it begins with, cash paid in or out (with a reason), or a count
      LOCATION, an id or a name, is needed where there are several`,
  takes: ['float|in|out|count?', 'AMOUNT?'],
  options: { reason: { type: 'string' }, location: { type: 'string' } },
  run: call =>
    atDrawer(call, (store, day) => {
      const [act, text] = call.args
      const note = optionText(call.options.reason) ?? null
      if (act === undefined) return note === null ? shown(day) : misused('--reason goes with in or out.')
      const kind = Object.hasOwn(acts, act) ? acts[act] : undefined
      if (kind === undefined) return misused(`There is no "drawer ${act}".${didYouMean(act, Object.keys(acts))}`)
      if (text === undefined) return misused('AMOUNT is missing.')
      const amount = minorOf(text, day)
      if (typeof amount === 'string') return refused(amount)
      const entered = store.till.enter(day.place.id, { kind, counted: amount, note })
      if (isRefused(entered)) return refused(entered)
      const now = store.till.day(day.place.id)
      return isRefused(now) ? refused(now) : shown(now)
    }),
}

export const close: Command = {
  usage: 'close DATE [--counted AMOUNT] [--left AMOUNT] [--note …] [--location LOCATION]',
  summary: `close a business day for good: its figures get a number and never change
      --counted: the cash that was counted in the drawer; --left: what stays in it for the next day (without it: all)`,
  takes: ['DATE'],
  options: {
    counted: { type: 'string' },
    left: { type: 'string' },
    note: { type: 'string' },
    location: { type: 'string' },
  },
  run: call =>
    atDrawer(call, (store, day) => {
      const [date = ''] = call.args
      const [counted, left] = [call.options.counted, call.options.left].map(option => {
        const text = optionText(option)
        return text === undefined ? null : minorOf(text, day)
      })
      if (typeof counted === 'string') return refused(counted)
      if (typeof left === 'string') return refused(left)
      const note = optionText(call.options.note) ?? null
      const closed = store.till.closeDay(day.place.id, { date, counted: counted ?? null, left: left ?? null, note })
      return isRefused(closed) ? refused(closed) : done(closeText(closed), closeJson(closed))
    }),
}

export const closes: Command = {
  usage: 'closes [NUMBER] [--location LOCATION]',
  summary: `list the last ${MOST_LISTED} day closes, or show one as it was closed`,
  takes: ['NUMBER?'],
  options: { location: { type: 'string' } },
  run: call =>
    atDrawer(call, (store, { place }) => {
      const [text] = call.args
      if (text === undefined) {
        const all = store.till.closes(place.id, MOST_LISTED)
        return done(all.length === 0 ? 'No day is closed yet.' : list(closeColumns, all), all.map(closeJson))
      }
      const number = positive(text)
      if (number === undefined) return misused(`"${text}" is not the number of a close.`)
      const found = store.till.close(place.id, number)
      return isRefused(found) ? refused(found) : done(closeText(found), closeJson(found))
    }),
}

/** Runs a command for the drawer of the location that is named, or of the only one. */
function atDrawer({ options, store }: CommandCall, run: (store: Store, day: TillDay) => Outcome): Outcome {
  const name = optionText(options.location)
  const [first, ...others] = store().exportCatalogue().locations
  if (!first) return refused('There is no location yet.')
  if (name === undefined && others.length > 0) return misused('There are several locations. Name one with --location.')
  const id = name === undefined ? (first.id as LocationId) : locationNamed(store(), name)
  if (typeof id === 'string') return refused(id)
  const day = store().till.day(id)
  return isRefused(day) ? refused(day) : run(store(), day)
}

/** An amount in minor units, or a sentence that says how to write one. */
function minorOf(text: string, { place: { exponent, currency } }: TillDay): number | string {
  return (
    parseDecimal(text, exponent) ??
    `"${text}" is not an amount in ${currency}. Write it like ${decimalText(15000, exponent)}.`
  )
}

function shown(day: TillDay): Outcome {
  const { place, date, closedAs, cash, entries, late } = day
  const state = closedAs === null ? 'open' : `closed as ${closedAs}`
  const parts = [`${place.title}, ${date}, ${state}`, table(cashTable(cash))]
  if (entries.length > 0) parts.push(list(drawerColumns(place.timezone), entries))
  for (const part of late) parts.push(laterText(part.date), ...partTables(part).map(table))
  return done(parts.join('\n\n'), {
    location_id: place.id,
    date,
    closed_as: closedAs,
    ...cashJson(cash),
    entries: entries.map(drawerJson),
  })
}

function laterText(date: string): string {
  return `Recorded after ${date} was closed:`
}

/** A close as it is printed, the same every time. */
function closeText(close: Close): string {
  const { number, date, place, actor, at, cash, parts, unpaid } = close
  const [own, ...later] = parts
  const open = unpaid.map(
    ({ orders, balance, exponent, currency }) =>
      `Still to be paid: ${amountText(balance, exponent, currency)} in ${orders === 1 ? '1 order' : `${orders} orders`}.`,
  )
  return [
    `${place.site}, ${place.title}\nClose ${number}, ${date}\nClosed by ${actor.name} at ${new Date(at).toISOString()}`,
    ...partTables(own).map(table),
    ...open,
    ...later.flatMap(part => [laterText(part.date), ...partTables(part).map(table)]),
    `Cash\n${table(cashTable(cash))}${cash.note === null ? '' : `\n${cash.note}`}`,
    'This is not a fiscal document.',
  ].join('\n\n')
}
