import type { Page } from '@playwright/test'
import { callDialog, fillSide1, MEASURE } from '../support/journeys/cable.ts'
import { expect, openItemOfOrder, queryPanel, section, test, toast } from '../support/journeys/journey.ts'
import { dialogOf, fillMeasuring, forces, heights, openMeasuring, samplesAt } from '../support/journeys/measuring.ts'
import { STEP_MS } from '../support/slowness.ts'

/** Readings typed into 'Medir' stay there until they are on disk, whatever happens in between. */

const fullDevice = `window.begun = IDBDatabase.prototype.transaction
IDBDatabase.prototype.transaction = () => {
  throw new DOMException('full', 'QuotaExceededError')
}; null`

/** The queue's database takes no write until `window.free` is set: a slow tablet. */
const slowDevice = `new Promise((resolve) => {
  indexedDB.open('fila-de-apontamentos').onsuccess = ({ target }) => {
    const store = target.result.transaction('waiting', 'readwrite').objectStore('waiting')
    const hold = () => {
      if (!window.free) store.count().onsuccess = hold
      resolve(null)
    }
    hold()
  }
})`

async function expectTyped(page: Page, height: string, force: string): Promise<void> {
  for (const nth of [1, 2, 3]) {
    await expect(heights(dialogOf(page)).getByLabel(`Leitura ${nth}`)).toHaveValue(height)
    await expect(forces(dialogOf(page)).getByLabel(`Leitura ${nth}`)).toHaveValue(force)
  }
}

const save = (page: Page) => dialogOf(page).getByRole('button', { name: 'Salvar medição', exact: true })

test('num dispositivo cheio as leituras ficam nas caixas, e com lugar de novo são salvas uma vez', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/Apontamento não guardado|Fila do dispositivo|(Documentos|Pesquisas) deste dispositivo/)
  await openItemOfOrder(page)
  await fillSide1(page)
  await fillMeasuring(page, '1,105', '92')
  await page.evaluate(fullDevice)
  await save(page).click()
  await expect(toast(page)).toContainText('Não foi possível guardar a medição neste dispositivo.')
  await expectTyped(page, '1,105', '92')
  await page.evaluate('IDBDatabase.prototype.transaction = window.begun; null')
  // a press within a second of the one before is taken for a bouncing finger
  await expect(async () => {
    if (await save(page).isVisible()) await save(page).click({ timeout: STEP_MS })
    await expect(dialogOf(page)).toBeHidden({ timeout: STEP_MS })
  }).toPass()
  await expect
    .poll(() => samplesAt(panel).map(({ readings }) => readings))
    .toEqual(['[1105,1105,1105]', '[92000,92000,92000]'])
  await openMeasuring(page)
  await expectTyped(page, '', '')
})

test('um segundo toque enquanto o dispositivo guarda não salva uma segunda medição', async ({ page, panel }) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  await fillMeasuring(page, '1,105', '92')
  await page.evaluate(slowDevice)
  await save(page).click()
  await save(page).click()
  await expectTyped(page, '1,105', '92')
  await page.evaluate('window.free = true')
  await expect(dialogOf(page)).toBeHidden()
  await expect(toast(page)).toContainText('Medição salva')
  expect(samplesAt(panel)).toHaveLength(2)
})

test('o servidor recusa a medição: as leituras voltam à janela, e não por cima de outras', async ({
  page,
  panel,
  tolerate,
}) => {
  tolerate(/422/)
  await page.route(MEASURE, (route) =>
    route.fulfill({ status: 422, json: { message: 'Terminal bloqueado', code: 'invalid_input' } }),
  )
  await openItemOfOrder(page)
  await fillSide1(page)
  await fillMeasuring(page, '1,105', '92')
  await save(page).click()
  await expect(toast(page)).toContainText('Terminal bloqueado')
  await openMeasuring(page)
  await expectTyped(page, '1,105', '92')

  const refused = Promise.withResolvers<void>()
  await page.route(MEASURE, async (route) => {
    await refused.promise
    await route.fallback()
  })
  await heights(dialogOf(page)).getByLabel('Leitura 1').fill('1,111')
  await save(page).click()
  await expect(dialogOf(page)).toBeHidden()
  await openMeasuring(page)
  await expectTyped(page, '', '')
  await heights(dialogOf(page)).getByLabel('Leitura 1').fill('1,122')
  refused.resolve()
  await expect(toast(page).getByText('Terminal bloqueado').last()).toBeVisible()
  await expect(heights(dialogOf(page)).getByLabel('Leitura 1')).toHaveValue('1,122')
  expect(samplesAt(panel)).toEqual([])
})

test('o plano chega depois das primeiras leituras: o digitado fica nas primeiras caixas', async ({ page }) => {
  const late = Promise.withResolvers<void>()
  await page.route('**/do-item/**', async (route) => {
    await late.promise
    await route.continue()
  })
  await openItemOfOrder(page)
  await fillSide1(page)
  const dialog = await openMeasuring(page)
  await heights(dialog).getByLabel('Leitura 1').fill('1,105')
  await forces(dialog).getByLabel('Leitura 1').fill('92')
  late.resolve()
  await expect(heights(dialog).getByLabel(/^Leitura \d/)).toHaveCount(3)
  await expect(heights(dialog).getByLabel('Leitura 1')).toHaveValue('1,105')
  await expect(heights(dialog).getByLabel('Leitura 2')).toHaveValue('')
  await expect(forces(dialog).getByLabel('Leitura 1')).toHaveValue('92')
  await page.reload()
  await openMeasuring(page)
  await expect(heights(dialog).getByLabel('Leitura 1')).toHaveValue('1,105')
})

test('a qualidade chamada antes de o dispositivo guardar a medição sabe de qual se trata', async ({ page, panel }) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  const dialog = await fillMeasuring(page, '1,17', '92')
  await dialog.getByText('Parei e chamei a manutenção').click()
  await page.evaluate(slowDevice)
  await dialog.getByRole('button', { name: 'Salvar medição fora' }).click()
  await callDialog(page).getByText('Qualidade', { exact: true }).click()
  await callDialog(page).getByRole('button', { name: 'Medição fora' }).click()
  await expect(callDialog(page)).toBeHidden()
  await page.evaluate('window.free = true')
  await expect(toast(page).getByText(/Chamado \d+ aberto: Qualidade\./)).toBeVisible()
  await expect(section(page, 'Terminal Lado 1')).not.toContainText('não foi chamada')
  const calls = queryPanel<{ act: string | null }>(
    panel,
    "select act_id as act from maintenance_calls where id not like '00000000-0000-4000-8000-%'",
  )
  expect(calls.map(({ act }) => act)).toEqual([samplesAt(panel)[0]?.act])
})
