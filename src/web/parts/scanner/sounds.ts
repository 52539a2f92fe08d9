import { logFailure } from '../../device/log.ts'
import { preferences } from '../../device/preferences.ts'

/** Two sounds that nobody takes for each other across a noisy hall: one rising and short, one low and twice. */

type Tone = { hertz: number; atMs: number; lengthMs: number; shape: OscillatorType }

const sounds = {
  good: [
    { hertz: 880, atMs: 0, lengthMs: 90, shape: 'sine' },
    { hertz: 1320, atMs: 90, lengthMs: 140, shape: 'sine' },
  ],
  bad: [
    { hertz: 196, atMs: 0, lengthMs: 180, shape: 'square' },
    { hertz: 196, atMs: 260, lengthMs: 260, shape: 'square' },
  ],
} satisfies Record<string, Tone[]>

const LOUDNESS = 0.25

let speaker: AudioContext | null = null

/** A browser without sound, or one that forbids it before the first touch, stays silent: the screen says it too. */
export function playSound(name: keyof typeof sounds): void {
  if (!preferences().hasScanSound) return
  try {
    speaker ??= new AudioContext()
    void speaker.resume().catch(() => undefined)
    for (const tone of sounds[name]) playTone(speaker, tone)
  } catch (error) {
    logFailure('Sem som neste dispositivo', error, 'Warning')
  }
}

function playTone(context: AudioContext, { hertz, atMs, lengthMs, shape }: Tone): void {
  const begin = context.currentTime + atMs / 1000
  const end = begin + lengthMs / 1000
  const volume = new GainNode(context, { gain: 0 })
  volume.gain.setValueAtTime(LOUDNESS, begin)
  // Fades out: a tone that is cut off clicks.
  volume.gain.exponentialRampToValueAtTime(0.001, end)
  const tone = new OscillatorNode(context, { type: shape, frequency: hertz })
  tone.connect(volume).connect(context.destination)
  tone.start(begin)
  tone.stop(end)
}
