import type { Page } from '@playwright/test'
import { addDays, dayText, plantDay } from '../../src/domain/plant/plant-time.ts'
import { expect, logIn, test } from '../support/journeys/journey.ts'

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
