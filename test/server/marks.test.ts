import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHANGES_MARK_HEADER, MARK_HEADER } from '../../src/contract/endpoint.ts'
import type { EpochState } from '../../src/contract/epochs.ts'
import type { SystemHealth } from '../../src/contract/health.ts'
import { sign } from '../../src/server/http/signatures.ts'
import { findDoubtedAt, listWitnesses } from '../../src/server/store/epoch-witnesses.ts'
import { bringFutureBack } from '../../src/server/store/future-times.ts'
import { findNewestChangeId } from '../../src/server/store/live-changes.ts'
import { findSetting } from '../../src/server/store/settings.ts'
import {
  addUser,
  crimpOf,
  cutOf,
  databases,
  measurementOf,
  openTestPanel,
  temporaryFolder,
} from '../support/harness.ts'
import { limitMs } from '../support/slowness.ts'

type Panel = Awaited<ReturnType<typeof setUp>>

async function setUp(options: Parameters<typeof openTestPanel>[0]) {
  const panel = await openTestPanel({ simulator: { dedup: false }, ...options })
  await addUser(panel.context, { username: 'operador' })
  await addUser(panel.context, { username: 'outro' })
  const { token } = await panel.login('operador')
  return { ...panel, token }
}

const epochOf = ({ db }: Pick<Panel, 'db'>) => findSetting(db.read, 'epoch')

const recordMarked = (
  panel: Panel,
  pieces: number,
  { id = randomUUID() as string, mark = '', more = {}, who = panel.token } = {},
) =>
  panel.ask(who, {
    method: 'POST',
    url: '/api/apontamentos/corte-crimpagem',
    headers: { 'idempotency-key': id, ...(mark ? { [MARK_HEADER]: mark } : {}) },
    payload: { ...crimpOf(pieces), captura: more },
  })

/** As a file that was copied back: the rows are gone, the epoch is the same. */
async function forgetLast({ db }: Panel, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of ['erp_outbox', 'recordings'] as const) await tx.deleteFrom(table).where('id', '=', id).execute()
    await tx.deleteFrom('crimp_ledger').where('recording_id', '=', id).execute()
  })
}

/** The database has the first recording, and one of another tablet that still waits for the ERP. */
async function goBack(panel: Panel) {
  const [first, second] = [randomUUID(), randomUUID()]
  await recordMarked(panel, 3, { id: first })
  const answer = await recordMarked(panel, 4, { id: second })
  const mark = String(answer.headers[MARK_HEADER])
  const epoch = await epochOf(panel)
  expect((await recordMarked(panel, 4, { id: second, mark })).statusCode, 'nothing is missing').toBe(201)
  expect(await epochOf(panel)).toBe(epoch)
  await forgetLast(panel, second)
  await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
  expect((await recordMarked(panel, 2)).statusCode).toBe(202)
  await panel.db.transaction((tx) => tx.updateTable('erp_outbox').set({ seq: 2 }).where('state', '=', 'new').execute())
  await panel.simulator.state.setFaults([])
  return { second, epoch: String(epoch), ahead: sign(panel.context.keys, 'mark', { epoch, seq: 10 }) }
}

const statesOf = async ({ db }: Panel) =>
  (await db.read.selectFrom('erp_outbox').select('state').orderBy('seq').execute()).map(({ state }) => state)

async function deliverAll({ clock, context }: Panel) {
  for (let round = 0; round < 6; round++) {
    clock.advance(200_000)
    await context.outbox.deliverDue()
  }
}

describe.each(databases)('a database that went back behind everybody on %s', (database) => {
  test('is found out by what two tablets have seen: a new epoch begins, and nothing is sent twice', async () => {
    const panel = await setUp({ database })
    const { second, epoch, ahead } = await goBack(panel)
    const more = { salvoNoDispositivo: true }
    const other = (await panel.login('outro')).token
    expect((await recordMarked(panel, 4, { id: second, mark: ahead, more })).statusCode, 'one is refused nothing').toBe(
      202,
    )
    expect(await epochOf(panel)).toBe(epoch)
    expect((await recordMarked(panel, 1, { mark: ahead, who: other })).statusCode).toBe(503)
    expect(await epochOf(panel)).not.toBe(epoch)
    expect(panel.errors.splice(0)).toHaveLength(1)
    const audit = await panel.db.read.selectFrom('audit_entries').selectAll().execute()
    expect(audit).toMatchObject([{ action: 'epoch_begun', user_name: 'painel' }])
    expect(await statesOf(panel), 'asked about before they are sent').toEqual(['confirmed', 'unknown', 'unknown'])
    const tried = { ...more, tentadoAntes: { epoca: epoch } }
    expect((await recordMarked(panel, 4, { id: second, mark: ahead, more: tried })).statusCode).toBe(202)
    await deliverAll(panel)
    expect(panel.simulator.state.writes.map(({ pieces }) => pieces)).toEqual([3, 4, 2])
  })

  test(
    'while one tablet alone says so, what waits is asked about before it is sent, and then goes on',
    async () => {
      const panel = await setUp({ database })
      const { second, epoch, ahead } = await goBack(panel)
      const more = { salvoNoDispositivo: true }
      for (let times = 0; times < 2; times++)
        expect((await recordMarked(panel, 4, { id: second, mark: ahead, more })).statusCode).toBe(202)
      await deliverAll(panel)
      expect([await epochOf(panel), panel.errors.length]).toEqual([epoch, 0])
      expect(
        panel.simulator.state.writes.map(({ pieces }) => pieces),
        'none is doubled',
      ).toEqual([3, 4, 2])
      expect(await statesOf(panel)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    },
    limitMs(30_000),
  )

  test(
    'shown by two tablets at once begins one epoch',
    async () => {
      const panel = await setUp({ database })
      const { epoch, ahead } = await goBack(panel)
      const other = (await panel.login('outro')).token
      const statuses = await Promise.all(
        [panel.token, other].map(async (who) => (await recordMarked(panel, 1, { mark: ahead, who })).statusCode),
      )
      expect(statuses, 'one at least learns of it').toContain(503)
      expect(await epochOf(panel)).not.toBe(epoch)
      expect(panel.errors.splice(0)).toHaveLength(1)
    },
    limitMs(30_000),
  )

  test('is not believed of a mark that nobody here has signed, nor of another epoch', async () => {
    const panel = await setUp({ database })
    await recordMarked(panel, 3)
    const epoch = await epochOf(panel)
    const forged = sign({ current: Buffer.alloc(32, 1), former: null }, 'mark', { epoch, seq: 1000 })
    const foreign = sign(panel.context.keys, 'mark', { epoch: 'outra', seq: 1000 })
    for (const mark of [forged, foreign, 'x', 'x.y']) {
      expect((await recordMarked(panel, 1, { mark })).statusCode, mark).toBe(201)
    }
    const ahead = sign(panel.context.keys, 'mark', { epoch, seq: 1000 })
    expect((await panel.app.inject({ url: '/api/status', headers: { [MARK_HEADER]: ahead } })).statusCode).toBe(200)
    expect(await epochOf(panel)).toBe(epoch)
  })
})

test('of a plant that has only measured is found out by how far its other acts had come', async () => {
  const panel = await setUp({})
  const tokens = [panel.token, (await panel.login('outro')).token]
  const measure = (token: string | undefined) =>
    panel.ask(token ?? '', {
      method: 'POST',
      url: '/api/medicoes',
      headers: { 'idempotency-key': randomUUID() },
      payload: measurementOf(),
    })
  await measure(tokens[0])
  const before = await findNewestChangeId(panel.db.read)
  const mark = String((await measure(tokens[1])).headers[CHANGES_MARK_HEADER])
  const epoch = await epochOf(panel)
  await panel.db.transaction((tx) => tx.deleteFrom('live_changes').where('id', '>', before).execute())
  const said = async (token: string | undefined) => {
    const headers = { [CHANGES_MARK_HEADER]: mark }
    return (await panel.ask(token ?? '', { method: 'POST', url: '/api/auth/validate', headers })).statusCode
  }
  expect([await said(tokens[0]), await epochOf(panel)], 'one alone').toEqual([200, epoch])
  expect(await said(tokens[1])).toBe(503)
  expect(await epochOf(panel)).not.toBe(epoch)
  expect(panel.errors.splice(0)).toHaveLength(1)
})

test('is found out at the start by what this server itself had seen of it', async () => {
  const folder = temporaryFolder()
  const panel = await setUp({ env: { DATA_DIR: folder } })
  await panel.record(panel.token, cutOf(1))
  const epoch = await epochOf(panel)
  const again = await openTestPanel({ db: panel.db, env: { DATA_DIR: folder } })
  expect(await epochOf(again), 'nothing is missing').toBe(epoch)
  await panel.db.transaction((tx) => tx.deleteFrom('erp_outbox').execute())
  const younger = await openTestPanel({ db: panel.db, env: { DATA_DIR: folder } })
  expect(await epochOf(younger)).not.toBe(epoch)
  expect(younger.errors.splice(0)).toHaveLength(1)
})

test('is found out at the start by the second file alone, and the first one means what it meant to the version before', async () => {
  const folder = temporaryFolder()
  const panel = await setUp({ env: { DATA_DIR: folder } })
  expect((await panel.record(panel.token, cutOf(1))).statusCode).toBe(201)
  const epoch = String(await epochOf(panel))
  const files = readdirSync(join(folder, 'marcas')).toSorted()
  expect(files).toEqual([epoch, `${epoch}.mudancas`])
  expect(readFileSync(join(folder, 'marcas', epoch), 'utf8')).toBe('1')
  writeFileSync(join(folder, 'marcas', `${epoch}.mudancas`), '1000')
  const younger = await openTestPanel({ db: panel.db, env: { DATA_DIR: folder } })
  expect(await epochOf(younger)).not.toBe(epoch)
  expect(younger.errors.splice(0)).toHaveLength(1)
})

test('does not go back for a tablet of the version before, nor for one that hands a mark of one sort on as the other', async () => {
  const panel = await setUp({})
  const { headers } = await recordMarked(panel, 1)
  const epoch = await epochOf(panel)
  const changes = sign(panel.context.keys, 'mark-of-changes', { epoch, seq: 1000 })
  expect((await recordMarked(panel, 1, { mark: String(headers[MARK_HEADER]) })).statusCode).toBe(201)
  expect((await recordMarked(panel, 1, { mark: changes })).statusCode).toBe(201)
  expect([await epochOf(panel), (await listWitnesses(panel.db.read, String(epoch))).length]).toEqual([epoch, 0])
})

test('of whose going back a clock that ran ahead has heard is doubted from the moment on that the clock is right', async () => {
  const panel = await setUp({})
  const { ahead } = await goBack(panel)
  panel.clock.set(400 * 86_400_000)
  const { token } = await panel.login('operador')
  await panel.ask(token, { method: 'POST', url: '/api/auth/validate', headers: { [MARK_HEADER]: ahead } })
  expect(await findDoubtedAt(panel.db.read)).not.toBeNull()
  panel.clock.set(-400 * 86_400_000)
  await panel.db.transaction((tx) =>
    bringFutureBack(tx, { now: panel.clock.now(), timeZone: 'America/Sao_Paulo', writeTimeoutMs: 1000 }),
  )
  expect(await findDoubtedAt(panel.db.read)).toBeLessThanOrEqual(panel.clock.now())
})

test('does not lower what this server had seen of it, though it answers with less', async () => {
  const folder = temporaryFolder()
  const panel = await setUp({ env: { DATA_DIR: folder } })
  const file = join(folder, 'marcas', String(await epochOf(panel)))
  mkdirSync(join(folder, 'marcas'))
  writeFileSync(file, '1000')
  expect((await panel.record(panel.token, cutOf(1))).statusCode).toBe(201)
  expect(readFileSync(file, 'utf8')).toBe('1000')
})

describe('where one tablet alone says that something is missing', () => {
  const url = '/api/sistema/epoca'
  const setUpDoubt = async (options: Parameters<typeof setUp>[0] = {}) => {
    const panel = await setUp(options)
    await addUser(panel.context, { username: 'admin', role: 'admin' })
    const { second, epoch, ahead } = await goBack(panel)
    await recordMarked(panel, 4, { id: second, mark: ahead, more: { salvoNoDispositivo: true } })
    const { token: admin } = await panel.login('admin')
    const read = async () => (await panel.ask(admin, { url })).json<EpochState>()
    const decide = async (decisao: string) =>
      // as whoever has just typed the password
      await panel.ask((await panel.login('admin')).token, {
        method: 'POST',
        url,
        payload: { decisao, motivo: 'Conferido com o PCP' },
      })
    const audited = async () =>
      (await panel.db.read.selectFrom('audit_entries').selectAll().execute()).map(({ action, user_name, reason }) => [
        ...[action, user_name, reason],
      ])
    const alarmsOn = async () => {
      const { alarms } = (await panel.ask(admin, { url: '/api/sistema' })).json<SystemHealth>()
      return alarms.filter(({ isOn }) => isOn).map(({ kind }) => kind)
    }
    return { ...panel, epoch, ahead, read, decide, audited, alarmsOn }
  }

  test('an administrator sees what is missing, and may begin a new epoch 15 minutes later, not before', async () => {
    const panel = await setUpDoubt()
    const { read, decide, clock, epoch } = panel
    const { begun, doubt } = await read()
    expect([begun, doubt?.missing]).toMatchObject([null, [{ kind: 'deliveries', count: 6, fullName: 'Maria Souza' }]])
    expect(await panel.alarmsOn()).toContain('database_doubted')
    clock.advance(15 * 60_000 - 1)
    expect([(await decide('comecar')).statusCode, await epochOf(panel)]).toEqual([409, epoch])
    clock.advance(1)
    expect((await decide('comecar')).json()).toMatchObject({
      begun: { why: expect.stringContaining('um administrador decidiu') },
      doubt: null,
    })
    expect(await epochOf(panel)).not.toBe(epoch)
    expect((await decide('comecar')).statusCode, 'once').toBe(409)
    expect(await panel.audited()).toEqual([['epoch_begun', 'admin', 'Conferido com o PCP']])
    expect(await panel.alarmsOn()).toContain('epoch_begun')
    expect(await panel.alarmsOn()).not.toContain('database_doubted')
  })

  test('an administrator may say that nothing is missing: the same mark is no witness any more', async () => {
    const panel = await setUpDoubt()
    const { read, decide, clock, epoch, ahead } = panel
    clock.advance(15 * 60_000)
    expect((await decide('nada-falta')).json()).toEqual({ begun: null, doubt: null })
    await deliverAll(panel)
    expect((await recordMarked(panel, 1, { mark: ahead })).statusCode).toBe(201)
    expect([(await read()).doubt, await epochOf(panel)]).toEqual([null, epoch])
    expect(await panel.audited()).toEqual([['epoch_doubt_dismissed', 'admin', 'Conferido com o PCP']])
  })

  test('what an ERP without look-up cannot tell waits meanwhile, is called uncertain by nobody, and is sent once after that', async () => {
    const panel = await setUpDoubt({ env: { ERP_LOOKUP: 'none' }, simulator: { dedup: false, lookup: false } })
    const states = async () =>
      (await panel.db.read.selectFrom('recordings').select('state').orderBy('received_at').execute()).map(
        ({ state }) => state,
      )
    await recordMarked(panel, 1)
    const writes = () => panel.simulator.state.writes.map(({ pieces }) => pieces)
    await deliverAll(panel)
    expect([await states(), writes()]).toEqual([
      ['delivered', 'waiting', 'waiting', 'waiting'],
      [3, 4],
    ])
    await panel.decide('nada-falta')
    await deliverAll(panel)
    expect(await states()).toEqual(Array(4).fill('delivered'))
  })
})
