import type { Entry } from '../store/ledger/ledger.ts'
import type { Order } from '../store/ordering/order.ts'
import type { Activity } from '../store/people/activity.ts'
import type { Actor } from '../store/people/actor.ts'
import { amountText } from '../store/terms/money.ts'
import { entryText } from './account.ts'
import { type Column, count, words } from './cell.ts'
import { instantJson, secondText, zonedText } from './instant.ts'

/** The audit trail; instants are shown in a time zone. */
export function activityColumns(zone: string): Column<Activity>[] {
  return [
    { key: 'at', head: 'at', cell: ({ at }) => words(secondText(at, zone)) },
    { key: 'who', head: 'who', cell: ({ actor }) => words(actorText(actor)) },
    { key: 'what', head: 'what', cell: ({ what }) => words(what) },
    { key: 'order_id', head: 'order', cell: ({ orderId }) => count(orderId) },
    { key: 'details', head: '', cell: entry => words(inZone(detailText(entry), zone)) },
  ]
}

/** The ends of pauses and of what is off the menu are kept as JSON instants. */
function inZone(details: string, zone: string): string {
  return details.replace(/(?<= until )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?=$| →)/g, at =>
    zonedText(Date.parse(at), zone),
  )
}

/** "Ana", "Bar till (device)", "root (command)" */
export function actorText({ kind, name }: Actor): string {
  return kind === 'staff' ? name : `${name} (${kind})`
}

/** "site.title: Pizzeria → Da Ana" */
function detailText({ subject, was, became }: Pick<Activity, 'subject' | 'was' | 'became'>): string {
  const change = was === null ? became : `${was} →${became === null ? '' : ` ${became}`}`
  return [subject, change].filter(part => part !== null).join(': ')
}

export function activityJson({ at, actor, what, orderId, subject, was, became }: Activity) {
  return { at: instantJson(at), actor: { ...actor }, what, order_id: orderId, subject, was, became }
}

/** One step in the history of an order. It has no actor if a guest did it, or if actors were not recorded yet. */
export interface Step {
  at: number
  who: Actor | null
  what: string
  details: string
}

/**
 * The history of an order, oldest first: its acts from the audit trail, and entries of its account from before that was kept.
 * `activity` is newest first.
 */
export function timeline(order: Order, activity: Activity[], entries: Entry[]): Step[] {
  const steps: Step[] = []
  if (!activity.some(({ what }) => what === 'order placed')) {
    steps.push({ at: order.placedAt, who: null, what: 'order placed', details: `by ${order.source}` })
  }
  const known = new Set(activity.map(({ at }) => at))
  for (const entry of entries) {
    if (entry.kind === 'charge' || known.has(entry.at)) continue
    const details = amountText(Math.abs(entry.amount), order.exponent, order.currency)
    steps.push({ at: entry.at, who: null, what: entryText(entry), details })
  }
  for (const each of activity.toReversed()) {
    steps.push({ at: each.at, who: each.actor, what: each.what, details: detailText(each) })
  }
  return steps.sort((a, b) => a.at - b.at)
}

/** A timeline as a list; instants are shown in a time zone. */
export function stepColumns(zone: string): Column<Step>[] {
  return [
    { key: 'at', head: 'at', cell: ({ at }) => words(secondText(at, zone)) },
    { key: 'who', head: 'who', cell: ({ who }) => words(who && actorText(who)) },
    { key: 'what', head: 'what', cell: ({ what }) => words(what) },
    { key: 'details', head: '', cell: ({ details }) => words(details) },
  ]
}

export function stepJson({ at, who, what, details }: Step) {
  return { at: instantJson(at), actor: who && { ...who }, what, details }
}
