import type { Page } from '@playwright/test'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import type { ErpSimulator } from '../../demo/simulator/simulator.ts'
import { badge, cable, fillCable, LATE_REFUSAL, registerPieces, SUCCESS } from '../support/journeys/cable.ts'
import {
  BARCODE,
  expect,
  expectAccessible,
  logIn,
  ORDER,
  openItem,
  openItemOfOrder,
  pick,
  queryPanel,
  readingLine,
  scan,
  searchFor,
  section,
  toast,
} from '../support/journeys/journey.ts'
import { misfitsOf, textSizes } from '../support/journeys/layout.ts'
import { picture } from '../support/journeys/picture.ts'
import { ADMIN, COLLEAGUE, leavePending, test } from '../support/journeys/plant.ts'
import { enterAt, tabTo } from '../support/journeys/tab-to.ts'
import type { Panel } from '../support/panel.ts'
import { LONG, STEP_MS } from '../support/slowness.ts'

const statesIn = (panel: Panel) =>
  queryPanel<{ state: string }>(panel, 'select state from recordings').map(({ state }) => state)

async function logInAs(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: 'Sair do sistema' }).click()
  await logIn(page, username, '/pages/pendencias')
}

// The panel lets an ERP that is away rest for 15 s at a time.

const STALE = /Dados de \d\d\/\d\d \d\d:\d\d — ERP indisponível/

test('o que o ERP ainda não tem está em Pendências, e some quando ele volta', async ({
  page,
  panel,
  erp,
  tolerate,
}) => {
  // what waits there goes, and what is below it follows
  tolerate(/^layout shift: \/pages\/pendencias /)
  await openItemOfOrder(page)
  await fillCable(page)
  await erp.state.setFaults([{ id: 'F31', variant: 'refused' }])
  await registerPieces(page, 5)
  await expect(toast(page)).toContainText('Apontamento salvo. Será enviado ao ERP assim que ele responder.')
  await expect(cable(page)).toContainText('5 peças aguardando ERP')
  await badge(page).click()
  const group = section(page, 'Aguardando o ERP')
  await expect(group.getByRole('listitem')).toHaveCount(1)
  await expect(group).toContainText('Cabo · 5 peças')
  await expect(page.getByText('confirmamos pela quantidade')).toBeVisible()
  await expect(group).toContainText(/agora|há 1 min/)
  await expect(group.getByRole('button')).toHaveCount(0)
  await expectAccessible(page)

  await erp.state.setFaults([])
  await expect.poll(() => erp.state.row(BARCODE)?.Z1_QTREGCO, LONG).toBe(5)
  await expect.poll(() => statesIn(panel), LONG).toEqual(['delivered'])
  // Whoever comes back to the screen does not wait for its next turn.
  await page.evaluate('void window.dispatchEvent(new Event("visibilitychange"))')
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
})

test('um ERP que recusa o usuário do painel está vermelho no cabeçalho, e a busca diz a quem avisar', async ({
  page,
  erp,
  tolerate,
}) => {
  tolerate(/502/)
  await logIn(page)
  await expect(page.getByRole('img', { name: 'ERP: Online' })).toBeVisible()
  await erp.state.setFaults([
    { id: 'F22', count: null },
    { id: 'F20', operation: 'token', count: null },
  ])
  await searchFor(page, ORDER)
  const words = 'O ERP recusou o usuário do painel. Avise a TI.'
  await expect(page.getByRole('alert')).toContainText(words)
  // the header asks every 10 s, and whenever somebody comes back to the page
  await page.evaluate('void window.dispatchEvent(new Event("visibilitychange"))')
  await expect(page.getByRole('img', { name: words })).toBeVisible(LONG)
  await expect(page.getByRole('banner')).toContainText('ERP sem acesso')
  await expectAccessible(page)
})

test('sem o ERP a busca, o item e as máquinas respondem com a última cópia e dizem de quando é', async ({
  page,
  erp,
}) => {
  await openItemOfOrder(page)
  await fillCable(page)
  await erp.state.setFaults([{ id: 'F31', variant: 'refused' }])
  await registerPieces(page, 48)
  await page.keyboard.press('Escape')
  await searchFor(page, ORDER)
  await expect(page.getByText(STALE)).toBeVisible()
  const progress = page.getByRole('progressbar', { name: '% Corte' }).first()
  await expect(progress).toHaveAttribute('aria-valuetext', '40%, aguardando ERP')
  await expectAccessible(page)
  await picture(page, 'busca-sem-erp')
  await openItem(page)
  await expect(page.getByText(STALE)).toBeVisible()
  await expect(cable(page)).toContainText('48 peças aguardando ERP')
  await picture(page, 'item-sem-erp')
  const desk = page.viewportSize()
  await page.setViewportSize({ width: 800, height: 1280 })
  expect(await misfitsOf(page, ['130', '100']), 'red lights, and still a way out').toEqual([])
  if (desk) await page.setViewportSize(desk)
  await fillCable(page)
  await registerPieces(page, 2)
  await expect(cable(page)).toContainText('50 peças aguardando ERP')
  await expect(page.getByText(STALE)).toBeVisible()
  await page.getByRole('button', { name: 'Selecionar máquina do cabo' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: /KX0001/ })).toBeVisible()

  await page.keyboard.press('Escape')
  const topOf = async () => (await cable(page).boundingBox())?.y
  const before = await topOf()
  await erp.state.setFaults([])
  await expect(page.getByText(STALE)).toBeHidden(LONG)
  expect(await topOf(), 'what a finger is on its way to').toBe(before)
})

test('o que só uma pessoa sabe dizer se o ERP tem, um administrador marca como entregue', async ({
  page,
  panel,
  erp,
}) => {
  await openItemOfOrder(page)
  await fillCable(page)
  // It stores nothing, never answers, and somebody else has reported all that was open meanwhile.
  await erp.state.setFaults([{ id: 'F30' }, { id: 'F06', variant: 'reset' }])
  await registerPieces(page, 5)
  await expect.poll(() => statesIn(panel), LONG).toEqual(['uncertain'])
  await badge(page).click()
  const group = section(page, 'Exigem ação')
  await expect(group).toContainText('Incerto')
  await expect(group).toContainText('O ERP tem 120 peças registradas. Eram 0 antes do envio.')

  await logInAs(page, COLLEAGUE)
  await expect(group).toContainText('Só Maria Souza, um líder ou um administrador pode corrigir.')
  await expect(group.getByRole('button')).toHaveCount(0)

  await logInAs(page, ADMIN)
  await enterAt(page, /^Marcar como entregue/)
  const dialog = page.getByRole('alertdialog', { name: 'Marcar como entregue?' })
  await expectAccessible(page)
  await picture(page, 'pendencias-entregue')
  await tabTo(page, dialog.getByLabel('Motivo (opcional)'))
  await page.keyboard.type('conferido no ERP')
  await enterAt(page, dialog.getByRole('button', { name: 'Marcar como entregue' }))
  await expect(toast(page)).toContainText('Apontamento marcado como entregue.')
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
  await expect(badge(page)).toBeHidden()
})

test('um administrador vê de uma vez o que precisa de uma pessoa e o que só espera pelo ERP', async ({
  page,
  plant,
}) => {
  await leavePending(plant)
  await logIn(page, ADMIN, '/pages/pendencias')
  const needed = section(page, 'Exigem ação')
  await expect(needed.getByRole('listitem')).toHaveText([/10 peças\s*Recusado/, /48 peças\s*Incerto/])
  for (const name of [/^Corrigir e reenviar/, /^Marcar como entregue/, /^Descartar/]) {
    await expect(needed.getByRole('button', { name })).toHaveCount(2)
  }
  const waiting = section(page, 'Aguardando o ERP')
  await expect(waiting.getByRole('listitem')).toHaveText([/30 peças\s*Aguardando/, /1 peça\s*Aguardando/])
  await expect(waiting.getByRole('button')).toHaveCount(0)
  await picture(page, 'pendencias')
  // with the ERP away the header says more than ever
  await page.setViewportSize({ width: 800, height: 1280 })
  expect(await misfitsOf(page, textSizes)).toEqual([])
})

const NEW_LOT = 'L261122051'
const AWAY = [{ id: 'F31', variant: 'refused' }] as const
const refusedNotice = (page: Page) => toast(page).getByRole('alert').filter({ hasText: 'foi recusado' })
const correction = (page: Page) => page.getByRole('dialog', { name: 'Corrigir e reenviar' })

/** Its author has seen both as saved; the correction waits for an ERP that is away, and will be refused as well. */
async function correctInVain(page: Page, erp: ErpSimulator): Promise<void> {
  await openItemOfOrder(page)
  await cable(page).getByLabel('Lote').fill(sampleBlockedLot)
  await pick(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo', /KX0001/)
  await erp.state.setFaults(AWAY)
  await registerPieces(page, 5)
  await expect(cable(page)).toContainText('5 peças aguardando ERP')
  await erp.state.setFaults([])
  await expect(refusedNotice(page)).toContainText('Cabo · 5 peças · item 000010 foi recusado: Lote bloqueado.', LONG)
  await erp.state.setFaults(AWAY)
  await refusedNotice(page).getByRole('button', { name: 'Corrigir' }).click()
  await expect(correction(page).getByLabel('Lote')).toBeFocused()
  await correction(page).getByLabel('Quantidade de peças').fill('4')
  await correction(page).getByRole('button', { name: 'Reenviar' }).click()
  await expect(correction(page)).toBeHidden()
}

async function expectOneOf(pieces: number, { panel, erp }: { panel: Panel; erp: ErpSimulator }): Promise<void> {
  await expect.poll(() => statesIn(panel), LONG).toEqual(['superseded', 'superseded', 'delivered'])
  expect(erp.state.row(BARCODE)?.Z1_QTREGCO).toBe(pieces)
}

test('a correção recusada depois avisa o autor em outra tela, e "Corrigir" leva ao lote', async ({
  page,
  panel,
  erp,
}) => {
  await correctInVain(page, erp)
  await page.goto('/pages/dashboard')
  await erp.state.setFaults([])
  await expect(refusedNotice(page)).toContainText('Cabo · 4 peças · item 000010 foi recusado: Lote bloqueado.', LONG)
  await refusedNotice(page).getByRole('button', { name: 'Corrigir' }).click()
  await expect(correction(page).getByLabel('Lote')).toBeFocused()
  await scan(page, NEW_LOT)
  await expect(correction(page).getByLabel('Lote')).toHaveValue(NEW_LOT)
  await correction(page).getByRole('button', { name: 'Reenviar' }).click()
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
  await expectOneOf(4, { panel, erp })
})

test('a correção recusada depois traz o formulário de volta ao lote, e "Registrar" toma o seu lugar', async ({
  page,
  panel,
  erp,
  tolerate,
}) => {
  tolerate(LATE_REFUSAL)
  await correctInVain(page, erp)
  await openItemOfOrder(page)
  await erp.state.setFaults([])
  await expect(readingLine(page)).toHaveText('Lote bloqueado: leia outro lote do cabo', LONG)
  await expect(page.getByText('no lugar do recusado (4 peças)')).toBeVisible()
  await expect(cable(page).getByLabel('Lote')).toBeFocused()
  await scan(page, NEW_LOT)
  await expect(readingLine(page)).toHaveText(`Lote trocado (antes ${sampleBlockedLot}) · Cabo`)
  // a press within a second of the one before is taken for a finger that bounces
  await expect(async () => {
    await page.getByRole('button', { name: 'Registrar cabo' }).click()
    await expect(toast(page)).toContainText(SUCCESS, { timeout: STEP_MS })
  }).toPass()
  await expect(badge(page)).toBeHidden()
  await expectOneOf(4, { panel, erp })
})
