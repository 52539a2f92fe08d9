import type { Insertable } from 'kysely'
import type {
  CallCause,
  CallSymptom,
  CallTopic,
  ListedTeam,
  MaintenanceCall,
} from '../../contract/maintenance-calls.ts'
import type { CallTeam } from '../../contract/values.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import type { ListedMaintenanceRecord } from '../../domain/tools/crimp-counters.ts'
import { type CallTimes, calledUnitKey, joinsCall } from '../../domain/tools/maintenance-calls.ts'
import { noteSafety } from './crimp-counters.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

type Row = Tables['maintenance_calls']

export type StoredCall = MaintenanceCall & {
  contentHash: string
  openedByUserId: number
  acknowledgedByUserId: number | null
  receivedAt: number
  unitKey: string
}

const instantOf = (at: number | null) => (at === null ? null : toInstant(at))

export const toCall = (row: Row): StoredCall => ({
  id: row.id,
  numero: row.call_number,
  filial: row.branch,
  maquina: row.machine,
  miniaplicador: row.unit,
  codigoBarras: row.barcode,
  posicao: row.position,
  ordem: row.order_number,
  lado: row.side,
  sintoma: row.symptom,
  nota: row.note,
  situacao: row.state,
  abertoEm: toInstant(row.opened_at),
  abertoPor: row.opened_by,
  autorConfirmado: row.trusted === 1,
  enviadoDepois: row.late === 1,
  juntados: row.joined,
  atendidoEm: instantOf(row.acknowledged_at),
  atendidoPor: row.acknowledged_by ?? '',
  encerradoEm: instantOf(row.settled_at),
  encerradoPor: row.settled_by ?? '',
  causa: row.cause,
  causaTexto: row.cause_text ?? '',
  feito: row.done ?? '',
  motivo: row.reason ?? '',
  maintenanceRecord: row.record_json === null ? null : JSON.parse(row.record_json),
  version: row.version,
  equipe: row.team,
  assunto: row.topic,
  medicao: row.act_id,
  contentHash: row.content_hash,
  openedByUserId: row.opened_user_id,
  acknowledgedByUserId: row.acknowledged_user_id,
  receivedAt: row.received_at,
  unitKey: row.unit_key,
})

const openStates = ['aberto', 'atendido'] as const
const calls = (db: Reader) => db.selectFrom('maintenance_calls').selectAll()

export async function findCall(db: Reader, id: string): Promise<StoredCall | null> {
  const row = await calls(db).where('id', '=', id).executeTakeFirst()
  return row ? toCall(row) : null
}

/** One press. Instants are epoch ms; texts are empty where there is nothing to say. */
export type Press = {
  id: string
  contentHash: string
  branch: string
  machine: string
  /** By which its machine is known, however it is spelled. */
  machineKey: string
  unit: string
  barcode: string
  position: string
  orderNumber: string
  side: string
  symptom: CallSymptom
  team: CallTeam
  topic: CallTopic | ''
  /** The act that it follows, whether or not that has come. */
  actId: string | null
  note: string
  openedAt: number
  /** At the plant, `YYYY-MM-DD`. */
  openedDay: string
  receivedAt: number
  by: { userId: number; name: string }
  isTrusted: boolean
  isLate: boolean
}

export type OpenedCall = { call: StoredCall; isJoined: boolean; contentHash: string }

/** Presses of one plant go one after the other, also between servers: of two about the same the second finds the first. */
async function takeTurn(tx: Tx, branch: string): Promise<void> {
  const isThere = await tx
    .updateTable('maintenance_call_numbers')
    .set((e) => ({ presses: e('presses', '+', 1) }))
    .where('branch', '=', branch)
    .$call(changesOne)
  if (!isThere) await tx.insertInto('maintenance_call_numbers').values({ branch, last_number: 0, presses: 1 }).execute()
}

async function takeNumber(tx: Tx, branch: string): Promise<number> {
  await tx
    .updateTable('maintenance_call_numbers')
    .set((e) => ({ last_number: e('last_number', '+', 1) }))
    .where('branch', '=', branch)
    .execute()
  const { last_number } = await tx
    .selectFrom('maintenance_call_numbers')
    .select('last_number')
    .where('branch', '=', branch)
    .executeTakeFirstOrThrow()
  return last_number
}

/** The call that a press opened or joined. */
export async function findPressed(tx: Reader, id: string): Promise<OpenedCall | null> {
  const own = await findCall(tx, id)
  if (own) return { call: own, isJoined: false, contentHash: own.contentHash }
  const join = await tx.selectFrom('maintenance_call_joins').selectAll().where('id', '=', id).executeTakeFirst()
  const call = join && (await findCall(tx, join.call_id))
  return call ? { call, isJoined: true, contentHash: join.content_hash } : null
}

/** The newest open call about the same that takes a press in. */
async function findJoinable(tx: Tx, press: Press): Promise<StoredCall | null> {
  const { branch, machineKey: machine_key, team, symptom, topic } = press
  const rows = await calls(tx)
    .where((e) => e.and({ branch, machine_key, unit_key: calledUnitKey(press.unit), team, symptom, topic }))
    .where('state', 'in', openStates)
    .orderBy('call_number', 'desc')
    .execute()
  const open = rows.find((row) => joinsCall(press, { receivedAt: row.received_at, isLate: row.late === 1 }))
  return open ? toCall(open) : null
}

/** False when somebody has settled it meanwhile: it takes nothing in any more. */
async function join(
  tx: Tx,
  { id: callId }: StoredCall,
  { id, contentHash, openedAt, openedDay, by, actId }: Press,
): Promise<boolean> {
  const isOpen = await tx
    .updateTable('maintenance_calls')
    .set((e) => ({ joined: e('joined', '+', 1) }))
    .where('id', '=', callId)
    .where('state', 'in', openStates)
    .$call(changesOne)
  if (!isOpen) return false
  const joined = { joined_at: openedAt, joined_day: openedDay, joined_by: by.name, user_id: by.userId }
  await tx
    .insertInto('maintenance_call_joins')
    .values({ id, content_hash: contentHash, call_id: callId, ...joined, act_id: actId })
    .execute()
  return true
}

const rowOf = (press: Press, number: number): Insertable<Row> => ({
  id: press.id,
  content_hash: press.contentHash,
  call_number: number,
  branch: press.branch,
  machine: press.machine,
  machine_key: press.machineKey,
  unit: calledUnitKey(press.unit) === '' ? '' : press.unit,
  unit_key: calledUnitKey(press.unit),
  barcode: press.barcode,
  position: press.position,
  order_number: press.orderNumber,
  side: press.side,
  symptom: press.symptom,
  note: press.note,
  state: 'aberto',
  opened_at: press.openedAt,
  opened_day: press.openedDay,
  received_at: press.receivedAt,
  opened_by: press.by.name,
  opened_user_id: press.by.userId,
  trusted: press.isTrusted ? 1 : 0,
  late: press.isLate ? 1 : 0,
  joined: 0,
  version: 1,
  team: press.team,
  topic: press.topic,
  act_id: press.actId,
})

/** Nobody doubts any more whose press it was: it sounds as though it had come like this. Resolves to the call as it is now. */
export async function confirmCall(tx: Tx, found: StoredCall, press: Press): Promise<StoredCall> {
  const { id } = found
  const confirmed = {
    trusted: 1,
    late: press.isLate ? 1 : 0,
    opened_by: press.by.name,
    opened_user_id: press.by.userId,
  }
  await tx.updateTable('maintenance_calls').set(confirmed).where('id', '=', id).where('trusted', '=', 0).execute()
  return (await findCall(tx, id)) ?? found
}

/** Begins a press. Of two first presses of a plant one may throw a unique violation. */
export async function findPressedInTurn(
  tx: Tx,
  { id, branch }: Pick<Press, 'id' | 'branch'>,
): Promise<OpenedCall | null> {
  await takeTurn(tx, branch)
  return await findPressed(tx, id)
}

/** Opens a call, or joins the open one about the same, after `findPressedInTurn` has found no earlier one of this press. */
export async function openCall(tx: Tx, press: Press): Promise<OpenedCall> {
  const open = await findJoinable(tx, press)
  const isJoined = open !== null && (await join(tx, open, press))
  if (!isJoined) {
    const number = await takeNumber(tx, press.branch)
    await tx.insertInto('maintenance_calls').values(rowOf(press, number)).execute()
  }
  const call = await findCall(tx, isJoined ? open.id : press.id)
  if (!call) throw new Error('the call that was just opened is not there')
  return { call, isJoined, contentHash: press.contentHash }
}

/** A change of a call as it was read, with its author and instant. */
export type CallChange = { call: StoredCall; by: { userId: number; name: string }; at: number }

type Changed = Partial<Omit<Row, 'id' | 'version'>>

/** False when somebody has changed it since it was read. */
const changeCall = (
  tx: Tx,
  { id, version }: StoredCall,
  changed: Changed,
  guard: { joined?: number } = {},
): Promise<boolean> =>
  tx
    .updateTable('maintenance_calls')
    .set((e) => ({ ...changed, version: e('version', '+', 1) }))
    .where((e) => e.and({ id, version, ...guard }))
    .where('state', 'in', openStates)
    .$call(changesOne)

const acknowledgedBy = ({ by, at }: Omit<CallChange, 'call'>) => ({
  acknowledged_at: at,
  acknowledged_by: by.name,
  acknowledged_user_id: by.userId,
})
const settledBy = ({ by, at }: Omit<CallChange, 'call'>) => ({
  settled_at: at,
  settled_by: by.name,
  settled_user_id: by.userId,
})

/** Each of these is false when somebody has changed the call since it was read: then nothing was. */
export const acknowledgeCall = (tx: Tx, change: CallChange): Promise<boolean> =>
  changeCall(tx, change.call, { state: 'atendido', ...acknowledgedBy(change) })

type Solution = Pick<MaintenanceCall, 'causaTexto' | 'feito' | 'maintenanceRecord'> & { causa: CallCause }

/** Resolves a call. One that nobody had acknowledged is acknowledged by the same person, at the same moment. */
export async function solveCall(tx: Tx, change: CallChange, solution: Solution): Promise<boolean> {
  const { call, at } = change
  const { causa, causaTexto, feito, maintenanceRecord } = solution
  const isSolved = await changeCall(tx, call, {
    state: 'resolvido',
    ...(call.atendidoEm === null ? acknowledgedBy(change) : {}),
    ...settledBy(change),
    cause: causa,
    cause_text: causaTexto,
    done: feito,
    record_json: maintenanceRecord && JSON.stringify(maintenanceRecord),
  })
  if (isSolved && call.equipe === 'manutencao') {
    await tx.updateTable('applicator_units').set({ maintained_at: at }).where('name_key', '=', call.unitKey).execute()
    if (maintenanceRecord) await noteSafety(tx, call.unitKey, maintenanceRecord.safetyCondition, at)
  }
  return isSolved
}

/** Cancels a call; fails when a press has joined it meanwhile, for somebody else waits too. */
export const cancelCall = (tx: Tx, change: CallChange, reason: string | null): Promise<boolean> =>
  changeCall(tx, change.call, { state: 'cancelado', ...settledBy(change), reason }, { joined: change.call.juntados })

/** Days of the plant, both of which belong to it. */
export type CallPeriod = { branch: string; from: string; to: string; team: ListedTeam }

const ofTeam = (db: Reader, { branch, team }: CallPeriod) =>
  calls(db)
    .where('branch', '=', branch)
    .$if(team !== 'todas', (some) => some.where('team', '=', team as CallTeam))

const ofPeriod = (db: Reader, period: CallPeriod) =>
  ofTeam(db, period).where('opened_day', '>=', period.from).where('opened_day', '<=', period.to)

/** With the parts that went by them. */
async function toCalls(db: Reader, { branch, from, to }: CallPeriod, rows: readonly Row[]): Promise<StoredCall[]> {
  const parts = await db
    .selectFrom('maintenance_calls as c')
    .innerJoin('wear_parts as p', 'p.call_id', 'c.id')
    .select(['c.id as callId', 'p.kind', 'p.code'])
    .where('c.branch', '=', branch)
    .where('c.opened_day', '>=', from)
    .where('c.opened_day', '<=', to)
    .orderBy('p.id')
    .execute()
  const partsOf = Map.groupBy(parts, ({ callId }) => callId)
  return rows.map((row) => {
    const trocadas = partsOf.get(row.id)?.map(({ kind, code }) => ({ kind, code }))
    return { ...toCall(row), ...(trocadas ? { trocadas } : {}) }
  })
}

/** All that are open, the oldest first, then the settled ones of the period, the newest first. */
export async function listCalls(db: Reader, period: CallPeriod, settledMax: number): Promise<StoredCall[]> {
  const open = await ofTeam(db, period)
    .where('state', 'in', openStates)
    .orderBy('opened_at')
    .orderBy('call_number')
    .execute()
  const settled = await ofPeriod(db, period)
    .where('state', 'not in', openStates)
    .orderBy('opened_at', 'desc')
    .orderBy('call_number', 'desc')
    .limit(settledMax)
    .execute()
  return await toCalls(db, period, [...open, ...settled])
}

/** All that were opened in the period, the oldest first. */
export async function listCallsOpened(db: Reader, period: CallPeriod): Promise<StoredCall[]> {
  const rows = await ofPeriod(db, period).orderBy('opened_at').orderBy('call_number').execute()
  return await toCalls(db, period, rows)
}

export async function listCallTimes(db: Reader, period: CallPeriod): Promise<CallTimes[]> {
  const rows = await ofPeriod(db, period)
    .clearSelect()
    .select(['state', 'opened_at as openedAt', 'acknowledged_at as acknowledgedAt', 'settled_at as settledAt', 'late'])
    .execute()
  return rows.map(({ late, ...times }) => ({ ...times, isLate: late === 1 }))
}

/** NR-12 records of calls, where somebody wrote one. */
export async function listCallRecords(db: Reader): Promise<ListedMaintenanceRecord[]> {
  const rows = await calls(db).where('record_json', 'is not', null).execute()
  return rows.flatMap((row) => {
    const { maintenanceRecord, encerradoEm, numero, maquina, miniaplicador, encerradoPor } = toCall(row)
    if (!maintenanceRecord || encerradoEm === null) return []
    return [
      {
        ...maintenanceRecord,
        ...{ miniaplicator: miniaplicador, machine: maquina, callNumber: numero, change: 'call' as const },
        ...{ numberOfCrimps: null, serviceOrder: null, maintenanceDate: null },
        ...{ recordedBy: encerradoPor, recordedAt: encerradoEm },
      },
    ]
  })
}
