import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type DocumentList, documents } from '../../src/contract/documents.ts'
import { makePdf, makePng } from '../support/document-files.ts'
import { NO_NETWORK } from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { expectDrawn, openDocuments, sendElsewhere, viewer, viewFromList } from '../support/journeys/documents.ts'
import { details, heading, logInAt } from '../support/journeys/joining.ts'
import { expect, queryPanel, test, toast } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt, tabTo, typeAt } from '../support/journeys/tab-to.ts'
import type { Panel } from '../support/panel.ts'

test.use({ reducedMotion: 'no-preference' })

const TITLE = 'Desenho da jornada'

test('só com o teclado o administrador corrige título e vínculos, e devolve o que foi retirado', async ({
  page,
  panel,
}) => {
  const { revisoes } = await sendElsewhere(panel, { title: TITLE })
  await openDocuments(page, 'admin')
  await enterAt(page, `Editar ${TITLE} revisão A`)
  const editing = page.getByRole('dialog', { name: 'Editar documento' })
  await picture(page, 'documentos-editar')
  await typeAt(page, editing.getByLabel('Título'), 'Desenho corrigido')
  await tabTo(page, editing.getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowRight')
  await typeAt(page, editing.getByLabel('Código do terminal'), 'T1326030')
  await enterAt(page, editing.getByRole('button', { name: 'Adicionar' }))
  await enterAt(page, editing.getByRole('button', { name: /^Remover .*P-JORNADA/ }))
  await enterAt(page, editing.getByRole('button', { name: 'Salvar' }))
  await expect(toast(page)).toContainText('Documento alterado com sucesso!')
  const row = page.getByRole('row', { name: 'Desenho corrigido' })
  await expect(row).toContainText('T1326030')
  await expect(row).not.toContainText('P-JORNADA')
  await expect(page.getByText(TITLE)).toHaveCount(0)

  const operator = await colleagueAt(panel, 'operador')
  const listed = async () =>
    (await operator<DocumentList>('GET', '/api/documentos')).documentos.map(({ titulo }) => titulo)
  const admin = await colleagueAt(panel)
  await admin('POST', `/api/documentos/revisoes/${revisoes[0]?.id}/retirada`, { motivo: 'Medida errada' })
  expect(await listed()).not.toContain('Desenho corrigido')
  await expect(row).toHaveCount(0)
  await tabTo(page, 'Mostrar obsoletos e retirados', 'switch')
  await page.keyboard.press('Space')
  await expect(row).toContainText('Retirado')
  await enterAt(page, 'Devolver Desenho corrigido revisão A')
  await expect(toast(page)).toContainText('Revisão reativada com sucesso!')
  await expect(row.getByRole('button', { name: 'Retirar Desenho corrigido revisão A' })).toBeVisible()
  expect(await listed()).toContain('Desenho corrigido')
})

test('na junção o botão conta os seus documentos, também o que chega agora, e os abre', async ({ page, panel }) => {
  await logInAt(page, details('J01'))
  const button = page.getByRole('button', { name: /^Documentos \(\d+\)$/ })
  await expect(button).toBeVisible()
  const before = Number(/\d+/.exec((await button.textContent()) ?? '')?.[0])
  await sendElsewhere(panel, { title: TITLE, target: 'terminal', code: 'T0925590' })
  await page.getByRole('button', { name: `Documentos (${before + 1})` }).click()
  const list = page.getByRole('dialog', { name: 'Documentos' })
  await expect(list.getByRole('listitem')).toHaveCount(before + 1)
  await viewFromList(page, TITLE)
  await expect(heading(page, 'Junção J01')).toBeVisible()
})

test('sem rede, o que este dispositivo não tem não se conta como nenhum', async ({ page, tolerate }) => {
  tolerate(NO_NETWORK)
  await page.route(`**${documents.forWork.path}?*`, (route) => route.abort())
  await logInAt(page, details('J01'))
  await page.getByRole('button', { name: 'Documentos', exact: true }).click()
  const list = page.getByRole('dialog', { name: 'Documentos' })
  await expect(list.getByText('Nenhum foi aberto neste dispositivo.')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await list.getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(list.getByRole('listitem').first()).toBeVisible()
  await list.getByRole('button', { name: 'Fechar' }).click()
  await expect(page.getByRole('button', { name: /^Documentos \(\d+\)$/ })).toBeVisible()
})

/** As long as it takes to send it at so many bytes a second, somebody can change their mind. */
const SLOW_BYTES_A_SECOND = 100_000
const bigFile = makePdf([{ lines: ['Grande'], drawing: `% ${'x'.repeat(8_000_000)}` }])

/** Until what it gives back is called. */
async function slowUploads(page: Page): Promise<() => Promise<void>> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  const limits = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: SLOW_BYTES_A_SECOND }
  await devTools.send('Network.emulateNetworkConditions', limits)
  return () => devTools.detach()
}

const filesOf = async ({ dataDir }: Panel) =>
  (await readdir(join(dataDir, 'documentos'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .sort()

test('um envio cancelado no meio não deixa nada, e o mesmo arquivo vai na vez seguinte', async ({ page, panel }) => {
  const rows = () => queryPanel(panel, 'select id from document_revisions').length
  await openDocuments(page, 'admin')
  const before = { files: await filesOf(panel), rows: rows() }
  await page.getByRole('button', { name: 'Enviar documento' }).click()
  const sending = page.getByRole('dialog', { name: 'Enviar documento' })
  const chosen = { name: 'Grande.pdf', mimeType: 'application/pdf', buffer: bigFile }
  await sending.locator('input[type=file]').setInputFiles(chosen)
  await sending.getByLabel('Revisão do documento').fill('A')
  await sending.getByLabel('Código do produto').fill('P-JORNADA')
  const hurry = await slowUploads(page)
  await sending.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(sending.getByRole('progressbar', { name: 'Envio do arquivo' })).toBeVisible()
  await expect.poll(() => filesOf(panel), 'the server has begun to write it').not.toEqual(before.files)
  await sending.getByRole('button', { name: 'Cancelar envio' }).click()
  await expect(sending.getByText('Envio cancelado. Nada foi guardado.')).toBeVisible()
  await expect.poll(() => filesOf(panel)).toEqual(before.files)
  expect(rows()).toBe(before.rows)

  await hurry()
  await sending.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(toast(page)).toContainText('Documento enviado com sucesso!')
  await expect(page.getByRole('button', { name: 'Abrir Grande revisão A' })).toBeVisible()
  expect(rows()).toBe(before.rows + 1)
  expect(await filesOf(panel)).toHaveLength(before.files.length + 1)
})

test.describe('com os dedos', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 1280, height: 800 } })

  /** Two fingers on the sheet, that move apart and rest on the way. */
  async function spread(page: Page): Promise<void> {
    const devTools = await page.context().newCDPSession(page)
    const fingers = (apartPx: number) => [
      { id: 1, x: 640 - apartPx / 2, y: 450 },
      { id: 2, x: 640 + apartPx / 2, y: 450 },
    ]
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: object[]) =>
      devTools.send('Input.dispatchTouchEvent', { type, touchPoints } as never)
    const canvas = "document.querySelector('[data-page] canvas')"
    await page.evaluate(`${canvas}.isFirst = true`)
    await touch('touchStart', fingers(100))
    for (const apartPx of [120, 130]) await touch('touchMove', fingers(apartPx))
    // fingers that rest: what is under them is drawn anew
    await expect.poll(() => page.evaluate(`${canvas}.isFirst`)).toBeUndefined()
    for (const apartPx of [160, 180, 200]) await touch('touchMove', fingers(apartPx))
    await touch('touchEnd', [])
    await devTools.detach()
  }

  /** How dark the picture is in the middle of each side: 0 is black, 255 white. */
  const shadesOf = (page: Page) =>
    page.evaluate<{ left: number; right: number; top: number; bottom: number }>(`(() => {
      const canvas = document.querySelector('[data-page] canvas')
      const pen = canvas.getContext('2d')
      const at = (x, y) => pen.getImageData(Math.round(x * canvas.width), Math.round(y * canvas.height), 1, 1).data[0]
      return { left: at(0.1, 0.5), right: at(0.9, 0.5), top: at(0.5, 0.1), bottom: at(0.5, 0.9) }
    })()`)

  test('uma imagem se abre, gira e amplia, e a página em volta fica a 100 %', async ({ page, panel }) => {
    const picture = makePng(600, 400, (x) => (x < 300 ? 0 : 255))
    await sendElsewhere(panel, { title: TITLE, file: picture })
    await openDocuments(page)
    await page.getByRole('button', { name: `Abrir ${TITLE} revisão A` }).tap()
    await expectDrawn(page, `Página 1 de 1: ${TITLE}`)
    expect(await shadesOf(page)).toMatchObject({ left: 0, right: 255 })
    const opened = viewer(page, TITLE)
    await opened.getByRole('button', { name: 'Girar' }).tap()
    // a quarter of a turn clockwise: what was on the left is above
    await expect.poll(() => shadesOf(page)).toMatchObject({ top: 0, bottom: 255 })

    const scale = opened.getByText(/^\d+%$/)
    const percent = async () => Number.parseInt((await scale.textContent()) ?? '', 10)
    const fitted = await percent()
    await opened.getByRole('button', { name: 'Diminuir' }).tap()
    await expect.poll(percent).toBeLessThan(fitted)
    const smaller = await percent()
    const sheet = opened.locator('[data-page="1"]')
    const widthBefore = (await sheet.boundingBox())?.width ?? 0
    await spread(page)
    // twice as far apart, less what Chromium takes for a trembling hand
    await expect.poll(async () => (await percent()) / smaller).toBeGreaterThan(1.5)
    await expect.poll(async () => (await sheet.boundingBox())?.width ?? 0).toBeGreaterThan(1.5 * widthBefore)
    expect(await page.evaluate('window.visualViewport.scale')).toBe(1)
    await opened.getByRole('button', { name: 'Ajustar à largura' }).tap()
    await expect.poll(percent).toBe(fitted)
  })
})
