import { type LogEntry, type LogLevel, logLevels } from '../../../contract/log-entries.ts'
import { dayText, plantMoment } from '../../../domain/plant/plant-time.ts'
import { csvOf, csvText } from '../../../domain/text/csv.ts'
import type { BrowserLogEntry } from '../../device/log.ts'

export const ENTRIES_SHOWN_MAX = 500

/** An entry of this browser or of a server; fields that only one of them has are null in the other's. */
export type ShownEntry = BrowserLogEntryOrServers & { key: string }
type BrowserLogEntryOrServers = Omit<BrowserLogEntry, 'currentUrl' | 'userAgent'> & {
  currentUrl: string | null
  userAgent: string | null
}

export const levelTexts: Record<LogLevel, string> = {
  Info: 'Informação',
  Warning: 'Aviso',
  Error: 'Erro',
  Critical: 'Crítico',
}

/** Levels to choose from; empty: all of them. */
export const minLevels = ['Warning', 'Error', 'Critical'] as const
export type MinLevel = (typeof minLevels)[number] | ''

const minLevelTexts = { Warning: 'Avisos e piores', Error: 'Erros e piores', Critical: 'Só críticos' }
export const minLevelText = (level: (typeof minLevels)[number]): string => minLevelTexts[level]

/** dd/MM/yyyy HH:mm:ss */
export function momentText(instant: string, timeZone: string): string {
  const { day, time } = plantMoment(Date.parse(instant), timeZone)
  return `${dayText(day)} ${time}`
}

/** Gives each entry a key; entries of one moment are numbered in their order. */
export function shownHere(entries: readonly BrowserLogEntry[]): ShownEntry[] {
  const counts = new Map<string, number>()
  return entries
    .map((entry) => {
      const count = (counts.get(entry.timestamp) ?? 0) + 1
      counts.set(entry.timestamp, count)
      return { ...entry, key: `${entry.timestamp} ${count}` }
    })
    .toReversed()
}

export const shownOfServers = (entries: readonly LogEntry[]): ShownEntry[] =>
  entries.map(({ id, ...entry }) => ({ ...entry, key: String(id), userId: null, currentUrl: null, userAgent: null }))

export function filterEntries(
  entries: readonly ShownEntry[],
  { minLevel, text }: { minLevel: MinLevel; text: string },
) {
  const wanted = text.trim().toLowerCase()
  const least = logLevels.indexOf(minLevel || 'Info')
  return entries.filter(({ key, timestamp, level, ...texts }) => {
    if (logLevels.indexOf(level) < least) return false
    return wanted === '' || Object.values(texts).some((one) => one?.toLowerCase().includes(wanted))
  })
}

/** For support: what is shown, as a spreadsheet opens it. */
export const entriesCsv = (entries: readonly ShownEntry[], timeZone: string): string =>
  csvOf(
    [
      ['Data e hora', ({ timestamp }) => momentText(timestamp, timeZone)],
      ['Nível', ({ level }) => levelTexts[level]],
      ['Origem', ({ source }) => csvText(source)],
      ['Mensagem', ({ message }) => csvText(message)],
      ['Erro', ({ error }) => csvText(error ?? '')],
      ['Usuário', ({ userId }) => csvText(userId ?? '')],
      ['Endereço', ({ currentUrl }) => csvText(currentUrl ?? '')],
      ['Navegador', ({ userAgent }) => csvText(userAgent ?? '')],
      ['Mais dados', ({ additionalData }) => csvText(additionalData ?? '')],
    ],
    entries,
  )

/** For support: what is shown, for a program. */
export const entriesJson = (entries: readonly ShownEntry[]): string =>
  JSON.stringify(
    entries.map(({ key, ...entry }) => entry),
    null,
    2,
  )
