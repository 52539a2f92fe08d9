import type { TreatedKind, Treatment } from '../../contract/treatments.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import type { Reader, Tx } from './db/db.ts'
import { slicesOf } from './slices.ts'

const SUBJECTS_AT_ONCE = 500

/** By what they are about, the oldest first. */
export async function listTreatments(
  db: Reader,
  kind: TreatedKind,
  subjects: readonly string[],
): Promise<Map<string, Treatment[]>> {
  const found = new Map<string, Treatment[]>()
  for (const some of slicesOf(subjects, SUBJECTS_AT_ONCE)) {
    const rows = await db
      .selectFrom('treatments')
      .select(['subject', 'text', 'treated_by', 'at'])
      .where('kind', '=', kind)
      .where('subject', 'in', some)
      .orderBy('id')
      .execute()
    for (const { subject, text: texto, treated_by: por, at: writtenAt } of rows) {
      found.set(subject, [...(found.get(subject) ?? []), { por, em: toInstant(writtenAt), texto }])
    }
  }
  return found
}

type NewTreatment = {
  kind: TreatedKind
  subject: string
  text: string
  by: string
  userId: number
  at: number
}

/** False: the same person has written the same last, as after an answer that was lost. */
export async function insertTreatment(tx: Tx, { by, userId, ...row }: NewTreatment): Promise<boolean> {
  const last = await tx
    .selectFrom('treatments')
    .select(['text', 'user_id'])
    .where('kind', '=', row.kind)
    .where('subject', '=', row.subject)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.text === row.text && last.user_id === userId) return false
  await tx
    .insertInto('treatments')
    .values({ ...row, treated_by: by, user_id: userId })
    .execute()
  return true
}
