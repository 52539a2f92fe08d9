import { useQuery } from '@tanstack/react-query'
import { type Equipment, equipment, type LastRecording } from '../../../contract/equipment.ts'
import type { MaintenanceCall } from '../../../contract/maintenance-calls.ts'
import { plantMoment } from '../../../domain/plant/plant-time.ts'
import { attentionFirst, type EquipmentState, equipmentState, openCallOf } from '../../../domain/tools/equipment.ts'
import { isOpenCall } from '../../../domain/tools/maintenance-calls.ts'
import { useSettings } from '../../parts/settings.ts'
import { query } from '../../server/query.ts'

/** Some figures change without a live change: the past days move on at midnight, and the ERP's list grows. */
const REREAD_MS = 60_000

/** Read again by itself, also at every recording. */
export function useEquipment(plant: string) {
  const reading = useQuery({
    ...query(equipment.list, { query: { filial: plant } }),
    refetchInterval: REREAD_MS,
    refetchIntervalInBackground: true,
  })
  return { ...reading, readAt: reading.data && new Date(reading.dataUpdatedAt).toISOString() }
}

/** With its state now, and the call that it waits with. */
export type ShownEquipment = Equipment & { state: EquipmentState; call: MaintenanceCall | undefined }

type Present = { nowMs: number; openCalls: readonly MaintenanceCall[] }

/** Those that want to be looked at come first. */
export function useShown(list: readonly Equipment[], { nowMs, openCalls }: Present): ShownEquipment[] {
  const { timeZone, limitWarningPercent } = useSettings()
  const shown = list.map((one) => ({
    ...one,
    state: equipmentState(one, { nowMs, timeZone }),
    call: openCallOf(one.id, openCalls),
  }))
  return attentionFirst(shown, limitWarningPercent)
}

/** Those that nobody attends first, in each group the longest waiting first. */
export const openCallsOf = (calls: readonly MaintenanceCall[] = []): MaintenanceCall[] =>
  calls
    .filter(isOpenCall)
    .toSorted((one, other) => Number(one.situacao === 'atendido') - Number(other.situacao === 'atendido'))

/** HH:mm on the plant's clock. */
export const timeText = (instantMs: number, timeZone: string): string =>
  plantMoment(instantMs, timeZone).time.slice(0, 5)

export const shiftText = (shift: { inicio: string; fim: string }, timeZone: string): string =>
  `Turno de ${timeText(Date.parse(shift.inicio), timeZone)} a ${timeText(Date.parse(shift.fim), timeZone)}`

const partTexts: Record<LastRecording['parte'], string> = {
  cabo: 'Cabo',
  l1: 'Terminal lado 1',
  l2: 'Terminal lado 2',
  juncao: 'Junção',
}

/** 'Cabo do item 000010', 'Junção J01'. */
export function workText({ parte, item, codigoBarras, posicao }: LastRecording): string {
  if (parte === 'juncao') return `${partTexts.juncao} ${posicao}`
  return `${partTexts[parte]} do item ${item === '' ? codigoBarras : item}`
}
