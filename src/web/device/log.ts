import { type LogLevel, logLevels } from '../../contract/log-entries.ts'
import { currentBasic, currentToken, currentUser } from './credentials.ts'
import { makeListeners, readJson } from './store.ts'

/** Errors of this browser, kept in local storage for the person who looks into them later. They outlive a log-out. */
export type BrowserLogEntry = {
  /** UTC, by this device's clock. */
  timestamp: string
  level: LogLevel
  /** The part of the app, or the call, that says it. */
  source: string
  message: string
  error: string | null
  /** The username; null while nobody is logged in. */
  userId: string | null
  /** Without what stands behind `?` and `#`. */
  currentUrl: string
  userAgent: string
  additionalData: string | null
}

const KEY = 'logs'
export const BROWSER_ENTRIES_MAX = 1000
/** The same storage holds the session: at most a fifth of the usual 5 million. */
const CHARACTERS_MAX = 1_000_000
/** After one entry those that follow at once are stored together: a storm must not stop the screen. */
const GAP_MS = 200
const lengths = { message: 500, error: 2000, additionalData: 1000 }

const isEntry = (stored: unknown): stored is BrowserLogEntry => {
  if (typeof stored !== 'object' || stored === null) return false
  const { timestamp, level, ...texts } = stored as Record<string, unknown>
  return (
    !Number.isNaN(Date.parse(String(timestamp))) &&
    logLevels.some((one) => one === level) &&
    [texts.source, texts.message, texts.currentUrl, texts.userAgent].every((text) => typeof text === 'string') &&
    [texts.error, texts.userId, texts.additionalData].every((text) => text === null || typeof text === 'string')
  )
}

/** Oldest first. What somebody else left under the key is passed over. */
export function readEntries(raw: string | null): BrowserLogEntry[] {
  const stored = readJson(raw)
  return Array.isArray(stored) ? stored.filter(isEntry) : []
}

/** The newest that there is room for. A device without any keeps none. */
export function keepEntries(storage: Pick<Storage, 'setItem'>, entries: readonly BrowserLogEntry[]): void {
  const texts: string[] = []
  let room = CHARACTERS_MAX
  for (const entry of entries.slice(-BROWSER_ENTRIES_MAX).toReversed()) {
    const text = JSON.stringify(entry)
    room -= text.length
    if (room < 0) break
    texts.unshift(text)
  }
  for (let stored = texts; ; stored = stored.slice(Math.ceil(stored.length / 2))) {
    try {
      storage.setItem(KEY, `[${stored.join(',')}]`)
      return
    } catch {
      if (stored.length === 0) return
    }
  }
}

/** Takes secrets out of a text, wherever they may have come from. */
export function withoutSecrets(text: string, secrets: readonly (string | null | undefined)[]): string {
  let clean = text
  for (const secret of secrets) if (secret) clean = clean.replaceAll(secret, '•••')
  return clean.replace(/\bPIC-[0-9A-Z]{8,30}\b/gi, '•••').replace(/\b(Bearer|Basic|Grant) [\w+/=.~-]+/g, '$1 •••')
}

const cut = (text: string, lengthMax: number) => (text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text)

type Report = { level: LogLevel; source: string; message: string; error?: unknown; additionalData?: object | null }

/** Anything may be thrown, not only an error. */
function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message
  if (typeof thrown !== 'object') return String(thrown)
  try {
    return JSON.stringify(thrown)
  } catch {
    // A value that holds itself cannot be written as JSON.
    return String(thrown)
  }
}

/** With where it happened, and what was behind it. */
function errorTextOf(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error)
  const { name, message, stack = '', cause } = error
  const text = stack.includes(message) ? stack : `${name}: ${message}\n${stack}`
  return cause === undefined ? text : `${text}\n← ${String(cause)}`
}

function entryOf({ level, source, message, error, additionalData }: Report): BrowserLogEntry {
  const user = currentUser()
  const secrets = [currentToken(), currentBasic(), user?.deliveryGrant, user?.logoutSecret]
  const clean = (text: string, lengthMax: number) => cut(withoutSecrets(text, secrets), lengthMax)
  return {
    timestamp: new Date().toISOString(),
    level,
    source,
    message: clean(message, lengths.message),
    error: error === undefined ? null : clean(errorTextOf(error), lengths.error),
    userId: user?.username ?? null,
    currentUrl: window.location.origin + window.location.pathname,
    userAgent: navigator.userAgent,
    additionalData: additionalData ? clean(JSON.stringify(additionalData), lengths.additionalData) : null,
  }
}

let waiting: BrowserLogEntry[] = []
let timer: ReturnType<typeof setTimeout> | undefined
let entries: readonly BrowserLogEntry[] | null = null
const { tell, subscribe } = makeListeners()

function announce(): void {
  entries = null
  tell()
}

function store(): void {
  if (waiting.length === 0) return
  try {
    keepEntries(localStorage, [...readEntries(localStorage.getItem(KEY)), ...waiting])
  } catch {
    // A browser that keeps nothing at all: the app goes on without a log.
  }
  waiting = []
  announce()
}

/** Never throws: what logs is in trouble already. */
function write(said: Report, put: (entry: BrowserLogEntry) => unknown): void {
  try {
    put(entryOf(said))
  } catch {
    // As above.
  }
}

export const writeLog = (said: Report): void => write(said, add)

const LEAVE_MS = 1000

/** For a call without answer: a page that is being left breaks off its calls, and nothing is wrong with that. */
export const writeLogUnlessLeft = (said: Report): void => write(said, (entry) => setTimeout(add, LEAVE_MS, entry))

function add(entry: BrowserLogEntry): void {
  waiting.push(entry)
  if (waiting.length > BROWSER_ENTRIES_MAX) waiting.shift()
  if (timer !== undefined) return
  store()
  timer = setTimeout(() => {
    timer = undefined
    store()
  }, GAP_MS)
}

/** For what a screen does not say itself: in the log, and in the console for who looks there. */
export function logFailure(source: string, error: unknown, level: 'Error' | 'Warning' = 'Error'): void {
  if (level === 'Error') console.error(source, error)
  else console.warn(source, error)
  writeLog({ level, source, message: messageOf(error), error })
}

/** Oldest first; the same array for as long as nothing is added. */
export function browserLog(): readonly BrowserLogEntry[] {
  entries ??= readEntries(localStorage.getItem(KEY))
  return entries
}

export function subscribeToLog(listener: () => void): () => void {
  const fromOtherTab = ({ key }: StorageEvent) => (key === null || key === KEY) && announce()
  // Another tab may have written while nobody here listened.
  entries = null
  const leave = subscribe(listener)
  window.addEventListener('storage', fromOtherTab)
  return () => {
    leave()
    window.removeEventListener('storage', fromOtherTab)
  }
}

export function clearLog(): void {
  waiting = []
  localStorage.removeItem(KEY)
  announce()
}

/** Logs errors that nobody caught. */
export function watchErrors(): void {
  window.addEventListener('error', ({ error, message, filename, lineno, colno }) => {
    writeLog({
      level: 'Error',
      source: 'Erro não tratado',
      // The browser's own words for it begin in English.
      message: error instanceof Error ? error.message : message,
      error: error ?? message,
      additionalData: filename ? { place: `${filename.split('?')[0]}:${lineno}:${colno}` } : null,
    })
  })
  window.addEventListener('unhandledrejection', ({ reason }) => {
    writeLog({ level: 'Error', source: 'Promessa rejeitada', message: messageOf(reason), error: reason })
  })
  // Stores the lines that still wait for their turn.
  window.addEventListener('pagehide', store)
}
