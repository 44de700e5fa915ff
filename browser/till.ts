import { parsePage } from './trusted.ts'

/**
 * Sends the presses of a form `data-inplace` in the background and shows the form that comes back in its place, so that the page
 * neither flickers nor scrolls. A redirect is followed. A change of a `data-refresh` field counts as a press of the first button.
 */
export function pressInPlace(): void {
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    if (form.dataset.inplace === undefined || event.defaultPrevented) return
    event.preventDefault()
    void press(form, event.submitter)
  })
  document.addEventListener('change', event => {
    const field = event.target as HTMLElement
    const form = field.matches('[data-refresh]') ? field.closest<HTMLFormElement>('form[data-inplace]') : null
    const first = form?.querySelector('button')
    if (form && first) void press(form, first)
  })
}

async function press(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  if (form.dataset.sent !== undefined) return
  form.dataset.sent = ''
  const name = button?.getAttribute('name') ?? ''
  const value = button?.getAttribute('value') ?? ''
  const body = new URLSearchParams()
  for (const [field, entry] of new FormData(form)) body.append(field, String(entry))
  if (name !== '') body.append(name, value)
  const sent = { method: 'POST', body, headers: { Accept: 'text/html' } }
  const response = await fetch(form.action, sent).catch(() => null)
  if (response?.redirected) return location.assign(response.url)
  const fresh = response && parsePage(await response.text()).getElementById(form.id)
  // Without a connection or a form, the browser sends it in its own way and shows what happens.
  if (!fresh) return sendByBrowser(form, name, value)
  const isTyping = document.activeElement?.matches('input:not([type="radio"], [type="checkbox"])') ?? false
  const focused = document.activeElement?.id ?? ''
  const shown = document.importNode(fresh, true)
  form.replaceWith(shown)
  const sheet = shown.querySelector<HTMLElement>('.sheet')
  const alert = shown.querySelector<HTMLElement>('[role="alert"]')
  const same = [...shown.querySelectorAll<HTMLElement>(`button[name="${name}"]`)].find(
    each => each.getAttribute('value') === value && each.tabIndex >= 0,
  )
  const next = sheet?.querySelector<HTMLElement>('[autofocus], input:not([type="hidden"])')
  // On a phone, focus on a text field would open the keyboard over the dishes.
  const typed = isTyping ? shown.querySelector<HTMLElement>('[autofocus]') : null
  const field = focused === '' ? null : document.getElementById(focused)
  ;(next ?? (value === 'enter' ? (typed ?? field) : null) ?? same ?? typed)?.focus({ preventScroll: !sheet })
  alert?.scrollIntoView({ block: 'nearest' })
}

function sendByBrowser(form: HTMLFormElement, name: string, value: string): void {
  const pressed = document.createElement('input')
  pressed.type = 'hidden'
  pressed.name = name
  pressed.value = value
  form.append(pressed)
  form.submit()
}
