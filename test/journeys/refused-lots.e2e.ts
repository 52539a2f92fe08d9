import type { Page, Route } from '@playwright/test'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import { badge, cable, NO_NETWORK, RECORD, readMachine, SAVED_HERE, SUCCESS } from '../support/journeys/cable.ts'
import { details, fillJunction, form, leaveRefused, logInAt, register } from '../support/journeys/joining.ts'
import {
  expect,
  openItemOfOrder,
  queryPanel,
  readingLine,
  scan,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { heard, watchSounds } from '../support/journeys/sounds.ts'
import type { Panel } from '../support/panel.ts'
import { STEP_MS } from '../support/slowness.ts'

/** The lot of the reel that the operator fetches instead. */
const NEW_LOT = 'L261122051'
const BLOCKED = 'Lote bloqueado: leia outro lote do cabo'
const REPLACED = `Lote trocado (antes ${sampleBlockedLot})`

const side1 = (page: Page) => section(page, 'Terminal Lado 1')
const lotOf = (part: ReturnType<typeof section>) => part.getByLabel('Lote')

const lotsAtServer = (panel: Panel) =>
  queryPanel<{ part: string; lot: string }>(panel, "select part, lot from recordings where state <> 'refused'")

/** The selected text of the box with the cursor: whatever comes next replaces it. */
const selected = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { value, selectionStart, selectionEnd } = document.activeElement
    return value.slice(selectionStart, selectionEnd)
  })()`)

/** Of the item, as the device keeps it. */
const draft = "Object.entries(localStorage).find(([key]) => key.startsWith('rascunho'))?.[1]"

/** 'Registrar' is pressed for the cable, and the answer waits until the cursor has gone on to side 1. */
async function pressed(
  page: Page,
  said: string,
  answer: (route: Route) => Promise<void> = (route) => route.continue(),
) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(RECORD, async (route) => {
    await released
    await answer(route)
  })
  // a press within a second of a refusal is taken for a finger that bounces
  await expect(async () => {
    await page.getByRole('button', { name: 'Registrar cabo' }).click()
    await expect(lotOf(side1(page))).toBeFocused({ timeout: STEP_MS })
  }).toPass()
  return async () => {
    release()
    await expect(readingLine(page)).toHaveText(said)
    await page.unroute(RECORD)
  }
}

async function readCable(page: Page, lot: string): Promise<void> {
  await openItemOfOrder(page)
  await expect(lotOf(cable(page))).toBeFocused()
  await scan(page, lot)
  await readMachine(page, 'KX0001', 'Cabo')
}

/** A press within a second of the refusal is taken for a finger that bounces. */
const registered = (page: Page, success: string, press: () => Promise<void>) =>
  expect(async () => {
    await press()
    await expect(toast(page)).toContainText(success, { timeout: STEP_MS })
  }).toPass()

const refusing =
  (message: string) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status: 422, json: { message, code: 'erp_refused' } })

test('lote recusado, bobina nova: uma leitura e um toque, e nada vai para a parte errada', { tag: '@quick' }, async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/422/)
  await watchSounds(page)
  await readCable(page, sampleBlockedLot)
  const refuse = await pressed(page, BLOCKED)
  await heard(page)
  await refuse()
  expect(await heard(page), 'a bad sound').not.toEqual([])
  await expect(lotOf(cable(page))).toBeFocused()
  expect(await selected(page)).toBe(sampleBlockedLot)
  await expect(lotOf(cable(page))).toHaveAccessibleDescription('Lote bloqueado')
  await picture(page, 'item-lote-recusado')
  await scan(page, NEW_LOT)
  await expect(readingLine(page)).toHaveText(`${REPLACED} · Cabo`)
  await expect(lotOf(cable(page))).toHaveValue(NEW_LOT)
  await expect(lotOf(cable(page))).not.toHaveAccessibleDescription('Lote bloqueado')
  await expect(lotOf(side1(page))).toHaveValue('')
  await registered(page, SUCCESS, () => page.getByRole('button', { name: 'Registrar cabo' }).click())
  await expect(lotOf(side1(page))).toBeFocused()
  await scan(page, 'B23-000001')
  await expect(lotOf(side1(page))).toHaveValue('B23-000001')
  expect(lotsAtServer(panel)).toEqual([{ part: 'cabo', lot: NEW_LOT }])
})

test('quem digita quando a recusa chega fica onde está, e a leitura seguinte é do lote recusado', async ({
  page,
  tolerate,
}) => {
  tolerate(/422/)
  await readCable(page, sampleBlockedLot)
  const refuse = await pressed(page, BLOCKED)
  await page.keyboard.type('B23', { delay: 120 })
  await refuse()
  await expect(lotOf(side1(page))).toBeFocused()
  await scan(page, 'PR0001')
  await expect(readingLine(page)).toHaveText('Máquina: PR0001 · Lado 1')
  await scan(page, NEW_LOT)
  await expect(readingLine(page)).toHaveText(`${REPLACED} · Cabo`)
  await expect(lotOf(cable(page))).toHaveValue(NEW_LOT)
  await expect(lotOf(side1(page))).toHaveValue('B23')
  await lotOf(side1(page)).click()
  await scan(page, 'B23-000001')
  await expect(lotOf(side1(page)), 'a person has moved the cursor').toHaveValue('B23-000001')
})

test('o que se digita na mesma parte antes da recusa é o rascunho que um recarregamento traz de volta', async ({
  page,
  tolerate,
}) => {
  tolerate(/422/)
  await readCable(page, sampleBlockedLot)
  const refuse = await pressed(page, BLOCKED)
  await lotOf(cable(page)).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('L2611', { delay: 120 })
  await refuse()
  await expect(lotOf(cable(page))).toHaveValue('L2611')
  await expect.poll(() => page.evaluate(draft)).toContain('"lot":"L2611"')
  await page.reload()
  await expect(lotOf(cable(page))).toHaveValue('L2611')
})

test('uma recusa sem campo se vê antes do próximo lote', async ({ page, tolerate }) => {
  tolerate(/422/)
  await readCable(page, 'L261121001')
  await (await pressed(page, 'Ordem encerrada · Cabo', refusing('Ordem encerrada')))()
  await expect(cable(page).getByText('Ordem encerrada')).toBeVisible()
  await scan(page, 'B23-000001')
  await expect(readingLine(page)).toHaveText('Veja a recusa do cabo primeiro')
  await expect(lotOf(side1(page))).toHaveValue('')
  await expect(lotOf(cable(page))).toHaveValue('L261121001')
})

test('uma recusa da máquina ou da quantidade leva o cursor a esse campo', async ({ page, tolerate }) => {
  tolerate(/422/)
  await readCable(page, 'L261121001')
  await (await pressed(page, 'Máquina parada · Cabo', refusing('Máquina parada')))()
  await expect(cable(page).getByLabel('Máquina', { exact: true })).toBeFocused()
  await scan(page, 'KX0002')
  await expect(cable(page).getByLabel('Máquina', { exact: true })).toHaveValue(/^KX0002/)
  await (await pressed(page, 'Saldo insuficiente. · Cabo', refusing('Saldo insuficiente.')))()
  await expect(cable(page).getByLabel('Quantidade de peças')).toBeFocused()
  expect(await selected(page)).toBe('120')
  await scan(page, 'B23-000001')
  await expect(lotOf(side1(page)), 'a lot is placed as ever').toHaveValue('B23-000001')
})

test('o que falta se diz também na linha de leitura', async ({ page }) => {
  await readCable(page, 'L261121001')
  await lotOf(cable(page)).fill('')
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(readingLine(page)).toHaveText('Falta: lote · Cabo')
  await expect(lotOf(cable(page))).toBeFocused()
})

test('lote recusado, lote novo: na junção', async ({ page, panel, tolerate }) => {
  tolerate(/422/)
  await logInAt(page, details('J01'))
  await fillJunction(page, 30, sampleBlockedLot)
  await register(page).click()
  await expect(readingLine(page)).toHaveText('Lote bloqueado: leia outro lote da junção')
  await expect(lotOf(form(page))).toBeFocused()
  await scan(page, NEW_LOT)
  await expect(readingLine(page)).toHaveText(`${REPLACED} · Junção`)
  await registered(page, 'Apontamento de junção registrado com sucesso!', () => register(page).click())
  expect(lotsAtServer(panel)).toEqual([{ part: 'juncao', lot: NEW_LOT }])
})

test('lote recusado, lote novo: numa correção', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  await logInAt(page, details('J01'))
  await leaveRefused(page)
  await page.getByRole('button', { name: 'Corrigir e reenviar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Corrigir e reenviar' })
  await expect(dialog.getByLabel('Lote')).toBeFocused()
  expect(await selected(page)).toBe(sampleBlockedLot)
  await scan(page, NEW_LOT)
  await expect(dialog.getByLabel('Lote')).toHaveValue(NEW_LOT)
  await dialog.getByRole('button', { name: 'Reenviar' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
  expect(lotsAtServer(panel).map(({ lot }) => lot)).toContain(NEW_LOT)
})

test('recusado depois de salvo: o autor é avisado em qualquer tela, e "Corrigir" leva ao lote', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await watchSounds(page)
  await readCable(page, sampleBlockedLot)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  await heard(page)
  await page.context().setOffline(false)
  const notice = toast(page).getByRole('alert').filter({ hasText: 'foi recusado' })
  await expect(notice).toContainText('Cabo · 120 peças · item 000010 foi recusado: Lote bloqueado.')
  expect(await heard(page), 'a bad sound').not.toEqual([])
  await expect(badge(page)).toHaveText('1 exige ação')
  await expect(badge(page)).toHaveAccessibleName('Pendências: 1 exige ação')
  await picture(page, 'recusado-depois')
  await page.goto('/pages/dashboard')
  await expect(badge(page)).toHaveText('1 exige ação')
  // what is refused has been read here too
  await page.waitForLoadState('networkidle')
  await expect(notice, 'once on each device').toBeHidden()
  // before the page reads it: one that is left may still write it
  await page.addInitScript("localStorage.removeItem('recusas-ditas')")
  await page.reload()
  await notice.getByRole('button', { name: 'Corrigir' }).click()
  const dialog = page.getByRole('dialog', { name: 'Corrigir e reenviar' })
  await expect(dialog.getByLabel('Lote')).toBeFocused()
  await expect(notice).toBeHidden()
  await scan(page, NEW_LOT)
  await dialog.getByRole('button', { name: 'Reenviar' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Nada pendente', { exact: true })).toBeVisible()
  await expect(badge(page)).toBeHidden()
  expect(lotsAtServer(panel).map(({ lot }) => lot)).toContain(NEW_LOT)
})
