import type { Page } from '@playwright/test'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import { badge, cable, NO_NETWORK, piecesAtErp, readMachine, SAVED_HERE, SUCCESS } from '../support/journeys/cable.ts'
import { details, fillJunction, form, logInAt, register } from '../support/journeys/joining.ts'
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
import type { Panel } from '../support/panel.ts'
import { STEP_MS } from '../support/slowness.ts'

/** Refused after its author had seen it as saved: the form of that part says so, and its 'Registrar' takes the place of what was refused. */

const NEW_LOT = 'L261122051'
const BLOCKED = 'Lote bloqueado: leia outro lote do cabo'
const REPLACED = `Lote trocado (antes ${sampleBlockedLot})`

const lotOf = (part: ReturnType<typeof section>) => part.getByLabel('Lote')
const side1 = (page: Page) => section(page, 'Terminal Lado 1')
const registerCable = (page: Page) => page.getByRole('button', { name: 'Registrar cabo' })

const atServer = (panel: Panel) =>
  queryPanel<{ lot: string; state: string }>(panel, 'select lot, state from recordings order by received_at, rowid')
const replacedOnce = [
  { lot: sampleBlockedLot, state: 'superseded' },
  { lot: NEW_LOT, state: 'delivered' },
]

/** A press within a second of the one before is taken for a finger that bounces. */
const registered = (page: Page, success: string, press: () => Promise<void>, at = toast) =>
  expect(async () => {
    await press()
    await expect(at(page)).toContainText(success, { timeout: STEP_MS })
  }).toPass()

/** The cable is saved without network, with the lot that the ERP will refuse. */
async function saveBlocked(page: Page): Promise<void> {
  await openItemOfOrder(page)
  await expect(lotOf(cable(page))).toBeFocused()
  await scan(page, sampleBlockedLot)
  await readMachine(page, 'KX0001', 'Cabo')
  await page.context().setOffline(true)
  await registerCable(page).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
}

/** One reading and one tap. */
async function readNewReel(page: Page): Promise<void> {
  await expect(lotOf(cable(page))).toBeFocused()
  await expect(lotOf(cable(page))).toHaveValue(sampleBlockedLot)
  await expect(lotOf(cable(page))).toHaveAccessibleDescription('Lote bloqueado')
  await scan(page, NEW_LOT)
  await expect(readingLine(page)).toHaveText(`${REPLACED} · Cabo`)
}

test('recusado com outra parte na mão: o cursor volta ao lote, e "Registrar" toma o lugar do recusado', {
  tag: '@quick',
}, async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  await saveBlocked(page)
  await expect(lotOf(side1(page))).toBeFocused()
  await page.context().setOffline(false)
  await expect(readingLine(page)).toHaveText(BLOCKED)
  await expect(page.getByText('no lugar do recusado (120 peças)')).toBeVisible()
  await picture(page, 'item-recusado-depois')
  await readNewReel(page)
  await registered(page, SUCCESS, () => registerCable(page).click())
  await expect(badge(page)).toBeHidden()
  await expect(page.getByText('no lugar do recusado')).toBeHidden()
  await expect(lotOf(side1(page))).toBeFocused()
  expect(atServer(panel)).toEqual(replacedOnce)
  expect(await piecesAtErp(panel)).toBe(120)
})

test('recusado depois de sair do formulário: ao voltar, a parte diz a recusa com o que foi registrado', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await saveBlocked(page)
  await page.keyboard.press('Escape')
  await page.context().setOffline(false)
  await expect(badge(page)).toHaveText('1 exige ação')
  await page.reload()
  await openItemOfOrder(page)
  await expect(readingLine(page)).toHaveText(BLOCKED)
  await expect(cable(page).getByLabel('Máquina', { exact: true })).toHaveValue(/^KX0001/)
  await readNewReel(page)
  await registered(page, SUCCESS, () => registerCable(page).click())
  await expect(badge(page)).toBeHidden()
  expect(atServer(panel)).toEqual(replacedOnce)
  expect(await piecesAtErp(panel)).toBe(120)
})

test('sem rede outra vez: o que fica salvo toma o lugar do recusado quando chega', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await saveBlocked(page)
  await page.context().setOffline(false)
  await expect(readingLine(page)).toHaveText(BLOCKED)
  await readNewReel(page)
  await page.context().setOffline(true)
  await registered(page, SAVED_HERE, () => registerCable(page).click(), readingLine)
  await expect(page.getByText('no lugar do recusado')).toBeHidden()
  await page.context().setOffline(false)
  await expect.poll(() => atServer(panel)).toEqual(replacedOnce)
  await expect(badge(page)).toBeHidden()
  expect(await piecesAtErp(panel)).toBe(120)
})

test('o que toma o lugar é recusado também: a parte diz a nova recusa, e há um só apontamento', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await saveBlocked(page)
  await page.context().setOffline(false)
  await expect(readingLine(page)).toHaveText(BLOCKED)
  await expect(async () => {
    await registerCable(page).click()
    await expect.poll(() => atServer(panel).length, { timeout: STEP_MS }).toBe(2)
  }).toPass()
  await expect(readingLine(page)).toHaveText(BLOCKED)
  await readNewReel(page)
  await registered(page, SUCCESS, () => registerCable(page).click())
  await expect.poll(() => atServer(panel).map(({ state }) => state)).toEqual(['superseded', 'superseded', 'delivered'])
  expect(await piecesAtErp(panel)).toBe(120)
})

test('recusado depois de salvo, lote novo: na junção', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  await logInAt(page, details('J01'))
  await fillJunction(page, 30, sampleBlockedLot)
  await page.context().setOffline(true)
  await register(page).click()
  await expect(readingLine(page)).toContainText(SAVED_HERE)
  await page.context().setOffline(false)
  await expect(readingLine(page)).toHaveText('Lote bloqueado: leia outro lote da junção')
  await expect(lotOf(form(page))).toBeFocused()
  await expect(lotOf(form(page))).toHaveAccessibleDescription('Lote bloqueado')
  await expect(form(page).getByLabel('Quantidade de peças')).toHaveValue('30')
  await scan(page, NEW_LOT)
  await expect(readingLine(page)).toHaveText(`${REPLACED} · Junção`)
  await registered(page, 'Apontamento de junção registrado com sucesso!', () => register(page).click())
  await expect(badge(page)).toBeHidden()
  expect(atServer(panel)).toEqual(replacedOnce)
})
