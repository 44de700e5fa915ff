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
  let isOn = isKept()
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
    keep(isOn)
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
  for (const [index, frequency] of [660, 880].entries()) {
    const start = audio.currentTime + index * 0.18
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.25, start)
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.35)
    tone.connect(volume).connect(audio.destination)
    tone.start(start)
    tone.stop(start + 0.35)
  }
}

const key = 'sound for new orders'

function isKept(): boolean {
  try {
    return localStorage.getItem(key) === 'on'
  } catch {
    return false
  }
}

function keep(isOn: boolean): void {
  try {
    localStorage.setItem(key, isOn ? 'on' : 'off')
  } catch {
    // Then it is asked for again on the next page.
  }
}
