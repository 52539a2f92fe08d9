import { NO_NETWORK } from '../support/journeys/cable.ts'
import {
  cachedCount,
  DOCUMENTS,
  expectDrawn,
  openDocuments,
  pdfOf,
  sendElsewhere,
  viewer,
  viewFromList,
  withScript,
} from '../support/journeys/documents.ts'
import { untilCached } from '../support/journeys/installation.ts'
import {
  expect,
  expectAccessible,
  logIn,
  ORDER,
  openItem,
  queryPanel,
  searchFor,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'

const TITLE = 'Desenho da jornada'

/** A file from the desktop, let go over the page. `bytes` is a script that gives them. */
const drop = (name: string, bytes: string) => `(() => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([${bytes}], '${name}'))
  for (const type of ['dragover', 'drop']) {
    window.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }
})()`
const bytesOf = (file: Buffer) =>
  `Uint8Array.from(atob('${file.toString('base64')}'), (character) => character.charCodeAt(0))`

test('o administrador solta um desenho na tela, todos o abrem; a revisão nova deixa a anterior obsoleta', async ({
  page,
  browser,
  panel,
}) => {
  // two people at work, one after the other
  await openDocuments(page, 'admin')
  await page.evaluate(drop('Desenho da jornada.pdf', bytesOf(pdfOf('Revisao A'))))
  const sending = page.getByRole('dialog', { name: 'Enviar documento' })
  await expect(sending.getByLabel('Título')).toHaveValue(TITLE)
  await sending.getByLabel('Revisão do documento').fill('A')
  await sending.getByLabel('Código do produto').fill('P-JORNADA')
  await expectAccessible(page)
  await picture(page, 'documentos-enviar')
  await sending.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(toast(page)).toContainText('Documento enviado com sucesso!')

  const colleague = await browser.newContext({ baseURL: panel.url, locale: 'pt-BR', serviceWorkers: 'block' })
  const other = await colleague.newPage()
  await openDocuments(other)
  await other.getByLabel('Buscar').fill('p-jornada')
  await other.getByRole('button', { name: `Abrir ${TITLE} revisão A` }).click()
  await expectDrawn(other, `Página 1 de 1: ${TITLE}`)
  await other.keyboard.press('Escape')

  await enterAt(page, `Enviar nova revisão de ${TITLE}`)
  const revising = page.getByRole('dialog', { name: `Nova revisão de ${TITLE}` })
  const chosen = { name: 'revisao-b.pdf', mimeType: 'application/pdf', buffer: pdfOf('Revisao B', 'Verso') }
  // before the way there: it must be waited for by the time Enter is pressed
  const choosing = page.waitForEvent('filechooser')
  await tabTo(page, revising.locator('input[type=file]'))
  await page.keyboard.press('Enter')
  await (await choosing).setFiles(chosen)
  await tabTo(page, 'Revisão do documento', 'textbox')
  await page.keyboard.type('B')
  await enterAt(page, revising.getByRole('button', { name: 'Enviar', exact: true }))
  await expect(toast(page)).toContainText('Revisão enviada com sucesso!')

  // Told by the event stream: the colleague presses nothing.
  await expect(other.getByRole('button', { name: `Abrir ${TITLE} revisão B` })).toBeVisible()
  await expect(other.getByRole('button', { name: `Abrir ${TITLE} revisão A` })).toBeHidden()
  await other.getByText('Mostrar obsoletos').click()
  await expect(other.getByRole('row', { name: `Abrir ${TITLE} revisão A` })).toContainText('Obsoleto')
  await picture(other, 'documentos')
  await expect(other.getByRole('button', { name: 'Enviar documento' })).toHaveCount(0)

  await enterAt(page, `Retirar ${TITLE} revisão B`)
  const asking = page.getByRole('alertdialog', { name: 'Retirar documento' })
  await enterAt(page, asking.getByRole('button', { name: 'Retirar' }))
  await expect(asking.getByText('Informe o motivo')).toBeVisible()
  await picture(page, 'documentos-retirar')
  await tabTo(page, asking.getByLabel('Motivo'))
  await page.keyboard.type('Medida errada')
  await enterAt(page, asking.getByRole('button', { name: 'Retirar' }))
  await expect(toast(page)).toContainText('Revisão retirada com sucesso!')
  await expect(other.getByRole('button', { name: `Abrir ${TITLE} revisão B` })).toBeHidden()
  await colleague.close()
})

test('pelo teclado se abre, amplia, gira e folheia, e a página em volta fica a 100 %', async ({ page, panel }) => {
  await sendElsewhere(panel, { title: TITLE, file: pdfOf('Um', 'Dois', 'Tres') })
  await openDocuments(page)
  await page.keyboard.press('/')
  await page.keyboard.type('jornada')
  await enterAt(page, `Abrir ${TITLE} revisão A`)
  const opened = viewer(page, TITLE)
  await expectDrawn(page, `Página 1 de 3: ${TITLE}`)
  await expect(opened.getByRole('region', { name: `Páginas: ${TITLE}` })).toBeFocused()
  await expectAccessible(page)
  await expect(opened.getByText('150%')).toBeVisible()
  // As quick as a test presses them, two keys would be a scanner's.
  const byHand = { delay: 80 }
  await page.keyboard.press('+', byHand)
  await expect(opened.getByText('200%')).toBeVisible()
  await page.keyboard.press('-', byHand)
  await page.keyboard.press('-', byHand)
  await expect(opened.getByText('125%')).toBeVisible()
  await enterAt(page, 'Próxima página')
  await expect(opened.getByText('Página 2 de 3')).toBeVisible()
  const sheet = opened.locator('[data-page="2"]')
  const before = await sheet.boundingBox()
  await enterAt(page, 'Girar')
  await expect.poll(async () => (await sheet.boundingBox())?.width).toBe(before?.height)
  await expect(opened.getByText('Página 2 de 3')).toBeVisible()

  const scale = opened.getByText(/^\d+%$/)
  await page.keyboard.press('0')
  await expect(scale).not.toHaveText('125%')
  const fitted = (await scale.textContent()) ?? ''
  await opened.getByRole('region', { name: `Páginas: ${TITLE}` }).hover()
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await expect(scale).not.toHaveText(fitted)
  expect(await page.evaluate('window.visualViewport.scale')).toBe(1)

  await page.keyboard.press('Escape')
  await expect(opened).toBeHidden()
  await expect(page.getByRole('button', { name: `Abrir ${TITLE} revisão A` })).toBeFocused()
})

test("'Documentos' no item mostra quantos há, abre-os, e Escape volta ao formulário como estava", async ({
  page,
  panel,
}) => {
  await sendElsewhere(panel, { title: TITLE, target: 'terminal', code: 'T1326030' })
  await logIn(page)
  await searchFor(page, ORDER)
  await openItem(page)
  await page.getByLabel('Quantidade de peças').first().fill('7')
  const button = page.getByRole('button', { name: /^Documentos \(\d+\)$/ })
  await expect(button).toBeVisible()
  expect(Number(/\d+/.exec((await button.textContent()) ?? '')?.[0])).toBeGreaterThan(0)
  await button.click()
  await viewFromList(page, TITLE)
  await expect(section(page, 'Cabo').getByLabel('Quantidade de peças')).toHaveValue('7')
})

test('o que não serve é recusado em palavras, e um PDF com script só mostra as suas páginas', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/400/)
  await sendElsewhere(panel, { title: TITLE, file: withScript(pdfOf('Com script')) })
  await openDocuments(page, 'admin')
  await enterAt(page, 'Enviar documento')
  const sending = page.getByRole('dialog', { name: 'Enviar documento' })
  const file = sending.locator('input[type=file]')
  await page.evaluate(drop('grande.pdf', 'new Uint8Array(25 * 1024 * 1024 + 1)'))
  await expect(sending.getByRole('alert')).toHaveText('O arquivo tem mais de 25 MB.')
  await expect(sending.getByRole('button', { name: 'Enviar', exact: true })).toBeDisabled()
  await file.setInputFiles({
    name: 'programa.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('MZ\x90\x00 nothing to show'),
  })
  await sending.getByLabel('Revisão do documento').fill('A')
  await sending.getByLabel('Código do produto').fill('P-1')
  await enterAt(page, sending.getByRole('button', { name: 'Enviar', exact: true }))
  await expect(sending.getByRole('alert')).toContainText('O arquivo não é um PDF nem uma imagem PNG, JPEG ou WebP.')
  await sending.getByRole('button', { name: 'Cancelar' }).click()

  page.on('dialog', () => {
    throw new Error('The PDF ran its script')
  })
  await enterAt(page, `Abrir ${TITLE} revisão A`)
  await expectDrawn(page, `Página 1 de 1: ${TITLE}`)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Abrir Desenho do chicote CHT000412-01 revisão C' }).click()
  await expectDrawn(page, 'Página 1 de 1: Desenho do chicote CHT000412-01')
  await picture(page, 'documento-aberto')
})

test.describe('sem servidor', () => {
  test.use({ serviceWorkers: 'allow' })

  test('o que já foi aberto se lê; ao sair nada fica no dispositivo', async ({ page, panel, tolerate }) => {
    tolerate(NO_NETWORK)
    await sendElsewhere(panel, { title: TITLE })
    await sendElsewhere(panel, { title: 'Nunca aberto' })
    await openDocuments(page)
    await untilCached(page)
    await page.getByRole('button', { name: `Abrir ${TITLE} revisão A` }).click()
    await expectDrawn(page, `Página 1 de 1: ${TITLE}`)
    await expect.poll(() => cachedCount(page)).toBe(1)

    await panel.kill()
    await page.goto(DOCUMENTS)
    await expect(page.getByText('Aparecem só os documentos já abertos neste dispositivo')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Abrir/ })).toHaveCount(1)
    await expectAccessible(page)
    await picture(page, 'documentos-sem-servidor')
    await page.getByRole('button', { name: `Abrir ${TITLE} revisão A` }).click()
    await expectDrawn(page, `Página 1 de 1: ${TITLE}`)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Sair do sistema' }).click()
    await expect(page.getByLabel('Usuário')).toBeVisible()
    await expect.poll(() => cachedCount(page)).toBe(0)
    await panel.restart()
  })
})

test('título e revisão alterados juntos são guardados juntos', async ({ page, panel }) => {
  await sendElsewhere(panel, { title: TITLE })
  await openDocuments(page, 'admin')
  await enterAt(page, `Editar ${TITLE}`)
  const editing = page.getByRole('dialog', { name: 'Editar documento' })
  await editing.getByLabel('Título').fill('Desenho corrigido')
  await editing.getByLabel('Revisão do documento').fill('B')
  await editing.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Documento alterado com sucesso!')
  await expect(page.getByRole('button', { name: 'Abrir Desenho corrigido revisão B' })).toBeVisible()
})

test('enquanto um arquivo é enviado, outro não toma o seu lugar', async ({ page, panel }) => {
  const released = Promise.withResolvers<void>()
  await page.route('**/api/documentos?*', async (route) => {
    if (route.request().method() === 'POST') await released.promise
    await route.continue()
  })
  await openDocuments(page, 'admin')
  await page.evaluate(drop('primeiro.pdf', bytesOf(pdfOf('Primeiro'))))
  const sending = page.getByRole('dialog', { name: 'Enviar documento' })
  await sending.getByLabel('Revisão do documento').fill('A')
  await sending.getByLabel('Código do produto').fill('P-JORNADA')
  await sending.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(sending.getByRole('button', { name: 'Cancelar envio' })).toBeVisible()
  await page.evaluate(drop('segundo.pdf', bytesOf(pdfOf('Segundo'))))
  await expect(sending.locator('input[type=file]')).toBeDisabled()
  await expect(sending).toContainText('primeiro.pdf')
  await expect(sending).not.toContainText('segundo.pdf')
  released.resolve()
  await expect(toast(page)).toContainText('Documento enviado com sucesso!')
  expect(
    queryPanel(panel, "select file_name from document_revisions where file_name in ('primeiro.pdf', 'segundo.pdf')"),
  ).toEqual([{ file_name: 'primeiro.pdf' }])
})
