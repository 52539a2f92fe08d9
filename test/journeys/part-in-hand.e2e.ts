import type { Page } from '@playwright/test'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import { cable, fillSide1, RECORD, readMachine, SUCCESS } from '../support/journeys/cable.ts'
import { holdDeferred } from '../support/journeys/frames.ts'
import {
  expect,
  expectAccessible,
  HAND_MS,
  openItemOfOrder,
  pick,
  scan,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'

/** Touched by fingers. */
test.use({ hasTouch: true, isMobile: true })

const sizes = [
  { width: 1280, height: 800 },
  { width: 1366, height: 768 },
  { width: 800, height: 1280 },
]

const rail = (page: Page) => page.getByRole('navigation', { name: 'Partes do item' })
const register = (page: Page) => page.getByRole('button', { name: /^Registrar / })

for (const size of sizes) {
  const name = `${size.width}×${size.height}`
  test.describe(name, () => {
    test.use({ viewport: size })

    test(`em ${name} só a parte em mãos está aberta, e o seu Registrar está sempre à vista`, async ({ page }) => {
      await openItemOfOrder(page)
      await expect(register(page)).toHaveAccessibleName('Registrar cabo')
      await expect(rail(page).getByRole('button', { name: /^Cabo/ })).toHaveAttribute('aria-current', 'step')
      await cable(page).getByLabel('Lote').fill('L261121001')
      await expect(rail(page).getByRole('button', { name: /^Cabo/ })).toContainText('falta máquina')
      for (const [part, title] of [
        ['Lado 1', 'Terminal Lado 1'],
        ['Lado 2', 'Terminal Lado 2'],
      ] as const) {
        await rail(page)
          .getByRole('button', { name: new RegExp(`^${part}`) })
          .tap()
        await expect(section(page, title).getByLabel('Lote')).toBeFocused()
        await expect(section(page, title).getByLabel('Lote'), 'no keyboard comes over it').toHaveAttribute(
          'inputmode',
          'none',
        )
        await expect(cable(page)).toBeHidden()
        await expect(register(page)).toHaveAccessibleName(`Registrar ${part.toLowerCase()}`)
        await expect(register(page)).toBeInViewport({ ratio: 1 })
        expect((await register(page).boundingBox())?.height).toBeGreaterThanOrEqual(72)
      }
      await expectAccessible(page)
      await rail(page).getByRole('button', { name: /^Cabo/ }).tap()
      await expect(cable(page).getByLabel('Lote'), 'what was typed is still there').toHaveValue('L261121001')
      await pick(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo', /KX0001/)
      await register(page).tap()
      await expect(toast(page)).toContainText(SUCCESS)
      await expect(section(page, 'Terminal Lado 1').getByLabel('Lote'), 'the next part is in hand').toBeFocused()
      await scan(page, 'B23-004517/2')
      await expect(section(page, 'Terminal Lado 1').getByLabel('Lote')).toHaveValue('B23-004517/2')
      await fillSide1(page)
      await expect(rail(page).getByRole('button', { name: /^Lado 1/ })).toContainText('registrar')
      await register(page).tap()
      await expect(section(page, 'Terminal Lado 2').getByLabel('Lote')).toBeFocused()
    })
  })
}

test.describe('última tecla', () => {
  test.use({ viewport: { width: 1280, height: 800 } })

  test('uma leitura que leva a outra parte não traz de volta o que a última tecla tirou', async ({ page }) => {
    await openItemOfOrder(page)
    await expect(cable(page).getByLabel('Lote')).toBeFocused()
    const quantity = page.locator('[data-part=cabo]').getByLabel('Quantidade de peças')
    await quantity.tap()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('130', { delay: HAND_MS })
    await expect(quantity).toHaveValue('130')
    const drawDeferred = await holdDeferred(page)
    await page.keyboard.press('Backspace')
    await scan(page, 'MIC-ALT-01')
    await expect(cable(page)).toBeHidden()
    await expect(toast(page)).toContainText('Antes de medir, informe')
    await expect(quantity, 'as it is, before the deferred drawing').toHaveValue('13')
    await drawDeferred()
    await rail(page).getByRole('button', { name: /^Cabo/ }).tap()
    await expect(quantity).toHaveValue('13')
  })
})

test.describe('recusa', () => {
  test.use({ viewport: { width: 1280, height: 800 } })

  test('uma recusa traz de volta às mãos a etapa recusada, e a leitura seguinte troca o seu lote', async ({
    page,
    tolerate,
  }) => {
    tolerate(/422/)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(RECORD, async (route) => {
      await released
      await route.continue()
    })
    await openItemOfOrder(page)
    await expect(cable(page).getByLabel('Lote')).toBeFocused()
    await scan(page, sampleBlockedLot)
    await readMachine(page, 'KX0001', 'Cabo')
    await register(page).tap()
    await expect(section(page, 'Terminal Lado 1').getByLabel('Lote')).toBeFocused()
    release()
    await expect(cable(page).getByLabel('Lote')).toBeFocused()
    await expect(rail(page).getByRole('button', { name: /^Cabo/ })).toContainText('recusado')
    await expect(register(page)).toHaveAccessibleName('Registrar cabo')
    await scan(page, 'L261122051')
    await expect(cable(page).getByLabel('Lote')).toHaveValue('L261122051')
  })
})

/** What the search and the item say of each item, with this engraving and so much of it done. */
async function answerWith(page: Page, engraving: string, isDone: boolean): Promise<void> {
  await page.route('**/api/apontamentos/itens**', async (route) => {
    const response = await route.fetch()
    const text = (await response.text()).replace(/"Z1_GRAVA":"[^"]*"/g, `"Z1_GRAVA":"${engraving}"`)
    const done = text.replace(/("Z1_QTREG(?:CO|L1|L2)"):\d+/g, '$1:9999')
    await route.fulfill({ response, body: isDone ? done : text })
  })
}

const headHeights = async (page: Page) => ({
  item: (await section(page, 'Item').boundingBox())?.height,
  all: (await section(page, 'Item').locator('..').boundingBox())?.height,
})

for (const [how, pointer, viewport] of [
  ['1280 px sob o dedo', { hasTouch: true, isMobile: true }, { width: 1280, height: 800 }],
  ['1280 px com o mouse', { hasTouch: false, isMobile: false }, { width: 1280, height: 800 }],
  ['800 px sob o dedo', { hasTouch: true, isMobile: true }, { width: 800, height: 1280 }],
] as const) {
  test.describe(how, () => {
    test.use({ ...pointer, viewport })

    test(`em ${how} o alto do item tem uma só altura, com qualquer gravação e andamento`, async ({ page }) => {
      const heights = []
      for (const [engraving, isDone] of [
        ['', false],
        ['C105', false],
        ['ALIMENTACAO 12V-B+ 1', true],
      ] as const) {
        await answerWith(page, engraving, isDone)
        await openItemOfOrder(page)
        await expect(section(page, 'Item')).toContainText(isDone ? '100%' : '0%')
        await expect(section(page, 'Item')).toContainText(engraving)
        heights.push(await headHeights(page))
        // what is still on its way is answered before
        await page.unrouteAll({ behavior: 'wait' })
      }
      const [first] = heights
      expect(heights).toEqual([first, first, first])
      expect(first?.item).toBe(64)
    })
  })
}
