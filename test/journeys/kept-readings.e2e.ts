import { callDialog, fillSide1 } from '../support/journeys/cable.ts'
import { expect, openItemOfOrder, queryPanel, section, test, toast } from '../support/journeys/journey.ts'
import { fillMeasuring, samplesAt } from '../support/journeys/measuring.ts'

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
