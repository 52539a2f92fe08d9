import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { scraps } from '../../src/contract/scraps.ts'
import { personCsv } from '../../src/server/features/users.ts'
import { insertRun, insertTask } from '../../src/server/store/maintenance-tasks.ts'
import { closeRetained, findRetained, insertRetained } from '../../src/server/store/retained-deliveries.ts'
import { insertLimits } from '../../src/server/store/spc.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { type By, insertPart, removePart } from '../../src/server/store/wear-parts.ts'
import { unnameOldOperators } from '../../src/server/upkeep/operator-retention.ts'
import { addUser, crimpOf, cutOf, databases, ORDER, openTestPanel, scrapOf, UNTOUCHED } from '../support/harness.ts'

const YEAR_MS = 366 * 86_400_000

describe.each(databases)('names in old recordings on %s', (database) => {
  test('give way to marks, each name to its own, and what was made stays', async () => {
    const panel = await openTestPanel({ database, env: { OPERATOR_RETENTION_MONTHS: '24' } })
    const { context, db, clock, login, record } = panel
    await addUser(context, { username: 'maria', fullName: 'Maria Souza' })
    await addUser(context, { username: 'joao', fullName: 'João Lima' })
    const recordAs = async (username: string, recording: CutCrimpRecording) => {
      const { token } = await login(username)
      const answer = await record(token, recording)
      expect(answer.statusCode, answer.body).toBe(201)
    }
    await recordAs('maria', cutOf(5))
    await recordAs('maria', crimpOf(4))
    await recordAs('joao', cutOf(3))
    clock.advance(2 * YEAR_MS + 86_400_000)
    await recordAs('maria', cutOf(2))
    const sums = () =>
      db.read
        .selectFrom('daily_production')
        .select(['production_day', 'part', (e) => e.fn.sum<number>('pieces').as('pieces')])
        .select((e) => e.fn.sum<number>('recordings').as('recordings'))
        .groupBy(['production_day', 'part'])
        .orderBy('production_day')
        .orderBy('part')
        .execute()
    const inProduction = () =>
      db.read.selectFrom('daily_production').select(['operator', 'part', 'pieces']).orderBy('pieces').execute()
    const recorded = () =>
      db.read
        .selectFrom('recordings as r')
        .innerJoin('erp_outbox as o', 'o.id', 'r.id')
        .select(['r.pieces', 'r.operator', 'r.user_id', 'r.payload_json', 'o.payload_json as sent_json'])
        .orderBy('r.pieces')
        .execute()
    const before = await sums()

    await unnameOldOperators(context)
    const [fresh, joao, crimped, cut] = await recorded()
    expect([fresh?.operator, fresh?.payload_json, fresh?.sent_json]).toEqual([
      'Maria Souza',
      expect.stringContaining('"OPERADOR":"Maria Souza"'),
      expect.stringContaining('"OPERADOR":"Maria Souza"'),
    ])
    expect(cut?.operator).toMatch(/^Operador \[[0-9A-F]{8}\]$/)
    expect(crimped?.operator, 'one person, one mark').toBe(cut?.operator)
    expect(joao?.operator).toMatch(/^Operador \[/)
    expect(joao?.operator).not.toBe(cut?.operator)
    const old = JSON.stringify([joao, crimped, cut])
    expect(old).not.toMatch(/Maria|Souza|João|Lima/)
    expect(old).toContain(`"user_id":0`)
    expect(cut?.sent_json).toContain(`"OPERADOR":"${cut?.operator}"`)
    expect(await sums()).toEqual(before)
    expect(await inProduction()).toEqual([
      { operator: 'Maria Souza', part: 'cabo', pieces: 2 },
      { operator: joao?.operator, part: 'cabo', pieces: 3 },
      { operator: cut?.operator, part: 'l1', pieces: 4 },
      { operator: cut?.operator, part: 'cabo', pieces: 5 },
    ])

    await unnameOldOperators(context)
    expect(await recorded(), 'once a day is enough').toEqual([fresh, joao, crimped, cut])
    clock.advance(2 * YEAR_MS + 86_400_000)
    await unnameOldOperators(context)
    expect((await recorded())[0]?.operator, 'the same person years later').toBe(cut?.operator)
  })

  test('leave empty what nobody has done', async () => {
    const { context, db, clock, login, ask } = await openTestPanel({
      database,
      env: { OPERATOR_RETENTION_MONTHS: '24' },
    })
    await addUser(context, { username: 'maria', fullName: 'Maria Souza' })
    const { token } = await login('maria')
    await ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    const headers = { 'idempotency-key': randomUUID() }
    const saved = await ask(token, { method: 'POST', url: scraps.create.path, headers, payload: scrapOf() })
    expect(saved.statusCode, saved.body).toBe(201)
    clock.advance(2 * YEAR_MS + 86_400_000)
    await unnameOldOperators(context)
    const rows = await db.read.selectFrom('scraps').select(['user_id', 'undone_by', 'undone_user_id']).execute()
    expect(rows).toEqual([{ user_id: 0, undone_by: null, undone_user_id: null }])
  })

  test('give way in what was mounted, done and set too', async () => {
    const { context, db, clock } = await openTestPanel({ database, env: { OPERATOR_RETENTION_MONTHS: '24' } })
    await addUser(context, { username: 'maria', fullName: 'Maria Souza' })
    const carlos = { userId: 7, name: 'Carlos Melo' }
    const part = { unitKey: 'ma-0001', kind: 'bigorna', limitOfCrimps: 1, lifetimeAtMount: 0, usedBefore: 0 } as const
    const run = { taskId: 1, unitKey: 'ma-0001', lifetimeAt: 0, doneDay: '2026-11-21', note: '', historyId: null }
    const limits = { n: 1, k: 25, mean: 1, rangeMean: 1, from: 0, until: 0, reason: '' }
    const care = (code: string) =>
      db.transaction(async (tx) => {
        const by = { ...carlos, at: clock.now() }
        await insertPart(tx, { ...part, code }, by)
        await insertRun(tx, run, by)
        await insertLimits(tx, code, { ...limits, version: 1, by, at: clock.now() }, '2026-11-21')
        await insertLimits(tx, code, { ...limits, version: 2, by: null, at: clock.now() }, '2026-11-21')
      })
    const remove = (id: number) =>
      db.transaction((tx) => removePart(tx, id, { crimps: 5, reason: 'gasta' }, { ...carlos, at: clock.now() }))
    await care('1-1')
    await remove(1)
    await care('1-2')
    clock.advance(2 * YEAR_MS + 86_400_000)
    await remove(2)
    await care('1-3')
    await unnameOldOperators(context)
    const parts = await db.read
      .selectFrom('wear_parts')
      .select(['mounted_by', 'mounted_by_id', 'removed_by', 'removed_by_id'])
      .orderBy('id')
      .execute()
    const mark = parts[0]?.mounted_by
    expect(mark).toMatch(/^Operador \[/)
    expect(parts).toEqual([
      { mounted_by: mark, mounted_by_id: 0, removed_by: mark, removed_by_id: 0 },
      { mounted_by: mark, mounted_by_id: 0, removed_by: 'Carlos Melo', removed_by_id: 7 },
      { mounted_by: 'Carlos Melo', mounted_by_id: 7, removed_by: null, removed_by_id: null },
    ])
    const runs = await db.read.selectFrom('task_runs').select(['recorded_by', 'user_id']).orderBy('id').execute()
    expect(runs.map(({ recorded_by: name, user_id: user }) => [name, user])).toEqual([
      [mark, 0],
      [mark, 0],
      ['Carlos Melo', 7],
    ])
    const set = await db.read.selectFrom('spc_limits').select(['set_by', 'set_user_id']).orderBy('id').execute()
    expect(set.map(({ set_by: name, set_user_id: user }) => [name, user])).toEqual([
      [mark, 0],
      ['painel', null],
      [mark, 0],
      ['painel', null],
      ['Carlos Melo', 7],
      ['painel', null],
    ])
  })

  test('go with what was retained and decided about; what waits for an admin stays', async () => {
    const { context, db, clock } = await openTestPanel({ database, env: { OPERATOR_RETENTION_MONTHS: '24' } })
    const what = { part: 'cabo', body: { OPERADOR: 'Maria Souza' }, contentHash: '', why: 'admin' } as const
    const who = { userId: 1, username: 'maria', fullName: 'Maria Souza', sessionId: '', device: '', deviceName: '' }
    const insert = (id: string, at: number) =>
      db.transaction((tx) => insertRetained(tx, { ...what, ...who, id, recordedAt: at, receivedAt: at }))
    const old = clock.now() - 2 * YEAR_MS - 86_400_000
    await insert('decided', old)
    await insert('open', old)
    await insert('young', clock.now())
    for (const id of ['decided', 'young'])
      await db.transaction((tx) => closeRetained(tx, id, { state: 'taken', at: clock.now() }))
    await unnameOldOperators(context)
    const left = await Promise.all(['decided', 'open', 'young'].map((id) => findRetained(db.read, id)))
    expect(left.map((one) => one?.state)).toEqual([undefined, 'open', 'taken'])
  })

  test('go when the day after the last one that keeps them begins at the plant', async () => {
    const panel = await openTestPanel({ database, env: { OPERATOR_RETENTION_MONTHS: '24' } })
    const { context, db, clock, login, record } = panel
    await addUser(context, { username: 'maria', fullName: 'Maria Souza' })
    await record((await login('maria')).token, cutOf(5))
    clock.advance(86_400_000)
    await record((await login('maria')).token, cutOf(3))
    const namedOn = async () => {
      await unnameOldOperators(context)
      const name = 'Maria Souza'
      const made = await db.read
        .selectFrom('recordings')
        .select('production_day as day')
        .where('operator', '=', name)
        .execute()
      const summed = await db.read
        .selectFrom('daily_production')
        .select('production_day as day')
        .where('operator', '=', name)
        .execute()
      return [made.map(({ day }) => day).toSorted(), summed.map(({ day }) => day).toSorted()]
    }
    clock.set(Date.UTC(2028, 10, 22, 3) - 1 - clock.now())
    const both = ['2026-11-21', '2026-11-22']
    expect(await namedOn()).toEqual([both, both])
    clock.set(1)
    expect(await namedOn()).toEqual([['2026-11-22'], ['2026-11-22']])
  })

  test('what is stored of a person leaves as a file about nobody else', async () => {
    const { context, db, login, record } = await openTestPanel({ database })
    await addUser(context, { username: 'maria', fullName: 'Maria Souza' })
    await addUser(context, { username: 'joao', fullName: 'João Lima', role: 'admin' })
    await record((await login('maria')).token, cutOf(5))
    await record((await login('joao')).token, cutOf(3))
    await db.transaction(async (tx) => {
      const [by, other] = [1, 2].map((userId) => ({ userId, name: 'x', at: 5 })) as [By, By]
      const part = { unitKey: 'ma-0001', kind: 'bigorna', limitOfCrimps: 1, lifetimeAtMount: 0, usedBefore: 0 } as const
      await insertPart(tx, { ...part, code: '1-1' }, by)
      await removePart(tx, 1, { crimps: 5, reason: 'gasta' }, by)
      await insertPart(tx, { ...part, code: '1-2' }, other)
      const task = { miniaplicator: null, name: 'Limpeza', everyCrimps: null, everyDays: 7, active: true }
      const taskId = await insertTask(tx, task)
      const run = { taskId, unitKey: 'ma-0001', lifetimeAt: 0, doneDay: '2026-11-20', note: 'Guias', historyId: null }
      await insertRun(tx, run, by)
    })
    const maria = (await listUsers(db.read)).find(({ username }) => username === 'maria')
    if (!maria) throw new Error('maria is not listed')
    let file = ''
    for await (const rows of personCsv(db, maria, () => 'agora')) file += rows
    expect(file.trimEnd().split('\r\n').slice(1)).toEqual([
      'agora;Cadastro de usuário;"Maria Souza";"maria";Operador, ativo',
      expect.stringMatching(/^agora;Sessão;.*;;Último uso agora$/),
      `agora;Apontamento: Cabo;"=""${ORDER}""";"=""${UNTOUCHED}""";"KX0001 - Komax 5 peças"`,
      'agora;Peça montada;"=""ma-0001""";;"Bigorna 1-1"',
      'agora;Peça retirada;"=""ma-0001""";;"Bigorna 1-1"',
      'agora;Tarefa de manutenção;"=""ma-0001""";;"Limpeza, feita em 20/11/2026 · Texto livre: Guias"',
      'agora;Entrou;"Endereço 127.0.0.1";;',
    ])
  })
})
