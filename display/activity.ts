import type { TicketEvent } from '../store/kitchen/memory.ts'
import { isPassChange } from '../store/kitchen/tickets.ts'
import type { Entry } from '../store/ledger/ledger.ts'
import type { Order } from '../store/ordering/order.ts'
import type { Activity } from '../store/people/activity.ts'
import type { Actor } from '../store/people/actor.ts'
import { entryText } from './account.ts'
import { type Column, count, words } from './cell.ts'
import { deedText, keptText } from './deed.ts'
import { writing } from './formats.ts'
import { instantJson, secondText } from './instant.ts'
import type { Language } from './language.ts'
import { actorKindText, sourceText, ticketEventText } from './terms.ts'

/** The audit trail; instants are shown in a time zone. */
export function activityColumns(zone: string): Column<Activity>[] {
  return [
    { key: 'at', head: 'at', cell: ({ at }) => words(secondText(at, zone)) },
    { key: 'who', head: 'who', cell: ({ actor }) => words(actorText(actor)) },
    { key: 'what', head: 'what', cell: ({ what }) => words(deedText(what)) },
    { key: 'order_id', head: 'order', cell: ({ orderId }) => count(orderId) },
    { key: 'details', head: '', cell: entry => words(actDetails(entry, zone)) },
  ]
}

/** "Ana", "Bar till (device)", "root (command)", "Guest" */
export function actorText({ kind, name }: Actor, language: Language = 'en'): string {
  if (kind === 'guest') return actorKindText(kind, language)
  return kind === 'staff' ? name : `${name} (${actorKindText(kind, language)})`
}

/** What an act was about and what it changed; instants are shown in a time zone. */
export function actDetails(entry: Activity, zone: string, language: Language = 'en'): string {
  return inZone(detailText(entry, language), zone, language)
}

/** "site.title: Pizzeria → Da Ana" */
function detailText({ what, subject, was, became }: Activity, language: Language = 'en'): string {
  const isAsTyped = what === 'setting changed' || what === 'staff renamed'
  const shown = (text: string) => (isAsTyped ? text : keptText(text, language))
  const after = became === null ? '' : shown(became)
  const change = was === null ? after : `${shown(was)} →${after && ` ${after}`}`
  return [subject === null ? '' : shown(subject), change].filter(part => part !== '').join(': ')
}

/** The ends of pauses and of what is off the menu are kept as JSON instants. */
function inZone(details: string, zone: string, language: Language = 'en'): string {
  return details.replace(/(?<= (?:until|bis|até) )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?=$| →)/g, at =>
    writing[language].moment(Date.parse(at), zone),
  )
}

export function activityJson({ at, actor, what, orderId, subject, was, became }: Activity) {
  return { at: instantJson(at), actor: { ...actor }, what, order_id: orderId, subject, was, became }
}

/** One step in the history of an order. It has no actor if a guest did it, or if actors were not recorded yet. */
export interface Step {
  /** The id of the act in the audit trail; null: it is not from there. */
  id: number | null
  at: number
  who: Actor | null
  what: string
  details: string
}

/**
 * The history of an order, oldest first: its acts from the audit trail, and what that does not have: entries of its account from
 * before it was kept, and the `events` of its tickets. `activity` is newest first.
 */
export function timeline(
  order: Order,
  { activity, entries, events = [] }: { activity: Activity[]; entries: Entry[]; events?: TicketEvent[] },
  language: Language = 'en',
): Step[] {
  const steps: Step[] = []
  if (!activity.some(({ what }) => what === 'order placed')) {
    steps.push({
      id: null,
      at: order.placedAt,
      who: null,
      what: deedText('order placed', language),
      details: byText(order.source, language),
    })
  }
  const known = new Set(activity.map(({ at }) => at))
  for (const entry of entries) {
    if (entry.kind === 'charge' || known.has(entry.at)) continue
    const details = writing[language].money({ ...order, minor: Math.abs(entry.amount) })
    steps.push({ id: null, at: entry.at, who: null, what: entryText(entry, language), details })
  }
  for (const each of activity.toReversed()) {
    steps.push({
      id: each.id,
      at: each.at,
      who: each.actor,
      what: deedText(each.what, language),
      details: detailText(each, language),
    })
  }
  for (const { at, ticketId, lineId, what } of events) {
    // What a person did to a ticket is in the audit trail, but not that it was made.
    if (lineId !== null || isPassChange(what) || (known.has(at) && what !== 'added' && what !== 'opened')) continue
    const details = ticketEventText(what, language)
    steps.push({ id: null, at, who: null, what: keptText(`ticket ${ticketId}`, language), details })
  }
  return steps.sort((a, b) => a.at - b.at)
}

function byText(source: Order['source'], language: Language): string {
  if (language === 'en') return `by ${source}`
  return `${language === 'de' ? 'über' : 'por'} ${sourceText(source, language)}`
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
