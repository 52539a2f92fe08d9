import { expect, test } from 'vitest'
import type { Series, SeriesPoint, SeriesRow, SignalCause } from '../../src/contract/spc.ts'
import { addUser, type Database, databases, NOON_MS, openTestPanel } from '../support/harness.ts'
import { storeSamples } from '../support/series-samples.ts'

const HOUR_MS = 3_600_000
const recent = { measured_at: NOON_MS - 100 * HOUR_MS }
const serie = {
  ...{ filial: '010101', miniaplicador: 'MA-0001', terminal: 'T1326030' },
  ...{ bitola: 500, caracteristica: 'altura' },
}
const search = new URLSearchParams(Object.entries(serie).map(([name, value]) => [name, String(value)]))

async function setUp(database: Database = 'sqlite') {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'quali', role: 'qualidade', fullName: 'Rita Melo' })
  await addUser(panel.context, { username: 'maria', role: 'operador', fullName: 'Maria Souza' })
  const [quality, operator] = [(await panel.login('quali')).token, (await panel.login('maria')).token]
  const get = async <Row>(url: string): Promise<Row> => (await panel.ask(quality, { url })).json()
  const note = async (token: string, id: string, causa: SignalCause, nota = '') => {
    const url = `/api/medicoes/${id}/causa`
    panel.clock.advance(1000)
    return (await panel.ask(token, { method: 'POST', url, payload: { caracteristica: 'altura', causa, nota } })).json()
  }
  const series = () => get<Series>(`/api/cep/serie?${search}`)
  const listed = async () => (await get<{ series: SeriesRow[] }>('/api/cep/series?filial=010101')).series
  const setLimits = async (inicio: string, fim: string) =>
    await panel.ask(quality, {
      method: 'POST',
      url: '/api/cep/limites',
      payload: { serie, inicio, fim, motivo: 'Amostra de cinco' },
    })
  const csv = async () => (await panel.ask(quality, { url: `/api/cep/csv?${search}` })).body
  return { ...panel, quality, operator, note, series, listed, setLimits, csv }
}

const linesOf = ({ causas = [] }: SeriesPoint) => causas.map(({ por, causa, qualidade }) => [por, causa, qualidade])

test.each(databases)(
  "causes are lines: nobody overwrites another's, and quality's stands first, on %s",
  async (database) => {
    const { db, quality, operator, note, series, csv } = await setUp(database)
    const [row] = await storeSamples(db, [[1100, 1101, 1102]], recent)
    const id = row?.act_id ?? ''
    await note(operator, id, 'fio')
    await note(quality, id, 'ferramenta-gasta', 'Crimpador trocado')
    await note(operator, id, 'prensa')
    expect(await note(operator, id, 'prensa'), 'pressed twice').toMatchObject({ causa: 'prensa', por: 'Maria Souza' })
    const [point] = (await series()).pontos
    expect(point?.causa).toMatchObject({ causa: 'ferramenta-gasta', nota: 'Crimpador trocado', por: 'Rita Melo' })
    expect(point && linesOf(point)).toEqual([
      ['Rita Melo', 'ferramenta-gasta', true],
      ['Maria Souza', 'prensa', false],
      ['Maria Souza', 'fio', false],
    ])
    expect(new Set(point?.causas?.map(({ em }) => em)).size, 'each with its instant').toBe(3)
    const [head = '', line = ''] = (await csv()).split('\r\n')
    expect(head.endsWith(';Operador;Causas anotadas;Sinais quando visto')).toBe(true)
    expect(line).toContain('Ferramenta gasta: Crimpador trocado (Rita Melo, qualidade')
  },
)

test('a cause of a version before is the first line where no quality has said another', async () => {
  const { db, quality, operator, note, series } = await setUp()
  const before = { cause: 'fio', cause_note: '', cause_by: 'Bruno Reis', cause_at: NOON_MS } as const
  const [row] = await storeSamples(db, [[1100, 1101, 1102]], { ...recent, ...before })
  const shown = async () => {
    const [point] = (await series()).pontos
    return point && [point.causa?.por, ...linesOf(point).map(([by]) => by)]
  }
  await note(operator, row?.act_id ?? '', 'prensa')
  expect(await shown()).toEqual(['Bruno Reis', 'Bruno Reis', 'Maria Souza'])
  await note(quality, row?.act_id ?? '', 'ajuste')
  expect(await shown()).toEqual(['Rita Melo', 'Rita Melo', 'Bruno Reis', 'Maria Souza'])
})

const threes = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => [1098, 1100, 1102].map((one) => one + ((at + from) % 5)))
const fives = (count: number) => threes(count).map((values) => [...values, 1101, 1103])

test.each(databases)(
  'after a change of the sample size quality is before for other limits, and what was a signal stays marked, on %s',
  async (database) => {
    const { db, series, listed, setLimits, csv } = await setUp(database)
    const rows = await storeSamples(db, [...threes(25), [1150, 1151, 1152], ...threes(4)], recent)
    const far = rows[25]?.act_id
    expect((await listed())[0]).toMatchObject({ fixarLimites: false, sinais7Dias: 1 })
    const begun = { measured_at: NOON_MS - 60 * HOUR_MS }
    await storeSamples(db, fives(12), begun)
    expect((await listed())[0]?.fixarLimites, 'not yet the most of the newest 25').toBe(false)
    await storeSamples(db, fives(1), { measured_at: NOON_MS - 40 * HOUR_MS })
    expect((await listed())[0]?.fixarLimites).toBe(true)
    const before = await series()
    expect(before).toMatchObject({ fixarLimites: true, limites: { n: 3 } })
    expect(before.notas).toContain('As amostras têm agora 5 leituras e os limites são de 3: fixe os limites de novo.')
    expect((await setLimits('2026-11-18', '2026-11-21')).statusCode).toBe(200)
    const after = await series()
    expect(after).toMatchObject({ fixarLimites: false, limites: { n: 5 } })
    const point = after.pontos.find(({ medicao }) => medicao.id === far)
    const vistos = [{ regra: 'R1', carta: 'media' }]
    expect(point, 'of the limits that judged it then').toMatchObject({ sinais: [], vistos })
    expect((await listed())[0]?.fixarLimites).toBe(false)
    expect(await csv()).toContain('"além do limite"')
  },
)
