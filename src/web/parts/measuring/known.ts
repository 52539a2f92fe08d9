import { makeStore } from '../../device/store.ts'

/** The codes of the instruments of this plant: a scan of one is no lot. Null until what is measured here was read. */
export const instrumentCodes = makeStore<readonly string[] | null>(null)
