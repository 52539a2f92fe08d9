import type { Instrument, InstrumentForm } from '../../contract/instruments.ts'
import { nameKey } from '../../domain/recordings.ts'
import { changesOne, ofVersion, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

type Row = Omit<Tables['instruments'], 'id' | 'code_key'> & { id: number }

const toInstrument = (row: Row): Instrument => ({
  id: row.id,
  codigo: row.code,
  descricao: row.description,
  resolucao: row.resolution_milli,
  ...(row.calibrated_until_day === null ? {} : { calibradoAte: row.calibrated_until_day }),
  ativo: row.active === 1,
  version: row.version,
})

const inOrder = (db: Reader) =>
  db
    .selectFrom('instruments')
    .select(['id', 'code', 'description', 'resolution_milli', 'calibrated_until_day', 'active', 'version'])
    .orderBy('code')

export const listInstruments = async (db: Reader): Promise<Instrument[]> =>
  (await inOrder(db).execute()).map(toInstrument)

export async function findInstrument(db: Reader, id: number): Promise<Instrument | null> {
  const row = await inOrder(db).where('id', '=', id).executeTakeFirst()
  return row ? toInstrument(row) : null
}

const columns = ({ codigo, descricao, resolucao, calibradoAte, ativo }: InstrumentForm) => ({
  code: codigo.trim(),
  code_key: nameKey(codigo),
  description: descricao.trim(),
  resolution_milli: resolucao,
  calibrated_until_day: calibradoAte ?? null,
  active: ativo ? 1 : 0,
})

/** Returns its id; throws a unique violation when there is one of this code. */
export async function insertInstrument(tx: Tx, form: InstrumentForm): Promise<number> {
  const { insertId } = await tx
    .insertInto('instruments')
    .values({ ...columns(form), version: 1 })
    .executeTakeFirstOrThrow()
  return Number(insertId)
}

/** False when it is gone or not of this version any more; null takes any. Throws a unique violation as `insertInstrument`. */
export const updateInstrument = (
  tx: Tx,
  id: number,
  form: InstrumentForm,
  versionSeen: number | null,
): Promise<boolean> =>
  tx
    .updateTable('instruments')
    .set((e) => ({ ...columns(form), version: e('version', '+', 1) }))
    .where((e) => e.and({ id, ...ofVersion(versionSeen) }))
    .$call(changesOne)
