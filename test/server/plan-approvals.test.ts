import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ControlPlan } from '../../src/contract/control-plans.ts'
import type { MeasuringContext } from '../../src/contract/measurements.ts'
import { auditDetailsText } from '../../src/domain/people/audit-entries.ts'
import { readMilli } from '../../src/domain/quality/control-plans.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import { addUser, type Database, databases, openTestPanel, UNTOUCHED } from '../support/harness.ts'
import { uploadHeaders } from '../support/uploading.ts'

const URL = '/api/planos-de-controle'
const DAY_MS = 86_400_000
const altura = { nominal: 1100, menos: 50, mais: 50 }
const plan = {
  ...{ terminal: 'T1326030', bitola: 500, altura, forcaMin: 75_000 },
  ...{ leiturasAltura: 5, leiturasForca: 3, ultimaPeca: false },
}

type Answered = { status: number; body: ControlPlan & { code?: string } }

/** A plant that wants another person to approve; `isWanted` false: one that has chosen nothing. */
async function setUp({ database = 'sqlite', isWanted = true }: { database?: Database; isWanted?: boolean } = {}) {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'rita', role: 'qualidade', fullName: 'Rita Melo' })
  await addUser(panel.context, { username: 'bruno', role: 'qualidade', fullName: 'Bruno Reis' })
  await addUser(panel.context, { username: 'chefe', role: 'admin', fullName: 'Ana Chefe' })
  const tokens: Record<string, string> = {}
  const logIn = async () => {
    for (const name of ['rita', 'bruno', 'chefe']) tokens[name] = (await panel.login(name)).token
  }
  await logIn()
  const ask = (who: string, request: Parameters<typeof panel.ask>[1]) => panel.ask(tokens[who] ?? '', request)
  const post = async (who: string, url: string, payload?: object, versionSeen?: number): Promise<Answered> => {
    const headers = versionSeen === undefined ? {} : { 'if-match': `"${versionSeen}"` }
    const answer = await ask(who, { method: 'POST', url, headers, ...(payload ? { payload } : {}) })
    return { status: answer.statusCode, body: answer.json() }
  }
  const create = (who: string, of: object = {}, versionSeen?: number) => post(who, URL, { ...plan, ...of }, versionSeen)
  const approve = (who: string, { body: { id, version } }: Answered) =>
    post(who, `${URL}/${id}/aprovacao`, undefined, version)
  const end = (who: string, { body: { id, version } }: Answered) =>
    post(who, `${URL}/${id}/encerramento`, undefined, version)
  const list = async (search = ''): Promise<ControlPlan[]> => (await ask('rita', { url: `${URL}${search}` })).json()
  const send = async (content: string) => {
    const url = `${URL}/importacao`
    return (
      await ask('rita', { method: 'POST', url, headers: uploadHeaders, payload: Buffer.from(content) })
    ).json() as object
  }
  const want = async (planApproval: string) => {
    const url = '/api/configuracao'
    return (await ask('chefe', { method: 'PUT', url, payload: { planApproval } })).statusCode
  }
  if (isWanted) expect(await want('outra-pessoa')).toBe(200)
  /** After so long, logged in again. */
  const wait = async (ms: number) => {
    panel.clock.advance(ms)
    await logIn()
  }
  const trail = async () => await panel.db.read.selectFrom('audit_entries').selectAll().orderBy('id').execute()
  const now = () => new Date(panel.clock.now()).toISOString()
  return { ...panel, ask, create, approve, end, list, send, want, wait, trail, now }
}

test('a list says who made each version, who ended it, and when', async () => {
  const { create, end, list, wait, now } = await setUp({ isWanted: false })
  const madeAt = now()
  await create('rita')
  await wait(DAY_MS)
  const nextAt = now()
  const second = await create('bruno', { forcaMin: 80_000 }, 1)
  await wait(DAY_MS)
  await end('rita', second)
  expect(await list()).toMatchObject([
    {
      ...{ version: 2, criadoPor: 'Bruno Reis', criadoEm: nextAt, aprovadoPor: '', aprovadoEm: null },
      ...{ encerradoPor: 'Rita Melo', encerradoEm: now() },
    },
    { version: 1, criadoPor: 'Rita Melo', criadoEm: madeAt, encerradoPor: 'Bruno Reis', encerradoEm: nextAt },
  ])
})

const contextUrl = `/api/medicoes/do-item/${UNTOUCHED}?filial=010101`

test.each(databases)(
  'where another person approves, a version is in force only from then on, on %s',
  async (database) => {
    const { ask, create, approve, list, want, wait, now, trail } = await setUp({ database, isWanted: false })
    const { item } = (await ask('rita', { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })).json()
    const place = { terminal: item.Z1_TERML1, bitola: readMilli(item.Z1_BITOLA) }
    const planned = async () => {
      const { planos }: MeasuringContext = (await ask('rita', { url: contextUrl })).json()
      return planos.map(({ version, validoAte }) => [version, validoAte])
    }
    await create('rita', place)
    expect(await want('outra-pessoa')).toBe(200)
    await wait(1000)
    const second = await create('rita', { ...place, forcaMin: 80_000 }, 1)
    expect(second).toMatchObject({ status: 201, body: { version: 2, aguardaAprovacao: true } })
    expect(await planned(), 'on tablets, whatever their page').toEqual([[1, null]])
    const [waiting] = await list('?vigente=sim')
    expect(waiting, 'an older page takes it for one that was taken back').toMatchObject({
      validoAte: waiting?.validoDe,
    })
    expect(await approve('rita', second)).toMatchObject({ status: 409, body: { code: 'plan_own_approval' } })
    const both = await Promise.all([approve('bruno', second), approve('bruno', second)])
    expect(both.map(({ status }) => status).toSorted(), 'pressed twice').toEqual([200, 409])
    expect(await planned()).toEqual([[2, null]])
    expect(await list()).toMatchObject([
      { version: 2, aprovadoPor: 'Bruno Reis', aprovadoEm: now(), validoDe: now(), aguardaAprovacao: false },
      { version: 1, validoAte: now(), encerradoPor: 'Bruno Reis' },
    ])
    const entry = (await trail()).at(-1)
    expect(entry).toMatchObject({ user_name: 'bruno', action: 'plan_approved', subject_id: String(second.body.id) })
    expect(auditDetailsText(entry?.details_json ?? '')).toBe('Versão: 2; Vale a partir de: 21/11/2026')
  },
)

test('a version for a later day waits for both: its day and its approval', async () => {
  const { create, approve, list, wait, now } = await setUp()
  await approve('bruno', await create('rita'))
  await wait(1000)
  const second = await create('rita', { forcaMin: 80_000, valeAPartirDe: '2026-12-01' }, 1)
  const midnight = '2026-12-01T03:00:00.000Z'
  expect((await approve('bruno', second)).body).toMatchObject({ validoDe: midnight, validoAte: null })
  const third = await create('bruno', { forcaMin: 81_000, valeAPartirDe: '2026-12-02' }, 2)
  await wait(20 * DAY_MS)
  await approve('chefe', third)
  const starts = (await list()).map(({ version, validoDe, validoAte }) => [version, validoDe, validoAte])
  expect(starts.slice(0, 2), 'approved after its day').toEqual([
    [3, now(), null],
    [2, midnight, now()],
  ])
})

test('a newer version takes the place of one that waits; one that is taken back never holds', async () => {
  const { create, approve, end, list, wait } = await setUp()
  const first = await create('rita')
  expect((await create('bruno', { forcaMin: 80_000 })).body.code, 'somebody has made one').toBe('plan_overlaps')
  const second = await create('bruno', { forcaMin: 80_000 }, 1)
  expect((await approve('chefe', first)).body.code).toBe('changed_meanwhile')
  await approve('rita', second)
  await wait(1000)
  const third = await create('rita', { forcaMin: 81_000 }, 2)
  expect((await end('bruno', third)).body).toMatchObject({ aguardaAprovacao: false, encerradoPor: 'Bruno Reis' })
  expect((await approve('bruno', third)).body.code).toBe('changed_meanwhile')
  expect((await list('?vigente=sim')).map(({ version }) => version)).toEqual([2])
})

const HEAD = 'Terminal;Bitola;Altura nominal;Altura tol. -;Altura tol. +;Força mínima'
const LINE = 'T1326030;0,50;1,100;0,050;0,050'

test('an imported version waits for its approval too, and what is in force stays what the file is compared with', async () => {
  const { create, approve, list, send, wait } = await setUp()
  await approve('bruno', await create('rita', { leiturasAltura: 3 }))
  await wait(1000)
  expect(await send(`${HEAD}\n${LINE};75\n`)).toMatchObject({ iguais: 1 })
  expect(await send(`${HEAD}\n${LINE};80\nT2;0,5;;;;70`)).toMatchObject({ novas: 1, alteradas: 1 })
  const states = async () =>
    (await list('?vigente=sim')).map((one) => [one.terminal, one.version, one.criadoPor, one.aguardaAprovacao])
  const waiting = [
    ['T2', 1, 'Rita Melo', true],
    ['T1326030', 2, 'Rita Melo', true],
    ['T1326030', 1, 'Rita Melo', false],
  ]
  expect(await states()).toEqual(waiting)
  expect(await send(`${HEAD}\n${LINE};80\nT2;0,5;;;;70`), 'of what waits nothing is new').toMatchObject({ iguais: 2 })
  expect(await states()).toEqual(waiting)
})

test('a plan says whether a typed value is a sample; pages and files that do not say leave it as it is', async () => {
  const { create, list, send, ask, wait } = await setUp({ isWanted: false })
  const says = async () => (await list('?vigente=sim')).map(({ digitadoVale }) => digitadoVale)
  await create('rita')
  expect(await says(), 'until somebody says no').toEqual([true])
  await wait(1000)
  await create('rita', { digitadoVale: false }, 1)
  await wait(1000)
  await create('rita', { forcaMin: 80_000 }, 2)
  expect(await says(), 'an older page').toEqual([false])
  await wait(1000)
  expect(await send(`${HEAD}\n${LINE};81`)).toMatchObject({ alteradas: 1 })
  expect(await says(), 'an older file').toEqual([false])
  const { body } = await ask('rita', { url: `${URL}/csv` })
  const [head = '', line = ''] = body.slice(1).split('\r\n')
  expect(head.slice(head.indexOf(';Filial;'))).toBe(
    ';Filial;Valor digitado vale;Versão;Criado por;Criado em;Aprovado por;Aprovado em;Encerrado por;Encerrado em',
  )
  expect(line.endsWith(';N;4;"Rita Melo";21/11/2026;;;;'), line).toBe(true)
  expect(await send(body), 'what is said of people is no part of a plan').toMatchObject({ iguais: 1 })
  await wait(1000)
  expect(await send(`${HEAD};Valor digitado vale\n${LINE};81;sim`)).toMatchObject({ alteradas: 1 })
  expect(await says()).toEqual([true])
  expect(await send(`${HEAD};Valor digitado vale\n${LINE};81;talvez`)).toMatchObject({
    details: [{ field: 'Linha 2, Valor digitado vale', message: 'Esperado S ou N' }],
  })
})

test.each(databases)('who made and ended a version of before is known from the trail, on %s', async (database) => {
  const { create, end, list, db, now } = await setUp({ database, isWanted: false })
  const made = now()
  await end('bruno', await create('rita'))
  await create('rita', { terminal: 'T2' })
  const forgotten = { created_by: null, created_user_id: null, created_at: null }
  await db.transaction((tx) =>
    tx
      .updateTable('control_plans')
      .set({ ...forgotten, ended_by: null, ended_user_id: null, ended_at: null })
      .execute(),
  )
  // as where a start died after filling them in
  await sql`delete from kysely_migration where name >= '2026-12-13-plan-approvals'`.execute(db.read)
  await migrate(db)
  expect((await list()).map((one) => [one.terminal, one.criadoPor, one.criadoEm, one.encerradoPor])).toEqual([
    ['T2', 'Rita Melo', made, ''],
    ['T1326030', 'Rita Melo', made, 'Bruno Reis'],
  ])
})
