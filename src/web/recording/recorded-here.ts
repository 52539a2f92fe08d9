import { useEffect, useState } from 'react'
import { logFailure } from '../device/log.ts'
import { listRecorded, type RecordedHere } from './outbox.ts'

/** What this device had recorded when the screen was opened; null until it has answered, nothing where it cannot. */
export function useRecordedHere(): readonly RecordedHere[] | null {
  const [recorded, setRecorded] = useState<readonly RecordedHere[] | null>(null)
  useEffect(() => {
    listRecorded().then(setRecorded, (error) => {
      logFailure('Fila do dispositivo ilegível', error)
      setRecorded([])
    })
  }, [])
  return recorded
}
