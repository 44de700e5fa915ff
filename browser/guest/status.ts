import { deadline, fetchPage, partOf } from '../live.ts'

/**
 * Keeps the status page of an order up to date. Many phones poll at once, so each one polls a few bytes at the address in
 * `data-watch`, and loads the section only when its `data-version` has changed. Without a connection, the page says that it may be
 * out of date.
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
    // The random part keeps the phones of a full room from asking all at once.
    await pause(Number(section.dataset.every) * 1000 + Math.random() * RANDOM_MS)
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
 * The current version of the page; undefined: the server was not reached, or has no such order; 'later': this phone has asked too
 * often (429), so nothing is known until the next poll.
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

/** Resolves after some milliseconds, and at once when the page comes back into view. It never resolves while the page is hidden. */
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
