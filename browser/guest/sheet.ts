import { parsePage } from '../trusted.ts'
import { hideButtons } from './price.ts'
import { focusProblem } from './problem.ts'

/**
 * Opens a dish in a dialog over the menu and adds it without leaving the menu. The address becomes that of the dish, so the back
 * button closes the dialog and a reload shows the page of the dish. If any of this fails, the link or form works as without a script.
 */
export function openDishesHere(): void {
  const { pathname } = location
  if (!document.querySelector('.cats')) {
    // The page of a dish after a reload. The menu before it in the history has to be loaded again.
    window.addEventListener('popstate', () => location.pathname !== pathname && location.reload())
    return
  }
  if (!('showModal' in HTMLDialogElement.prototype)) return
  const dialog = document.createElement('dialog')
  dialog.className = 'dish-sheet'
  document.body.append(dialog)

  document.addEventListener('click', event => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('.dish > a')
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void open(link)
  })
  dialog.addEventListener('click', event => {
    const isBackdrop = event.target === dialog
    const isBack = event.target instanceof Element && event.target.closest('.back') !== null
    if (!isBackdrop && !isBack) return
    event.preventDefault()
    leave()
  })
  // The Escape key.
  dialog.addEventListener('cancel', event => {
    event.preventDefault()
    leave()
  })
  dialog.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    const isPrice = event.submitter?.getAttribute('formmethod') === 'get'
    if (isPrice) return
    event.preventDefault()
    event.stopPropagation()
    void add(form)
  })
  window.addEventListener('popstate', () => dialog.open && dialog.close())

  let isBusy = false

  async function open(link: HTMLAnchorElement): Promise<void> {
    if (isBusy) return
    isBusy = true
    const dish = await dishAt(link.href)
    isBusy = false
    if (!dish) return location.assign(link.href)
    history.pushState({ isDish: true }, '', link.href)
    show(dish)
    dialog.showModal()
    dialog.scrollTop = 0
  }

  async function dishAt(address: string): Promise<Document | undefined> {
    try {
      const response = await fetch(address, { headers: { Accept: 'text/html' } })
      const page = parsePage(await response.text())
      return response.ok && page.getElementById('one-dish') ? page : undefined
    } catch {
      return undefined
    }
  }

  function show(page: Document): void {
    const dish = page.getElementById('one-dish')
    const back = page.querySelector('.back')
    if (!dish) return
    const shown = [back, dish].flatMap(part => (part ? [document.importNode(part, true)] : []))
    dialog.replaceChildren(...shown)
    // The page below has its own heading.
    dialog.setAttribute('aria-label', dish.querySelector('h1')?.textContent ?? '')
    hideButtons(dialog)
  }

  async function add(form: HTMLFormElement): Promise<void> {
    if (isBusy) return
    isBusy = true
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value)
    try {
      const response = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'text/html' } })
      const page = parsePage(await response.text())
      if (page.querySelector('.cats')) {
        update(page)
        leave()
      } else if (page.getElementById('one-dish')) {
        show(page)
        focusProblem(dialog)?.scrollIntoView({ block: 'center' })
      } else {
        form.submit()
      }
    } catch {
      // The browser then shows why the form cannot be sent.
      form.submit()
    }
    isBusy = false
  }

  /** Closes the dialog, and removes the address of the dish from the history. */
  function leave(): void {
    if (history.state?.isDish) history.back()
    else dialog.close()
  }
}

/** Takes the bar of the cart and the note about what was added from a new menu page. */
function update(page: Document): void {
  const [old, fresh] = [document.getElementById('cart'), page.getElementById('cart')]
  if (fresh) {
    const shown = document.importNode(fresh, true)
    if (old) old.replaceWith(shown)
    else document.getElementById('main')?.after(shown)
  }
  const [said, says] = [document.getElementById('added'), page.getElementById('added')]
  if (!said || !says) return
  said.hidden = false
  said.textContent = says.textContent
}
