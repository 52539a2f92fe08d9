import { LAST_RECEIPT_HEADER } from '../../src/contract/endpoint.ts'
import {
  callMaintenance,
  callsAtServer,
  fillCable,
  fillSide1,
  measureSide1,
  piecesAtServer,
  registerPieces,
} from '../support/journeys/cable.ts'
import { expect, openItemOfOrder, queryPanel, test } from '../support/journeys/journey.ts'
import { samplesAt } from '../support/journeys/measuring.ts'

test('quem mede, chama a manutenção, aponta e recarrega a página dez vezes não faz o banco voltar no tempo', async ({
  page,
  panel,
}) => {
  await openItemOfOrder(page)
  const reload = async (times: number) => {
    for (let time = 0; time < times; time++) {
      const validated = page.waitForResponse((response) => response.url().endsWith('/api/auth/validate'))
      await page.reload()
      const answer = await validated
      expect(answer.request().headers()[LAST_RECEIPT_HEADER], 'names what it was answered last').toBeTruthy()
      expect(answer.status()).toBe(200)
    }
  }
  await fillSide1(page)
  await measureSide1(page, '1,1', '75')
  await expect.poll(() => samplesAt(panel).length).toBe(2)
  await reload(4)
  await callMaintenance(page, 'lado 1', 'Máquina parada')
  await expect.poll(() => callsAtServer(panel).length).toBe(1)
  await reload(3)
  await fillCable(page)
  await registerPieces(page, 2)
  await expect.poll(() => piecesAtServer(panel)).toEqual([2])
  await reload(3)
  expect(queryPanel(panel, "select id from audit_entries where action = 'epoch_begun'")).toEqual([])
  expect(queryPanel(panel, 'select * from epoch_witnesses'), 'nobody has even doubted').toEqual([])
})
