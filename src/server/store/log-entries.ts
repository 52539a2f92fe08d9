import type { Selectable } from 'kysely'
import { type LogEntry, type LogLevel, logLevels } from '../../contract/log-entries.ts'
import { timesIn } from '../../domain/plant/noise.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { countText } from '../../domain/text/numbers.ts'
import type { Reader, Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { foldNoise } from './noise.ts'
import { pagesOf } from './slices.ts'

export type NewLogEntry = {
  /** Epoch milliseconds. */
  at: number
  level: LogLevel
  source: string
  message: string
  error: string | null
  detailsJson: string | null
}

const rankOf = (level: LogLevel): number => logLevels.indexOf(level)

type Row = Selectable<Tables['log_entries']>

const messageOf = ({ message, details_json }: Row): string => {
  const times = timesIn(details_json)
  return times === null ? message : `${message} (${countText(times)} vezes)`
}

const toEntry = (row: Row, wordOf: WordOf): LogEntry => ({
  id: row.id,
  timestamp: toInstant(row.at),
  level: logLevels[row.level] ?? 'Critical',
  source: row.source,
  message: wordOf(messageOf(row), row.details_json),
  error: row.error,
  additionalData: row.details_json,
})

export async function insertLogEntries(tx: Tx, entries: readonly NewLogEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ detailsJson, level, ...rest }) => ({
    ...rest,
    level: rankOf(level),
    details_json: detailsJson,
  }))
  await tx.insertInto('log_entries').values(rows).execute()
}

export type LogFilter = {
  minLevel: LogLevel
  /** Epoch milliseconds, both within the period. */
  from: number
  to: number
  /** Anywhere in an entry, whatever the case of its letters. */
  text: string
  countMax: number
}

/** How its reader says a line, where that is not as it was stored. */
export type WordOf = (message: string, detailsJson: string | null) => string

const ROWS_AT_ONCE = 1000

/** Newest first. Databases differ in which letters are equal, so the text is matched here. */
export async function listLogEntries(
  db: Reader,
  filter: LogFilter,
  wordOf: WordOf = (message) => message,
): Promise<LogEntry[]> {
  const { countMax } = filter
  const text = filter.text.trim().toLowerCase()
  const isMeant = ({ message, source, error, details_json }: Row, entry: LogEntry) =>
    text === '' || [message, entry.message, source, error, details_json].join('\n').toLowerCase().includes(text)
  const found: LogEntry[] = []
  // the search for a rare text reads everything
  for await (const rows of pagesOf(ROWS_AT_ONCE, (last?: Row) => listBefore(db, filter, last))) {
    for (const row of rows) {
      const entry = toEntry(row, wordOf)
      if (found.length < countMax && isMeant(row, entry)) found.push(entry)
    }
    if (found.length === countMax) break
  }
  return found
}

async function listBefore(db: Reader, { minLevel, from, to }: LogFilter, last: Row | undefined): Promise<Row[]> {
  let query = db
    .selectFrom('log_entries')
    .selectAll()
    .where('at', '>=', from)
    .where('at', '<=', last?.at ?? to)
    .where('level', '>=', rankOf(minLevel))
  if (last) {
    query = query.where((e) => e.or([e('at', '<', last.at), e('id', '<', last.id)]))
  }
  return await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(ROWS_AT_ONCE).execute()
}

/** Returns how many there were. */
export async function deleteLogEntries(tx: Tx): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('log_entries').executeTakeFirst()
  return Number(numDeletedRows)
}

/** For each level by itself, so that a storm of mild lines pushes no grave one out: 100,000 at most. */
const LOG_ENTRIES_PER_LEVEL_MAX = 25_000

/** Deletes, where there is no room for all, the lines that repeat most. */
export async function foldLogEntries(tx: Tx, max = LOG_ENTRIES_PER_LEVEL_MAX): Promise<void> {
  for (const level of logLevels) {
    await foldNoise(tx, { table: 'log_entries', within: { level: rankOf(level) }, sameAs: ['message'], max })
  }
}

/** Deletes lines that are too old; then, where there is no room for the rest, those that repeat most. */
export async function deleteOldLogEntries(tx: Tx, writtenBefore: number, max?: number): Promise<void> {
  await tx.deleteFrom('log_entries').where('at', '<', writtenBefore).execute()
  await foldLogEntries(tx, max)
}
