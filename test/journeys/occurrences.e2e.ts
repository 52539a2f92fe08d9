import type { Page } from '@playwright/test'
import { addDays, dayText, plantDay } from '../../src/domain/plant/plant-time.ts'
import { changePanel, expect, logIn, test } from '../support/journeys/journey.ts'

const open = async (page: Page, list = '') => {
  await logIn(page, 'admin', `/pages/planos-de-controle?aba=ocorrencias${list}`)
}
const dayBox = (page: Page, name: 'Início' | 'Fim') => page.getByLabel(name, { exact: true })

async function typeDay(page: Page, name: 'Início' | 'Fim', day: string): Promise<void> {
  await dayBox(page, name).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(day.replaceAll('/', ''))
}

test('o período das ocorrências se digita por teclas, e um ano errado no fim não trava a tela', async ({ page }) => {
  await open(page)
  const start = dayText(addDays(plantDay(Date.now(), 'America/Sao_Paulo'), -40))
  await expect(page.getByText('6 ocorrências', { exact: true })).toBeVisible()
  await typeDay(page, 'Início', start)
  await expect(dayBox(page, 'Início')).toHaveValue(start)
  const answer = page.waitForResponse(/ocorrencias\?.*fim=2926-12-31/)
  await typeDay(page, 'Fim', '31/12/2926')
  await answer
  await expect(dayBox(page, 'Fim')).toHaveValue('31/12/2926')
  await expect(page.getByText('6 ocorrências', { exact: true })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Ocorrências por dia\. / })).toBeVisible()
})

test('quem trata a última da página 2 volta à página 1, e um filtro sem nada se diz como tal', async ({
  page,
  panel,
}) => {
  changePanel(
    panel,
    `insert into recording_findings (recording_id, finding, mode, reason, details_json, at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 95)
     select recording_id, finding, mode, 'cópia ' || i, details_json, at - i * 1000
     from recording_findings, n where id = (select min(id) from recording_findings)`,
  )
  await open(page)
  await page.getByLabel('Situação', { exact: true }).selectOption('Aberta')
  await expect(page.getByText('101 ocorrências', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Mais antigas' }).click()
  const table = page.getByRole('table', { name: 'Ocorrências' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await table.getByRole('button', { name: /^Tratar ocorrência/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Tratar ocorrência/ })
  await dialog.getByLabel('O que foi feito').fill('Peças separadas')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('100 ocorrências', { exact: true })).toBeVisible()
  await expect(table.getByRole('row')).toHaveCount(101)
  await page.getByLabel('Situação', { exact: true }).selectOption('Medida de novo')
  await expect(page.getByText('Nenhuma ocorrência encontrada com os filtros aplicados.')).toBeVisible()
})
