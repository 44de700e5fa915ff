import { parsePage } from '../trusted.ts'

const PAUSE_MS = 120

let timer: ReturnType<typeof setTimeout> | undefined
let asked: AbortController | undefined

/** Shows the price that the server calculates for the choices of a dish, whenever they change. */
export function keepPriceLive(): void {
  hideButtons(document)
  document.addEventListener('input', event => {
    const form = event.target instanceof Element && event.target.closest<HTMLFormElement>('form[data-price]')
    if (!form) return
    clearTimeout(timer)
    timer = setTimeout(() => void showPrice(form), PAUSE_MS)
  })
}

/** Hides the buttons that are only needed without a script. */
export function hideButtons(within: ParentNode): void {
  for (const button of within.querySelectorAll<HTMLElement>('.only-plain')) button.hidden = true
}

async function showPrice(form: HTMLFormElement): Promise<void> {
  asked?.abort()
  asked = new AbortController()
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') query.append(name, value)
  const price = form.querySelector('#price')
  try {
    const headers = { Accept: 'text/html', 'Servery-Refresh': 'yes' }
    const response = await fetch(`${form.action}?${query}`, { headers, signal: asked.signal })
    if (!response.ok) throw new Error(`refused with ${response.status}`)
    const fresh = parsePage(await response.text())
    const shown = [...form.querySelectorAll('#price, .choice .num')]
    const now = [...fresh.querySelectorAll('form[data-price] #price, form[data-price] .choice .num')]
    if (shown.length !== now.length) return
    for (const [index, each] of shown.entries()) each.textContent = now[index]?.textContent ?? ''
  } catch (error) {
    // The old price would be wrong for the new choices.
    if (price && !(error instanceof DOMException && error.name === 'AbortError')) price.textContent = ''
  }
}
