import type { SeriesKey, SeriesPoint } from '../../contract/spc.ts'
import { momentTextOf } from '../plant/plant-time.ts'
import { type CsvColumns, csvCode, csvText } from '../text/csv.ts'
import { causeText, causeTexts, ruleTexts } from './spc-names.ts'
import { decimalsOf, decimalText } from './spc-texts.ts'

/** `day` is the plant's, `YYYY-MM-DD`. A name may hold what no header may. */
export const seriesFileName = ({ miniaplicador, terminal, bitola, caracteristica }: SeriesKey, day: string): string =>
  `cep_${[miniaplicador, terminal, bitola, caracteristica, day].join('_').replace(/[^\w.-]+/g, '-')}.csv`

const signalsText = (signals: SeriesPoint['sinais']): string =>
  signals.map(({ regra, carta }) => `${ruleTexts[regra]}${carta === 'amplitude' ? ' (amplitude)' : ''}`).join(', ')

/** The points of a series as they are drawn, with a column a reading. */
export function seriesColumns(points: readonly SeriesPoint[], timeZone: string): CsvColumns<SeriesPoint> {
  const size = Math.max(1, ...points.map(({ medicao }) => medicao.valores.length))
  const [first] = points
  const samples = points.map(({ medicao }) => ({ values: medicao.valores }))
  const decimals = first ? decimalsOf(first.medicao.caracteristica, samples) : 0
  const statistic = (value: number | null) => (value === null ? '' : decimalText(value, decimals))
  const reading = (value: number | undefined) => (value === undefined ? '' : decimalText(value / 1000, decimals - 1))
  return [
    ['Medido em', ({ medicao }) => momentTextOf(timeZone)(medicao.medidoEm)],
    ...Array.from(
      { length: size },
      (_, at) => [`Leitura ${at + 1}`, ({ medicao }: SeriesPoint) => reading(medicao.valores[at])] as const,
    ),
    ['Média', ({ media }) => statistic(media)],
    ['Amplitude', ({ amplitude }) => statistic(amplitude)],
    ['Sinais', (point) => csvText(signalsText(point.sinais))],
    ['Causa', ({ causa }) => csvText(causa ? causeTexts[causa.causa] : '')],
    ['Nota', ({ causa }) => csvText(causa?.nota ?? '')],
    ['Inválida', ({ medicao }) => csvText(medicao.invalida?.motivo ?? '')],
    ['Máquina', ({ medicao }) => csvCode(medicao.maquina)],
    ['Lote', ({ medicao }) => csvCode(medicao.lote)],
    ['Ordem', ({ medicao }) => csvCode(medicao.ordem)],
    ['Instrumento', ({ medicao }) => csvCode(medicao.instrumento)],
    ['Operador', ({ medicao }) => csvText(medicao.operador)],
    [
      'Causas anotadas',
      ({ causas = [] }) => csvText(causas.map((one) => causeText(one, momentTextOf(timeZone))).join('; ')),
    ],
    ['Sinais quando visto', ({ vistos = [] }) => csvText(signalsText(vistos))],
  ]
}
