import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import type { Measurement, MeasurementForm, MeasuringContext } from '../../../contract/measurements.ts'
import { nameKey } from '../../../domain/acts/recordings.ts'
import { knownSuspects, savedOutsideText } from '../../../domain/containments/known-suspects.ts'
import { machineIdIn } from '../../../domain/forms/recording-form.ts'
import { gaugeOf, machineKey } from '../../../domain/quality/control-plans.ts'
import { limitsOf, type Readings, verdictOfReadings } from '../../../domain/quality/sampling.ts'
import { type Recorded, useRecordedHere, useWaiting } from '../../acts/queue-db.ts'
import { links, NEW } from '../../text/links.ts'
import { knowsContainments } from '../containments/contained.ts'
import { SuspectLink, type SuspectSubject, suspectSearch } from '../containments/SuspectLink.tsx'
import { itemAtHand } from '../lookups/known.ts'
import { type MeasuringHere, madeIn, type PlanHere, type Work, waitingHere } from './work.ts'

type KnownFacts = {
  work: Work
  context: MeasuringContext
  plan: PlanHere['plan']
  itemOf: (barcode: string) => CutItem | undefined
}

const TEXT = 'Ver peças suspeitas'

/** The act whose readings are outside; null: none is. */
function subjectOf(taken: readonly Measurement[]): Extract<SuspectSubject, { medicao: string }> | null {
  const outside = taken.filter(({ veredito }) => veredito === 'fora')
  const [first] = outside
  return first ? { medicao: first.id, caracteristicas: outside.map(({ caracteristica }) => caracteristica) } : null
}

/** The acts at this work's place that the device knows of. */
function knownActs(acts: readonly Recorded[], { work, context, plan, itemOf }: KnownFacts) {
  const machine = machineKey(machineIdIn(work.machine))
  const isPlace = (terminal: string, tool: string, at: string) =>
    nameKey(terminal) === nameKey(work.terminal) && nameKey(tool) === nameKey(work.tool) && machineKey(at) === machine
  const recordings = acts.flatMap((one) => {
    const made = madeIn(one, work)
    if (!made || !isPlace(made.terminal, made.applicator, made.payload.MAQUINA)) return []
    const isSameGauge =
      'barcode' in one
        ? one.barcode === work.barcode || gaugeOf(itemOf(one.barcode) ?? {}) === work.gauge
        : one.junction === work.junction
    return isSameGauge ? [{ at: Date.parse(one.frozenAt), pieces: made.pieces, order: made.order }] : []
  })
  const { samples } = waitingHere(acts, work, context, plan?.altura?.nominal ?? work.limits.height)
  const judged = samples.flatMap(({ form, measuredAt }) =>
    isPlace(form.terminal ?? '', form.miniaplicador ?? '', form.maquina)
      ? form.leituras.map(({ caracteristica, valores }) => ({
          at: measuredAt,
          characteristic: caracteristica,
          verdict: verdictOfReadings(limitsOf(plan, caracteristica, work.limits), valores as unknown as Readings),
        }))
      : [],
  )
  const said = context.ultimas
    .filter(({ terminal, miniaplicador, maquina }) => isPlace(terminal, miniaplicador, maquina))
    .map(({ caracteristica, veredito, medidoEm }) => ({
      ...{ at: Date.parse(medidoEm), characteristic: caracteristica, verdict: veredito },
    }))
  return { recordings, readings: [...said, ...judged] }
}

/** Pieces under suspicion after a sample outside: their number without network, and the way to them with it. */
export function useSuspects(work: Work, { context }: MeasuringHere, { plan }: PlanHere, isMeasuring: boolean) {
  const router = useRouter()
  const client = useQueryClient()
  const recorded = useRecordedHere(isMeasuring) ?? []
  const waiting = useWaiting() ?? []
  const [subject, setSubject] = useState<ReturnType<typeof subjectOf>>(null)
  const textOf = (form: MeasurementForm, at: number): string | undefined => {
    const outside = form.leituras.flatMap(({ caracteristica, valores }) => {
      const limits = limitsOf(plan, caracteristica, work.limits)
      return verdictOfReadings(limits, valores as unknown as Readings) === 'fora' ? [caracteristica] : []
    })
    if (outside.length === 0 || !context) return undefined
    const acts = [...waiting, ...recorded.filter(({ id }) => !waiting.some((one) => one.id === id))]
    const itemOf = (barcode: string) => itemAtHand(client, barcode)
    const known = knownActs(acts, { work, context, plan, itemOf })
    return savedOutsideText(knownSuspects(outside, { at, order: work.order }, known))
  }
  return {
    textOf,
    /** Stays at the section until its next sample: a toast goes by itself. */
    note: (taken: readonly Measurement[]) => setSubject(subjectOf(taken)),
    actionOf: (taken: readonly Measurement[]) => {
      const outside = subjectOf(taken)
      if (!outside || !knowsContainments()) return undefined
      const go = () =>
        void router.navigate({ to: links.containment, params: { id: NEW }, search: suspectSearch(outside) })
      return { text: TEXT, go }
    },
    link: subject && <SuspectLink subject={subject} text={TEXT} isLarge />,
  }
}
