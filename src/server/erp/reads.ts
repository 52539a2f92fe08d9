import { refusals } from '../../contract/errors.ts'
import type { JunctionDetails } from '../../contract/junctions.ts'
import { type Answer, asObject, type ErpObject, errorIn, messageOf } from './answer.ts'
import { type ErpLog, failure } from './calls.ts'
import { ErpFailure, type IntegrationRecord, type Rows } from './gateway.ts'
import { detailAnswerKeys, hasNext, quantityOf, rowsOf, textOf, toJunctionDetails } from './mapping.ts'
import type { ListOperation } from './operations.ts'

const PAGE_SIZE = 100
const PAGES_MAX = 50

/** The failure of a read, or null when the answer is good. */
function readFailure(answer: Answer, expectedKeys: readonly string[]): ErpFailure | null {
  if (answer.status === 401 || answer.status === 403) return failure('auth')
  if (answer.door !== 'open') return failure(answer.door === 'busy' ? 'busy' : 'unavailable')
  const error = errorIn(answer, expectedKeys)
  if (error) {
    if (error.crashed || !error.message) return failure('bad_answer')
    return new ErpFailure('refused', error.message, isRequestRefused(answer.status) && !error.isServers)
  }
  return answer.status >= 300 || (answer.value === undefined && !answer.isEmpty) ? failure('bad_answer') : null
}

/** 408, 425 and 429 come from proxies. Under a success a program describes itself as often as the order. */
const isRequestRefused = (status: number) => status >= 400 && status < 500 && ![408, 425, 429].includes(status)

/** An order that the ERP does not know. An answer that is no JSON is rather an address that it does not know. */
const isNone = (answer: Answer) => answer.status === 404 && (answer.isEmpty || asObject(answer.value) !== null)

/** Whatever the table, the name of its branch column ends alike. */
const BRANCH_COLUMN = /_FILIAL$/

function isOfBranch(row: ErpObject, branch: string, log: ErpLog, operation: string): boolean {
  const column = Object.keys(row).find((name) => BRANCH_COLUMN.test(name)) ?? ''
  const rowBranch = textOf(row[column]).trim()
  // Blank in a table that all branches share.
  if (rowBranch === '' || rowBranch === branch.trim()) return true
  log.error(
    { operation, branch, rowBranch, repeats: `${operation} ${branch} ${rowBranch}` },
    'row of another branch dropped',
  )
  return false
}

const VALUE_LENGTH_MAX = 60

type Unusable = { operation: string; branch: string; field: string; value: unknown }

/** A field that is wrong in one row is wrong in thousands. */
function noteUnusable(log: ErpLog, { operation, branch, field, value }: Unusable): void {
  const shown = JSON.stringify(value)?.slice(0, VALUE_LENGTH_MAX) ?? 'absent'
  const fields = { operation, branch, field, value: shown, repeats: `${operation} ${branch} ${field}` }
  log.warn(fields, 'row dropped: a field is missing or cannot be read')
}

/** All pages of a list, each row once: of several with one key the last counts. */
export async function list<Query extends { branch: string }, Row>(
  op: ListOperation<Query, Row>,
  query: Query,
  means: { get: (parameters: Record<string, string>) => Promise<Answer>; log: ErpLog },
): Promise<Rows<Row>> {
  const { get, log } = means
  const { branch } = query
  /** Null: it came and cannot be used. */
  const found = new Map<string, Row | null>()
  const seen = new Set<string>()
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const answer = await get({ ...op.query(query), page: String(page), pageSize: String(PAGE_SIZE) })
    if (isNone(answer)) break
    const failed = readFailure(answer, op.expectedKeys)
    if (failed) throw failed
    const rows = answer.isEmpty ? [] : rowsOf(answer.value, op.rowKey)
    if (!rows) throw failure('bad_answer')
    const seenBefore = seen.size
    for (const row of rows) {
      const key = textOf(row[op.rowKey]).trim()
      seen.add(key)
      if (!isOfBranch(row, branch, log, op.name)) continue
      const field = key === '' ? op.rowKey : op.quantities.find((name) => quantityOf(row[name]) === null)
      if (field !== undefined) noteUnusable(log, { operation: op.name, branch, field, value: row[field] })
      found.set(key, field === undefined ? op.row(row) : null)
    }
    if (!hasNext(answer.value)) break
    if (seen.size === seenBefore) {
      log.warn({ operation: op.name, page, repeats: op.name }, 'the ERP repeats a page')
      break
    }
  }
  const rows = [...found.values()].filter((row) => row !== null)
  if (rows.length === 0 && found.size > 0) throw failure('unreadable')
  return { rows, unusable: [...found].flatMap(([key, row]) => (row === null ? key : [])) }
}

/** Nothing of the junction is as good as none: it fails with `not_found`. */
export function junctionDetails(answer: Answer, { branch, log }: { branch: string; log: ErpLog }): JunctionDetails {
  const notFound = failure('not_found', refusals.junction_not_found.message)
  if (isNone(answer)) throw notFound
  const failed = readFailure(answer, detailAnswerKeys)
  if (failed) throw failed
  if (answer.isEmpty) throw notFound
  const details = toJunctionDetails(answer.value, (row) => isOfBranch(row, branch, log, 'junctionDetails'))
  if (!details) throw failure('bad_answer')
  if (details.registros.length === 0 && details.circuitos.length === 0) throw notFound
  return details
}

const integrationStatuses: Record<string, IntegrationRecord['status']> = { 0: 'processing', 1: 'done', 2: 'refused' }

/**
 * The recording that the ERP has under our id; null when it has none. Only a clear answer counts: an id wrongly taken for
 * unknown would be recorded twice.
 */
export function integrationRecord(answer: Answer, integrationId: string): IntegrationRecord | null {
  const object = rowsOf(answer.value, 'ID_INTEGRACAO')?.[0]
  if (answer.status === 404 && object === undefined && asObject(answer.value)) return null
  const isOurs = textOf(object?.ID_INTEGRACAO).trim().toLowerCase() === integrationId.toLowerCase()
  const status = integrationStatuses[textOf(object?.STATUS).trim()]
  if (object && answer.status < 300 && isOurs && status && !('ERRORCODE' in object)) {
    return { status, message: messageOf(object) }
  }
  const failed = readFailure(answer, ['ID_INTEGRACAO', 'STATUS'])
  // The look-up's own trouble must not be taken for a refusal of the recording.
  throw failed && failed.kind !== 'refused' ? failed : failure('bad_answer')
}
