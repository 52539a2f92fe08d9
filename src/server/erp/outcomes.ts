import { type Answer, asObject, BUSY_TEXT, type ErpObject, errorIn, messageOf, STACK_TEXT } from './answer.ts'
import { failure, NotExecuted } from './calls.ts'
import { hasContradiction } from './equal-keys.ts'
import { ErpFailure, type WriteOutcome } from './gateway.ts'
import { textOf } from './mapping.ts'
import type { WriteOperation } from './operations.ts'
import type { Confirming } from './settings.ts'

type Standing = 'success' | 'login' | 'refusal' | 'nowhere' | 'failure' | 'other'

/** Reads the status alone. 403 may come from the program after it has begun; 408, 425 and 429 from a proxy. */
function standingOf(status: number): Standing {
  if (status >= 200 && status < 300) return 'success'
  if (status === 401) return 'login'
  if (status === 404 || status === 405) return 'nowhere'
  if ([403, 408, 425, 429].includes(status)) return 'other'
  if (status >= 400 && status < 500) return 'refusal'
  return status >= 500 ? 'failure' : 'other'
}

/**
 * - `door`: the AppServer's short text that no thread or licence is free.
 * - `error`: an error of a known dialect with clean words. `crash`: the same, calling itself a server failure.
 * - `remark`: clean words that make no error.
 * - `confirmation`: one document with a positive word of the operation and no negation. `words`: the same, of nothing but a
 *   sentence, which may speak of something else.
 * - `denial`: one document with a negation that is no error.
 * - `other`: nothing, HTML, a cut body, several documents, a stack trace, contradicting words or keys.
 */
type Kind = 'door' | 'error' | 'crash' | 'remark' | 'confirmation' | 'words' | 'denial' | 'other'

/** Whose recording an answer is about, by the id in it. */
type Whose = 'own' | 'foreign' | 'none'

type Decision = 'confirmed' | 'confirmed by words' | 'refused' | 'not_sent' | 'unknown' | 'unknown with words'

const any = '*'
type Row = readonly [Standing | typeof any, Kind | typeof any, Whose | typeof any, Decision]

/** The first matching row decides. No match: the outcome is unknown. */
export const outcomes: readonly Row[] = [
  ['login', any, any, 'not_sent'],
  ['failure', 'door', any, 'not_sent'],
  // the answer names another recording
  [any, any, 'foreign', 'unknown'],
  ['success', 'confirmation', any, 'confirmed'],
  ['success', 'words', any, 'confirmed by words'],
  ['success', 'error', any, 'refused'],
  ['success', 'crash', any, 'unknown with words'],
  ['success', 'denial', any, 'unknown with words'],
  ['refusal', 'error', any, 'refused'],
  ['refusal', 'crash', any, 'refused'],
  ['refusal', 'remark', any, 'refused'],
  ['refusal', 'denial', any, 'refused'],
  // a gateway's page for an address that it does not know has words too, but no error of the ERP's
  ['nowhere', 'error', any, 'refused'],
  ['failure', 'error', any, 'unknown with words'],
  ['failure', 'crash', any, 'unknown with words'],
  ['failure', 'remark', any, 'unknown with words'],
  ['failure', 'denial', any, 'unknown with words'],
]

const DOOR_TEXT =
  /^(service unavailable:? *)?(server busy|servidor ocupado|no licen[cs]es? (is |are )?available|(sem|nenhuma) licen[çc]as?( dispon[íi]ve(l|is))?)[.!]?$/i
const MARKUP = /<[a-z!/]/i
/** Words for work that has been taken on and is not done, or not all of it. */
const PENDING = /\b(em processamento|processando|em andamento|na fila|pendent|bloquead|porem|aguard|aprova|parcial)/
const NEGATION = /\b(nao|sem|erros?|falh\w*|nenhum\w*)\b/
const STATUS_PHRASES = new Set(
  Object.values(process.getBuiltinModule('node:http').STATUS_CODES).map((phrase) => phrase?.toLowerCase()),
)

/** Accents and case differ from one program to the next. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()

/** Words that speak of the recording: no page, no stack, no mere name of a status, no server that is busy. */
function cleanWords(value: unknown, { status, text }: Answer): string {
  const words = messageOf(value)
  const isBusy = status >= 500 && BUSY_TEXT.test(words)
  const isPhrase = STATUS_PHRASES.has(words.toLowerCase().replace(/[.!]+$/, ''))
  const isClean = !isPhrase && !isBusy && !MARKUP.test(words) && !STACK_TEXT.test(text) && /\p{L}{2}/u.test(words)
  return isClean ? words : ''
}

function everyValue(value: unknown, depth = 0): [key: string, value: unknown][] {
  if (typeof value !== 'object' || value === null || depth > 4) return []
  return Object.entries(value).flatMap(([key, content]) => [
    [Array.isArray(value) ? '' : key.toUpperCase(), content] as [string, unknown],
    ...everyValue(content, depth + 1),
  ])
}

function whoseId(value: unknown, integrationId: string): Whose {
  const ids = everyValue(value)
    .filter(([key]) => /^ID_?INTEGRACAO$/.test(key))
    .map(([, id]) => textOf(id).trim().toLowerCase())
    .filter((id) => id !== '')
  if (ids.length === 0) return 'none'
  return ids.every((id) => id === integrationId.trim().toLowerCase()) ? 'own' : 'foreign'
}

/** The sentences of all texts of more than one word; a single word is a code or a name. */
const sentencesOf = (value: unknown): string[] =>
  [['', value] as const, ...everyValue(value)]
    .flatMap(([, text]) => (typeof text === 'string' && /\S\s+\S/.test(text) ? text.split(/[.!?;]+(?:\s+|$)/) : []))
    .map(folded)
    .filter((sentence) => sentence !== '')

const isNothing = (text: string) => /^(0*|false|null|\.f\.)$/i.test(text)

function hasPositiveField(object: ErpObject, fields: Confirming['fields']): boolean {
  return Object.entries(fields).some(([name, values]) => {
    const content = textOf(object[name.toUpperCase()]).trim()
    return values.some((value) => (value === '*' ? !isNothing(content) : content.toLowerCase() === value.toLowerCase()))
  })
}

/** Holds one of the configured sets of words, all of each. */
const isPositiveSentence = (sentence: string, words: Confirming['words']) =>
  words.some((set) =>
    folded(set)
      .split(' ')
      .every((part) => sentence.includes(part)),
  )

type RequestTerms = Pick<WriteOperation<never>, 'expectedKeys'> & { confirming: Confirming; integrationId: string }

/** Reads one document of a successful answer. */
function kindOfSuccess(document: unknown, whose: Whose, confirming: Confirming): Kind {
  const sentences = sentencesOf(document)
  if (sentences.some((sentence) => NEGATION.test(sentence))) return 'denial'
  if (sentences.some((sentence) => PENDING.test(sentence))) return 'other'
  const object = asObject(document)
  const [only, ...more] = sentences
  const isSaid = only !== undefined && more.length === 0 && isPositiveSentence(only, confirming.words)
  if (!object) return isSaid ? 'words' : 'other'
  const isPending = textOf(object.STATUS).trim() === '0' || PENDING.test(folded(messageOf(object)))
  if (isPending || /^n/i.test(textOf(object.Z1_CONFERE))) return 'other'
  const isPositive =
    // of an answer that only shows what was sent the id stands deeper
    (confirming.ownId && whose === 'own' && 'ID_INTEGRACAO' in object) ||
    hasPositiveField(object, confirming.fields) ||
    (confirming.anyObject && Object.keys(object).length > 0)
  if (isPositive) return 'confirmation'
  return isSaid ? 'words' : 'other'
}

function kindOf(
  answer: Answer,
  whose: Whose,
  { expectedKeys, confirming }: RequestTerms,
): { kind: Kind; words: string } {
  const { status, text, repeated } = answer
  if (status === 503 && text !== '' && DOOR_TEXT.test(text)) return { kind: 'door', words: '' }
  // a list of several answers to one write is as unclear as several documents
  const document = Array.isArray(answer.value) && answer.value.length === 1 ? answer.value[0] : answer.value
  if (repeated || Array.isArray(document) || document === undefined || document === null || hasContradiction(text)) {
    return { kind: 'other', words: '' }
  }
  const words = cleanWords(document, answer)
  const error = errorIn({ status: 200, value: document }, expectedKeys)
  if (!error && standingOf(status) === 'success') {
    const kind = kindOfSuccess(document, whose, confirming)
    return kind === 'denial' && !words ? { kind: 'other', words } : { kind, words }
  }
  // "já registrado com sucesso" in an error: it may well be there
  const isContradiction = sentencesOf(document).some(
    (sentence) => isPositiveSentence(sentence, confirming.words) && !NEGATION.test(sentence),
  )
  if (!words || !asObject(document) || isContradiction) return { kind: 'other', words: '' }
  if (!error) return { kind: 'remark', words }
  return { kind: error.isServers ? 'crash' : 'error', words }
}

const decide = (standing: Standing, kind: Kind, whose: Whose): Decision => {
  const fits = ([rowStanding, rowKind, rowWhose]: Row) =>
    (rowStanding === any || rowStanding === standing) &&
    (rowKind === any || rowKind === kind) &&
    (rowWhose === any || rowWhose === whose)
  return outcomes.find(fits)?.[3] ?? 'unknown'
}

const notSent = (kind: 'auth' | 'busy' | 'unavailable'): WriteOutcome => ({
  outcome: 'not_sent',
  kind,
  message: failure(kind).message,
})

/** Refused and confirmed need a clear word of the ERP; all else is unknown. */
export function outcomeOfAnswer(
  answer: Answer,
  request: RequestTerms & Pick<WriteOperation<never>, 'confirmedMessage'>,
): WriteOutcome {
  const standing = standingOf(answer.status)
  const whose = whoseId(answer.value, request.integrationId)
  const { kind, words } = kindOf(answer, whose, request)
  const decision = decide(standing, kind, whose)
  if (decision === 'not_sent') return notSent(standing === 'login' ? 'auth' : 'busy')
  if (decision === 'refused') return { outcome: 'refused', message: words }
  if (decision === 'unknown with words') return { outcome: 'unknown', message: `O ERP respondeu: ${words}`, words }
  if (decision === 'unknown') return { outcome: 'unknown', message: failure('bad_answer').message, words: null }
  const { value } = answer
  const object = asObject(Array.isArray(value) ? value[0] : value)
  return {
    outcome: 'confirmed',
    message: messageOf(object ?? value) || request.confirmedMessage,
    erpRecord: textOf(object?.REGISTRO).trim() || null,
    ...(decision === 'confirmed by words' ? { byWords: true } : {}),
  }
}

/** Outcome of a write that ended without an answer. */
export function outcomeOfError(error: unknown): WriteOutcome {
  if (error instanceof NotExecuted) {
    return notSent(error.kind === 'auth' || error.kind === 'busy' ? error.kind : 'unavailable')
  }
  const message = error instanceof ErpFailure ? error.message : failure('bad_answer').message
  return { outcome: 'unknown', message, words: null }
}
