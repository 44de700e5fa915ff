import type { ServerClock } from './clock.ts'

const scriptIdleMs = 60_000
const nightIdleMs = 10 * 60_000
const nightStart = '04:30'
const nightEnd = '05:00'
const minimumAgeMs = 2 * 60 * 60_000

/**
 * Reloads the page when the server has a new script, and once a night, but only while nobody works at the screen and `mayReload` allows
 * it. `told` is called with the name of the current script.
 */
export function reloadWhenIdle(clock: ServerClock, mayReload: () => boolean): { told(script: string): void } {
  let touchedAt = performance.now()
  let isNew = false
  let isTrying = false
  for (const touch of ['pointerdown', 'keydown'])
    document.addEventListener(touch, () => {
      touchedAt = performance.now()
    })
  setInterval(() => void reloadIfDue(), 20_000)

  async function reloadIfDue(): Promise<void> {
    const idleMs = performance.now() - touchedAt
    const time = clock.timeOf(clock.now())
    const isNight = time >= nightStart && time < nightEnd && performance.now() > minimumAgeMs
    const isDue = (isNew && idleMs > scriptIdleMs) || (isNight && idleMs > nightIdleMs)
    if (!isDue || isTrying || !mayReload()) return
    isTrying = true
    // The page is fetched first, because a screen would not recover from the browser's error page.
    const page = await fetch(location.href, { headers: { 'Servery-Refresh': 'yes' }, redirect: 'error' }).catch(
      () => null,
    )
    isTrying = false
    if (page?.status === 200 && mayReload()) location.reload()
  }

  const own = document.querySelector<HTMLScriptElement>('script[src]')?.src ?? ''
  return {
    told(script) {
      isNew = script !== '' && !own.endsWith(script)
    },
  }
}
