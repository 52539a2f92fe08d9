import type { Page } from '@playwright/test'
import { expectDrawn, openDocuments, sendElsewhere, viewer } from '../support/journeys/documents.ts'
import { expect, openItemOfOrder, section, test } from '../support/journeys/journey.ts'

/** What the page's browser lacks, before any script of the page runs. */
const lacks = (page: Page, ...names: string[]) =>
  page.addInitScript(`for (const path of ${JSON.stringify(names)}) {
    const [name, ...owners] = path.split('.').reverse()
    const owner = owners.reduceRight((of, one) => of?.[one], window)
    if (owner) Reflect.deleteProperty(owner, name)
  }`)

/** In Chrome 120 and later, Firefox 125, Safari 18. */
const newer = [
  ...['union', 'intersection', 'difference', 'isSubsetOf', 'isDisjointFrom'].map((name) => `Set.prototype.${name}`),
  ...['map', 'filter', 'take', 'drop', 'flatMap', 'toArray', 'some', 'find'].map(
    (name) => `Iterator.prototype.${name}`,
  ),
  ...['toHex', 'toBase64'].map((name) => `Uint8Array.prototype.${name}`),
  ...['Uint8Array.fromBase64', 'Promise.try', 'Array.fromAsync', 'URL.canParse', 'URL.parse', 'RegExp.escape'],
  ...['Math.sumPrecise', 'Math.f16round', 'Error.isError', 'Map.prototype.getOrInsert', 'Intl.DurationFormat'],
  ...['Map.prototype.getOrInsertComputed', 'requestIdleCallback', 'scheduler', 'CloseWatcher'],
  'Document.prototype.startViewTransition',
]

test('um navegador sem o que o painel usa lê de que versão precisa, em vez de uma página vazia', async ({ page }) => {
  await lacks(page, 'Map.groupBy', 'AbortSignal.any', ...newer)
  await page.goto('/auth/login')
  await expect(page.getByRole('status')).toHaveText(
    'Este navegador é antigo demais para o painel. Atualize-o: são precisos Chrome ou Edge 119, Firefox 124 ou Safari 17.4, ou mais novos.',
  )
})

test('no navegador mais antigo que o painel aceita se aponta e se lê um PDF', async ({ page, panel }) => {
  await sendElsewhere(panel, { title: 'Desenho antigo' })
  await lacks(page, ...newer)
  await openItemOfOrder(page)
  await expect(section(page, 'Cabo')).toBeVisible()
  await openDocuments(page)
  await page.getByRole('button', { name: 'Abrir Desenho antigo revisão A' }).click()
  await expectDrawn(page, 'Página 1 de 1: Desenho antigo')
})

test('um navegador que só não lê PDF diz de que versão precisa onde um é aberto', async ({ page, panel, tolerate }) => {
  tolerate(/Abrir um documento/)
  await sendElsewhere(panel, { title: 'Desenho antigo' })
  await lacks(page, 'Promise.withResolvers', ...newer)
  await openDocuments(page)
  await page.getByRole('button', { name: 'Abrir Desenho antigo revisão A' }).click()
  await expect(viewer(page, 'Desenho antigo')).toContainText(
    'Este navegador é antigo demais para os PDF. Atualize-o: são precisos Chrome ou Edge 119',
  )
})
