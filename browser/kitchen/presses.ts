import type { Acts } from './acts.ts'
import { actOf } from './unconfirmed.ts'

// A second tap of a double tap would hit the button that has come there since: a neighbour's, or the next step of the same card.
const doubleTapMs = 400
const doubleTapPx = 48

/** Turns presses of the forms that are sent to `address` into acts. They are never sent by the browser itself. */
export function takePresses(address: string, acts: Acts): void {
  let last = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0 }

  document.addEventListener(
    'click',
    event => {
      const button = (event.target as Element).closest('button')
      if (!button?.form || !isAct(button.form)) return
      // A key has no place. What a finger pressed must not keep the focus, or Enter on a bump bar would press it again.
      if (event.detail === 0) return
      const { clientX: x, clientY: y } = event
      const isDouble = event.timeStamp - last.at < doubleTapMs && Math.hypot(x - last.x, y - last.y) < doubleTapPx
      last = { at: event.timeStamp, x, y }
      if (isDouble) event.preventDefault()
      button.blur()
    },
    { capture: true },
  )
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    if (!isAct(form)) return
    event.preventDefault()
    const button = event.submitter ?? form.querySelector('button')
    if (!(button instanceof HTMLButtonElement)) return
    const act = actOf(button, button.closest<HTMLElement>('.ticket'))
    if (act === null) return
    const fields: Record<string, string> = { act }
    for (const { name, value } of form.querySelectorAll('input')) fields[name] = value
    acts.add(fields)
  })

  function isAct(form: HTMLFormElement): boolean {
    return form.getAttribute('action') === address
  }
}
