import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { Series } from '../../src/contract/spc.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import {
  expect,
  expectAccessible,
  expectAccessibleInBothThemes,
  logIn,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'

const ADDRESS = '/pages/analise-graficos?aba=cep'
const DRIFTING = 'MA-0001 · T1326030 · 0,50 mm² · Altura'

async function openSeries(page: Page, name: string, username = 'admin'): Promise<void> {
  await logIn(page, username)
  await page.goto(ADDRESS)
  await page.getByRole('button', { name: `Ver carta: ${name}` }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

const samples = (page: Page): Locator => page.getByRole('table', { name: 'Amostras' })

async function saved(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = await started
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

test('as séries, a pior primeiro; a carta da ferramenta que sai do centro, e a causa do sinal', async ({
  page,
  panel,
}) => {
  await logIn(page)
  await page.goto(ADDRESS)
  const list = page.getByRole('table', { name: 'Séries' })
  await expect(list.getByRole('row').nth(1)).toContainText('MA-0001')
  await expect(page.getByText('8 medições sem bitola ou ferramenta: em nenhuma série.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await picture(page, 'cep-series')
  await page.keyboard.press('/')
  await page.keyboard.type('ma-0001')
  await expect(list.getByRole('row')).toHaveCount(3)

  await list.getByRole('row').filter({ hasText: 'Altura' }).getByText('T1326030').click()
  await expect(page.getByRole('heading', { name: DRIFTING })).toBeVisible()
  const means = page.getByRole('img', { name: /^Médias \(X-barra\) - Altura \(mm\)\. Carta de 62 amostras\. LSC 1,1/ })
  await expect(means).toHaveAccessibleName(/Sinais nas amostras .*62\.$/)
  await expect(page.getByRole('img', { name: /^Amplitudes \(R\) - Altura/ })).toBeVisible()
  await expect(section(page, 'Capacidade')).toContainText('Processo com sinais: só Pp/Ppk.')
  await expect(section(page, 'Capacidade')).toContainText('σ = s')
  await expectAccessibleInBothThemes(page)
  await picture(page, 'cep-carta')

  const colleague = await colleagueAt(panel)
  const query = 'filial=010101&miniaplicador=MA-0001&terminal=T1326030&bitola=500&caracteristica=altura'
  const { pontos } = await colleague<Series>('GET', `/api/cep/serie?${query}`)
  const newestFirst = pontos.toReversed()
  const shown = await samples(page).getByRole('row').locator('td:nth-child(4)').allInnerTexts()
  expect(shown, 'the table says what is drawn').toEqual(
    newestFirst.map(({ media }) => media?.toFixed(4).replace('.', ',') ?? '-'),
  )

  await expect(samples(page).getByRole('row').nth(1)).toContainText('Sinal')
  await page.getByRole('button', { name: 'Anotar causa: amostra 62' }).click()
  const dialog = page.getByRole('dialog', { name: 'Anotar causa' })
  await dialog.getByText('Ferramenta gasta').click()
  await dialog.getByLabel('Observação (opcional)').fill('Crimpador com 97 % do limite')
  await expectAccessible(page)
  await picture(page, 'cep-causa')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Causa anotada.')
  await expect(samples(page).getByRole('row').nth(1)).toContainText('Ferramenta gasta: Crimpador com 97 % do limite')
  await expect(page.getByRole('button', { name: 'Recalcular limites' }), 'only for quality').toHaveCount(0)
  await page.getByRole('button', { name: 'Séries' }).click()
  await expect(list).toBeVisible()
})

test('a qualidade invalida uma amostra, recalcula os limites, e leva a carta em papel, imagem e planilha', async ({
  page,
}) => {
  await openSeries(page, 'MA-0005 · T0964281 · 0,50 mm² · Altura')
  await expect(samples(page)).toContainText('Inválida: Terminal torto na bigorna do micrômetro')
  await expect(samples(page)).toContainText('Fora da tolerância')
  await picture(page, 'cep-carta-fora')
  await page.getByRole('button', { name: 'Recalcular limites' }).click()
  const limits = page.getByRole('dialog', { name: 'Recalcular limites' })
  await limits.getByLabel('Motivo').fill('Depois do ajuste')
  await expectAccessible(page)
  await picture(page, 'cep-limites')
  await limits.getByRole('button', { name: 'Recalcular', exact: true }).click()
  await expect(toast(page)).toContainText('Limites recalculados com 31 amostras.')
  await expect(page.getByText(/^Limites de 31 amostras de 3 leituras .* recalculados por Administrador/)).toBeVisible()

  const image = await saved(page, 'Salvar imagem')
  expect(image.name).toMatch(/^cep_MA-0005_T0964281_500_altura_[\d-]+\.png$/)
  expect(image.content.readUInt32BE(16), 'as wide from a phone as from a desk').toBe(2400)
  expect(image.content.length).toBeGreaterThan(20_000)
  const file = await saved(page, 'Exportar CSV')
  expect(file.name).toMatch(/^cep_MA-0005_T0964281_500_altura_[\d-]+\.csv$/)
  expect(file.content.toString().trim().split('\r\n')).toHaveLength(35)

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  const sheet = page.getByRole('article')
  await expect(sheet.getByRole('heading', { name: 'Controle estatístico' })).toBeVisible()
  await expect(sheet.getByRole('img', { name: /^Médias/ })).toBeVisible()
  await expect(sheet.getByRole('row')).toHaveCount(36)
  await expect(sheet).toContainText('σ = ')
  if (process.env.PICTURES) await page.screenshot({ path: 'screenshots/cep-papel.png', fullPage: true })
  await page.evaluate('dispatchEvent(new Event("afterprint"))')
  await page.emulateMedia({ media: null })

  await page.getByRole('button', { name: 'Invalidar: amostra 34' }).click()
  const invalid = page.getByRole('dialog', { name: 'Invalidar medição' })
  await invalid.getByLabel('Motivo').fill('Micrômetro sujo')
  await invalid.getByRole('button', { name: 'Invalidar' }).click()
  await expect(toast(page)).toContainText('Medição invalidada.')
  await expect(samples(page).getByRole('row').nth(1)).toContainText('Inválida: Micrômetro sujo')
})
