// The measure: node:http and better-sqlite3 with nothing between, running the statements that the panel runs for the
// same calls, prepared once, and giving the same answers. It knows no sessions, gives no receipts and believes whatever it is sent.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Sqlite from 'better-sqlite3'
import { noteStatements, type ServerOptions, tellPort } from './child.ts'

const { database, noted } = JSON.parse(process.argv[2] ?? '') as ServerOptions
if (database.kind !== 'sqlite') throw new Error('the bare server knows SQLite only')
const sqlite = new Sqlite(database.file)
sqlite.pragma('journal_mode = wal')
sqlite.pragma('synchronous = full')
sqlite.pragma('foreign_keys = on')
const { prepare } = noted ? noteStatements(sqlite) : { prepare: sqlite.prepare.bind(sqlite) }

const insertInto = (table: string, columns: string) => {
  const names = columns.split(' ')
  const quoted = names.map((name) => `"${name}"`).join(', ')
  return prepare(`insert into "${table}" (${quoted}) values (${names.map(() => '?').join(', ')})`)
}

const pairs = prepare(
  'select "id", "terminal", "miniaplicator", "created_at", "updated_at", "version" from "applicators" where "terminal_key" in (?, ?) order by "terminal", "miniaplicator"',
)
const findCounter = prepare(
  'select "name_key", "name", "crimps", "limit_crimps", "service_order", "maintenance_day", "comments", "lifetime_crimps", "unsafe_since", "version" from "applicator_units" where "name_key" = ?',
)
const listTerminals = prepare(
  'select "miniaplicator_key", "terminal" from "applicators" where "miniaplicator_key" = +? order by "terminal"',
)
const listCrimps = prepare(
  'select "unit_key" as "unitKey", "production_day" as "day", sum("pieces") as "crimps" from (select "unit_key", "production_day", "terminal", "pieces" from "daily_production" where "unit_key" != ? and "unit_key" = ? and "production_day" >= ? and "production_day" <= ? union all select "unit_key", "production_day", "terminal", "pieces" from "daily_scrap" where "wears" = ? and "unit_key" = ? and "production_day" >= ? and "production_day" <= ?) as "crimps" group by "unit_key", "production_day"',
)
const listParts = prepare(
  'select "id", "unit_key" as "unitKey", "kind", "code", "limit_crimps" as "limitOfCrimps", "lifetime_at_mount" as "lifetimeAtMount", "used_before" as "usedBefore", "mounted_at" as "mountedAt", "mounted_by" as "mountedBy" from "wear_parts" where "open_key" is not null and "unit_key" = +? order by "id"',
)
const begin = prepare('begin immediate')
const commit = prepare('commit')
const findRecording = prepare(
  'select "id", "content_hash" as "contentHash", "state", "promised", "branch", "barcode", "erp_message" as "erpMessage" from "recordings" where "id" = ?',
)
const findItem = prepare('select * from "erp_items" where "branch" = ? and "barcode" = ?')
const findKnown = prepare(
  `select kind as "kind" from "known_codes" where "code_key" = +? union all select 'miniaplicador' as "kind" from "applicator_units" where "name_key" = +? union all select 'miniaplicador' as "kind" from "applicators" where "miniaplicator_key" = +? union all select 'terminal' as "kind" from "applicators" where "terminal_key" = +? union all select 'seladora' as "kind" from "sealing_stations" where "station_name_key" = +? union all select 'selo' as "kind" from "sealing_stations" where "seal_key" = +? union all select 'instrumento' as "kind" from "instruments" where "code_key" = +? union all select 'terminal' as "kind" from "control_plans" where "terminal_key" = +? limit +?`,
)
const reservePieces = prepare(
  'update "erp_items" set "on_way_l1" = "on_way_l1" + ? where "branch" = ? and "barcode" = ? and "registered_l1" + "on_way_l1" + ? <= "ordered"',
)
const insertRecording = insertInto(
  'recordings',
  'id content_hash state promised counted part branch barcode position order_number pieces machine lot terminal unit_key payload_json capture_json user_id operator erp_message recorded_at received_at production_day gauge_milli',
)
const findUnit = prepare('select "cycle", "unsafe_since" from "applicator_units" where "name_key" = ?')
const insertUnit = insertInto(
  'applicator_units',
  'name_key name cycle crimps lifetime_crimps limit_crimps version updated_at',
)
const addCrimps = prepare(
  'update "applicator_units" set "crimps" = "crimps" + ?, "lifetime_crimps" = "lifetime_crimps" + ?, "updated_at" = ? where "name_key" = ?',
)
const insertLine = insertInto('crimp_ledger', 'recording_id reason unit_key cycle crimps at')
const addProduction = prepare(
  'update "daily_production" set "pieces" = "pieces" + ?, "recordings" = "recordings" + ? where "id" = ?',
)
const insertProduction = insertInto(
  'daily_production',
  'id production_day branch part order_number machine operator unit_key terminal pieces recordings',
)
const insertDelivery = insertInto(
  'erp_outbox',
  'id operation branch natural_key payload_json state attempts postponed inquiries due_at lease_until raises sent_at created_at settled_at',
)
const noteChanges = insertInto('live_changes', 'changes_json at')
const findRetained = prepare(
  'select "id", "part", "body_json" as "body", "content_hash" as "contentHash", "user_id" as "userId", "username", "full_name" as "fullName", "session_id" as "sessionId", "device", "device_name" as "deviceName", "reason" as "why", "recorded_at" as "recordedAt", "received_at" as "receivedAt", "state" from "retained_deliveries" where "id" = ?',
)
const closeRetained = prepare(
  'update "retained_deliveries" set "state" = ?, "decided_at" = ? where "id" = ? and "state" = ?',
)
const findSetting = prepare('select "value" from "settings" where "name" = ?')
const findNewestSeq = prepare('select max("seq") as "seq" from "erp_outbox"')
const findNewestChange = prepare('select max("id") as "id" from "live_changes"')
const promise = prepare('update "recordings" set "promised" = ? where "id" = ? and "state" = ?')

type Pair = {
  id: number
  terminal: string
  miniaplicator: string
  created_at: number
  updated_at: number
  version: number
}
type Item = { row_json: string } & Record<string, number>
type Sent = Record<string, string> & { QTD_REALIZADA: number }

const toInstant = (at: number) => new Date(at).toISOString()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const DAY_MS = 86_400_000
const plantDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' })

function listPairs(terminal: string) {
  const key = terminal.trim().toLocaleLowerCase('pt-BR')
  // as it is written, and as it was folded
  return (pairs.all(key, key) as Pair[]).map((row) => ({
    id: row.id,
    terminal: row.terminal,
    miniaplicator: row.miniaplicator,
    createdAt: toInstant(row.created_at),
    updatedAt: toInstant(row.updated_at),
    version: row.version,
  }))
}

/** Of a unit without a history: it forecasts nothing. */
function getCounter(name: string) {
  const key = name.trim().toLocaleLowerCase('pt-BR')
  const row = findCounter.get(key) as Record<string, unknown>
  const terminals = listTerminals.all(key) as { terminal: string }[]
  const [from, to] = [28, 1].map((days) => plantDay.format(Date.now() - days * DAY_MS))
  listCrimps.all('', key, from, to, 1, key, from, to)
  return {
    miniaplicator: row.name,
    numberOfCrimps: row.crimps,
    limitOfCrimps: row.limit_crimps,
    associatedTerminals: terminals.map(({ terminal }) => terminal),
    serviceOrder: row.service_order,
    maintenanceDate: row.maintenance_day,
    comments: row.comments,
    lifetimeCrimps: row.lifetime_crimps,
    unsafeSince: row.unsafe_since,
    version: row.version,
    previsao: { estado: 'sem-previsao', dia: null, emDias: null, aproximada: false },
    pecas: listParts.all(key),
  }
}

/** Counts the crimps and the day's pieces. */
function addTotals(id: string, sent: Sent, day: string, at: number): void {
  const { MA_LD1: name = '', QTD_REALIZADA: pieces } = sent
  const unit = name.trim().toLocaleLowerCase('pt-BR')
  if (!findUnit.get(unit)) insertUnit.run(unit, name, 1, 0, 0, 100_000, 1, at)
  addCrimps.run(pieces, pieces, at, unit)
  const { cycle } = findUnit.get(unit) as { cycle: number }
  insertLine.run(id, 'recorded', unit, cycle, pieces, at)
  const dimensions = [day, sent.EMPRESA, 'l1', sent.ORDEM_PROD, sent.MAQUINA, 'Maria Souza', unit, sent.TERM_LD1]
  const key = sha256(JSON.stringify(dimensions))
  if (addProduction.run(pieces, 1, key).changes === 0) insertProduction.run(key, ...dimensions, pieces, 1)
}

function accept(id: string, sent: Sent): void {
  const { EMPRESA: branch, COD_BARRA: barcode, QTD_REALIZADA: pieces } = sent
  const at = Date.now()
  const day = plantDay.format(at)
  const payload = JSON.stringify({ ...sent, OPERADOR: 'Maria Souza' })
  const hash = sha256(JSON.stringify(Object.entries(sent).sort()))
  const of = [branch, barcode, '', sent.ORDEM_PROD, pieces, sent.MAQUINA, sent.LOTE_TERM_LD1, sent.TERM_LD1]
  const unit = sent.MA_LD1?.toLocaleLowerCase('pt-BR')
  insertRecording.run(
    ...[id, hash, 'waiting', 0, 1, 'l1', ...of, unit, payload, null, 1, 'Maria Souza', null, at, at, day, 500],
  )
  addTotals(id, sent, day, at)
  const turn = `${branch}|${barcode}|l1`
  insertDelivery.run(id, 'recordCutCrimp', branch, turn, payload, 'new', 0, 0, 0, at, 0, pieces, null, at, null)
  const changes = [
    { topic: 'items', key: barcode },
    { topic: 'pending-recordings', key: id },
    { topic: 'crimp-counters', key: sent.MA_LD1 },
  ]
  noteChanges.run(JSON.stringify(changes), at)
}

function record(id: string, sent: Sent) {
  const { EMPRESA: branch, COD_BARRA: barcode, QTD_REALIZADA: pieces } = sent
  // how the ERP writes the code, and what the rules need
  findItem.get(branch, barcode)
  findRecording.get(id)
  findRetained.get(id)
  findItem.get(branch, barcode)
  begin.run()
  findRecording.get(id)
  findKnown.get(...Array.from({ length: 8 }, () => sent.LOTE_TERM_LD1?.toLocaleLowerCase('pt-BR')), 1)
  findItem.get(branch, barcode)
  reservePieces.run(pieces, branch, barcode, pieces)
  closeRetained.run('arrived', Date.now(), id, 'open')
  accept(id, sent)
  commit.run()
  findRecording.get(id)
  findRecording.get(id)
  begin.run()
  promise.run(1, id, 'waiting')
  commit.run()
  const row = findItem.get(branch, barcode) as Item
  // of the receipt
  findSetting.get('epoch')
  findSetting.get('epoch')
  findNewestSeq.get()
  findNewestChange.get()
  const item = {
    ...(JSON.parse(row.row_json) as object),
    aguardandoErp: { cabo: row.on_way_cabo, l1: row.on_way_l1, l2: row.on_way_l2 },
  }
  return {
    message: 'Apontamento salvo. Será enviado ao ERP assim que ele responder.',
    status: 'pendente',
    item,
  }
}

function send(response: ServerResponse, status: number, answer: object): void {
  const body = JSON.stringify(answer)
  const type = 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
}

const LIST = '/api/miniaplicadores/por-terminal/'
const COUNTER = '/api/crimpagens/'

function respond(request: IncomingMessage, response: ServerResponse): void {
  const { url = '', method } = request
  if (method === 'GET') {
    if (url.startsWith(COUNTER)) send(response, 200, getCounter(url.slice(COUNTER.length)))
    else send(response, 200, listPairs(decodeURIComponent(url.slice(LIST.length))))
    return
  }
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text
  })
  request.on('end', () => {
    send(response, 202, record(String(request.headers['idempotency-key']), JSON.parse(body) as Sent))
  })
}

const server = createServer(respond)
server.listen(0, '127.0.0.1', () => tellPort(server))
