/** What this browser keeps for its pages. Without storage, as in a private window, nothing outlives the page. */
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The page has it in memory.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // It was never kept.
  }
}

/** The values of all keys that start so. */
export function keptUnder(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter(key => key.startsWith(prefix))
      .map(key => localStorage.getItem(key) ?? '')
  } catch {
    return []
  }
}
