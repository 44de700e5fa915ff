import { playMelody } from '../melody.ts'

/** The sounds of a screen: frequencies in Hz, one after the other. */
const melodies = {
  /** Two rising notes. */
  ticket: [660, 880],
  /** Falling and longer, to be told from that of a ticket. */
  notLive: [520, 390, 520, 390],
  test: [660, 880, 1100],
} as const

export interface Sound {
  /** Whether a sound would be heard now, as far as a page can know. */
  isOn(): boolean
  /** Turns the sound on. To be called within a press, because browsers play nothing before one. Resolves also if it fails. */
  unlock(): Promise<void>
  play(melody: keyof typeof melodies): void
}

/** The sound of a screen. `changed` is called when it goes on or off. */
export function sound(changed: () => void): Sound {
  // A browser that allows it plays without a press.
  const audio = 'AudioContext' in window ? new AudioContext() : undefined
  audio?.addEventListener('statechange', changed)
  const isOn = () => audio?.state === 'running'
  // After a reload, the end of the first press anywhere turns the sound on again. Not its start, because the change moves the board.
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
