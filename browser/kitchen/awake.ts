import { forget, keep, kept } from '../kept.ts'

const key = 'stays awake'
const lockKey = 'wake lock'
const tickMs = 5_000
// The timer of a visible page is at most this late. If it is later, the device slept.
const sleptMs = 30_000

export interface Awake {
  /** `unknown`: without https a page can neither keep a device awake nor ask whether it stays so. */
  state(): 'yes' | 'no' | 'unknown'
  /** Whether a person has confirmed that the device stays awake, and it has not slept since. */
  isConfirmed(): boolean
  confirm(): void
  /** Keeps the device awake from now on. To be called within a press. */
  lock(): Promise<void>
}

/** Keeps the device awake while the page is visible, as far as the browser lets it. `changed` is called when the state may have changed. */
export function awake(changed: () => void): Awake {
  let lock: WakeLockSentinel | undefined
  let isWanted = kept(lockKey) === 'yes'

  async function take(): Promise<void> {
    if (!isWanted || document.hidden || !('wakeLock' in navigator) || (lock && !lock.released)) return
    lock = await navigator.wakeLock.request('screen').catch(() => undefined)
    lock?.addEventListener('release', changed)
    changed()
  }

  void take()

  // If the device sleeps although a person has confirmed that it does not, the confirmation is dropped.
  let tickedAt = Date.now()
  let wasHidden = document.hidden
  setInterval(() => {
    const late = Date.now() - tickedAt - tickMs
    tickedAt = Date.now()
    if (late > sleptMs && !wasHidden && kept(key) !== null) {
      forget(key)
      changed()
    }
    wasHidden = document.hidden
  }, tickMs)
  document.addEventListener('visibilitychange', () => {
    wasHidden ||= document.hidden
    // The browser releases the lock when the page is hidden.
    void take()
  })

  return {
    state() {
      if (lock && !lock.released) return 'yes'
      return 'wakeLock' in navigator ? 'no' : 'unknown'
    },
    isConfirmed: () => kept(key) === 'yes',
    confirm() {
      keep(key, 'yes')
      changed()
    },
    lock() {
      isWanted = true
      keep(lockKey, 'yes')
      return take()
    },
  }
}
