import { keep, kept } from '../kept.ts'
import { bumpOf } from './unconfirmed.ts'

const nextDigitMs = 1_000

export interface Keys {
  /** Marks a card that was drawn again as selected, if it is. */
  dress(card: HTMLElement): void
}

export interface KeysOptions {
  cards(): HTMLElement[]
  /** Called when a card is selected: somebody has seen it. */
  touch(card: HTMLElement): void
  recallLast(): void
  /** Called for Enter on a ticket that must be acknowledged first. */
  mustAcknowledge(card: HTMLElement): void
}

/**
 * Keys of a keyboard or a bump bar: digits select a ticket by its place, arrows move to the next one, Enter bumps, A acknowledges, R
 * recalls the last one, Escape deselects. A focused control keeps its own Enter key.
 */
export function keys({ cards, touch, recallLast, mustAcknowledge }: KeysOptions): Keys {
  let selected: string | undefined
  let typed = ''
  let typedAt = Number.NEGATIVE_INFINITY
  // Once a keyboard was used on this device, the cards show their places.
  const showPlaces = () => document.body.toggleAttribute('data-keys', kept('keys') === 'yes')
  showPlaces()

  const selectedCard = () => cards().find(card => card.dataset.ticket === selected)

  function select(card: HTMLElement | undefined): void {
    selectedCard()?.removeAttribute('data-selected')
    selected = card?.dataset.ticket
    if (!card) return
    card.dataset.selected = ''
    card.tabIndex = -1
    card.focus({ preventScroll: true })
    card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    touch(card)
  }

  function type(digit: string, at: number): void {
    const all = cards()
    const longer = at - typedAt < nextDigitMs ? typed + digit : digit
    typed = Number(longer) <= all.length ? longer : digit
    typedAt = at
    // The key 0 comes after 9.
    const place = typed === '0' ? 10 : Number(typed)
    if (all[place - 1]) select(all[place - 1])
  }

  function step(by: 1 | -1): void {
    const all = cards()
    const place = all.findIndex(card => card.dataset.ticket === selected)
    select(all[place === -1 ? (by === 1 ? 0 : all.length - 1) : Math.min(Math.max(place + by, 0), all.length - 1)])
  }

  function press(acknowledge: boolean): void {
    const card = selectedCard()
    const bump = card && bumpOf(card)
    if (!card || !bump) return
    const isToAcknowledge = bump.value === 'acknowledge' && card.dataset.acknowledged === undefined
    if (isToAcknowledge === acknowledge) bump.click()
    else if (isToAcknowledge) mustAcknowledge(card)
    if (!isToAcknowledge && !acknowledge) select(undefined)
  }

  document.addEventListener('keydown', event => {
    const { key, target, repeat } = event
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const isOnControl = target instanceof Element && target.matches('button, summary, a, input, select, textarea')
    if (key === 'Enter' && repeat) return event.preventDefault()
    if (target instanceof HTMLInputElement && key.startsWith('Arrow')) return
    if (/^\d$/.test(key)) type(key, event.timeStamp)
    else if (key === 'Enter' && !isOnControl) press(false)
    else if (key === 'ArrowRight' || key === 'ArrowDown') step(1)
    else if (key === 'ArrowLeft' || key === 'ArrowUp') step(-1)
    else if (/^a$/i.test(key) && !repeat) press(true)
    else if (/^r$/i.test(key) && !repeat) recallLast()
    else if (key === 'Escape') select(undefined)
    else return
    event.preventDefault()
    keep('keys', 'yes')
    showPlaces()
  })

  return {
    dress(card) {
      if (card.dataset.ticket !== selected || selected === undefined) return
      card.dataset.selected = ''
      card.tabIndex = -1
    },
  }
}
