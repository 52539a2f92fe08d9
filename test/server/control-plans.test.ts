import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ControlPlan } from '../../src/contract/control-plans.ts'
import type { PlanImport } from '../../src/contract/plan-changes.ts'
import type { Role } from '../../src/contract/values.ts'
import { auditDetailsText } from '../../src/domain/people/audit-entries.ts'
import { readMilli } from '../../src/domain/quality/control-plans.ts'
import { addUser, type Database, databases, openTestPanel, UNTOUCHED } from '../support/harness.ts'
import { uploadHeaders } from '../support/uploading.ts'

const URL = '/api/planos-de-controle'
const DAY_MS = 86_400_000
const altura = { nominal: 1100, menos: 50, mais: 50 }
const plan = {
  ...{ terminal: 'T1326030', bitola: 500, altura, forcaMin: 75_000 },
  ...{ leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false },
}

async function setUp(database: Database = 'sqlite', role: Role = 'qualidade') {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'quali', role, fullName: 'Rita Melo' })
  let { token } = await panel.login('quali')
  const ask = (request: Parameters<typeof panel.ask>[1]) => panel.ask(token, request)
  const create = async (payload: object, versionSeen?: number) => {
    const headers = versionSeen === undefined ? {} : { 'if-match': `"${versionSeen}"` }
    const answer = await ask({ method: 'POST', url: URL, payload, headers })
    return { status: answer.statusCode, body: answer.json() as ControlPlan & { code?: string }, answer }
  }
  const end = async (id: number, versionSeen?: number) => {
    const headers = versionSeen === undefined ? {} : { 'if-match': `"${versionSeen}"` }
    const answer = await ask({ method: 'POST', url: `${URL}/${id}/encerramento`, headers })
    return { status: answer.statusCode, body: answer.json() as ControlPlan & { code?: string } }
  }
  const list = async (search = ''): Promise<ControlPlan[]> => (await ask({ url: `${URL}${search}` })).json()
  /** Version, beginning and end. */
  const validities = async (search = '') =>
    (await list(search)).map(({ version, validoDe, validoAte }) => [version, validoDe, validoAte])
  const send = async (payload: string | Buffer, search = '', headers: Record<string, string> = uploadHeaders) => {
    const answer = await ask({
      method: 'POST',
      url: `${URL}/importacao${search}`,
      headers,
      payload: Buffer.from(payload),
    })
    return { status: answer.statusCode, body: answer.json() as PlanImport & { code?: string; details?: object[] } }
  }
  const trail = async () => await panel.db.read.selectFrom('audit_entries').selectAll().orderBy('id').execute()
  /** After so long, logged in again. */
  const wait = async (ms: number) => {
    panel.clock.advance(ms)
    token = (await panel.login('quali')).token
  }
  const now = () => new Date(panel.clock.now()).toISOString()
  return { ...panel, ask, create, end, list, validities, send, trail, wait, now }
}

test.each(databases)('a version ends where the next one begins, at midnight of the plant, on %s', async (database) => {
  const { create, validities, wait, now, trail } = await setUp(database)
  const first = now()
  expect(await create(plan)).toMatchObject({ status: 201, body: { ...plan, version: 1, validoAte: null } })
  await wait(DAY_MS)
  const changed = { ...plan, altura: { ...altura, nominal: 1120 }, valeAPartirDe: '2026-12-01' }
  const { answer, body } = await create(changed, 1)
  expect([answer.statusCode, body.version, answer.headers.etag]).toEqual([201, 2, '"2"'])
  const midnight = '2026-12-01T03:00:00.000Z'
  expect(await validities()).toEqual([
    [2, midnight, null],
    [1, first, midnight],
  ])
  expect(await validities('?vigente=sim'), 'both hold now or later').toHaveLength(2)
  await wait(12 * DAY_MS)
  expect(await validities('?vigente=sim')).toEqual([[2, midnight, null]])
  const [, second] = await trail()
  expect(second).toMatchObject({ user_name: 'quali', action: 'plan_created', subject_kind: 'control_plan' })
  expect(auditDetailsText(second?.details_json ?? '')).toBe(
    'Altura nominal: 1,100 → 1,120; Versão: 2; Vale a partir de: 01/12/2026',
  )
})

test('of two who change the same version one is refused, and so is a second plan for the same place', async () => {
  const { create, end, validities } = await setUp()
  await create(plan)
  expect(await create({ ...plan, terminal: ' t1326030 ' })).toMatchObject({
    status: 409,
    body: { code: 'plan_overlaps' },
  })
  expect((await create({ ...plan, miniaplicador: 'MA-1' })).status, 'another place').toBe(201)
  const later = { ...plan, forcaMin: 80_000, valeAPartirDe: '2026-12-01' }
  const answers = await Promise.all([1, 2, 3].map(() => create(later, 1)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
    Array.from({ length: 2 }, () => 'changed_meanwhile'),
  )
  const before = { ...later, valeAPartirDe: '2026-11-30' }
  expect((await create(before, 2)).body.code, 'before the newest begins').toBe('plan_overlaps')
  expect((await create({ ...later, valeAPartirDe: '2026-11-20' }, 2)).body.code).toBe('plan_in_past')
  expect((await create({ ...later, filial: '999999' })).body.code).toBe('unknown_plant')
  expect((await end(1)).body.code, 'a newer version is there').toBe('changed_meanwhile')
  expect(await validities('?terminal=t1326030')).toHaveLength(3)
})

test('a plan that was ended ends at once; one that has not begun never begins, and the one before it goes on', async () => {
  const { create, end, validities, wait, now, trail } = await setUp()
  const first = now()
  const { body } = await create(plan)
  await wait(1000)
  expect((await end(body.id, 2)).body.code).toBe('changed_meanwhile')
  const { body: scheduled } = await create({ ...plan, forcaMin: 80_000, valeAPartirDe: '2026-12-01' }, 1)
  expect((await end(body.id, 1)).body.code, 'a newer one is there').toBe('changed_meanwhile')
  expect((await end(scheduled.id, 2)).status).toBe(200)
  const midnight = '2026-12-01T03:00:00.000Z'
  expect(await validities()).toEqual([
    [2, midnight, midnight],
    [1, first, null],
  ])
  expect(await validities('?vigente=sim')).toEqual([[1, first, null]])
  await wait(1000)
  const changed = now()
  expect((await create({ ...plan, forcaMin: 81_000 }, 1)).body.version, 'no number is given twice').toBe(3)
  await wait(1000)
  const { body: last } = await end((await create({ ...plan, forcaMin: 82_000 }, 3)).body.id)
  expect(last.validoAte).toBe(now())
  expect((await end(last.id, 4)).body.code).toBe('changed_meanwhile')
  expect((await end(99)).body.code).toBe('not_found')
  expect(await validities('?vigente=sim')).toEqual([])
  await wait(1000)
  expect((await create(plan)).body.version, 'another one may follow').toBe(5)
  expect((await validities()).find(([version]) => version === 3)).toEqual([3, changed, last.validoDe])
  const acts = (await trail()).map(({ action }) => action.replace('plan_', ''))
  expect(acts).toEqual(['created', 'created', 'ended', 'created', 'created', 'ended', 'created'])
})

test("an item's form gets the open plans of both its terminals and its gauge", async () => {
  const { create, ask, end } = await setUp()
  const url = `/api/medicoes/do-item/${UNTOUCHED}?filial=010101`
  const plansOf = async () =>
    (await ask({ url })).json().planos.map(({ terminal, version, filial }: ControlPlan) => [terminal, version, filial])
  expect(await plansOf(), 'nobody has read the item').toEqual([])
  const { item } = (await ask({ url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })).json()
  const bitola = readMilli(item.Z1_BITOLA)
  const [terminal, other] = [item.Z1_TERML1, item.Z1_TERML2]
  await create({ ...plan, terminal, bitola })
  await create({ ...plan, terminal, bitola, valeAPartirDe: '2026-12-01' }, 1)
  await create({ ...plan, terminal: other, bitola, filial: '010101' })
  await create({ ...plan, terminal, bitola: 4000 })
  await create({ ...plan, terminal, bitola, filial: '020101' })
  const { body } = await create({ ...plan, terminal, bitola, miniaplicador: 'MA-1' })
  await end(body.id)
  expect((await plansOf()).toSorted()).toEqual(
    [
      [other, 1, '010101'],
      [terminal, 1, undefined],
      [terminal, 2, undefined],
    ].toSorted(),
  )
})

test('operators read plans and instruments, and change none', async () => {
  const { create, send, list, ask } = await setUp('sqlite', 'operador')
  expect([(await create(plan)).status, (await send('x')).status, await list()]).toEqual([403, 403, []])
  expect((await ask({ url: '/api/instrumentos' })).json()).toEqual([])
})

test('a plan without anything to ask for, or with half a tolerance, is refused by its field', async () => {
  const { create } = await setUp()
  const { altura: _, forcaMin: __, ...nothing } = plan
  const fieldsOf = async (payload: object) =>
    (await create(payload)).answer
      .json()
      .details.map(({ field, message }: Record<string, string>) => `${field}: ${message}`)
  expect(await fieldsOf(nothing)).toEqual(['altura: Informe ao menos a altura ou a força mínima'])
  expect(await fieldsOf({ ...plan, altura: { nominal: 1100, menos: 50 } })).toEqual(['altura.mais: Campo obrigatório'])
  expect(await fieldsOf({ ...plan, altura: { ...altura, menos: 1100 } })).toEqual([
    'altura: A tolerância é maior que o nominal',
  ])
})

const HEAD = 'Terminal;Bitola;Altura nominal;Altura tol. -;Altura tol. +;Força mínima;Plano de reação'
const LINES = ['T1326030;0,50;1,100;0,050;0,050;75;', 'T0925590;0,75;;;;80;Separar as peças']

test.each(databases)('a file is shown first and then imported whole, on %s', async (database) => {
  const { create, send, list, trail, wait } = await setUp(database)
  await create(plan)
  await create({ ...plan, terminal: 'T2' })
  await wait(1000)
  const content = [HEAD, ...LINES, 'T2;0,5;1,1;0,05;0,05;76;'].join('\r\n')
  const expected = { linhas: 3, novas: 1, alteradas: 1, iguais: 1, comErro: 0, terminaisDesconhecidos: 1, erros: [] }
  expect(await send(content, '?simular=sim')).toEqual({ status: 200, body: expected })
  expect(await list()).toHaveLength(2)
  expect(await send(content)).toEqual({ status: 200, body: expected })
  const plans = await list('?vigente=sim')
  expect(plans.map(({ terminal, version, forcaMin, reacao }) => [terminal, version, forcaMin, reacao])).toEqual([
    ['T2', 2, 76_000, undefined],
    ['T0925590', 1, 80_000, 'Separar as peças'],
    ['T1326030', 1, 75_000, undefined],
  ])
  const entry = (await trail()).at(-1)
  const sha256 = createHash('sha256').update(content).digest('hex')
  expect(entry).toMatchObject({ action: 'plans_imported', subject_kind: 'file', subject_id: sha256 })
  expect(auditDetailsText(entry?.details_json ?? '')).toBe('Novas: 1; Alteradas: 1; Iguais: 1')
  expect((await send(content)).body).toMatchObject({ novas: 0, alteradas: 0, iguais: 3 })
})

test('what is exported is imported as nothing new', async () => {
  const { create, send, ask, trail } = await setUp()
  await create({ ...plan, terminal: '12-11', filial: '010101', aCadaPecas: 1000, instrumento: '=1+1' })
  await create({ ...plan, valeAPartirDe: '2026-12-01' })
  const { body, headers } = await ask({ url: `${URL}/csv` })
  expect(headers['content-disposition']).toBe('attachment; filename="planos_de_controle_2026-11-21.csv"')
  expect((await trail()).at(-1)).toMatchObject({ action: 'exported' })
  expect((await send(body)).body).toMatchObject({ linhas: 1, iguais: 1 })
})

test('one wrong line, an unknown plant or a plan that begins later, and nothing is imported', async () => {
  const { create, send, list } = await setUp()
  await create({ ...plan, terminal: 'T3', valeAPartirDe: '2026-12-01' })
  for (const [line, campo, mensagem] of [
    ['T1;meio;;;;75;', 'Bitola', 'Esperado um número com até 3 casas, por exemplo 0,50'],
    ['T1;0,5;;;;75;;999999', 'Filial', 'Filial desconhecida.'],
    ['T3;0,5;;;;76;', 'Terminal', 'Já há um plano para este terminal e bitola nesse período.'],
  ]) {
    const content = [`${HEAD};Filial`, ...LINES, line].join('\n')
    const preview = await send(content, '?simular=sim')
    expect(preview.body).toMatchObject({
      ...{ linhas: 3, novas: 2, alteradas: 0, iguais: 0, comErro: 1 },
      erros: [{ linha: 4, campo, mensagem }],
    })
    expect(await send(content)).toEqual({
      status: 400,
      body: {
        code: 'plans_refused',
        message: 'Nenhum plano foi importado. Linhas com problema: 1.',
        details: [{ field: `Linha 4, ${campo}`, message: mensagem }],
      },
    })
  }
  expect(await list()).toHaveLength(1)
})

test('5,000 lines are taken, and nothing that does not say what it is', async () => {
  const { send, list, wait } = await setUp()
  const lines = Array.from({ length: 5000 }, (_, at) => `T${at};0,5;1,1;0,05;0,05;75;`)
  expect((await send([HEAD, ...lines].join('\n'))).body).toMatchObject({ linhas: 5000, novas: 5000 })
  expect(await list()).toHaveLength(5000)
  await wait(1000)
  const changed = lines.map((line) => line.replace(';75;', ';76;'))
  expect((await send([HEAD, ...changed].join('\n'))).body).toMatchObject({ alteradas: 5000 })
  expect(await list('?vigente=sim')).toHaveLength(5000)
  const { 'content-type': type } = uploadHeaders
  expect((await send('x', '', { 'content-type': type })).body.code).toBe('upload_header_missing')
  expect((await send('x', '', { ...uploadHeaders, 'content-type': 'text/csv' })).body.code).toBe('upload_unexpected')
})

const instrument = {
  codigo: 'MIC-ALT-01',
  descricao: 'Micrômetro',
  resolucao: 1,
  calibradoAte: '2027-11-01',
  ativo: true,
}

test.each(databases)('an instrument is registered once and changed by whoever saw it last, on %s', async (database) => {
  const { ask, trail } = await setUp(database)
  const url = '/api/instrumentos'
  const save = async (payload: object, id?: number, version = 1) => {
    const how = id === undefined ? { method: 'POST' as const, url } : { method: 'PUT' as const, url: `${url}/${id}` }
    const answer = await ask({ ...how, payload, headers: { 'if-match': `"${version}"` } })
    return [answer.statusCode, answer.json()]
  }
  expect(await save(instrument)).toEqual([201, { ...instrument, id: 1, version: 1 }])
  expect(await save({ ...instrument, codigo: ' mic-alt-01' })).toMatchObject([409, { code: 'instrument_exists' }])
  const { calibradoAte: _, ...uncalibrated } = instrument
  expect(await save({ ...uncalibrated, ativo: false }, 1)).toEqual([
    200,
    { ...uncalibrated, ativo: false, id: 1, version: 2 },
  ])
  expect(await save(instrument, 1)).toMatchObject([409, { code: 'changed_meanwhile' }])
  expect(await save(instrument, 9)).toMatchObject([404, { code: 'not_found' }])
  expect((await ask({ url })).json()).toHaveLength(1)
  const entries = await trail()
  expect(entries.map(({ action }) => action)).toEqual(['instrument_changed', 'instrument_changed'])
  expect(auditDetailsText(entries[1]?.details_json ?? '')).toBe('Calibrado até: 01/11/2027 → —; Em uso: Sim → Não')
})
