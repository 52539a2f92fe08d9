import { decodeText } from './charset.ts'
import type { HttpAnswer } from './http.ts'
import { unpack } from './packing.ts'

/** An object of the ERP, its keys in upper case: their case differs between services. */
export type ErpObject = Record<string, unknown>

export type Answer = {
  status: number
  /** The body, whatever it is. */
  text: string
  /** Undefined: nothing came that is JSON. */
  value: unknown
  isEmpty: boolean
  /** False: bytes that are no text, such as one packed in an unknown way or cut short. */
  isReadable: boolean
  /** The body held several JSON values in a row (a service that answered twice); `value` is the last. */
  repeated: boolean
  /** The server turned the call away before executing it, or is not there at all. */
  door: 'open' | 'busy' | 'away'
}

const MESSAGE_LENGTH_MAX = 300
/** Signs that no text has. */
const UNPRINTABLE = /[^\P{Cc}\t\r\n\f]/u
export const BUSY_TEXT = /server busy|servidor ocupado|licen[cçs]/i
export const STACK_TEXT = /THREAD ERROR|called from/i

export const asObject = (value: unknown): ErpObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, content]) => [key.toUpperCase(), content]))
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
export function readAnswer({ status, body, encoding }: Pick<HttpAnswer, 'status' | 'body' | 'encoding'>): Answer {
  const decoded = decodeText(unpack({ body, encoding }))
  // AdvPL writes line breaks into JSON strings as they are.
  const text = decoded
    .replace(/^\uFEFF/, '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  const whole = parse(text)
  const values = whole === undefined ? consecutiveValues(text) : [whole]
  return {
    status,
    text,
    value: values.at(-1),
    isEmpty: text === '' || values.at(-1) === null,
    isReadable: values.length > 0 || !UNPRINTABLE.test(decoded),
    repeated: values.length > 1,
    door: ![502, 503, 504].includes(status) ? 'open' : status === 503 && BUSY_TEXT.test(text) ? 'busy' : 'away',
  }
}

/** Some services put a JSON text into the text of their error. */
function innermostText(value: unknown, depth = 0): string {
  const object = asObject(typeof value === 'string' && /^\s*\{/.test(value) ? parse(value) : value)
  if (!object || depth > 3) return typeof value === 'string' ? value : ''
  for (const key of ['ERRORMESSAGE', 'MESSAGE', 'MENSAGEM', 'DETAILEDMESSAGE', 'ERROR', 'ERRO']) {
    const text = innermostText(object[key], depth + 1).trim()
    if (text) return text
  }
  return ''
}

const withoutStack = (text: string): string => text.slice(0, text.match(STACK_TEXT)?.index ?? text.length)

/** The words of an answer that are meant for people. */
export const messageOf = (value: unknown): string =>
  withoutStack(innermostText(value)).replace(/\s+/g, ' ').trim().slice(0, MESSAGE_LENGTH_MAX).trim()

/** Marks of an error in the dialects of the field: a field of its own, or a word in one that others have too. */
const errorFields = ['ERRORCODE', 'ERRORMESSAGE', 'ERROR', 'ERRORS', 'ERRO', 'ERROS'] as const
const successFields = ['SUCCESS', 'SUCESSO', 'OK'] as const
const ERROR_STATUS = /^(2|erro|error|falha|falhou|fail|failed|failure|nok|[45]\d\d)$/i
const ERROR_CODE = /^[45]\d\d$/
/** An error field that is always there, and empty where nothing is wrong. */
const isNoError = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'string' && value.trim() === '')
const isFalse = (value: unknown) =>
  value === false || value === 0 || (typeof value === 'string' && /^(false|\.?f\.?|n|n[aã]o|0)$/i.test(value.trim()))
const word = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '')

function hasErrorMark(object: ErpObject, expectedKeys: readonly string[]): boolean {
  const code = word(object.CODE)
  return (
    'ERRORCODE' in object ||
    errorFields.some((key) => !isNoError(object[key])) ||
    successFields.some((key) => isFalse(object[key])) ||
    ERROR_STATUS.test(word(object.STATUS)) ||
    ERROR_CODE.test(code) ||
    ('CODE' in object && 'MESSAGE' in object && !/^2\d\d$/.test(code) && !expectedKeys.some((key) => key in object))
  )
}

/**
 * The error in an answer, even under status 200. `crashed`: its text is a stack trace. `isServers`: it calls itself a
 * failure of the server. `expectedKeys`: the keys of a good answer to the same call.
 */
export function errorIn(
  { status, value }: Pick<Answer, 'status' | 'value'>,
  expectedKeys: readonly string[],
): { message: string; crashed: boolean; isServers: boolean } | null {
  const object = asObject(Array.isArray(value) && value.length === 1 ? value[0] : value)
  if (!object) return null
  if (status < 400 && !hasErrorMark(object, expectedKeys)) return null
  return {
    message: messageOf(object),
    crashed: STACK_TEXT.test(innermostText(object)),
    isServers: [object.ERRORCODE, object.CODE, object.STATUS].some((code) => /^5\d\d$/.test(word(code))),
  }
}
