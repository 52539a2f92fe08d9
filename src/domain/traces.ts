import type { JunctionRecording } from '../contract/junctions.ts'
import type { Capture, CutCrimpRecording, RecordedPart } from '../contract/recordings.ts'
import { type Trace, type TraceKind, type TraceLine, traceKinds } from '../contract/traces.ts'
import { type CsvColumns, csvCode, csvText } from './csv.ts'
import { limitReasonText } from './order-limits.ts'

/** What was typed is no part of a file's name until only letters, digits and single hyphens are left of it. */
const inFileName = (term: string): string =>
  term
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '') || 'termo'

/** `day` is the plant's, `YYYY-MM-DD`. */
export const traceFileName = (kind: TraceKind, term: string, day: string): string =>
  `rastreabilidade_${kind}_${inFileName(term)}_${day}.csv`

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
  ['Altura (mm)', (line) => measureText(line.alturaMm)],
  ['Altura medida', (line) => measuredText(line.alturaMm, line.alturaMedida)],
  ['Motivo fora do limite', (line) => csvText(line.motivoForaDoLimite)],
  ['Apontamento', (line) => line.id],
]

type Found = Trace['encontrados']

/** Of several things that bear the same name: what was asked for, else what has most recordings. */
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

/** What a recording says of material, tool and measures beside what all recordings say. */
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

/** Empty where there is nothing to measure. */
export const measuredText = (value: number | null, measured: boolean | null): string =>
  value === null ? '' : measured === null ? 'não informado' : measured ? 'medido' : 'não medido'
