import { parsePage } from './trusted.ts'

/**
 * Keeps sections up to date: every `data-live="seconds"` section with an id is fetched again with its page and replaced when it
 * has changed, unless the person is working in it. A section that could not be fetched gets `data-stale`. The kitchen's alarms, which
 * are on every page, are replaced as well.
 */
export function keepLive(): void {
  for (const section of document.querySelectorAll<HTMLElement>('[data-live][id]')) {
    const seconds = Number(section.dataset.live)
    if (seconds > 0) void keepSectionLive(section.id, seconds * 1000)
  }
}

async function keepSectionLive(id: string, everyMs: number): Promise<void> {
  let seen = document.getElementById(id)?.outerHTML
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, everyMs))
    const section = document.getElementById(id)
    if (!section) return
    if (document.hidden) continue
    const page = await fetchPage()
    const fresh = page && partOf(page, id)
    if (page && fresh) replaceAlarms(page)
    if (!fresh) {
      section.dataset.stale = ''
      continue
    }
    delete section.dataset.stale
    if (fresh.outerHTML === seen || isInUse(section)) continue
    seen = fresh.outerHTML
    section.replaceWith(fresh)
    fresh.dispatchEvent(new CustomEvent('refreshed', { bubbles: true }))
  }
}

/** This page as the server shows it now; undefined when it could not be fetched. */
export async function fetchPage(): Promise<Document | undefined> {
  try {
    // A page that refreshes itself must not keep a person logged in who has left.
    const headers = { Accept: 'text/html', 'Servery-Refresh': 'yes' }
    const response = await fetch(location.href, { headers, signal: deadline(10_000) })
    return !response.ok || response.redirected ? undefined : parsePage(await response.text())
  } catch {
    return undefined
  }
}

/** A copy of an element of another page. */
export function partOf(page: Document, id: string): HTMLElement | undefined {
  const found = page.getElementById(id)
  return found ? document.importNode(found, true) : undefined
}

/** Replaces only the contents, so that a screen reader announces new alarms. */
function replaceAlarms(page: Document): void {
  const shown = document.getElementById('alarms')
  const fresh = partOf(page, 'alarms')
  if (!shown || !fresh || shown.innerHTML === fresh.innerHTML) return
  if (!isInUse(shown)) shown.replaceChildren(...fresh.childNodes)
}

/** A signal that aborts a request after so many milliseconds. */
export function deadline(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return controller.signal
}

/** Whether a finger or a cursor is in a section, so that it must not be replaced now. */
function isInUse(section: HTMLElement): boolean {
  const active = document.activeElement
  return (
    section.matches(':active') ||
    (active !== null && section !== active && section.contains(active) && active.matches('input, select, textarea'))
  )
}
