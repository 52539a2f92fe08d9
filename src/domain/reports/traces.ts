import type { ErpItem } from '../../contract/items.ts'
import type { JunctionDetails, JunctionRecording } from '../../contract/junctions.ts'
import type { Capture, CutCrimpRecording, RecordedPart } from '../../contract/recordings.ts'
import {
  type Trace,
  type TraceFilter,
  type TraceKind,
  type TraceLine,
  type TraceMeasurement,
  traceKinds,
} from '../../contract/traces.ts'
import { givenLimit, limitReasonText } from '../forms/order-limits.ts'
import { heightText } from '../forms/recording-form.ts'
import { type CsvColumns, csvCode, csvText } from '../text/csv.ts'

/** The term in a file's name: only letters, digits and single hyphens are left of it. */
const inFileName = (term: string): string =>
  term
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '') || 'termo'

/** `day` is the plant's, `YYYY-MM-DD`. A part of the lines is not to be taken for all of them. */
export const traceFileName = (kind: TraceKind, term: string, day: string, filter?: TraceFilter): string =>
  `rastreabilidade_${[kind, inFileName(term), ...(filter ? [filter] : []), day].join('_')}.csv`

export const traceColumns = (momentText: MomentText): CsvColumns<TraceLine> => [
  ['Data e hora', (line) => momentText(line.registradoEm)],
  ['Etapa', (line) => stepLabels[line.etapa]],
  ['Situação', (line) => situationLabels[line.situacao]],
  ['Filial', (line) => csvCode(line.filial)],
  ['Ordem', (line) => csvCode(line.ordem)],
  ['Item', (line) => csvCode(line.item)],
  ['Código de barras', (line) => csvCode(line.barras)],
  ['Posição', (line) => csvCode(line.posicao)],
  ['Peças', (line) => String(line.pecas)],
  ['Código do material', (line) => csvCode(line.codigo)],
  ['Lote', (line) => csvCode(line.lote)],
  ['Selo', (line) => csvCode(line.selo)],
  ['Seladora', (line) => csvCode(line.seladora)],
  ['Mini aplicador', (line) => csvCode(line.miniaplicador)],
  ['Máquina', (line) => csvCode(line.maquina)],
  ['Operador', (line) => csvText(line.operador)],
  ['Força', (line) => measureText(line.forca)],
  ['Força medida', (line) => measuredText(line.forca, line.forcaMedida)],
  ['Força mínima', (line) => requiredText(line.forca, measureText(line.forcaMin))],
  ['Altura (mm)', (line) => millimetresText(line.alturaMm)],
  ['Altura medida', (line) => measuredText(line.alturaMm, line.alturaMedida)],
  ['Altura nominal (mm)', (line) => requiredText(line.alturaMm, millimetresText(line.alturaNominalMm))],
  ['Motivo fora do limite', (line) => csvText(line.motivoForaDoLimite)],
  ['Apontamento', (line) => line.id],
  ['Bitola (mm²)', (line) => gaugeText(line.bitolaMilli)],
  ['Medições', (line) => csvText((line.medicoes ?? []).map(({ medido }) => medido).join(' · '))],
  ['Limites do plano', (line) => csvText(each((line.medicoes ?? []).map(({ exigido }) => exigido)))],
  ['Veredito do plano', (line) => verdictText(line)],
  ['Versão do plano', (line) => planVersionsText(line)],
  ['Refugo da etapa', ({ refugo }) => csvText(refugo ? `${refugo.pecas}: ${reasonsText(refugo)}` : '')],
  ['Contenção', (line) => csvText(each(containmentTexts(line)))],
]

/** 'C-000123: em contenção', of each one that the recording is in. */
export const containmentTexts = ({ contencoes = [] }: Pick<TraceLine, 'contencoes'>): string[] =>
  contencoes.map(({ numero, situacao }) => `${numero}: ${situacao}`)

type StageScrap = NonNullable<TraceLine['refugo']>

/** 'Altura fora 12, Peça de ajuste 5' */
const reasonsText = ({ motivos }: StageScrap): string =>
  motivos.map(({ texto, pecas }) => `${texto} ${pecas}`).join(', ')

/** 'Refugo da etapa: 17 (Altura fora 12, Peça de ajuste 5)'; empty without any. */
export const stageScrapText = ({ refugo }: Pick<TraceLine, 'refugo'>): string =>
  refugo ? `Refugo da etapa: ${refugo.pecas} (${reasonsText(refugo)})` : ''

type Found = Trace['encontrados']

/** Kind of a name that several things bear: the one asked for, else the one with most recordings. */
export function chooseKind(found: Found, requested: TraceKind | undefined): TraceKind | null {
  if (requested) return requested
  const inOrder = traceKinds.flatMap((kind) => found.filter(({ tipo }) => tipo === kind))
  return (
    inOrder.reduce<Found[number] | null>(
      (best, one) => (best === null || one.apontamentos > best.apontamentos ? one : best),
      null,
    )?.tipo ?? null
  )
}

type Used = Pick<TraceLine, 'codigo' | 'selo' | 'seladora' | 'miniaplicador' | 'forca' | 'alturaMm'>

const nothing: Used = { codigo: '', selo: '', seladora: '', miniaplicador: '', forca: null, alturaMm: null }

/** Material, tool and measures of a recording, beside the fields that all recordings have. */
export function usedIn(part: RecordedPart, payload: object): Used {
  if (part === 'recebimento') return nothing
  if (part === 'juncao') {
    const { TERMINAL = '', FORCA, ALTURA = null } = payload as JunctionRecording
    return { ...nothing, codigo: TERMINAL, forca: FORCA, alturaMm: ALTURA }
  }
  const cut = payload as CutCrimpRecording
  if (part === 'cabo') return { ...nothing, codigo: cut.COD_CABO ?? '' }
  const side = part === 'l1' ? '1' : '2'
  return {
    codigo: cut[`TERM_LD${side}`] ?? '',
    selo: cut[`SELO_LD${side}`] ?? '',
    seladora: cut[`SELADORA_LD${side}`] ?? '',
    miniaplicador: cut[`MA_LD${side}`] ?? '',
    forca: cut[`FORCA_LD${side}`] ?? null,
    alturaMm: cut[`ALTURA_LD${side}`] ?? null,
  }
}

/** Whether somebody measured the values; null where there is none, or the device did not say. */
export const measuredIn = (
  { forca, alturaMm }: Used,
  capture: Capture | null,
): Pick<TraceLine, 'forcaMedida' | 'alturaMedida'> => ({
  forcaMedida: forca === null ? null : (capture?.medidoForca ?? null),
  alturaMedida: alturaMm === null ? null : (capture?.medidoAltura ?? null),
})

export const reasonIn = (capture: Capture | null): Pick<TraceLine, 'motivoForaDoLimite'> => ({
  motivoForaDoLimite: capture?.motivoForaDoLimite ? limitReasonText(capture.motivoForaDoLimite) : '',
})

type Required = Pick<TraceLine, 'forcaMin' | 'alturaNominalMm'>

/** Limits for the values of a recording, from the copies of its order. */
export function requiredIn(
  part: RecordedPart,
  { forca, alturaMm }: Used,
  copies: { item: ErpItem | undefined; junction: JunctionDetails | undefined },
): Required {
  const { item } = copies
  const [forceMin, heightMm] =
    part === 'juncao'
      ? [copies.junction?.teste?.ZTB_FORCA, null]
      : part === 'l1'
        ? [item?.Z1_RMINL1, item?.Z1_DECAL1]
        : [item?.Z1_RMINL2, item?.Z1_DECAL2]
  return {
    forcaMin: forca === null ? null : givenLimit(forceMin ?? null),
    alturaNominalMm: alturaMm === null ? null : givenLimit(heightMm ?? null),
  }
}

type Judged = Required & Pick<TraceLine, 'forca' | 'forcaMedida' | 'alturaMedida' | 'motivoForaDoLimite'>

/** A reason was asked for by the minimum of that day, whatever the order says since. */
export const isBelowMinimum = ({ forca, forcaMin, motivoForaDoLimite }: Judged): boolean =>
  motivoForaDoLimite !== '' || (forca !== null && forcaMin !== null && forca < forcaMin)

export const passesFilter: Record<TraceFilter, (line: Judged & Sampled) => boolean> = {
  'fora-do-minimo': isBelowMinimum,
  'nao-medido': ({ forcaMedida, alturaMedida }) => forcaMedida === false || alturaMedida === false,
  'fora-do-plano': (line) => isOutsidePlan(line),
}

export const filterLabels: Record<TraceFilter, string> = {
  'fora-do-minimo': 'Fora do mínimo',
  'nao-medido': 'Não medido',
  'fora-do-plano': 'Fora do plano',
}

type Sampled = { medicoes?: readonly TraceMeasurement[] | undefined }

/** The order's own minimum has a filter of its own. */
const isOutside = ({ fora, plano }: TraceMeasurement) => fora && plano !== null

/** Any of its samples is outside. */
export const isOutsidePlan = ({ medicoes = [] }: Sampled): boolean => medicoes.some(isOutside)

/** Texts in one cell, each once: without a semicolon, which parts cells. */
export const each = (texts: readonly string[]): string => [...new Set(texts.filter(Boolean))].join(' · ')

/** The verdict over all its samples; empty where no plan judged one. */
export const verdictText = (line: Sampled): string => {
  const isJudged = (line.medicoes ?? []).some(({ plano }) => plano !== null)
  return isOutsidePlan(line) ? 'fora do plano' : isJudged ? 'dentro do plano' : ''
}

export const planVersionsText = ({ medicoes = [] }: Sampled): string =>
  each(medicoes.map(({ plano }) => (plano === null ? '' : `v${plano}`)))

/** 'fora do plano v3', and each sample that is outside, with its limits under it. Empty without a plan. */
export function planLines(line: Sampled): string[] {
  const verdict = verdictText(line)
  if (verdict === '') return []
  const outside = (line.medicoes ?? []).filter(isOutside)
  return [`${verdict} ${planVersionsText(line)}`, ...outside.flatMap(({ medido, exigido }) => [medido, exigido])]
}

const CLOCK_SHIFT_SHOWN_MS = 10 * 60_000

export const shiftIn = (capture: Capture | null): Pick<TraceLine, 'relogioMinutos'> => {
  const shiftMs = capture?.desvioMs ?? 0
  return { relogioMinutos: Math.abs(shiftMs) > CLOCK_SHIFT_SHOWN_MS ? Math.round(shiftMs / 60_000) : null }
}

/** '+20 d 3 h', '-11 min' */
export function shiftText(minutes: number): string {
  const [days, hours] = [Math.floor(Math.abs(minutes) / 1440), Math.floor((Math.abs(minutes) % 1440) / 60)]
  const parts = days > 0 ? [`${days} d`, hours > 0 ? `${hours} h` : ''] : [`${Math.abs(minutes)} min`]
  return `${minutes < 0 ? '-' : '+'}${parts.filter(Boolean).join(' ')}`
}

/** Writes an instant as people at the plant do. */
export type MomentText = (instant: string) => string

export const kindLabels: Record<TraceKind, string> = {
  lote: 'Lote',
  barras: 'Código de barras',
  ordem: 'Ordem de produção',
  miniaplicador: 'Mini aplicador',
  maquina: 'Máquina',
  instrumento: 'Instrumento',
}

export const stepLabels: Record<TraceLine['etapa'], string> = {
  cabo: 'Cabo',
  l1: 'Terminal Lado 1',
  l2: 'Terminal Lado 2',
  juncao: 'Junção',
  recebimento: 'Recebimento',
}

export const situationLabels: Record<TraceLine['situacao'], string> = {
  aguardando: 'Aguardando ERP',
  entregue: 'Entregue ao ERP',
  pendente: 'Em Pendências',
}

export const measureText = (value: number | null): string => (value === null ? '' : String(value).replace('.', ','))

/** mm², written as heights are. The form of an item loads this file, and nothing of plans. */
export const gaugeText = (gaugeMilli: number | null): string =>
  gaugeMilli === null ? '' : heightText(gaugeMilli / 1000)

export const millimetresText = (heightMm: number | null): string => (heightMm === null ? '' : heightText(heightMm))

/** Limit of a value; '-' where it is not known, empty where there is no value. */
export const requiredText = (value: number | null, required: string): string => (value === null ? '' : required || '-')

/** Empty where there is nothing to measure. */
export const measuredText = (value: number | null, measured: boolean | null): string =>
  value === null ? '' : measured === null ? 'não informado' : measured ? 'medido' : 'não medido'
