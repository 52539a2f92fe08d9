import { setImmediate } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import { nameKey } from '../../domain/acts/recordings.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import type { Db, Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { findSetting, saveSetting } from './settings.ts'

type SubjectKind = Tables['sample_subjects']['kind']

/** By which a thing is the same, however somebody spelled it. A lot is a text. */
export const subjectKeys: Record<SubjectKind, (name: string) => string> = {
  lote: (name) => name.trim(),
  miniaplicador: nameKey,
  maquina: machineKey,
  instrumento: nameKey,
}

type Measured = Pick<
  Insertable<Tables['measurements']>,
  'act_id' | 'recording_id' | 'lot' | 'unit' | 'machine' | 'instrument' | 'measured_at' | 'received_at'
>

/** Each characteristic may have been measured with another instrument. */
function subjectsOf(rows: readonly Measured[]): Tables['sample_subjects'][] {
  const subjects = rows.flatMap((row): Tables['sample_subjects'][] => {
    if (row.recording_id !== null) return []
    const names = { lote: row.lot, miniaplicador: row.unit, maquina: row.machine, instrumento: row.instrument }
    const at = Math.min(row.measured_at, row.received_at)
    return Object.entries(names).flatMap(([kind, name]) => {
      const subject = subjectKeys[kind as SubjectKind](name)
      return subject === '' ? [] : [{ kind: kind as SubjectKind, subject, at, act_id: row.act_id }]
    })
  })
  return [...new Map(subjects.map((one) => [JSON.stringify([one.act_id, one.kind, one.subject]), one])).values()]
}

/** In the commit of an act; harmless where it is noted already. */
export async function noteSubjects(tx: Tx, rows: readonly Measured[]): Promise<void> {
  const subjects = subjectsOf(rows)
  if (subjects.length > 0) await tx.replaceInto('sample_subjects').values(subjects).execute()
}

const FILLED = 'sample_subjects_until'
const ROWS_AT_ONCE = 500
/** Ids are given before they are committed. */
const COMMITTED_LATE_MAX = 200

/** Adds what there was before the table, and what a server of the version before has stored since. */
export async function fillSubjects(db: Db): Promise<void> {
  let until = Math.max(0, Number((await findSetting(db.read, FILLED)) ?? 0) - COMMITTED_LATE_MAX)
  for (;;) {
    const rows = await db.read
      .selectFrom('measurements')
      .select(['id', 'act_id', 'recording_id', 'lot', 'unit', 'machine', 'instrument', 'measured_at', 'received_at'])
      .where('id', '>', until)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    until = last.id
    await db.transaction(async (tx) => {
      await noteSubjects(tx, rows)
      await saveSetting(tx, FILLED, String(last.id))
    })
    await setImmediate()
  }
}
