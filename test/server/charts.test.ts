import { describe, expect, test } from 'vitest'
import { seedDemonstration } from '../../demo/seed.ts'
import type { ApplicatorChart, TerminalChart } from '../../src/contract/charts.ts'
import { addCrimps, ensureUnit, insertApplicator } from '../../src/server/store/applicators.ts'
import { chartOfApplicator, listChartTerminals } from '../../src/server/store/charts.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { addUser, crimpOf, type Database, databases, openTestPanel } from '../support/harness.ts'
import { produce } from '../support/production.ts'

const pairs = (db: Db, ...named: [terminal: string, miniaplicator: string][]) =>
  db.transaction(async (tx) => {
    for (const [terminal, miniaplicator] of named) await insertApplicator(tx, { terminal, miniaplicator, at: 1 })
  })

async function setUp(database: Database) {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'maria' })
  const { token } = await panel.login('maria')
  const get = async <Reply>(path: string, as = token): Promise<Reply> =>
    (await panel.ask(as, { url: `/api/graficos/${path}` })).json()
  const names = async (kind: 'miniaplicadores' | 'terminais') =>
    (await get<{ nome: string }[]>(kind)).map(({ nome }) => nome)
  const ofUnit = (name: string, query = '', as = token) =>
    get<ApplicatorChart>(`miniaplicadores/${encodeURIComponent(name)}${query}`, as)
  const ofTerminal = (name: string, query = '') => get<TerminalChart>(`terminais/${encodeURIComponent(name)}${query}`)
  return { ...panel, token, get, names, ofUnit, ofTerminal }
}

describe.each(databases)('charts on %s', (database) => {
  test('the lists name what a pair names or what has crimps, each once, as a person counts', async () => {
    const { db, names } = await setUp(database)
    await pairs(db, ['T20', 'MA-10'], ['t20', 'MA-2'], ['Água', 'MA-2'])
    await db.transaction(async (tx) => {
      await ensureUnit(tx, { name: 'Velho', at: 1 })
      await addCrimps(tx, { recordingId: 'x', reason: 'sample', unitKey: 'velho', crimps: 5, at: 1 })
      await ensureUnit(tx, { name: 'Nunca usado', at: 1 })
    })
    await produce(db, 5, { terminal: 'T3' })
    await produce(db, 5, { terminal: ' T20 ' })
    await produce(db, 5, { terminal: 't3', part: 'l2' })
    await produce(db, 5, { terminal: 'J1', part: 'juncao', unitKey: '' })
    await produce(db, 5, { terminal: '', part: 'cabo', unitKey: '' })
    await produce(db, 5, { terminal: 'Desfeito' })
    await produce(db, -5, { terminal: 'Desfeito' })
    expect(await names('miniaplicadores')).toEqual(['MA-2', 'MA-10', 'Velho'])
    expect(await names('terminais')).toEqual(['Água', 'T3', 'T20'])
  })

  test('a thousand terminals are all there', async () => {
    const { db, names, ofTerminal } = await setUp(database)
    const all = Array.from({ length: 1203 }, (_, at) => `T${String(at).padStart(4, '0')}`)
    await db.transaction(async (tx) => {
      const row = { production_day: '2026-11-20', branch: '010101', part: 'l1' as const, order_number: '', machine: '' }
      const rest = { operator: '', unit_key: '', pieces: 3, recordings: 1 }
      const rows = all.map((terminal) => ({ id: terminal, terminal, ...row, ...rest }))
      for (let at = 0; at < rows.length; at += 100) {
        await tx
          .insertInto('daily_production')
          .values(rows.slice(at, at + 100))
          .execute()
      }
    })
    expect(await names('terminais')).toEqual(all)
    expect((await ofTerminal('t1202')).porMes).toEqual([{ mes: '2026-11', crimpagens: 3 }])
  })

  test('crimps of both sides and all plants stand under their month, terminal and tool', async () => {
    const { db, ofUnit, ofTerminal } = await setUp(database)
    await pairs(db, ['T1326030', 'MA-0001'], ['T0925590', 'MA-0002'])
    await produce(db, 10)
    await produce(db, 7, { part: 'l2', branch: '020101', machine: 'Outra' })
    await produce(db, 4, { terminal: 't1326030 ', productionDay: '2026-01-31' })
    await produce(db, 2, { terminal: 'T0925590' })
    await produce(db, 50, { unitKey: 'ma-0002' })
    await produce(db, 3, { unitKey: '' })
    await produce(db, 900, { part: 'juncao', unitKey: '' })
    expect(await ofUnit(' ma-0001 ')).toMatchObject({
      porMes: [
        { mes: '2026-01', crimpagens: 4 },
        { mes: '2026-11', crimpagens: 19 },
      ],
      porTerminal: [
        { terminal: 'T0925590', pontos: [{ mes: '2026-11', crimpagens: 2 }] },
        {
          terminal: 'T1326030',
          pontos: [
            { mes: '2026-01', crimpagens: 4 },
            { mes: '2026-11', crimpagens: 17 },
          ],
        },
      ],
    })
    expect(await ofTerminal('t1326030')).toEqual({
      porMes: [
        { mes: '2026-01', crimpagens: 4 },
        { mes: '2026-11', crimpagens: 70 },
      ],
      porMiniAplicador: [
        {
          miniAplicador: 'MA-0001',
          pontos: [
            { mes: '2026-01', crimpagens: 4 },
            { mes: '2026-11', crimpagens: 17 },
          ],
        },
        { miniAplicador: 'MA-0002', pontos: [{ mes: '2026-11', crimpagens: 50 }] },
        { miniAplicador: 'Sem Cadastro', pontos: [{ mes: '2026-11', crimpagens: 3 }] },
      ],
    })
  })

  test('a period that cuts a month is exact to the day, and months and lines without crimps are left out', async () => {
    const { db, ofUnit } = await setUp(database)
    for (const [day, pieces] of Object.entries({ '09-30': 1, '10-01': 2, '10-15': 4, '10-31': 8, '11-01': 16 })) {
      await produce(db, pieces, { productionDay: `2026-${day}` })
    }
    await produce(db, 5, { productionDay: '2026-08-10', terminal: 'T9' })
    await produce(db, -5, { productionDay: '2026-08-10', terminal: 'T9' })
    const months = async (query: string) =>
      (await ofUnit('MA-0001', query)).porMes.map(({ mes, crimpagens }) => `${mes}: ${crimpagens}`)
    expect(await months('?inicio=2026-10-02&fim=2026-10-31')).toEqual(['2026-10: 12'])
    expect(await months('?inicio=2026-10-31&fim=2026-10-31')).toEqual(['2026-10: 8'])
    expect(await months('?inicio=2026-10-15')).toEqual(['2026-10: 12', '2026-11: 16'])
    expect(await months('?fim=2026-10-14')).toEqual(['2026-09: 1', '2026-10: 2'])
    expect(await months('?inicio=2026-12-01')).toEqual([])
    const { porTerminal } = await ofUnit('MA-0001')
    expect(porTerminal.map(({ terminal }) => terminal)).toEqual(['T1326030'])
  })
})

describe('charts', () => {
  test('an unknown name has an empty chart, and a blank one is not what no tool made', async () => {
    const { db, ofUnit, ofTerminal } = await setUp('sqlite')
    await produce(db, 5, { unitKey: '', terminal: '' })
    for (const name of ['Ninguém', ' ', 'Sem Cadastro']) {
      expect(await ofUnit(name), name).toEqual({ porMes: [], porTerminal: [], limite: null, desdeManutencao: [] })
      expect(await ofTerminal(name), name).toEqual({ porMes: [], porMiniAplicador: [] })
    }
  })

  test('a period that ends before it begins is refused', async () => {
    const { ask, token } = await setUp('sqlite')
    for (const kind of ['miniaplicadores', 'terminais']) {
      const answer = await ask(token, { url: `/api/graficos/${kind}/X?inicio=2026-11-02&fim=2026-11-01` })
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'period_reversed'])
    }
  })

  test('what is recorded is in the charts at once', async () => {
    const { token, record, ofUnit, ofTerminal } = await setUp('sqlite')
    await record(token, crimpOf(12, 'ma-0001'))
    const november = [{ mes: '2026-11', crimpagens: 12 }]
    expect(await ofUnit('MA-0001')).toEqual({
      porMes: november,
      porTerminal: [{ terminal: 'T1326030', pontos: november }],
      limite: 100_000,
      desdeManutencao: november,
      // by as few days as one
      previsao: { estado: 'sem-previsao', dia: null, emDias: null, aproximada: false },
    })
    expect((await ofTerminal('T1326030')).porMiniAplicador).toEqual([{ miniAplicador: 'ma-0001', pontos: november }])
  })

  test('beside its months a tool shows what it had crimped since its last maintenance, and its limit', async () => {
    const { ask, clock, token, record, get, ofUnit, login } = await setUp('sqlite')
    await record(token, crimpOf(40))
    const payload = { miniaplicator: 'MA-0001', newLimitOfCrimps: 500 }
    const reset = await ask(token, { method: 'POST', url: '/api/crimpagens/MA-0001/reset', payload })
    expect(reset.statusCode, reset.body).toBe(200)
    clock.advance(31 * 86_400_000)
    const { token: later } = await login('maria')
    await record(later, crimpOf(25))
    const wear = async (query = '') => {
      const { limite, desdeManutencao } = await ofUnit('MA-0001', query, later)
      return [limite, ...desdeManutencao.map(({ mes, crimpagens }) => `${mes}: ${crimpagens}`)]
    }
    expect(await wear()).toEqual([500, '2026-11: 0', '2026-12: 25'])
    expect(await wear('?fim=2026-11-30')).toEqual([500, '2026-11: 0'])
    expect(await get<unknown>('miniaplicadores', later)).toEqual([{ nome: 'MA-0001', usoPercentual: 5 }])
  })

  test('the history of the demonstration is in the charts', async () => {
    const { db, context } = await openTestPanel()
    await seedDemonstration(context)
    const { porMes } = await chartOfApplicator(db.read, 'MA-0001', {})
    expect(porMes.reduce((sum, { crimpagens }) => sum + crimpagens, 0)).toBe(97_000)
    expect(porMes.length).toBeGreaterThanOrEqual(23)
    expect(await listChartTerminals(db.read)).toContain('T1326030')
  })
})
