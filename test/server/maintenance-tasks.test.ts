import { randomUUID } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { CrimpHistoryEntry } from '../../src/contract/crimp-counters.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import type { MaintenanceTask, PlanRow } from '../../src/contract/maintenance-tasks.ts'
import { addDays, plantDay } from '../../src/domain/plant/plant-time.ts'
import { addCrimps } from '../../src/server/store/applicators.ts'
import { addProduction } from '../../src/server/store/daily-production.ts'
import type { Db, Tx } from '../../src/server/store/db/db.ts'
import { type Database, databases } from '../support/harness.ts'
import { migratedDatabase } from '../support/mariadb.ts'
import { produce, usualProduction } from '../support/production.ts'
import { openAnother } from '../support/store.ts'
import { codeOf, openToolRoom } from '../support/tools.ts'

const cleaning = { name: 'Limpeza completa', everyCrimps: 25_000, everyDays: 7, active: true }

async function setUp(database: Database = 'sqlite', db?: Db) {
  const room = await openToolRoom(database, db)
  const today = () => plantDay(room.clock.now(), 'America/Sao_Paulo')
  const create = (task: object = cleaning, who?: string) =>
    room.as({ method: 'POST', url: '/api/tarefas-de-manutencao', payload: task }, who)
  const change = (id: number, task: object, version: number) =>
    room.as({
      method: 'PUT',
      url: `/api/tarefas-de-manutencao/${id}`,
      headers: { 'if-match': `"${version}"` },
      payload: task,
    })
  const run = (id: number, body: object = {}) =>
    room.as({
      method: 'POST',
      url: `/api/tarefas-de-manutencao/${id}/execucoes`,
      payload: { miniaplicator: 'MA-0001', day: today(), note: '', ...body },
    })
  const plan = async (filter = ''): Promise<{ rows: PlanRow[]; totalCount: number }> =>
    (await room.as({ url: `/api/ferramentas/plano?${new URLSearchParams({ filter })}` })).json()
  return { ...room, today, create, change, run, plan }
}

describe.each(databases)('maintenance tasks on %s', (database) => {
  test('come due by crimps or by days, and begin anew when they were done', async () => {
    const { passDays, count, create, run, plan, today, db, clock } = await setUp(database)
    const { id } = (await create()).json<MaintenanceTask>()
    await count(10_000)
    await passDays(2)
    const due = async () => (await plan()).rows.map(({ usedPercent, by, isDue }) => [usedPercent, by, isDue])
    expect(await due(), 'since the unit was registered').toEqual([[40, 'crimpagens', false]])
    await passDays(2)
    expect(await due()).toEqual([[57, 'dias', false]])
    await count(15_000)
    expect(await due()).toEqual([[100, 'crimpagens', true]])
    const maintainedAt = async () =>
      (await db.read.selectFrom('applicator_units').select('maintained_at').executeTakeFirst())?.maintained_at
    expect(await maintainedAt()).toBe(null)
    expect((await run(id)).statusCode).toBe(201)
    expect(await maintainedAt(), 'as by a resolved call and by a reset').toBe(clock.now())
    expect((await plan()).rows).toEqual([
      {
        miniaplicator: 'MA-0001',
        kind: 'task',
        id,
        name: 'Limpeza completa',
        usedPercent: 0,
        by: 'crimpagens',
        crimpsLeft: 25_000,
        daysLeft: 7,
        dueDay: addDays(today(), 7),
        isDue: false,
        doneDay: today(),
      },
    ])
  })

  test('one that is written down late counts what was crimped since; a later one stays the last', async () => {
    const { db, count, create, run, plan, today } = await setUp(database)
    const { id } = (await create()).json<MaintenanceTask>()
    await count(12_000)
    for (const [ago, crimps] of [
      [0, 300],
      [1, 700],
      [2, 5000],
    ] as const) {
      await produce(db, crimps, { productionDay: addDays(today(), -ago) })
    }
    await run(id, { day: addDays(today(), -2) })
    const first = async () => (await plan()).rows[0]
    expect(await first()).toMatchObject({ crimpsLeft: 24_000, daysLeft: 5, doneDay: addDays(today(), -2) })
    await run(id, { day: addDays(today(), -30), note: 'Achado no caderno' })
    expect(await first()).toMatchObject({ crimpsLeft: 24_000, daysLeft: 5 })
    expect(codeOf(await run(id, { day: addDays(today(), 1) }))).toEqual([400, 'done_in_future'])
  })

  test('are changed by one at a time; one out of use comes due no more', async () => {
    const { create, change, plan, trail } = await setUp(database)
    const created = await create()
    expect(created.headers.etag).toBe('"1"')
    const { id } = created.json<MaintenanceTask>()
    const changed = await change(id, { ...cleaning, everyDays: undefined, name: 'Limpeza' }, 1)
    expect(changed.json()).toEqual({
      id,
      miniaplicator: null,
      name: 'Limpeza',
      everyCrimps: 25_000,
      everyDays: null,
      active: true,
      version: 2,
    })
    expect(codeOf(await change(id, cleaning, 1))).toEqual([409, 'changed_meanwhile'])
    expect((await plan()).totalCount).toBe(1)
    await change(id, { ...cleaning, active: false }, 2)
    expect((await plan()).totalCount).toBe(0)
    expect((await trail()).map(({ action, subject }) => [action, subject])).toEqual([
      ['task_created', String(id)],
      ['task_changed', String(id)],
      ['task_changed', String(id)],
    ])
  })
})

test.each(databases.filter((database) => database === 'mariadb'))(
  'crimps that another server counts while a late run is written down are of after it, whole, on %s',
  async () => {
    const url = await migratedDatabase()
    const other = openAnother(url)
    let isCounted = false
    /** Right after the first look at the tool another server commits. */
    const meanwhile: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!isCounted && result.rows.some((row) => 'lifetime_crimps' in row)) {
          isCounted = true
          await other.transaction(async (tx) => {
            await addCrimps(tx, {
              recordingId: randomUUID(),
              reason: 'recorded',
              unitKey: 'ma-0001',
              crimps: 700,
              at: 1,
            })
            await addProduction(tx, { ...usualProduction, productionDay: '2026-11-21' }, { pieces: 700, recordings: 1 })
          })
        }
        return result
      },
    }
    const own = openAnother(url)
    const db: Db = { ...own, transaction: (work) => own.transaction((tx) => work(tx.withPlugin(meanwhile) as Tx)) }
    const { count, create, run, today, ...room } = await setUp('mariadb', db)
    const { id } = (await create()).json<MaintenanceTask>()
    await count(12_000)
    expect((await run(id, { day: addDays(today(), -2) })).statusCode).toBe(201)
    expect(isCounted).toBe(true)
    const stored = await room.db.read.selectFrom('task_runs').select('lifetime_at').executeTakeFirstOrThrow()
    expect(stored.lifetime_at).toBe(12_000)
  },
)

test('the plan has the parts beside the tasks, soonest first, of all tools or of those of a filter', async () => {
  const { as, count, create, run, plan, today } = await setUp()
  const pair = { terminal: 'T0925590', miniaplicator: 'MA-0002' }
  await as({ method: 'POST', url: '/api/miniaplicadores', payload: pair })
  const { id } = (await create({ ...cleaning, everyCrimps: undefined })).json<MaintenanceTask>()
  const own = await create({ ...cleaning, miniaplicator: 'ma-0002', name: 'Guias', everyDays: 3 })
  expect(own.json<MaintenanceTask>().miniaplicator).toBe('MA-0002')
  await as({
    method: 'POST',
    url: '/api/ferramentas/MA-0001/pecas',
    payload: {
      parts: [
        { kind: 'bigorna', code: '1-456', limitOfCrimps: 100, usedBefore: 90 },
        { kind: 'cortador', code: '2-1', limitOfCrimps: -1, usedBefore: 90 },
      ],
    },
  })
  await count(15)
  await run(id, { day: addDays(today(), -1) })
  const { rows, totalCount } = await plan()
  expect(rows.map(({ miniaplicator, name, isDue, daysLeft }) => [miniaplicator, name, isDue, daysLeft])).toEqual([
    ['MA-0001', 'Bigorna 1-456', true, null],
    ['MA-0002', 'Guias', false, 3],
    ['MA-0001', 'Limpeza completa', false, 6],
    ['MA-0002', 'Limpeza completa', false, 7],
  ])
  expect(totalCount).toBe(4)
  expect((await plan('0002')).totalCount).toBe(2)
  expect(codeOf(await run(own.json<MaintenanceTask>().id)), 'of another tool').toEqual([404, 'not_found'])
})

test('a run may carry its maintenance record, which is a line of the history and in the file of the law', async () => {
  const { as, create, run, trail } = await setUp()
  const { id } = (await create()).json<MaintenanceTask>()
  const maintenanceRecord = {
    serviceDone: 'Limpeza e lubrificação',
    parts: '',
    safetyCondition: 'segura',
    responsible: 'Carlos Melo',
  }
  await run(id, { note: 'Guias com folga' })
  const history = async () => (await as({ url: '/api/crimpagens/history' })).json<CrimpHistoryEntry[]>()
  expect(await history(), 'none without a record').toEqual([])
  await run(id, { maintenanceRecord })
  expect(await history()).toMatchObject([{ change: 'task', changedBy: 'Carlos Melo', maintenanceRecord }])
  const file = await as({ url: '/api/crimpagens/maintenance-records/export-csv' })
  expect(file.body).toContain('Tarefa de manutenção;;;"Limpeza e lubrificação"')
  const counter = await as({ url: '/api/crimpagens/MA-0001' })
  expect(counter.json().version, 'nothing of the unit was changed').toBe(1)
  const [, first] = await trail()
  expect(first).toMatchObject({
    action: 'task_run',
    subject: 'MA-0001',
    details: { is: { task: 'Limpeza completa', doneDay: '2026-11-21', note: 'Guias com folga' } },
  })
})

test('a task without crimps and days is refused in words', async () => {
  const { create } = await setUp()
  const answer = await create({ name: 'Limpeza', active: true })
  const message = 'Informe a cada quantas crimpagens, a cada quantos dias, ou os dois'
  expect(answer.json<ErrorReply>().details).toEqual([{ field: 'everyCrimps', message }])
})
