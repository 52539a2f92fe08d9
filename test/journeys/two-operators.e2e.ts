import type { Page } from '@playwright/test'
import { PARKED_MESSAGE } from '../../src/contract/recordings.ts'
import {
  badge,
  cable,
  fillCable,
  LATE_REFUSAL,
  NO_NETWORK,
  piecesAtErp,
  SAVED_HERE,
  SENT_HERE,
  SUCCESS,
} from '../support/journeys/cable.ts'
import {
  expect,
  logIn,
  ORDER,
  openItem,
  PIECES,
  queryPanel,
  readingLine,
  searchFor,
  test,
  toast,
} from '../support/journeys/journey.ts'

async function prepare(page: Page, username: string, pieces: number): Promise<void> {
  await logIn(page, username)
  await searchFor(page, ORDER)
  await openItem(page)
  await fillCable(page)
  await cable(page).getByLabel('Quantidade de peças').fill(String(pieces))
}

const press = (page: Page) => page.getByRole('button', { name: 'Registrar cabo' }).click()

test('dois operadores ao mesmo tempo nas últimas peças: um consegue, o outro lê quanto resta', async ({
  page,
  browser,
  baseURL,
  panel,
  tolerate,
}) => {
  tolerate(/status of 409/)
  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await prepare(page, 'operador', 80)
  await prepare(other, 'admin', 80)
  await Promise.all([press(page), press(other)])
  await expect(toast(page)).toContainText(/sucesso|Restam 40 peças/)
  await expect(toast(other)).toContainText(/sucesso|Restam 40 peças/)
  const said = await Promise.all([page, other].map((one) => toast(one).textContent()))
  expect(said.filter((text) => text?.includes(SUCCESS))).toHaveLength(1)
  for (const one of [page, other]) await expect(badge(one)).toBeHidden()
  expect(queryPanel(panel, 'select pieces from recordings')).toEqual([{ pieces: 80 }])
  expect(await piecesAtErp(panel)).toBe(80)
  await other.context().close()
})

test('os dois sem rede: o que passa do pedido vai para Pendências e nada se perde', async ({
  page,
  browser,
  baseURL,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  tolerate(LATE_REFUSAL)
  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await prepare(page, 'operador', 80)
  await prepare(other, 'admin', 80)
  for (const one of [page, other]) {
    await one.context().setOffline(true)
    await press(one)
    await expect(readingLine(one)).toContainText(SAVED_HERE)
  }
  await other.context().setOffline(false)
  await expect(readingLine(other)).toContainText(SENT_HERE)
  await expect.poll(() => piecesAtErp(panel)).toBe(80)
  await page.context().setOffline(false)
  await expect(toast(page)).toContainText(PARKED_MESSAGE)
  await expect(badge(page)).toHaveAccessibleName('Pendências: 1 exige ação')
  const states = 'select r.pieces, r.state, u.username from recordings r join users u on u.id = r.user_id order by 2'
  await expect
    .poll(() => queryPanel(panel, states))
    .toEqual([
      { pieces: 80, state: 'delivered', username: 'admin' },
      { pieces: 80, state: 'parked', username: 'operador' },
    ])
  expect(await piecesAtErp(panel)).toBeLessThanOrEqual(PIECES)
  await other.context().close()
})
