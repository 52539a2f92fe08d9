import type { Page } from '@playwright/test'
import { callDialog, fillSide1 } from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { expect, logIn, openItemOfOrder, queryPanel, section, test, toast } from '../support/journeys/journey.ts'
import { forces, heights, samplesAt } from '../support/journeys/measuring.ts'
import { picture } from '../support/journeys/picture.ts'
import { watchSounds } from '../support/journeys/sounds.ts'
import type { Panel } from '../support/panel.ts'

const side1 = (page: Page) => section(page, 'Terminal Lado 1')

/** Three pieces of one height and force, still to be saved. */
async function fillMeasuring(page: Page, height: string, force: string) {
  await page.getByRole('button', { name: 'Medir: lado 1' }).click()
  const dialog = page.getByRole('dialog', { name: /^Medição - / })
  for (const nth of [1, 2, 3]) {
    await heights(dialog).getByLabel(`Leitura ${nth}`).fill(height)
    await forces(dialog).getByLabel(`Leitura ${nth}`).fill(force)
  }
  return dialog
}

/** Saves a height outside, and says what was done about it. */
async function saveOutside(page: Page, action: string): Promise<void> {
  const dialog = await fillMeasuring(page, '1,17', '90')
  await dialog.getByText(action).click()
  await dialog.getByRole('button', { name: 'Salvar medição fora' }).click()
  await expect(dialog).toBeHidden()
}

const callsOfActs = (panel: Panel) =>
  queryPanel<{ team: string; topic: string; act: string | null }>(
    panel,
    `select team, topic, act_id as act from maintenance_calls
     where id not like '00000000-0000-4000-8000-%' order by received_at, rowid`,
  )

test('altura fora: a qualidade é chamada no mesmo toque, outro dispositivo toca, mede-se de novo e aponta-se', async ({
  page,
  browser,
  panel,
}) => {
  const other = await browser.newPage({ baseURL: panel.url })
  await watchSounds(other)
  await other.addInitScript(`localStorage.setItem('preferences', '{"soundingTeams":["qualidade"]}')`)
  await logIn(other, 'admin', '/pages/controle-crimpagens?aba=chamados')
  await openItemOfOrder(page)
  await fillSide1(page)
  // told of maintenance it would be asked for what; a closed dialog is no call
  await saveOutside(page, 'Parei e chamei a manutenção')
  await callDialog(page).getByRole('button', { name: 'Fechar' }).click()
  await expect(side1(page)).toContainText('Manutenção não foi chamada')
  await side1(page).getByRole('button', { name: 'Chamar', exact: true }).click()
  await callDialog(page).getByRole('button', { name: 'Altura fora' }).click()
  await expect(toast(page).getByText(/Chamado \d+ aberto\./)).toBeVisible()
  await expect(side1(page)).not.toContainText('não foi chamada')

  await saveOutside(page, 'Parei e chamei a qualidade')
  await expect(toast(page)).toContainText(/Chamado \d+ aberto: Qualidade\./)
  await expect(toast(other)).toContainText('PR0001 · Medição fora')
  await expect(side1(page)).toContainText(/Chamado \d+ · Qualidade, Medição fora · aberto agora/)
  await picture(page, 'item-qualidade-chamada')
  const [, second] = new Set(samplesAt(panel).map(({ act }) => act))
  expect(callsOfActs(panel)).toEqual([
    { team: 'manutencao', topic: '', act: null },
    { team: 'qualidade', topic: 'medicao-fora', act: second },
  ])

  const dialog = await fillMeasuring(page, '1,1', '90')
  await dialog.getByRole('button', { name: 'Salvar medição', exact: true }).click()
  await expect(toast(page).getByText('Medição salva: dentro do plano.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Registrar lado 1' }).press('Enter')
  await expect(toast(page)).toContainText('Apontamento realizado com sucesso!')
})

test('onde a qualidade não se chama, diz-se que foi avisada pessoalmente, e nenhum chamado se abre', async ({
  page,
  panel,
}) => {
  const admin = await colleagueAt(panel)
  await admin('PUT', '/api/configuracao', { callTeams: ['manutencao'] })
  await openItemOfOrder(page)
  await fillSide1(page)
  const dialog = await fillMeasuring(page, '1,17', '90')
  await expect(dialog.getByRole('radio', { name: 'Parei e chamei a qualidade' })).toHaveCount(0)
  await dialog.getByText('Parei e avisei a qualidade pessoalmente').click()
  await dialog.getByRole('button', { name: 'Salvar medição fora' }).click()
  await expect(toast(page)).toContainText('Medição salva: fora do plano.')
  await expect(side1(page)).not.toContainText('não foi chamada')
  expect(callsOfActs(panel)).toEqual([])
})
