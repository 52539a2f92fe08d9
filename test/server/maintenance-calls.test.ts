import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ToolParts } from '../../src/contract/wear-parts.ts'
import { personCsv } from '../../src/server/features/users.ts'
import { listChangesFrom } from '../../src/server/store/live-changes.ts'
import { acknowledgeCall, cancelCall, findCall } from '../../src/server/store/maintenance-calls.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { unnameOldOperators } from '../../src/server/upkeep/operator-retention.ts'
import { setUpCalling as setUp } from '../support/calling.ts'
import { crimpOf, databases, UNTOUCHED } from '../support/harness.ts'

const MINUTE_MS = 60_000

const codeOf = ({ http, code }: { http: number; code?: string | undefined }) => [http, code]

describe.each(databases)('calls for maintenance on %s', (database) => {
  test('a press opens a call with a number, and the same press again is the same call', async () => {
    const { open, list, db } = await setUp({ database })
    const id = randomUUID()
    const first = await open({}, id)
    expect(first).toMatchObject({
      http: 201,
      message: 'Chamado 1 aberto.',
      status: 'enviado',
      numero: 1,
      juntado: false,
    })
    expect(first.chamado).toMatchObject({
      id,
      maquina: 'PR0001 - Schäfer',
      situacao: 'aberto',
      abertoPor: 'Maria Souza',
    })
    expect(await open({}, id)).toEqual(first)
    expect(codeOf(await open({ sintoma: 'outro' }, id))).toEqual([409, 'idempotency_key_reused'])
    expect((await list()).chamados).toEqual([first.chamado])
    const noted = (await listChangesFrom(db.read, 0)).flatMap(({ changes }) => changes)
    expect(noted, 'every other page hears of it').toContainEqual({ topic: 'calls', key: id })
    expect((await open({ filial: '020101' })).numero, 'each plant counts for itself').toBe(1)
    expect((await open({ sintoma: 'outro' })).numero).toBe(2)
  })

  test('the same symptom of the same tool on the same machine joins the open call for five minutes', async () => {
    const { open, list, clock } = await setUp({ database })
    const { chamado } = await open()
    clock.advance(5 * MINUTE_MS)
    const id = randomUUID()
    const joined = await open({ maquina: 'pr0001', nota: 'ainda' }, id)
    expect(joined).toMatchObject({ http: 200, message: 'Já há um chamado: 1.', numero: 1, juntado: true })
    expect(joined.chamado).toEqual({ ...chamado, juntados: 1 })
    expect(await open({ maquina: 'pr0001', nota: 'ainda' }, id), 'its answer was lost').toEqual(joined)
    expect(codeOf(await open({ maquina: 'pr0001' }, id))).toEqual([409, 'idempotency_key_reused'])
    const others = [
      await open({ sintoma: 'selo-falha' }),
      await open({ miniaplicador: 'MA-0002' }),
      await open({ maquina: 'PR0002 - Schäfer' }),
    ]
    expect(others.map(({ juntado }) => juntado)).toEqual([false, false, false])
    clock.advance(1)
    expect((await open()).numero, 'the first is too long ago').toBe(5)
    expect((await list()).chamados.map(({ numero, juntados }) => [numero, juntados])).toEqual([
      [1, 1],
      [2, 0],
      [3, 0],
      [4, 0],
      [5, 0],
    ])
  })

  test('presses of many tablets at one instant are one call with one number', async () => {
    const { open, list, admin } = await setUp({ database })
    const id = randomUUID()
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => open({}, id)),
      ...Array.from({ length: 4 }, () => open({}, randomUUID(), admin)),
    ])
    expect(new Set(answers.map(({ numero }) => numero))).toEqual(new Set([1]))
    const { chamados } = await list()
    expect(chamados).toHaveLength(1)
    // the eight are five acts
    expect(chamados[0]?.juntados).toBe(4)
    const different = await Promise.all(
      Array.from({ length: 8 }, (_, at) => open({ maquina: `PR01${at}`, sintoma: 'outro' })),
    )
    expect(different.map(({ numero }) => numero).toSorted()).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('is attended to by one, and resolved with what was found', async () => {
    const { open, change, solved, clock, list, record, ask, ...panel } = await setUp({ database })
    const { token, technician, admin, maintainedAt, audited } = panel
    await record(token, crimpOf(1))
    expect(await maintainedAt()).toBe(null)
    const { chamado } = await open()
    clock.advance(4 * MINUTE_MS)
    const attended = await change(chamado, 'atendimento', undefined, { version: chamado.version })
    expect(attended).toMatchObject({ http: 200, situacao: 'atendido', atendidoPor: 'Carlos Reis', version: 2 })
    expect(await change(chamado, 'atendimento', undefined, { version: chamado.version }), 'tapped twice').toEqual(
      attended,
    )
    expect(codeOf(await change(chamado, 'atendimento', undefined, { who: admin }))).toEqual([409, 'changed_meanwhile'])
    expect(codeOf(await change(chamado, 'solucao', solved, { who: admin, version: 1 }))).toEqual([
      409,
      'changed_meanwhile',
    ])
    await open()
    clock.advance(27 * MINUTE_MS)
    const done = await change(chamado, 'solucao', solved, { version: 2 })
    expect(done).toMatchObject({
      http: 200,
      situacao: 'resolvido',
      encerradoPor: 'Carlos Reis',
      juntados: 1,
      version: 3,
    })
    expect(await maintainedAt()).toBe(clock.now())
    for (const what of ['atendimento', 'solucao', 'cancelamento'] as const) {
      const body = { atendimento: undefined, solucao: solved, cancelamento: { motivo: 'x' } }[what]
      expect(await change(chamado, what, body, { who: technician })).toMatchObject({
        http: 409,
        code: 'call_settled',
        message: 'Este chamado já foi resolvido.',
      })
    }
    clock.advance(1)
    await ask(technician, {
      method: 'POST',
      url: '/api/crimpagens/MA-0001/reset',
      payload: { miniaplicator: 'MA-0001', newLimitOfCrimps: 9 },
    })
    expect(await maintainedAt(), 'a reset too').toBe(clock.now())
    expect((await open()).numero, 'a settled one takes nothing in').toBe(2)
    expect(await list()).toMatchObject({ totais: { chamados: 2, abertos: 1, mttaMin: 4, mttrMin: 27, paradoMin: 31 } })
    const [line, ...more] = await audited()
    expect(more).toEqual([])
    expect([line?.user_name, line?.action, line?.subject_id]).toEqual(['carlos', 'call_resolved', chamado.id])
    expect(JSON.parse(line?.details_json ?? '')).toMatchObject({
      name: '1',
      was: { callState: 'Em atendimento' },
      is: { callState: 'Resolvido', cause: 'Bigorna gasta', done: 'Bigorna trocada' },
    })
  })

  test('is resolved together with the parts of its tool that were changed, or not at all', async () => {
    const { open, change, solved, list, record, ask, token, technician, db, clock, maintainedAt } = await setUp({
      database,
    })
    await record(token, crimpOf(40))
    const url = '/api/ferramentas/MA-0001/pecas'
    const anvil = { kind: 'bigorna', code: '1-456', limitOfCrimps: 50_000, usedBefore: 10 }
    const cutter = { ...anvil, kind: 'cortador', code: '9-77' }
    await ask(technician, { method: 'POST', url, payload: { parts: [anvil, cutter] } })
    const parts = async () => (await ask(token, { url })).json<ToolParts>()
    const [first, second] = (await parts()).mounted
    const young = (id = 0) => ({ id, code: '1-457', limitOfCrimps: 60_000, usedBefore: 0, reason: 'gasta' as const })
    const { chamado } = await open()
    const wrong = { ...solved, replacedParts: [young(first?.id), young(first?.id)] }
    expect(codeOf(await change(chamado, 'solucao', wrong))).toEqual([409, 'part_removed'])
    const elsewhere = (await open({ sintoma: 'maquina-parada', miniaplicador: undefined })).chamado
    const ofNone = { ...solved, replacedParts: [young(first?.id)] }
    expect(codeOf(await change(elsewhere, 'solucao', ofNone)), 'of no tool').toEqual([404, 'not_found'])
    expect((await list()).chamados.map(({ situacao }) => situacao)).toEqual(['aberto', 'aberto'])
    expect([(await parts()).removed, await maintainedAt()]).toEqual([[], null])

    const done = await change(chamado, 'solucao', { ...solved, replacedParts: [young(first?.id)] })
    expect(done.http, done.message).toBe(200)
    expect(await maintainedAt()).toBe(clock.now())
    const { mounted, removed } = await parts()
    expect(mounted.map(({ id, code, numberOfCrimps }) => [id === second?.id, code, numberOfCrimps])).toEqual([
      [true, '9-77', 10],
      [false, '1-457', 0],
    ])
    expect(removed).toMatchObject([{ code: '1-456', numberOfCrimps: 10, reason: 'gasta', chamado: chamado.numero }])
    expect((await list()).chamados.find(({ id }) => id === chamado.id)).toEqual(
      expect.objectContaining({ situacao: 'resolvido', trocadas: [{ kind: 'bigorna', code: '1-456' }] }),
    )
    const file = await ask(token, { url: '/api/chamados/csv?filial=010101' })
    expect(file.body).toContain(';"Bigorna 1-456";Manutenção;\r\n')
    const noted = (await listChangesFrom(db.read, 0)).at(-1)?.changes
    expect(noted?.map(({ topic }) => topic)).toEqual(['calls', 'wear-parts'])
  })

  test('of two who attend to it, or resolve it, at one instant one does', async () => {
    const { open, change, solved, technician, admin, audited, db } = await setUp({ database })
    const call = await findCall(db.read, (await open({ sintoma: 'outro' })).chamado.id)
    if (!call) throw new Error('the call is not there')
    const attend = (userId: number) =>
      db.transaction((tx) => acknowledgeCall(tx, { call, by: { userId, name: 'Carlos' }, at: 1 }))
    expect([await attend(2), await attend(3)], 'both have read it open').toEqual([true, false])
    const { chamado } = await open()
    const attended = await Promise.all(
      [technician, admin].map((who) => change(chamado, 'atendimento', undefined, { who })),
    )
    expect(attended.map(({ http }) => http).toSorted()).toEqual([200, 409])
    const done = await Promise.all([technician, admin].map((who) => change(chamado, 'solucao', solved, { who })))
    expect(done.map(({ http }) => http).toSorted()).toEqual([200, 409])
    expect(await audited()).toHaveLength(1)
  })

  test('is not cancelled by its author where somebody has called for the same meanwhile', async () => {
    const { open, change, token, admin, db } = await setUp({ database })
    const { chamado } = await open()
    const seen = await findCall(db.read, chamado.id)
    await open({}, randomUUID(), admin)
    if (!seen) throw new Error('the call is not there')
    const by = { userId: 1, name: 'Maria Souza' }
    expect(await db.transaction((tx) => cancelCall(tx, { call: seen, by, at: 1 }, null)), 'both at once').toBe(false)
    const undo = { motivo: 'Desfeito', juntados: 0 }
    expect(codeOf(await change(chamado, 'cancelamento', undo, { who: token }))).toEqual([409, 'changed_meanwhile'])
    expect((await change(chamado, 'cancelamento', { ...undo, juntados: 1 }, { who: token })).http).toBe(200)
  })

  test('names in old calls give way to marks, also of those that joined', async () => {
    const panel = await setUp({ database, env: { OPERATOR_RETENTION_MONTHS: '24' } })
    const { open, change, solved, clock, context, db, admin } = panel
    const { chamado } = await open()
    await open({}, randomUUID(), admin)
    await change(chamado, 'solucao', solved)
    const people = await listUsers(db.read)
    const filed = async (username: string) => {
      let file = ''
      const user = people.find((one) => one.username === username)
      if (user) for await (const rows of personCsv(db, user, () => 'agora')) file += rows
      return file.split('\r\n').filter((line) => line.includes('Chamado'))
    }
    expect(await filed('operador')).toEqual(['agora;Chamado 1: abriu;"=""PR0001 - Schäfer""";;'])
    expect(await filed('admin')).toEqual(['agora;Chamado 1: chamou também;"=""PR0001 - Schäfer""";;'])
    expect((await filed('carlos')).slice(0, 2)).toEqual([
      'agora;Chamado 1: atendeu;"=""PR0001 - Schäfer""";;',
      'agora;Chamado 1: encerrou;"=""PR0001 - Schäfer""";;',
    ])
    clock.advance(2 * 366 * 24 * 60 * MINUTE_MS)
    await open({ sintoma: 'outro' }, randomUUID(), (await panel.login('operador')).token)
    await unnameOldOperators(context)
    const rows = await db.read.selectFrom('maintenance_calls').selectAll().orderBy('call_number').execute()
    const joins = await db.read.selectFrom('maintenance_call_joins').selectAll().execute()
    expect(JSON.stringify([rows[0], joins])).not.toMatch(/Maria|Carlos|Ana/)
    expect(rows[0]).toMatchObject({ opened_by: expect.stringMatching(/^Operador \[/), opened_user_id: 0 })
    expect(rows[1]?.opened_by).toBe('Maria Souza')
  })
})

describe('a call', () => {
  test('is attended to and resolved by whoever the plant lets, and opened by all who record', async () => {
    const { open, change, solved, ask, admin, token } = await setUp()
    const { chamado } = await open()
    expect((await change(chamado, 'atendimento', undefined, { who: token })).http, 'nobody is denied yet').toBe(200)
    const roles = { limitRoles: ['manutencao'] }
    await ask(admin, { method: 'PUT', url: '/api/configuracao', payload: roles })
    expect(codeOf(await change(chamado, 'solucao', solved, { who: token }))).toEqual([403, 'not_allowed'])
    expect(
      codeOf(await change((await open({ sintoma: 'outro' })).chamado, 'atendimento', undefined, { who: token })),
    ).toEqual([403, 'not_allowed'])
    expect((await change(chamado, 'solucao', solved)).http).toBe(200)
  })

  test('resets the counter of its tool in the same commit, for whoever may, and the limit stays', async () => {
    const { open, change, solved, ask, admin, token, login, record } = await setUp()
    await record(token, crimpOf(30))
    const unit = async () => (await ask(admin, { url: '/api/crimpagens/MA-0001' })).json()
    const { version, limitOfCrimps, lifetimeCrimps } = await unit()
    const { chamado } = await open()
    const body = (zerarContador: number) => ({ ...solved, zerarContador })
    expect(codeOf(await change(chamado, 'solucao', body(version + 1)))).toEqual([409, 'changed_meanwhile'])
    await ask(admin, { method: 'PUT', url: '/api/configuracao', payload: { limitRoles: ['lider'] } })
    const { token: technician } = await login('carlos')
    expect(codeOf(await change(chamado, 'solucao', body(version), { who: technician }))).toEqual([403, 'not_allowed'])
    expect(await unit(), 'nothing was changed').toMatchObject({ numberOfCrimps: 30, version })
    expect((await change(chamado, 'solucao', body(version), { who: admin })).situacao).toBe('resolvido')
    expect(await unit()).toMatchObject({ numberOfCrimps: 0, limitOfCrimps, lifetimeCrimps, version: version + 1 })
    const history = (await ask(admin, { url: '/api/crimpagens/history' })).json()
    expect(history[0]).toMatchObject({
      miniaplicator: 'MA-0001',
      numberOfCrimps: 30,
      change: 'reset',
      changedBy: 'Ana Lima',
    })
    const { chamado: without } = await open({ miniaplicador: undefined, sintoma: 'outro' })
    expect(codeOf(await change(without, 'solucao', body(1), { who: admin }))).toEqual([404, 'not_found'])
  })

  test('is attended to at once by whoever resolves it without that', async () => {
    const { open, change, solved, clock } = await setUp()
    const { chamado } = await open()
    clock.advance(MINUTE_MS)
    const { atendidoEm, atendidoPor, encerradoEm } = await change(chamado, 'solucao', solved)
    expect([atendidoEm, atendidoPor]).toEqual([encerradoEm, 'Carlos Reis'])
  })

  test('is taken back by its author within 30 s, and else cancelled with a reason that the trail keeps', async () => {
    const { open, change, clock, token, technician, audited, ask, admin, list } = await setUp()
    const undone = await open()
    clock.advance(30_000)
    expect((await change(undone.chamado, 'cancelamento', {}, { who: technician })).details).toEqual([
      { field: 'motivo', message: 'Informe o motivo' },
    ])
    expect(await change(undone.chamado, 'cancelamento', {}, { who: token })).toMatchObject({
      http: 200,
      situacao: 'cancelado',
    })
    expect(await change(undone.chamado, 'atendimento')).toMatchObject({
      code: 'call_settled',
      message: 'Este chamado foi cancelado.',
    })
    const { chamado } = await open()
    expect(chamado.numero, 'a cancelled one takes nothing in').toBe(2)
    clock.advance(30_001)
    expect(codeOf(await change(chamado, 'cancelamento', {}, { who: token }))).toEqual([400, 'input_invalid'])
    await ask(admin, { method: 'PUT', url: '/api/configuracao', payload: { limitRoles: ['manutencao'] } })
    const other = await open({ sintoma: 'outro' }, randomUUID(), admin)
    expect(codeOf(await change(other.chamado, 'cancelamento', { motivo: 'x' }, { who: token }))).toEqual([
      403,
      'not_allowed',
    ])
    expect((await change(chamado, 'cancelamento', { motivo: 'Máquina errada' }, { who: token })).motivo).toBe(
      'Máquina errada',
    )
    expect((await audited()).map(({ action, reason }) => [action, reason])).toEqual([
      ['call_cancelled', null],
      ['call_cancelled', 'Máquina errada'],
    ])
    expect((await list()).totais).toMatchObject({ chamados: 1, abertos: 1 })
  })

  test('is listed while it is open, and settled by the day of its press', async () => {
    const { open, change, solved, clock, list, login } = await setUp()
    await change((await open()).chamado, 'solucao', solved)
    await open({ sintoma: 'outro' })
    clock.advance(24 * 60 * MINUTE_MS)
    const { token } = await login('operador')
    const { chamado } = await open({}, randomUUID(), token)
    await change(chamado, 'cancelamento', {}, { who: token })
    const numbers = async (query: Record<string, string> = {}) => {
      const { inicio, fim, chamados, totais } = await list(query, token)
      return [inicio, fim, chamados.map(({ numero }) => numero), totais.chamados]
    }
    expect(await numbers()).toEqual(['2026-11-22', '2026-11-22', [2, 3], 0])
    expect(await numbers({ inicio: '2026-11-21' })).toEqual(['2026-11-21', '2026-11-22', [2, 3, 1], 2])
    expect(await numbers({ fim: '2026-11-21' })).toEqual(['2026-11-21', '2026-11-21', [2, 1], 2])
    expect((await numbers({ inicio: '0000-01-01', fim: '9999-12-31' }))[3]).toBe(2)
  })

  test('with a maintenance record is in the file of the law, beside those of the counters', async () => {
    const { open, change, solved, ask, admin } = await setUp()
    const record = {
      serviceDone: 'Bigorna trocada',
      parts: '1 bigorna',
      safetyCondition: 'segura',
      responsible: 'Carlos Reis',
    }
    const { chamado } = await open()
    const done = await change(chamado, 'solucao', { ...solved, maintenanceRecord: record })
    expect(done.maintenanceRecord).toEqual(record)
    const file = await ask(admin, { url: '/api/crimpagens/maintenance-records/export-csv' })
    expect(file.body.trimEnd().split('\r\n').slice(1)).toEqual([
      expect.stringMatching(
        /^"=""MA-0001""";[^;]*;Chamado resolvido;;;"Bigorna trocada";"1 bigorna";Segura para uso;"Carlos Reis";;"Carlos Reis";"=""PR0001 - Schäfer""";1$/,
      ),
    ])
  })

  test('leaves as a line of a file, which the trail notes', async () => {
    const { open, ask, token, db } = await setUp()
    await open()
    const file = await ask(token, { url: '/api/chamados/csv?filial=010101&inicio=2026-11-01&fim=2026-11-30' })
    expect(file.headers['content-disposition']).toBe('attachment; filename="chamados_2026-11-01_2026-11-30.csv"')
    expect(file.body.trimEnd().split('\r\n')).toHaveLength(2)
    expect(file.body).toContain(UNTOUCHED)
    const [line] = await db.read.selectFrom('audit_entries').select(['action', 'details_json']).execute()
    expect([line?.action, JSON.parse(line?.details_json ?? '').name]).toEqual([
      'exported',
      'chamados_2026-11-01_2026-11-30.csv',
    ])
    const refused = async (query: string) => (await ask(token, { url: `/api/chamados?${query}` })).json().code
    expect(await refused('filial=999999')).toBe('unknown_plant')
    expect(await refused('filial=010101&inicio=2026-11-02&fim=2026-11-01')).toBe('period_reversed')
  })
})
