import { useState } from 'react'
import { offeredNow, type Remembered, remember, type Work } from '../../../domain/text/remembered.ts'
import { serverNow } from '../../device/clock.ts'
import { currentUser } from '../../device/credentials.ts'
import { usePreferences } from '../../device/preferences.ts'
import { readFromDevice, readJson, writeToDevice } from '../../device/store.ts'
import { useSettings } from '../settings.ts'

const STORAGE_KEY = 'ultimo-trabalho'

/** Reads what this device remembers; null where it is not of this shape: another version may have written it. */
function stored(): Remembered | null {
  const read = readJson(readFromDevice(STORAGE_KEY)) as Partial<Remembered> | null
  const isWhole = typeof read?.at === 'number' && typeof read.machines === 'object' && Array.isArray(read.lots)
  return isWhole ? (read as Remembered) : null
}

/** Choices of the last work on this device, offered to the next, and how a work is noted. */
export function useRemembered(branch: string) {
  const plan = useSettings()
  const { workplace } = usePreferences()
  const [last, setLast] = useState(stored)
  const username = currentUser()?.username ?? ''
  const remembered = last && offeredNow(last, { username, branch, at: serverNow() }, plan, workplace.name !== '')
  const note = (work: Work) => {
    const next = remember(remembered, work, { username, branch, at: serverNow() })
    writeToDevice(STORAGE_KEY, JSON.stringify(next))
    setLast(next)
  }
  return { remembered, note }
}
