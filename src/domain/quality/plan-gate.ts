import type { Characteristic, Finding, Occasion } from '../../contract/measurements.ts'
import type { PlanFinding } from '../../contract/releases.ts'
import type { PlanApproval, PlanMode } from '../../contract/settings.ts'
import { characteristicsText } from '../reports/spc-names.ts'
import { type CsvColumns, csvCode, csvText } from '../text/csv.ts'
import { instrumentFindings } from './instruments.ts'
import { situationTexts, treatmentsText } from './occurrences.ts'

/** A tablet's estimate of the server's clock moves by up to a second with each answer. */
export const CLOCK_SLACK_MS = 2000

export const planModeTexts: Record<PlanMode, string> = {
  observar: 'Observar',
  avisar: 'Avisar',
  bloquear: 'Bloquear',
}

/** What became of work outside its plan in each mode, where nobody released it. */
export const passedTexts: Record<PlanMode, string> = {
  observar: 'registrado',
  avisar: 'com aviso',
  bloquear: 'com bloqueio',
}

/** The effect of each mode, shown where it is chosen. */
export const planModeHints: Record<PlanMode, string> = {
  observar: 'Nada muda para quem aponta. O que sai do plano fica anotado em Ocorrências.',
  avisar: "Fora do plano, 'Registrar' pede um motivo. Fica anotado em Ocorrências.",
  bloquear:
    "Fora do plano, 'Registrar' espera uma medição boa ou a liberação da qualidade. Sem rede, pede um motivo e fica anotado.",
}

export const planApprovalTexts: Record<PlanApproval, string> = {
  dispensada: 'Ao salvar',
  'outra-pessoa': 'Depois que outra pessoa a aprovar',
}

/** Findings noted beside a recording; the others are noted beside a measurement. */
export const noted = [
  'bloqueio-sem-rede',
  'fora-do-plano',
  'falta-medir',
  ...instrumentFindings,
  'ferramenta-insegura',
  'nao-julgado',
] as const satisfies Finding[]

export const notedTexts: Partial<Record<Finding, string>> & Record<(typeof noted)[number], string> = {
  'bloqueio-sem-rede': 'Bloqueio sem rede',
  'fora-do-plano': 'Fora do plano',
  'falta-medir': 'Falta medir',
  'instrumento-vencido': 'Instrumento vencido',
  'instrumento-inativo': 'Instrumento inativo',
  'instrumento-desconhecido': 'Instrumento não cadastrado',
  'sem-instrumento': 'Sem instrumento',
  'instrumento-inadequado': 'Instrumento de outro tipo',
  'instrumento-resolucao': 'Leitura além da resolução',
  'ferramenta-insegura': 'Ferramenta insegura',
  'nao-julgado': 'Não julgado pelo plano',
}

export type PlanGateFacts = {
  mode: PlanMode
  /** Whether a release can be asked for now. Of what a tablet's queue brings: no, it could not. */
  isReachable: boolean
  /** Whose newest reading at this place is outside. */
  outside: readonly Characteristic[]
  /** Why it is time to measure, in the order in which it is said; without gauge, plan or limits it is not. */
  due: readonly Occasion[]
  /** Characteristics of a first piece that nobody measured, where others were; empty: all that the plan asks for, or none. */
  missing: readonly Characteristic[]
  hasRelease: boolean
  hasReason: boolean
}

/** The samples' facts at a place. */
export type GateSamples = Pick<PlanGateFacts, 'outside' | 'due' | 'missing'>

/** An objection to 'Registrar', before the plant's mode decides about it. */
type Objection = { finding: Extract<Finding, 'fora-do-plano' | 'falta-medir'>; text: string }

/** `needs` null: it may be registered, and what is noted beside it, if anything. `text` says what is wrong; empty: nothing. */
export type PlanGate = { needs: 'reason' | 'release' | null; finding: Finding | null; text: string }

const dueTexts: Record<Occasion, string> = {
  'primeira-peca': 'Falta medir a primeira peça',
  'troca-de-lote': 'Falta medir depois da troca de lote',
  'troca-de-mini-aplicador': 'Falta medir depois da troca de mini aplicador',
  'troca-de-maquina': 'Falta medir depois da troca de máquina',
  'apos-manutencao': 'Falta medir depois da manutenção',
  'novo-turno': 'Falta medir neste turno',
  'a-cada': 'Falta a medição a cada tantas peças',
  'ultima-peca': 'Falta medir a última peça',
  avulsa: 'Falta medir',
}

/** 'a última altura está', 'altura e força estão' */
const outsideText = (outside: readonly Characteristic[]): string =>
  outside.length === 1 ? `a última ${characteristicsText(outside)} está` : `${characteristicsText(outside)} estão`

/** A measured reading outside comes before a missing one: it has to be measured again in any case. */
export function planObjection({ outside, due, missing }: GateSamples): Objection | null {
  if (outside.length > 0) {
    return {
      finding: 'fora-do-plano',
      text: `Meça de novo antes de registrar: ${outsideText(outside)} fora do plano.`,
    }
  }
  const [first] = due
  if (first === undefined) return null
  const parts = missing.length > 0 ? `: ${characteristicsText(missing)}` : ''
  return { finding: 'falta-medir', text: `${dueTexts[first]}${parts}.` }
}

/**
 * The gate before 'Registrar', on a tablet and on the server alike. Where nobody can ask for a release, 'bloquear' asks
 * for a reason, and that it did is noted: work goes on without network.
 */
export function planGate(facts: PlanGateFacts): PlanGate {
  const { mode, isReachable, hasRelease, hasReason } = facts
  const objection = planObjection(facts)
  if (objection === null) return { needs: null, finding: null, text: '' }
  if (mode === 'observar' || hasRelease) return { ...objection, needs: null }
  if (mode === 'bloquear' && isReachable) return { ...objection, needs: 'release' }
  const finding = mode === 'bloquear' ? 'bloqueio-sem-rede' : objection.finding
  return { ...objection, finding, needs: hasReason ? null : 'reason' }
}

/** 'Fora do plano: altura' */
export const findingTitle = ({
  achado,
  caracteristicas = [],
}: Pick<PlanFinding, 'achado' | 'caracteristicas'>): string =>
  [notedTexts[achado] ?? achado, characteristicsText(caracteristicas)].filter(Boolean).join(': ')

/** `from` and `to`: days of the plant, `YYYY-MM-DD`. */
export const findingsFileName = (from: string, to: string): string => `ocorrencias_${from}_${to}.csv`

export const sideTexts: Partial<Record<PlanFinding['parte'], string>> = { l1: 'Lado 1', l2: 'Lado 2', juncao: 'Junção' }

const ownReleaseText = 'liberado por quem apontou'

/** Reservations about a release, beside who gave it; empty: none. */
export const releaseNotes = (one: Pick<PlanFinding, 'liberadoPorQuemApontou' | 'liberadoSemAmostras'>): string =>
  [one.liberadoPorQuemApontou && ownReleaseText, one.liberadoSemAmostras && 'sem amostras'].filter(Boolean).join(' · ')

export const findingColumns = (moment: (instant: string) => string): CsvColumns<PlanFinding> => [
  ['Data e hora', ({ em }) => moment(em)],
  ['Ocorrência', ({ achado }) => csvText(notedTexts[achado] ?? achado)],
  ['Modo', ({ modo }) => planModeTexts[modo]],
  ['Motivo', ({ motivo }) => csvText(motivo)],
  ['Liberado por', ({ liberadoPor }) => csvText(liberadoPor)],
  ['Filial', ({ filial }) => csvCode(filial)],
  ['Ordem', ({ ordem }) => csvCode(ordem)],
  ['Código de Barras', ({ codigoBarras }) => csvCode(codigoBarras)],
  ['Posição', ({ posicao }) => csvCode(posicao)],
  ['Lado', ({ parte }) => sideTexts[parte] ?? ''],
  ['Terminal', ({ terminal }) => csvCode(terminal)],
  ['Peças', ({ pecas }) => String(pecas)],
  ['Máquina', ({ maquina }) => csvCode(maquina)],
  ['Operador', ({ operador }) => csvText(operador)],
  ['Situação', ({ situacao }) => situationTexts[situacao]],
  ['Tratamento', ({ tratamentos }) => csvText(treatmentsText(tratamentos))],
  ['Liberação', (one) => releaseNotes(one)],
  ['Característica', ({ caracteristicas = [] }) => characteristicsText(caracteristicas)],
]
