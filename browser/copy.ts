/**
 * Shows the buttons with `data-copy="id"`, which copy the text of that element and then say `data-copied`. Without https there is no
 * clipboard for scripts, so the text is selected and copied as a person would.
 */
export function copyOnPress(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false
  document.addEventListener('click', event => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy]')
    const source = button && document.getElementById(button.dataset.copy ?? '')
    if (!button || !source) return
    if (source instanceof HTMLTextAreaElement) source.select()
    else window.getSelection()?.selectAllChildren(source)
    if (document.execCommand('copy')) button.textContent = button.dataset.copied ?? ''
  })
}
