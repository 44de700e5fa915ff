import { keep, kept } from './kept.ts'
import { playMelody } from './melody.ts'

/**
 * Plays a sound when a live section shows something newer: its `data-chime` has grown. A button `data-chime-switch="id"` turns the
 * sound on, because browsers play nothing before a press. The choice is kept in this browser.
 */
export function chimeForNew(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-chime-switch]')) {
    const section = document.getElementById(button.dataset.chimeSwitch ?? '')
    if (section) startChime(button, section)
  }
}

function startChime(button: HTMLButtonElement, section: HTMLElement): void {
  const { id } = section
  let newest = Number(section.dataset.chime)
  let audio: AudioContext | undefined
  let isOn = kept(key) === 'on'
  show()
  button.hidden = false

  function show(): void {
    button.setAttribute('aria-pressed', String(isOn))
  }

  function awake(): void {
    if (!isOn) return
    audio ??= new AudioContext()
    void audio.resume()
  }

  button.addEventListener('click', () => {
    isOn = !isOn
    keep(key, isOn ? 'on' : 'off')
    show()
    awake()
    if (isOn && audio) play(audio)
  })
  // A kept choice works again from the first press anywhere on the page.
  document.addEventListener('pointerdown', awake, { once: true })
  document.addEventListener('refreshed', event => {
    const fresh = event.target as HTMLElement
    if (fresh.id !== id) return
    const now = Number(fresh.dataset.chime)
    if (now > newest && isOn && audio) play(audio)
    newest = Math.max(newest, now)
  })
}

/** Two rising notes. */
function play(audio: AudioContext): void {
  playMelody(audio, [660, 880], 0.25)
}

const key = 'sound for new orders'
