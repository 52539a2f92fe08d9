import { settings, status } from '../../contract/settings.ts'
import { currentUser } from '../device/credentials.ts'
import { call } from './api.ts'

/** Readings that every screen begins with. They can be asked for while the panel itself is still on its way. */

const STATUS_ANSWER_MS_MAX = 5000
/** An answer that nobody has taken by then is too old to be shown. */
export const EARLY_MS_MAX = 10_000

/** `take` gives what was asked early, once, or asks. What had failed before anybody took it is asked anew. */
export function readingOf<Answer>(ask: (signal?: AbortSignal) => Promise<Answer>) {
  let early: { answer: Promise<Answer>; begunAt: number } | null = null
  return {
    askEarly: () => {
      const reading = { answer: ask(), begunAt: performance.now() }
      early = reading
      reading.answer.catch(() => {
        if (early === reading) early = null
      })
    },
    take: async (signal?: AbortSignal): Promise<Answer> => {
      const reading = early
      early = null
      return await (reading && performance.now() - reading.begunAt < EARLY_MS_MAX ? reading.answer : ask(signal))
    },
  }
}

export const settingsReading = readingOf((signal) => call(settings.get, {}, { signal }))
export const statusReading = readingOf((signal) => call(status.get, {}, { signal, answerMsMax: STATUS_ANSWER_MS_MAX }))

/** Without a session nothing is asked for. */
export function askEarly(): void {
  if (!currentUser()) return
  settingsReading.askEarly()
  statusReading.askEarly()
}
