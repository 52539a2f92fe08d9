import type {
  Certainty,
  Containment,
  ContainmentPreview,
  ContainmentStep,
  ContainmentWindow,
  Move,
  ReleaseCheck,
  StepKind,
} from '../../contract/containments.ts'
import type { Characteristic } from '../../contract/measurements.ts'
import { readingText, unitText } from '../quality/control-plans.ts'
import { unitOf } from '../reports/spc-names.ts'
import { countedText, countText, piecesText } from '../text/numbers.ts'
import { isMove } from './balances.ts'

export const certaintyTexts: Record<Certainty, string> = {
  certo: 'certo',
  possivel: 'pode conter',
  'outra-maquina': 'outra máquina',
  novo: 'recebido depois',
}

export const stepTexts: Record<StepKind, string> = {
  liberar: 'Liberar',
  retrabalhar: 'Retrabalhar',
  sucatear: 'Sucatear',
  'liberar-retrabalhadas': 'Liberar retrabalhadas',
  'sucatear-retrabalhadas': 'Sucatear retrabalhadas',
  estornar: 'Desfazer',
  corrigir: 'Acertar',
}

/** Steps as they are read afterwards. */
const doneTexts: Record<StepKind, string> = {
  liberar: 'Liberadas',
  retrabalhar: 'Para retrabalho',
  sucatear: 'Sucateadas',
  'liberar-retrabalhadas': 'Liberadas do retrabalho',
  'sucatear-retrabalhadas': 'Sucateadas do retrabalho',
  estornar: 'Desfeito',
  corrigir: 'Peças do apontamento',
}

export const checkTexts: Record<ReleaseCheck, string> = {
  'medidas-100': 'Medidas 100%',
  amostra: 'Amostra',
  derrogacao: 'Derrogação do cliente',
}

/** Where a move takes its pieces from. */
export const sourceOf = (move: Move): 'suspeitas' | 'retrabalho' =>
  move === 'liberar-retrabalhadas' || move === 'sucatear-retrabalhadas' ? 'retrabalho' : 'suspeitas'

export const recordingsText = (count: number): string => countedText(count, 'apontamento', 'apontamentos')

/** '1,104 · 1,102 mm', '92 N' */
function valuesText(values: readonly number[], characteristic: Characteristic | null, forceUnit: string): string {
  const of = characteristic ?? 'altura'
  return unitText(values.map((value) => readingText(value, of)).join(' · '), unitOf(of, forceUnit))
}

/** The good readings at the ends of a window. */
type MeasuredEnds = Pick<ContainmentPreview, 'medidoAntes' | 'medidoDepois'>

type Written = {
  characteristic: Characteristic | null
  forceUnit: string
  /** '23/11 06:05' */
  time: (instant: string) => string
}

/** 'Desde a última medição boa: 23/11 06:05, 1,104 mm (Maria Souza)' */
export function startText(
  { inicio, base }: ContainmentWindow,
  { medidoAntes }: MeasuredEnds,
  written: Written,
): string {
  const { characteristic, forceUnit, time } = written
  if (base === 'ordem') return 'Nunca medida: só esta ordem'
  if (inicio === null) return 'Desde o primeiro apontamento'
  if (base === 'mao') return `Desde (à mão): ${time(inicio)}`
  const measured = medidoAntes && `${valuesText(medidoAntes.valores, characteristic, forceUnit)} (${medidoAntes.por})`
  return `Desde a última medição boa: ${[time(inicio), measured].filter(Boolean).join(', ')}`
}

/** 'até a próxima medição boa: 23/11 08:48', 'em aberto: cresce até alguém medir bem'; no reading ends what is named by hand. */
export function endText(
  { fim, aberta }: ContainmentWindow,
  { medidoDepois }: MeasuredEnds,
  { characteristic, time }: Pick<Written, 'characteristic' | 'time'>,
): string {
  if (aberta) return `em aberto: cresce até alguém ${characteristic === null ? 'informar o fim' : 'medir bem'}`
  if (fim === null) return 'até agora'
  return `${medidoDepois ? 'até a próxima medição boa' : 'até (à mão)'}: ${time(fim)}`
}

/** '3 apontamentos, 436 peças; mais 250 que podem conter' */
export function previewText({ certos, possiveis }: Pick<ContainmentPreview, 'certos' | 'possiveis'>): string {
  const certain = `${recordingsText(certos.apontamentos)}, ${piecesText(certos.pecas)}`
  if (possiveis.pecas === 0) return certain
  return `${certain}; mais ${countText(possiveis.pecas)} que ${possiveis.pecas === 1 ? 'pode' : 'podem'} conter`
}

/** 'Liberadas: 180 peças · Amostra de 13 · tudo certo' */
export function stepText({
  tipo,
  pecas,
  verificado,
  amostra,
  verificadoTexto,
  motivoRefugo,
  motivo,
}: ContainmentStep): string {
  const check = verificado && (amostra === null ? checkTexts[verificado] : `Amostra de ${countText(amostra)}`)
  const said = [check, verificadoTexto, motivoRefugo, motivo].filter(Boolean)
  return [`${doneTexts[tipo]}: ${piecesText(pecas)}`, ...said].join(' · ')
}

/** Steps that nobody has taken back, and that somebody may take back. */
export const canUndo = ({ id, tipo }: ContainmentStep, steps: readonly ContainmentStep[]): boolean =>
  isMove(tipo) && !steps.some(({ passo }) => passo === id)

/** 'Baixa no ERP: 32 peças em 2 itens. Avise o PCP.'; empty: nothing was scrapped. `items` null: nobody has counted them. */
export function writeOffText({ sucateadas }: Pick<Containment, 'sucateadas'>, items: number | null): string {
  if (sucateadas === 0) return ''
  const where = items === null ? '' : ` em ${countedText(items, 'item', 'itens')}`
  return `Baixa no ERP: ${piecesText(sucateadas)}${where}. Avise o PCP.`
}

/** 'Contenções abertas: 2' */
export const openText = (count: number): string => `Contenções abertas: ${countText(count)}`

type Placed = Pick<Containment, 'tipo' | 'terminal' | 'miniaplicador' | 'maquina'>

/** 'T1326030 · MA-0412 · PR0002'; of what is named by hand nothing that its subject does not say. */
export const placeText = ({ tipo, terminal, miniaplicador, maquina }: Placed): string =>
  tipo === 'medicao' ? [terminal, miniaplicador, maquina].filter(Boolean).join(' · ') : ''
