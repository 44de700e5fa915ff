/**
 * Moves entries of lists by dragging: an entry of a `data-drag="kind"` list can be dropped on any list of the same kind. The form
 * `#drop` is sent with what was moved, and before what. Where nothing can be dragged, such as on phones, buttons do the same.
 */
export function moveByDragging(): void {
  const form = document.querySelector<HTMLFormElement>('form#drop')
  if (!form) return
  let dragged: HTMLElement | undefined
  for (const entry of document.querySelectorAll<HTMLElement>('[data-drag] > li')) entry.draggable = true

  document.addEventListener('dragstart', event => {
    dragged = (event.target as HTMLElement).closest<HTMLElement>('[data-drag] > li') ?? undefined
    dragged?.setAttribute('data-dragged', '')
    event.dataTransfer?.setData('text/plain', dragged?.id ?? '')
  })
  document.addEventListener('dragover', event => {
    const place = dragged && placeOf(event, dragged)
    if (!place || !dragged) return
    event.preventDefault()
    place.list.insertBefore(dragged, place.before)
  })
  document.addEventListener('drop', event => {
    if (!dragged) return
    event.preventDefault()
    const list = dragged.parentElement
    const field = (name: string, value: string | undefined) => {
      const input = form.elements.namedItem(name)
      if (input instanceof HTMLInputElement) input.value = value ?? ''
    }
    field('record', list?.dataset.drag)
    field('id', dragged.dataset.id)
    field('section', list?.dataset.section)
    field('before', (dragged.nextElementSibling as HTMLElement | null)?.dataset.id)
    form.requestSubmit()
  })
  document.addEventListener('dragend', () => {
    dragged?.removeAttribute('data-dragged')
    dragged = undefined
  })
}

/** Where an entry would be dropped: into the list under the pointer, before the entry whose middle is below it. */
function placeOf(event: DragEvent, dragged: HTMLElement): { list: HTMLElement; before: Element | null } | undefined {
  const kind = dragged.parentElement?.dataset.drag
  const list = (event.target as HTMLElement).closest<HTMLElement>(`[data-drag="${kind}"]`)
  if (!list || dragged.contains(list)) return undefined
  const before = [...list.children].find(entry => {
    const { top, height } = entry.getBoundingClientRect()
    return entry !== dragged && event.clientY < top + height / 2
  })
  return { list, before: before ?? null }
}
