import { deadline } from '../live.ts'

// Strangers use a kiosk one after another: nothing of a guest may be left for the next one, and nobody can press "reload".

const WARNING_S = 15
const LOOK_MS = 10_000
const ANSWER_MS = 5_000

/** Makes the pages of a kiosk start afresh when nobody touches them, and say when the server is out of reach (decision 062). */
export function runKiosk(): void {
  const { kiosk: base } = document.body.dataset
  if (base === undefined) return
  addSteps()
  endWhenIdle(base)
  void watchServer(base)
  leaveOnlyWhenReached(base)
  // The back button must not show a page of the guest before.
  window.addEventListener('pageshow', event => {
    if (event.persisted) location.replace(base)
  })
  document.addEventListener('contextmenu', event => event.preventDefault())
}

/** Adds − and + buttons to number fields, because a kiosk may have no keyboard. */
function addSteps(): void {
  const inputs = document.querySelectorAll<HTMLInputElement>('input[type="number"]')
  for (const [index, input] of [...inputs].entries()) {
    const [label] = input.labels ?? []
    const name = (label?.querySelector('span') ?? label)?.textContent?.trim() ?? ''
    // A label without `for` would belong to the first button in it.
    input.id = input.id || `number-${index}`
    if (label) label.htmlFor = input.id
    const step = (text: string, by: () => void) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = text
      button.disabled = input.disabled
      button.setAttribute('aria-label', `${text} ${name}`)
      button.addEventListener('click', () => {
        by()
        input.dispatchEvent(new Event('input', { bubbles: true }))
      })
      return button
    }
    const steps = document.createElement('span')
    steps.className = 'steps'
    input.replaceWith(steps)
    steps.append(
      step('−', () => input.stepDown()),
      input,
      step('+', () => input.stepUp()),
    )
  }
}

/** Ends the guest's turn after some seconds without a touch. With `data-asks`, a question is shown for 15 seconds before that. */
function endWhenIdle(base: string): void {
  const { idle, asks } = document.body.dataset
  const end = document.querySelector<HTMLFormElement>('#kiosk-end')
  const question = document.querySelector<HTMLDialogElement>('#still-there')
  const seconds = question?.querySelector<HTMLElement>('[data-seconds]')
  end?.addEventListener('submit', event => {
    event.preventDefault()
    void endTurn(end, base)
  })
  if (idle === undefined || !end || !question || !seconds) return
  const most = Number(idle)
  let last = performance.now()
  const touched = () => {
    if (!question.open) last = performance.now()
  }
  for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchmove', 'input']) {
    document.addEventListener(kind, touched, { capture: true, passive: true })
  }
  const stays = () => {
    last = performance.now()
  }
  question.querySelector('[data-stay]')?.addEventListener('click', () => {
    // The close event comes a moment later. Until then, the timer would open the question again.
    stays()
    question.close()
  })
  question.addEventListener('close', stays)
  setInterval(() => {
    // An order that is being sent is not interrupted.
    if (document.querySelector('form[data-busy]')) last = performance.now()
    const left = Math.ceil(most - (performance.now() - last) / 1000)
    if (left > 0) return
    if (asks === undefined) return void endTurn(end, base)
    if (!question.open) question.showModal()
    seconds.textContent = String(Math.max(0, WARNING_S + left))
    if (WARNING_S + left <= 0) void endTurn(end, base)
  }, 500)
}

let isEnding = false

/** Removes everything of the guest, and replaces this page by the start page. Without a connection, the next tick tries again. */
async function endTurn(form: HTMLFormElement, base: string): Promise<void> {
  if (isEnding) return
  isEnding = true
  try {
    await fetch(form.action, { method: 'POST', body: new URLSearchParams(), signal: deadline(ANSWER_MS) })
    location.replace(base)
  } catch {
    showOffline(true)
    isEnding = false
  }
}

/** The state that the server reports (`readKioskNow`); undefined: it was not reached; null: this screen is no longer a kiosk. */
async function stateAt(base: string): Promise<string | null | undefined> {
  try {
    const response = await fetch(`${base}/now`, {
      headers: { 'Servery-Refresh': 'yes' },
      signal: deadline(ANSWER_MS),
    })
    if (response.status >= 500) return undefined
    if (!response.ok) return null
    const { state }: { state?: unknown } = await response.json()
    return typeof state === 'string' ? state : null
  } catch {
    return undefined
  }
}

async function watchServer(base: string): Promise<void> {
  const { state: shown, asks } = document.body.dataset
  // The number of an order stays in sight: its guest need not order anything at the counter.
  const isNumber = shown === undefined && asks === undefined
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
    const state = await stateAt(base)
    if (!isNumber) showOffline(state === undefined)
    // Only start pages have a `data-state`, so a guest is never interrupted.
    if (state !== undefined && shown !== undefined && state !== shown) location.replace(base)
  }
}

function showOffline(isOffline: boolean): void {
  const note = document.getElementById('offline')
  if (note) note.hidden = !isOffline
}

/**
 * Follows a link or sends a form only if the server responds. Otherwise the browser would show its own error page, which nobody at a
 * kiosk can leave.
 */
function leaveOnlyWhenReached(base: string): void {
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    // A link to an element on this page needs no server.
    if (event.defaultPrevented || !link || link.href.split('#')[0] === location.href.split('#')[0]) return
    event.preventDefault()
    void whenReached(base, () => location.assign(link.href))
  })
  document.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || form.method === 'dialog') return
    event.preventDefault()
    const { submitter } = event
    void whenReached(base, () => {
      if (submitter instanceof HTMLButtonElement && submitter.name !== '') {
        const pressed = document.createElement('input')
        pressed.type = 'hidden'
        pressed.name = submitter.name
        pressed.value = submitter.value
        form.append(pressed)
      }
      form.submit()
    }).then(isReached => {
      if (!isReached) delete form.dataset.sent
    })
  })
}

async function whenReached(base: string, go: () => void): Promise<boolean> {
  const isReached = (await stateAt(base)) !== undefined
  showOffline(!isReached)
  if (isReached) go()
  return isReached
}
