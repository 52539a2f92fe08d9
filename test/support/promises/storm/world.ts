import type { Selectable } from 'kysely'
import type { ErpSimulator } from '../../../../demo/simulator/simulator.ts'
import type { AuditAction } from '../../../../src/contract/audit-entries.ts'
import type { Db } from '../../../../src/server/store/db/db.ts'
import type { Tables } from '../../../../src/server/store/db/tables.ts'
import { findSetting } from '../../../../src/server/store/settings.ts'
import type { Answer } from '../queue-tablet.ts'
import { jsonOf } from '../queue-tablet.ts'

export type ActKind = 'recording' | 'junction' | 'receipt' | 'sample' | 'call' | 'scrap'

/** An act under an id of its own, and what its author saw of it. */
export type Press = {
  id: string
  kind: ActKind
  username: string
  /** Of a recording or a scrap. */
  pieces: number
  /** Barcode, or position of a junction; empty where the act names none. */
  subject: string
  seen: 'nothing' | 'saved' | 'refused'
  fromTablet: boolean
  hasReceipt: boolean
}

/** A change that bears no id of its own: it is done at most once, and once where its answer was seen. */
export type Change = { action: AuditAction; subject: string; isSeen: boolean }

/** What people pressed and saw, written while the storm goes on. */
export class Journal {
  readonly presses = new Map<string, Press>()
  readonly changes: Change[] = []
  /** Faults of a server, and what somebody was let do who may not. */
  readonly wrongAnswers: string[] = []
  /** Seen so far, of any kind. */
  seen = 0

  press(act: Pick<Press, 'id' | 'kind' | 'username' | 'fromTablet'> & Partial<Press>): void {
    this.presses.set(act.id, { pieces: 1, subject: '', seen: 'nothing', hasReceipt: false, ...act })
  }

  see(id: string, answer: Answer): void {
    const press = this.presses.get(id)
    if (!press) throw new Error(`nobody pressed ${id}`)
    press.seen = answer.statusCode < 300 ? 'saved' : 'refused'
    press.hasReceipt = press.seen === 'saved' && jsonOf<{ recibo?: string }>(answer).recibo !== undefined
    this.seen++
  }

  change(action: AuditAction, subject: string): Change {
    const change = { action, subject, isSeen: false }
    this.changes.push(change)
    return change
  }
}

const tables = [
  ...(['recordings', 'crimp_ledger', 'applicator_units', 'crimp_history', 'daily_production'] as const),
  ...(['erp_items', 'erp_junctions', 'erp_outbox', 'retained_deliveries', 'audit_entries'] as const),
  ...(['measurements', 'recording_measurements', 'maintenance_calls', 'maintenance_call_joins'] as const),
  ...(['scraps', 'daily_scrap'] as const),
  ...(['maintenance_call_numbers', 'wear_parts', 'task_runs', 'users', 'sessions', 'epoch_witnesses'] as const),
] satisfies (keyof Tables)[]
type Rows = { [Table in (typeof tables)[number]]: Selectable<Tables[Table]>[] }

/** All that is known once the storm is over: the tables, the ERP's own lists, and what people saw. */
export type World = Pick<Journal, 'changes' | 'wrongAnswers'> & {
  rows: Rows
  presses: Press[]
  erp: {
    writes: ErpSimulator['state']['writes'][number][]
    junctionWrites: ErpSimulator['state']['junctionWrites'][number][]
    receipts: ErpSimulator['state']['receipts'][number][]
  }
  epochs: string[]
  integrity: string
}

export const readEpoch = async (db: Db) => (await findSetting(db.read, 'epoch')) ?? ''

export async function readWorld(
  db: Db,
  { state }: ErpSimulator,
  journal: Journal,
  begun: { epoch: string; integrity: string },
): Promise<World> {
  const rows: Record<string, unknown[]> = {}
  for (const table of tables)
    rows[table] = await db.read
      .selectFrom(table as 'users')
      .selectAll()
      .execute()
  return structuredClone({
    rows: rows as Rows,
    presses: [...journal.presses.values()],
    changes: journal.changes,
    wrongAnswers: journal.wrongAnswers,
    erp: { writes: [...state.writes], junctionWrites: [...state.junctionWrites], receipts: [...state.receipts] },
    epochs: [begun.epoch, await readEpoch(db)],
    integrity: begun.integrity,
  })
}

export type Check = {
  /** After the number of those that are wrong. */
  name: string
  find: (world: World) => unknown[]
  /** The deliberate mistake that it must find. It needs something to spoil, so no check passes over nothing. */
  spoil: (world: World) => void
}

/** Of a world that will be spoiled: the first such row. */
export function first<Row>(rows: readonly Row[], is: (row: Row) => unknown = () => true): Row {
  const found = rows.find((row) => is(row))
  if (found === undefined) throw new Error('the storm has left nothing that this check could look at')
  return found
}

export const doubled = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] =>
  [...Map.groupBy(rows, keyOf).values()].flatMap(([, ...more]) => more)

export const idsOf = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id))

export const sumOf = <Row>(rows: readonly Row[] | undefined, measureOf: (row: Row) => number): number =>
  (rows ?? []).reduce((sum, row) => sum + Number(measureOf(row)), 0)

/** Of an audit event whose answer was seen, but is not in the trail as often as it was; or is there oftener than it was tried. */
export function changesAstray({ changes, rows }: World, actions: readonly AuditAction[]): string[] {
  const keyOf = (action: string, subject: string) => `${action} ${subject.toLowerCase()}`
  const written = Map.groupBy(rows.audit_entries, (row) => keyOf(row.action, row.subject_id))
  const tried = Map.groupBy(changes, (change) => keyOf(change.action, change.subject))
  const keys = new Set([...written.keys(), ...tried.keys()])
  return [...keys].filter((key) => {
    const own = tried.get(key) ?? []
    const count = written.get(key)?.length ?? 0
    return (
      actions.some((action) => key.startsWith(`${action} `)) &&
      (count > own.length || count < own.filter(({ isSeen }) => isSeen).length)
    )
  })
}

export const findBroken = (world: World, checks: readonly Check[]): string[] =>
  checks.flatMap(({ name, find }) => {
    const found = find(world)
    return found.length > 0 ? [`${found.length} ${name}`] : []
  })
