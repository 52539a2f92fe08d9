import type { PendingRecording } from '../../contract/pending-recordings.ts'
import { makeStore } from '../device/store.ts'

/** Refused after their author, who is logged in, had seen them as saved. As last read, oldest first; none before that. */
export const ownRefusals = makeStore<readonly PendingRecording[]>([])

/** How often something may have become of them. */
const rounds = makeStore(0)
export const useRefusalRound = rounds.use
export const readOwnRefusals = (): void => rounds.set(rounds.get() + 1)

/** An act of this device takes its place. */
export const dropOwnRefusal = (id: string): void => ownRefusals.set(ownRefusals.get().filter((one) => one.id !== id))
