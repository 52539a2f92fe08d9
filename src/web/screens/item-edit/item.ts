import { useQuery } from '@tanstack/react-query'
import type { CutItem } from '../../../contract/items.ts'
import { toInstant } from '../../../domain/plant/plant-time.ts'
import { serverNow } from '../../device/clock.ts'
import { rereadStale, useReadHere } from '../../parts/lookups/copy-first.ts'
import { barcodeOf } from '../../parts/lookups/items.ts'
import { itemReading } from '../../parts/lookups/settled-readings.ts'
import { useSettings } from '../../parts/settings.ts'
import { ApiError } from '../../server/api.ts'
import { formatShortInstant } from '../../text/format.ts'

/** The age of what was read within this is not said while the ERP is asked: the text would only flash. */
const YOUNG_MS = 60_000

/** An item that was opened, read again: the list or the draft that it came from may be hours old. */
export function useItem(opened: CutItem) {
  const { Z1_FILIAL: plant, Z1_CODBAR: barcode } = opened
  const { data, dataUpdatedAt, error } = useQuery({
    ...itemReading({ plant, barcode, isAfterFrame: true }),
    initialData: { item: opened, dadosDe: null },
    initialDataUpdatedAt: 0,
    gcTime: 0,
    refetchInterval: rereadStale,
  })
  const { timeZone } = useSettings()
  const readHere = useReadHere({ kind: 'items', plant, term: barcode }, barcodeOf)
  const lastReadAt = dataUpdatedAt > 0 ? toInstant(dataUpdatedAt) : readHere
  const isYoung = lastReadAt !== null && serverNow() - Date.parse(lastReadAt) < YOUNG_MS
  const isAnswered = dataUpdatedAt > 0 && !error
  const isGone = error instanceof ApiError && error.code === 'item_not_found'
  const countedAt = data.dadosDe ?? (isAnswered || (isYoung && !error) ? null : lastReadAt)
  return {
    ...data,
    /** How old the quantities are; undefined: the ERP has just said them, or nobody knows. */
    age: countedAt ? `segundo dados de ${formatShortInstant(countedAt, timeZone, serverNow())}` : undefined,
    /** The ERP has it no more. */
    isGone,
  }
}
