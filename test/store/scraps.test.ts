import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ScrapOrigin, ScrapPart } from '../../src/contract/scraps.ts'
import { addCrimps, ensureUnit, listCounterDeviations } from '../../src/server/store/applicators.ts'
import { resetCounter } from '../../src/server/store/crimp-counters.ts'
import { findLifetimeAfter, listCrimpsByDay } from '../../src/server/store/crimps-by-day.ts'
import { addProduction } from '../../src/server/store/daily-production.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { confirmScrap, insertScrap, undoScrap } from '../../src/server/store/scraps.ts'
import { databases, NOON_MS, openStore } from '../support/harness.ts'
import { scrapRow } from '../support/scrap-rows.ts'
import { findUnit } from '../support/units.ts'

type Event = {
  kind: string
  id?: string
  of?: string
  pieces?: number
  day: string
  rework?: boolean
  trusted?: boolean
  unit?: boolean
  part?: ScrapPart
  origin?: ScrapOrigin
}

type Golden = {
  ledgers: {
    name: string
    events: Event[]
    expected: {
      cycle: number
      crimps: number
      closed: Record<string, number>
      lifetime: number
      daily: Record<string, number>
    }
  }[]
  lateRuns: {
    name: string
    lifetime: number
    since: Record<string, number>
    ofWhichScrap: Record<string, number>
    doneDay: string
    expected: number
  }[]
}
const golden = JSON.parse(
  readFileSync(new URL('../support/golden/scrap-ledger.json', import.meta.url), 'utf8'),
) as Golden

const UNIT = 'MA-0001'
const UNIT_KEY = 'ma-0001'

async function recordGood(db: Db, id: string, pieces: number, day: string): Promise<void> {
  await db.transaction(async (tx) => {
    await ensureUnit(tx, { name: UNIT, at: NOON_MS })
    await addCrimps(tx, { recordingId: id, reason: 'recorded', unitKey: UNIT_KEY, crimps: pieces, at: NOON_MS })
    const place = { branch: '010101', part: 'l1', orderNumber: '1', machine: 'm', operator: 'o' } as const
    await addProduction(
      tx,
      { ...place, productionDay: day, unitKey: UNIT_KEY, terminal: 'T' },
      { pieces, recordings: 1 },
    )
  })
}

async function play(db: Db, { kind, id = '', of = '', pieces = 0, day, ...more }: Event): Promise<void> {
  if (kind === 'record') return await recordGood(db, id, pieces, day)
  await db.transaction(async (tx) => {
    if (kind === 'scrap') {
      const unit = more.unit === false ? '' : UNIT
      await insertScrap(
        tx,
        scrapRow({ id, pieces, production_day: day, unit, unit_key: unit.toLowerCase(), ...rowOf(more) }),
      )
    }
    const by = { userId: 1, by: 'Ana', reason: null, at: NOON_MS }
    if (kind === 'undo') await undoScrap(tx, of, by)
    if (kind === 'confirm') await confirmScrap(tx, of, NOON_MS)
    const change = { name: UNIT, versionSeen: null, userId: 1, changedBy: 'Ana', at: NOON_MS }
    if (kind === 'reset') await resetCounter(tx, change, { limitOfCrimps: 1000, done: {} })
  })
}

const rowOf = ({ rework, trusted, part, origin }: Partial<Event>) => ({
  ...{ is_rework: rework ? 1 : 0, trusted: trusted === false ? 0 : 1 },
  ...(part && { part }),
  ...(origin && { origin }),
})

describe.each(databases)('scrap in the ledger on %s', (database) => {
  test.each(golden.ledgers)('to the digit: $name', async ({ events, expected }) => {
    const db = await openStore(database)
    for (const event of events) await play(db, event)
    const { cycle, crimps, lifetime: lifetimeCrimps } = expected
    // scrap that never counted makes no tool
    const unit = (await findUnit(db.read, UNIT)) ?? { cycle: 1, crimps: 0, lifetimeCrimps: 0 }
    expect(unit).toMatchObject({ cycle, crimps, lifetimeCrimps })
    expect(await listCounterDeviations(db.read)).toEqual([])
    const closed = await db.read
      .selectFrom('crimp_ledger')
      .select(['cycle', (e) => e.fn.sum('crimps').as('crimps')])
      .where('cycle', '<', cycle)
      .groupBy('cycle')
      .execute()
    expect(Object.fromEntries(closed.map((one) => [one.cycle, Number(one.crimps)]))).toEqual(expected.closed)
    const days = await listCrimpsByDay(db.read, { from: '2026-11-01', to: '2026-11-30' }, UNIT_KEY)
    expect(Object.fromEntries(days.map((one) => [one.day, one.crimps]))).toEqual(expected.daily)
  })

  test.each(golden.lateRuns)('a task written down late: $name', async ({ lifetime, since, ofWhichScrap, ...run }) => {
    const db = await openStore(database)
    const scrapOf = new Map(Object.entries(ofWhichScrap))
    const sinceThen = Object.entries(since)
    const before = lifetime - sinceThen.reduce((sum, [, pieces]) => sum + pieces, 0)
    await play(db, { kind: 'record', id: 'r0', pieces: before, day: run.doneDay })
    for (const [day, pieces] of sinceThen) {
      const scrap = scrapOf.get(day) ?? 0
      await play(db, { kind: 'record', id: `r-${day}`, pieces: pieces - scrap, day })
      if (scrap > 0) await play(db, { kind: 'scrap', id: `s-${day}`, pieces: scrap, day })
    }
    expect(await findLifetimeAfter(db.read, UNIT_KEY, run.doneDay)).toBe(run.expected)
  })
})
