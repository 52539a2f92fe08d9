import { status } from '../contract/settings.ts'
import { call } from './api.ts'

const ANSWER_MS_MAX = 5000

let epoch: string | null = null

/** Which database the server worked on when it was last asked; null until then. */
export const knownEpoch = (): string | null => epoch

export const statusQuery = {
  queryKey: ['status'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const now = await call(status.get, {}, { signal, answerMsMax: ANSWER_MS_MAX })
    epoch = now.epoch ?? epoch
    return now
  },
}
