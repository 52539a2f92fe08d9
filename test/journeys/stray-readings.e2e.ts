import type { Page } from '@playwright/test'
import {
  BARCODE,
  expect,
  expectAccessible,
  ITEM,
  logIn,
  ORDER,
  openItemOfOrder,
  readingLine,
  scan,
  section,
  test,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

const screens = [
  ['mini-aplicadores', 'Mini Aplicadores'],
  ['estacoes-selo', 'Estações de Selos'],
  ['planos-de-controle', 'Planos de Controle'],
  ['controle-crimpagens', 'Controle de Crimpagens'],
  ['analise-graficos', 'Análise de Gráficos'],
  ['equipamentos', 'Equipamentos'],
  ['relatorios', 'Relatórios'],
  ['documentos', 'Documentos'],
  ['logs', 'Logs'],
  ['pendencias', 'Pendências'],
  ['configuracoes', 'Configurações'],
] as const

/** A label that is read while the cursor stands in no field. */
async function read(page: Page, code: string): Promise<void> {
  await page.evaluate('document.activeElement?.blur()')
  await scan(page, code)
}

async function arrive(page: Page, screen: string, title: string): Promise<void> {
  await page.goto(`/pages/${screen}`)
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
}

for (const [screen, title] of screens) {
  test(`nenhuma leitura fica sem resposta em ${title}`, async ({ page }) => {
    await logIn(page, 'admin', '/pages/dashboard')
    await arrive(page, screen, title)
    await read(page, 'ma-0001')
    await expect(readingLine(page)).toContainText('MA-0001 é um mini aplicador.')
    await expect(readingLine(page).getByRole('button')).toHaveText(['Rastrear', 'Ver peças', ''])
    await read(page, 'KX0001')
    await expect(readingLine(page)).toContainText('KX0001 é uma máquina.')
    await read(page, 'XYZ-98765')
    await expect(readingLine(page)).toContainText('XYZ-98765 não é conhecido.')
    await expectAccessible(page)
    await read(page, BARCODE)
    await expect(page.getByRole('heading', { name: `Item ${ITEM}` })).toBeVisible()
    await arrive(page, screen, title)
    await read(page, ORDER)
    await expect(page.getByRole('region', { name: 'Itens', exact: true })).toContainText(ITEM)
  })
}

test('uma etiqueta lida enquanto a página abre não fica em silêncio', async ({ page }) => {
  await logIn(page, 'operador', '/pages/documentos')
  const free = Promise.withResolvers<void>()
  await page.route('**/assets/main-*.js', async (route) => {
    await free.promise
    await route.continue()
  })
  const started = page.waitForRequest('**/api/status')
  await page.goto('/pages/documentos', { waitUntil: 'commit' })
  await started
  await scan(page, 'KX0001')
  free.resolve()
  await expect(readingLine(page)).toContainText('KX0001 é uma máquina.')
})

test('o que estava digitado no item fica quando a etiqueta dele é lida em outra tela', async ({ page }) => {
  await openItemOfOrder(page)
  const lot = section(page, 'Cabo').getByLabel('Lote', { exact: false })
  await lot.fill('L261121777')
  await arrive(page, 'documentos', 'Documentos')
  await read(page, BARCODE)
  await expect(lot).toHaveValue('L261121777')
})

test('uma janela aberta não se perde: a leitura diz que se feche antes', async ({ page }) => {
  await logIn(page, 'admin', '/pages/planos-de-controle')
  await page.getByRole('button', { name: 'Importar CSV' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await read(page, BARCODE)
  await expect(page.getByText('Feche a janela para abrir o que foi lido.')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('da leitura de um mini aplicador se chega às peças dele; de uma máquina, ao que se fez nela', async ({ page }) => {
  await logIn(page, 'admin', '/pages/dashboard')
  await arrive(page, 'documentos', 'Documentos')
  await read(page, 'MA-0001')
  await expect(readingLine(page)).toContainText('MA-0001 é um mini aplicador.')
  await picture(page, 'leitura-solta')
  await readingLine(page).getByRole('button', { name: 'Ver peças' }).click()
  await expect(page).toHaveURL(/controle-crimpagens\?aba=plano&mini=MA-0001/)
  await expect(readingLine(page)).toHaveCount(0)
  await read(page, 'KX0001')
  await readingLine(page).getByRole('button', { name: 'Rastrear' }).click()
  await expect(page).toHaveURL(/relatorios\?aba=rastreabilidade&termo=KX0001&tipo=maquina/)
})

test('na pesquisa, o que não é item nem ordem diz o que é', async ({ page }) => {
  await logIn(page)
  await scan(page, 'MA-0001')
  await expect(page.getByText('Nenhum item encontrado')).toBeVisible()
  await expect(page.getByText('MA-0001 é um mini aplicador.')).toBeVisible()
  await expect(page.getByText('(Ordem de produção)')).toHaveCount(0)
  await page.getByRole('button', { name: 'Ver peças' }).click()
  await expect(page).toHaveURL(/controle-crimpagens\?aba=plano&mini=MA-0001/)
})
