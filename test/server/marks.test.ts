import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MARK_HEADER } from '../../src/contract/endpoint.ts'
import { sign } from '../../src/server/http/signatures.ts'
import { findSetting } from '../../src/server/store/settings.ts'
import { addUser, crimpOf, cutOf, databases, openTestPanel, temporaryFolder } from '../support/harness.ts'

type Panel = Awaited<ReturnType<typeof setUp>>

async function setUp(options: Parameters<typeof openTestPanel>[0]) {
  const panel = await openTestPanel({ simulator: { dedup: false }, ...options })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  return { ...panel, token }
}

const epochOf = ({ db }: Pick<Panel, 'db'>) => findSetting(db.read, 'epoch')

const recordMarked = (panel: Panel, pieces: number, { id = randomUUID() as string, mark = '', more = {} } = {}) =>
  panel.ask(panel.token, {
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

describe.each(databases)('a database that went back behind everybody on %s', (database) => {
  test('is found out by what a tablet has seen: nothing is stored under the old epoch, and nothing is sent twice', async () => {
    const panel = await setUp({ database })
    const [first, second] = [randomUUID(), randomUUID()]
    await recordMarked(panel, 3, { id: first })
    const answer = await recordMarked(panel, 4, { id: second })
    const mark = String(answer.headers[MARK_HEADER])
    const epoch = await epochOf(panel)
    expect((await recordMarked(panel, 4, { id: second, mark })).statusCode, 'nothing is missing').toBe(201)
    expect(await epochOf(panel)).toBe(epoch)

    await forgetLast(panel, second)
    // what another tablet has waiting must be asked about from now on
    await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
    expect((await recordMarked(panel, 2)).statusCode).toBe(202)
    await panel.db.transaction((tx) =>
      tx.updateTable('erp_outbox').set({ seq: 1_000 }).where('state', '=', 'new').execute(),
    )
    await panel.db.transaction((tx) => tx.updateTable('erp_outbox').set({ seq: 2 }).where('seq', '=', 1_000).execute())
    await panel.simulator.state.setFaults([])
    const ahead = sign(panel.context.keys, 'mark', { epoch, seq: 3 })
    const more = { salvoNoDispositivo: true }
    expect((await recordMarked(panel, 4, { id: second, mark: ahead, more })).statusCode).toBe(503)
    const young = await epochOf(panel)
    expect(young).not.toBe(epoch)
    expect(panel.errors.splice(0)).toHaveLength(1)
    const states = await panel.db.read.selectFrom('erp_outbox').select('state').orderBy('seq').execute()
    expect(states.map(({ state }) => state)).toEqual(['confirmed', 'unknown'])
    const audit = await panel.db.read.selectFrom('audit_entries').selectAll().execute()
    expect(audit).toMatchObject([{ action: 'epoch_begun', user_name: 'painel' }])
    const tried = { ...more, tentadoAntes: { epoca: String(epoch) } }
    expect((await recordMarked(panel, 4, { id: second, mark: ahead, more: tried })).statusCode).toBe(202)
    for (let round = 0; round < 6; round++) {
      panel.clock.advance(600_000)
      await panel.context.outbox.deliverDue()
    }
    expect(panel.simulator.state.writes.map(({ pieces }) => pieces)).toEqual([3, 4, 2])
  })

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
