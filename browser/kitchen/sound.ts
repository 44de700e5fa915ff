import { playMelody } from '../melody.ts'

/** The sounds of a screen: frequencies in Hz, one after the other. */
const melodies = {
  /** Two rising notes. */
  ticket: [660, 880],
  /** Falling, and longer than that of a ticket. */
  notLive: [520, 390, 520, 390],
  test: [660, 880, 1100],
} as const

export interface Sound {
  /** Whether a sound would be heard now, as far as a page can know. */
  isOn(): boolean
  /** To be called within a press: browsers play nothing before one. Resolves once it can play, or cannot. */
  unlock(): Promise<void>
  play(melody: keyof typeof melodies): void
}

export function sound(changed: () => void): Sound {
  // In a kiosk that allows it, it runs without a press.
  const audio = 'AudioContext' in window ? new AudioContext() : undefined
  audio?.addEventListener('statechange', changed)
  const isOn = () => audio?.state === 'running'
  // After a reload, the first press anywhere turns the sound on again. Not before its end: what changes then moves the board.
  for (const press of ['click', 'keydown'])
    document.addEventListener(press, () => {
      if (!isOn()) void audio?.resume().catch(() => {})
    })
  return {
    isOn,
    async unlock() {
      await audio?.resume().catch(() => {})
    },
    play(melody) {
      if (audio && isOn()) playMelody(audio, melodies[melody], 0.4)
    },
  }
}
