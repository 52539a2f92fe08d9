import { describe, expect, test } from 'vitest'
import { type AuditEntry, auditGroups } from '../../src/contract/audit-entries.ts'
import type { Settings } from '../../src/contract/settings.ts'
import type { Trace } from '../../src/contract/traces.ts'
import { auditDetailsText } from '../../src/domain/people/audit-entries.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { insertAuditEntry } from '../../src/server/store/audit-entries.ts'
import { addUser, crimpOf, type Database, databases, NOON_MS, ORDER, openTestPanel } from '../support/harness.ts'
import { listFiles, readText } from '../support/tidy/source.ts'

async function setUp(database: Database) {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'ana', role: 'admin' })
  await addUser(panel.context, { username: 'maria' })
  const [{ token: admin }, { token: operator }] = [await panel.login('ana'), await panel.login('maria')]
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, token = admin) => {
    const answer = await panel.ask(token, { method, url: `/api/${url}`, ...(payload ? { payload } : {}) })
    expect(answer.statusCode, `${url} ${answer.body}`).toBeLessThan(300)
    return answer
  }
  const trail = async (query = '') => (await ask('GET', `auditoria${query}`)).json<AuditEntry[]>()
  return { ...panel, admin, operator, as: ask, trail }
}

test('quality reads what was done to plans and samples, and no other group', async () => {
  const { context, login, ask, admin } = await setUp('sqlite')
  await addUser(context, { username: 'rita', role: 'qualidade' })
  const { token } = await login('rita')
  const statusOf = async (query: string, who = token) =>
    await Promise.all(
      ['', '/csv'].map(async (what) => (await ask(who, { url: `/api/auditoria${what}${query}` })).statusCode),
    )
  expect(await statusOf('?tipo=qualidade')).toEqual([200, 200])
  for (const query of [
    '',
    ...Object.keys(auditGroups).flatMap((one) => (one === 'qualidade' ? [] : [`?tipo=${one}`])),
  ]) {
    expect([query, await statusOf(query), await statusOf(query, admin)]).toEqual([query, [403, 403], [200, 200]])
  }
})

describe.each(databases)('the audit trail on %s', (database) => {
  test('a force below the minimum is told with its reason in trail, trace, file and sheet, and never to the ERP', async () => {
    const { as, trail, record, operator, simulator } = await setUp(database)
    const motivoForaDoLimite = { motivo: 'outro', texto: 'fio fino' } as const
    const payload = { ...crimpOf(10), FORCA_LD1: 60, captura: { medidoForca: true, motivoForaDoLimite } }
    expect((await record(operator, payload)).statusCode).toBe(201)
    expect(JSON.stringify(simulator.state.writes)).not.toContain('fio fino')
    const [entry, ...others] = await trail('?tipo=qualidade')
    expect(others).toEqual([])
    expect(entry).toMatchObject({ action: 'recorded_below_limit', userName: 'maria', reason: 'Outro motivo: fio fino' })
    expect(auditDetailsText(entry?.details ?? '')).toContain('Força: 60')
    const of = `termo=${encodeURIComponent(payload.LOTE_TERM_LD1 ?? '')}&tipo=lote`
    const { linhas } = (await as('GET', `rastreabilidade?${of}`)).json<Trace>()
    expect(linhas.map((line) => line.motivoForaDoLimite)).toEqual(['Outro motivo: fio fino'])
    for (const file of ['csv', 'folha']) {
      expect((await as('GET', `rastreabilidade/${file}?${of}`)).body).toContain('Outro motivo: fio fino')
    }
  })

  test('kind, period and text narrow what is read, and the file holds what they leave', async () => {
    const { as, trail, db, clock } = await setUp(database)
    await db.transaction(async (tx) => {
      for (let n = 0; n < 1100; n++) {
        await insertAuditEntry(tx, {
          at: clock.now() + n * 1000,
          userId: 1,
          userName: 'ana',
          action: n % 2 === 0 ? 'discarded' : 'exported',
          subject: { kind: 'recording', id: `r${n}.` },
          reason: n === 3 ? 'Em DOBRO' : null,
          details: {},
        })
      }
    })
    const ids = async (query: string) => (await trail(query)).map(({ subject }) => subject.id)
    expect(await trail()).toHaveLength(500)
    expect((await ids('?tipo=pendencias'))[0]).toBe('r1098.')
    expect(await ids('?texto=em%20dobro')).toEqual(['r3.'])
    expect(await ids('?texto=R2.&tipo=exportacoes')).toEqual([])
    const from = new Date(clock.now() + 1000).toISOString()
    const to = new Date(clock.now() + 2000).toISOString()
    expect(await ids(`?inicio=${from}&fim=${to}`)).toEqual(['r2.', 'r1.'])
    const { body } = await as('GET', 'auditoria/csv?tipo=pendencias')
    expect(body.split('\r\n')).toHaveLength(550 + 2)
    expect(body).toContain('"Apontamento descartado";"Apontamento r0.";')
  })
})

describe('the audit trail', () => {
  test('says who changed limits, maintenances, counters and settings, and who took files along', async () => {
    const { as, trail, operator, db } = await setUp('sqlite')
    const unit = { miniaplicator: 'MA-0001' }
    await db.transaction((tx) => insertApplicator(tx, { terminal: 'T1', ...unit, at: NOON_MS }))
    await as('PUT', 'crimpagens/ma-0001/limit', { ...unit, limitOfCrimps: -1 }, operator)
    const maintenance = { serviceOrder: 4711, maintenanceDate: '2026-12-01', comments: 'faca' }
    await as('PUT', 'crimpagens/MA-0001/schedule', { ...unit, ...maintenance })
    await as('POST', 'crimpagens/MA-0001/reset', { ...unit, newLimitOfCrimps: 5 })
    await as('GET', 'crimpagens/export-csv')
    await as('GET', `rastreabilidade/csv?termo=${ORDER}&tipo=ordem`, undefined, operator)
    await as('PUT', 'configuracao', { plants: [{ code: '020101', label: 'Filial Sul' }], limitWarningPercent: 75 })
    await as('GET', 'auditoria/csv?tipo=exportacoes')
    const counter = { numberOfCrimps: 0, serviceOrder: null, maintenanceDate: null, comments: null }
    const entries = (await trail()).map(({ userName, action, details }) => [userName, action, JSON.parse(details)])
    const limit = { ...counter, limitOfCrimps: -1 }
    expect(entries.toReversed()).toEqual([
      ['maria', 'limit_changed', { name: 'MA-0001', was: { ...counter, limitOfCrimps: 100_000 }, is: limit }],
      ['ana', 'maintenance_scheduled', { name: 'MA-0001', was: limit, is: { ...limit, ...maintenance } }],
      [
        'ana',
        'counter_reset',
        { name: 'MA-0001', was: { ...limit, ...maintenance }, is: { ...counter, limitOfCrimps: 5 } },
      ],
      ['ana', 'exported', { name: 'aguardando_agendamento_2026-11-21.csv' }],
      ['maria', 'exported', { name: `rastreabilidade_ordem_${ORDER}_2026-11-21.csv` }],
      ['ana', 'settings_changed', { name: 'Filial 020101', was: { label: 'Unidade 2' }, is: { label: 'Filial Sul' } }],
      ['ana', 'settings_changed', { was: { limitWarningPercent: 80 }, is: { limitWarningPercent: 75 } }],
      ['ana', 'exported', { name: 'auditoria_2026-11-21.csv' }],
    ])
  })

  test('what a page says that it made is one of a few kinds, counted by the minute, and read where it is asked for', async () => {
    const { as, ask, trail, operator, clock } = await setUp('sqlite')
    const note = { method: 'POST', url: '/api/auditoria/exportacoes', payload: { tipo: 'apagou tudo' } } as const
    expect((await ask(operator, note)).json().code).toBe('input_invalid')
    const take = (tipo: string) => as('POST', 'auditoria/exportacoes', { tipo }, operator)
    for (let n = 0; n < 20; n++) await take('grafico_crimpagens')
    await take('log_servidor')
    clock.advance(60_000)
    await take('grafico_crimpagens')
    expect(await trail()).toEqual([])
    expect((await as('GET', 'auditoria/csv')).body).not.toContain('Gráfico')
    const entries = (await trail('?tipo=exportacoes_tela')).map(({ userName, action, subject, details }) => {
      expect([userName, action, subject.kind]).toEqual(['maria', 'page_exported', 'file'])
      return [subject.id, JSON.parse(details).exports ?? 1]
    })
    const chart = (count: number) => ['grafico_crimpagens', count]
    expect(entries.toReversed()).toEqual([...[1, 2, 4, 8, 16].map(chart), ['log_servidor', 1], chart(1)])
  })

  test('labels win over the configuration at once, and only what is known and distinct is taken', async () => {
    const { as, ask, admin, trail } = await setUp('sqlite')
    const refusalOf = async (payload: object) =>
      (await ask(admin, { method: 'PUT', url: '/api/configuracao', payload })).json().code
    expect(await refusalOf({ plants: [{ code: '999999', label: 'Outra' }] })).toBe('unknown_plant')
    expect(await refusalOf({ plants: [{ code: '010101', label: ' unidade 2' }] })).toBe('plant_labels_alike')
    expect(await refusalOf({ limitWarningPercent: 101 })).toBe('input_invalid')
    await as('PUT', 'configuracao', { plants: [{ code: '010101', label: ' Matriz ' }] })
    await as('PUT', 'configuracao', { plants: [{ code: '010101', label: 'Matriz' }], limitWarningPercent: 80 })
    const { plants, limitWarningPercent } = (await as('GET', 'configuracao')).json<Settings>()
    expect([plants.map(({ label }) => label), limitWarningPercent]).toEqual([['Matriz', 'Unidade 2'], 80])
    expect(await trail()).toHaveLength(1)
  })
})

test('nothing in the program changes or removes a line of the trail', () => {
  const writing = listFiles()
    .filter((path) => /^src\/server\/.*(?<!\.test)\.ts$/.test(path))
    .flatMap((path) =>
      [...readText(path).matchAll(/(\w+)\(\s*['"`]audit_entries['"`]/g)].map(([, call]) => `${path} ${call}`),
    )
  const store = 'src/server/store/audit-entries.ts'
  expect(writing.filter((one) => !/(selectFrom|table|index)$/.test(one))).toEqual([`${store} insertInto`])
  const sql = /(update|delete\s+from|replace\s+into|drop\s+table|truncate(\s+table)?)\s+[`"]?audit_entries/i
  expect(listFiles().filter((path) => path.startsWith('src/server/') && sql.test(readText(path)))).toEqual([])
})
