import { describe, expect, test } from 'vitest'
import { type LogEntry, type LogLevel, logLevels } from '../../src/contract/log-entries.ts'
import { toInstant } from '../../src/domain/plant/plant-time.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import {
  deleteOldLogEntries,
  insertLogEntries,
  type LogFilter,
  listLogEntries,
  type NewLogEntry,
} from '../../src/server/store/log-entries.ts'
import { lossText, openLog, openLogKeeper, WAITING_COUNT_MAX } from '../../src/server/upkeep/log-keeper.ts'
import { knownTexts } from '../../src/server/upkeep/log-texts.ts'
import { addUser, databases, openStore, openTestDb, openTestPanel } from '../support/harness.ts'
import { startOwnMariadb } from '../support/mariadb.ts'
import { openAnother } from '../support/store.ts'
import { isTest, listFiles, parseSource, readText } from '../support/tidy/source.ts'

const HOUR_MS = 3_600_000

async function setUp(options: Parameters<typeof openTestPanel>[0]) {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'maria' })
  await addUser(panel.context, { username: 'ana', fullName: 'Ana Lima', role: 'admin' })
  const { token: operator } = await panel.login('maria')
  const { token: admin } = await panel.login('ana')
  const list = async (query: Record<string, string> = {}): Promise<LogEntry[]> => {
    const answer = await panel.ask(admin, { url: '/api/logs', query })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  const insert = (...entries: Partial<NewLogEntry>[]) =>
    panel.db.transaction((tx) => insertLogEntries(tx, entries.map(entryOf)))
  return { ...panel, operator, admin, list, insert }
}

const entryOf = (entry: Partial<NewLogEntry>): NewLogEntry => ({
  at: 1,
  level: 'Info',
  source: 'servidor-01 (1)',
  message: 'Servidor iniciado',
  error: null,
  detailsJson: null,
  ...entry,
})

const messagesOf = (entries: readonly LogEntry[]) => entries.map(({ message }) => message)
const everything: LogFilter = { minLevel: 'Info', from: 0, to: Number.MAX_SAFE_INTEGER, text: '', countMax: 10_000 }
const storedIn = async (db: Db) => await listLogEntries(db.read, everything)

describe.each(databases)('the log of the servers on %s', (database) => {
  test('level, period, text and count narrow what is read', async () => {
    const { insert, list, clock } = await setUp({ database })
    const at = (hour: number) => clock.now() + hour * HOUR_MS
    await insert(...logLevels.map((level, hour) => ({ level, at: at(hour), message: `entrada ${hour}` })))
    await insert(
      { at: at(1), message: 'igual na hora', detailsJson: '{"recording":"ABC-1"}' },
      { at: at(2), level: 'Error', message: 'com pilha', error: 'Error: Conexão Perdida\n at x' },
    )
    const listed = async (query: Record<string, string>) =>
      messagesOf(await list({ startDate: toInstant(at(0)), ...query }))
    const all = ['entrada 3', 'com pilha', 'entrada 2', 'igual na hora', 'entrada 1', 'entrada 0']
    expect(await listed({})).toEqual(all)
    expect(await listed({ minLevel: 'Warning' })).toEqual(['entrada 3', 'com pilha', 'entrada 2', 'entrada 1'])
    expect(await listed({ minLevel: 'Critical' })).toEqual(['entrada 3'])
    expect(await listed({ startDate: toInstant(at(1)), endDate: toInstant(at(2)) })).toEqual(all.slice(1, 5))
    expect(await listed({ maxCount: '2' })).toEqual(all.slice(0, 2))
    expect(await listed({ texto: ' abc-1 ' })).toEqual(['igual na hora'])
    expect(await listed({ texto: 'CONEXÃO' })).toEqual(['com pilha'])
    expect(await listed({ texto: '%' })).toEqual([])
    expect(await listed({ texto: 'servidor-01', minLevel: 'Error', maxCount: '1' })).toEqual(['entrada 3'])
  })

  test('a text is found behind thousands of others, of which many are of one moment', async () => {
    const db = await openStore(database)
    const many = Array.from({ length: 2500 }, (_, n) => entryOf({ at: 1000 + Math.floor(n / 900), message: `n${n}.` }))
    await db.transaction((tx) => insertLogEntries(tx, many))
    const found = async (text: string, countMax = 10) =>
      messagesOf(await listLogEntries(db.read, { ...everything, text, countMax }))
    expect(await found('N13.')).toEqual(['n13.'])
    expect(await found('', 2500)).toEqual(many.map(({ message }) => message).toReversed())
  })

  test('who looks for a text behind thousands of others keeps nobody waiting', async () => {
    const db = await openStore(database)
    const many = Array.from({ length: 2500 }, () => entryOf({}))
    await db.transaction((tx) => insertLogEntries(tx, many))
    let turns = 0
    let turn = setImmediate(function count() {
      turns++
      turn = setImmediate(count)
    })
    expect(await listLogEntries(db.read, { ...everything, text: 'nirgends' })).toEqual([])
    clearImmediate(turn)
    expect(turns).toBeGreaterThan(1)
  })

  test('who cleared it is the first entry in it, and stands in the audit trail', async () => {
    const { ask, admin, db, clock, insert, list, context } = await setUp({ database })
    await insert({}, {}, {})
    context.log.info('the server has started')
    const { removed } = (await ask(admin, { method: 'DELETE', url: '/api/logs' })).json()
    // the two log-ins among them
    expect(removed).toBe(6)
    clock.advance(1000)
    context.log.info('the server is stopping')
    expect(messagesOf(await list())).toEqual(['Servidor encerrando', 'Log limpo por Ana Lima'])
    expect(await db.read.selectFrom('audit_entries').selectAll().execute()).toMatchObject([
      { action: 'log_cleared', subject_kind: 'log', user_name: 'ana', details_json: '{"removed":6}' },
    ])
  })

  test('what is old goes; of each level what repeats most becomes one line that says how often, and all else stays', async () => {
    const db = await openStore(database)
    const storm = (level: LogLevel, count: number, message: string, at = 2000) =>
      Array.from({ length: count }, (_, n) => entryOf({ level, at: at + n, message, detailsJson: `{"n":${n}}` }))
    const tidy = () => db.transaction((tx) => deleteOldLogEntries(tx, 1000, 20))
    const left = async (level: LogLevel) =>
      (await storedIn(db)).filter((entry) => entry.level === level).map(({ message }) => message)
    await db.transaction(async (tx) => {
      await insertLogEntries(tx, [entryOf({ level: 'Critical', at: 999, message: 'velha' })])
      await insertLogEntries(tx, [entryOf({ level: 'Critical', at: 1000, message: 'grave' })])
      await insertLogEntries(tx, [entryOf({ at: 1001, message: 'rara' }), ...storm('Info', 1202, 'tempestade')])
      await insertLogEntries(tx, [...storm('Info', 3, 'às vezes', 5000), ...storm('Error', 20, 'erro')])
    })
    await tidy()
    expect(await left('Critical')).toEqual(['grave'])
    expect(await left('Error')).toEqual(Array(20).fill('erro'))
    // down to nine tenths of the room
    const rest = [...Array(13).fill('tempestade'), 'tempestade (1.189 vezes)', 'rara']
    expect(await left('Info')).toEqual([...Array(3).fill('às vezes'), ...rest])
    await db.transaction((tx) => insertLogEntries(tx, storm('Info', 15, 'tempestade', 6000)))
    await tidy()
    expect(await left('Info')).toEqual([
      ...Array(13).fill('tempestade'),
      ...Array(3).fill('às vezes'),
      ...['tempestade (1.204 vezes)', 'rara'],
    ])
    expect((await storedIn(db)).at(-3)).toMatchObject({ timestamp: toInstant(2000), additionalData: '{"times":1204}' })
  })

  test('where nothing repeats the oldest go', async () => {
    const db = await openStore(database)
    const many = Array.from({ length: 30 }, (_, n) => entryOf({ at: 1000 + n, message: `n${n}` }))
    await db.transaction(async (tx) => {
      await insertLogEntries(tx, many)
      await deleteOldLogEntries(tx, 0, 10)
    })
    expect(messagesOf(await storedIn(db))).toEqual(Array.from({ length: 9 }, (_, n) => `n${29 - n}`))
  })
})

describe('the log of the servers', () => {
  test('pino writes, an administrator reads, the newest first', async () => {
    // a start that makes the tables says so
    const { app, context, errors, clock, list } = await setUp({ db: await openTestDb('sqlite') })
    const { log } = context
    await app.listen({ port: 0, listenTextResolver: () => 'the server listens' })
    log.debug('too fine to be kept')
    log.info({ version: '1' }, 'the server has started')
    log.warn(
      { err: Object.assign(new Error('connection lost'), { code: 'ECONNRESET' }) },
      'the database is out of reach',
    )
    log.error({ recording: 7 }, 'something that nobody has put into Portuguese')
    log.fatal('the end')
    errors.length = 0
    const entries = await list()
    expect(entries.map(({ level, message }) => [level, message])).toEqual([
      ['Critical', 'the end'],
      ['Error', 'something that nobody has put into Portuguese'],
      ['Warning', 'Banco de dados fora de alcance'],
      ['Info', 'Servidor iniciado'],
      ['Info', 'Banco de dados atualizado para esta versão'],
      ['Info', 'Servidor pronto para receber chamadas'],
      ['Info', 'Ana Lima entrou'],
      ['Info', 'Maria Souza entrou'],
    ])
    expect(messagesOf(await list({ texto: 'ana lima' }))).toEqual(['Ana Lima entrou'])
    expect(entries[1]).toMatchObject({ error: null, additionalData: '{"recording":7}' })
    expect(entries[2]?.error).toMatch(/^\[ECONNRESET] Error: connection lost\n\s+at /)
    for (const { source, timestamp } of entries) {
      expect(source).toMatch(/^.+ \(\d+\)$/)
      expect(Math.abs(Date.parse(timestamp) - clock.now())).toBeLessThan(HOUR_MS)
    }
  })

  test('the period must not be reversed, and there are bounds', async () => {
    const { ask, admin } = await setUp({})
    const codes: unknown[] = []
    for (const query of [
      { startDate: '2026-11-22T00:00:00Z', endDate: '2026-11-21T00:00:00Z' },
      { maxCount: '5001' },
      { maxCount: '0' },
      { minLevel: 'Debug' },
      { startDate: '21/11/2026' },
    ]) {
      codes.push((await ask(admin, { url: '/api/logs', query })).json().code)
    }
    expect(codes).toEqual(['period_reversed', ...Array(4).fill('input_invalid')])
  })

  test('only administrators read it, clear it and write test entries', async () => {
    const { app, ask, operator, insert, list } = await setUp({})
    await insert({ message: 'fica' })
    for (const request of [
      { method: 'GET', url: '/api/logs' },
      { method: 'DELETE', url: '/api/logs' },
      { method: 'GET', url: '/api/logs/test' },
    ] as const) {
      const answer = await ask(operator, request)
      expect([answer.statusCode, answer.json().message]).toEqual([403, 'Acesso não permitido'])
      expect((await app.inject(request)).statusCode).toBe(401)
    }
    expect(messagesOf(await list())).toContain('fica')
  })

  test('one test entry of each level', async () => {
    const { ask, admin, list } = await setUp({})
    expect((await ask(admin, { url: '/api/logs/test' })).json()).toEqual({ written: 4 })
    const entries = await list({ texto: 'Entrada de teste' })
    expect(entries.map(({ level }) => level)).toEqual(logLevels.toReversed())
    expect(entries[0]).toMatchObject({ message: 'Entrada de teste: crítico', additionalData: '{"user":"ana"}' })
  })

  test('are written ten times a minute by one person, and each time stands in the audit trail', async () => {
    const panel = await setUp({})
    const { ask, admin, db, clock, context } = panel
    await addUser(context, { username: 'rui', role: 'admin' })
    const write = async (token = admin) => await ask(token, { url: '/api/logs/test' })
    for (let n = 0; n < 10; n++) expect((await write()).statusCode).toBe(200)
    const another = (await panel.login('ana')).token
    const refused = await write(another)
    expect([refused.statusCode, refused.headers['retry-after'], refused.json().code]).toEqual([
      429,
      '6',
      'too_many_attempts',
    ])
    expect((await write((await panel.login('rui')).token)).statusCode, 'of another person').toBe(200)
    clock.advance(6000)
    expect((await write()).statusCode).toBe(200)
    const trail = await db.read.selectFrom('audit_entries').selectAll().execute()
    expect(trail.map(({ action, subject_kind, user_name }) => [action, subject_kind, user_name])).toEqual([
      ...Array(10).fill(['log_tested', 'log', 'ana']),
      ...[
        ['log_tested', 'log', 'rui'],
        ['log_tested', 'log', 'ana'],
      ],
    ])
  })

  test('nothing that opens a session or the ERP is stored, and nothing of endless length', async () => {
    const db = await openStore('sqlite')
    const keeper = openLogKeeper(Date.now)
    const log = openLog('silent', keeper, { write: () => expect.unreachable('nothing is printed') })
    const CANARY = 'c4n4r1o-secreto'
    log.warn({ password: CANARY, token: CANARY, cookie: CANARY, authorization: CANARY }, 'no answer')
    log.error({ headers: { authorization: CANARY, cookie: CANARY }, body: { password: CANARY, token: CANARY } })
    log.error(
      { err: new Error('x'.repeat(100_000)), long: 'y'.repeat(100_000) },
      `${'z'.repeat(499)}😀${'z'.repeat(100)}`,
    )
    await keeper.flush({ db, now: Date.now })
    const entries = await storedIn(db)
    expect(entries).toHaveLength(3)
    expect(JSON.stringify(entries)).not.toContain(CANARY)
    expect(JSON.stringify(entries)).toContain('[Redacted]')
    expect(JSON.stringify(entries[0]).length).toBeLessThan(7000)
  })
})

test('while the database is away the newest wait, and how many were lost is said', async () => {
  const { url, kill, restart } = await startOwnMariadb()
  const db = openAnother(url)
  await migrate(db)
  const keeper = openLogKeeper(Date.now)
  const log = openLog('silent', keeper)
  await kill()
  for (let n = 1; n <= WAITING_COUNT_MAX + 10; n++) log.warn(`n${n}`)
  await keeper.flush({ db, now: Date.now })
  log.error('while it is away')
  await keeper.flush({ db, now: Date.now })
  await restart()
  await keeper.flush({ db, now: Date.now })
  await keeper.flush({ db, now: Date.now })
  const stored = await storedIn(db)
  expect(stored).toHaveLength(WAITING_COUNT_MAX + 1)
  const messages = new Set(messagesOf(stored))
  expect(
    ['n11', 'n12', `n${WAITING_COUNT_MAX + 10}`, 'while it is away', lossText(11)].map((m) => messages.has(m)),
  ).toEqual([false, ...Array(4).fill(true)])
})

test('what was thrown is said, an error or not', async () => {
  const db = await openStore('sqlite')
  const keeper = openLogKeeper(Date.now)
  const log = openLog('silent', keeper, { write: () => expect.unreachable('nothing is printed') })
  const thrown = ['só um texto', { code: 7 }, null, Object.assign(new TypeError('quebrou'), { stack: '' })]
  for (const err of thrown) log.error({ err }, 'a handler failed')
  log.error({ err: 'só um texto' })
  await keeper.flush({ db, now: Date.now })
  const stored = (await storedIn(db)).toReversed()
  expect(stored.map(({ error }) => error)).toEqual([
    'só um texto',
    '{"code":7}',
    'null',
    'TypeError: quebrou',
    'só um texto',
  ])
  expect(stored.at(-1)?.message).toBe('só um texto')
})

test('a storm is kept within its bounds while it is stored', async () => {
  const db = await openStore('sqlite')
  const keeper = openLogKeeper(Date.now)
  const log = openLog('silent', keeper)
  const storeMany = async (count: number, level: 'info' | 'error') => {
    for (let n = 0; n < count; n++) log[level]('storm')
    await keeper.flush({ db, now: Date.now })
  }
  await storeMany(3, 'error')
  for (let round = 0; round < 8; round++) await storeMany(WAITING_COUNT_MAX, 'info')
  const stored = await db.read
    .selectFrom('log_entries')
    .select((e) => ['level', e.fn.countAll<number>().as('count')])
    .groupBy('level')
    .orderBy('level')
    .execute()
  expect(stored[1]).toEqual({ level: 2, count: 3 })
  expect(stored[0]?.count).toBeLessThanOrEqual(30_000)
})

test('a storm under a clock that has jumped ahead deletes nothing for its age', async () => {
  const db = await openStore('sqlite')
  const keeper = openLogKeeper(Date.now)
  const log = openLog('silent', keeper)
  log.error('before the jump')
  await keeper.flush({ db, now: Date.now })
  for (let n = 0; n < WAITING_COUNT_MAX; n++) log.info('storm')
  await keeper.flush({ db, now: () => Date.now() + 400 * 24 * HOUR_MS })
  const errors = await listLogEntries(db.read, { ...everything, minLevel: 'Error' })
  expect(messagesOf(errors)).toEqual(['before the jump'])
})

test('an entry that the database never takes does not keep the others out', async () => {
  const db = await openStore('sqlite')
  const keeper = openLogKeeper(Date.now)
  const refusing = { transaction: () => Promise.reject(new Error('no such column')) }
  keeper.add({ level: 'Error', message: 'nunca', error: null, detailsJson: null })
  await keeper.flush({ db: refusing, now: Date.now })
  keeper.add({ level: 'Info', message: 'depois', error: null, detailsJson: null })
  await keeper.flush({ db, now: Date.now })
  expect(messagesOf(await storedIn(db)).toSorted()).toEqual([lossText(1), 'depois'])
})

/** Calls such as `log.warn({ … }, 'text')`, and what they say. */
function saidIn(path: string): string[] {
  const { nodes, text } = parseSource(path, readText(path))
  return nodes
    .filter(({ type, start, end }) => type === 'CallExpression' && LOGS.test(text.slice(start, end)))
    .map((call) => {
      const said = (call.arguments as { value?: unknown }[]).at(-1)?.value
      return typeof said === 'string' ? said : `${path}: ${text.slice(call.start, call.end)}`
    })
}
const LOGS = /^(\w+\.)*log\.(info|warn|error|fatal)\(/

test('what a server logs is there in Portuguese too', () => {
  const files = listFiles().filter((path) => path.startsWith('src/server/') && path.endsWith('.ts') && !isTest(path))
  const said = new Set([...files.flatMap(saidIn), 'the server listens'])
  expect(said.size).toBeGreaterThan(30)
  expect(
    [...said].filter((text) => !knownTexts.has(text)),
    'missing in log-texts.ts',
  ).toEqual([])
  expect(
    [...knownTexts].filter((text) => !said.has(text)),
    'said nowhere',
  ).toEqual([])
})
