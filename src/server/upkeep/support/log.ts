import { setImmediate } from 'node:timers/promises'
import { type LogEntry, testTexts } from '../../../contract/log-entries.ts'
import type { Pseudonyms } from '../../../domain/people/pseudonyms.ts'
import { DAY_MS, toInstant } from '../../../domain/plant/plant-time.ts'
import type { Reader } from '../../store/db/db.ts'
import { listLogEntries } from '../../store/log-entries.ts'
import { listMessages } from '../../store/support-files.ts'
import { panelTexts, textOf } from '../log-texts.ts'

const ENTRIES_MAX = 5000
const LENGTH_MAX = 4_000_000
const ALARMS_MAX = 50
const PLACES_MAX = 12
const LEFT_OUT = '…'

type Kind = 'plain' | 'person' | 'address' | 'text'

/** Details of an entry that go into the file; of the rest only how many there were. The ERP's words are not among them. */
const fields: Record<string, Kind> = {
  ...fieldsOf('person', 'user by'),
  ...fieldsOf('address', 'address server'),
  ...fieldsOf('text', 'reason cause text name because'),
  ...fieldsOf('plain', 'recording integrationId attempts outcome operation branch rowBranch page'),
  ...fieldsOf('plain', 'status method path contentType repeated grant sent online field call'),
  ...fieldsOf('plain', 'alarm kind channel access typedLength more times sessions count removed'),
  ...fieldsOf('plain', 'version day mode database steps epoch seq aheadMs believedAt isStandIn'),
}

function fieldsOf(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}

/** As names of code, paths of calls and numbers are written. */
const PLAIN = /^[\w.,:/# -]{0,120}$/

function shown(kind: Kind, value: unknown, pseudonyms: Pseudonyms): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => shown(kind, one, pseudonyms))
  if (typeof value !== 'string') return LEFT_OUT
  if (kind === 'person') return pseudonyms.person(value)
  if (kind === 'address') return pseudonyms.address(value)
  if (kind === 'text') return pseudonyms.text(value)
  return PLAIN.test(value) ? pseudonyms.words(value) : LEFT_OUT
}

function detailsOf(json: string | null, pseudonyms: Pseudonyms): object | null {
  if (json === null) return null
  let details: unknown
  try {
    details = JSON.parse(json)
  } catch {
    // cut short when it was stored
    return null
  }
  const given = Object.entries(typeof details === 'object' && details !== null ? details : {})
  const known = given.flatMap(([name, value]): [string, unknown][] => {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined
    return kind === undefined ? [] : [[name, shown(kind, value, pseudonyms)]]
  })
  const left = given.length - known.length
  return { ...Object.fromEntries(known), ...(left > 0 ? { outros: left } : {}) }
}

/** A place in the code, without the folders before it: those have names of accounts. */
function placeOf(line: string): string {
  const [, called = ''] = /^\s+at (?:async )?([\w$.<>#[\] ]{1,80}) \(/.exec(line) ?? []
  const [place = LEFT_OUT] =
    /(?:node:[\w/.-]+|(?:src|demo|node_modules)\/[\w@/.-]+):\d+(?::\d+)?(?=\)?$)/.exec(line) ?? []
  return `at ${called && `${called} `}${place}`
}

function errorOf(error: string | null, pseudonyms: Pseudonyms): string[] | null {
  if (error === null) return null
  const lines = error.split('\n')
  const first = lines.findIndex((line) => /^\s+at /.test(line))
  const said = lines.slice(0, first < 0 ? lines.length : first)
  const places = first < 0 ? [] : lines.slice(first).filter((line) => /^\s+at /.test(line))
  return [...said.map((line) => pseudonyms.text(line)), ...places.slice(0, PLACES_MAX).map(placeOf)]
}

const fixed: ReadonlySet<string> = new Set([...panelTexts, ...Object.values(testTexts)])

/** One that stands for many says how often at its end. */
const messageOf = (message: string, { text }: Pseudonyms) =>
  fixed.has(message.replace(/ \([\d.]+ vezes\)$/, '')) ? message : text(message)

/** Machine and process of a line. */
function sourceOf(source: string, { address }: Pseudonyms): string {
  const [, host = '', process = ''] = /^(.+) \((\d+)\)$/.exec(source) ?? []
  return host === '' ? LEFT_OUT : `${address(host)} (${process})`
}

function entryOf({ timestamp, level, source, message, error, additionalData }: LogEntry, pseudonyms: Pseudonyms) {
  return {
    em: timestamp,
    nivel: level,
    origem: sourceOf(source, pseudonyms),
    mensagem: messageOf(message, pseudonyms),
    ...(error === null ? {} : { erro: errorOf(error, pseudonyms) }),
    ...(additionalData === null ? {} : { dados: detailsOf(additionalData, pseudonyms) }),
  }
}

/** The log of the last day, newest first, as far as there is room. */
export async function readLog(db: Reader, now: number, pseudonyms: Pseudonyms): Promise<object> {
  const filter = { minLevel: 'Info', from: now - DAY_MS, to: Number.MAX_SAFE_INTEGER, text: '' } as const
  const entries = await listLogEntries(db, { ...filter, countMax: ENTRIES_MAX })
  const shownEntries: object[] = []
  let length = 0
  for (const entry of entries) {
    const line = entryOf(entry, pseudonyms)
    length += JSON.stringify(line).length
    if (length > LENGTH_MAX) break
    shownEntries.push(line)
    // whoever records something meanwhile is answered
    if (shownEntries.length % 200 === 0) await setImmediate()
  }
  const isWhole = shownEntries.length === entries.length && entries.length < ENTRIES_MAX
  return { desde: toInstant(now - DAY_MS), inteiro: isWhole, entradas: shownEntries }
}

const alarmMessages = ['an alarm has begun', 'an alarm has ended'].map(textOf)

/** How alarms last began and ended, newest first. */
export const readLastAlarms = async (db: Reader, pseudonyms: Pseudonyms): Promise<object[]> =>
  (await listMessages(db, alarmMessages, ALARMS_MAX)).map(({ at, message, details }) => ({
    em: toInstant(at),
    mensagem: message,
    dados: detailsOf(details, pseudonyms),
  }))
