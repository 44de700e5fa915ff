import { forget, keep, kept } from '../kept.ts'

const key = 'pressed in the cart'

/**
 * Gives the focus back to the button that changed a line of the cart, when the page comes back with the change. Otherwise a keyboard
 * would start again at the top, and a phone would scroll there.
 */
export function focusPressedAgain(): void {
  const pressed = kept(key)
  forget(key)
  if (pressed !== null) (buttonOf(pressed) ?? document.getElementById('main'))?.focus()
  document.addEventListener('submit', ({ submitter }) => {
    if (submitter instanceof HTMLButtonElement && submitter.closest('.lines')) keep(key, nameOf(submitter))
  })
}

function buttonOf(name: string): HTMLButtonElement | undefined {
  return [...document.querySelectorAll<HTMLButtonElement>('.lines button')].find(button => nameOf(button) === name)
}

/** The line and what the button does with it. */
function nameOf(button: HTMLButtonElement): string {
  return `${button.form?.querySelector<HTMLInputElement>('[name="line"]')?.value} ${button.value}`
}
