import { actKinds } from './act-kinds.ts'
import type { Tables } from './db/tables.ts'

type Column<Table extends keyof Tables> = keyof Tables[Table] & string

type PersonsIn<Table extends keyof Tables> = {
  table: Table
  /** Its rows are gone through in the order of this column; where none is given, of `id`. */
  key?: Column<Table>
  /** By this instant the retention is counted. Of a maintenance record it is that of its line of the history. */
  at: Column<Table> | 'of the history'
  /** Columns of a name with that of the user, if there is one; a name without a user there is the panel's own. */
  names: readonly (readonly [name: Column<Table>, userId: Column<Table> | null])[]
  /** Names within JSON: its column and the field. */
  namesWithin?: readonly (readonly [column: Column<Table>, field: string])[]
  /** Somebody wrote them, and may have named anybody. */
  texts: readonly Column<Table>[]
  /** Its names go with the act, as `act-kinds.ts` says: here they tell whose the texts are. */
  isAct?: true
  /** Name of a row in the person's file; null: it has a line of its own there already, texts included. */
  said: string | null
}

export type Persons = { [Table in keyof Tables]: PersonsIn<Table> }[keyof Tables]

/**
 * Rows that name people beside what `act-kinds.ts` says of acts. They are kept by law until `OPERATOR_RETENTION_MONTHS` have passed; then
 * a mark replaces each name, also where a text names somebody whom the panel knows (decision 092).
 */
export const persons: readonly Persons[] = [
  { table: 'recordings', at: 'received_at', names: [], texts: ['capture_json', 'erp_message'], said: null },
  {
    ...{ table: 'measurements', at: 'invalid_at', names: [['invalid_by', null]], isAct: true },
    // its line in `invalidations` says it
    ...{ texts: ['invalid_reason'], said: null },
  },
  {
    ...{ table: 'measurements', at: 'cause_at', names: [['cause_by', null]], isAct: true },
    ...{ texts: ['cause_note'], said: 'Causa anotada em carta' },
  },
  { table: 'measurement_causes', at: 'at', names: [['noted_by', 'user_id']], texts: ['note'], said: 'Causa anotada' },
  {
    ...{ table: 'maintenance_calls', at: 'opened_at', names: [['opened_by', 'opened_user_id']], isAct: true },
    ...{ texts: ['note'], said: 'Nota de chamado' },
  },
  {
    ...{ table: 'maintenance_calls', at: 'settled_at', names: [['settled_by', 'settled_user_id']], isAct: true },
    namesWithin: [['record_json', 'responsible']],
    texts: ['cause_text', 'done', 'reason', 'record_json'],
    said: 'Encerramento de chamado',
  },
  { table: 'scraps', at: 'recorded_at', names: [['operator', 'user_id']], isAct: true, texts: ['note'], said: null },
  {
    ...{ table: 'scraps', at: 'undone_at', names: [['undone_by', 'undone_user_id']], isAct: true },
    ...{ texts: ['undone_reason'], said: null },
  },
  { table: 'recording_findings', at: 'at', names: [], texts: ['reason'], said: null },
  {
    ...{ table: 'invalidations', at: 'at', names: [['done_by', 'user_id']] },
    ...{ texts: ['reason'], said: 'Medição tirada das contas, ou devolvida' },
  },
  { table: 'releases', at: 'at', names: [['given_by', 'user_id']], texts: ['reason'], said: null },
  { table: 'treatments', at: 'at', names: [['treated_by', 'user_id']], texts: ['text'], said: 'Ocorrência tratada' },
  { table: 'spc_limits', at: 'at', names: [['set_by', 'set_user_id']], texts: ['reason'], said: 'Limites de carta' },
  {
    // the trail says that she changed the instrument
    ...{ table: 'instrument_calibrations', at: 'at', names: [['changed_by', 'user_id']] },
    ...{ texts: [], said: null },
  },
  {
    ...{ table: 'control_plans', at: 'created_at', names: [['created_by', 'created_user_id']], texts: [] },
    said: 'Versão de plano de controle criada',
  },
  {
    ...{ table: 'control_plans', at: 'approved_at', names: [['approved_by', 'approved_user_id']], texts: [] },
    said: 'Versão de plano de controle aprovada',
  },
  {
    ...{ table: 'control_plans', at: 'ended_at', names: [['ended_by', 'ended_user_id']], texts: [] },
    said: 'Versão de plano de controle encerrada',
  },
  {
    ...{ table: 'containments', at: 'opened_at', names: [['opened_by', 'opened_user_id']] },
    ...{ texts: ['reason'], said: 'Contenção aberta' },
  },
  {
    ...{ table: 'containments', at: 'widened_at', names: [['widened_by', 'widened_user_id']] },
    ...{ texts: ['widened_reason'], said: 'Janela de contenção mudada' },
  },
  {
    ...{ table: 'containments', at: 'closed_at', names: [['closed_by', 'closed_user_id']] },
    ...{ texts: ['close_reason'], said: 'Contenção encerrada' },
  },
  {
    ...{ table: 'containment_steps', at: 'at', names: [['decided_by', 'user_id']] },
    ...{ texts: ['reason', 'checked_text'], said: 'Decisão de contenção' },
  },
  { table: 'wear_parts', at: 'mounted_at', names: [['mounted_by', 'mounted_by_id']], texts: [], said: null },
  { table: 'wear_parts', at: 'removed_at', names: [['removed_by', 'removed_by_id']], texts: [], said: null },
  { table: 'task_runs', at: 'recorded_at', names: [['recorded_by', 'user_id']], texts: ['note'], said: null },
  { table: 'applicator_units', key: 'name_key', at: 'updated_at', names: [], texts: ['comments'], said: null },
  {
    // as it was before her: what she wrote is in the trail
    ...{ table: 'crimp_history', at: 'at', names: [['changed_by', 'user_id']] },
    ...{ texts: ['comments'], said: null },
  },
  {
    ...{ table: 'maintenance_records', key: 'history_id', at: 'of the history', names: [['responsible', null]] },
    ...{ texts: ['service_done', 'parts'], said: 'Registro de manutenção' },
  },
  {
    ...{ table: 'document_revisions', at: 'uploaded_at', names: [['uploaded_by', null]] },
    ...{ texts: ['file_name'], said: 'Documento enviado' },
  },
  {
    ...{ table: 'document_revisions', at: 'withdrawn_at', names: [['withdrawn_by', null]] },
    ...{ texts: ['withdrawal_reason'], said: 'Documento retirado' },
  },
  {
    ...{ table: 'retained_deliveries', at: 'received_at' },
    names: [
      ['username', 'user_id'],
      ['full_name', 'user_id'],
    ],
    namesWithin: [['body_json', 'OPERADOR']],
    texts: ['body_json', 'device_name'],
    said: null,
  },
  {
    ...{ table: 'stations', at: 'enrolled_at', names: [['enrolled_by', null]] },
    ...{ texts: ['name'], said: 'Posto inscrito' },
  },
  {
    ...{ table: 'audit_entries', at: 'at', names: [['user_name', 'user_id']] },
    ...{ texts: ['subject_id', 'reason', 'details_json'], said: null },
  },
  {
    ...{ table: 'accesses', at: 'at', names: [['user_name', 'user_id']] },
    ...{ texts: ['subject_id', 'reason', 'details_json'], said: null },
  },
]

/**
 * Other columns that can hold a person. goes: its rows are deleted long before. asked: as long as the account is there, which an
 * administrator deactivates when its person goes; a mark replaces it once nobody has heard of it for the retention. erp: the ERP's own
 * words, replaced by each read. act: its kind says so. summed: moved under the mark with its day.
 */
export const otherPersons: {
  [Table in keyof Tables]?: Partial<Record<Column<Table>, 'goes' | 'asked' | 'erp' | 'act' | 'summed'>>
} = {
  recordings: { payload_json: 'act' },
  erp_outbox: { payload_json: 'act', message: 'erp', words: 'erp' },
  daily_production: { operator: 'summed' },
  erp_items: { row_json: 'erp' },
  erp_machines: { rows_json: 'erp' },
  erp_junctions: { row_json: 'erp' },
  erp_junction_details: { details_json: 'erp' },
  users: { username: 'asked', full_name: 'asked', password_hash: 'asked' },
  badges: { user_id: 'asked', code_hash: 'asked', pin_hash: 'asked' },
  settings: { value: 'asked' },
  sessions: { user_id: 'goes', device: 'goes', device_name: 'goes', agent: 'goes', address: 'goes' },
  session_secrets: { hash: 'goes' },
  device_users: { device: 'goes', user_id: 'goes' },
  epoch_witnesses: { device: 'goes', user_id: 'goes' },
  login_throttles: { name: 'goes' },
  live_changes: { changes_json: 'goes' },
  log_entries: { message: 'goes', error: 'goes', details_json: 'goes' },
  server_reports: { facts_json: 'goes' },
  stations: { device: 'goes', secret_hash: 'goes' },
  retained_deliveries: { device: 'goes' },
}

/** Every column that can hold a person. */
export const listPersonColumns = (): string[] => [
  ...new Set([
    ...persons.flatMap(({ table, names, texts }) => [
      ...names.flatMap((pair) => pair.filter((name) => name !== null).map((name) => `${table}.${name}`)),
      ...texts.map((text) => `${table}.${text}`),
    ]),
    ...actKinds.flatMap(({ table, people }) =>
      people.flatMap((pair) => pair.filter((name) => name !== null).map((name) => `${table}.${name}`)),
    ),
    ...Object.entries(otherPersons).flatMap(([table, columns]) =>
      Object.keys(columns).map((name) => `${table}.${name}`),
    ),
  ]),
]
