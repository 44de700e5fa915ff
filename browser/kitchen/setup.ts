import type { Awake } from './awake.ts'
import type { Sound } from './sound.ts'

/**
 * Runs the strip that says what this device lacks. Its sentences are in the page; those that apply are shown, and without any the strip
 * is hidden. Returns the function that updates it.
 */
export function setUp(strip: HTMLElement, sound: Sound, awake: Awake): () => void {
  const start = strip.querySelector<HTMLButtonElement>('[data-start-shift]')
  start?.addEventListener('click', () => void startShift())
  strip.querySelector('[data-stays-awake]')?.addEventListener('click', () => awake.confirm())
  document.querySelector('[data-test-sound]')?.addEventListener('click', async () => {
    await sound.unlock()
    sound.play('test')
  })

  async function startShift(): Promise<void> {
    // Full screen, sound and wake lock all need the press, so none waits for another.
    const whole = document.documentElement.requestFullscreen?.().catch(() => {})
    await Promise.all([sound.unlock(), awake.lock(), whole])
    sound.play('test')
    show()
  }

  function show(): void {
    const lacks: Record<string, boolean> = {
      sound: !sound.isOn(),
      awake: awake.state() === 'no',
      unknown: awake.state() === 'unknown' && !awake.isConfirmed(),
    }
    for (const item of strip.querySelectorAll<HTMLElement>('[data-lack]')) item.hidden = !lacks[item.dataset.lack ?? '']
    if (start) start.hidden = !lacks.sound && !lacks.awake
    strip.hidden = !Object.values(lacks).some(Boolean)
  }
  return show
}
