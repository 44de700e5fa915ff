import { deadline, fetchPage, partOf } from '../live.ts'

/**
 * Keeps the page of an order up to date. Many phones ask at once, so each asks for a few bytes, `data-watch`, and loads the section
 * only when they differ from its `data-version`. While there is no connection, the page says that it may be old.
 */
export function watchStatus(): void {
  const section = document.querySelector<HTMLElement>('[data-watch][id]')
  if (section) void watch(section.id)
}

const RANDOM_MS = 1000

async function watch(id: string): Promise<void> {
  for (;;) {
    const section = document.getElementById(id)
    const address = section?.dataset.watch
    if (!section || address === undefined) return
    // Not all phones of a full room at the same instant.
    await pause(Number(section.dataset.every) * 1000 + Math.random() * RANDOM_MS)
    if (document.hidden) continue
    const version = await versionAt(address)
    const isOld = version !== undefined && version !== 'later' && version !== section.dataset.version
    const page = isOld ? await fetchPage() : undefined
    const fresh = page && partOf(page, id)
    if (fresh) {
      const hadFocus = section.contains(document.activeElement)
      section.replaceWith(fresh)
      // Whoever uses a keyboard would otherwise start again at the top of the page.
      if (hadFocus) (fresh.querySelector('button') ?? document.getElementById('main'))?.focus()
      fresh.dispatchEvent(new CustomEvent('refreshed', { bubbles: true }))
    } else if (version !== 'later') showStale(section, version === undefined)
  }
}

/**
 * What the page shows now, in a few bytes; undefined: the server was not reached. 'later': it was asked too often, so that nothing
 * is known about the connection or the order until the next time.
 */
async function versionAt(address: string): Promise<string | 'later' | undefined> {
  try {
    const response = await fetch(address, { signal: deadline(10_000) })
    if (response.status === 429) return 'later'
    if (!response.ok) return undefined
    const { version }: { version?: unknown } = await response.json()
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

function showStale(section: HTMLElement, isStale: boolean): void {
  const shown = section.querySelector('.stale')
  if (!isStale) shown?.remove()
  if (!isStale || shown) return
  const note = document.createElement('p')
  note.className = 'note stale'
  note.setAttribute('role', 'status')
  note.textContent = section.dataset.staleText ?? ''
  section.prepend(note)
}

/** Resolves after a time, and at once when the guest looks at the page again. */
function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(done, ms)
    document.addEventListener('visibilitychange', done)
    function done(): void {
      if (document.hidden) return
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', done)
      resolve()
    }
  })
}
