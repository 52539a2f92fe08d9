import type { Kysely } from 'kysely'
import type { ErpItem } from '../../../../contract/items.ts'
import type { JunctionDetails } from '../../../../contract/junctions.ts'
import { gaugeOf, testedGaugeOf } from '../../../../domain/quality/control-plans.ts'
import { column, type Step } from './steps.ts'

type Copied = {
  recordings: {
    branch: string
    part: string
    barcode: string
    order_number: string
    position: string
    gauge_milli: number | null
  }
  erp_items: { branch: string; barcode: string; row_json: string }
  erp_junction_details: { branch: string; order_number: string; position: string; details_json: string }
}

/** So many copies at once, each statement a commit on MariaDB: a large table is neither locked nor undone as a whole. */
const STEP_ROWS = 500

/** Of one gauge at a time: few statements, each by an index. */
const gaugesOfItems: Step = async (anyDb) => {
  const db = anyDb as unknown as Kysely<Copied>
  let last = { branch: '', barcode: '' }
  for (;;) {
    const rows = await db
      .selectFrom('erp_items')
      .select(['branch', 'barcode', 'row_json'])
      .where('branch', '>=', last.branch)
      .where((e) => e.or([e('branch', '>', last.branch), e('barcode', '>', last.barcode)]))
      .orderBy('branch')
      .orderBy('barcode')
      .limit(STEP_ROWS)
      .execute()
    const gaugeIn = ({ row_json }: { row_json: string }) => gaugeOf(JSON.parse(row_json) as ErpItem)
    const groups = Map.groupBy(rows, (row) => JSON.stringify([row.branch, gaugeIn(row)]))
    for (const group of groups.values()) {
      const [first] = group
      const gaugeMilli = first ? gaugeIn(first) : null
      if (!first || gaugeMilli === null) continue
      await db
        .updateTable('recordings')
        .set({ gauge_milli: gaugeMilli })
        .where('branch', '=', first.branch)
        .where(
          'barcode',
          'in',
          group.map(({ barcode }) => barcode),
        )
        .where('part', 'in', ['cabo', 'l1', 'l2'])
        .where('gauge_milli', 'is', null)
        .execute()
    }
    const end = rows.at(-1)
    if (!end || rows.length < STEP_ROWS) return
    last = end
  }
}

const gaugesOfJunctions: Step = async (anyDb) => {
  const db = anyDb as unknown as Kysely<Copied>
  const places = await db
    .selectFrom('erp_junction_details')
    .select(['branch', 'order_number', 'position', 'details_json'])
    .where('position', '<>', '')
    .execute()
  for (const { details_json, ...place } of places) {
    const gaugeMilli = testedGaugeOf(JSON.parse(details_json) as JunctionDetails)
    if (gaugeMilli === null) continue
    await db
      .updateTable('recordings')
      .set({ gauge_milli: gaugeMilli })
      .where((e) => e.and({ ...place, part: 'juncao' }))
      .where('gauge_milli', 'is', null)
      .execute()
  }
}

/** The gauge of the wire that each recording is about; of old ones by the copies that are there. */
export const gauges: Record<string, Step> = {
  recordings_gauge: column('gauge_milli', 'recordings', (c) => c.integer),
  recordings_gauge_of_items: gaugesOfItems,
  recordings_gauge_of_junctions: gaugesOfJunctions,
}
