import type { Instrument, InstrumentForm } from '../../contract/instruments.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { changeVersion, insertsRow, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

type Row = Omit<Tables['instruments'], 'id' | 'code_key'> & { id: number }

const toInstrument = (row: Row): Instrument => ({
  id: row.id,
  codigo: row.code,
  descricao: row.description,
  resolucao: row.resolution_milli,
  ...(row.calibrated_until_day === null ? {} : { calibradoAte: row.calibrated_until_day }),
  ativo: row.active === 1,
  ...(row.kind === null ? {} : { tipo: row.kind }),
  version: row.version,
})

const inOrder = (db: Reader) =>
  db
    .selectFrom('instruments')
    .select(['id', 'code', 'description', 'resolution_milli', 'calibrated_until_day', 'active', 'kind', 'version'])
    .orderBy('code')

export const listInstruments = async (db: Reader): Promise<Instrument[]> =>
  (await inOrder(db).execute()).map(toInstrument)

export async function findInstrument(db: Reader, id: number): Promise<Instrument | null> {
  const row = await inOrder(db).where('id', '=', id).executeTakeFirst()
  return row ? toInstrument(row) : null
}

const columns = ({ codigo, descricao, resolucao, calibradoAte, ativo, tipo }: InstrumentForm) => ({
  code: codigo.trim(),
  code_key: nameKey(codigo),
  description: descricao.trim(),
  resolution_milli: resolucao,
  calibrated_until_day: calibradoAte ?? null,
  active: ativo ? 1 : 0,
  ...(tipo === undefined ? {} : { kind: tipo }),
})

/** Returns its id; throws a unique violation when there is one of this code. */
export const insertInstrument = (tx: Tx, form: InstrumentForm): Promise<number> =>
  tx
    .insertInto('instruments')
    .values({ ...columns(form), version: 1 })
    .$call(insertsRow)

/** False when it is gone or not of this version any more; null takes any. Throws a unique violation as `insertInstrument`. */
export const updateInstrument = (
  tx: Tx,
  id: number,
  form: InstrumentForm,
  versionSeen: number | null,
): Promise<boolean> => changeVersion(tx, 'instruments', { id, versionSeen }, columns(form))

/** Until when somebody said that it is calibrated; `untilDay` null: nobody knows. */
type Calibration = { fromDay: string; untilDay: string | null; by: string; at: number }

type Author = { userId: number; name: string; at: number; day: string }

const calibrations = (db: Reader) =>
  db
    .selectFrom('instrument_calibrations')
    .select(['from_day as fromDay', 'until_day as untilDay', 'changed_by as by', 'at'])

/** As an instrument stands now, where that is not what is known already. */
export async function noteCalibration(tx: Tx, { id, version, calibradoAte }: Instrument, by: Author): Promise<void> {
  const untilDay = calibradoAte ?? null
  const last = await calibrations(tx)
    .where('instrument_id', '=', id)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last && last.untilDay === untilDay) return
  const row = { instrument_id: id, version, from_day: by.day, until_day: untilDay }
  await tx
    .insertInto('instrument_calibrations')
    .values({ ...row, changed_by: by.name, user_id: by.userId, at: by.at })
    .execute()
}

/** Calibration of each of the instruments with these codes, as it was known on a day of the plant; null: nobody knows. */
export async function findCalibrations(
  db: Reader,
  codes: readonly string[],
): Promise<(code: string, day: string) => Calibration | null> {
  const keys = [...new Set(codes.map(nameKey))]
  const rows =
    keys.length === 0
      ? []
      : await calibrations(db)
          .innerJoin('instruments as i', 'i.id', 'instrument_id')
          .select('i.code_key as key')
          .where('i.code_key', 'in', keys)
          .orderBy('instrument_calibrations.version', 'desc')
          .execute()
  const known = Map.groupBy(rows, ({ key }) => key)
  return (code, day) => known.get(nameKey(code))?.find(({ fromDay }) => fromDay <= day) ?? null
}

/** Known calibrations of an instrument, the newest first. */
export const listCalibrations = (db: Reader, instrumentId: number): Promise<Calibration[]> =>
  calibrations(db).where('instrument_id', '=', instrumentId).orderBy('version', 'desc').execute()

/**
 * Adds what the trail knows: of the time before there was such a table, and of changes by a server of the version before. Each change
 * of an instrument has written one line of the trail, so the nth line is of its nth version.
 */
export async function fillCalibrations(tx: Tx, dayOf: (at: number) => string): Promise<void> {
  const known = await tx.selectFrom('instrument_calibrations').select(['instrument_id', 'version']).execute()
  const lines = await tx
    .selectFrom('audit_entries as a')
    .leftJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.subject_id', 'a.details_json', 'a.user_id', 'a.user_name', 'a.at', 'u.full_name'])
    .where('a.subject_kind', '=', 'instrument')
    .where('a.action', '=', 'instrument_changed')
    .orderBy('a.id')
    .execute()
  const untilIn = (json: string) => (JSON.parse(json) as { is?: { calibradoAte?: string } }).is?.calibradoAte || null
  for (const [id, ofInstrument] of Map.groupBy(lines, (line) => Number(line.subject_id))) {
    const has = new Set(known.filter((row) => row.instrument_id === id).map(({ version }) => version))
    const added = ofInstrument.flatMap(({ at, user_id, user_name, full_name, details_json }, nth) => {
      const before = ofInstrument[nth - 1]
      const until_day = untilIn(details_json)
      const isSame = before !== undefined && untilIn(before.details_json) === until_day
      if (isSame || has.has(nth + 1)) return []
      const row = { instrument_id: id, version: nth + 1, from_day: dayOf(at), until_day }
      return [{ ...row, changed_by: full_name || user_name, user_id, at }]
    })
    if (added.length > 0) await tx.insertInto('instrument_calibrations').values(added).execute()
  }
}
