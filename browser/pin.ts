/** On a page for a PIN, a name leads to the digits, and the sixth digit sends the form. */
export function helpWithPin(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-pin]')
  const pin = form?.querySelector<HTMLInputElement>('input[name="pin"]')
  const button = form?.querySelector('button')
  if (!form || !pin || !button) return
  form.addEventListener('change', event => {
    if (event.target instanceof HTMLInputElement && event.target.type === 'radio') pin.focus()
  })
  pin.addEventListener('input', () => {
    if (/^\d{6}$/.test(pin.value) && form.checkValidity()) button.click()
  })
}
