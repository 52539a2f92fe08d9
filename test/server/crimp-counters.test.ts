import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CrimpCounter, CrimpCounterList, CrimpHistoryEntry } from '../../src/contract/crimp-counters.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { addDays, momentTextOf, plantDay } from '../../src/domain/plant/plant-time.ts'
import { addCrimps, insertApplicator, listCounterDeviations } from '../../src/server/store/applicators.ts'
import { addUser, crimpOf, type Database, databases, openTestPanel, UNTOUCHED } from '../support/harness.ts'
import { produce } from '../support/production.ts'
import { browserOf, pairOf } from '../support/visitor.ts'

async function setUp(database: Database) {
  const panel = await openTestPanel({ database })
  const { db, clock } = panel
  await addUser(panel.context, { username: 'maria', fullName: 'Maria Souza' })
  await addUser(panel.context, { username: 'joao', fullName: 'João Lima', role: 'admin' })
  const { token } = await panel.login('maria')
  const { token: other } = await panel.login('joao')
  await db.transaction((tx) =>
    insertApplicator(tx, { terminal: 'T1326030', miniaplicator: 'MA-0001', at: clock.now() }),
  )
  const count = (name: string, crimps: number) =>
    db.transaction((tx) =>
      addCrimps(tx, { recordingId: randomUUID(), reason: 'sample', unitKey: name.toLowerCase(), crimps, at: 1 }),
    )
  const change = (
    what: 'limit' | 'schedule' | 'reset',
    body: Record<string, unknown>,
    { version = null, who = token, path = 'MA-0001' }: { version?: number | null; who?: string; path?: string } = {},
  ) =>
    panel.ask(who, {
      method: what === 'reset' ? 'POST' : 'PUT',
      url: `/api/crimpagens/${encodeURIComponent(path)}/${what}`,
      headers: version === null ? {} : { 'if-match': `"${version}"` },
      payload: { miniaplicator: path, ...body },
    })
  const get = async (name = 'MA-0001'): Promise<CrimpCounter> =>
    (await panel.ask(token, { url: `/api/crimpagens/${encodeURIComponent(name)}` })).json()
  const list = async (filter = ''): Promise<CrimpCounterList> =>
    (await panel.ask(token, { url: `/api/crimpagens${filter && `?filter=${encodeURIComponent(filter)}`}` })).json()
  const history = async (): Promise<CrimpHistoryEntry[]> =>
    (await panel.ask(token, { url: '/api/crimpagens/history' })).json()
  return { ...panel, token, other, count, change, get, list, history }
}

const codeOf = (answer: { statusCode: number; json<T>(): T }) => [answer.statusCode, answer.json<ErrorReply>().code]
const scheduled = { serviceOrder: 4711, maintenanceDate: '2026-12-01', comments: 'Trocar a faca\ne a bigorna' }
const none = { serviceOrder: null, maintenanceDate: null, comments: null }

describe.each(databases)('crimp counters on %s', (database) => {
  test('a unit says when it will reach its limit, by what both plants made on the days before today', async () => {
    const { db, clock, get, list, change, count } = await setUp(database)
    const today = plantDay(clock.now(), 'America/Sao_Paulo')
    for (const ago of [1, 2, 3]) {
      const productionDay = addDays(today, -ago)
      await produce(db, 400, { productionDay })
      await produce(db, 100, { productionDay, branch: '020101', part: 'l2', unitKey: 'ma-0001' })
      await produce(db, 9000, { productionDay, unitKey: 'ma-0002' })
      await produce(db, 9000, { productionDay, part: 'cabo', unitKey: '' })
    }
    await produce(db, 9000, { productionDay: today })
    await produce(db, 9000, { productionDay: addDays(today, -29) })
    await count('MA-0001', 99_500)
    // the first of the three weekdays that have a mean
    const expected = { estado: 'previsto', dia: addDays(today, 4), emDias: 4, aproximada: true }
    expect((await get()).previsao).toEqual(expected)
    expect((await list()).controlTable.map(({ previsao }) => previsao)).toEqual([expected])
    expect((await change('limit', { limitOfCrimps: 99_501 })).json<CrimpCounter>().previsao).toEqual(expected)
    expect((await change('limit', { limitOfCrimps: 100_001 })).json<CrimpCounter>().previsao).toMatchObject({
      emDias: 5,
    })
  })

  test('a change keeps what was before it, who made it and when', async () => {
    const { change, count, get, history, clock, other } = await setUp(database)
    await count('MA-0001', 120)
    const limited = await change('limit', { limitOfCrimps: 100 }, { version: 1 })
    expect([limited.statusCode, limited.headers.etag]).toEqual([200, '"2"'])
    const unit = {
      miniaplicator: 'MA-0001',
      numberOfCrimps: 120,
      limitOfCrimps: 100,
      associatedTerminals: ['T1326030'],
      unsafeSince: null,
      previsao: expect.objectContaining({ estado: 'atingido' }),
      pecas: [],
    }
    expect(limited.json()).toEqual({ ...unit, ...none, lifetimeCrimps: 120, version: 2 })
    clock.advance(1000)
    const planned = await change('schedule', scheduled, { version: 2, who: other })
    expect(planned.json()).toEqual({ ...unit, ...scheduled, lifetimeCrimps: 120, version: 3 })
    await count('MA-0001', 30)
    clock.advance(1000)
    const reset = await change('reset', { newLimitOfCrimps: 200 }, { version: 3 })
    expect(reset.json()).toEqual({
      ...unit,
      ...none,
      numberOfCrimps: 0,
      limitOfCrimps: 200,
      lifetimeCrimps: 150,
      version: 4,
      previsao: expect.objectContaining({ estado: 'sem-previsao' }),
    })
    expect(await get('ma-0001')).toEqual(reset.json())
    const at = (ms: number) => new Date(clock.now() - ms).toISOString()
    const name = { miniaplicator: 'MA-0001' }
    const [maria, joao] = [{ changedBy: 'Maria Souza' }, { changedBy: 'João Lima' }]
    expect(await history()).toEqual([
      {
        id: 3,
        ...name,
        numberOfCrimps: 150,
        limitOfCrimps: 100,
        ...scheduled,
        change: 'reset',
        ...maria,
        updateDate: at(0),
        maintenanceRecord: null,
      },
      {
        id: 2,
        ...name,
        numberOfCrimps: 120,
        limitOfCrimps: 100,
        ...none,
        change: 'schedule',
        ...joao,
        updateDate: at(1000),
        maintenanceRecord: null,
      },
      {
        id: 1,
        ...name,
        numberOfCrimps: 120,
        limitOfCrimps: 100_000,
        ...none,
        change: 'limit',
        ...maria,
        updateDate: at(2000),
        maintenanceRecord: null,
      },
    ])
  })

  test('what was done in a maintenance is written down beside its change, and leaves as a file', async () => {
    const { ask, token, change, get, history, clock } = await setUp(database)
    const record = {
      serviceDone: 'Troca da faca;\nlimpeza',
      parts: '',
      safetyCondition: 'segura',
      responsible: 'João "Jota" Lima',
    }
    const planned = { ...record, parts: '1 faca', safetyCondition: 'insegura' }
    expect((await change('schedule', { ...scheduled, maintenanceRecord: planned })).statusCode).toBe(200)
    await change('limit', { limitOfCrimps: 7 })
    expect((await change('reset', { newLimitOfCrimps: 5, maintenanceRecord: record })).statusCode).toBe(200)
    await change('reset', { limitOfCrimps: 6, ...none, serviceOrder: 99, maintenanceRecord: record })
    const records = (await history()).map(({ change: what, maintenanceRecord }) => [what, maintenanceRecord])
    expect(records).toEqual([
      ['reset', record],
      ['reset', record],
      ['limit', null],
      ['schedule', planned],
    ])
    const file = await ask(token, { url: '/api/crimpagens/maintenance-records/export-csv' })
    const day = plantDay(clock.now(), 'America/Sao_Paulo')
    expect(file.headers['content-disposition']).toBe(`attachment; filename="registros_manutencao_nr12_${day}.csv"`)
    const at = momentTextOf('America/Sao_Paulo')(new Date(clock.now()).toISOString())
    const done = '"Troca da faca, limpeza";;Segura para uso;"João ""Jota"" Lima";0;"Maria Souza";;'
    expect(file.body.trimEnd().split('\r\n').slice(1)).toEqual([
      `"=""MA-0001""";${at};Agendamento;4711;01/12/2026;${done.replace(';;Segura para uso', ';"1 faca";Insegura: fora de uso')}`,
      `"=""MA-0001""";${at};Contador zerado;4711;01/12/2026;${done}`,
      `"=""MA-0001""";${at};Contador zerado;99;;${done}`,
    ])
    const { version } = await get()
    for (const wrong of [
      { ...record, serviceDone: '' },
      { ...record, responsible: '' },
      { ...record, safetyCondition: 'boa' },
      { ...record, parts: 'x'.repeat(501) },
    ]) {
      expect(codeOf(await change('reset', { newLimitOfCrimps: 5, maintenanceRecord: wrong }))).toEqual([
        400,
        'input_invalid',
      ])
    }
    expect((await get()).version).toBe(version)
  })

  test('a change of what somebody else has changed meanwhile is refused and leaves no trace', async () => {
    const { change, get, history, count } = await setUp(database)
    expect((await change('limit', { limitOfCrimps: 100 }, { version: 1 })).statusCode).toBe(200)
    // crimps are no change of a person
    await count('MA-0001', 5)
    const stale = { version: 1 }
    for (const answer of [
      await change('limit', { limitOfCrimps: 1 }, stale),
      await change('schedule', scheduled, stale),
      await change('reset', { newLimitOfCrimps: 1 }, stale),
    ]) {
      expect(codeOf(answer)).toEqual([409, 'changed_meanwhile'])
    }
    expect(await get()).toMatchObject({ limitOfCrimps: 100, numberOfCrimps: 5, version: 2, ...none })
    expect(await history()).toHaveLength(1)
    expect((await change('limit', { limitOfCrimps: 7 }, { version: 2 })).statusCode).toBe(200)
    expect((await change('limit', { limitOfCrimps: 8 })).statusCode).toBe(200)
  })

  test('of twenty who change one version at once one is heard', async () => {
    const { change, get, history } = await setUp(database)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => change('limit', { limitOfCrimps: n + 1 }, { version: 1 })),
    )
    const heard = answers.filter(({ statusCode }) => statusCode === 200)
    expect([heard.length, answers.filter(({ statusCode }) => statusCode === 409).length]).toEqual([1, 19])
    expect([await get(), await history()]).toEqual([
      heard[0]?.json(),
      [expect.objectContaining({ limitOfCrimps: 100_000 })],
    ])
  })

  test('a unit needs maintenance from its limit on, until it is reset or may crimp more', async () => {
    const { change, count, list, ask, token } = await setUp(database)
    const names = async () => (await list()).maintenancePreSchedule.map(({ miniaplicator }) => miniaplicator)
    await count('MA-0001', 99)
    await change('limit', { limitOfCrimps: 100 })
    expect(await names()).toEqual([])
    await count('MA-0001', 1)
    expect(await names()).toEqual(['MA-0001'])
    await change('schedule', scheduled)
    expect(await names()).toEqual(['MA-0001'])
    const pending = await ask(token, { url: '/api/crimpagens/maintenance-pending' })
    expect(pending.json()).toEqual((await list()).maintenancePreSchedule)
    const counted = await ask(token, { url: '/api/crimpagens/maintenance-pending/count' })
    expect(counted.json()).toEqual({ count: 1, totalCount: 1 })
    for (const limitOfCrimps of [101, -1]) {
      await change('limit', { limitOfCrimps })
      expect(await names(), String(limitOfCrimps)).toEqual([])
      await change('limit', { limitOfCrimps: 100 })
      expect(await names()).toEqual(['MA-0001'])
    }
    await change('reset', { newLimitOfCrimps: 100 })
    expect(await names()).toEqual([])
  })

  test('units are those that a pair names or that have crimped, in the order of people, filtered by their name', async () => {
    const { db, clock, list, record, token, ask } = await setUp(database)
    await db.transaction(async (tx) => {
      for (const name of ['MA-10', 'MA-2', 'Ímã 1', 'ímã 10', 'ímã 9']) {
        await insertApplicator(tx, { terminal: 'T1', miniaplicator: name, at: clock.now() })
      }
      await insertApplicator(tx, { terminal: 'T0', miniaplicator: 'ma-2', at: clock.now() })
    })
    await ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    expect((await record(token, crimpOf(3, 'Emprestado'))).statusCode).toBe(201)
    expect((await record(token, crimpOf(3, 'Sem Cadastro'))).statusCode).toBe(201)
    expect((await record(token, crimpOf(3, ' SEM cadastro'))).statusCode).toBe(201)
    const all = await list()
    const names = all.controlTable.map(({ miniaplicator }) => miniaplicator)
    expect(names).toEqual(['Emprestado', 'Ímã 1', 'ímã 9', 'ímã 10', 'MA-0001', 'MA-2', 'MA-10'])
    expect(all.controlTable.find(({ miniaplicator }) => miniaplicator === 'MA-2')?.associatedTerminals).toEqual([
      'T0',
      'T1',
    ])
    expect(all).toMatchObject({ controlTableCount: 7, maintenancePreScheduleCount: 0, totalCount: 7 })
    const filtered = await list('  ÍMÃ 1 ')
    expect(filtered.controlTable.map(({ miniaplicator }) => miniaplicator)).toEqual(['Ímã 1', 'ímã 10'])
    expect(filtered).toMatchObject({ controlTableCount: 2, totalCount: 7 })
    expect((await list('%')).controlTable).toEqual([])
  })

  test('nothing is lost when a tool is reset while it crimps', async () => {
    const { change, count, get, history, db } = await setUp(database)
    await Promise.all([
      ...Array.from({ length: 60 }, () => count('MA-0001', 3)),
      ...Array.from({ length: 12 }, () => change('reset', { newLimitOfCrimps: 100 })),
      ...Array.from({ length: 6 }, () => change('schedule', scheduled)),
    ])
    expect(await listCounterDeviations(db.read)).toEqual([])
    const unit = await get()
    const ended = (await history()).filter((entry) => entry.change === 'reset')
    const counted = ended.reduce((sum, { numberOfCrimps }) => sum + numberOfCrimps, unit.numberOfCrimps)
    expect([counted, unit.lifetimeCrimps, ended.length, unit.version]).toEqual([180, 180, 12, 19])
  })
})

describe('crimp counters', () => {
  test('both bodies of a reset are taken, and what the longer one says goes into the history', async () => {
    const { change, get, history } = await setUp('sqlite')
    await change('schedule', scheduled)
    const done = { serviceOrder: 4712, maintenanceDate: '2026-11-20', comments: 'Faca trocada' }
    expect((await change('reset', { limitOfCrimps: -1, ...done })).statusCode).toBe(200)
    expect(await get()).toMatchObject({ limitOfCrimps: -1, ...none })
    await change('schedule', scheduled)
    // what it leaves open is as it was scheduled
    await change('reset', { limitOfCrimps: 5, ...none, comments: 'Só limpeza' })
    const resets = (await history()).filter((entry) => entry.change === 'reset')
    expect(resets).toMatchObject([{ ...scheduled, comments: 'Só limpeza', limitOfCrimps: -1 }, done])
    const wrong = await change('reset', { limitOfCrimps: 5, ...none, serviceOrder: 0 })
    expect(wrong.json<ErrorReply>().details).toEqual([{ field: 'serviceOrder', message: 'Valor abaixo do mínimo (1)' }])
    expect(codeOf(await change('reset', { limitOfCrimps: 0, ...none }))).toEqual([400, 'input_invalid'])
    expect(codeOf(await change('reset', {}))).toEqual([400, 'input_invalid'])
  })

  test('what makes no sense is refused', async () => {
    const { change, clock, get, history } = await setUp('sqlite')
    expect(codeOf(await change('limit', { limitOfCrimps: 5 }, { path: 'MA-9' }))).toEqual([404, 'not_found'])
    const wrongUnit = await change('limit', { miniaplicator: 'MA-0002', limitOfCrimps: 5 })
    expect(wrongUnit.json<ErrorReply>().details).toEqual([
      { field: 'miniaplicator', message: 'Não é o mini aplicador do endereço' },
    ])
    for (const limitOfCrimps of [0, -2, 1.5, 1e12]) {
      expect(codeOf(await change('limit', { limitOfCrimps })), String(limitOfCrimps)).toEqual([400, 'input_invalid'])
    }
    const yesterday = await change('schedule', { ...scheduled, maintenanceDate: '2026-11-20' })
    expect(codeOf(yesterday)).toEqual([400, 'maintenance_in_past'])
    expect(await history()).toEqual([])
    // 22:30 at the plant is the next day in UTC, and still today here
    clock.advance(10.5 * 3_600_000)
    expect((await change('schedule', { ...scheduled, maintenanceDate: '2026-11-21' })).statusCode).toBe(200)
    expect((await change('limit', { miniaplicator: ' ma-0001 ', limitOfCrimps: 5 })).statusCode).toBe(200)
    expect(await get()).toMatchObject({ limitOfCrimps: 5, maintenanceDate: '2026-11-21', version: 3 })
  })

  test('the cookie alone is enough, from our own page; a stranger gets nothing', async () => {
    const panel = await setUp('sqlite')
    const browser = browserOf(panel)
    const { cookie } = pairOf(await browser.login('maria'))
    const cookies = { cookie: `__Host-sid=${cookie}` }
    const own = { ...cookies, 'sec-fetch-site': 'same-origin' }
    for (const url of ['/api/crimpagens', '/api/crimpagens/history', '/api/crimpagens/export-csv']) {
      expect((await panel.app.inject({ url, headers: own })).statusCode, url).toBe(200)
      expect((await panel.app.inject({ url })).statusCode, url).toBe(401)
      const elsewhere = await panel.app.inject({ url, headers: { ...cookies, 'sec-fetch-site': 'cross-site' } })
      expect(elsewhere.statusCode, url).toBe(401)
    }
    const payload = { miniaplicator: 'MA-0001', limitOfCrimps: 9 }
    const request = { method: 'PUT' as const, url: '/api/crimpagens/MA-0001/limit', payload }
    expect((await panel.app.inject({ ...request, headers: own })).statusCode).toBe(200)
    expect((await panel.app.inject(request)).statusCode).toBe(401)
    expect((await panel.history()).map(({ changedBy }) => changedBy)).toEqual(['Maria Souza'])
  })

  test('the file of what waits for maintenance is named by its day and follows the filter', async () => {
    const { change, count, ask, token, clock } = await setUp('sqlite')
    await count('MA-0001', 10)
    await change('limit', { limitOfCrimps: 10 })
    await change('schedule', { ...scheduled, comments: '=1+1; "faca"\nnova' })
    clock.advance(10.5 * 3_600_000)
    const answer = await ask(token, { url: '/api/crimpagens/export-csv?filter=ma-' })
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toBe('attachment; filename="aguardando_agendamento_2026-11-21.csv"')
    const head =
      '\uFEFFMini Aplicador;Qtd. Crimpagem;Limite Crimpagens;Ordem de Serviço;Data de Manutenção;Comentários\r\n'
    expect(answer.rawPayload.toString('utf8')).toBe(
      `${head}"=""MA-0001""";10;10;4711;01/12/2026;"'=1+1, ""faca"" nova"\r\n`,
    )
    expect((await ask(token, { url: '/api/crimpagens/export-csv?filter=zz' })).body).toBe(head)
  })
})
