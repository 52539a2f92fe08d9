import type { TraceFilter, TraceLine, TraceSample } from '../../contract/traces.ts'
import { type CsvColumns, csvCode, csvText } from '../text/csv.ts'
import {
  each,
  gaugeText,
  isOutsidePlan,
  type MomentText,
  passesFilter,
  planVersionsText,
  stepLabels,
  traceColumns,
  verdictText,
} from './traces.ts'

/** A recording or a sample, in order of time. */
export type TraceEntry = { at: number; id: string } & ({ line: TraceLine } | { sample: TraceSample })

/** As the newest is told: the smaller of when it was done and received. */
const sampleAt = ({ medidoEm, recebidoEm }: TraceSample): number =>
  Math.min(Date.parse(medidoEm), Date.parse(recebidoEm))

/** The newest first. */
export const entriesOf = (lines: readonly TraceLine[], samples: readonly TraceSample[]): TraceEntry[] =>
  [
    ...lines.map((line) => ({ at: Date.parse(line.registradoEm), id: line.id, line })),
    ...samples.map((sample) => ({ at: sampleAt(sample), id: sample.id, sample })),
  ].sort((one, other) => other.at - one.at || (other.id < one.id ? -1 : 1))

export const sampleStepText = ({ parte }: Pick<TraceSample, 'parte'>): string => `Medição: ${stepLabels[parte]}`

/** 'Invalidada: lida com o bico errado (Rita Melo)'; empty: it counts. */
export const sampleSituationText = ({ situacao, motivo }: Pick<TraceSample, 'situacao' | 'motivo'>): string =>
  ({ vale: '', invalida: `Invalidada: ${motivo}`, 'nao-conta': 'Não conta: autor não confirmado' })[situacao]

/** Columns that a sample fills in the table of recordings; the others stay empty. */
const sampleColumns = (momentText: MomentText): CsvColumns<TraceSample> => [
  ['Data e hora', ({ medidoEm }) => momentText(medidoEm)],
  ['Etapa', sampleStepText],
  ['Situação', (sample) => csvText(sampleSituationText(sample) || 'Vale')],
  ['Filial', ({ filial }) => csvCode(filial)],
  ['Ordem', ({ ordem }) => csvCode(ordem)],
  ['Item', ({ item }) => csvCode(item)],
  ['Código de barras', ({ barras }) => csvCode(barras)],
  ['Posição', ({ posicao }) => csvCode(posicao)],
  ['Código do material', ({ terminal }) => csvCode(terminal)],
  ['Lote', ({ lote }) => csvCode(lote)],
  ['Mini aplicador', ({ miniaplicador }) => csvCode(miniaplicador)],
  ['Máquina', ({ maquina }) => csvCode(maquina)],
  ['Operador', ({ operador }) => csvText(operador)],
  ['Apontamento', ({ id }) => id],
  ['Bitola (mm²)', ({ bitolaMilli }) => gaugeText(bitolaMilli)],
  ['Medições', ({ medicoes }) => csvText(medicoes.map(({ medido }) => medido).join(' · '))],
  ['Limites do plano', ({ medicoes }) => csvText(each(medicoes.map(({ exigido }) => exigido)))],
  ['Veredito do plano', verdictText],
  ['Versão do plano', planVersionsText],
]

export function traceEntryColumns(momentText: MomentText): CsvColumns<TraceEntry> {
  const ofSamples = new Map(sampleColumns(momentText))
  return traceColumns(momentText).map(
    ([head, cell]) =>
      [
        head,
        (entry: TraceEntry) => ('line' in entry ? cell(entry.line) : (ofSamples.get(head)?.(entry.sample) ?? '')),
      ] as const,
  )
}

/** A force below the order's minimum that no plan judges; measured they all were. */
const passesAsSample: Record<TraceFilter, (sample: TraceSample) => boolean> = {
  'fora-do-minimo': ({ medicoes }) => medicoes.some(({ fora, plano }) => fora && plano === null),
  'nao-medido': () => false,
  'fora-do-plano': (sample) => isOutsidePlan(sample),
}

export const passesAs = (filter: TraceFilter, entry: TraceEntry): boolean =>
  'line' in entry ? passesFilter[filter](entry.line) : passesAsSample[filter](entry.sample)
