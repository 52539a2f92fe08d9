import { type Answer, asObject, errorIn, messageOf, readAnswer } from '../answer.ts'
import { type HttpAnswer, type HttpClient, type HttpRequest, NoAnswer } from '../http.ts'
import { hasNext, numberOf, rowsOf, textOf } from '../mapping.ts'
import { looksPlain } from '../packing.ts'
import { type Finding, finding } from './findings.ts'

/** One call as it went over the line. */
export type Exchange = { path: string; bytes: HttpAnswer | NoAnswer; tookMs: number }

/** Keeps what the gateway sends and gets, and changes nothing of it. */
export function listenTo(client: HttpClient): HttpClient & { take(): Exchange[] } {
  let exchanges: Exchange[] = []
  return {
    async exchange(request: HttpRequest) {
      const begunMs = performance.now()
      const note = (bytes: HttpAnswer | NoAnswer) => {
        const tookMs = Math.round(performance.now() - begunMs)
        exchanges.push({ path: new URL(request.url).pathname, bytes, tookMs })
      }
      try {
        const bytes = await client.exchange(request)
        note(bytes)
        return bytes
      } catch (error) {
        if (error instanceof NoAnswer) note(error)
        throw error
      }
    },
    close: () => client.close(),
    take() {
      const taken = exchanges
      exchanges = []
      return taken
    },
  }
}

const lost = { unreachable: 'no_connection', timeout: 'no_answer', broken: 'broken_connection' } as const

type Answered = { bytes: HttpAnswer; path: string }

/** Nothing of the kind that was expected came back: why. */
function findingOf({ bytes, path }: Answered): Finding {
  const answer = readAnswer(bytes)
  const { status, text, value, isEmpty, door } = answer
  const field = `HTTP ${status}`
  const words = messageOf(value)
  const error = errorIn(answer, [])
  if (status === 401) return finding('login_refused', field, words || text)
  if (status === 403) return finding('not_allowed', field, words || text)
  if (door !== 'open') return finding(door === 'busy' ? 'busy' : 'proxy', field, text)
  if ((status === 404 || status === 405) && (isEmpty || asObject(value) === null)) {
    return finding('no_such_path', field, path)
  }
  if (!answer.isReadable) return finding('unreadable', 'Content-Encoding', bytes.encoding || undefined)
  if (text.startsWith('<')) return finding(error?.crashed ? 'crashed' : 'html', field, text)
  if (isEmpty) return finding('empty', field, text)
  if (value === undefined) return finding('not_json', field, text)
  if (error) return finding(error.crashed || !words ? 'crashed' : 'erp_error', field, words || text)
  return finding('no_list', Object.keys(asObject(value) ?? {}).join(', ') || field, value)
}

/** Why a call failed. Undefined: the gateway did not even make it. */
export function findFault(last: Exchange | undefined): Finding {
  if (last === undefined) return finding('not_called', 'ERP_URL')
  const { bytes, path } = last
  if (bytes instanceof NoAnswer) return finding(lost[bytes.reason], path, bytes.message)
  return findingOf({ bytes, path })
}

export const answersOf = (exchanges: readonly Exchange[]): Answer[] =>
  exchanges.flatMap(({ bytes }) => (bytes instanceof NoAnswer ? [] : [readAnswer(bytes)]))

const isPlain = ({ encoding, body }: HttpAnswer) => !/^(identity)?$/i.test(encoding.trim()) && looksPlain(body)

/** Finds an answer that calls itself compressed and is not: the panel reads it, another client would fail on it. */
export function inspectEncoding(exchanges: readonly Exchange[]): Finding[] {
  const [first] = exchanges.flatMap(({ bytes }) => (bytes instanceof NoAnswer || !isPlain(bytes) ? [] : bytes))
  return first ? [finding('not_compressed', 'Content-Encoding', first.encoding)] : []
}

/** Findings about a list beside its rows, over all its pages. */
export function inspectPages(pages: readonly Answer[], rowKey: string): Finding[] {
  const keysOf = (page?: Answer) => (rowsOf(page?.value, rowKey) ?? []).map((row) => textOf(row[rowKey]).trim())
  const [last, former] = [pages.at(-1), pages.at(-2)]
  const count = keysOf(last).length
  const isNothingNew = former !== undefined && keysOf(last).every((key) => keysOf(former).includes(key))
  const isRepeated = last !== undefined && isNothingNew && hasNext(last.value)
  const isMaybeCut = last !== undefined && count > 0 && count % 10 === 0 && asObject(last.value)?.HASNEXT === undefined
  return [
    ...(pages.some(({ repeated }) => repeated) ? [finding('several_documents', 'HTTP 200', pages[0]?.text)] : []),
    ...(isRepeated ? [finding('repeated_page', 'hasNext', asObject(last.value)?.HASNEXT)] : []),
    ...(isMaybeCut ? [finding('maybe_cut', 'hasNext', undefined, `${count} linhas`)] : []),
  ]
}

/** Findings about the answer to the call for a token. */
export function inspectLogin({ bytes, path }: Exchange): Finding[] {
  if (bytes instanceof NoAnswer) return [finding(lost[bytes.reason], path, bytes.message)]
  const answer = readAnswer(bytes)
  const object = asObject(answer.value)
  const error = errorIn(answer, ['ACCESS_TOKEN'])
  const isRefused = [400, 401, 403].includes(answer.status) || (error !== null && answer.status < 300)
  if (isRefused) return [finding('login_refused', `HTTP ${answer.status}`, messageOf(answer.value) || answer.text)]
  if (error || !object) return [findingOf({ bytes, path })]
  if (textOf(object.ACCESS_TOKEN) === '') {
    return [finding('no_access_token', 'access_token', Object.keys(object).join(', ').toLowerCase() || undefined)]
  }
  const isTimed = (numberOf(object.EXPIRES_IN) ?? 0) > 0
  return isTimed ? [] : [finding('no_expiry', 'expires_in', object.EXPIRES_IN)]
}
