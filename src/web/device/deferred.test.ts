import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const pageOf = (id: string) => `<head><meta name="pagina" content="${id}"></head>`
const reload = vi.fn()
let page = pageOf('2.1.0-aaaaaaa')

beforeEach(() => {
  vi.resetModules()
  reload.mockClear()
  page = pageOf('2.1.0-aaaaaaa')
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  })
  vi.stubGlobal('document', { querySelector: () => ({ content: '2.1.0-aaaaaaa' }) })
  vi.stubGlobal('window', { location: { reload } })
  vi.stubGlobal('fetch', async () => (page === '' ? Promise.reject(new TypeError('away')) : new Response(page)))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** A script whose first so many fetches fail. */
const scriptAfter = (failures: number, file = 'A-1.js') => {
  let fetches = 0
  const load = async () => {
    if (fetches++ < failures) throw new TypeError(`Failed to fetch dynamically imported module: /assets/${file}`)
    return { answer: 42 }
  }
  return { load, fetches: () => fetches }
}

test('a script that could not be had is fetched again by the next who needs it', async () => {
  const { deferred } = await import('./deferred.ts')
  const script = deferred(scriptAfter(1).load)
  await expect(script.load()).rejects.toThrow('Failed to fetch')
  expect(script.loaded()).toBeNull()
  expect(await script.load()).toEqual({ answer: 42 })
  expect(script.loaded()).toEqual({ answer: 42 })
})

test('what is marked for soon is fetched ahead, and so is what a script marks that came ahead', async () => {
  const { deferred, warmUp } = await import('./deferred.ts')
  const [form, dialog, report] = [scriptAfter(0), scriptAfter(0), scriptAfter(0)]
  deferred(report.load)
  deferred(report.load, { warm: ['/pages/relatorios'] })
  const loadForm = () => {
    deferred(dialog.load, { warm: ['soon'] })
    return form.load()
  }
  deferred(loadForm, { warm: ['soon'] })
  expect([form, dialog, report].map(({ fetches }) => fetches())).toEqual([0, 0, 0])
  warmUp()
  expect([form, dialog, report].map(({ fetches }) => fetches())).toEqual([1, 1, 0])
})

test('a page whose file went with its version is reloaded, once for each file', async () => {
  const { deferred } = await import('./deferred.ts')
  page = pageOf('2.1.0-bbbbbbb')
  const reloaded = new Promise<void>((resolve) => reload.mockImplementationOnce(resolve))
  void deferred(scriptAfter(9).load).open()
  await reloaded
  await expect(deferred(scriptAfter(9).load).open()).rejects.toThrow('Failed to fetch')
  expect(reload).toHaveBeenCalledOnce()
})

test('a page of which several files went at once is reloaded once', async () => {
  const { deferred } = await import('./deferred.ts')
  page = pageOf('2.1.0-bbbbbbb')
  for (const file of ['A-1.js', 'B-1.js']) void deferred(scriptAfter(9, file).load).open()
  await expect
    .poll(() =>
      sessionStorage.getItem('reloadedFor: TypeError: Failed to fetch dynamically imported module: /assets/B-1.js'),
    )
    .not.toBeNull()
  expect(reload).toHaveBeenCalledOnce()
})

test.each([
  ['the server has the same page', pageOf('2.1.0-aaaaaaa')],
  ['the server is away', ''],
  ['a proxy answers with a page of its own', '<p>502</p>'],
])('where %s nothing is reloaded, and the script is fetched once more', async (_, answered) => {
  const { deferred } = await import('./deferred.ts')
  page = answered
  expect(await deferred(scriptAfter(1).load).open()).toEqual({ answer: 42 })
  await expect(deferred(scriptAfter(2).load).open()).rejects.toThrow('Failed to fetch')
  expect(reload).not.toHaveBeenCalled()
})
