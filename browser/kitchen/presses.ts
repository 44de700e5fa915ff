import type { Acts } from './acts.ts'
import { actOf, namedBy } from './unconfirmed.ts'

// The second tap of a double tap would press the same button again, or another one that has moved there since the first tap.
const doubleTapMs = 400
const doubleTapPx = 48

interface Press {
  at: number
  x: number
  y: number
  button: HTMLButtonElement
  /** Where the buttons near it were at that moment. */
  around: Map<HTMLButtonElement, DOMRect>
}

/** Turns presses on forms for `address` into acts, and keeps the browser from sending these forms itself. */
export function takePresses(address: string, acts: Acts): void {
  let last: Press | undefined
  let pressed: HTMLButtonElement | undefined

  document.addEventListener(
    'click',
    event => {
      const button = (event.target as Element).closest('button')
      if (!button?.form || !isAct(button.form)) return
      pressed = button
      // A key press has no position. A button that a finger pressed must not keep the focus, or Enter on a bump bar would press it again.
      if (event.detail === 0) return
      const { clientX: x, clientY: y } = event
      const isNear = last && event.timeStamp - last.at < doubleTapMs && Math.hypot(x - last.x, y - last.y) < doubleTapPx
      // A tap on a neighbour that was already there is meant.
      const isMeant = button !== last?.button && isIn(last?.around.get(button), x, y)
      last = { at: event.timeStamp, x, y, button, around: buttonsAround(x, y) }
      if (isNear && !isMeant) event.preventDefault()
      button.blur()
    },
    { capture: true },
  )
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    if (!isAct(form)) return
    event.preventDefault()
    // Not every browser names the button that sends a form.
    if (pressed?.form !== form) return
    const act = actOf(pressed, pressed.closest<HTMLElement>('.ticket'))
    if (act === null) return
    const fields: Record<string, string> = { ...namedBy(pressed), act }
    for (const { name, value } of form.querySelectorAll('input')) fields[name] = value
    acts.add(fields)
  })

  function isAct(form: HTMLFormElement): boolean {
    return form.getAttribute('action') === address
  }
}

function buttonsAround(x: number, y: number): Map<HTMLButtonElement, DOMRect> {
  const around = new Map<HTMLButtonElement, DOMRect>()
  for (const place of document.querySelectorAll('.ticket, #recent li')) {
    if (!isIn(place.getBoundingClientRect(), x, y, doubleTapPx)) continue
    for (const button of place.querySelectorAll('button')) around.set(button, button.getBoundingClientRect())
  }
  return around
}

function isIn(box: DOMRect | undefined, x: number, y: number, margin = 0): boolean {
  if (!box) return false
  const isAcross = x >= box.left - margin && x <= box.right + margin
  return isAcross && y >= box.top - margin && y <= box.bottom + margin
}
