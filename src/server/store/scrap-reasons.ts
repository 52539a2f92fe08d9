import {
  REASON_CODE_LENGTH_MAX,
  type ScrapReason,
  type ScrapReasonChange,
  type ScrapReasonForm,
} from '../../contract/scrap-reasons.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { reasonCode } from '../../domain/tools/scraps.ts'
import { changeVersion, insertsRow, type Reader, type Tx } from './db/db.ts'

/** Without what was scrapped for it lately. */
export type StoredReason = Omit<ScrapReason, 'uso'>

const reasons = (db: Reader) =>
  db
    .selectFrom('scrap_reasons')
    .select(['id', 'code as codigo', 'text as texto', 'stage as etapa', 'kind as tipo', 'position as posicao'])
    .select(['active', 'version'])

type Row = Omit<StoredReason, 'ativo'> & { active: number }
const toReason = ({ active, ...row }: Row): StoredReason => ({ ...row, ativo: active === 1 })

/** In the order in which they are offered. */
export const listReasons = async (db: Reader): Promise<StoredReason[]> =>
  (await reasons(db).orderBy('position').orderBy('id').execute()).map(toReason)

export async function findReason(db: Reader, by: { code: string } | { id: number }): Promise<StoredReason | null> {
  const row = await reasons(db)
    .where((e) => e.and(by))
    .executeTakeFirst()
  return row ? toReason(row) : null
}

/** Pieces scrapped for each reason since a day, by plant. */
export async function listReasonUse(db: Reader, fromDay: string): Promise<Map<string, Record<string, number>>> {
  const rows = await db
    .selectFrom('daily_scrap')
    .select(['branch', 'reason_code as code', (e) => e.fn.sum<number>('pieces').as('pieces')])
    .where('production_day', '>=', fromDay)
    .groupBy(['branch', 'reason_code'])
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ code }) => code)].map(([code, own]) => [
      code,
      // MariaDB says sums as text
      Object.fromEntries(own.map(({ branch, pieces }) => [branch, Number(pieces)])),
    ]),
  )
}

/** The last in the order. Returns its id; throws a unique violation where there is one of this text. */
export async function insertReason(tx: Tx, { texto, etapa, tipo }: ScrapReasonForm): Promise<number> {
  const known = await listReasons(tx)
  const takenCodes = new Set(known.map(({ codigo }) => codigo))
  return await tx
    .insertInto('scrap_reasons')
    .values({
      code: reasonCode(texto, (code) => takenCodes.has(code), REASON_CODE_LENGTH_MAX),
      ...{ text: texto, text_key: nameKey(texto), stage: etapa, kind: tipo },
      position: Math.max(0, ...known.map(({ posicao }) => posicao)) + 1,
      ...{ active: 1, version: 1 },
    })
    .$call(insertsRow)
}

/** False when it is gone or not of this version any more; null takes any. Throws as `insertReason`. */
export const updateReason = (
  tx: Tx,
  id: number,
  { texto, posicao, ativo }: ScrapReasonChange,
  versionSeen: number | null,
): Promise<boolean> => {
  const change = { text: texto, text_key: nameKey(texto), position: posicao, active: ativo ? 1 : 0 }
  return changeVersion(tx, 'scrap_reasons', { id, versionSeen }, change)
}
