import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BROWSER_ENTRIES_MAX, type BrowserLogEntry, keepEntries, readEntries, withoutSecrets } from './log.ts'

const entryOf = (n: number, error: string | null = null): BrowserLogEntry => ({
  timestamp: '2026-11-21T15:00:00.000Z',
  level: 'Error',
  source: 'Teste',
  message: `n${n}`,
  error,
  userId: 'operador',
  currentUrl: 'https://painel/pages/logs',
  userAgent: 'Chromium',
  additionalData: null,
})
const many = (count: number, error: string | null = null) => Array.from({ length: count }, (_, n) => entryOf(n, error))
const namesOf = (entries: readonly BrowserLogEntry[]) => entries.map(({ message }) => message)

/** As the browser's, with room for so many characters. */
function storageOf(room = Number.POSITIVE_INFINITY) {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, text: string) {
      if (text.length > room) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, text)
    },
    removeItem: (key: string) => void stored.delete(key),
  }
}

test('the newest thousand are kept', () => {
  const storage = storageOf()
  keepEntries(storage, many(BROWSER_ENTRIES_MAX + 7))
  const stored = readEntries(storage.getItem('logs'))
  expect([stored.length, stored[0]?.message, stored.at(-1)?.message]).toEqual([1000, 'n7', 'n1006'])
})

test('long entries leave room for what else the device keeps', () => {
  const storage = storageOf()
  keepEntries(storage, many(1000, 'x'.repeat(2000)))
  expect(storage.getItem('logs')?.length).toBeLessThan(1_010_000)
  expect(namesOf(readEntries(storage.getItem('logs'))).at(-1)).toBe('n999')
})

test('where the storage is full the older half goes, as often as it takes', () => {
  const storage = storageOf(2500)
  keepEntries(storage, many(40))
  expect(namesOf(readEntries(storage.getItem('logs'))).at(-1)).toBe('n39')
  expect(() => keepEntries(storageOf(0), many(40))).not.toThrow()
})

test.each([
  ['no JSON', '[{'],
  ['no list', '{"a":1}'],
  ['nothing', null],
  ['text', '"x"'],
  [
    'other things',
    JSON.stringify([null, 1, 'x', {}, { ...entryOf(1), level: 'Debug' }, { ...entryOf(1), timestamp: 'x' }]),
  ],
  [
    'numbers for texts',
    JSON.stringify([
      { ...entryOf(1), message: 1 },
      { ...entryOf(1), error: {} },
    ]),
  ],
])('%s under the key reads as nothing', (_, raw) => expect(readEntries(raw)).toEqual([]))

test('what is whole is read beside what is broken', () => {
  expect(readEntries(JSON.stringify([null, entryOf(5)]))).toEqual([entryOf(5)])
})

test('no secret is kept', () => {
  const said = withoutSecrets('token t0ken=+/ said Bearer abc.def-1 and Basic b3A6eA== and Grant g.h', [
    't0ken=+/',
    null,
    '',
  ])
  expect(said).toBe('token ••• said Bearer ••• and Basic ••• and Grant •••')
})

const window = Object.assign(new EventTarget(), { location: { origin: 'https://painel', pathname: '/pages/logs' } })

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  vi.stubGlobal('localStorage', storageOf())
  vi.stubGlobal('window', window)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the first entry is stored at once, a storm after it together', async () => {
  const { browserLog, writeLog } = await import('./log.ts')
  localStorage.setItem('token', 's3cret-token')
  localStorage.setItem('user', JSON.stringify({ username: 'operador', expiresAt: '2026-11-21T23:00:00Z' }))
  const write = (n: number) => writeLog({ level: 'Error', source: 'Teste', message: `n${n} s3cret-token` })
  write(0)
  expect(namesOf(browserLog())).toEqual(['n0 •••'])
  for (let n = 1; n <= 1500; n++) write(n)
  expect(browserLog()).toHaveLength(1)
  vi.advanceTimersByTime(1000)
  expect([browserLog().length, browserLog().at(-1)?.message]).toEqual([1000, 'n1500 •••'])
  expect(browserLog()[0]).toMatchObject({ userId: 'operador', currentUrl: 'https://painel/pages/logs', error: null })
})

test('what nobody caught is logged, with its cause', async () => {
  const { browserLog, watchErrors } = await import('./log.ts')
  watchErrors()
  const cause = new Error('sem rede')
  const thrown = {
    error: new Error('quebrou', { cause }),
    message: 'Uncaught Error: quebrou',
    filename: 'https://painel/a.js?x',
    lineno: 7,
    colno: 1,
  }
  window.dispatchEvent(Object.assign(new Event('error'), thrown))
  vi.advanceTimersByTime(1000)
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'só um texto' }))
  expect(browserLog()).toMatchObject([
    {
      level: 'Error',
      source: 'Erro não tratado',
      message: 'quebrou',
      additionalData: '{"place":"https://painel/a.js:7:1"}',
    },
    { level: 'Error', source: 'Promessa rejeitada', message: 'só um texto', error: 'só um texto' },
  ])
  expect(browserLog()[0]?.error).toMatch(/^Error: quebrou\n[\s\S]+← Error: sem rede$/)
})

test('what was thrown without being an error is told by its content', async () => {
  const { browserLog, watchErrors } = await import('./log.ts')
  watchErrors()
  const circle: Record<string, unknown> = {}
  circle.itself = circle
  for (const reason of [{ code: 7 }, circle, null, undefined]) {
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }))
  }
  vi.advanceTimersByTime(1000)
  expect(namesOf(browserLog())).toEqual(['{"code":7}', '[object Object]', 'null', 'undefined'])
  expect(browserLog()[0]?.error).toBe('{"code":7}')
})

test('a device that keeps nothing breaks nothing', async () => {
  const { writeLog } = await import('./log.ts')
  const forbidden = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden, removeItem: forbidden })
  expect(() => writeLog({ level: 'Error', source: 'Teste', message: 'x' })).not.toThrow()
})

test('a call without answer is logged a second later: a page that is left logs none', async () => {
  const { browserLog, writeLogUnlessLeft } = await import('./log.ts')
  writeLogUnlessLeft({ level: 'Error', source: 'GET /api/status', message: 'Sem conexão' })
  expect(browserLog()).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(namesOf(browserLog())).toEqual(['Sem conexão'])
})
