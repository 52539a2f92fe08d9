import type { Page, Request } from '@playwright/test'
import type { CutItem } from '../../src/contract/items.ts'
import { BARCODE, expect, test } from '../support/journeys/journey.ts'
import { box, openCheck, RECEIPTS } from '../support/journeys/receiving.ts'
import { type Keyboard, keyboardOf, type Random, randomFrom } from '../support/journeys/scanning.ts'
import { sizeOf } from '../support/promises/sizes.ts'
import { limitMs } from '../support/slowness.ts'

const SCANS = sizeOf('scans').count
const LONG_ORDER = '01622001001'

async function scanRoughly(keyboard: Keyboard, random: Random, code: string): Promise<void> {
  const slowest = random.pick([2, 5, 10, 20, 50])
  const gap = () => random.between(2, slowest)
  const suffix = random.pick([[], ['Enter'], ['Tab'], ['Enter']])
  const burst = [...code, ...suffix]
  await keyboard.type(burst, gap, 120)
  // A trigger held a little too long.
  if (random.chance(0.25)) await keyboard.type(burst, gap, random.between(0, 400))
}

const byHand = (random: Random) => () => random.between(80, 250)

/** Where the cursor happens to be, and what a hand has typed there. */
async function disturb(page: Page, keyboard: Keyboard, random: Random): Promise<void> {
  const where = random.pick(['box', 'box', 'typed', 'nowhere', 'button', 'row'])
  if (where === 'nowhere') await page.evaluate('document.activeElement.blur()')
  else if (where === 'button') await page.getByRole('button', { name: 'Pesquisar' }).focus()
  else if (where === 'row') await page.getByRole('region', { name: 'Itens' }).focus()
  else await box(page).focus()
  if (where === 'typed') await keyboard.type([...'0101'].slice(0, random.between(1, 4)), byHand(random), 120)
}

const dialogText = `document.querySelector('[role=alertdialog]')?.textContent ?? ''`

/** In the page itself: asking from here each time would take longer than the scan. */
const untilDialog = (page: Page, condition: string) =>
  page.evaluate(`new Promise((resolve, reject) => {
    const giveUpAt = performance.now() + 20000
    const look = () => {
      const text = ${dialogText}
      if (${condition}) resolve(text)
      else if (performance.now() > giveUpAt) reject(new Error('${condition.replaceAll("'", '')}: ' + text))
      else setTimeout(look, 5)
    }
    look()
  })`)
/** Nobody reads a question and answers it faster than this. */
const READING_MS = 150
const press = (page: Page, text: 'Sim' | 'Não') =>
  page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${READING_MS})).then(() =>
    [...document.querySelectorAll('[role=alertdialog] button')].find((button) => button.textContent === '${text}').click())`)

const untilAlert = (page: Page, words: string) =>
  expect(page.getByRole('alert').filter({ hasText: words }).first()).toBeVisible()

/** Labels of another order; each in turn, as the same one within 2 s would be the same scan. */
const others = [
  [BARCODE, '000010'],
  ['010162140100100002000S', '000020'],
] as const

/** Read with the cursor anywhere: it is answered, and nothing is asked. */
async function readElsewhere(page: Page, keyboard: Keyboard, random: Random, turn: number): Promise<void> {
  const [code, item] = others[turn % others.length] as (typeof others)[number]
  await scanRoughly(keyboard, random, code)
  await untilAlert(page, 'Código de barras não encontrado na lista de itens')
  await expect(page.getByText(`É da OP 01621401001, item ${item}`)).toBeVisible()
  expect(await page.getByRole('alertdialog').count()).toBe(0)
}

test(`${SCANS} leituras, entre recusas: nenhuma sem resposta, nenhuma em dobro, nenhuma confirmada sem ser vista, nenhuma no campo errado`, {
  tag: '@promise',
}, async ({ page, tolerate }) => {
  tolerate(/422/)
  test.setTimeout(limitMs(900_000))
  const random = randomFrom(20261121)
  await openCheck(page, LONG_ORDER)
  const confirmed: string[] = []
  let isRefused = false
  let elsewhere = 0
  await page.route(RECEIPTS, (route) =>
    isRefused
      ? route.fulfill({ status: 422, json: { message: 'Item bloqueado no ERP', code: 'erp_refused' } })
      : route.continue(),
  )
  page.on('request', (request: Request) => {
    if (request.url().endsWith('/recebimentos')) confirmed.push(String(request.postDataJSON().codigoBarras))
  })
  const { itens } = (await page.evaluate('window.conferenciaCorteCache.show()')) as { itens: CutItem[] }
  expect(itens).toHaveLength(250)
  // A key that belongs to a scan submits no form and presses no button.
  await page.evaluate(`window.strays = []
    document.addEventListener('submit', () => window.strays.push('submit'), true)
    document.addEventListener('click', ({ target }) => {
      const button = target.closest('button')
      if (button && !button.closest('[role=alertdialog]')) window.strays.push(button.textContent)
    }, true)`)
  const keyboard = keyboardOf(await page.context().newCDPSession(page))
  const seen: string[] = []
  for (let scan = 0; scan < SCANS; scan++) {
    // Each code once around the list: the same one within 2 s would be the same scan.
    const item = itens[(scan * 7) % itens.length]
    if (!item) throw new Error('The list is empty')
    await disturb(page, keyboard, random)
    await scanRoughly(keyboard, random, item.Z1_CODBAR)
    await untilDialog(page, `text.includes('Item ${item.Z1_ITEMEST} ') && text.includes('${item.Z1_CODBAR}')`)
    if (random.chance(0.15)) {
      const other = itens[(scan * 7 + 3) % itens.length]?.Z1_CODBAR ?? ''
      await scanRoughly(keyboard, random, other)
      await untilDialog(page, `text.includes('Item ${item.Z1_ITEMEST} ') && text.includes('${other}')`)
    }
    expect(confirmed.length, `nothing is confirmed before scan ${scan} is answered`).toBe(seen.length)
    const isYes = random.chance(0.3)
    isRefused = isYes && random.chance(0.3)
    if (isYes) seen.push(item.Z1_CODBAR)
    await press(page, isYes ? 'Sim' : 'Não')
    await untilDialog(page, `text === ''`)
    await expect.poll(() => confirmed.length).toBe(seen.length)
    if (isRefused) await untilAlert(page, 'Item bloqueado no ERP')
    if (random.chance(0.1)) await readElsewhere(page, keyboard, random, elsewhere++)
    await expect(page.getByLabel('Ordem de produção'), 'no reading is left in a box').toHaveValue(LONG_ORDER)
  }
  expect(confirmed).toEqual(seen)
  expect(seen.length).toBeGreaterThan(SCANS / 5)
  expect(await page.evaluate('window.strays')).toEqual([])
})
