import { useEffect, useEffectEvent, useRef } from 'react'
import type { MaintenanceCall } from '../../../contract/maintenance-calls.ts'
import { teamOf } from '../../../domain/tools/call-topics.ts'
import { preferences } from '../../device/preferences.ts'
import { playSound } from '../scanner/sounds.ts'

/** Listed calls that nobody has heard yet. Those there at first, or too late to be answered, are silent. */
export const newCalls = (known: ReadonlySet<string> | null, calls: readonly MaintenanceCall[]): MaintenanceCall[] =>
  known === null
    ? []
    : calls.filter(({ id, situacao, enviadoDepois }) => situacao === 'aberto' && !enviadoDepois && !known.has(id))

/** Rings when a call is listed that was not there before, of a team for which this device is to. Undefined: not read yet. */
export function useCallBell(calls: readonly MaintenanceCall[] | undefined, onRing?: (rung: MaintenanceCall[]) => void) {
  const known = useRef<Set<string> | null>(null)
  const ring = useEffectEvent((listed: readonly MaintenanceCall[]) => {
    const { soundingTeams } = preferences()
    const rung = newCalls(known.current, listed).filter((one) => soundingTeams.includes(teamOf(one)))
    known.current = new Set([...(known.current ?? []), ...listed.map(({ id }) => id)])
    if (rung.length === 0) return
    playSound('call')
    onRing?.(rung)
  })
  useEffect(() => {
    if (calls) ring(calls)
    // another list is read: what is on that already rings no more
    else known.current = null
  }, [calls])
}
