import { makeStore } from '../../device/store.ts'

/** The codes of the instruments of this plant, once what is measured here was read: a scan of one is no lot. */
export const instrumentCodes = makeStore<readonly string[]>([])
