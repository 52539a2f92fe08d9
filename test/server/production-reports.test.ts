import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { seedDemonstration } from '../../demo/seed.ts'
import { type Grouping, type ProductionReport, REPORT_LINES_MAX } from '../../src/contract/production-reports.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { productionReport } from '../../src/server/store/production-reports.ts'
import { addUser, crimpOf, cutOf, type Database, databases, joinOf, ORDER, openTestPanel } from '../support/harness.ts'
import { produce } from '../support/production.ts'

async function setUp(database: Database) {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'maria' })
  const { token } = await panel.login('maria')
  const ask = (query: Record<string, string>, who = token) => {
    const period = query.turno ? {} : { inicio: '2026-11-01', fim: '2026-11-30' }
    return panel.ask(who, { url: `/api/relatorios/producao?${new URLSearchParams({ ...period, ...query })}` })
  }
  const report = async (por: Grouping, query: Record<string, string> = {}): Promise<ProductionReport> =>
    (await ask({ por, ...query })).json()
  const linesOf = async (por: Grouping, query: Record<string, string> = {}) =>
    (await report(por, query)).linhas.map(
      (line) => `${line.nome}: ${line.apontamentos} ${line.cortes} ${line.crimpagens} ${line.juncoes}`,
    )
  return { ...panel, token, request: panel.ask, ask, report, linesOf }
}

const cut = { part: 'cabo', unitKey: '', terminal: '' } as const
const join = { part: 'juncao', unitKey: '', terminal: 'J7' } as const

describe.each(databases)('production reports on %s', (database) => {
  test('know shifts: the one that is on, the one before, and those of a period, beside the same of the day before', async () => {
    const { token, record, clock, ask, login, request, context } = await setUp(database)
    const read = async (query: Record<string, string>): Promise<ProductionReport> => {
      const { token: fresh } = await login('maria')
      return (await ask(query, fresh)).json()
    }
    const hour = 3_600_000
    // 12:00 at the plant, of a shift from 06:00 on
    await record(token, cutOf(40))
    await record(token, { ...crimpOf(7), captura: { medidoForca: false, medidoAltura: true } })
    clock.advance(3 * hour)
    await record((await login('maria')).token, cutOf(5))
    clock.advance(20 * hour)
    await record((await login('maria')).token, cutOf(10))
    // 13:00 of the next day
    clock.advance(2 * hour)
    const on = await read({ turno: 'este', por: 'operador' })
    expect(on.turno).toEqual({ inicio: '2026-11-22T09:00:00.000Z', fim: '2026-11-22T17:00:00.000Z' })
    expect(on.linhas).toEqual([{ nome: 'Maria Souza', apontamentos: 1, cortes: 10, crimpagens: 0, juncoes: 0 }])
    expect([on.antes?.cortes, on.antes?.crimpagens, on.naoMedidos]).toEqual([40, 7, 0])
    const before = await read({ turno: 'anterior', por: 'turno' })
    expect(before.linhas, 'nobody worked at night').toEqual([])
    const days = await read({ inicio: '2026-11-21', fim: '2026-11-22', por: 'turno' })
    expect(days.linhas.map(({ nome, cortes }) => `${nome}: ${cortes}`)).toEqual([
      '2026-11-21 06:00 a 14:00: 40',
      '2026-11-21 14:00 a 22:00: 5',
      '2026-11-22 06:00 a 14:00: 10',
    ])
    expect([days.totais.crimpagens, days.naoMedidos]).toEqual([7, 1])
    const today = await read({ inicio: '2026-11-22', fim: '2026-11-22', por: 'maquina' })
    expect([today.totais.cortes, today.antes?.cortes], 'yesterday as far as now').toEqual([10, 40])
    await addUser(context, { username: 'joana' })
    const own = async (who: string) =>
      (await request((await login(who)).token, { url: '/api/relatorios/meu-turno' })).json()
    expect(await own('maria')).toEqual({
      turno: on.turno,
      totais: { apontamentos: 1, cortes: 10, crimpagens: 0, juncoes: 0 },
      naoMedidos: 0,
      porHora: [0, 0, 0, 0, 0, 10, 0, 0],
    })
    expect((await own('joana')).totais.cortes, 'of nobody else').toBe(0)
    const other = await read({ inicio: '2026-11-21', fim: '2026-11-22', por: 'turno', filial: '020101' })
    expect(other.linhas).toEqual([])
    const { token: fresh } = await login('maria')
    expect((await ask({ por: 'turno' }, fresh)).statusCode, 'a month').toBe(200)
    expect((await ask({ por: 'turno', inicio: '2026-10-01' }, fresh)).json().code).toBe('period_too_long')
    expect((await ask({ por: 'dia', inicio: '' }, fresh)).statusCode).toBe(400)
  })

  test('break down what was cut, crimped and joined by what was asked for', async () => {
    const { db, report, linesOf } = await setUp(database)
    await db.transaction((tx) => insertApplicator(tx, { terminal: 'T1', miniaplicator: 'MA-10', at: 1 }))
    await produce(db, 100, { ...cut, productionDay: '2026-11-02', machine: 'KX10', orderNumber: '02', operator: 'Zé' })
    await produce(db, 30, { unitKey: 'ma-10', terminal: ' t1', machine: 'KX9', orderNumber: '10', operator: 'Ágata' })
    await produce(db, 20, { part: 'l2', unitKey: 'ma-2', terminal: 't2', machine: 'KX9', orderNumber: '02' })
    await produce(db, 7, { ...join, branch: '020101', orderNumber: '', machine: 'US1', operator: 'Zé' })
    await produce(db, 900, { productionDay: '2026-10-31' })
    await produce(db, 900, { productionDay: '2026-12-01' })
    expect(await linesOf('dia')).toEqual(['2026-11-02: 1 100 0 0', '2026-11-20: 3 0 50 7'])
    expect(await linesOf('ordem')).toEqual(['02: 2 100 20 0', '10: 1 0 30 0', ': 1 0 0 7'])
    expect(await linesOf('maquina')).toEqual(['KX9: 2 0 50 0', 'KX10: 1 100 0 0', 'US1: 1 0 0 7'])
    expect(await linesOf('operador')).toEqual(['Ágata: 1 0 30 0', 'Maria Souza: 1 0 20 0', 'Zé: 2 100 0 7'])
    expect(await linesOf('miniaplicador')).toEqual(['ma-2: 1 0 20 0', 'MA-10: 1 0 30 0', ': 2 100 0 7'])
    expect(await linesOf('terminal')).toEqual(['J7: 1 0 0 7', 'T1: 1 0 30 0', 't2: 1 0 20 0', ': 1 100 0 0'])
    expect(await report('dia')).toMatchObject({
      totais: { apontamentos: 4, cortes: 100, crimpagens: 50, juncoes: 7 },
      linhasTotal: 2,
    })
  })

  test('hold both days of the period, and one plant where it is named', async () => {
    const { db, linesOf, report } = await setUp(database)
    for (const day of ['01', '02', '15', '28', '29']) await produce(db, 1, { productionDay: `2026-11-${day}` })
    await produce(db, 4, { branch: '020101', productionDay: '2026-11-15' })
    const period = { inicio: '2026-11-02', fim: '2026-11-28' }
    expect(await linesOf('dia', period)).toEqual(['2026-11-02: 1 0 1 0', '2026-11-15: 2 0 5 0', '2026-11-28: 1 0 1 0'])
    expect(await linesOf('dia', { ...period, filial: '020101' })).toEqual(['2026-11-15: 1 0 4 0'])
    expect((await report('dia', { inicio: '2026-11-15', fim: '2026-11-15' })).totais.crimpagens).toBe(5)
    expect((await report('dia', { inicio: '0001-01-01', fim: '9999-12-31' })).totais.crimpagens).toBe(9)
    expect(await report('terminal', { inicio: '2027-01-01', fim: '2027-01-31' })).toMatchObject({
      linhas: [],
      totais: { apontamentos: 0, cortes: 0, crimpagens: 0, juncoes: 0 },
      linhasTotal: 0,
    })
  })

  test('leave out what was undone, and give no more lines than anybody prints', async () => {
    const { db, linesOf, report } = await setUp(database)
    await produce(db, 5, { machine: 'Desfeita' })
    const row = { ...cut, production_day: '2026-11-20', branch: '010101', machine: 'X', operator: 'X' }
    const { unitKey: unit_key, ...same } = row
    await db.transaction(async (tx) => {
      await tx.updateTable('daily_production').set({ pieces: 0, recordings: 0 }).execute()
      for (let at = 0; at < REPORT_LINES_MAX + 50; at += 50) {
        const rows = Array.from({ length: 50 }, (_, n) => ({
          ...same,
          unit_key,
          id: String(at + n),
          order_number: String(at + n).padStart(5, '0'),
          pieces: 2,
          recordings: 1,
        }))
        await tx.insertInto('daily_production').values(rows).execute()
      }
    })
    expect(await linesOf('maquina')).toEqual([`X: ${REPORT_LINES_MAX + 50} ${2 * (REPORT_LINES_MAX + 50)} 0 0`])
    const { linhas, totais, linhasTotal } = await report('ordem')
    expect([linhas.length, linhas[0]?.nome, linhas.at(-1)?.nome]).toEqual([REPORT_LINES_MAX, '00000', '04999'])
    expect([linhasTotal, totais.cortes]).toEqual([REPORT_LINES_MAX + 50, 2 * (REPORT_LINES_MAX + 50)])
  })
})

describe('production reports', () => {
  test('refuse a period that ends before it begins, and a plant that this installation does not have', async () => {
    const { ask } = await setUp('sqlite')
    const codeOf = async (query: Record<string, string>) => (await ask({ por: 'dia', ...query })).json().code
    expect(await codeOf({ inicio: '2026-12-01' })).toBe('period_reversed')
    expect(await codeOf({ filial: '999999' })).toBe('unknown_plant')
  })

  test.each(['0001-01-01T00:00:00Z', '1970-01-01T00:05:00Z', '2027-02-01T00:00:00Z'])(
    'hold what was recorded at %s, by a clock that is wrong, on the day on which it came',
    async (registradoEm) => {
      const { token, record, linesOf } = await setUp('sqlite')
      expect((await record(token, { ...cutOf(9), captura: { registradoEm } })).statusCode).toBe(201)
      expect(await linesOf('dia', { inicio: '0001-01-01', fim: '9999-12-31' })).toEqual(['2026-11-21: 1 9 0 0'])
    },
  )

  test('hold what is recorded at once, and the history of the demonstration', async () => {
    const { db, context, token, record, request, report } = await setUp('sqlite')
    await record(token, cutOf(9))
    await record(token, crimpOf(12))
    await request(token, { url: `/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}` })
    await request(token, {
      method: 'POST',
      url: '/api/juncao/registrar-apontamento',
      headers: { 'idempotency-key': randomUUID() },
      payload: joinOf(3),
    })
    const { linhas } = await report('ordem')
    expect(linhas).toEqual([{ nome: ORDER, apontamentos: 3, cortes: 9, crimpagens: 12, juncoes: 3 }])
    await db.transaction(async (tx) => void (await tx.deleteFrom('users').execute()))
    await seedDemonstration(context)
    const { linhas: units } = await productionReport(db.read, { period: {}, by: 'miniaplicador', branch: undefined })
    expect(units.find(({ nome }) => nome === 'MA-0026')?.crimpagens).toBe(61_000)
  })
})
