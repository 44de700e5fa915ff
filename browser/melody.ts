/** Plays notes one after the other, by their frequencies in Hz. Each starts at `volume` (0 to 1) and fades. */
export function playMelody(audio: AudioContext, frequencies: readonly number[], volume: number): void {
  for (const [index, frequency] of frequencies.entries()) {
    const start = audio.currentTime + index * 0.18
    const tone = audio.createOscillator()
    const gain = audio.createGain()
    tone.frequency.value = frequency
    gain.gain.setValueAtTime(volume, start)
    gain.gain.exponentialRampToValueAtTime(0.001, start + 0.35)
    tone.connect(gain).connect(audio.destination)
    tone.start(start)
    tone.stop(start + 0.35)
  }
}
