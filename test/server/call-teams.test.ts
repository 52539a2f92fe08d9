import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type CallCause, callTopics, type MaintenanceCallForm } from '../../src/contract/maintenance-calls.ts'
import { type CallTeam, callTeams, type Role, roles } from '../../src/contract/values.ts'
import { causesOf } from '../../src/domain/tools/maintenance-calls.ts'
import { saveReport } from '../../src/server/store/alarms.ts'
import { setUpCalling as setUp } from '../support/calling.ts'
import { addUser, crimpOf } from '../support/harness.ts'

/** What a page sends to call a team. */
const to = (equipe: CallTeam, more: Partial<MaintenanceCallForm> = {}): Partial<MaintenanceCallForm> =>
  equipe === 'manutencao' ? more : { equipe, assunto: callTopics[equipe][0], sintoma: 'outro', ...more }

const answering: Record<CallTeam, readonly Role[]> = {
  manutencao: ['operador', 'manutencao', 'qualidade', 'lider', 'admin'],
  qualidade: ['qualidade', 'admin'],
  material: ['operador', 'manutencao', 'qualidade', 'lider', 'admin'],
  lider: ['lider', 'admin'],
}

describe('a call of a team', () => {
  test('is attended to, resolved and cancelled by who may answer that team, and by nobody else', async () => {
    const panel = await setUp()
    const tokens: [Role, string][] = []
    for (const role of roles) {
      await addUser(panel.context, { username: `de-${role}`, role })
      tokens.push([role, (await panel.login(`de-${role}`)).token])
    }
    for (const team of callTeams) {
      for (const [role, who] of tokens) {
        const expected = answering[team].includes(role) ? 200 : 403
        const what = `${role} of a call of ${team}`
        const opened = async () => (await panel.open(to(team, { maquina: randomUUID() }))).chamado
        const [causa] = causesOf({ equipe: team, sintoma: 'outro' })
        const attended = await opened()
        expect((await panel.change(attended, 'atendimento', undefined, { who })).http, what).toBe(expected)
        expect((await panel.change(attended, 'solucao', { causa }, { who })).http, what).toBe(expected)
        const cancelled = await opened()
        expect((await panel.change(cancelled, 'cancelamento', { motivo: 'Não' }, { who })).http, what).toBe(expected)
        panel.clock.advance(10_000)
      }
    }
  })

  test('takes in what is about the same for the same team, with the act of each press', async () => {
    const { open, db } = await setUp()
    const [first, second] = [randomUUID(), randomUUID()]
    const numberOf = async (more: Partial<MaintenanceCallForm>) => (await open(more)).numero
    expect(await numberOf({ sintoma: 'outro' })).toBe(1)
    expect(await numberOf(to('qualidade', { medicao: first }))).toBe(2)
    expect(await numberOf(to('qualidade', { medicao: second.toUpperCase() })), 'the same').toBe(2)
    expect(await numberOf(to('qualidade', { assunto: 'outro' }))).toBe(3)
    expect(await numberOf(to('material', { assunto: 'outro' }))).toBe(4)
    expect(await numberOf({ sintoma: 'outro' }), 'maintenance again').toBe(1)
    const calls = await db.read
      .selectFrom('maintenance_calls')
      .select(['team', 'act_id'])
      .orderBy('call_number')
      .execute()
    expect(calls.map(({ team, act_id: act }) => [team, act])).toEqual([
      ['manutencao', null],
      ['qualidade', first],
      ['qualidade', null],
      ['material', null],
    ])
    const joins = await db.read.selectFrom('maintenance_call_joins').select('act_id').execute()
    expect(joins.map(({ act_id: act }) => act).toSorted()).toEqual([second, null].toSorted())
  })

  test('is listed, counted and exported with its team; who names none is told of maintenance alone', async () => {
    const { open, list, ask, token, change, solved, clock } = await setUp()
    await change((await open({ nota: 'alto' })).chamado, 'solucao', solved)
    clock.advance(60_000)
    await open(to('qualidade'))
    await open(to('material'))
    const numbers = async (query: Record<string, string>) => {
      const { chamados, totais } = await list(query)
      return [chamados.map(({ numero }) => numero), totais.chamados]
    }
    expect(await numbers({}), 'an older page').toEqual([[1], 1])
    expect(await numbers({ equipe: 'qualidade' })).toEqual([[2], 1])
    expect(await numbers({ equipe: 'lider' })).toEqual([[], 0])
    expect(await numbers({ equipe: 'todas' })).toEqual([[2, 3, 1], 3])
    const file = (await ask(token, { url: '/api/chamados/csv?filial=010101&equipe=todas' })).body
    const [head = '', ...lines] = file.trimEnd().split('\r\n')
    expect(head.split(';').slice(-2)).toEqual(['Equipe', 'Assunto'])
    expect(lines.map((line) => line.split(';').slice(-2).join(' '))).toEqual([
      'Manutenção ',
      'Qualidade Medição fora',
      'Material Terminal acabando',
    ])
    expect((await ask(token, { url: '/api/chamados/csv?filial=010101' })).body.trimEnd().split('\r\n')).toHaveLength(2)
  })

  test('is resolved with a cause of its team; parts, records and when a tool was maintained are of maintenance', async () => {
    const { open, change, record, token, maintainedAt, audited, admin } = await setUp()
    await record(token, crimpOf(1))
    const { chamado } = await open(to('qualidade'))
    const resolve = (body: { causa: CallCause } & Record<string, unknown>) =>
      change(chamado, 'solucao', body, { who: admin })
    const ofMaintenance = [{ field: 'causa', message: 'Não é de Qualidade' }]
    expect((await resolve({ causa: 'bigorna-gasta' })).details).toEqual(ofMaintenance)
    const maintenanceRecord = { serviceDone: 'x', parts: '', safetyCondition: 'segura', responsible: 'Ana Lima' }
    expect((await resolve({ causa: 'medicao-refeita', maintenanceRecord })).http).toBe(400)
    const part = { id: 1, code: '1', limitOfCrimps: 1, usedBefore: 0, reason: 'gasta' }
    expect((await resolve({ causa: 'medicao-refeita', replacedParts: [part] })).http).toBe(400)
    expect((await resolve({ causa: 'medicao-refeita' })).http).toBe(200)
    expect(await maintainedAt()).toBe(null)
    const other = (await open({ sintoma: 'outro' })).chamado
    expect((await change(other, 'solucao', { causa: 'entregue' })).http).toBe(400)
    const [line] = await audited()
    expect(JSON.parse(line?.details_json ?? '')).toMatchObject({ callTeam: 'Qualidade' })
  })
})

describe('who is called here', () => {
  test('is chosen by an administrator, maintenance always, and the trail says it', async () => {
    const { ask, admin, token, db } = await setUp()
    const chosen = async () => (await ask(token, { url: '/api/configuracao' })).json().callTeams
    const choose = async (teams: string[], who = admin) =>
      (await ask(who, { method: 'PUT', url: '/api/configuracao', payload: { callTeams: teams } })).statusCode
    expect(await chosen()).toEqual(['manutencao', 'qualidade'])
    expect(await choose(['lider', 'material'])).toBe(200)
    expect(await chosen()).toEqual(['manutencao', 'material', 'lider'])
    expect(await choose(['material', 'lider', 'manutencao']), 'the same again').toBe(200)
    expect([await choose(['ti']), await choose(['lider'], token)]).toEqual([400, 403])
    const lines = await db.read.selectFrom('audit_entries').select('details_json').execute()
    expect(lines.map((line) => JSON.parse(line.details_json))).toEqual([
      { was: { callTeams: ['manutencao', 'qualidade'] }, is: { callTeams: ['manutencao', 'material', 'lider'] } },
    ])
  })

  test('is maintenance alone as long as a server of the version before works on this database too', async () => {
    const { ask, token, db, clock, context } = await setUp()
    const known = async () => (await ask(token, { url: '/api/configuracao' })).json().callTeams !== undefined
    expect(await known()).toBe(true)
    const { knowsCallTeams, ...before } = await context.serverWatch.read()
    const other = { ...before, server: 'outro:3000' }
    await db.transaction((tx) => saveReport(tx, other))
    expect([knowsCallTeams, await known()]).toEqual([true, false])
    await db.transaction((tx) => saveReport(tx, { ...other, knowsCallTeams: true }))
    expect(await known()).toBe(true)
    await db.transaction((tx) => saveReport(tx, other))
    clock.advance(3 * 60_000 + 1)
    expect(await known(), 'it has stopped').toBe(true)
  })
})
