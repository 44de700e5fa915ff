import { deadline } from '../live.ts'
import { parsePage } from '../trusted.ts'
import { focusProblem } from './problem.ts'

/**
 * Sends the order of a `data-place` form and tells the guest what happens: it is being sent, it was placed (the status page opens), or
 * "NOT SENT". The form keeps its attempt id, so sending it again never places a second order.
 */
export function placeOnce(): void {
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    if (form.dataset.place === undefined) return
    event.preventDefault()
    if (form.dataset.busy === undefined) void place(form)
  })
  // The back button may show the page as it was while sending.
  window.addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-busy]')) settle(form, '')
  })
}

// Longer than the server needs for an order, even with a slow disk.
const PATIENCE_MS = 20_000

async function place(form: HTMLFormElement): Promise<void> {
  form.dataset.busy = ''
  say(form, form.dataset.sending ?? '', '')
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { Accept: 'text/html', 'Servery-Script': 'yes' },
      body: new URLSearchParams(
        [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]),
      ),
      signal: deadline(PATIENCE_MS),
    })
    const placed = response.status === 201 ? response.headers.get('Location') : null
    if (placed !== null) return location.assign(placed)
    if (response.redirected && response.ok) return location.assign(response.url)
    if (response.status >= 500 || response.redirected) return settle(form, form.dataset.unsent ?? '')
    show(await response.text())
  } catch {
    settle(form, form.dataset.unsent ?? '')
  }
}

/** Shows the page that the server returned instead of a redirect: what is wrong, with what the guest had filled in. */
function show(text: string): void {
  const fresh = parsePage(text).getElementById('main')
  if (!fresh) return
  const main = document.importNode(fresh, true)
  document.getElementById('main')?.replaceWith(main)
  focusProblem(main)
  window.scrollTo(0, 0)
}

function settle(form: HTMLFormElement, text: string): void {
  delete form.dataset.busy
  say(form, text, 'bad')
}

function say(form: HTMLFormElement, text: string, kind: string): void {
  const note = form.querySelector<HTMLElement>('[data-said]')
  const button = form.querySelector<HTMLButtonElement>('button.place')
  // Not disabled: a disabled button loses the focus.
  button?.setAttribute('aria-disabled', String(form.dataset.busy !== undefined))
  if (!note) return
  note.hidden = text === ''
  note.className = kind === '' ? 'note' : `note ${kind}`
  note.textContent = text
}
