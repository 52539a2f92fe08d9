import { useQuery } from '@tanstack/react-query'
import { type MaintenanceCall, maintenanceCalls } from '../../../contract/maintenance-calls.ts'
import { nameKey } from '../../../domain/acts/recordings.ts'
import { machineIdIn } from '../../../domain/forms/recording-form.ts'
import { calledUnitKey, isOpenCall } from '../../../domain/tools/maintenance-calls.ts'
import type { CallPlace } from '../../acts/maintenance-calls.ts'
import { query } from '../../server/query.ts'
import { formatAgo, formatShortInstant } from '../../text/format.ts'
import { useSettings } from '../settings.ts'

/** Where nobody tells of changes, and of what a day's list begins with after midnight. */
const REREAD_MS = 60_000

/** Calls of a plant: the open ones, the oldest first, and those settled today. */
export function useCalls(branch: string) {
  const { callTeams } = useSettings()
  // a server of the version before knows no teams, and so no word for all of them
  const ofTeams = callTeams ? { equipe: 'todas' as const } : {}
  return useQuery({
    ...query(maintenanceCalls.list, { query: { filial: branch, ...ofTeams } }, { isAfterFrame: true }),
    refetchInterval: REREAD_MS,
    refetchIntervalInBackground: true,
  })
}

/** How `callStateText` and its like write an instant on a page. */
export function useMomentWords(nowMs: number) {
  const { timeZone } = useSettings()
  return {
    ago: (instant: string) => formatAgo(instant, nowMs),
    time: (instant: string) => formatShortInstant(instant, timeZone, nowMs),
  }
}

/** How long it is said where somebody called that it is over. */
const SETTLED_SHOWN_MS = 30 * 60_000

type WorkCalled = { machine: string; tool: string; order: string; barcode: string; part: string; junction: string }

/** Where work of a form is done, to which somebody is called. `machine` is as its field has it. */
export const callPlaceOf = ({ machine, tool, order, barcode, part, junction }: WorkCalled): CallPlace => ({
  ...{ tool, order, barcode, junction, machine: machineIdIn(machine) },
  side: part === 'l1' ? '1' : part === 'l2' ? '2' : '',
})

const isSame = (one: string, other: string) => one !== '' && nameKey(one) === nameKey(other)

/** Whether a call is of interest where somebody works: of the same machine or tool, or made at the same side or junction. */
const isCallAt = (call: MaintenanceCall, place: CallPlace): boolean =>
  isSame(machineIdIn(call.maquina), place.machine) ||
  isSame(calledUnitKey(call.miniaplicador), calledUnitKey(place.tool)) ||
  (isSame(call.codigoBarras, place.barcode) && call.lado === place.side) ||
  (isSame(call.ordem, place.order) && isSame(call.posicao, place.junction))

/** All open ones; else the one settled last, where it was resolved a moment ago: the list goes by when they were opened. */
export function callsAt(calls: readonly MaintenanceCall[], place: CallPlace, nowMs: number): MaintenanceCall[] {
  const here = calls.filter((call) => isCallAt(call, place))
  const open = here.filter(isOpenCall)
  if (open.length > 0) return open
  const settledMs = ({ encerradoEm }: MaintenanceCall) => Date.parse(encerradoEm ?? '') || 0
  const [last] = here
    .filter(({ situacao }) => situacao === 'resolvido')
    .toSorted((one, other) => settledMs(other) - settledMs(one))
  return last && nowMs - settledMs(last) < SETTLED_SHOWN_MS ? [last] : []
}
