import { useState } from 'react'
import { plantDay } from '../../domain/plant/plant-time.ts'
import { serverNow } from '../device/clock.ts'
import { saveFile } from '../device/save-file.ts'
import { useSettings } from './settings.ts'

type ServerFile = {
  ask: () => Promise<Blob>
  /** File name for the day at the plant on which it is saved. */
  nameOf: (day: string) => string
  onFailure: (error: unknown) => void
}

/** For a button that saves a file which the server writes. */
export function useServerFile({ ask, nameOf, onFailure }: ServerFile) {
  const { timeZone } = useSettings()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveFile(await ask(), nameOf(plantDay(serverNow(), timeZone)))
    } catch (error) {
      onFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, onPress: () => void save() }
}
