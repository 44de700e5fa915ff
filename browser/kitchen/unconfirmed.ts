import type { Acts } from './acts.ts'
import { setText } from './text.ts'
import type { Words } from './words.ts'

type Listed = ReturnType<Acts['list']>

/**
 * Shows the acts at this screen before a board from the server does: a line or a ticket looks as it will then (`data-becomes`), and says
 * that the act is being sent or was not sent. Removes what an earlier call has shown.
 */
export function showUnconfirmed(card: HTMLElement, listed: Listed, words: Words): void {
  const own = listed.filter(({ act }) => act.fields.ticket === card.dataset.ticket)
  // Most cards have none, and had none.
  if (own.length === 0 && card.dataset.unconfirmed === undefined) return
  card.toggleAttribute('data-unconfirmed', own.length > 0)
  for (const line of card.querySelectorAll<HTMLElement>('[data-line]')) {
    show(line, line, lastOf(own.filter(({ act }) => act.fields.line === line.dataset.line)), words)
  }
  const whole = own.filter(({ act }) => act.fields.line === undefined)
  show(card, card.querySelector('header') ?? card, lastOf(whole), words)
  const isAcknowledged = whole.some(({ act }) => act.fields.act === 'acknowledge')
  // For a held or void ticket, only the server knows the next act.
  card.toggleAttribute('data-acknowledged', isAcknowledged && card.matches('.ticket:not(.held, .void)'))
  const bump = bumpOf(card)
  if (bump?.value !== 'acknowledge') return
  bump.dataset.label ??= bump.textContent ?? ''
  setText(bump, card.dataset.acknowledged === undefined ? bump.dataset.label : words('done'))
}

/** The button for the whole ticket, at the foot of a card. */
export function bumpOf(card: HTMLElement): HTMLButtonElement | null {
  return card.querySelector<HTMLButtonElement>('button.bump')
}

/**
 * The act that a press of a button means now. If the same act is on its way, that of a line is taken back, and that of a ticket is not
 * done twice (null). A ticket whose acknowledgement is on its way can be bumped.
 */
export function actOf(button: HTMLButtonElement, card: HTMLElement | null): string | null {
  const { act } = namedBy(button)
  if (act === 'acknowledge' && card?.dataset.acknowledged !== undefined)
    return becomesOf(card) === 'done' ? null : 'done'
  const place = button.closest<HTMLElement>('[data-line]') ?? card
  if (!place || becomesOf(place) !== act) return act
  if (place === card) return null
  return { done: 'recall', recall: 'done' }[act] ?? null
}

/** What a button does: "done" is about the ticket, "done 7" about its line 7. */
export function namedBy({ value }: HTMLButtonElement): { act: string; line?: string } {
  const [act = '', line] = value.split(' ')
  return line === undefined ? { act } : { act, line }
}

function lastOf(listed: Listed): Listed[number] | undefined {
  return listed[listed.length - 1]
}

function becomesOf(place: HTMLElement): string | undefined {
  return place.dataset.becomes
}

function show(place: HTMLElement, around: Element, last: Listed[number] | undefined, words: Words): void {
  if (last) place.dataset.becomes = last.act.fields.act
  else delete place.dataset.becomes
  const note = around.querySelector(':scope > .unsent')
  if (last?.state !== 'waiting') {
    note?.remove()
    return
  }
  const shown = note ?? document.createElement('small')
  shown.className = 'unsent'
  shown.toggleAttribute('data-failed', last.hasFailed)
  setText(shown, words(last.hasFailed ? 'notSent' : 'sending'))
  if (!note) around.append(shown)
}
