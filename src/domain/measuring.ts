import type { PlanContent } from '../contract/control-plans.ts'
import type { Instrument } from '../contract/instruments.ts'
import type {
  MeasurementAction,
  MeasurementForm,
  MeasuringContext,
  Occasion,
  Verdict,
} from '../contract/measurements.ts'
import { type CutCrimpRecording, partOf } from '../contract/recordings.ts'
import { BARCODE_LENGTH } from '../contract/values.ts'
import { beyondLimits, judge, type Limits, machineKey, milliText, readMilli, unitText } from './control-plans.ts'
import { countText } from './numbers.ts'
import { dayText } from './plant-time.ts'
import type { TakenSample } from './recording-form.ts'
import { nameKey } from './recordings.ts'
import {
  dueSamples,
  limitsOf,
  type OrderSpec,
  ownReadings,
  type Readings,
  type Sample,
  shiftText,
  verdictOfReadings,
} from './sampling.ts'
import type { ShiftPlan } from './shifts.ts'
import { usedIn } from './traces.ts'

/** What an operator measures; the rest of a plan is for a laboratory. */
export const measuredHere = ['altura', 'forca'] as const
export type MeasuredHere = (typeof measuredHere)[number]

const occasionTexts: Record<Occasion, string> = {
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

/** 'Falta medir: primeira peça, última peça'; empty: nothing. */
export function dueText(due: readonly Occasion[], everyPieces: number | undefined): string {
  const texts = due.map((one) =>
    one === 'a-cada' && everyPieces !== undefined ? `a cada ${countText(everyPieces)} peças` : occasionTexts[one],
  )
  return texts.length === 0 ? '' : `Falta medir: ${texts.join(', ')}`
}

/** 'A ordem diz 1,12 mm; o plano, 1,10 mm.' Empty where they agree. */
export function disagreementText(plan: PlanContent | null, order: OrderSpec, forceUnit: string): string {
  const differ: string[] = []
  const nominal = plan?.altura?.nominal
  if (nominal !== undefined && order.height !== null && order.height !== nominal)
    differ.push(`A ordem diz ${milliText(order.height)} mm; o plano, ${milliText(nominal)} mm.`)
  const min = plan?.forcaMin
  if (min !== undefined && order.forceMin !== null && order.forceMin > min)
    differ.push(`A ordem pede ${unitText(milliText(order.forceMin, 0), forceUnit)}; o plano, ${milliText(min, 0)}.`)
  return differ.length === 0 ? '' : `${differ.join(' ')} Avise a qualidade.`
}

/** '1,050 a 1,150', 'mín. 75'; empty: nothing limits it. */
export function limitsText({ low, high }: Limits): string {
  if (low !== null && high !== null) return `${milliText(low, 3)} a ${milliText(high, 3)}`
  return low === null ? '' : `mín. ${milliText(low, 0)}`
}

/** How a reading is written, with what it is measured in. */
const readingText = (milli: number, of: MeasuredHere, unit: string): string =>
  unitText(milliText(milli, of === 'altura' ? 3 : 0), unit)

/** 'Fora do plano: 1,170 mm, máximo 1,150', of the reading farthest outside; null: all are inside. */
export function outsideText(of: MeasuredHere, limits: Limits | null, readings: Readings, unit: string): string | null {
  if (limits === null) return null
  const { worst, beyond } = judge(limits, readings)
  if (beyond === 0) return null
  const [name, bound] = beyond > 0 ? ['máximo', limits.high] : ['mínimo', limits.low]
  return `Fora do plano: ${readingText(worst, of, unit)}, ${name} ${milliText(bound ?? 0, of === 'altura' ? 3 : 0)}`
}

/** What one box says once it was left: 'dentro', 'fora: 0,020 mm acima'; null: nothing judges it. */
export function boxVerdict(of: MeasuredHere, text: string, limits: Limits | null, unit: string) {
  const reading = readMilli(text)
  if (reading === null || limits === null || (limits.low === null && limits.high === null)) return null
  const beyond = beyondLimits(limits, reading)
  if (beyond === 0) return { isInside: true, text: 'dentro' }
  const by = readingText(Math.abs(beyond), of, unit)
  return { isInside: false, text: `fora: ${by} ${beyond > 0 ? 'acima' : 'abaixo'}` }
}

export const REACTION = 'Pare. Separe as peças desde a última medição boa. Ajuste e meça de novo.'

export const actionTexts: Record<MeasurementAction, string> = {
  ajustei: 'Ajustei, vou medir de novo',
  manutencao: 'Parei e chamei a manutenção',
  qualidade: 'Parei e chamei a qualidade',
}

/** One text a reading; a characteristic without boxes is not measured here. */
export type TypedReadings = Record<MeasuredHere, readonly string[]>

/** As many empty boxes as the plan asks for; without one there is one of each. */
export function emptyReadings(plan: PlanContent | null, hasHeight: boolean): TypedReadings {
  const boxes = (count: number): string[] => Array.from({ length: count }, () => '')
  const heights = plan?.altura ? plan.leiturasAltura : 1
  return { altura: boxes(hasHeight ? heights : 0), forca: boxes(plan?.leiturasForca ?? 1) }
}

/** What is wrong with a box, in words; null: nothing. What is left empty as a whole was not measured. */
export function boxProblem(text: string, others: readonly string[]): string | null {
  if (text.trim() === '') return others.some((other) => other.trim() !== '') ? 'Falta esta leitura' : null
  return readMilli(text) === null ? 'Esperado um número com até 3 casas, por exemplo 1,100' : null
}

/** What was read; null while a box is wrong, or nothing is there. */
export function readingsOf(typed: TypedReadings): Partial<Record<MeasuredHere, Readings>> | null {
  const found = measuredHere.flatMap((of) => {
    const texts = typed[of]
    return texts.every((text) => text.trim() === '') ? [] : [{ of, milli: texts.map(readMilli) }]
  })
  if (found.length === 0 || found.some(({ milli }) => milli.includes(null))) return null
  return Object.fromEntries(found.map(({ of, milli }) => [of, milli as unknown as Readings]))
}

/** What is to be known of the instrument before it is used; empty: nothing. */
export function instrumentNote(code: string, instruments: readonly Instrument[], today: string): string {
  if (code.trim() === '') return ''
  const known = instruments.find(({ codigo }) => nameKey(codigo) === nameKey(code))
  if (!known?.ativo) return 'Instrumento não cadastrado.'
  const { calibradoAte } = known
  const isOver = calibradoAte !== undefined && calibradoAte < today
  return isOver ? `Instrumento com calibração vencida em ${dayText(calibradoAte)}.` : known.descricao
}

/** What a scan in the dialog does. `box`: where the cursor stands. */
export function placeInDialog(
  code: string,
  box: 'instrument' | 'reading' | null,
  instruments: readonly string[],
): { fills: 'instrument' | 'reading'; text: string } | null {
  const read = code.trim()
  const known = instruments.find((one) => nameKey(one) === nameKey(read))
  if (known !== undefined) return { fills: 'instrument', text: known }
  if (read.length >= BARCODE_LENGTH) return null
  if (box === 'reading') return readMilli(read) === null ? null : { fills: 'reading', text: read.replace('.', ',') }
  return box === 'instrument' ? { fills: 'instrument', text: read } : null
}

/** A sample in this device's queue. */
export type WaitingSample = { id: string; form: MeasurementForm; measuredAt: number }

/** Of a recording in that queue whose form says what was measured, and which names no samples. */
export function ownSamples(id: string, payload: CutCrimpRecording, measuredAt: number): WaitingSample[] {
  const part = partOf(payload)
  const { captura: capture = null } = payload
  if (part === null || part === 'cabo' || capture?.medicoes?.length) return []
  const readings = ownReadings(part, payload, capture)
  if (readings.length === 0) return []
  const { codigo, miniaplicador } = usedIn(part, payload)
  const form: MeasurementForm = {
    ...{ filial: payload.EMPRESA, codigoBarras: payload.COD_BARRA, ordem: payload.ORDEM_PROD, parte: part },
    ...{ terminal: codigo, maquina: payload.MAQUINA, miniaplicador },
    lote: part === 'l1' ? payload.LOTE_TERM_LD1 : payload.LOTE_TERM_LD2,
    ocasiao: 'avulsa',
    ...(capture?.doisFios ? { doisFios: true } : {}),
    leituras: readings.map(({ characteristic, values }) => ({ caracteristica: characteristic, valores: [...values] })),
  }
  return [{ id, form, measuredAt }]
}

type DueFacts = {
  plan: PlanContent
  context: MeasuringContext
  waiting: {
    samples: readonly WaitingSample[]
    /** Of this order, terminal and tool, in recordings that wait here. */
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
  }
  taken: readonly TakenSample[]
  quantity: number
  remainingAfter: number
  nowMs: number
  shiftPlan: ShiftPlan
}

type NewestFacts = Pick<DueFacts, 'plan' | 'context'> & {
  waiting: Pick<DueFacts['waiting'], 'samples'>
  at: Pick<DueFacts['at'], 'order' | 'terminal' | 'machine' | 'tool'> & { limits: OrderSpec }
}

/** Of the newest sample that a plan judged at this press and tool; null: there is none. What waits here is judged by the plan in force. */
export function newestVerdict({ plan, context, waiting, at }: NewestFacts): Verdict | null {
  const isHere = (terminal: string | undefined, unit: string | undefined, machine: string) =>
    nameKey(terminal ?? '') === nameKey(at.terminal) &&
    nameKey(unit ?? '') === nameKey(at.tool) &&
    machineKey(machine) === machineKey(at.machine)
  const ofServer = context.ultimas
    .filter((one) => one.ordem === at.order && isHere(one.terminal, one.miniaplicador, one.maquina))
    .map(({ id, veredito, medidoEm }) => ({ id, verdict: veredito, measuredAt: Date.parse(medidoEm) }))
  const ofDevice = waiting.samples
    .filter(({ form }) => form.ordem === at.order && isHere(form.terminal, form.miniaplicador, form.maquina))
    .flatMap(({ id, form, measuredAt }) =>
      form.leituras.map(({ caracteristica, valores }) => {
        const limits = form.doisFios ? null : limitsOf(plan, caracteristica, at.limits)
        return { id, verdict: verdictOfReadings(limits, valores as unknown as Readings), measuredAt }
      }),
    )
  const judged = [...ofServer, ...ofDevice].filter(({ verdict }) => verdict !== 'sem-plano')
  const newest = judged.toSorted((one, other) => other.measuredAt - one.measuredAt)[0]
  const ofAct = judged.filter(({ id }) => id === newest?.id).map(({ verdict }) => verdict)
  return ofAct.includes('fora') ? 'fora' : (newest?.verdict ?? null)
}

const newestOf = (samples: readonly Sample[]): Sample | undefined =>
  samples.reduce<Sample | undefined>((best, one) => (best && best.measuredAt >= one.measuredAt ? best : one), undefined)

/** What is still to be measured before these pieces are registered. What is not chosen yet is taken to be as before. */
export function dueNow({ plan, context, waiting, at, taken, ...now }: DueFacts): readonly Occasion[] {
  const isHere = (terminal: string | undefined) => nameKey(terminal ?? '') === nameKey(at.terminal)
  const side = context.lados.find((one) => one.parte === at.part && nameKey(one.miniaplicador) === nameKey(at.tool))
  const cycle = side?.ciclo ?? null
  const ofServer = context.ultimas.filter(
    ({ terminal, bitolaMilli }) => isHere(terminal) && (bitolaMilli === null || bitolaMilli === plan.bitola),
  )
  const ofDevice = waiting.samples.filter(({ form }) => form.ordem === at.order && isHere(form.terminal))
  const samples: Sample[] = [
    ...ofServer.map((one) => ({
      ...{ order: one.ordem, machine: one.maquina, unit: one.miniaplicador, lot: one.lote, cycle: one.ciclo },
      ...{ shift: one.turno, measuredAt: Date.parse(one.medidoEm) },
    })),
    ...ofDevice.map(({ form, measuredAt }) => ({
      ...{ order: form.ordem, machine: form.maquina, unit: form.miniaplicador ?? '', lot: form.lote ?? '', cycle },
      ...{ shift: shiftText(measuredAt, now.shiftPlan), measuredAt },
    })),
  ]
  const last = newestOf(samples.filter(({ order }) => order === at.order))
  const own = ofDevice.filter(({ form }) => form.parte === at.part)
  const since = new Set([...(side?.amostras ?? []), ...own.map(({ id }) => id), ...taken.map(({ id }) => id)])
  for (const id of waiting.named) since.delete(id)
  const occasions = [
    ...ofServer.map(({ id, ocasiao }) => ({ id, occasion: ocasiao })),
    ...own.map(({ id, form }) => ({ id, occasion: form.ocasiao })),
    ...taken,
  ]
  return dueSamples({
    plan: { every: plan.aCadaPecas ?? null, last: plan.ultimaPeca },
    now: {
      order: at.order,
      machine: at.machine || (last?.machine ?? ''),
      unit: at.tool || (last?.unit ?? ''),
      lot: at.lot || (last?.lot ?? ''),
      // a tool that nobody has chosen has no counter to compare
      cycle: at.tool === '' ? (last?.cycle ?? null) : cycle,
      shift: shiftText(now.nowMs, now.shiftPlan),
      maintainedAt: side?.manutencaoEm ? Date.parse(side.manutencaoEm) : null,
    },
    samples,
    carry: ((side?.saldo ?? 0) + waiting.pieces) % (plan.aCadaPecas ?? Number.POSITIVE_INFINITY),
    quantity: now.quantity,
    samplesSinceRecording: since.size,
    remainingAfter: now.remainingAfter,
    lastPieceTaken: occasions.some(({ id, occasion }) => since.has(id) && occasion === 'ultima-peca'),
  }).due
}
