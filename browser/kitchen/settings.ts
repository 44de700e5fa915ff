import { keep, kept } from '../kept.ts'

/** The text size and whether the all-day counts are shown, as chosen at this screen. */
export function keepSettings(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('[data-setting]')) {
    const name = input.dataset.setting ?? ''
    const chosen = kept(name)
    if (chosen !== null) input.checked = input.type === 'radio' ? input.value === chosen : chosen === 'on'
    apply(input, name)
    input.addEventListener('change', () => {
      keep(name, chosenOf(input))
      apply(input, name)
    })
  }
}

function chosenOf(input: HTMLInputElement): string {
  if (input.type === 'radio') return input.value
  return input.checked ? 'on' : 'off'
}

function apply(input: HTMLInputElement, name: string): void {
  if (input.type !== 'radio' || input.checked) document.body.setAttribute(`data-${name}`, chosenOf(input))
}
