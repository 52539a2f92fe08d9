import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import { openStore, temporaryFolder } from '../support/harness.ts'
import { CountedPlant, outcomes, type Reset } from '../support/promises/counted-plant.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf } from '../support/promises/sizes.ts'
import { findUnit } from '../support/units.ts'

const { operations, shared } = sizeOf('p14')
const NAMES = ['MA-1', 'MA-2', 'MA-10', 'Ímã 4', 'á b']
const JUDGEMENTS = 20
const HANDS = 6

/** What this promise is about survives no power cut either way: whether the disk has it is for others to show. */
async function openQuickSqlite() {
  const sqlite = openSqliteFile(join(temporaryFolder(), 'painel.sqlite'))
  sqlite.pragma('synchronous = off')
  const db = openSqlite(withOurTransactions(sqlite))
  onTestFinished(() => db.close())
  await migrate(db)
  return db
}

async function workTogether(plant: CountedPlant, all: number): Promise<void> {
  for (let round = 0; round < JUDGEMENTS; round++) {
    const randoms = Array.from({ length: HANDS }, (_, hand) => randomFor(SEED, 'p14', `${round}`, `${hand}`))
    await Promise.all(randoms.map((random) => plant.work(random, Math.ceil(all / HANDS / JUDGEMENTS))))
    await plant.judge()
  }
}

const missed = (plant: CountedPlant) => outcomes.filter((outcome) => !plant.happened.has(outcome))
const done = (plant: CountedPlant) => Object.fromEntries(plant.happened)

/** Reads the unit before it is taken, and writes what follows from that. */
const hastyReset: Reset = async (db, change, limitOfCrimps, check) => {
  const unit = await findUnit(db.read, change.name)
  if (!unit) return false
  return await db.transaction(async (tx) => {
    await tx
      .insertInto('crimp_history')
      .values({
        ...{
          unit_key: change.name.toLocaleLowerCase('pt-BR'),
          name: unit.name,
          cycle: unit.cycle,
          crimps: unit.crimps,
        },
        ...{ limit_crimps: unit.limitCrimps, change: 'reset', user_id: 1, changed_by: '', at: 1 },
      })
      .execute()
    await tx
      .updateTable('applicator_units')
      .set((e) => ({
        crimps: 0,
        cycle: unit.cycle + 1,
        limit_crimps: limitOfCrimps,
        version: e('version', '+', 1),
        ...{ service_order: null, maintenance_day: null, comments: null },
      }))
      .where('name_key', '=', change.name.toLocaleLowerCase('pt-BR'))
      .execute()
    await check(tx)
    return true
  })
}

describe('P14: a counter is the sum of its ledger, and its history only grows', () => {
  test(`${operations} operations one after the other, on sqlite`, async () => {
    const plant = new CountedPlant(await openQuickSqlite(), { names: NAMES, inOrder: true })
    await plant.begin()
    const random = randomFor(SEED, 'p14')
    for (let round = 0; round < JUDGEMENTS; round++) {
      await plant.work(random, operations / JUDGEMENTS)
      await plant.judge()
      expect(plant.offences).toEqual([])
    }
    report('P14 sqlite', { operations }, done(plant))
    expect(missed(plant)).toEqual([])
  })

  test(`${shared} operations by ${HANDS} at once on the same tools, on mariadb`, async () => {
    const plant = new CountedPlant(await openStore('mariadb'), { names: NAMES.slice(0, 2), inOrder: false })
    await plant.begin()
    await workTogether(plant, shared)
    report('P14 mariadb', { operations: shared }, done(plant))
    expect(plant.offences).toEqual([])
    expect(missed(plant)).toEqual([])
  })

  test.each(['sqlite', 'mariadb'])(
    'it notices a reset that writes what it has read before, on %s',
    async (database) => {
      const db = database === 'sqlite' ? await openQuickSqlite() : await openStore('mariadb')
      const plant = new CountedPlant(db, { names: NAMES.slice(0, 1), inOrder: false, reset: hastyReset })
      await plant.begin()
      const isSeen = (offence: string) => plant.offences.some((one) => one.includes(offence))
      // which of its offences comes first is chance: who was quicker
      for (let round = 0; round < 8 && !(isSeen('at the end of cycle') && isSeen('open cycle')); round++)
        await workTogether(plant, database === 'sqlite' ? 2400 : 900)
      expect(plant.offences).toContainEqual(expect.stringContaining('at the end of cycle'))
      expect(plant.offences).toContainEqual(expect.stringContaining('open cycle'))
    },
  )

  test('it notices a history that was touched up', async () => {
    const db = await openQuickSqlite()
    const plant = new CountedPlant(db, { names: NAMES, inOrder: true })
    await plant.begin()
    await plant.work(randomFor(SEED, 'touched'), 400)
    await plant.judge()
    expect(plant.offences).toEqual([])
    await db.transaction((tx) =>
      tx.updateTable('crimp_history').set({ changed_by: 'Ninguém' }).where('id', '=', 3).execute(),
    )
    await plant.judge()
    expect(plant.offences).toEqual([expect.stringContaining('the older history')])
  })
})
