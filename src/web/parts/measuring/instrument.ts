import { isRemembered, type Moment } from '../../../domain/text/remembered.ts'
import { serverNow } from '../../device/clock.ts'
import { currentUser } from '../../device/credentials.ts'
import { readFromDevice, readJson, writeToDevice } from '../../device/store.ts'
import { useSettings } from '../settings.ts'

const STORAGE_KEY = 'ultimo-instrumento'

type Noted = Moment & { code: string }

/** Reads what this device remembers; null where it is not of this shape: another version may have written it. */
function stored(): Noted | null {
  const read = readJson(readFromDevice(STORAGE_KEY)) as Partial<Noted> | null
  return typeof read?.at === 'number' && typeof read.code === 'string' ? (read as Noted) : null
}

/** The instrument last used on this device, for as long as its machine is remembered. */
export function useInstrument(branch: string) {
  const shiftPlan = useSettings()
  const now = (): Moment => ({ username: currentUser()?.username ?? '', branch, at: serverNow() })
  const last = stored()
  return {
    remembered: last && isRemembered(last, now(), shiftPlan) ? last.code : '',
    note: (code: string): void => void writeToDevice(STORAGE_KEY, JSON.stringify({ ...now(), code })),
  }
}
