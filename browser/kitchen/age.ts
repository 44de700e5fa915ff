import type { ServerClock } from './clock.ts'
import { setLabel, setText } from './text.ts'
import type { Words } from './words.ts'

/**
 * Shows how old a ticket is, or when a held one fires. Only texts and classes change. Slow and late tickets say so
 * with a word and a shape (style/70-kitchen.css), not by colour alone.
 */
export function showAge(card: HTMLElement, clock: ServerClock, words: Words): void {
  const age = card.querySelector('.age')
  if (!age) return
  const { opened, fire, slow, late } = card.dataset
  const now = clock.now()
  if (fire !== undefined) {
    if (fire !== '')
      setText(age, words('fires', { time: clock.momentOf(Number(fire)), left: leftText(Number(fire) - now) }))
    return
  }
  const ms = now - Number(opened)
  const isLate = ms >= Number(late)
  const isSlow = !isLate && ms >= Number(slow)
  card.classList.toggle('late', isLate)
  card.classList.toggle('slow', isSlow)
  setText(age, minutes(ms))
  setLabel(age, 'pace', isLate ? words('late') : isSlow ? words('slow') : undefined)
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A time that is left, as exactly as people need it: "12:05 min", "3h 20m", "2 days 4h". */
function leftText(ms: number): string {
  if (ms < hourMs) return `${minutes(ms)} min`
  const unit = (name: 'day' | 'hour' | 'minute', value: number) =>
    new Intl.NumberFormat(document.documentElement.lang, {
      style: 'unit',
      unit: name,
      unitDisplay: name === 'day' ? 'long' : 'narrow',
    }).format(Math.floor(value))
  if (ms < dayMs) return `${unit('hour', ms / hourMs)} ${unit('minute', (ms % hourMs) / minuteMs)}`
  return `${unit('day', ms / dayMs)} ${unit('hour', (ms % dayMs) / hourMs)}`
}

/** Minutes and seconds, such as "65:10". */
function minutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
