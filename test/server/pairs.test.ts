import { describe, expect, test } from 'vitest'
import type { ApplicatorPair } from '../../src/contract/applicators.ts'
import type { CrimpCounterList } from '../../src/contract/crimp-counters.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import type { Tx } from '../../src/server/store/db/db.ts'
import { insertSealingStation } from '../../src/server/store/sealing-stations.ts'
import { warnOfLookAlikes } from '../../src/server/upkeep/look-alikes.ts'
import { addUser, type Database, databases, NOON_MS, openTestPanel } from '../support/harness.ts'

type Row = { id: number; version: number } & Record<string, unknown>

const registers = [
  {
    url: '/api/miniaplicadores',
    first: 'terminal',
    second: 'miniaplicator',
    by: 'por-terminal',
    kind: 'applicator',
    insert: (tx: Tx, terminal: string, miniaplicator: string) =>
      insertApplicator(tx, { terminal, miniaplicator, at: NOON_MS }),
  },
  {
    url: '/api/sealingstations',
    first: 'seal',
    second: 'sealingStationName',
    by: 'por-selo',
    kind: 'sealing_station',
    insert: (tx: Tx, seal: string, sealingStationName: string) =>
      insertSealingStation(tx, { seal, sealingStationName, at: NOON_MS }),
  },
] as const
type Register = (typeof registers)[number]

async function setUp(database: Database, { url, first, second }: Register) {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'maria' })
  const { token } = await panel.login('maria')
  const form = (one: string, other: string) => ({ [first]: one, [second]: other })
  const list = async (): Promise<Row[]> => (await panel.ask(token, { url })).json()
  const create = (one: string, other: string) => panel.ask(token, { method: 'POST', url, payload: form(one, other) })
  const created = async (one: string, other: string): Promise<Row> => (await create(one, other)).json()
  const ifMatch = (version: number | null) => (version === null ? {} : { 'if-match': `"${version}"` })
  const update = (id: number, one: string, other: string, version: number | null = null) =>
    panel.ask(token, { method: 'PUT', url: `${url}/${id}`, headers: ifMatch(version), payload: form(one, other) })
  const remove = (id: number, version: number | null = null) =>
    panel.ask(token, { method: 'DELETE', url: `${url}/${id}`, headers: ifMatch(version) })
  const get = (path: string) => panel.ask(token, { url: `${url}/${path}` })
  return { ...panel, token, list, create, created, update, remove, get, names: [first, second] as const }
}

const said = (answer: { statusCode: number; json<T>(): T }) => {
  const { code, message } = answer.json<ErrorReply>()
  return [answer.statusCode, code, message]
}
const TWIN = [409, 'pair_exists', 'Este par já está cadastrado']
const OUTDATED = [409, 'changed_meanwhile', 'Registro alterado por outra pessoa. Recarregue.']
const GONE = [404, 'not_found', 'Não encontrado.']

describe.each(databases)('on %s', (database) => {
  describe.each(registers)('the pairs of $url', (register) => {
    test('are each there once, in whatever case and with whatever blanks around', async () => {
      const { create, created, update, list } = await setUp(database, register)
      const pair = await created('T1', 'Ímã 1')
      const other = await created('T1', 'MA-2')
      expect(said(await create(' t1', 'íMÃ 1 '))).toEqual(TWIN)
      expect(said(await update(other.id, 't1', 'ÍMÃ 1'))).toEqual(TWIN)
      // itself is no twin
      expect((await update(pair.id, 't1', 'ÍMÃ 1')).statusCode).toBe(200)
      expect((await list()).map(({ version }) => version).sort()).toEqual([1, 2])
      const twenty = await Promise.all(Array.from({ length: 20 }, () => create('T9', 'MA-9')))
      expect(twenty.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
      expect(
        twenty.filter((answer) => answer.statusCode === 409).every((answer) => said(answer)[1] === 'pair_exists'),
      ).toBe(true)
    })

    test('that somebody else has changed or deleted are left alone', async () => {
      const { created, update, remove, get, list } = await setUp(database, register)
      const pair = await created('T1', 'MA-1')
      expect((await update(pair.id, 'T2', 'MA-1', 1)).statusCode).toBe(200)
      expect(said(await update(pair.id, 'T3', 'MA-1', 1))).toEqual(OUTDATED)
      expect(said(await remove(pair.id, 1))).toEqual(OUTDATED)
      expect(await list()).toMatchObject([{ [register.first]: 'T2', version: 2 }])
      // whoever does not say what they saw is believed
      expect((await update(pair.id, 'T4', 'MA-1')).statusCode).toBe(200)
      expect((await remove(pair.id)).statusCode).toBe(200)
      for (const version of [null, 3]) {
        expect(said(await update(pair.id, 'T5', 'MA-1', version))).toEqual(GONE)
        expect(said(await remove(pair.id, version))).toEqual(GONE)
      }
      expect(said(await get(String(pair.id)))).toEqual(GONE)
    })

    test('of twenty who change the same version at once one is heard', async () => {
      const { created, update, list } = await setUp(database, register)
      const pair = await created('T1', 'MA-1')
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => update(pair.id, `T${n}`, 'MA-1', 1)))
      const heard = answers.filter(({ statusCode }) => statusCode === 200)
      expect(heard).toHaveLength(1)
      expect(answers.filter((answer) => answer.statusCode === 409).map(said)).toEqual(Array(19).fill(OUTDATED))
      expect(await list()).toEqual([heard[0]?.json()])
    })
  })

  test("a pair makes its tool's counter, and no change of pairs moves or erases one", async () => {
    const { create, created, update, remove, ask, token } = await setUp(database, registers[0])
    const counters = async () => {
      const { controlTable } = (await ask(token, { url: '/api/crimpagens' })).json<CrimpCounterList>()
      return controlTable.map((unit) => [unit.miniaplicator, unit.numberOfCrimps, unit.associatedTerminals.join()])
    }
    const limitOf = async (name: string, limitOfCrimps: number) => {
      const payload = { miniaplicator: name, limitOfCrimps }
      expect((await ask(token, { method: 'PUT', url: `/api/crimpagens/${name}/limit`, payload })).statusCode).toBe(200)
    }
    const pair = (await created('T1', 'MA-10')) as unknown as ApplicatorPair
    await created('T0', 'ma-10')
    await create('T1', 'MA-2')
    expect(await counters()).toEqual([
      ['MA-2', 0, 'T1'],
      ['MA-10', 0, 'T0,T1'],
    ])
    await limitOf('MA-10', 77)
    await update(pair.id, 'T1', 'MA-3')
    expect(await counters()).toEqual([
      ['MA-2', 0, 'T1'],
      ['MA-3', 0, 'T1'],
      ['MA-10', 0, 'T0'],
    ])
    await remove(pair.id)
    // without crimps a unit that no pair names is not shown, but it is what it was when one names it again
    expect((await counters()).map(([name]) => name)).toEqual(['MA-2', 'MA-10'])
    expect((await ask(token, { url: '/api/crimpagens/ma-10' })).json()).toMatchObject({ limitOfCrimps: 77 })
  })
})

describe.each(registers)('the pairs of $url', (register) => {
  test('are compared by what they look like, without the signs that nobody sees', async () => {
    const { create, created, update, list, names } = await setUp('sqlite', register)
    const pair = await created('T1', 'MA-1')
    for (const twin of ['MA–1', 'ma\u20111', 'MA\u22121']) expect(said(await create('T1', twin)), twin).toEqual(TWIN)
    const other = await created('T1', 'MA-2')
    expect(said(await update(other.id, 'T1', 'MA—1'))).toEqual(TWIN)
    expect((await update(pair.id, 'T1', 'MA–1')).statusCode, 'itself is no twin').toBe(200)
    expect(said(await create('T1\u200b', 'MA-2')), 'signs that nobody sees').toEqual(TWIN)
    const accented = await created('T1', 'Ímã 1'.normalize('NFD'))
    expect(accented[names[1]]).toBe('Ímã 1'.normalize('NFC'))
    expect(await list()).toHaveLength(3)
  })

  test('of before keep the bytes that they are counted by', async () => {
    const { create, update, list, db, names } = await setUp('sqlite', register)
    const old = 'Ímã 1'.normalize('NFD')
    await db.transaction((tx) => register.insert(tx, 'T1', old))
    const [pair] = await list()
    expect((await update(pair?.id ?? 0, 'T2', old)).statusCode).toBe(200)
    expect((await create('T3', old.normalize('NFC'))).statusCode).toBe(201)
    expect((await list()).map((row) => row[names[1]])).toEqual([old, old])
  })

  test('are at most 200 new ones an hour of an operator, an administrator’s are not counted', async () => {
    const { create, clock, context, login, ask } = await setUp('sqlite', register)
    for (let n = 0; n < 200; n++) expect((await create('T1', `MA-${n}`)).statusCode).toBe(201)
    const refused = await create('T1', 'MA-200')
    expect([...said(refused), refused.headers['retry-after']]).toEqual([
      429,
      'too_many_pairs',
      'São no máximo 200 cadastros novos por hora. Aguarde, ou peça a um administrador.',
      '600',
    ])
    await addUser(context, { username: 'ana', role: 'admin' })
    const { token } = await login('ana')
    const payload = { [register.first]: 'T1', [register.second]: 'MA-200' }
    for (let n = 200; n < 202; n++) {
      const one = { ...payload, [register.second]: `MA-${n}` }
      expect((await ask(token, { method: 'POST', url: register.url, payload: one })).statusCode).toBe(201)
    }
    clock.advance(3_600_001)
    expect((await create('T1', 'MA-300')).statusCode).toBe(201)
  })

  test('are created trimmed, changed with their version, and deleted', async () => {
    const { create, update, remove, get, list, clock, names } = await setUp('sqlite', register)
    const [first, second] = names
    const answer = await create('  T1 ', ' MA-1 ')
    expect([answer.statusCode, answer.headers.etag]).toEqual([201, '"1"'])
    const pair = answer.json<Row>()
    const at = new Date(clock.now()).toISOString()
    expect(pair).toEqual({ id: pair.id, [first]: 'T1', [second]: 'MA-1', createdAt: at, updatedAt: at, version: 1 })
    clock.advance(60_000)
    const changed = await update(pair.id, 'T2', 'MA-1', 1)
    expect([changed.statusCode, changed.headers.etag]).toEqual([200, '"2"'])
    const later = new Date(clock.now()).toISOString()
    expect(changed.json()).toEqual({ ...pair, [first]: 'T2', updatedAt: later, version: 2 })
    const read = await get(String(pair.id))
    expect([read.headers.etag, read.json()]).toEqual(['"2"', changed.json()])
    expect(await list()).toEqual([changed.json()])
    const gone = await remove(pair.id, 2)
    expect([gone.statusCode, gone.json(), await list()]).toEqual([200, { id: pair.id }, []])
  })

  test('say afterwards who registered, changed and deleted them', async () => {
    const { create, created, update, remove, list, clock, db, names } = await setUp('sqlite', register)
    const [first, second] = names
    const pair = await created(' T1 ', 'MA-1')
    clock.advance(1000)
    await update(pair.id, 'T2', 'MA-1')
    clock.advance(1000)
    const [changed] = await list()
    // what was refused is no deed
    await create('T2', 'MA-1')
    await update(pair.id, 'T3', 'MA-1', 1)
    await remove(pair.id, 1)
    await remove(pair.id)
    await remove(pair.id)
    const entries = await db.read.selectFrom('audit_entries').selectAll().orderBy('id').execute()
    const at = clock.now()
    const common = { user_name: 'maria', subject_kind: register.kind, subject_id: String(pair.id), reason: null }
    expect(entries.map(({ details_json, ...entry }) => ({ ...entry, details: JSON.parse(details_json) }))).toEqual(
      [
        { at: at - 2000, action: 'pair_created', details: { is: { [first]: 'T1', [second]: 'MA-1' } } },
        { at: at - 1000, action: 'pair_changed', details: { was: pair, is: { [first]: 'T2', [second]: 'MA-1' } } },
        { at, action: 'pair_deleted', details: { was: changed } },
      ].map((entry) => expect.objectContaining({ ...common, ...entry })),
    )
  })

  test('are found by their first name however the address is written', async () => {
    const { created, app, token } = await setUp('sqlite', register)
    const pair = await created('T/1 ç', 'MA-1')
    const path = `${register.url}/${register.by}/${encodeURIComponent('t/1 Ç')}`
    for (const url of [path, path.replace('miniaplicadores', 'MiniAplicadores').replace('sealing', 'Sealing')]) {
      const answer = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      expect(answer.json(), url).toEqual([pair])
    }
    const nobody = await app.inject({
      url: `${register.url}/${register.by}`,
      headers: { authorization: `Bearer ${token}` },
    })
    expect(nobody.statusCode).toBe(400)
  })

  test('are listed at once even when they are 5,000', async () => {
    const { create, list, db } = await setUp('sqlite', register)
    await create('T0', 'MA-0')
    const table = register.first === 'seal' ? 'sealing_stations' : 'applicators'
    const [row] = await db.read.selectFrom(table).selectAll().execute()
    const copies = Array.from({ length: 5000 }, (_, n) => {
      const { id: _id, ...copy } = row as Record<string, unknown>
      return table === 'applicators'
        ? { ...copy, terminal: `T${n + 1}`, terminal_key: `t${n + 1}` }
        : { ...copy, seal: `T${n + 1}`, seal_key: `t${n + 1}` }
    })
    await db.transaction(async (tx) => {
      for (let at = 0; at < copies.length; at += 500) {
        await tx
          .insertInto(table)
          .values(copies.slice(at, at + 500) as never)
          .execute()
      }
    })
    expect(await list()).toHaveLength(5001)
  })
})

test('the version is read as an ETag or as a bare number, and anything else is refused', async () => {
  const { created, ask, token } = await setUp('sqlite', registers[0])
  const { id } = await created('T1', 'MA-1')
  const answerTo = async (seen: string) => {
    const payload = { terminal: 'T1', miniaplicator: 'MA-1' }
    const request = { method: 'PUT' as const, url: `/api/miniaplicadores/${id}`, payload }
    const answer = await ask(token, { ...request, headers: { 'if-match': seen } })
    return [answer.statusCode, answer.json<ErrorReply>().details]
  }
  const wrong = [400, [{ field: 'If-Match', message: 'Esperada a versão do registro' }]]
  for (const seen of ['x', '', 'W/"1"', '-1', '1, 2', '"1234567890123456"']) {
    expect(await answerTo(seen), seen).toEqual(wrong)
  }
  for (const seen of ['"1"', '2', '*']) expect(await answerTo(seen), seen).toEqual([200, undefined])
  expect(await answerTo('1')).toEqual([409, undefined])
})

test("what stands for 'none' is no tool, in whatever case", async () => {
  const { create, list } = await setUp('sqlite', registers[0])
  for (const name of ['Sem Cadastro', ' sem cadastro ', 'SEM CADASTRO']) {
    const answer = await create('T1', name)
    expect(answer.statusCode).toBe(400)
    expect(answer.json<ErrorReply>().details).toEqual([
      { field: 'miniaplicator', message: "'Sem Cadastro' não conta crimpagens: escolha outro nome" },
    ])
  }
  expect(await list()).toEqual([])
})

test('what already means something in the address of a counter names no tool, in whatever case', async () => {
  const { create, list } = await setUp('sqlite', registers[0])
  for (const name of ['history', ' History ', 'export-csv', 'MAINTENANCE-PENDING', '.', '..']) {
    const answer = await create('T1', name)
    expect(answer.statusCode, name).toBe(400)
    expect(answer.json<ErrorReply>().details).toEqual([
      { field: 'miniaplicator', message: 'Este nome é reservado: escolha outro nome' },
    ])
  }
  expect(await list()).toEqual([])
  expect((await create('T1', '...')).statusCode).toBe(201)
})

test('names of before that look alike are in the log of the start', async () => {
  const { context, db, logs } = await openTestPanel({ env: { LOG_LEVEL: 'warn' } })
  await warnOfLookAlikes(context)
  expect(logs).toEqual([])
  await db.transaction(async (tx) => {
    for (const { insert } of registers) for (const name of ['MA-1', 'MA–1']) await insert(tx, 'T1', name)
  })
  await warnOfLookAlikes(context)
  expect(logs.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: 'names that look alike are registered', names: ['MA-1 = MA–1', 'MA-1 = MA–1'], count: 2 },
  ])
})
