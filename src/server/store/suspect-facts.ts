import type { SuspectRecording as SuspectReply } from '../../contract/containments.ts'
import { itemNumberOf } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { usedIn } from '../../domain/reports/traces.ts'
import type { Reader } from './db/db.ts'
import { rowsAt } from './items.ts'
import { itemKey, lineColumns, listItems } from './traces.ts'

/** A recording as pages, labels and sheets show it in a window. */
type SuspectFacts = Omit<SuspectReply, 'certeza' | 'pecas'>

/** Items that the cut check has taken in, or is about to. */
async function listReceived(db: Reader, places: readonly { branch: string; barcode: string }[]): Promise<Set<string>> {
  if (places.length === 0) return new Set()
  const rows = await rowsAt(db, places)
    .select(['branch', 'barcode'])
    .where((e) => e.or([e('received', '=', 1), e('receipt_on_way', '=', 1)]))
    .execute()
  return new Set(rows.map(itemKey))
}

/** Of recordings that are there, by their ids; a page of them at most. */
export async function describeSuspects(db: Reader, ids: readonly string[]): Promise<Map<string, SuspectFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('recordings')
    .select([...lineColumns, 'terminal'])
    .where('id', 'in', ids)
    .execute()
  const items = await listItems(db, rows)
  const received = await listReceived(
    db,
    rows.filter(({ barcode }) => barcode !== ''),
  )
  return new Map(
    rows.flatMap((row): [string, SuspectFacts][] => {
      if (row.part === 'recebimento') return []
      const item = items.get(itemKey(row))
      const facts = {
        ...{ apontamento: row.id, codigoBarras: row.barcode, posicao: row.position, ordem: row.order_number },
        ...{ item: item ? itemNumberOf(item) : '', etapa: row.part, terminal: row.terminal },
        miniaplicador: usedIn(row.part, JSON.parse(row.payload_json) as object).miniaplicador,
        ...{ maquina: row.machine, lote: row.lot, operador: row.operator, registradoEm: toInstant(row.recorded_at) },
        recebido: row.part === 'juncao' ? null : received.has(itemKey(row)),
      }
      return [[row.id, facts]]
    }),
  )
}
