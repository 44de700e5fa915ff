/** A second press of a button sends its form only once. The server holds the same by itself. */
export function sendOnce(): void {
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    if (form.method !== 'post' || event.defaultPrevented) return
    if (form.dataset.sent !== undefined) return event.preventDefault()
    form.dataset.sent = ''
  })
  // The back button shows the page as it was left.
  window.addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sent]')) delete form.dataset.sent
  })
}
