import { useEffect, useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { type FrozenRecording, listFrozen, subscribeFrozen } from '../../outbox.ts'

/** This item's recordings that nobody has confirmed; null until the device has been asked. */
export function useFrozenRecordings({ Z1_FILIAL: branch, Z1_CODBAR: barcode }: CutItem): FrozenRecording[] | null {
  const [frozen, setFrozen] = useState<FrozenRecording[] | null>(null)
  useEffect(() => {
    let isCurrent = true
    const load = async () => {
      // A device that cannot read cannot write either: 'Registrar' will say so.
      const all = await listFrozen().catch(() => [])
      if (isCurrent) setFrozen(all.filter((one) => one.branch === branch && one.barcode === barcode))
    }
    void load()
    const unsubscribe = subscribeFrozen(() => void load())
    return () => {
      isCurrent = false
      unsubscribe()
    }
  }, [branch, barcode])
  return frozen
}
