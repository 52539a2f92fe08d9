import type { PlanContent } from '../../contract/control-plans.ts'
import type { Instrument, InstrumentKind } from '../../contract/instruments.ts'
import type { Characteristic, Finding, MeasurementForm, MeasuringContext } from '../../contract/measurements.ts'
import type { PlanMode } from '../../contract/settings.ts'
import type { TakenSample } from '../forms/recording-form.ts'
import { isSameName } from '../people/names.ts'
import { daysBetween, dayText } from '../plant/plant-time.ts'
import { milliText } from './control-plans.ts'
import { limitsOf } from './sampling.ts'
import { samplesOfDevice, type WaitingSample } from './waiting-samples.ts'

export const instrumentKindTexts: Record<InstrumentKind, string> = {
  micrometro: 'Micrômetro',
  paquimetro: 'Paquímetro',
  dinamometro: 'Dinamômetro',
  outro: 'Outro',
}

/** The effect of each mode, shown where it is chosen. */
export const instrumentModeHints: Record<PlanMode, string> = {
  observar: 'Nada muda para quem aponta. Instrumento vencido, inativo ou não cadastrado fica anotado em Ocorrências.',
  avisar: "Com um instrumento em dúvida, 'Registrar' pede um motivo. Fica anotado em Ocorrências.",
  bloquear:
    "Com um instrumento em dúvida, 'Registrar' espera uma medição com outro ou a liberação da qualidade. Sem rede, pede um motivo e fica anotado.",
}

/** Findings on the gauge of a sample, the gravest first. */
export const instrumentFindings = [
  'instrumento-vencido',
  'instrumento-inativo',
  'instrumento-desconhecido',
  'sem-instrumento',
  'instrumento-inadequado',
  'instrumento-resolucao',
] as const satisfies Finding[]
export type InstrumentFinding = (typeof instrumentFindings)[number]

/** Readings of one characteristic, with the code that somebody read or typed; empty: none. */
type Used = { code: string; characteristic: Characteristic; readings: readonly number[] }

/** One of before has no kind, and one of another kind may measure anything. */
const fits = (kind: InstrumentKind | undefined, characteristic: Characteristic): boolean =>
  !kind || kind === 'outro' || (kind === 'dinamometro') === (characteristic === 'forca')

const named = (instruments: readonly Instrument[], code: string) =>
  instruments.find(({ codigo }) => isSameName(codigo, code))

const isOver = ({ calibradoAte }: Instrument, day: string) => calibradoAte !== undefined && calibradoAte < day

const CALIBRATION_DUE_DAYS = 14

/** The calibration is due soon, or overdue. */
export const isCalibrationDue = (untilDay: string, today: string): boolean =>
  daysBetween(today, untilDay) <= CALIBRATION_DUE_DAYS

/** `day` of the plant. `isAsked`: the plan that judges the characteristic names an instrument. */
export function instrumentFindingsOf(
  instruments: readonly Instrument[],
  { code, characteristic, readings }: Used,
  { day, isAsked }: { day: string; isAsked: boolean },
): InstrumentFinding[] {
  if (code.trim() === '') return isAsked ? ['sem-instrumento'] : []
  const found = named(instruments, code)
  if (!found) return ['instrumento-desconhecido']
  const { ativo, tipo, resolucao } = found
  const isFiner = tipo !== undefined && readings.some((one) => one % resolucao !== 0)
  return [
    ...(isOver(found, day) ? ['instrumento-vencido' as const] : []),
    ...(ativo ? [] : ['instrumento-inativo' as const]),
    ...(fits(tipo, characteristic) ? [] : ['instrumento-inadequado' as const]),
    ...(isFiner ? ['instrumento-resolucao' as const] : []),
  ]
}

/**
 * Findings of the newest sample of each characteristic, among those that a recording names; of one instant the later in
 * the list.
 */
export function newestFindings(
  samples: readonly { characteristic: Characteristic; measuredAt: number; findings: readonly Finding[] }[],
): InstrumentFinding[] {
  const newest = new Map<Characteristic, (typeof samples)[number]>()
  for (const sample of samples) {
    const other = newest.get(sample.characteristic)
    if (!other || other.measuredAt <= sample.measuredAt) newest.set(sample.characteristic, sample)
  }
  const found = [...newest.values()].flatMap(({ findings }) => findings)
  return instrumentFindings.filter((finding) => found.includes(finding))
}

/**
 * Findings of the samples that a form names: the server's, else this device's own for samples still in its queue or on
 * their way.
 */
export function takenFindings(
  taken: readonly TakenSample[],
  of: {
    plan: PlanContent
    context: Pick<MeasuringContext, 'ultimas' | 'instrumentos'>
    /** Samples in this device's queue. */
    waiting: readonly WaitingSample[]
    dayOf: (atMs: number) => string
  },
): InstrumentFinding[] {
  const { plan, context, waiting, dayOf } = of
  const isTaken = ({ id }: { id: string }) => taken.some((one) => one.id === id)
  const isAsked = (characteristic: Characteristic, { doisFios }: MeasurementForm) =>
    plan.instrumento !== undefined && !doisFios && limitsOf(plan, characteristic, { forceMin: null }) !== null
  const ofServer = context.ultimas.filter(isTaken).map(({ caracteristica, medidoEm, apontamentos: findings }) => ({
    ...{ characteristic: caracteristica, measuredAt: Date.parse(medidoEm) },
    findings,
  }))
  const ofDevice = samplesOfDevice(waiting, taken, context)
    .filter(isTaken)
    .flatMap(({ form, measuredAt }) =>
      form.leituras.map(({ caracteristica: characteristic, valores: readings }) => ({
        ...{ characteristic, measuredAt },
        findings: instrumentFindingsOf(
          context.instrumentos,
          { code: form.instrumento ?? '', characteristic, readings },
          { day: dayOf(measuredAt), isAsked: isAsked(characteristic, form) },
        ),
      })),
    )
  return newestFindings([...ofServer, ...ofDevice])
}

const gateTexts: Record<InstrumentFinding, string> = {
  'instrumento-vencido': 'Meça com outro instrumento: a calibração deste está vencida.',
  'instrumento-inativo': 'Meça com outro instrumento: este está inativo.',
  'instrumento-desconhecido': 'Meça com outro instrumento: este não está cadastrado.',
  'sem-instrumento': 'Meça de novo e diga com qual instrumento.',
  'instrumento-inadequado': 'Meça com outro instrumento: este não serve para o que foi medido.',
  'instrumento-resolucao': 'Meça com outro instrumento: as leituras têm mais casas do que este mostra.',
}

/** The gate before 'Registrar', on a tablet and on the server alike; `text` is empty where nothing objects. */
export function instrumentGate(of: {
  mode: PlanMode
  findings: readonly InstrumentFinding[]
  /** As of the plan: nobody can be asked for a release by what comes from a tablet's queue. */
  isReachable: boolean
  hasRelease: boolean
  hasReason: boolean
}): { needs: 'reason' | 'release' | null; text: string } {
  const [first] = of.findings
  if (first === undefined || of.mode === 'observar' || of.hasRelease) return { needs: null, text: '' }
  const text = gateTexts[first]
  if (of.mode === 'bloquear' && of.isReachable) return { needs: 'release', text }
  return { needs: of.hasReason ? null : 'reason', text }
}

/** The note shown before an instrument is used; empty: none. `wanted`: the plan's instrument. */
export function instrumentNote(code: string, instruments: readonly Instrument[], today: string, wanted = ''): string {
  if (code.trim() === '') return wanted && `O plano pede: ${wanted}.`
  return instrumentDoubt(code, instruments, today) || (named(instruments, code)?.descricao ?? '')
}

/** Why what is read with it will be doubted; empty: nothing speaks against it, or none is named. */
export function instrumentDoubt(code: string, instruments: readonly Instrument[], today: string): string {
  if (code.trim() === '') return ''
  const known = named(instruments, code)
  if (!known) return 'Instrumento não cadastrado.'
  if (!known.ativo) return 'Instrumento inativo: use outro.'
  const { calibradoAte } = known
  const isPast = isOver(known, today) && calibradoAte !== undefined
  return isPast ? `Instrumento com calibração vencida em ${dayText(calibradoAte)}.` : ''
}

/** The objection to an instrument once something was read with it; empty: none. */
export function usedNote(
  code: string,
  instruments: readonly Instrument[],
  used: readonly Omit<Used, 'code'>[],
): string {
  const known = named(instruments, code)
  if (!known) return ''
  const { codigo, resolucao } = known
  const found = used.flatMap((one) => instrumentFindingsOf(instruments, { ...one, code }, { day: '', isAsked: false }))
  const step = milliText(resolucao, 3)
  return [
    found.includes('instrumento-inadequado') ? `${codigo} não serve para tudo o que foi lido: salve à parte.` : '',
    found.includes('instrumento-resolucao') ? `${codigo} mostra de ${step} em ${step}: há leitura com mais casas.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}
