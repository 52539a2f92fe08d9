import type { TraceKind, TraceLine } from '../contract/traces.ts'
import { csvCode, csvText } from './csv.ts'
import { type MomentText, measuredText, measureText, situationLabels, stepLabels } from './traces.ts'

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

/** In the order of the cells. */
export const traceHeads = [
  'Data e hora',
  'Etapa',
  'Situação',
  'Filial',
  'Ordem',
  'Item',
  'Código de barras',
  'Posição',
  'Peças',
  'Código do material',
  'Lote',
  'Selo',
  'Seladora',
  'Mini aplicador',
  'Máquina',
  'Operador',
  'Força',
  'Força medida',
  'Altura (mm)',
  'Altura medida',
  'Apontamento',
] as const

/** One recording as the cells of a file. */
export const traceCells = (line: TraceLine, momentText: MomentText): string[] => [
  momentText(line.registradoEm),
  stepLabels[line.etapa],
  situationLabels[line.situacao],
  csvCode(line.filial),
  csvCode(line.ordem),
  csvCode(line.item),
  csvCode(line.barras),
  csvCode(line.posicao),
  String(line.pecas),
  csvCode(line.codigo),
  csvCode(line.lote),
  csvCode(line.selo),
  csvCode(line.seladora),
  csvCode(line.miniaplicador),
  csvCode(line.maquina),
  csvText(line.operador),
  measureText(line.forca),
  measuredText(line.forca, line.forcaMedida),
  measureText(line.alturaMm),
  measuredText(line.alturaMm, line.alturaMedida),
  line.id,
]
