import type { Locator, Page } from '@playwright/test'
import type { PlantDocument } from '../../../src/contract/documents.ts'
import { UPLOAD_HEADER } from '../../../src/contract/endpoint.ts'
import { makePdf } from '../document-files.ts'
import type { Panel } from '../panel.ts'
import { expect, expectAccessible, logIn } from './journey.ts'

export const DOCUMENTS = '/pages/documentos'

/** A page per text, each with a frame drawn on it. */
export const pdfOf = (...texts: string[]): Buffer =>
  makePdf(texts.map((text) => ({ lines: [text], drawing: '6 w 60 300 475 300 re S' })))

/** Chromium's own viewer would offer to run it. */
export const withScript = (pdf: Buffer): Buffer => {
  const action = '/OpenAction << /S /JavaScript /JS (app.alert\\("x"\\)) >>'
  return Buffer.from(pdf.toString('latin1').replace('/Type /Catalog', `/Type /Catalog ${action}`), 'latin1')
}

type Sent = {
  title: string
  revision?: string
  target?: 'produto' | 'terminal'
  code?: string
  file?: Buffer
  fileName?: string
  /** The administrator who sends it. */
  username?: string
}

/** What an administrator has sent elsewhere. */
export async function sendElsewhere(panel: Panel, sent: Sent): Promise<PlantDocument> {
  const { title, revision = 'A', target = 'produto', code = 'P-JORNADA', file = pdfOf(title) } = sent
  const { fileName = 'desenho.pdf', username = 'admin' } = sent
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username, password: username })
  const entered = await fetch(`${panel.url}/api/auth/login`, { method: 'POST', headers, body })
  const { token } = (await entered.json()) as { token: string }
  const query = { nome: fileName, titulo: title, revisao: revision, vinculo: target, codigo: code }
  const answer = await fetch(`${panel.url}/api/documentos?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      [UPLOAD_HEADER]: '1',
      authorization: `Bearer ${token}`,
    },
    body: new Uint8Array(file),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as PlantDocument
}

export async function openDocuments(page: Page, username = 'operador'): Promise<void> {
  await logIn(page, username, DOCUMENTS)
  await expect(page.getByRole('table', { name: 'Documentos' })).toBeVisible()
}

export const viewer = (page: Page, title: string): Locator => page.getByRole('dialog', { name: title })

/** Something is drawn on the page's canvas that is not paper. */
export async function expectDrawn(page: Page, pageName: string): Promise<void> {
  const canvas = page.getByRole('img', { name: pageName }).locator('canvas')
  await expect(canvas).toBeVisible()
  const name = JSON.stringify(pageName)
  const darkest = await page.evaluate<number>(`(() => {
    const canvas = document.querySelector('[aria-label=' + JSON.stringify(${name}) + '] canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let least = 255
    for (let at = 0; at < data.length; at += 4) least = Math.min(least, data[at])
    return least
  })()`)
  expect(darkest).toBeLessThan(100)
}

/** From the open list of what is in hand: shows one document, and closes it and the list again. */
export async function viewFromList(page: Page, title: string): Promise<void> {
  const list = page.getByRole('dialog', { name: 'Documentos' })
  await expectAccessible(page)
  await list.getByRole('button', { name: title }).click()
  await expectDrawn(page, `Página 1 de 1: ${title}`)
  await page.keyboard.press('Escape')
  await expect(viewer(page, title)).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
}

/** How many files this device keeps. */
export const cachedCount = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('documentos')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const counting = opening.result.transaction('files').objectStore('files').count()
      counting.onsuccess = () => {
        opening.result.close()
        resolve(counting.result)
      }
    }
  })`)
