import { hash } from 'node:crypto'
import { heldForText, modeText, tableText } from '../../display/terms.ts'
import { isAboutAllergy } from '../../store/kitchen/caution.ts'
import { type ShownItem, shownAs } from '../../store/ordering/shown-ticket.ts'
import type { ScreenActName, StationTicket } from '../../store/ordering/station-screen.ts'
import { type Html, html } from '../html/html.ts'
import type { Address } from '../html/link.ts'
import type { View } from '../page/view.ts'
import { words } from './words/ticket.ts'

/** What the cards of a screen have in common. */
export interface CardsView extends Pick<View, 'language' | 'formats' | 'now'> {
  /** Where the forms of the cards are sent. */
  acts: Address
  /** Whether the screen shows several stations, so that each card says its own. */
  hasStations: boolean
  /** The ages at which a ticket is slow and late (milliseconds). */
  slowMs: number
  lateMs: number
  /** In a look back (decision 056), the instant that is shown: ages are as of then, and there are no buttons. */
  asOf?: number
}

/** A ticket as a card. It changes only when the file does, and `rev` changes with the HTML. */
export function cardOf(view: CardsView, ticket: StationTicket): { rev: string; html: Html } {
  const { id, state, openedAt, fireAt } = ticket
  const facts = html`${headOf(view, ticket)}${notesOf(view, ticket)}
<ul>${ticket.items.map(item => lineOf(view, ticket, item))}</ul>`
  // One form for all its buttons: a rush has a hundred cards.
  const content = view.asOf === undefined ? formOf(view, ticket, html`${facts}${footOf(view, ticket)}`) : facts
  const isHeld = state === 'held'
  const { slowMs, lateMs } = view
  const pace = paceAt(view.asOf === undefined ? 0 : view.asOf - openedAt, slowMs, lateMs)
  const kind = isHeld ? 'ticket held' : state === 'open' ? `ticket ${pace}`.trim() : 'ticket void'
  const outside = [id, kind, openedAt, fireAt, slowMs, lateMs]
  const rev = hash('sha256', JSON.stringify([outside, content.text]), 'base64url').slice(0, 12)
  return {
    rev,
    html: html`<article class="${kind}" id="ticket-${id}" data-ticket="${id}" data-rev="${rev}" data-news="${newsOf(ticket)}" data-opened="${openedAt}" data-slow="${slowMs}" data-late="${lateMs}" data-fire="${isHeld && (fireAt ?? '')}" aria-labelledby="number-${id}">
${content}
</article>`,
  }
}

/** Changes with everything that a cook must notice, but not with the acts of cooks. */
function newsOf({ openedAt, state, noticeAt, orderNotes, items }: StationTicket): string {
  const notes = items.map(item => item.notes)
  const facts = [openedAt, state === 'held', noticeAt, orderNotes, notes]
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 8)
}

function headOf(view: CardsView, ticket: StationTicket): Html {
  const { id, orderNumber, openedAt, state, fireAt, alsoAt, isAdded, station } = ticket
  const w = words[view.language]
  const { time } = view.formats
  const age =
    state === 'held' ? heldText(view, ticket) : view.asOf === undefined ? time(openedAt) : ageAt(view.asOf, openedAt)
  return html`<header>
<h2 class="number" id="number-${id}">${orderNumber}</h2>
<span class="age">${age}</span>
<span class="mode">${whoseOf(view, ticket)}</span>
${view.hasStations && html`<span class="station">${station}</span>`}
${isAdded && html`<strong class="mark added">${w.added}</strong>`}
${state !== 'open' && state !== 'held' && html`<strong class="mark voided">${w.void}</strong>`}
${state === 'held' && fireAt !== null && ticket.heldFor !== null && html`<span class="mark">${heldForText(ticket.heldFor, view.language)}</span>`}
${alsoAt.length > 0 && html`<span class="also">${w.alsoAt(view.formats.list(alsoAt))}</span>`}
</header>`
}

/** In a look back, an age in minutes and seconds, as the script shows ages: "18:05". */
export function ageAt(asOf: number, since: number): string {
  const seconds = Math.max(0, Math.floor((asOf - since) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** In a look back, the class of a card by its age. */
export function paceAt(age: number, slowMs: number, lateMs: number): '' | 'slow' | 'late' {
  return age >= lateMs ? 'late' : age >= slowMs ? 'slow' : ''
}

function heldText({ language, formats, now }: CardsView, { fireAt, heldFor }: StationTicket): string {
  const w = words[language]
  if (fireAt !== null) return w.comes(formats.timeFrom(fireAt, now))
  return heldFor === null ? w.held : heldForText(heldFor, language)
}

/** Whose the order is: "Dine in · Table 9", or "Takeaway · Ana" with the first name of the person who collects it. */
export function whoseOf(
  { language, formats, now }: Pick<CardsView, 'language' | 'formats' | 'now'>,
  ticket: Pick<StationTicket, 'mode' | 'tableTitle' | 'customerName' | 'wantedAt'>,
): string {
  const { mode, tableTitle, customerName, wantedAt } = ticket
  const w = words[language]
  const first = tableTitle === null ? (customerName ?? '').trim().split(/\s+/)[0] : undefined
  const parts = [
    mode === null ? '' : modeText(mode, language),
    tableTitle === null ? '' : tableText(tableTitle, language),
    first ?? '',
    wantedAt === null ? '' : w.wanted(formats.timeFrom(wantedAt, now)),
  ]
  const text = parts.filter(part => part !== '').join(' · ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The notes of the order. */
function notesOf(view: CardsView, ticket: StationTicket): Html | null {
  return ticket.orderNotes === null ? null : html`<p class="order-note">${noteOf(view, ticket, ticket.orderNotes)}</p>`
}

function noteOf({ language }: CardsView, { cautions }: StationTicket, note: string): Html {
  const w = words[language]
  if (isAboutAllergy(note)) return html`<span class="allergy"><strong>${w.allergy}</strong> ${note}</span>`
  const isCaution = cautions.includes(note)
  return html`<span class="${isCaution ? 'allergy guest' : 'remark'}"><strong>${isCaution ? w.guest : w.note}</strong> ${note}</span>`
}

function lineOf(view: CardsView, ticket: StationTicket, item: ShownItem): Html {
  const { lineId, state, notes, modifiers } = item
  const w = words[view.language]
  const { number } = view.formats
  const text = html`<span class="qty">${number(item.qtyMilli / 1000)}</span>
<span class="dish">${item.name}${item.hasAlcohol && html` <small class="alcohol">${w.alcohol}</small>`}${state !== 'open' && html`<span class="sr"> (${state === 'done' ? w.isDone : w.void})</span>`}${
    modifiers.length > 0 &&
    html`<span class="options">${modifiers.map(({ title, qty }) => html`<span>+ ${title}${qty > 1 && html` × ${number(qty)}`}</span>`)}</span>`
  }${notes !== null && noteOf(view, ticket, notes)}</span>`
  const isFixed = ticket.state === 'held' || state === 'void' || view.asOf !== undefined
  const act = isFixed ? null : state === 'open' ? 'done' : 'recall'
  return html`<li data-line="${lineId}" class="${state}">${
    act === null
      ? html`<div class="line">${text}</div>`
      : html`<button name="act" value="${act} ${lineId}">${text}</button>`
  }</li>`
}

/** The next act on the whole ticket. */
function footOf(view: CardsView, ticket: StationTicket): Html {
  const w = words[view.language]
  const { state, cautions, acknowledgedAt, items } = ticket
  const button = (act: ScreenActName, label: string) =>
    html`<button class="bump ${act}" name="act" value="${act}">${label}</button>`
  if (cautions.length > 0 && acknowledgedAt === null && (state === 'open' || state === 'held')) {
    return button('acknowledge', cautions.some(isAboutAllergy) ? w.seenAllergy : w.seenNotes)
  }
  if (state === 'held') return button('fire', w.fire)
  return items.some(item => item.state === 'open') ? button('done', w.done) : button('dismiss', w.seenVoid)
}

/**
 * The form of a ticket, with its buttons: `name="act"` and as value the act, followed by the line if it is about one only:
 * "done 7".
 */
export function formOf({ acts }: Pick<CardsView, 'acts'>, ticket: StationTicket, content: Html): Html {
  const { id, noticeAt } = ticket
  return html`<form method="post" action="${acts}"><input type="hidden" name="ticket" value="${id}"><input type="hidden" name="shown" value="${shownAs(ticket)}">${
    noticeAt !== null && html`<input type="hidden" name="notice" value="${noticeAt}">`
  }${content}</form>`
}
