import type { CDPSession, Page, Request } from '@playwright/test'
import type { CutItem } from '../../src/contract/items.ts'
import { BARCODE, expect, openItemOfOrder, section, test } from '../support/journeys/journey.ts'
import { box, openCheck } from '../support/journeys/receiving.ts'
import { heard, watchSounds } from '../support/journeys/sounds.ts'
import { sizeOf } from '../support/promises/sizes.ts'

const SCANS = sizeOf('scans').count
const LONG_ORDER = '01622001001'

/** Mulberry32: the same run for the same seed. */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    between,
    chance: (share: number) => next() < share,
    pick: <Of>(of: readonly Of[]) => of[between(0, of.length - 1)] as Of,
  }
}
type Random = ReturnType<typeof randomFrom>

/**
 * A keyboard with a clock of its own, which goes by the real one only between bursts: a test machine that stops to think
 * in the middle of one makes no hand of a scanner.
 */
function keyboardOf(devTools: CDPSession) {
  let atSeconds = 0
  const press = (key: string, gapMs: number) => {
    atSeconds += gapMs / 1000
    const code = key === 'Enter' ? 13 : key === 'Tab' ? 9 : key.charCodeAt(0)
    const common = { key, windowsVirtualKeyCode: code, timestamp: atSeconds }
    const text = key === 'Tab' ? {} : { text: key === 'Enter' ? '\r' : key }
    return [
      devTools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...common, ...text }),
      devTools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }),
    ]
  }
  /** `gapMs` before each key, `beforeMs` before the first one. */
  const type = async (keys: readonly string[], gapMs: () => number, beforeMs: number) => {
    atSeconds = Math.max(atSeconds, Date.now() / 1000) + beforeMs / 1000
    await Promise.all(keys.flatMap((key, index) => press(key, index === 0 ? 0 : gapMs())))
  }
  return { type }
}
type Keyboard = ReturnType<typeof keyboardOf>

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

test(`${SCANS} leituras: nenhuma sem resposta, nenhuma em dobro, nenhuma confirmada sem ser vista`, {
  tag: '@promise',
}, async ({ page }) => {
  test.setTimeout(900_000)
  const random = randomFrom(20261121)
  await openCheck(page, LONG_ORDER)
  const confirmed: string[] = []
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
    if (isYes) seen.push(item.Z1_CODBAR)
    await press(page, isYes ? 'Sim' : 'Não')
    await untilDialog(page, `text === ''`)
    await expect.poll(() => confirmed.length).toBe(seen.length)
  }
  expect(confirmed).toEqual(seen)
  expect(seen.length).toBeGreaterThan(SCANS / 5)
  expect(await page.evaluate('window.strays')).toEqual([])
})

/** Where a label may find the cursor in the form of an item. */
const formPlaces = ['Lote', 'Força', 'Altura', 'Quantidade', 'Máquina', 'button', 'nowhere'] as const

async function goInForm(page: Page, random: Random): Promise<(typeof formPlaces)[number]> {
  const where = random.pick(formPlaces)
  const terminal = section(page, 'Terminal Lado 1')
  if (where === 'nowhere') await page.evaluate('document.activeElement.blur()')
  else if (where === 'button') await page.getByRole('button', { name: 'Registrar lado 1' }).focus()
  else await terminal.getByRole('textbox', { name: new RegExp(`^${where}`) }).focus()
  return where
}

/** All that stands in the fields of the form, by section and label; the lots apart. */
const filledIn = (page: Page) =>
  page.evaluate<{ lots: string[]; others: string[] }>(`(() => {
    const lots = [], others = []
    for (const box of document.querySelectorAll('[data-part] input')) {
      const label = box.labels[0].textContent.trim()
      if (label.startsWith('Lote')) lots.push(box.value)
      else others.push(label + '=' + box.value)
    }
    return { lots, others }
  })()`)

const labels = ['PR0001', 'MA-0002', 'MA-0004', 'US0001', 'Seladora 01', 'T1326030', 'PIC-000000000', BARCODE] as const

test(`${SCANS} leituras no formulário: nenhuma muda, nenhuma aperta um botão, nenhuma no campo errado`, {
  tag: '@promise',
}, async ({ page }) => {
  test.setTimeout(900_000)
  const random = randomFrom(20261122)
  await watchSounds(page)
  await openItemOfOrder(page)
  await expect(section(page, 'Terminal Lado 2')).toBeVisible()
  await expect(page.getByRole('status', { name: 'Leitura' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.evaluate(`window.strays = []
    document.addEventListener('click', ({ target }) => {
      const button = target.closest('button')
      if (button) window.strays.push(button.textContent)
    }, true)`)
  const keyboard = keyboardOf(await page.context().newCDPSession(page))
  const fixed = (await filledIn(page)).others.filter((field) => !/^(Máquina|Mini aplicador|Seladora)/.test(field))
  const lotsSeen = new Set(['', ...(await filledIn(page)).lots])
  const badges: string[] = []
  for (let scan = 0; scan < SCANS; scan++) {
    const where = await goInForm(page, random)
    await heard(page)
    const isLot = random.chance(0.4)
    const code = isLot ? `L26${String(1_000_000 + scan).slice(1)}X` : random.pick(labels)
    if (isLot) lotsSeen.add(code)
    await keyboard.type([...code, ...random.pick([[], ['Enter'], ['Tab']])], () => random.pick([5, 20, 50]), 2200)
    if (random.chance(0.25)) await keyboard.type([...code, 'Enter'], () => 5, random.pick([5, 300]))
    await expect
      .poll(async () => (await heard(page)).length, { message: `scan ${scan}, ${code}, is heard` })
      .toBeGreaterThan(0)
    // a slow test machine hears the last keys late
    await expect(async () => {
      const { lots, others } = await filledIn(page)
      if (isLot && where === 'Lote') expect(lots, `scan ${scan} into a lot`).toContain(code)
      expect(
        lots.filter((lot) => !lotsSeen.has(lot)),
        `lots after scan ${scan}, ${code}`,
      ).toEqual([])
      expect(others, `after scan ${scan}, ${code}`).toEqual(expect.arrayContaining(fixed))
    }).toPass({ timeout: 10_000 })
    badges.push(
      ...(await page.evaluate<string[]>(`Object.values(localStorage).filter((text) => text.includes('PIC-'))`)),
    )
  }
  expect(await page.evaluate('window.strays')).toEqual([])
  expect(badges).toEqual([])
})
