import type { Page } from '@playwright/test'
import type { CutItem } from '../../src/contract/items.ts'
import {
  cable,
  expectNothingWaiting,
  fillCable,
  NO_NETWORK,
  RECORD,
  readMachine,
  SUCCESS,
  saveHere,
} from '../support/journeys/cable.ts'
import { holdDeferred, holdFrames } from '../support/journeys/frames.ts'
import {
  expect,
  HAND_MS,
  BARCODE as OF_ORDER,
  ORDER,
  openItemOfOrder,
  PIECES,
  pick,
  queryPanel,
  readingLine,
  scan,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { heights, samplesAt } from '../support/journeys/measuring.ts'
import { picture } from '../support/journeys/picture.ts'
import { LONG } from '../support/slowness.ts'

test.use({ reducedMotion: 'no-preference' })

/** With a tool on both sides; side 1 has one only, which fills itself. */
const BARCODE = '010162140100100007000M'
const TOOL_OF_SIDE_2 = 'MA-0006'
const OPENING = 'Outro item está abrindo. Espere, ou toque no formulário para ficar neste.'

/** The shift has begun: machines of cutting and of crimping are this device's last ones. */
async function workBefore(page: Page): Promise<void> {
  await openItemOfOrder(page, '000050')
  await expect(cable(page).getByLabel('Lote')).toBeFocused()
  await scan(page, 'L261121001')
  await readMachine(page, 'KX0001', 'Cabo')
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(section(page, 'Terminal Lado 1').getByLabel('Lote')).toBeFocused()
  await scan(page, 'B23-000001')
  await readMachine(page, 'PR0001', 'Lado 1')
  const applicator = section(page, 'Terminal Lado 1').getByLabel('Mini aplicador', { exact: true })
  if ((await applicator.inputValue()) === '') {
    await pick(page, 'Selecionar mini aplicador do lado 1', 'Selecionar Mini Aplicador - Terminal T0963730', /MA-/)
  }
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(section(page, 'Terminal Lado 2').getByLabel('Lote')).toBeFocused()
}

/** All presses of a finger or a hand: what a scanner types is none. */
const countTaps = (page: Page) =>
  page.evaluate(`window.taps = 0
    addEventListener('pointerdown', () => window.taps++, true)`)

type Hands = { tap: (name: string) => Promise<void>; read: (code: string) => Promise<void> }

async function recordItem(page: Page, { tap, read }: Hands): Promise<void> {
  await read(BARCODE)
  await expect(page.getByRole('heading', { name: 'Item 000070' })).toBeVisible()
  await expect(cable(page).getByLabel('Lote')).toBeFocused()
  await expect(cable(page).getByLabel('Lote')).toHaveAttribute('inputmode', 'none')
  await expect(cable(page).getByLabel('Máquina', { exact: true })).toHaveValue(/^KX0001/)
  await expect(cable(page)).toContainText('deste tablet')
  await read('L261121002')
  await expect(readingLine(page)).toHaveText('Lote: L261121002 · Cabo')
  await tap('Registrar cabo')
  for (const [part, side, lot] of [
    ['lado 1', 'Terminal Lado 1', 'B23-004517/2'],
    ['lado 2', 'Terminal Lado 2', 'B23-004518/1'],
  ] as const) {
    const terminal = section(page, side)
    await expect(terminal.getByLabel('Lote')).toBeFocused()
    await expect(terminal.getByLabel('Máquina', { exact: true })).toHaveValue(/^PR0001/)
    await read(lot)
    await expect(terminal.getByLabel('Lote')).toHaveValue(lot)
    if (part === 'lado 2') await read(TOOL_OF_SIDE_2)
    await expect(terminal.getByLabel('Mini aplicador', { exact: true })).toHaveValue(/^MA-/)
    await expect(terminal.getByText('não medido')).toHaveCount(2)
    await tap(`Registrar ${part}`)
  }
  await expect(page.getByRole('button', { name: 'Próximo item aberto: 000100' })).toBeVisible()
}

for (const network of ['com rede', 'sem rede depois de aberta a ordem'] as const) {
  test(`um item inteiro com 3 toques e 6 leituras, ${network}`, async ({ page, panel, tolerate }) => {
    tolerate(NO_NETWORK)
    await workBefore(page)
    await expect.poll(() => queryPanel(panel, 'select id from recordings')).toHaveLength(2)
    const isOffline = network !== 'com rede'
    if (isOffline) await page.context().setOffline(true)
    await countTaps(page)
    let scans = 0
    await recordItem(page, {
      tap: (name) => page.getByRole('button', { name }).click(),
      read: async (code) => {
        scans++
        await scan(page, code)
      },
    })
    expect(await page.evaluate('window.taps')).toBeLessThanOrEqual(3)
    expect(scans).toBeLessThanOrEqual(6)
    await page.context().setOffline(false)
    await expect.poll(() => queryPanel(panel, 'select id from recordings'), LONG).toHaveLength(5)
    const captures = queryPanel<{ part: string; capture_json: string }>(
      panel,
      'select part, capture_json from recordings where barcode = ? order by part',
      BARCODE,
    )
    expect(captures.map(({ part, capture_json: capture }) => [part, JSON.parse(capture).maquinaLembrada])).toEqual([
      ['cabo', true],
      ['l1', true],
      ['l2', true],
    ])
  })
}

for (const network of ['com rede', 'sem rede depois de aberto o item'] as const) {
  test(`um item com amostra nos dois lados com 5 toques, 7 leituras e 36 teclas, ${network}`, async ({
    page,
    panel,
    tolerate,
  }) => {
    tolerate(NO_NETWORK)
    await workBefore(page)
    await expect.poll(() => queryPanel(panel, 'select id from recordings')).toHaveLength(2)
    await countTaps(page)
    const count = { scans: 0, keys: 0 }
    const read = async (code: string) => {
      count.scans++
      await scan(page, code)
    }
    const press = async (...keys: string[]) => {
      for (const key of keys) {
        count.keys++
        await page.keyboard.press(key)
      }
    }
    const tap = (name: string) => page.getByRole('button', { name }).click()
    await read(BARCODE)
    await expect(page.getByRole('heading', { name: 'Item 000070' })).toBeVisible()
    await expect(cable(page).getByLabel('Lote')).toBeFocused()
    await expect(section(page, 'Terminal Lado 2')).toContainText('Falta medir: primeira peça')
    if (network !== 'com rede') await page.context().setOffline(true)
    await read('L261121002')
    await expect(readingLine(page)).toHaveText('Lote: L261121002 · Cabo')
    await tap('Registrar cabo')
    for (const part of ['lado 1', 'lado 2'] as const) {
      const terminal = section(page, `Terminal L${part.slice(1)}`)
      await expect(terminal.getByLabel('Lote')).toBeFocused()
      await read('B23-004517/2')
      await expect(terminal.getByLabel('Lote')).toHaveValue('B23-004517/2')
      if (part === 'lado 2') await read(TOOL_OF_SIDE_2)
      await expect(terminal.getByLabel('Mini aplicador', { exact: true })).toHaveValue(/^MA-/)
      await expect(terminal).toContainText('Falta medir: primeira peça')
      await tap(`Medir: ${part}`)
      const dialog = page.getByRole('dialog', { name: /^Medição - Terminal/ })
      if (part === 'lado 1') await read('MIC-ALT-01')
      await expect(heights(dialog).getByLabel('Leitura 1')).toBeFocused()
      for (const height of ['105', '101', '099']) {
        await expect(heights(dialog).getByRole('textbox').and(page.locator(':focus'))).toHaveValue('1,')
        await press(...height)
      }
      for (const force of ['92', '88', '95']) await press(...force, 'Enter')
      await expect(dialog).toBeHidden()
      await expect(toast(page).last()).toContainText(
        network === 'com rede' ? 'Medição salva: dentro do plano.' : 'Medição salva',
      )
      await tap(`Registrar ${part}`)
    }
    await expect(page.getByRole('button', { name: /Próximo item aberto/ })).toBeVisible()
    expect(await page.evaluate('window.taps')).toBeLessThanOrEqual(5)
    expect(count.scans).toBeLessThanOrEqual(7)
    expect(count.keys).toBeLessThanOrEqual(36)
    await page.context().setOffline(false)
    await expect
      .poll(() => samplesAt(panel).map(({ readings, verdict }) => [readings, verdict]), LONG)
      .toEqual([
        ['[1105,1101,1099]', 'dentro'],
        ['[92000,88000,95000]', 'dentro'],
        ['[1105,1101,1099]', 'dentro'],
        ['[92000,88000,95000]', 'dentro'],
      ])
  })
}

test('o código do item confirma, o de outro o abre, e uma máquina lida por engano pode ser o lote', async ({
  page,
}) => {
  await openItemOfOrder(page)
  await scan(page, '0101621401001000010007')
  await expect(readingLine(page)).toHaveText('Confere: item 000010')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('')
  await readMachine(page, 'KX0001', 'Cabo')
  await page.getByRole('button', { name: 'Era o lote' }).click()
  await expect(cable(page).getByLabel('Lote')).toHaveValue('KX0001')
  await expect(cable(page).getByLabel('Máquina', { exact: true })).toHaveValue('')
  await scan(page, 'US0001')
  await expect(readingLine(page)).toHaveText('US0001 não é máquina do cabo.')
  await picture(page, 'item-leitura')
  await scan(page, '010162140100100005000H')
  await expect(page.getByRole('heading', { name: 'Item 000050' })).toBeVisible()
  await scan(page, '0101621401001000010007')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('KX0001')
  await scan(page, ORDER)
  await expect(page.getByText(`Última pesquisa: ${ORDER}`)).toBeVisible()
})

test('a etiqueta que vem atrás da de outro item, antes de ele se abrir, não fica no item que se deixa', async ({
  page,
}) => {
  await openItemOfOrder(page)
  await expect(cable(page).getByLabel('Lote')).toBeFocused()
  const drawFrames = await holdFrames(page)
  await scan(page, '010162140100100005000H')
  await expect(readingLine(page)).toHaveText('Abrindo o item...')
  await scan(page, 'L261121001')
  await expect(readingLine(page)).toHaveText(OPENING)
  await drawFrames()
  await expect(page.getByRole('heading', { name: 'Item 000050' })).toBeVisible()
  await expect(cable(page).getByLabel('Lote')).toHaveValue('')
  await scan(page, '0101621401001000010007')
  await expect(page.getByRole('heading', { name: 'Item 000010' })).toBeVisible()
  await expect(cable(page).getByLabel('Lote')).toHaveValue('')
})

/** Of an order that this device has not searched: the ERP is asked for them. */
const [ELSEWHERE, ALSO_ELSEWHERE] = ['010162200100100002001C', '010162200100100001001S']

/** Until the answer is released. */
async function lookForItem(page: Page) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(`**/api/apontamentos/itens/0101622*`, async (route) => {
    await released
    await route.continue()
  })
  await openItemOfOrder(page)
  await expect(cable(page).getByLabel('Lote')).toBeFocused()
  await scan(page, ELSEWHERE)
  await expect(readingLine(page)).toHaveText('Abrindo o item...')
  await scan(page, 'L261121001')
  await expect(readingLine(page)).toHaveText(OPENING)
  await expect(cable(page).getByLabel('Lote')).toHaveValue('')
  return release
}

test('enquanto se procura o item de uma etiqueta, a leitura seguinte não fica no que está aberto', async ({ page }) => {
  const release = await lookForItem(page)
  release()
  await expect(page.getByRole('heading', { name: 'Item 000020' })).toBeVisible()
  await scan(page, 'L261121001')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121001')
})

test('enquanto se procura outro item, um toque fica neste, e a etiqueta dele também', async ({ page }) => {
  const release = await lookForItem(page)
  await cable(page).getByLabel('Lote').click()
  await scan(page, 'L261121002')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121002')
  await scan(page, ALSO_ELSEWHERE)
  await scan(page, OF_ORDER)
  await expect(readingLine(page)).toHaveText('Confere: item 000010')
  const answered = page.waitForResponse((response) => response.url().includes(ALSO_ELSEWHERE))
  release()
  await answered
  await readMachine(page, 'KX0001', 'Cabo')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121002')
})

test('um lote de 22 caracteres é um código de item, e um toque no campo traz o teclado', async ({ page }) => {
  await openItemOfOrder(page)
  const lot = cable(page).getByLabel('Lote')
  await expect(lot).toHaveAttribute('inputmode', 'none')
  await lot.click()
  await expect(lot).not.toHaveAttribute('inputmode', 'none')
  // by a hand: at once it is a reading, which finds its own place
  await lot.pressSequentially('0101621401001000019999', { delay: HAND_MS })
  await expect(cable(page)).toContainText('Isto é o código do item, não um lote.')
  await pick(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo', /KX0001/)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(toast(page)).toContainText('Erro: Isto é o código do item, não um lote.')
  await lot.fill('L261121001')
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(toast(page)).toContainText(SUCCESS)
})

test('o que ficou para trás vem antes do próximo item', async ({ page }) => {
  await workBefore(page)
  await scan(page, BARCODE)
  await expect(page.getByRole('heading', { name: 'Item 000070' })).toBeVisible()
  const next = page.getByRole('button', { name: /^Próximo item aberto/ })
  await section(page, 'Terminal Lado 1').getByLabel('Lote').click()
  await scan(page, 'B23-004517/2')
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(section(page, 'Terminal Lado 2').getByLabel('Lote')).toBeFocused()
  await scan(page, 'B23-004518/1')
  await scan(page, TOOL_OF_SIDE_2)
  await page.getByRole('button', { name: 'Registrar lado 2' }).click()
  const left = page.getByRole('button', { name: 'Falta: Cabo' })
  await expect(left).toBeVisible()
  await expect(cable(page).getByLabel('Lote')).toBeFocused()
  await expect(next).toBeHidden()
  await picture(page, 'item-falta')
  await section(page, 'Cabo').getByLabel('Quantidade de peças').focus()
  await left.click()
  await expect(cable(page).getByLabel('Lote')).toBeFocused()
  await scan(page, 'L261121002')
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(next).toHaveText('Próximo item aberto: 000100')
  await expect(left).toBeHidden()
})

test('uma parte pronta sem rede não se abre de novo enquanto chega ao servidor', async ({ page, tolerate }) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillCable(page)
  await page.context().setOffline(true)
  await saveHere(page, PIECES)
  await expect(page.getByRole('button', { name: 'Registrar cabo' })).toHaveCount(0)
  await page.evaluate(`new MutationObserver(() => {
    if (document.querySelector('[aria-label="Registrar cabo"]')) window.hasOpened = true
  }).observe(document.body, { childList: true, subtree: true })`)
  await page.context().setOffline(false)
  await expectNothingWaiting(page)
  await expect(cable(page)).toContainText(`${PIECES} de ${PIECES}`)
  expect(await page.evaluate('window.hasOpened')).toBeUndefined()
})

test('o botão de uma parte registrada não fica livre antes de o formulário saber disso', async ({ page }) => {
  await openItemOfOrder(page)
  await fillCable(page)
  const answer = Promise.withResolvers<void>()
  await page.route(RECORD, async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(section(page, 'Terminal Lado 1').getByLabel('Lote')).toBeFocused()
  // the part that the hand has left is drawn later from here on
  await page.evaluate('new Promise((done) => requestIdleCallback(done))')
  const drawDeferred = await holdDeferred(page)
  answer.resolve()
  await expect(readingLine(page)).toContainText(`Registrado: ${PIECES} peças`)
  await expect(page.getByRole('button', { name: 'Registrar cabo' }), 'before the deferred drawing').toHaveCount(0)
  await drawDeferred()
  await expect(cable(page)).toContainText(`${PIECES} de ${PIECES}`)
})

test('o que o servidor já conta não é contado outra vez antes da sua resposta', async ({ page, tolerate }) => {
  const SAVED = 70
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillCable(page)
  await page.context().setOffline(true)
  await saveHere(page, SAVED)
  await expect(cable(page)).toContainText(`Restam ${PIECES - SAVED} peças`)
  await page.evaluate(`new MutationObserver(() => {
    if (!document.querySelector('[aria-label="Registrar cabo"]')) window.hasClosed = true
  }).observe(document.body, { childList: true, subtree: true })`)
  const answer = Promise.withResolvers<void>()
  await page.route(RECORD, async (route) => {
    const response = await route.fetch()
    await answer.promise
    await route.fulfill({ response })
  })
  const counted = page.waitForResponse(async (response) => {
    if (!response.url().includes(`/apontamentos/itens/${OF_ORDER}?`) || !response.ok()) return false
    const { item } = (await response.json()) as { item: CutItem }
    return item.Z1_QTREGCO + item.aguardandoErp.cabo === SAVED
  })
  await page.context().setOffline(false)
  await counted
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  await expect(cable(page)).toContainText(`Restam ${PIECES - SAVED} peças`)
  answer.resolve()
  await expectNothingWaiting(page)
  await expect(cable(page)).toContainText(`Restam ${PIECES - SAVED} peças`)
  expect(await page.evaluate('window.hasClosed')).toBeUndefined()
})

test('o próximo item não pede de novo o estado do servidor nem os motivos de refugo', async ({ page }) => {
  await openItemOfOrder(page, '000050')
  await expect(page.getByRole('button', { name: 'Refugo: lado 2' })).toBeEnabled()
  // the shell asks every ten seconds: the next time is out of sight
  await page.waitForResponse(/\/api\/status$/)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await scan(page, BARCODE)
  await expect(page.getByRole('heading', { name: 'Item 000070' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Refugo: lado 2' })).toBeEnabled()
  await expect.poll(() => requests.some((path) => path.startsWith('/api/refugos'))).toBe(true)
  expect(requests.filter((path) => path === '/api/status' || path === '/api/motivos-de-refugo')).toEqual([])
})
