import { readFile } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { DEVICE_HEADER } from '../../src/contract/endpoint.ts'
import { expect, logIn, ORDER, test, toast } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

// nobody listens there
test.use({ panelEnv: { ALARM_WEBHOOK_URL: 'http://127.0.0.1:2/avisos' } })

test('Sistema diz a um administrador como está a instalação, envia um teste e confere o ERP', async ({
  page,
  panel,
}) => {
  await logIn(page, 'admin', '/pages/configuracoes?aba=sistema')
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(part('Alarmes').getByText('Backup em dia')).toBeVisible()
  await expect(part('Banco, fila e backup')).toContainText('SQLite')
  await expect(part('Quem é avisado')).toContainText('Desligado: ligue em Instalação, ou por ALARM_MAIL_TO')
  await part('Quem é avisado').getByRole('button', { name: 'Enviar teste: Webhook' }).click()
  await expect(toast(page)).toContainText('O aviso de teste não foi enviado. Ninguém atende neste endereço e porta.')
  await toast(page).getByRole('button', { name: 'Fechar' }).click()
  const [said] = await Promise.all([
    page.waitForRequest('**/api/sistema'),
    page.getByRole('button', { name: 'Ler agora' }).click(),
  ])
  const pageId = (await page.locator('meta[name=pagina]').getAttribute('content')) ?? ''
  expect(said.headers()[DEVICE_HEADER], 'which page, and what waits on this device').toBe(`${pageId};0`)
  const { version } = await (await page.request.get('/ready')).json()
  await expect(part('Servidor')).toContainText(`${version}, de `)
  await expect(part('Servidor')).toContainText(pageId)
  // a report is written with the use of the next minute
  for (const [has, count] of [
    ['v2.0', 1],
    [pageId, 0],
  ] as const) {
    const sqlite = new Sqlite(`${panel.dataDir}/painel.sqlite`)
    sqlite.prepare('update sessions set page_version = ?').run(has)
    sqlite.close()
    await page.getByRole('button', { name: 'Ler agora' }).click()
    await expect(page.getByRole('table', { name: 'Dispositivos' })).toContainText(has)
    await expect(page.getByText('Anterior', { exact: true })).toHaveCount(count)
  }
  await page.getByLabel('Ordem de produção').fill(ORDER)
  await page.getByRole('button', { name: 'Testar conexão' }).click()
  await expect(part('ERP').getByRole('status')).toContainText(/^\d+ verificações, 0 erros\.$/)
  await expect(part('ERP').getByRole('listitem').first()).toContainText('ERP de ensaio')
  await picture(page, 'configuracoes-sistema')
  await page.goto('/pages/configuracoes?aba=sessoes')
  await expect(page.getByRole('table', { name: 'Sessões abertas' })).toContainText(`página ${pageId}`)
})

test('um toque em Sistema salva o arquivo de suporte, e outro logo depois diz quando', async ({ page, tolerate }) => {
  tolerate(/status of 429/)
  await logIn(page, 'admin', '/pages/configuracoes?aba=sistema')
  const support = page.getByRole('region', { name: 'Suporte', exact: true })
  const button = support.getByRole('button', { name: 'Arquivo de suporte' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(download.suggestedFilename()).toMatch(/^painel-suporte-\d{4}-\d\d-\d\d\.json$/)
  const content = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(Object.keys(content)).toEqual(expect.arrayContaining(['versao', 'configuracao', 'sistema', 'filas', 'log']))
  await button.click()
  await expect(support.getByRole('alert')).toContainText('O último arquivo de suporte acabou de sair.')
})

/** A tablet has shown a receipt that this database does not know, so long ago that somebody may decide. */
function doubt(dataDir: string): void {
  const sqlite = new Sqlite(`${dataDir}/painel.sqlite`)
  sqlite
    .prepare(
      `insert into epoch_witnesses (epoch, kind, device, subject, user_id, seen_at, dismissed)
       select value, 'receipt', 'tablet', '5f0c9f4e-8f1b-4a51-9f0e-1d2c3b4a5960', 1, ?, 0 from settings where name = 'epoch'`,
    )
    .run(Date.now() - 16 * 60_000)
  sqlite.close()
}

test('o que um só tablet diz faltar no banco, um administrador lê em Sistema e decide', async ({ page, panel }) => {
  doubt(panel.dataDir)
  await logIn(page, 'admin', '/pages/configuracoes?aba=sistema')
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(part('Alarmes').getByText('Algo falta no banco')).toBeVisible()
  const epoch = part('Época do banco')
  await expect(epoch.getByRole('list', { name: 'O que falta' })).toContainText('(5f0c9f4e)')
  await picture(page, 'configuracoes-sistema-epoca')
  await epoch.getByRole('button', { name: 'Nada falta' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Nada falta' }).click()
  await expect(dialog).toContainText('Informe o motivo.')
  await dialog.getByLabel('Motivo').fill('Conferido com o PCP')
  await dialog.getByRole('button', { name: 'Nada falta' }).click()
  await expect(dialog).toBeHidden()
  await expect(epoch.getByRole('list', { name: 'O que falta' })).toBeHidden()
  await expect(epoch).toContainText('A primeira: este banco nunca voltou no tempo.')
})

test('um só retido se diz no singular', async ({ page }) => {
  await page.route('**/api/sistema', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    await route.fulfill({ response, json: { ...json, queue: { ...json.queue, retained: 1 } } })
  })
  await logIn(page, 'admin', '/pages/configuracoes?aba=sistema')
  await expect(page.getByRole('region', { name: 'Banco, fila e backup' })).toContainText('1 retido')
  await expect(page.getByText('1 retidos')).toHaveCount(0)
})
