import { type CDPSession, expect, type Page } from '@playwright/test'

/** Whole texts are heard, and quick keys held, by a script that comes a moment after the page, which evaluates none of its own. */
export const untilWholeTexts = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate("performance.getEntriesByType('resource').some(({ name }) => name.includes('whole-texts'))"),
    )
    .toBe(true)

/** As a handheld with a reader built in gives a label: its input method commits the whole text, and then presses Enter. */
export async function readerOf(page: Page) {
  const devTools: CDPSession = await page.context().newCDPSession(page)
  await untilWholeTexts(page)
  // all at once: a busy machine that thinks between two of them makes a hand's Enter of the reader's
  const key = (type: 'rawKeyDown' | 'keyDown' | 'keyUp', name: string, code: number, text?: string) =>
    devTools.send('Input.dispatchKeyEvent', { type, key: name, windowsVirtualKeyCode: code, ...(text && { text }) })
  const insert = (text: string) => devTools.send('Input.insertText', { text })
  const enter = (): Promise<unknown> => Promise.all([key('keyDown', 'Enter', 13, '\r'), key('keyUp', 'Enter', 13)])
  const ways = {
    commit: (text: string): Promise<unknown> =>
      Promise.all([key('rawKeyDown', 'Unidentified', 229), insert(text), key('keyUp', 'Unidentified', 229)]),
    compose: (text: string): Promise<unknown> => {
      const [selectionStart, selectionEnd] = [text.length, text.length]
      return Promise.all([
        devTools.send('Input.imeSetComposition', { text, selectionStart, selectionEnd }),
        insert(text),
      ])
    },
  }
  const read = (text: string, way: keyof typeof ways = 'commit'): Promise<unknown> =>
    Promise.all([ways[way](text), enter()])
  return { ...ways, enter, read }
}

/** Everything that the browser keeps for this page. */
export const stored = `(async () => {
  const rows = []
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((done, fail) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => done(request.result)
      request.onerror = () => fail(request.error)
    })
    for (const store of database.objectStoreNames) {
      rows.push(await new Promise((done) => {
        const request = database.transaction(store).objectStore(store).getAll()
        request.onsuccess = () => done(request.result)
      }))
    }
    database.close()
  }
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, rows])
})()`
