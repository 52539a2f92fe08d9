import type { CrimpCounter } from '../../src/contract/crimp-counters.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { choice, details, pencil, question, rowOf, tab, today } from '../support/journeys/crimp-control.ts'
import { expect, logIn, section, test } from '../support/journeys/journey.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'

// A walk of some two hundred keys.

test('do limite ao histórico da manutenção, só com o teclado', async ({ page, panel }) => {
  const colleague = await colleagueAt(panel)
  await logIn(page)
  await enterAt(page, 'Manutenção Preventiva', 'link')
  await expect(tab(page, 'Limite de crimpagens (30)')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('ma-0003')
  await enterAt(page, pencil(page, 'MA-0003'))
  await page.keyboard.type('150000')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'MA-0003')).toContainText('150.000, perto do limite')

  await tabTo(page, tab(page, 'Limite de crimpagens'))
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Aguardando agendamento')).toBeFocused()
  await enterAt(page, choice(page, 'MA-0005'))
  await expect(details(page).getByLabel('Ordem de Serviço')).toBeFocused()
  await page.keyboard.type('4711')
  await page.keyboard.press('Tab')
  await page.keyboard.type('01012099')
  await enterAt(page, 'SALVAR DETALHES')
  await expect(rowOf(page, 'MA-0005')).toContainText('Agendado para 01/01/2099')

  await enterAt(page, choice(page, 'MA-0004'))
  await expect(details(page).getByLabel('Ordem de Serviço')).toBeFocused()
  await enterAt(page, details(page).getByRole('button', { name: 'ZERAR CRIMPAGENS' }))
  await tabTo(page, question(page).getByLabel('Novo limite de crimpagens'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('90000')
  await enterAt(page, question(page).getByRole('button', { name: 'Zerar crimpagens' }))
  await expect(question(page)).toBeHidden()
  await expect(page.locator(':focus'), 'the focus is where the news is').toHaveText(/resetado com sucesso/)
  const unit = await colleague<CrimpCounter>('GET', '/api/crimpagens/MA-0004')
  expect(unit).toMatchObject({ numberOfCrimps: 0, limitOfCrimps: 90_000 })

  await tabTo(page, tab(page, 'Aguardando agendamento'))
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Histórico de alterações')).toBeFocused()
  await enterAt(page, choice(page, 'MA-0004').first())
  await expect(section(page, 'Detalhes da alteração')).toContainText('Contador zerado')
  const started = page.waitForEvent('download')
  await enterAt(page, 'EXPORTAR ARQUIVO')
  expect((await started).suggestedFilename()).toBe(`historico_alteracoes_${today()}.csv`)
})
