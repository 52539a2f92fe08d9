import type { CDPSession, Page } from '@playwright/test'

/** As a handheld with a reader built in gives a label: its input method commits the whole text, and then presses Enter. */
export async function readerOf(page: Page) {
  const devTools: CDPSession = await page.context().newCDPSession(page)
  // whole texts are heard by a script that comes a moment after the page
  await page.waitForFunction(
    "performance.getEntriesByType('resource').some(({ name }) => name.includes('whole-texts'))",
  )
  const key = (type: 'keyDown' | 'keyUp', name: string, code: number, text = '') =>
    devTools.send('Input.dispatchKeyEvent', { type, key: name, windowsVirtualKeyCode: code, ...(text && { text }) })
  const enter = async () => {
    await key('keyDown', 'Enter', 13, '\r')
    await key('keyUp', 'Enter', 13)
  }
  return {
    enter,
    commit: async (text: string) => {
      await devTools.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        key: 'Unidentified',
        windowsVirtualKeyCode: 229,
      })
      await devTools.send('Input.insertText', { text })
      await key('keyUp', 'Unidentified', 229)
    },
    compose: async (text: string) => {
      await devTools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
      await devTools.send('Input.insertText', { text })
    },
  }
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
