import type { Selectable } from 'kysely'
import {
  HISTORY_ROWS_MAX,
  type HistoryCall,
  type HistoryEnd,
  type HistoryScrap,
  type LookedReading,
} from '../../contract/end-histories.ts'
import type { MaintenanceCall } from '../../contract/maintenance-calls.ts'
import { delayMinutes } from '../../domain/acts/late-acts.ts'
import { addDays, plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import { reasonText, teamOf, teamTexts } from '../../domain/tools/call-topics.ts'
import { causeText } from '../../domain/tools/maintenance-calls.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { type Placed, readActs, type SampleRow } from './end-history-rows.ts'
import { toCall } from './maintenance-calls.ts'
import { type StoredScrap, scrapsAt } from './scraps.ts'

/** In words where a word of the plant's lists was chosen. */
const toHistoryCall = (call: MaintenanceCall, medicoes: LookedReading[]): HistoryCall => ({
  tipo: 'chamado',
  id: call.id,
  em: call.abertoEm,
  numero: call.numero,
  assunto: `${teamTexts[teamOf(call)]} · ${reasonText(call)}`,
  medicoes,
  maquina: call.maquina,
  miniaplicador: call.miniaplicador,
  nota: call.nota,
  abertoPor: call.abertoPor,
  situacao: call.situacao,
  atendidoEm: call.atendidoEm,
  atendidoPor: call.atendidoPor,
  encerradoEm: call.encerradoEm,
  encerradoPor: call.encerradoPor,
  causa: causeText(call),
  feito: call.feito,
  motivo: call.motivo,
})

const ANSWERS_MS = 15 * 60_000

/** Maintenance was called at its machine and tool just after samples outside: from a server or a page that names no act. */
const answeredBy = (call: CallRow, rows: readonly SampleRow[]): SampleRow[] =>
  rows.filter(
    (row) =>
      row.action === 'manutencao' &&
      machineKey(row.machine) === machineKey(call.machine) &&
      (call.unit_key === '' || call.unit_key === row.unit_key) &&
      call.opened_at >= row.measured_at &&
      call.opened_at - row.measured_at <= ANSWERS_MS,
  )

type CallRow = Selectable<Tables['maintenance_calls']>

/** The samples that each call follows, those of presses that joined it too. */
async function listFollowing(db: Reader, calls: readonly CallRow[]): Promise<Map<string, Set<string>>> {
  const following = new Map(calls.map(({ id, act_id }) => [id, new Set(act_id === null ? [] : [act_id])]))
  const ids = calls.filter(({ joined }) => joined > 0).map(({ id }) => id)
  if (ids.length === 0) return following
  const joins = await db
    .selectFrom('maintenance_call_joins')
    .select(['call_id', 'act_id'])
    .where('call_id', 'in', ids)
    .where('act_id', 'is not', null)
    .execute()
  for (const { call_id, act_id } of joins) if (act_id !== null) following.get(call_id)?.add(act_id)
  return following
}

/** Calls about this place or one of its samples, opened on the days of its acts or the day after. */
export async function listCalls(
  db: Reader,
  end: HistoryEnd,
  of: { rows: readonly SampleRow[]; first: number; last: number; timeZone: string },
): Promise<Placed<HistoryCall>[]> {
  const calls = await db
    .selectFrom('maintenance_calls')
    .selectAll()
    .where('branch', '=', end.filial)
    .where('opened_day', '>=', addDays(plantDay(of.first, of.timeZone), -1))
    .where('opened_day', '<=', addDays(plantDay(of.last, of.timeZone), 1))
    .execute()
  const following = await listFollowing(db, calls)
  const acts = new Set(of.rows.map(({ act_id }) => act_id))
  const side = end.parte === 'juncao' ? '' : end.parte.slice(1)
  const isHere = (call: CallRow) =>
    end.parte === 'juncao'
      ? call.order_number === end.ordem && call.position === end.posicao
      : call.barcode === end.codigoBarras && (call.side === '' || call.side === side)
  const causesOf = (call: CallRow) =>
    new Set([...(following.get(call.id) ?? []), ...answeredBy(call, of.rows).map(({ act_id }) => act_id)])
  const found = calls
    .map((call) => ({ call, causes: [...causesOf(call)] }))
    .filter(({ call, causes }) => isHere(call) || causes.some((act) => acts.has(act)))
  const readings = await readActs(
    db,
    found.flatMap(({ causes }) => causes),
  )
  return found.map(({ call, causes }) => {
    const outside = causes.flatMap((act) => readings.get(act) ?? []).filter(({ fora }) => fora)
    return { at: call.opened_at, entry: toHistoryCall(toCall(call), outside) }
  })
}

const toHistoryScrap = (row: StoredScrap): HistoryScrap => ({
  tipo: 'refugo',
  id: row.id,
  em: toInstant(row.recorded_at),
  recebidoEm: toInstant(row.received_at),
  demoraMinutos: delayMinutes(row.recorded_at, row.received_at),
  parte: row.part,
  pecas: row.pieces,
  motivoTexto: row.reason_text ?? row.reason_code,
  nota: row.note,
  retrabalho: row.is_rework === 1,
  autorConfirmado: row.trusted === 1,
  operador: row.operator,
  terminal: row.terminal,
  miniaplicador: row.unit,
  maquina: row.machine,
  lote: row.lot,
  desfeito:
    row.undone_at === null
      ? null
      : { em: toInstant(row.undone_at), por: row.undone_by ?? '', motivo: row.undone_reason ?? '' },
})

/** The newest first, undone ones among them; the cut of its wire belongs to an end. */
export async function listScrapsOf(db: Reader, end: HistoryEnd): Promise<Placed<HistoryScrap>[]> {
  const { filial: branch, parte, codigoBarras: barcode, ordem: orderNumber, posicao: position } = end
  const isJunction = parte === 'juncao'
  const rows = await scrapsAt(db, isJunction ? { branch, orderNumber, position } : { branch, barcode })
    .where('s.part', 'in', isJunction ? ['juncao'] : ['cabo', parte])
    .limit(HISTORY_ROWS_MAX + 1)
    .execute()
  return rows.map((row) => ({ at: Math.min(row.recorded_at, row.received_at), entry: toHistoryScrap(row) }))
}
