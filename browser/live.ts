import { parsePage } from './trusted.ts'

/**
 * Keeps sections up to date: every `data-live="seconds"` section with an id is fetched again with its page and replaced when it
 * has changed, unless the person is working in it. A section that could not be fetched says so by `data-stale`.
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
    const fresh = await fetchSection(id)
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

/** The section as the server shows it now; undefined when the page could not be fetched or no longer has it. */
async function fetchSection(id: string): Promise<HTMLElement | undefined> {
  try {
    // A page that refreshes itself must not keep a person logged in who has left.
    const headers = { Accept: 'text/html', 'Servery-Refresh': 'yes' }
    const response = await fetch(location.href, { headers, signal: deadline(10_000) })
    if (!response.ok || response.redirected) return undefined
    const found = parsePage(await response.text()).getElementById(id)
    return found ? document.importNode(found, true) : undefined
  } catch {
    return undefined
  }
}

function deadline(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return controller.signal
}

/** Nothing is replaced under a finger or a cursor. */
function isInUse(section: HTMLElement): boolean {
  const active = document.activeElement
  return (
    section.matches(':active') ||
    (active !== null && section !== active && section.contains(active) && active.matches('input, select, textarea'))
  )
}
