import type { Page } from '@playwright/test'
import { callDialog, fillSide1, piecesAtServer } from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import { expect, openItemOfOrder, queryPanel, section, test, toast } from '../support/journeys/journey.ts'
import { forces, heights } from '../support/journeys/measuring.ts'
import { picture } from '../support/journeys/picture.ts'

const side1 = (page: Page) => section(page, 'Terminal Lado 1')
const found = (panel: Parameters<typeof queryPanel>[0]) =>
  queryPanel(panel, 'select finding, mode from recording_findings order by id')

test('um instrumento vencido espera uma medição com outro onde a fábrica bloqueia', async ({ page, panel }) => {
  const admin = await colleagueAt(panel)
  await admin('PUT', '/api/configuracao', { instrumentMode: 'bloquear' })
  await openItemOfOrder(page)
  await fillSide1(page)
  await side1(page).getByLabel('Quantidade de peças').fill('10')
  const dialog = page.getByRole('dialog', { name: 'Medição - Terminal T1326030, 0,50 mm²' })
  const measure = async (instrument: string, note: RegExp | string) => {
    await page.getByRole('button', { name: 'Medir: lado 1' }).click()
    const box = dialog.getByRole('textbox', { name: 'Instrumento' })
    await box.fill('')
    await expect(box).toHaveAccessibleDescription('O plano pede: MIC-ALT.')
    await box.fill(instrument)
    for (const nth of [1, 2, 3]) await heights(dialog).getByLabel(`Leitura ${nth}`).fill('1,101')
    await expect(box).toHaveAccessibleDescription(note)
  }
  await measure('MIC-ALT-02', /^Instrumento com calibração vencida em /)
  await forces(dialog).getByLabel('Leitura 1').fill('90')
  const said = dialog.getByRole('status', { name: 'Aviso da medição' })
  await expect(said).toHaveText('MIC-ALT-02 não serve para tudo o que foi lido: salve à parte.')
  await picture(page, 'medir-instrumento')
  await forces(dialog).getByLabel('Leitura 1').fill('')
  await dialog.getByRole('button', { name: 'Salvar medição' }).click()
  await expect(toast(page)).toContainText('Medição salva: dentro do plano.')
  const register = page.getByRole('button', { name: 'Registrar lado 1' })
  // the chart of what was just measured is drawn beneath a pointer
  await register.press('Enter')
  const release = page.getByRole('dialog', { name: 'Liberar (qualidade)' })
  await expect(release).toContainText('Meça com outro instrumento: a calibração deste está vencida.')
  await release.getByRole('button', { name: 'Cancelar' }).click()
  await measure('PAQ-01', 'Paquímetro digital 150 mm')
  await expect(said).toHaveText('PAQ-01 mostra de 0,010 em 0,010: há leitura com mais casas.')
  for (const nth of [1, 2, 3]) await heights(dialog).getByLabel(`Leitura ${nth}`).fill('1,11')
  await expect(said).toBeHidden()
  await dialog.getByRole('button', { name: 'Salvar medição' }).click()
  // the toast of the first one may still be there
  await expect(side1(page).getByRole('textbox', { name: /Altura de crimpagem/ })).toHaveValue('1,11')
  await register.press('Enter')
  // said as saved where the sample before it is still on its way
  await expect.poll(() => piecesAtServer(panel)).toEqual([10])
  // no force was measured, which is the plan's to say
  expect(found(panel)).toEqual([{ finding: 'falta-medir', mode: 'observar' }])
})

test('uma ferramenta insegura está em vermelho no formulário, com o chamado ao lado, e o apontamento fica anotado', async ({
  page,
  panel,
}) => {
  const admin = await colleagueAt(panel)
  await admin('POST', '/api/crimpagens/MA-0001/reset', {
    ...{ miniaplicator: 'MA-0001', newLimitOfCrimps: 100_000 },
    maintenanceRecord: { serviceDone: 'Guia gasta', parts: '', safetyCondition: 'insegura', responsible: 'Ana Lima' },
  })
  await openItemOfOrder(page)
  await fillSide1(page)
  await expect(side1(page)).toContainText('MA-0001 foi declarado inseguro na manutenção. Não use: chame a manutenção.')
  await picture(page, 'ferramenta-insegura')
  await page.getByRole('button', { name: 'Chamar manutenção: ferramenta do lado 1' }).click()
  await callDialog(page).getByRole('button', { name: 'Altura fora' }).click()
  await expect(toast(page)).toContainText(/Chamado \d+ aberto\./)
  await side1(page).getByLabel('Quantidade de peças').fill('10')
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(toast(page).getByText('Apontamento realizado com sucesso!').last()).toBeVisible()
  expect(found(panel)).toContainEqual({ finding: 'ferramenta-insegura', mode: 'observar' })
})
