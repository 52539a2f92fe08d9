import { useEffect, useMemo, useState } from 'react'
import type { Part } from '../../../contract/items.ts'
import { outsideEnds } from '../../../domain/acts/finished-parts.ts'
import { type FrozenAct, isOf, kinds } from '../../acts/kinds.ts'
import { listAnswered, useWaiting } from '../../acts/queue-db.ts'
import { logFailure } from '../../device/log.ts'
import { takeUnlessLeft } from '../../device/turns.ts'

/** Of these acts the samples that were found outside: what was done about it is asked of those alone. */
const outsideIn = (acts: readonly FrozenAct[]): string[] =>
  acts.flatMap((act) => (isOf(act, kinds.measurement, {}) && act.payload.acao ? [act.id] : []))

/**
 * Ends of a plant's items, by barcode, that were recorded with a sample outside their plan and wait on this device: no list of
 * the server knows of them yet.
 */
export function useOutsideHere(plant: string): ReadonlyMap<string, Part[]> {
  const waiting = useWaiting()
  const { recordings, samples, missing } = useMemo(() => {
    const acts = waiting ?? []
    const made = acts.filter((act) => isOf(act, kinds.cutCrimp, { branch: plant }))
    const here = new Set(acts.map(({ id }) => id))
    const named = made.flatMap(({ payload }) => payload.captura?.medicoes ?? [])
    return { recordings: made, samples: outsideIn(acts), missing: named.filter((id) => !here.has(id)).join() }
  }, [waiting, plant])
  const [answered, setAnswered] = useState<readonly string[]>([])
  // a sample arrives before the recording that names it
  useEffect(() => {
    if (!missing) return
    const take = (acts: readonly FrozenAct[]) => setAnswered(outsideIn(acts))
    return takeUnlessLeft(listAnswered(), take, (error) => logFailure('Fila do dispositivo ilegível', error))
  }, [missing])
  return useMemo(() => outsideEnds(recordings, new Set([...samples, ...answered])), [recordings, samples, answered])
}
