/** Sets the text of an element only if it differs, because each change costs a layout. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Shows a short text right after an element, in a `span` with this class; undefined removes it. */
export function setLabel(element: Element, className: string, text: string | undefined): void {
  const shown = element.parentElement?.querySelector(`:scope > .${className}`)
  if (text === undefined) shown?.remove()
  else if (shown) setText(shown, text)
  else {
    const label = document.createElement('span')
    label.className = className
    label.textContent = text
    element.after(label)
  }
}
