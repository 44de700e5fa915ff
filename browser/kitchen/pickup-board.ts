import { parsePage } from '../trusted.ts'
import { serverClock } from './clock.ts'
import { stayLive } from './live.ts'
import { morph } from './morph.ts'
import { reloadWhenIdle } from './reload.ts'
import { sound as boardSound } from './sound.ts'

const newestMs = 20_000

/** Makes the pick-up board live, a page of routes/kitchen/pickup-board.ts. */
export function startPickUpBoard(): void {
  const { body } = document
  const { board: address, now } = body.dataset
  const banner = document.getElementById('not-live')
  const ready = document.getElementById('ready')
  const soundButton = document.getElementById('sound')
  if (address === undefined || !banner || !ready || !soundButton) return

  const clock = serverClock(Number(now), undefined)
  const sound = boardSound(showSound)
  const reload = reloadWhenIdle(clock, () => live.isLive())
  // The numbers, each with the instant at which it became ready or was called, for which no sound is due any more.
  let sounded = new Set(calls())

  const live = stayLive({
    address,
    status: () => ({ sound: sound.isOn() ? 'on' : 'off', visible: document.hidden ? 'no' : 'yes' }),
    told: clock.set,
    known() {},
    async draw({ script, parts }) {
      for (const [id, html] of parts) {
        const part = document.getElementById(id)
        if (!part) continue
        const fresh = part.cloneNode(false) as Element
        fresh.append(...parsePage(html).body.childNodes)
        morph(part, fresh)
      }
      const shown = calls()
      if (shown.some(call => !sounded.has(call))) sound.play('ticket')
      sounded = new Set(shown)
      reload.told(script)
      tick()
    },
  })

  soundButton.addEventListener('click', async () => {
    await sound.unlock()
    sound.play('test')
    showSound()
  })
  for (const event of ['pageshow', 'online']) window.addEventListener(event, () => live.ask())
  document.addEventListener('visibilitychange', () => live.ask())
  tick()
  setInterval(tick, 1_000)

  function numbers(): HTMLElement[] {
    return [...(ready?.querySelectorAll<HTMLElement>('[data-number]') ?? [])]
  }

  function calls(): string[] {
    return numbers().map(({ dataset }) => `${dataset.number} ${dataset.since}`)
  }

  function tick(): void {
    const isLive = live.isLive()
    body.dataset.live = isLive ? 'yes' : 'no'
    if (banner) banner.hidden = isLive
    for (const number of numbers()) {
      const age = clock.now() - Number(number.dataset.since)
      number.toggleAttribute('data-newest', age < newestMs)
      number.hidden = clock.now() >= Number(number.dataset.until)
    }
    showSound()
  }

  function showSound(): void {
    if (soundButton) soundButton.hidden = sound.isOn()
  }
}
