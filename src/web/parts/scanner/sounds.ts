import { useSyncExternalStore } from 'react'
import { logFailure } from '../../device/log.ts'
import { preferences } from '../../device/preferences.ts'
import { makeListeners } from '../../device/store.ts'

/**
 * Sounds that nobody takes for each other across a noisy hall: a good reading rises and is short, a bad one is low and
 * comes twice, a call for maintenance goes up and down for three seconds.
 */

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
  call: [0, 1000, 2000].flatMap((atMs): Tone[] => [
    { hertz: 1047, atMs, lengthMs: 350, shape: 'triangle' },
    { hertz: 784, atMs: atMs + 400, lengthMs: 450, shape: 'triangle' },
  ]),
} satisfies Record<string, Tone[]>

const LOUDNESS = 0.25

let speaker: AudioContext | null = null
const { tell, subscribe } = makeListeners()

function openSpeaker(): AudioContext {
  if (speaker) return speaker
  speaker = new AudioContext()
  speaker.addEventListener('statechange', () => tell())
  return speaker
}

const isWanted = (name: keyof typeof sounds) =>
  name === 'call' ? preferences().soundingTeams.length > 0 : preferences().hasScanSound

/** A browser without sound, or one that forbids it before the first touch, stays silent: the screen says it too. */
function sound(tones: readonly Tone[]): void {
  try {
    const context = openSpeaker()
    void context.resume().catch(() => undefined)
    for (const tone of tones) playTone(context, tone)
  } catch (error) {
    logFailure('Sem som neste dispositivo', error, 'Warning')
  }
}

export function playSound(name: keyof typeof sounds): void {
  if (isWanted(name)) sound(sounds[name])
}

/** To be called at a touch: most browsers let a page sound only then, unless a kiosk's setting says otherwise. */
export const turnSoundOn = (): void => sound([])

/** Whether the page may sound now. */
export const useIsSoundOn = (): boolean => useSyncExternalStore(subscribe, () => speaker?.state === 'running')

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
