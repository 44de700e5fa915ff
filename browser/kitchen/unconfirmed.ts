import type { Acts } from './acts.ts'
import { setText } from './text.ts'
import type { Words } from './words.ts'

type Listed = ReturnType<Acts['list']>

/**
 * Draws what was done at this screen before the server shows it: a line or a ticket looks as it will (`data-becomes`), and says
 * that this is still being sent or was not sent. Undoes what an earlier call drew.
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
  // What comes after the acknowledgement of any other ticket is for the server to say.
  card.toggleAttribute('data-acknowledged', isAcknowledged && card.matches('.ticket:not(.held, .void)'))
  const bump = bumpOf(card)
  if (bump?.value !== 'acknowledge') return
  bump.dataset.label ??= bump.textContent ?? ''
  setText(bump, card.dataset.acknowledged === undefined ? bump.dataset.label : words('done'))
}

export function bumpOf(card: HTMLElement): HTMLButtonElement | null {
  return card.querySelector<HTMLButtonElement>('button.bump')
}

/**
 * The act that a press of a button means now: one that is already on its way is taken back, or is not done twice (null), and an
 * acknowledged ticket can be done.
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
