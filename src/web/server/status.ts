import { type Status, status } from '../../contract/settings.ts'
import { makeListeners, makeStore } from '../device/store.ts'
import { statusReading } from './first-readings.ts'
import { query, type Reading } from './query.ts'

/** How often a page asks while it is open. */
export const STATUS_POLL_MS = 10_000

let epoch: string | null = null
let database: Status['database'] = 'offline'
let coveredUntil: string | null = null

/** Which database the server worked on when it was last asked; null until then. */
export const knownEpoch = (): string | null => epoch

/** Acts answered before this instant are in two backups; null where nobody knows of any. */
export const knownCoveredUntil = (): string | null => coveredUntil

/** The database's state when it last answered; 'offline' until then. */
export const knownDatabase = (): Status['database'] => database

const polls = makeStore({ sent: 0, answered: 0 })
const { tell, subscribe } = makeListeners<[isAnswered: boolean]>()

const count = (isAnswered: boolean) => {
  const { sent, answered } = polls.get()
  polls.set({ sent: sent + 1, answered: answered + (isAnswered ? 1 : 0) })
  tell(isAnswered)
}

/** Hears of each poll whether it was answered. */
export const subscribeToPolls = subscribe

/** How often the server was asked for its status since this page was opened, and how often it answered. */
export const useStatusPolls = polls.use

async function readStatus(signal: AbortSignal): Promise<Status> {
  try {
    const now = await statusReading.take(signal)
    epoch = now.epoch ?? epoch
    coveredUntil = now.coveredUntil
    if (now.database !== 'offline') database = now.database
    count(true)
    return now
  } catch (error) {
    // One that this page has called off says nothing about the server.
    if (!signal.aborted) count(false)
    throw error
  }
}

type StatusQuery = Reading<Status> & { staleTime: number }

/** Asked by `useServerStatus` and after each act: a screen that shows it asks no time more. */
export const statusQuery: StatusQuery = {
  ...query(status.get, {}, { read: readStatus }),
  staleTime: Number.POSITIVE_INFINITY,
}

/** Asked anew where it is opened. */
export const freshStatusQuery: StatusQuery = { ...statusQuery, staleTime: 0 }
