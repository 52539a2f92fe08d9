import { decodeText } from './charset.ts'
import type { HttpAnswer } from './http.ts'

/** An object of the ERP, its keys in upper case: their case differs between services. */
export type ErpObject = Record<string, unknown>

export type Answer = {
  status: number
  /** Undefined: nothing came that is JSON. */
  value: unknown
  isEmpty: boolean
  /** The body held several JSON values in a row (a service that answered twice); `value` is the last. */
  repeated: boolean
  /** The server turned the call away before executing it, or is not there at all. */
  door: 'open' | 'busy' | 'away'
}

const MESSAGE_LENGTH_MAX = 300
const BUSY_TEXT = /server busy|servidor ocupado|licen[cçs]/i
const STACK_TEXT = /THREAD ERROR|called from/i

export const asObject = (value: unknown): ErpObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, held]) => [key.toUpperCase(), held]))
    : null

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The JSON values written one after another, or none when anything else is among them. */
function consecutiveValues(text: string): unknown[] {
  const values: unknown[] = []
  let depth = 0
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]
    if (quoted) {
      if (letter === '\\') at += 1
      else if (letter === '"') quoted = false
    } else if (letter === '"') quoted = true
    else if (letter === '{' || letter === '[') depth += 1
    else if (letter === '}' || letter === ']') {
      depth -= 1
      if (depth > 0) continue
      const value = parse(text.slice(start, at + 1))
      if (value === undefined) return []
      values.push(value)
      start = at + 1
    }
  }
  return text.slice(start).trim() === '' ? values : []
}

/** Reads an answer by its bytes alone: neither its status nor its labels can be trusted. */
export function readAnswer({ status, body }: HttpAnswer): Answer {
  // AdvPL writes line breaks into JSON strings as they are.
  const text = decodeText(body)
    .replace(/^\uFEFF/, '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  const whole = parse(text)
  const values = whole === undefined ? consecutiveValues(text) : [whole]
  return {
    status,
    value: values.at(-1),
    isEmpty: text === '' || values.at(-1) === null,
    repeated: values.length > 1,
    door: ![502, 503, 504].includes(status) ? 'open' : status === 503 && BUSY_TEXT.test(text) ? 'busy' : 'away',
  }
}

/** Some services put a JSON text into the text of their error. */
function innermostText(value: unknown, depth = 0): string {
  const object = asObject(typeof value === 'string' && /^\s*\{/.test(value) ? parse(value) : value)
  if (!object || depth > 3) return typeof value === 'string' ? value : ''
  for (const key of ['ERRORMESSAGE', 'MESSAGE', 'MENSAGEM', 'DETAILEDMESSAGE', 'ERROR']) {
    const text = innermostText(object[key], depth + 1).trim()
    if (text) return text
  }
  return ''
}

const withoutStack = (text: string): string => text.slice(0, text.match(STACK_TEXT)?.index ?? text.length)

/** The words of an answer that are meant for people. */
export const messageOf = (value: unknown): string =>
  withoutStack(innermostText(value)).replace(/\s+/g, ' ').trim().slice(0, MESSAGE_LENGTH_MAX).trim()

/**
 * The error that an answer carries, even under status 200. `crashed`: its text is a program's stack rather than a
 * decision. `expectedKeys` are those of a good answer to the same call.
 */
export function errorIn(
  { status, value }: Pick<Answer, 'status' | 'value'>,
  expectedKeys: readonly string[],
): { message: string; crashed: boolean } | null {
  const object = asObject(Array.isArray(value) && value.length === 1 ? value[0] : value)
  if (!object) return null
  const isError =
    status >= 400 ||
    'ERRORCODE' in object ||
    ('CODE' in object && 'MESSAGE' in object && !expectedKeys.some((key) => key in object)) ||
    String(object.STATUS).trim() === '2' ||
    String(object.SUCCESS) === 'false'
  return isError ? { message: messageOf(object), crashed: STACK_TEXT.test(innermostText(object)) } : null
}
