import { parsePage } from '../trusted.ts'
import type { DrawnTicket } from './board-reply.ts'
import { morph } from './morph.ts'

// A pointer whose end was lost must not prevent drawing for ever.
const longestTouchMs = 8_000

/** The cards of the board, one for each ticket, oldest first. */
export interface Board {
  cards(): HTMLElement[]
  cardOf(ticket: string): HTMLElement | undefined
  /** Makes the cards that are marked as new flash. To be called every second. */
  flash(isWanted: boolean): void
  /** Draws what has changed, once no finger is on the board. Throws if a ticket lacks its HTML or has another revision. */
  draw(tickets: DrawnTicket[]): Promise<void>
}

/** `dress` is called with each card that was drawn. */
export function kitchenBoard(main: HTMLElement, dress: (card: HTMLElement) => void): Board {
  const fingers = new Map<number, number>()
  let lifted: (() => void) | undefined
  main.addEventListener('pointerdown', ({ pointerId }) => fingers.set(pointerId, performance.now()))
  for (const end of ['pointerup', 'pointercancel'] as const)
    window.addEventListener(end, ({ pointerId }) => {
      // The click comes after the end of the pointer.
      setTimeout(() => {
        fingers.delete(pointerId)
        if (fingers.size === 0) lifted?.()
      })
    })

  function noFinger(): Promise<void> {
    if (fingers.size === 0) return Promise.resolve()
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        fingers.clear()
        resolve()
      }, longestTouchMs)
      lifted = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const cards = () => [...main.querySelectorAll<HTMLElement>('.ticket')]
  const cardOf = (ticket: string) => document.getElementById(`ticket-${ticket}`) ?? undefined

  return {
    cards,
    cardOf,
    flash(isWanted) {
      main.toggleAttribute('data-flash', isWanted && !main.hasAttribute('data-flash'))
    },
    async draw(tickets) {
      const changed = tickets.filter(({ id, rev }) => cardOf(id)?.dataset.rev !== rev)
      // All cards are read before anything changes, so that a board is drawn as a whole or not at all.
      const fresh = readCards(changed)
      await noFinger()
      const focused = document.activeElement
      const wanted = new Set(tickets.map(({ id }) => id))
      for (const card of cards()) if (!wanted.has(card.dataset.ticket ?? '')) card.remove()
      const drawn: HTMLElement[] = []
      const last = new Map<string, HTMLElement>()
      for (const { id, list } of tickets) {
        const old = cardOf(id)
        const card = fresh.get(id)
        if (old && card) morph(old, card)
        const shown = old ?? card
        if (!shown) throw new Error(`ticket ${id} was not sent`)
        const parent = document.getElementById(list) ?? main
        const before = last.get(list)
        const place = before ? nextCard(before) : parent.querySelector<HTMLElement>(':scope > .ticket')
        if (shown !== place) parent.insertBefore(shown, place)
        last.set(list, shown)
        if (card) drawn.push(shown)
      }
      drawn.forEach(dress)
      // An element that is moved loses the focus.
      if (focused instanceof HTMLElement && focused !== document.activeElement && main.contains(focused))
        focused.focus({ preventScroll: true })
    },
  }
}

function readCards(tickets: DrawnTicket[]): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>()
  if (tickets.length === 0) return found
  const page = parsePage(tickets.map(({ html }) => html).join(''))
  for (const { id, rev } of tickets) {
    const card = page.getElementById(`ticket-${id}`)
    if (card?.dataset.ticket !== id || card.dataset.rev !== rev)
      throw new Error(`ticket ${id} is not what was expected`)
    found.set(id, document.adoptNode(card))
  }
  return found
}

function nextCard(card: HTMLElement): HTMLElement | null {
  const next = card.nextElementSibling
  return next instanceof HTMLElement && next.matches('.ticket') ? next : null
}
