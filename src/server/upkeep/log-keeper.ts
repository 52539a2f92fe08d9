import { hostname } from 'node:os'
import pino from 'pino'
import type { LogLevel } from '../../contract/log-entries.ts'
import { openRepeats } from '../../domain/text/repeats.ts'
import { type Db, isStoreUnreachable, type Tx } from '../store/db/db.ts'
import { deleteOldLogEntries, foldLogEntries, insertLogEntries, type NewLogEntry } from '../store/log-entries.ts'
import { textOf } from './log-texts.ts'

/** Redacts whatever opens a session or the ERP, wherever it occurs. */
const redact = ['password', '*.password', 'authorization', '*.authorization', 'cookie', '*.cookie', 'token', '*.token']

/** Names the error, so that another one is said beside it. */
const errorNameOf = (err: unknown) => (isThrown(err) ? (err.code ?? (err as Error).name) : '')

/**
 * A line with `repeats` comes again as long as its cause lasts, each minute or oftener: the first is written and then one an
 * hour, with how many were held back. `repeats` tells it from others of the same message.
 */
function holdBack(elapsedMs: () => number): NonNullable<pino.LoggerOptions['hooks']> {
  const heldBackBefore = openRepeats(elapsedMs)
  return {
    logMethod([fields, ...more], method) {
      if (typeof fields !== 'object' || fields === null || !('repeats' in fields)) {
        return method.apply(this, [fields, ...more] as Parameters<typeof method>)
      }
      const { repeats, ...line } = fields as { repeats: unknown; err?: unknown }
      const heldBack = heldBackBefore(JSON.stringify([more[0], repeats, errorNameOf(line.err)]))
      if (heldBack === null) return
      method.apply(this, [heldBack > 0 ? { ...line, heldBack } : line, ...more] as Parameters<typeof method>)
    },
  }
}

/** Logs to the machine at the configured level, and to the panel's own log from info on. */
export function openLog(
  level: string,
  keeper: Pick<LogKeeper, 'write'>,
  out: pino.DestinationStream = pino.destination(1),
  elapsedMs: () => number = () => performance.now(),
): pino.Logger {
  const { values } = pino.levels
  const isFiner = (values[level] ?? Number.POSITIVE_INFINITY) < (values.info ?? 0)
  return pino(
    { base: null, level: isFiner ? level : 'info', redact, hooks: holdBack(elapsedMs) },
    pino.multistream([
      { level: level as pino.Level, stream: out },
      { level: 'info', stream: keeper },
    ]),
  )
}

/** Newest lines that wait in memory while the database is away. */
export const WAITING_COUNT_MAX = 5000
const STORED_AT_ONCE_MAX = 500
const BATCHES_MAX = WAITING_COUNT_MAX / STORED_AT_ONCE_MAX
/** A storm must not have filled the disk by the time the hour is over. */
const TIDIED_EVERY_COUNT = 5000
const RETAINED_MS = 366 * 86_400_000

const MESSAGE_LENGTH_MAX = 500
const ERROR_LENGTH_MAX = 3000
const DETAILS_LENGTH_MAX = 2000

type Store = { db: Pick<Db, 'transaction'>; now: () => number }

export type LogKeeper = ReturnType<typeof openLogKeeper>

/** pino's numbers leave room for levels in between. */
const levelOf = (level: number): LogLevel =>
  level >= 60 ? 'Critical' : level >= 50 ? 'Error' : level >= 40 ? 'Warning' : 'Info'

/** MariaDB takes no half of a pair. */
const cut = (text: string, lengthMax: number) =>
  (text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text).toWellFormed()

/** Anything may be thrown, not only an error. */
export type Line = { level: number; time: number; msg?: unknown; err?: unknown }
type Thrown = { type?: string; message?: string; stack?: string; code?: string }

const isThrown = (err: unknown): err is Thrown => typeof err === 'object' && err !== null && 'message' in err

export function errorTextOf(err: unknown): string {
  if (!isThrown(err)) return typeof err === 'string' ? err : JSON.stringify(err)
  const { type, message, stack, code } = err
  return [...(code ? [`[${code}]`] : []), stack || `${type ?? 'Error'}: ${message ?? ''}`].join(' ')
}

const SOURCE = `${hostname()} (${process.pid})`

function entryOf(line: Line): NewLogEntry {
  const { level, time, msg, err, ...details } = line
  const error = err === undefined ? null : errorTextOf(err)
  const message = typeof msg === 'string' && msg !== '' ? textOf(msg) : (error ?? 'Sem mensagem')
  return {
    at: time,
    level: levelOf(level),
    source: SOURCE,
    message: cut(message, MESSAGE_LENGTH_MAX),
    error: error === null ? null : cut(error, ERROR_LENGTH_MAX),
    detailsJson: Object.keys(details).length > 0 ? cut(JSON.stringify(details), DETAILS_LENGTH_MAX) : null,
  }
}

const lossOf = (count: number, at: number): NewLogEntry[] =>
  count === 0
    ? []
    : [{ at, level: 'Warning', source: SOURCE, message: lossText(count), error: null, detailsJson: null }]

export const lossText = (count: number): string =>
  count === 1 ? '1 entrada do log se perdeu' : `${count} entradas do log se perderam`

/** Deletes lines that are too old, and those beyond the room when a storm wrote too many. */
export const tidyLogEntries = (tx: Tx, at: number): Promise<void> => deleteOldLogEntries(tx, at - RETAINED_MS)

/** `ownNow`: the clock that pino uses. */
export function openLogKeeper(ownNow: () => number) {
  let waiting: NewLogEntry[] = []
  let lostCount = 0
  let untidyCount = 0
  let isFailing = false
  let underWay: Promise<void> | null = null

  const keepNewest = () => {
    const excess = Math.max(0, waiting.length - WAITING_COUNT_MAX)
    if (excess > 0) waiting.splice(0, excess)
    lostCount += excess
  }
  const storeBatch = async ({ db, now }: Store): Promise<boolean> => {
    const [batch, lost] = [waiting.splice(0, STORED_AT_ONCE_MAX), lostCount]
    lostCount = 0
    // the servers of a plant go by the database's clock
    const aheadMs = now() - ownNow()
    const entries = [...batch, ...lossOf(lost, ownNow())].map((entry) => ({ ...entry, at: entry.at + aheadMs }))
    try {
      await db.transaction((tx) => insertLogEntries(tx, entries))
      isFailing = false
    } catch (error) {
      if (!isFailing) console.error(`The log could not be stored: ${(error as Error).message}`)
      isFailing = true
      lostCount += lost
      // an entry that the database never accepts must not block the others
      if (isStoreUnreachable(error)) waiting = [...batch, ...waiting]
      else lostCount += batch.length
      keepNewest()
      return false
    }
    untidyCount += entries.length
    if (untidyCount < TIDIED_EVERY_COUNT) return true
    untidyCount = 0
    // what fails now is done with the next 5,000, or within the hour; age waits for a clock to be trusted (`panel.ts`)
    await db.transaction((tx) => foldLogEntries(tx)).catch(() => undefined)
    return true
  }
  const storeAll = async (store: Store) => {
    for (let batches = 0; waiting.length > 0 && batches < BATCHES_MAX; batches++) {
      if (!(await storeBatch(store))) return
    }
  }
  const wait = (entry: NewLogEntry) => {
    waiting.push(entry)
    keepNewest()
  }
  return {
    /** A redacted line of pino. Buffered only: logging never waits for a database. */
    write: (line: string) => wait(entryOf(JSON.parse(line) as Line)),
    add: (entry: Omit<NewLogEntry, 'at' | 'source'>) => wait({ ...entry, at: ownNow(), source: SOURCE }),
    /**
     * Stores the buffer; while the database is away it stays buffered. Never throws, and logs nothing, since that would
     * recurse.
     */
    async flush(store: Store) {
      underWay ??= storeAll(store).finally(() => {
        underWay = null
      })
      await underWay
    },
  }
}
