import { junctions } from '../../contract/junctions.ts'
import { maintenanceCalls } from '../../contract/maintenance-calls.ts'
import { measurements } from '../../contract/measurements.ts'
import { receipts } from '../../contract/receipts.ts'
import { recordings } from '../../contract/recordings.ts'
import { scraps } from '../../contract/scraps.ts'
import { findsAny, type Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'

type Column<Table extends keyof Tables> = keyof Tables[Table] & string

/** Rows of a table in which a column has one value. */
type Doubted = {
  [Table in keyof Tables]: { table: Table; id: Column<Table>; column: Column<Table>; value: string | number }
}[keyof Tables]

type KindIn<Table extends keyof Tables> = {
  /** In sentences of tests. */
  name: string
  /** Where it stands once it was answered, and the column of the id that its tablet gave: receipts and marks are looked up there. */
  table: Table
  id: Column<Table>
  /** How tablets deliver it; a server of a version before answers 404 there, and the act waits on its tablet. */
  paths: readonly string[]
  /** Brought back by `future-times.ts` after a clock ran ahead. */
  receivedAt: Column<Table>
  /** The day at the plant, by which the retention of names is counted. */
  day: Column<Table>
  /** Columns of a name with that of its user, who may be unknown (null). */
  people: readonly (readonly [name: Column<Table>, userId: Column<Table> | null])[]
  /** Tables whose `payload_json` names the operator of a row with the same id. */
  payloads: readonly ('recordings' | 'erp_outbox')[]
  /** Where it waits while nobody trusts the session that it came under; null: it needs no trust. */
  doubted: Doubted | null
}

/**
 * One row a kind of act. Receipts, marks, future times, the retention of names, the person file and the promises read it: a kind
 * that is missing here fails `act-kinds.test.ts` in each of them. Backups and copies go by the schema.
 */
export type ActKind = { [Table in keyof Tables]: KindIn<Table> }[keyof Tables]

export type ActTable = 'recordings' | 'measurements' | 'scraps' | 'maintenance_calls' | 'maintenance_call_joins'

export const actKinds: readonly (ActKind & { table: ActTable })[] = [
  {
    name: 'a recording',
    table: 'recordings',
    id: 'id',
    paths: [recordings.createCutCrimp.path, junctions.record.path, receipts.confirm.path],
    receivedAt: 'received_at',
    day: 'production_day',
    people: [['operator', 'user_id']],
    payloads: ['recordings', 'erp_outbox'],
    doubted: { table: 'retained_deliveries', id: 'id', column: 'state', value: 'open' },
  },
  {
    name: 'a sample',
    table: 'measurements',
    id: 'act_id',
    paths: [measurements.create.path],
    receivedAt: 'received_at',
    day: 'measured_day',
    people: [
      ['operator', 'user_id'],
      ['invalid_by', null],
      ['cause_by', null],
    ],
    payloads: [],
    doubted: { table: 'measurements', id: 'act_id', column: 'counted', value: 0 },
  },
  {
    name: 'scrap',
    table: 'scraps',
    id: 'id',
    paths: [scraps.create.path],
    receivedAt: 'received_at',
    day: 'production_day',
    people: [
      ['operator', 'user_id'],
      ['undone_by', 'undone_user_id'],
    ],
    payloads: [],
    doubted: { table: 'scraps', id: 'id', column: 'trusted', value: 0 },
  },
  {
    name: 'a call for maintenance',
    table: 'maintenance_calls',
    id: 'id',
    paths: [maintenanceCalls.open.path],
    receivedAt: 'received_at',
    day: 'opened_day',
    people: [
      ['opened_by', 'opened_user_id'],
      ['acknowledged_by', 'acknowledged_user_id'],
      ['settled_by', 'settled_user_id'],
    ],
    payloads: [],
    doubted: { table: 'maintenance_calls', id: 'id', column: 'trusted', value: 0 },
  },
  {
    name: 'a press that joined a call',
    table: 'maintenance_call_joins',
    id: 'id',
    paths: [maintenanceCalls.open.path],
    // the only instant that it has
    receivedAt: 'joined_at',
    day: 'joined_day',
    people: [['joined_by', 'user_id']],
    payloads: [],
    doubted: null,
  },
]

/** An act is found by its id in the table of any kind: a receipt does not name its kind. */
export async function isKnownAct(db: Reader, id: string): Promise<boolean> {
  for (const { table, id: column } of actKinds) {
    const rows = db
      .selectFrom(table as 'recordings')
      .select(column as 'id')
      .where(column as 'id', '=', id)
    if (await rows.limit(1).$call(findsAny)) return true
  }
  return false
}
