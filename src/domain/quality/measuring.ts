import type { PlanContent } from '../../contract/control-plans.ts'
import type {
  Characteristic,
  MeasurementAction,
  MeasurementForm,
  MeasuringContext,
  Occasion,
  Verdict,
} from '../../contract/measurements.ts'
import { foldedName } from '../../contract/names.ts'
import { BARCODE_LENGTH } from '../../contract/values.ts'
import { nameKey } from '../acts/recordings.ts'
import type { TakenSample } from '../forms/recording-form.ts'
import { isSameName } from '../people/names.ts'
import type { ShiftPlan } from '../plant/shifts.ts'
import { characteristicsText } from '../reports/spc-names.ts'
import { countText } from '../text/numbers.ts'
import {
  judge,
  type Limits,
  milliText,
  readingText,
  readMilli,
  samplesFor,
  unitText,
  verdictOf,
} from './control-plans.ts'
import type { GateSamples } from './plan-gate.ts'
import {
  dueSamples,
  type FormValues,
  limitsOf,
  type OrderSpec,
  ownReadings,
  type Readings,
  type Sample,
  shiftText,
  verdictOfReadings,
} from './sampling.ts'
import {
  type JudgedSample,
  limitedBy,
  newestVerdicts,
  outsideOf,
  ownFor,
  partMissing,
  requiredBy,
  typedOver,
  type Verdicts,
  worseOf,
} from './verdicts.ts'
import { namedReadings, samplesOfDevice, type WaitingSample } from './waiting-samples.ts'

/** Characteristics that operators measure; the others of a plan are for a laboratory. */
export const measuredHere = ['altura', 'forca'] as const
export type MeasuredHere = (typeof measuredHere)[number]

export const occasionTexts: Record<Occasion, string> = {
  'primeira-peca': 'primeira peça',
  'troca-de-lote': 'troca de lote',
  'troca-de-mini-aplicador': 'troca de mini aplicador',
  'troca-de-maquina': 'troca de máquina',
  'apos-manutencao': 'depois da manutenção',
  'novo-turno': 'novo turno',
  'a-cada': 'a cada tantas peças',
  'ultima-peca': 'última peça',
  avulsa: 'avulsa',
}

/** 'Falta medir: primeira peça (altura), última peça'; empty: nothing. */
export function dueText(
  { due, missing }: Pick<GateSamples, 'due' | 'missing'>,
  everyPieces: number | undefined,
): string {
  const texts = due.map((one) => {
    if (one === 'a-cada' && everyPieces !== undefined) return `a cada ${countText(everyPieces)} peças`
    const isPart = missing.length > 0 && one !== 'ultima-peca'
    return isPart ? `${occasionTexts[one]} (${characteristicsText(missing)})` : occasionTexts[one]
  })
  return texts.length === 0 ? '' : `Falta medir: ${texts.join(', ')}`
}

/** A plan that asks for so little of what its order asks for is a slip of a hand: a comma, or another unit. */
const FAR_BELOW = 0.5

/** 'A ordem diz 1,12 mm; o plano, 1,10 mm.' Empty where they agree. */
export function disagreementText(plan: PlanContent | null, order: OrderSpec, forceUnit: string): string {
  const differ: string[] = []
  const nominal = plan?.altura?.nominal
  if (nominal !== undefined && order.height !== null && order.height !== nominal)
    differ.push(`A ordem diz ${milliText(order.height)} mm; o plano, ${milliText(nominal)} mm.`)
  const min = plan?.forcaMin
  if (min !== undefined && order.forceMin !== null && order.forceMin > min) {
    const ofOrder = unitText(milliText(order.forceMin, 0), forceUnit)
    differ.push(
      min < order.forceMin * FAR_BELOW
        ? `O plano pede ${milliText(min, 0)}, muito abaixo do mínimo da ordem (${ofOrder}).`
        : `A ordem pede ${ofOrder}; o plano, ${milliText(min, 0)}.`,
    )
  }
  return differ.length === 0 ? '' : `${differ.join(' ')} Avise a qualidade.`
}

/** 'Fora do plano: 1,170 mm, máximo 1,150', of the reading farthest outside; null: all are inside. */
export function outsideText(of: MeasuredHere, limits: Limits | null, readings: Readings, unit: string): string | null {
  if (limits === null) return null
  const { worst, beyond } = judge(limits, readings)
  if (beyond === 0) return null
  const [name, bound] = beyond > 0 ? ['máximo', limits.high] : ['mínimo', limits.low]
  return `Fora do plano: ${unitText(readingText(worst, of), unit)}, ${name} ${readingText(bound ?? 0, of)}`
}

/** The verdict shown at a box once it was left: 'dentro', 'fora: 0,020 mm acima'; null: nothing judges it. */
export function boxVerdict(of: MeasuredHere, text: string, limits: Limits | null, unit: string) {
  if (limits === null || (limits.low === null && limits.high === null)) return null
  return verdictOf(text, limits, (milli) => unitText(readingText(milli, of), unit))
}

export const REACTION = 'Pare. Separe as peças desde a última medição boa. Ajuste e meça de novo.'

export const actionTexts: Record<MeasurementAction, string> = {
  ajustei: 'Ajustei, vou medir de novo',
  manutencao: 'Parei e chamei a manutenção',
  qualidade: 'Parei e chamei a qualidade',
}

/** Where quality is not called by the panel: no word without an act. */
export const TOLD_QUALITY = 'Parei e avisei a qualidade pessoalmente'

/** One text a reading; a characteristic without boxes is not measured here. */
export type TypedReadings = Record<MeasuredHere, readonly string[]>

/** As many empty boxes as the plan asks for; without one there is one of each. */
export function emptyReadings(plan: PlanContent | null, hasHeight: boolean): TypedReadings {
  const boxes = (count: number): string[] => Array.from({ length: count }, () => '')
  const heights = plan?.altura ? plan.leiturasAltura : 1
  return { altura: boxes(hasHeight ? heights : 0), forca: boxes(plan?.leiturasForca ?? 1) }
}

/** Texts typed before, in these boxes: those of a plan that comes later begin with them, and none with a text is taken away. */
export function typedIn(typed: TypedReadings, boxes: TypedReadings): TypedReadings {
  const inBoxes = (of: MeasuredHere): string[] => {
    const filled = typed[of].findLastIndex((text) => text !== '') + 1
    return Array.from({ length: Math.max(boxes[of].length, filled) }, (_, at) => typed[of][at] ?? '')
  }
  return { altura: inBoxes('altura'), forca: inBoxes('forca') }
}

/** The fault of a box, in words; null: none. A characteristic left empty as a whole was not measured. */
export function boxProblem(text: string, others: readonly string[]): string | null {
  if (text.trim() === '') return others.some((other) => other.trim() !== '') ? 'Falta esta leitura' : null
  return readMilli(text) === null ? 'Esperado um número com até 3 casas, por exemplo 1,100' : null
}

/** The readings typed; null while a box is wrong, or nothing is there. */
export function readingsOf(typed: TypedReadings): Partial<Record<MeasuredHere, Readings>> | null {
  const found = measuredHere.flatMap((of) => {
    const texts = typed[of]
    return texts.every((text) => text.trim() === '') ? [] : [{ of, milli: texts.map(readMilli) }]
  })
  if (found.length === 0 || found.some(({ milli }) => milli.includes(null))) return null
  return Object.fromEntries(found.map(({ of, milli }) => [of, milli as unknown as Readings]))
}

/** The effect of a scan in the dialog. `box`: where the cursor stands. */
export function placeInDialog(
  code: string,
  box: 'instrument' | 'reading' | null,
  instruments: readonly string[],
): { fills: 'instrument' | 'reading'; text: string } | null {
  const read = foldedName(code)
  const known = instruments.find((one) => isSameName(one, read))
  if (known !== undefined) return { fills: 'instrument', text: known }
  if (read.length >= BARCODE_LENGTH) return null
  if (box === 'reading') return readMilli(read) === null ? null : { fills: 'reading', text: read.replace('.', ',') }
  return box === 'instrument' ? { fills: 'instrument', text: read } : null
}

/** Work as it stands at a press, with what this device knows of it. */
export type WorkFacts = {
  plan: PlanContent
  context: MeasuringContext
  waiting: {
    samples: readonly WaitingSample[]
    /** Pieces of this order, terminal and tool in recordings that wait here. */
    pieces: number
    /** Named by those, or measured by them. */
    named: readonly string[]
  }
  at: {
    part: MeasurementForm['parte']
    order: string
    terminal: string
    machine: string
    tool: string
    lot: string
    limits: OrderSpec
    /** False: it is welded, and only pulled. */
    hasHeight: boolean
  }
  taken: readonly TakenSample[]
  /** The form's values. */
  values: FormValues
  quantity: number
  remainingAfter: number
  nowMs: number
  shiftPlan: ShiftPlan
}

type KnownSample = JudgedSample & { id: string; occasion: Occasion; isTyped: boolean; part: MeasurementForm['parte'] }

/** Samples of the order's terminal, as the server says them, and what waits here, judged by the plan in force. */
export function knownSamples({ plan, context, waiting, at, taken, shiftPlan }: WorkFacts): KnownSample[] {
  const isHere = (terminal: string | undefined) => nameKey(terminal ?? '') === nameKey(at.terminal)
  const isJunction = at.part === 'juncao'
  const isSame = (part: MeasurementForm['parte']) => (part === 'juncao') === isJunction
  const cycle = sideOf(context, at)?.ciclo ?? null
  const ofServer = context.ultimas.filter(
    ({ terminal, bitolaMilli, parte, ordem }) =>
      ordem === at.order && isSame(parte) && isHere(terminal) && (bitolaMilli === null || bitolaMilli === plan.bitola),
  )
  const ofDevice = samplesOfDevice(waiting.samples, taken, context).filter(
    ({ form }) => form.ordem === at.order && isSame(form.parte) && isHere(form.terminal),
  )
  return [
    ...ofServer.map((one) => ({
      ...{
        id: one.id,
        characteristic: one.caracteristica,
        verdict: one.veredito,
        occasion: one.ocasiao,
        part: one.parte,
      },
      ...{ order: one.ordem, machine: one.maquina, unit: one.miniaplicador, lot: one.lote, cycle: one.ciclo },
      ...{ shift: one.turno, measuredAt: Date.parse(one.medidoEm), isTyped: one.digitado === true },
    })),
    ...ofDevice.flatMap(({ id, form, measuredAt, isTyped = false, over = {} }) =>
      form.leituras.map(({ caracteristica, valores }) => {
        const limits = form.doisFios ? null : limitsOf(plan, caracteristica, at.limits)
        const judge = (values: Readings) => verdictOfReadings(limits, values)
        const sample = over[caracteristica]
        const verdict = typedOver(judge(valores as unknown as Readings), sample && judge(sample.values))
        return {
          ...{ id, characteristic: caracteristica, verdict, occasion: form.ocasiao, part: form.parte, isTyped },
          ...{ order: form.ordem, machine: form.maquina, unit: form.miniaplicador ?? '', lot: form.lote ?? '', cycle },
          ...{ shift: shiftText(measuredAt, shiftPlan), measuredAt },
        }
      }),
    ),
  ]
}

const sideOf = (context: MeasuringContext, { part, tool }: Pick<WorkFacts['at'], 'part' | 'tool'>) =>
  context.lados.find((one) => one.parte === part && nameKey(one.miniaplicador) === nameKey(tool))

const newestOf = (samples: readonly Sample[]): Sample | undefined =>
  samples.reduce<Sample | undefined>((best, one) => (best && best.measuredAt >= one.measuredAt ? best : one), undefined)

/** The newest that a form itself adds, worse than which no sample that it names may be. */
function ownVerdicts(
  { plan, context, waiting, at, taken, values }: WorkFacts,
  samples: readonly KnownSample[],
): Verdicts {
  const nominal = plan.altura?.nominal ?? at.limits.height
  const ids = taken.map(({ id }) => id)
  const named = namedReadings(ids, { waiting: samplesOfDevice(waiting.samples, taken, context), context, nominal })
  const verdictBy = (characteristic: Characteristic, readings: Readings) =>
    verdictOfReadings(limitsOf(plan, characteristic, at.limits), readings)
  const ofNamed = (characteristic: Characteristic): Verdict | undefined => {
    const newest = named.newest[characteristic]
    return samples.find((one) => one.id === newest?.id && one.characteristic === characteristic)?.verdict
  }
  return Object.fromEntries(
    ownReadings(values, named).map(({ characteristic, values: readings }) => [
      characteristic,
      worseOf(verdictBy(characteristic, readings), ofNamed(characteristic)),
    ]),
  )
}

/** Acts since the last recording that hold what 'a cada n peças' counts. */
function samplesSince(
  { context, waiting, at, taken }: WorkFacts,
  counted: MeasuredHere,
  samples: readonly KnownSample[],
) {
  const side = sideOf(context, at)
  const own = samples.filter(({ part, isTyped }) => part === at.part && !isTyped)
  const holds = (id: string) => {
    const ofAct = samples.filter((one) => one.id === id)
    return ofAct.length === 0 || ofAct.some(({ characteristic }) => characteristic === counted)
  }
  const waitingHere = new Set(waiting.samples.map(({ id }) => id))
  const ids = new Set([
    ...(side?.amostrasDe?.[counted] ?? side?.amostras ?? []),
    ...own.flatMap(({ id }) => (waitingHere.has(id) ? [id] : [])),
    ...taken.map(({ id }) => id),
  ])
  for (const id of waiting.named) ids.delete(id)
  return [...ids].filter(holds)
}

/** The samples' facts for a press of 'Registrar' now. A machine, tool or lot not chosen yet counts as unchanged. */
export function gateSamples(facts: WorkFacts): GateSamples {
  const { plan, context, waiting, at, taken, ...now } = facts
  const samples = knownSamples(facts)
  const last = newestOf(samples)
  const own = ownFor(plan, ownVerdicts(facts, samples))
  const side = sideOf(context, at)
  const place = {
    order: at.order,
    machine: at.machine || (last?.machine ?? ''),
    unit: at.tool || (last?.unit ?? ''),
    lot: at.lot || (last?.lot ?? ''),
    // a tool that nobody has chosen has no counter to compare
    cycle: at.tool === '' ? (last?.cycle ?? null) : (side?.ciclo ?? null),
    shift: shiftText(now.nowMs, now.shiftPlan),
    maintainedAt: side?.manutencaoEm ? Date.parse(side.manutencaoEm) : null,
  }
  const wanted = requiredBy(plan, at.hasHeight)
  const isTypedEnough = plan.digitadoVale !== false
  const since = samplesSince(facts, wanted.includes('altura') ? 'altura' : 'forca', samples)
  const occasions = [...samples, ...taken]
  const { due, missing } = dueSamples({
    plan: { every: plan.aCadaPecas ?? null, last: plan.ultimaPeca },
    required: isTypedEnough ? wanted.filter((one) => own[one] === undefined) : wanted,
    now: place,
    samples: samples.filter(({ isTyped }) => isTypedEnough || !isTyped),
    carry: ((side?.saldo ?? 0) + waiting.pieces) % (plan.aCadaPecas ?? Number.POSITIVE_INFINITY),
    quantity: now.quantity,
    samplesSinceRecording: since.length,
    remainingAfter: now.remainingAfter,
    lastPieceTaken: occasions.some(({ id, occasion }) => since.includes(id) && occasion === 'ultima-peca'),
  })
  return {
    outside: outsideOf(limitedBy(plan), newestVerdicts(samplesFor(plan, samples), { ...at, unit: at.tool }), own),
    due,
    missing: partMissing(wanted, missing),
  }
}
