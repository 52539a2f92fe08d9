import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test as base, expect, expectAccessible } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

/** A plant that nobody may enter yet, and whose ERP is away. */
const plant = { ERP_URL: 'http://127.0.0.1:9/rest', ERP_USER: 'painel', ERP_PASSWORD: 'painel' }

const test = base.extend({
  panel: async ({ server }, use) => {
    const panel = await server.start({ env: plant })
    await use(panel)
    await panel.stop()
  },
})

test('uma planta nova pede o código do início, cria o administrador e o leva às configurações', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/422 .*\/api\/primeiro-acesso/)
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
  await expect(page.getByRole('heading', { name: 'Configurações' })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Ana Lima')
})
