import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ControlPlan } from '../../../contract/control-plans.ts'
import type {
  Measurement,
  MeasurementAction,
  MeasurementForm,
  MeasuringContext,
} from '../../../contract/measurements.ts'
import { crimpsOf, nameKey } from '../../../domain/acts/recordings.ts'
import { machineIdIn, type Sampled } from '../../../domain/forms/recording-form.ts'
import { plantDay } from '../../../domain/plant/plant-time.ts'
import { planFor } from '../../../domain/quality/control-plans.ts'
import { takenFindings } from '../../../domain/quality/instruments.ts'
import { gateSamples, type MeasuredHere, type WorkFacts } from '../../../domain/quality/measuring.ts'
import type { GateSamples } from '../../../domain/quality/plan-gate.ts'
import { newestActs } from '../../../domain/quality/releases.ts'
import { type FormValues, isPlanned, type Readings, registeredUnit } from '../../../domain/quality/sampling.ts'
import { ownSamples } from '../../../domain/quality/waiting-samples.ts'
import { isOf, kinds } from '../../acts/kinds.ts'
import type { WaitingAct } from '../../acts/queue.ts'
import type { Recorded } from '../../acts/queue-db.ts'
import type { SearchPlace } from '../../device/cached-searches.ts'
import type { Reading } from '../../server/query.ts'
import { useCachedReading } from '../lookups/cached-reading.ts'
import type { useSettings } from '../settings.ts'
import { instrumentCodes } from './known.ts'

/** The crimp or joint, as its form stands now; texts are empty where there is no such thing. */
export type Work = Sampled &
  WorkFacts['at'] &
  Pick<WorkFacts, 'quantity' | 'remainingAfter'> & {
    branch: string
    barcode: string
    junction: string
    /** Thousandths of mm²; null where the ERP says no number. */
    gauge: number | null
  }

/** The dialog's result. */
export type Sample = {
  instrument: string
  readings: Partial<Record<MeasuredHere, Readings>>
  /** About a reading outside. */
  action: MeasurementAction | undefined
}

/** Steps of its act, for the dialog's boxes. Taken also after it was closed. */
export type SampleSteps = {
  /** On disk. */
  onKept: () => void
  /** Refused after that. True: its readings stand in the boxes again. */
  giveBack: () => boolean
  onEnd: () => void
}

export type ContextProps = {
  /** Key of the plan on this device. */
  place: Omit<SearchPlace, 'kind'>
  reading: Reading<MeasuringContext>
  /** False: nothing is measured yet, and nothing is asked. */
  isDue: boolean
}

/** The measuring context of a work: the server's, else the last one that this device brought, also before a reload. */
export function useMeasuringContext({ place, reading, isDue }: ContextProps) {
  const client = useQueryClient()
  const { cached: context, error } = useCachedReading({ place: { kind: 'measuring', ...place }, reading, isDue })
  useEffect(() => {
    if (context) instrumentCodes.set(context.instrumentos.flatMap(({ codigo, ativo }) => (ativo ? [codigo] : [])))
  }, [context])
  return {
    context,
    /** The context was never read, and cannot be now. */
    isUnknown: error !== null && context === null,
    /** Adds samples that the server has just taken before the context is read anew. */
    note: (taken: readonly Measurement[]) => {
      client.setQueryData<MeasuringContext>(
        reading.queryKey,
        (before) => before && { ...before, ultimas: [...taken, ...before.ultimas] },
      )
      void client.invalidateQueries(reading)
    },
  }
}

export type MeasuringHere = ReturnType<typeof useMeasuringContext>

/** Pieces made of a terminal in a recording of this device. */
export function madeIn(one: Recorded, { branch, junction, terminal }: Work) {
  if (isOf(one, kinds.junction, { branch })) {
    const { NUMERO_OP: order, TERMINAL, QTD_APONTADA: pieces, captura } = one.payload
    // one that is welded names no terminal
    const of = TERMINAL ?? (one.junction === junction ? terminal : '')
    return { isJunction: true, payload: one.payload, order, terminal: of, applicator: '', pieces, captura }
  }
  if (!isOf(one, kinds.cutCrimp, { branch })) return null
  const { ORDEM_PROD: order, QTD_REALIZADA: pieces, captura } = one.payload
  const { terminal: of = '', applicator = '' } = crimpsOf(one.payload) ?? {}
  return { isJunction: false, payload: one.payload, order, terminal: of, applicator, pieces, captura }
}

/** Samples and recordings of this device's queue by which the next sample is due. */
export function waitingHere(
  waiting: readonly Recorded[],
  work: Work,
  context: MeasuringContext,
  nominal: number | null,
) {
  const { branch, order, part, terminal, tool } = work
  const recordings = waiting.flatMap((one) => {
    const made = madeIn(one, work)
    return made ? [{ id: one.id, measuredAt: Date.parse(one.frozenAt), ...made }] : []
  })
  const ofWork = recordings.filter(
    (one) =>
      one.order === order &&
      one.isJunction === (part === 'juncao') &&
      nameKey(one.terminal) === nameKey(terminal) &&
      nameKey(one.applicator) === nameKey(tool),
  )
  const taken = waiting
    .filter((one) => isOf(one, kinds.measurement, { branch }))
    .map(({ id, payload, frozenAt }) => ({ id, form: payload, measuredAt: Date.parse(frozenAt) }))
  const own = recordings.flatMap(({ id, payload, terminal: welded, measuredAt }) =>
    ownSamples({ id, payload, welded, measuredAt }, { waiting: taken, context, nominal }),
  )
  return {
    samples: [...taken, ...own],
    pieces: ofWork.reduce((sum, { pieces }) => sum + pieces, 0),
    named: [...recordings.flatMap(({ captura }) => captura?.medicoes ?? []), ...own.map(({ id }) => id)],
  }
}

const inForce = (plans: readonly ControlPlan[]) =>
  plans.map((plan) => ({
    ...plan,
    from: Date.parse(plan.validoDe),
    until: plan.validoAte === null ? null : Date.parse(plan.validoAte),
  }))

const nothing: GateSamples = { outside: [], due: [], missing: [] }

type DeviceFacts = {
  context: MeasuringContext | null
  queue: readonly WaitingAct[]
  shiftPlan: ReturnType<typeof useSettings>
  nowMs: number
}

/** The plan that holds now for this work, and what its samples say; without one they say nothing. */
export function planHere(work: Work, { context, queue, shiftPlan, nowMs }: DeviceFacts, values: FormValues) {
  const { branch, terminal, gauge, tool, part, samples = [], hasTwoWires = false, quantity, remainingAfter } = work
  const machine = machineIdIn(work.machine)
  // until a tool is chosen the plan is that of any
  const unit = tool === '' ? '-' : registeredUnit(tool)
  const plan =
    context && gauge !== null && isPlanned({ part, gauge, unit, hasTwoWires })
      ? planFor(inForce(context.planos), { terminal, gauge, unit: tool, machine, branch, at: nowMs })
      : null
  const waiting = context && waitingHere(queue, work, context, plan?.altura?.nominal ?? work.limits.height)
  const facts = plan &&
    context &&
    waiting && {
      ...{ plan, context, waiting, at: { ...work, machine }, taken: samples, values },
      ...{ quantity, remainingAfter, nowMs, shiftPlan },
    }
  const found = facts ? gateSamples(facts) : nothing
  const isNewestHere = waiting?.samples.some(({ form }) => form.parte === part && isSameWork(form, work)) ?? false
  const dayOf = (at: number) => plantDay(at, shiftPlan.timeZone)
  const gauges = facts
    ? takenFindings(samples, { plan: facts.plan, context: facts.context, waiting: facts.waiting.samples, dayOf })
    : []
  return { plan, ...found, gauges, acts: facts ? newestActs(facts) : [], isNewestHere }
}

const isSameWork = ({ codigoBarras = '', posicao = '', ordem }: MeasurementForm, work: Work) =>
  ordem === work.order && codigoBarras === work.barcode && posicao === work.junction

export type PlanHere = ReturnType<typeof planHere>
