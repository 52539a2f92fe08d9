import { expect, test } from 'vitest'
import type { Series, SeriesPoint } from '../../../../contract/spc.ts'
import { decimalText } from '../../../../domain/reports/spc-texts.ts'
import { shownOf } from './series.ts'

const plants = { timeZone: 'America/Sao_Paulo', forceUnit: 'N' }

function pointOf(nth: number, valores: number[], more: Partial<SeriesPoint> = {}): SeriesPoint {
  const [mean, range] = [
    valores.reduce((sum, one) => sum + one, 0) / valores.length,
    Math.max(...valores) - Math.min(...valores),
  ]
  return {
    medicao: {
      ...{ id: String(nth), caracteristica: 'altura', filial: '010101', ordem: '1', codigoBarras: '', posicao: '' },
      ...{ parte: 'l1', terminal: 'T1', bitolaMilli: 500, miniaplicador: 'MA-1', ciclo: 1, maquina: 'PR1', lote: 'L1' },
      ...{ turno: '', ocasiao: 'avulsa', instrumento: '', valores, veredito: 'dentro', plano: null, acao: null },
      ...{ apontamentos: [], operador: 'Maria', medidoEm: `2026-11-21T12:0${nth}:00.000Z`, invalida: null },
    },
    ...{ media: mean / 1000, amplitude: range / 1000, sinais: [], causa: null },
    ...more,
  }
}
const outOf = (
  nth: number,
  valores: number[],
  more: Partial<SeriesPoint['medicao']>,
  point: Partial<SeriesPoint> = {},
) => {
  const one = pointOf(nth, valores, point)
  return { ...one, medicao: { ...one.medicao, ...more } }
}
const none = { media: null, amplitude: null }
const invalida = { motivo: 'Bico errado', por: 'Rita', em: '2026-11-21T13:00:00.000Z', porQuemMediu: true }

const pontos = [
  pointOf(0, [1100, 1102, 1104]),
  outOf(1, [1149, 1151, 1150], { veredito: 'fora' }),
  outOf(2, [1108], {}, { ...none, vistos: [{ regra: 'R1', carta: 'media' }] }),
  outOf(3, [1300, 1300, 1300], { invalida }, none),
  pointOf(4, [1121, 1119, 1120], { sinais: [{ regra: 'R1', carta: 'media' }] }),
  pointOf(5, [1080, 1140, 1100], { sinais: [{ regra: 'R1', carta: 'amplitude' }] }),
]
const series: Series = {
  serie: { filial: '010101', miniaplicador: 'MA-1', terminal: 'T1', bitola: 500, caracteristica: 'altura' },
  ...{ pontos, cortado: false, limites: null, capacidade: null, marcas: [], notas: [] },
}
const { charts, rows, decimals } = shownOf(series, plants)

test('a sample that was dated back says so, and when it was received', () => {
  const late = outOf(0, [1100, 1102, 1104], {
    apontamentos: ['registrado-depois'],
    recebidoEm: '2026-12-31T12:00:00.000Z',
  })
  const [row] = shownOf({ ...series, pontos: [late] }, plants).rows
  expect(row?.notes.map(({ tone, text }) => `${tone}: ${text}`)).toEqual([
    expect.stringMatching(/^warn: Registrado depois: recebido em 31\/12\S* 09:00, 40 d depois$/),
  ])
})

test('the table says what is drawn, in both charts', () => {
  const drawn = charts.map(({ chart }) =>
    chart.points.map(({ value }) => (value === null ? '-' : decimalText(value, decimals))),
  )
  expect(drawn).toEqual([rows.map(({ mean }) => mean), rows.map(({ range }) => range)])
  expect(rows.map(({ mean, range }) => [mean, range])).toEqual([
    ['1,1020', '0,0040'],
    ['1,1500', '0,0020'],
    ['1,1080', '-'],
    ['1,3000', '-'],
    ['1,1200', '0,0020'],
    ['1,1067', '0,0600'],
  ])
})

test('whatever has a sign of its own in a chart is said in words beside it', () => {
  const [means, ranges] = charts.map(({ chart }) => chart.points.map(({ look, signal }) => [look, signal]))
  expect(means).toEqual([
    ['plain', ''],
    ['outside', ''],
    ['other', '(1)'],
    ['invalid', ''],
    ['plain', '1'],
    ['plain', ''],
  ])
  expect(ranges?.at(-1)).toEqual(['plain', '1'])
  expect(rows.map(({ notes }) => notes.map(({ text }) => text).join('; '))).toEqual([
    '',
    'Fora da tolerância',
    'Sinal quando visto: além do limite; Outro número de leituras',
    'Inválida: Bico errado; Tirada das contas por quem mediu',
    expect.stringMatching(/^Sinal: /),
    expect.stringMatching(/^Sinal: amplitude /),
  ])
  expect(charts.map(({ label }) => label)).toEqual([
    'Médias (X-barra) - Altura (mm). Carta de 6 amostras. Ainda sem limites. Sinais nas amostras 5. Sinais quando vistos nas amostras 3.',
    'Amplitudes (R) - Altura (mm). Carta de 6 amostras. Ainda sem limites. Sinais nas amostras 6.',
  ])
})
