/** A value that this browser keeps for its pages; null: none. Where storage is not available, nothing outlives the page. */
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
    // Storage is full or not available. The page has the value in memory.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is not available, so the value was never kept.
  }
}

/** The values of all keys that start with a prefix. */
export function keptUnder(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter(key => key.startsWith(prefix))
      .map(key => localStorage.getItem(key) ?? '')
  } catch {
    return []
  }
}
