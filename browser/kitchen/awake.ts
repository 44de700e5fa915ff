import { forget, keep, kept } from '../kept.ts'

const key = 'stays awake'
const lockKey = 'wake lock'
const tickMs = 5_000
// A page in front is at most this late; longer means that the device slept.
const sleptMs = 30_000

export interface Awake {
  /** `unknown`: without https a page can neither keep a device awake nor ask whether it stays so. */
  state(): 'yes' | 'no' | 'unknown'
  /** Whether a person has said that the device stays awake, and nothing has shown otherwise. */
  isConfirmed(): boolean
  confirm(): void
  /** To be called within a press. */
  lock(): Promise<void>
}

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

  // A device that sleeps although somebody said that it does not is found out.
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
    // The browser gives it up when the page is left.
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
