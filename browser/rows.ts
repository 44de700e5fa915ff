import { parsePage } from './trusted.ts'

/**
 * Saves single rows of a sheet without loading the page again: a `data-row="ID …"` form is sent in the background, the elements
 * with these ids are replaced by what the server shows for them, and the row after the first gets the focus if nothing was wrong.
 */
export function saveRows(): void {
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    if (form.dataset.row === undefined || event.defaultPrevented) return
    event.preventDefault()
    void save(form, form.dataset.row.split(' '))
  })
}

async function save(form: HTMLFormElement, ids: string[]): Promise<void> {
  if (form.dataset.sent !== undefined) return
  form.dataset.sent = ''
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) body.append(name, String(value))
  const response = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'text/html' } }).catch(
    () => null,
  )
  const page = response && parsePage(await response.text())
  const [row] = ids.map(id => {
    const [old, fresh] = [document.getElementById(id), page?.getElementById(id)]
    const shown = old && fresh && document.importNode(fresh, true)
    if (shown) old.replaceWith(shown)
    return shown
  })
  // Without a connection or a row, the browser sends it in its own way and shows what happens.
  if (!row) return form.submit()
  const wrong = row.querySelector<HTMLElement>('[aria-invalid="true"]')
  const next = wrong ?? row.nextElementSibling?.querySelector<HTMLElement>('form[data-row] input:not([type="hidden"])')
  next?.focus()
}
