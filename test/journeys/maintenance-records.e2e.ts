import { readFile } from 'node:fs/promises'
import { choice, details, open, question, tab, today } from '../support/journeys/crimp-control.ts'
import { expect, expectAccessible, section, test } from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'

test('o que se fez na manutenção fica registrado, inteiro ou nada, e sai em arquivo', async ({ page }) => {
  await open(page)
  await tab(page, 'Aguardando agendamento').click()
  await enterAt(page, choice(page, 'MA-0004'))
  const record = details(page).getByRole('button', { name: 'Registro de manutenção NR-12' })
  await enterAt(page, details(page).getByRole('button', { name: 'SALVAR DETALHES' }))
  await expect(details(page).getByText('Informe a ordem de serviço')).toBeVisible()
  await expect(record, 'other faults leave it closed').toHaveAttribute('aria-expanded', 'false')
  await enterAt(page, details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' }))
  await expect(question(page)).toBeVisible()
  await enterAt(page, /^Registro de manutenção NR-12/)
  await tabTo(page, 'Peças reparadas ou trocadas', 'textbox')
  await page.keyboard.type('1 faca')
  await enterAt(page, question(page).getByRole('button', { name: 'Zerar crimpagens' }))
  await expect(question(page).getByText('Informe o serviço realizado.')).toBeVisible()
  await expect(question(page).getByLabel('Serviço realizado')).toBeFocused()
  await expect(question(page).getByText('Informe a condição de segurança.')).toBeVisible()
  await expect(question(page).getByText('Informe o responsável.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'crimpagens-registro')
  await question(page).getByLabel('Serviço realizado').fill('Troca da faca\ne limpeza')
  await question(page).getByLabel('Condição de segurança').selectOption('Segura para uso')
  await question(page).getByLabel('Responsável').fill('João Lima')
  await enterAt(page, question(page).getByRole('button', { name: 'Zerar crimpagens' }))
  await expect(question(page)).toBeHidden()
  await expect(page.getByText('Contador de crimpagens resetado com sucesso.')).toBeVisible()

  await tab(page, 'Histórico de alterações').click()
  await enterAt(page, page.getByRole('button', { name: 'MA-0004' }).first())
  const shown = section(page, 'Detalhes da alteração')
  for (const text of ['Contador zerado', 'Troca da faca', '1 faca', 'Segura para uso', 'João Lima']) {
    await expect(shown).toContainText(text)
  }
  await expectAccessible(page)
  const started = page.waitForEvent('download')
  await enterAt(page, 'REGISTROS NR-12')
  const file = await started
  expect(file.suggestedFilename()).toBe(`registros_manutencao_nr12_${today()}.csv`)
  expect((await readFile(await file.path())).toString()).toMatch(
    /"=""MA-0004""";.*;Contador zerado;.*;"Troca da faca e limpeza";"1 faca";Segura para uso;"João Lima";/,
  )
})
