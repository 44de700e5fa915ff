import type { ServerClock } from './clock.ts'
import type { Words } from './words.ts'

/**
 * Shows how old a ticket is, or when a held one comes to the station: only texts and classes change. Slow and late tickets say so
 * by a word and a shape (style/70-kitchen.css), not by colour alone.
 */
export function showAge(card: HTMLElement, clock: ServerClock, words: Words): void {
  const age = card.querySelector('.age')
  if (!age) return
  const { opened, fire, slow, late } = card.dataset
  const now = clock.now()
  if (fire !== undefined) {
    if (fire !== '') say(age, words('fires', { time: clock.timeOf(Number(fire)), left: minutes(Number(fire) - now) }))
    return
  }
  const ms = now - Number(opened)
  const isLate = ms >= Number(late)
  const isSlow = !isLate && ms >= Number(slow)
  card.classList.toggle('late', isLate)
  card.classList.toggle('slow', isSlow)
  say(age, minutes(ms))
  mark(age, 'pace', isLate ? words('late') : isSlow ? words('slow') : undefined)
}

/** Shows a word after an element, with a class of its own; undefined: none. */
export function mark(element: Element, name: string, text: string | undefined): void {
  const shown = element.parentElement?.querySelector(`:scope > .${name}`)
  if (text === undefined) shown?.remove()
  else if (shown) say(shown, text)
  else {
    const word = document.createElement('span')
    word.className = name
    word.textContent = text
    element.after(word)
  }
}

/** Writes a text only where it differs, because each writing costs a layout. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Minutes and seconds, such as "65:10". */
function minutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
