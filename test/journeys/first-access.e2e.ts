import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startErpSimulator } from '../../demo/simulator/simulator.ts'
import { test as base, expect, expectAccessible, ORDER, SEARCH, searchFor } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

/** A plant that nobody may enter yet, and whose ERP nobody has named. */
const test = base.extend<{ erpUrl: string }>({
  panel: async ({ server }, use) => {
    const panel = await server.start({ env: { MODE: 'plant' } })
    await use(panel)
    await panel.stop()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  erpUrl: async ({}, use) => {
    const erp = await startErpSimulator()
    await use(erp.url)
    await erp.close()
  },
})

/** At the end: the server puts itself together anew. */
async function moveWebhook(page: Page) {
  await page.goto('/pages/configuracoes?aba=instalacao')
  // what is shown in passing is in a region of the same name
  const notices = page.getByRole('region', { name: 'Avisos' }).filter({ has: page.getByLabel('Senha do webhook') })
  const address = notices.getByRole('textbox', { name: 'Endereço do webhook' })
  await address.fill('https://avisos.example/a')
  await notices.getByLabel('Senha do webhook', { exact: true }).fill('painel')
  await notices.getByRole('button', { name: 'Salvar' }).click()
  await expect(notices.getByText('guardada')).toHaveCount(2)
  // the server is back
  await expect(notices.getByRole('button', { name: /^Enviar teste/ })).toBeVisible()
  await address.fill('https://avisos.example/b')
  await expect(notices.getByText(/^Endereço novo: escreva a senha, .* a guardada se apaga\.$/)).toBeVisible()
  await notices.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText(/A senha do webhook era do endereço anterior e foi apagada/)).toBeVisible()
}

test('uma planta nova pede o código do início, cria o administrador e leva pelos primeiros passos até uma ordem', async ({
  page,
  panel,
  erpUrl,
  tolerate,
}) => {
  tolerate(/422 .*\/api\/primeiro-acesso|400 .*\/api\/instalacao/)
  // its form takes the place of 'Carregando...', once in the life of a plant
  tolerate(/^layout shift: \/auth\/login /)
  // the server puts itself together anew
  tolerate(/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED/)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Primeiro acesso' })).toBeVisible()
  await expect(page.getByLabel('Código')).toBeFocused()
  await expectAccessible(page)
  await page.getByLabel('Código').fill('errado')
  await page.getByLabel('Nome completo').fill('Ana Lima')
  await page.getByLabel('Usuário').fill('ana.lima')
  await page.getByLabel(/^Senha/).fill('três porcas na bancada')
  await page.getByRole('button', { name: 'Criar e entrar' }).click()
  await expect(page.getByRole('alert')).toContainText('Código errado, ou de um início anterior do painel.')
  await picture(page, 'primeiro-acesso')
  await page.getByLabel('Código').fill((await readFile(join(panel.dataDir, 'primeiro-acesso'), 'utf8')).toLowerCase())
  await page.getByRole('button', { name: 'Criar e entrar' }).click()

  await expect(page.getByRole('heading', { name: 'Passo 1 de 3: Fábrica' })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Ana Lima')
  await expect(page.getByRole('banner')).toContainText('ERP não configurado')
  await expect(page.getByText(/^Agora são \d\d:\d\d em America\/Sao_Paulo\.$/)).toBeVisible()
  await page.getByLabel('Fuso horário').fill('Brasil/Interior')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText(/^Esperado um fuso horário com nome de lugar/)).toBeVisible()
  await picture(page, 'primeiros-passos')
  await page.getByRole('button', { name: 'Próximo' }).click()

  await expect(page.getByRole('heading', { name: 'Passo 2 de 3: ERP' })).toBeVisible()
  await page.getByLabel('Endereço do ERP').fill(erpUrl)
  await page.getByLabel('Usuário do ERP').fill('painel')
  await page.getByLabel('Senha do ERP', { exact: true }).fill('painel')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByLabel('Ordem de produção').fill(ORDER)
  await page.getByRole('button', { name: 'Testar conexão' }).click()
  await expect(page.getByRole('region', { name: 'ERP' }).getByRole('status')).toContainText(
    /^\d+ verificações, 0 erros\.$/,
  )
  await expect(page.getByLabel('Senha do ERP', { exact: true })).toHaveValue('')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Próximo' }).click()
  await page.getByRole('button', { name: 'Concluir' }).click()
  await expect(page.getByRole('button', { name: 'Primeiros passos' })).toBeVisible()
  await picture(page, 'configuracoes-instalacao')

  const erp = page.getByRole('region', { name: 'ERP' })
  await erp.getByLabel('Endereço do ERP').fill('http://outro:8080/rest')
  await expect(erp.getByText('Endereço novo: escreva a senha, também se é a mesma.')).toBeVisible()
  await expect(erp.getByText('guardada')).toBeHidden()
  await erp.getByRole('button', { name: 'Salvar' }).click()
  await expect(erp.getByText('Endereço novo: escreva a senha', { exact: true })).toBeVisible()
  await picture(page, 'configuracoes-instalacao-endereco')
  await page.goto(SEARCH)
  await searchFor(page, ORDER)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await moveWebhook(page)
})
