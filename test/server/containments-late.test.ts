import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openContainmentWatch } from '../../src/server/acts/containments.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { readRows, stateOf } from '../support/containments.ts'
import { addUser, databases, openTestPanel, testClock } from '../support/harness.ts'
import { goldenWindows, type Plant, storePlant } from '../support/suspect-windows.ts'

const AFTERNOON_MS = Date.parse('2026-11-23T18:00:00Z')
const MINUTE_MS = 60_000

/** Under ids of this test's own. */
const renamed = (plant: Plant): Plant => ({
  acts: plant.acts.map((act) => ({ ...act, id: randomUUID() })),
  recordings: plant.recordings.map((one) => ({ ...one, id: randomUUID() })),
})

async function setUp(options: Parameters<typeof openTestPanel>[0], nth: number) {
  const golden = goldenWindows[nth]
  if (!golden) throw new Error(`no golden window ${nth}`)
  const panel = await openTestPanel({ clock: testClock(AFTERNOON_MS), ...options })
  const plant = renamed(golden)
  await storePlant(panel.db, plant)
  await addUser(panel.context, { username: 'qualidade', role: 'qualidade', fullName: 'Rita Melo' })
  const { token } = await panel.login('qualidade')
  const bad = plant.acts.find(({ at, parts }) => at === golden.bad.at && parts.altura === 'fora')
  const id = randomUUID()
  const payload = { medicao: bad?.id, caracteristica: 'altura' }
  const request = { method: 'POST', url: '/api/contencoes', headers: { 'idempotency-key': id }, payload } as const
  expect((await panel.ask(token, request)).statusCode).toBe(201)
  /** At the place of the bad reading; it is received now. */
  const receive = async (recordedAt: string, pieces: number) => {
    const recording = { ...golden.bad, id: randomUUID(), at: recordedAt, pieces }
    await storePlant(panel.db, { acts: [], recordings: [recording] })
    await panel.db.transaction((tx) =>
      tx.updateTable('recordings').set({ received_at: panel.clock.now() }).where('id', '=', recording.id).execute(),
    )
    return recording.id
  }
  const measure = (at: string) =>
    storePlant(panel.db, {
      acts: [{ ...golden.bad, id: randomUUID(), at, parts: { altura: 'dentro' } }],
      recordings: [],
    })
  const watch = openContainmentWatch(panel.context)
  const look = async () => {
    panel.clock.advance(MINUTE_MS)
    await watch()
  }
  return { ...panel, id, token, receive, measure, look }
}

/** Closed as quality closes it. */
async function close({ db, id, token, ask }: Awaited<ReturnType<typeof setUp>>) {
  const payload = { engano: true, motivo: 'Medidas de novo' }
  const closed = await ask(token, { method: 'POST', url: `/api/contencoes/${id}/encerramento`, payload })
  expect([closed.statusCode, await stateOf(db, id)]).toEqual([200, 'encerrada'])
}

const rowOf = async (db: Db, id: string, recordingId: string) => {
  const row = (await readRows(db, id)).find(({ recording_id }) => recording_id === recordingId)
  return row && [row.certainty, row.balance.suspect]
}

describe.each(databases)('containments followed on %s', (database) => {
  test('a late tablet opens a closed one again, once, whoever looks', async () => {
    const panel = await setUp({ database }, 0)
    const { db, id } = panel
    await close(panel)
    panel.clock.advance(MINUTE_MS)
    const late = await panel.receive('2026-11-23T10:00:00Z', 120)
    const other = await openTestPanel({ db, clock: panel.clock })
    await Promise.all([panel.look(), openContainmentWatch(other.context)()])
    expect(await rowOf(db, id, late)).toEqual(['novo', 120])
    expect(await stateOf(db, id)).toBe('aberta')
    const count = (await readRows(db, id)).length
    await panel.look()
    await panel.look()
    expect((await readRows(db, id)).length).toBe(count)
    const trail = await db.read
      .selectFrom('audit_entries')
      .select(['action', 'user_name', 'reason'])
      .where('user_name', '=', 'painel')
      .where('subject_kind', '=', 'containment')
      .execute()
    expect(trail).toEqual([
      { action: 'containment_reopened', user_name: 'painel', reason: 'Apontamento recebido depois: 120 peças.' },
      { action: 'containment_followed', user_name: 'painel', reason: null },
    ])
  })

  test('an open window grows until a good reading ends it', async () => {
    const panel = await setUp({ database }, 1)
    const { db, id } = panel
    panel.clock.advance(MINUTE_MS)
    const within = await panel.receive('2026-11-23T18:00:30Z', 30)
    await panel.look()
    expect(await rowOf(db, id, within)).toEqual(['certo', 30])
    await panel.measure('2026-11-23T18:03:00Z')
    panel.clock.advance(5 * MINUTE_MS)
    const after = await panel.receive('2026-11-23T18:04:00Z', 40)
    const beyond = await panel.receive('2026-11-23T18:05:00Z', 50)
    await panel.look()
    expect([await rowOf(db, id, after), await rowOf(db, id, beyond)]).toEqual([['possivel', 40], undefined])
    const ends = await db.read.selectFrom('containments').select(['end_at', 'is_open_ended']).executeTakeFirst()
    expect(ends).toEqual({ end_at: Date.parse('2026-11-23T18:03:00Z'), is_open_ended: 0 })
  })

  test('work that goes on after a close opens nothing again, though nobody has measured well since', async () => {
    const panel = await setUp({ database }, 1)
    const { db, id } = panel
    await close(panel)
    panel.clock.advance(2 * MINUTE_MS)
    const after = await panel.receive('2026-11-23T18:01:00Z', 30)
    await panel.look()
    expect([await rowOf(db, id, after), await stateOf(db, id)]).toEqual([undefined, 'encerrada'])
  })

  test('a correction that another version did not say is said, and what quality settled stays', async () => {
    const panel = await setUp({ database }, 0)
    const { db, id } = panel
    const [first] = await readRows(db, id)
    const recording = first?.recording_id ?? ''
    const count = (counted: number) =>
      db.transaction((tx) => tx.updateTable('recordings').set({ counted }).where('id', '=', recording).execute())
    await count(0)
    await panel.look()
    expect(await rowOf(db, id, recording)).toEqual(['certo', 0])
    await count(1)
    await panel.look()
    expect(await rowOf(db, id, recording)).toEqual(['certo', first?.pieces])
    await panel.look()
    const steps = (await readRows(db, id))[0]?.steps.map(({ kind, pieces }) => [kind, pieces])
    expect(steps).toEqual([
      ['corrigir', 0],
      ['corrigir', first?.pieces],
    ])
  })
})
