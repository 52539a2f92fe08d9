import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../src/server/store/db/migrate.ts'
import type { Tables } from '../../src/server/store/db/tables.ts'
import { saveItems } from '../../src/server/store/items.ts'
import { saveJunctionDetails } from '../../src/server/store/junctions.ts'
import { databases, openStore } from '../support/harness.ts'
import { BRANCH, itemOf } from '../support/store.ts'

const OTHER_BRANCH = '020101'
const ORDER = '01621401001'

const recordingOf = (of: Partial<Tables['recordings']>): Tables['recordings'] => ({
  ...{ id: randomUUID(), content_hash: 'x', state: 'delivered', promised: 1, counted: 1, part: 'l1', branch: BRANCH },
  ...{ barcode: '', position: '', order_number: ORDER, pieces: 1, machine: '', lot: '', terminal: '', unit_key: null },
  ...{ payload_json: '{}', capture_json: null, user_id: 1, operator: '', erp_message: null, superseded_by: null },
  ...{ recorded_at: 1, received_at: 1, production_day: '2026-11-21', gauge_milli: null },
  ...of,
})

/** More than one step takes, in two plants. */
const barcodes = Array.from({ length: 1020 }, (_, at) => `${at}`.padStart(22, '0'))
const branchOf = (at: number) => (at % 2 === 0 ? BRANCH : OTHER_BRANCH)
const gaugeTexts = ['0,50', '0.75', '1', 'AWG 20', ''] as const
const gauges = [500, 750, 1000, null, null] as const

test.each(databases)(
  'recordings of versions before get the gauge of the copies that are there, on %s',
  async (database) => {
    const db = await openStore(database)
    const details = { registros: [], circuitos: [], teste: { ZTB_FORCA: 70, ZTB_BITOLA: '0,85' } }
    await db.transaction(async (tx) => {
      for (const branch of [BRANCH, OTHER_BRANCH]) {
        const items = barcodes.flatMap((barcode, at) =>
          branchOf(at) === branch ? [{ ...itemOf(barcode, 10), Z1_BITOLA: gaugeTexts[at % 5] ?? '' }] : [],
        )
        await saveItems(tx, branch, items, { readBegunAt: 1, fetchedAt: 2 })
      }
      await saveJunctionDetails(tx, { branch: BRANCH, orderNumber: ORDER, position: 'J01' }, details, 2)
      const ofItems = barcodes.map((barcode, at) => recordingOf({ barcode, branch: branchOf(at) }))
      const rows = [
        ...ofItems,
        recordingOf({ barcode: barcodes[0] as string, branch: OTHER_BRANCH }),
        recordingOf({ barcode: barcodes[0] as string, part: 'recebimento' }),
        recordingOf({ barcode: barcodes[0] as string, gauge_milli: 1500 }),
        recordingOf({ part: 'juncao', position: 'J01' }),
        recordingOf({ part: 'juncao', position: 'J02' }),
      ]
      for (let at = 0; at < rows.length; at += 255) {
        await tx
          .insertInto('recordings')
          .values(rows.slice(at, at + 255))
          .execute()
      }
    })
    // as after a start that died when the column was there
    await sql`delete from kysely_migration where name > '2026-11-28-gauges-01'`.execute(db.read)
    await migrate(db)
    const stored = await db.read
      .selectFrom('recordings')
      .select(['barcode', 'branch', 'part', 'position', 'gauge_milli'])
      .execute()
    const gaugesOf = (wanted: (row: (typeof stored)[number]) => boolean) =>
      stored.filter(wanted).map(({ gauge_milli }) => gauge_milli)
    for (const [at, barcode] of barcodes.entries()) {
      if (at === 0) continue
      expect(
        gaugesOf((row) => row.barcode === barcode),
        barcode,
      ).toEqual([gauges[at % 5] ?? null])
    }
    const first = (row: (typeof stored)[number]) => row.barcode === barcodes[0]
    expect(
      gaugesOf((row) => first(row) && row.branch === OTHER_BRANCH),
      'the other plant has no such item',
    ).toEqual([null])
    expect(gaugesOf((row) => first(row) && row.part === 'recebimento')).toEqual([null])
    expect(gaugesOf((row) => first(row) && row.branch === BRANCH && row.part === 'l1').toSorted()).toEqual([1500, 500])
    expect(gaugesOf(({ position }) => position === 'J01')).toEqual([850])
    expect(gaugesOf(({ position }) => position === 'J02')).toEqual([null])
  },
)
