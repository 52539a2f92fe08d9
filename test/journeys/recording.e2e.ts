import type { Page } from '@playwright/test'
import { cable, fillCable, NO_NETWORK, RECORD, registerPieces, SUCCESS } from '../support/journeys/cable.ts'
import {
  BARCODE,
  crimpsOf,
  expect,
  expectAccessible,
  logIn,
  ORDER,
  openItem,
  openItemOfOrder,
  PIECES,
  pick,
  queryPanel,
  readErpItem,
  scan,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { fillMeasuring } from '../support/journeys/measuring.ts'
import { picture } from '../support/journeys/picture.ts'
import { STEP_MS } from '../support/slowness.ts'

async function registerCable(page: Page): Promise<void> {
  await section(page, 'Cabo').getByLabel('Lote').fill('L261121001')
  await pick(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo', /KX0001/)
  await expect(section(page, 'Cabo').getByLabel('Máquina', { exact: true })).toHaveValue(/^KX0001/)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
}

async function fillSide1(page: Page): Promise<void> {
  const terminal = section(page, 'Terminal Lado 1')
  await terminal.getByLabel('Lote').fill('B23-004517;2')
  await expect(terminal.getByLabel('Lote')).toHaveValue('B23-004517/2')
  await pick(page, 'Selecionar mini aplicador do lado 1', 'Selecionar Mini Aplicador - Terminal T1326030', /MA-0001/)
  await pick(page, 'Selecionar máquina do lado 1', 'Selecionar Máquina - Terminal Lado 1', /PR0001/)
  await pick(page, 'Selecionar seladora do lado 1', 'Selecionar Seladora - Selo S0963244', /Seladora 0?1/)
}

/** Cable and side 1 of the open item, to the last piece, and what it left behind everywhere. */
async function recordBoth(page: Page): Promise<void> {
  await expect(section(page, 'Cabo')).toContainText('0%')
  await registerCable(page)
  await expect(toast(page)).toContainText(SUCCESS)
  await expect(section(page, 'Cabo')).toContainText('100%')
  await expect(page.getByRole('button', { name: 'Registrar cabo' })).toBeHidden()
  await toast(page).getByRole('button', { name: 'Fechar' }).click()

  await fillSide1(page)
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(toast(page)).toContainText(SUCCESS)
  await expect(section(page, 'Terminal Lado 1')).toContainText('100%')
  await expect(section(page, 'Terminal Lado 2')).toContainText('0%')
}

test('o operador aponta cabo e lado 1, e o ERP e o contador ficam sabendo', { tag: '@quick' }, async ({
  page,
  panel,
}) => {
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  await openItemOfOrder(page)
  await expectAccessible(page)
  await picture(page, 'item')
  await recordBoth(page)

  await expect.poll(() => readErpItem(panel, ORDER, BARCODE)).toMatchObject({ Z1_CODBAR: BARCODE })
  const erp = await readErpItem(panel, ORDER, BARCODE)
  expect([erp.Z1_PCORTE, erp.Z1_PCRIML1, erp.Z1_PCRIML2].map(Number)).toEqual([100, 100, 0])
  expect([erp.Z1_QTREGCO, erp.Z1_QTREGL1].map(Number)).toEqual([PIECES, PIECES])
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + PIECES)
  expect(crimpsOf(panel, 'MA-0002')).toBe(0)

  await page.keyboard.press('Escape')
  await expect(page.getByRole('progressbar', { name: '% Corte' }).first()).toHaveAttribute('aria-valuenow', '100')
  await expect(page.getByRole('progressbar', { name: '%Terminal LD1' }).first()).toHaveAttribute('aria-valuenow', '100')
})

test('o mesmo com o leitor de código de barras', { tag: '@quick' }, async ({ page, panel }) => {
  const crimpsBefore = crimpsOf(panel, 'MA-0001')
  await logIn(page)
  await expect(page.getByLabel('Código de barras ou ordem de produção')).toBeFocused()
  await scan(page, BARCODE)
  await expect(section(page, 'Cabo')).toBeVisible()
  await recordBoth(page)
  const erp = await readErpItem(panel, ORDER, BARCODE)
  expect([erp.Z1_QTREGCO, erp.Z1_QTREGL1, erp.Z1_QTREGL2].map(Number)).toEqual([PIECES, PIECES, 0])
  expect(crimpsOf(panel, 'MA-0001')).toBe(crimpsBefore + PIECES)
})

test.describe('com um ERP que leva o tempo de sempre', () => {
  test.use({ erpSpeed: 1 })

  test('dois toques em Registrar são um apontamento', async ({ page, panel }) => {
    await openItemOfOrder(page)
    await cable(page).getByLabel('Lote').fill('L1')
    await cable(page).getByLabel('Quantidade de peças').fill('10')
    await pick(page, 'Selecionar máquina do cabo', 'Selecionar Máquina - Cabo', /KX0002/)
    await page.getByRole('button', { name: 'Registrar cabo' }).dblclick()
    await expect(toast(page)).toContainText(SUCCESS)
    await expect(cable(page)).toContainText('Restam 110 peças')
    expect(queryPanel(panel, 'select pieces from recordings')).toEqual([{ pieces: 10 }])
    expect(Number((await readErpItem(panel, ORDER, BARCODE)).Z1_QTREGCO)).toBe(10)
  })
})

test('o que se digita enquanto registra é do próximo; o que foi registrado não volta', async ({ page }) => {
  let answer = () => {}
  const hold = () => {
    const released = new Promise<void>((resolve) => {
      answer = resolve
    })
    return page.route(RECORD, (route) => released.then(() => route.continue()))
  }
  await openItemOfOrder(page)
  await fillCable(page)
  const quantity = cable(page).getByLabel('Quantidade de peças')
  await quantity.fill('6')
  await hold()
  const placed = await quantity.boundingBox()
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(page.getByText('Registrando...')).toBeVisible()
  expect(await quantity.boundingBox(), "'Registrando...' is wider").toEqual(placed)
  await quantity.fill('9')
  answer()
  await expect(toast(page)).toContainText(SUCCESS)
  await expect(cable(page)).toContainText('Restam agora 114')
  await expect(quantity).toHaveValue('9')

  await page.unroute(RECORD)
  await hold()
  await expect(async () => {
    await page.getByRole('button', { name: 'Registrar cabo' }).click()
    await expect(page.getByText('Registrando...')).toBeVisible({ timeout: STEP_MS })
  }).toPass()
  await section(page, 'Terminal Lado 1').getByLabel('Lote').fill('LOTE-DO-LADO-1')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Apontamento de Corte e Crimpagem' })).toBeVisible()
  answer()
  await expect(toast(page).getByText(SUCCESS).last()).toBeVisible()
  await openItem(page)
  await expect(section(page, 'Terminal Lado 1').getByLabel('Lote')).toHaveValue('LOTE-DO-LADO-1')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('')
})

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

test('a janela de uma medição se fecha com o que ela põe no formulário, e não antes', async ({ page }) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  const dialog = await fillMeasuring(page, '1,1', '92')
  await page.evaluate(slowDevice)
  await dialog.getByRole('button', { name: 'Salvar medição' }).click()
  await page.evaluate('new Promise((done) => setTimeout(done, 500))')
  expect(await dialog.isVisible(), 'so that nobody registers without it').toBe(true)
  await page.evaluate('window.free = true')
  await expect(dialog).toBeHidden()
  expect(await section(page, 'Terminal Lado 1').getByText('não medido').count()).toBe(0)
})

test('quem já foi a outro campo antes de o dispositivo guardar fica nele', async ({ page }) => {
  await openItemOfOrder(page)
  await fillCable(page)
  const quantity = cable(page).getByLabel('Quantidade de peças')
  await quantity.fill('6')
  await page.evaluate(slowDevice)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(page.getByText('Registrando...')).toBeVisible()
  await quantity.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('1')
  await page.evaluate('window.free = true')
  await expect(toast(page)).toContainText(SUCCESS)
  await page.keyboard.type('2')
  await expect(quantity).toHaveValue('12')
  await expect(section(page, 'Terminal Lado 1').getByLabel('Lote')).toHaveValue('')
})

test('o que o servidor nunca aceitaria se diz antes de guardar', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillSide1(page)
  await section(page, 'Terminal Lado 1')
    .getByRole('textbox', { name: /Altura de crimpagem/ })
    .fill('1340')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(toast(page)).toContainText('Erro: Altura de crimpagem: Valor acima do máximo (1000)')
  await page.context().setOffline(false)
  expect(queryPanel(panel, 'select id from recordings')).toEqual([])
})

test('sem os campos obrigatórios nada é enviado', async ({ page, panel }) => {
  await openItemOfOrder(page)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(toast(page)).toContainText(
    'Erro: Preencha todos os campos obrigatórios do cabo (lote, máquina, quantidade)',
  )
  await expect(cable(page).getByText('Campo obrigatório')).toHaveCount(2)
  await expect(cable(page).getByLabel('Lote')).toBeFocused()
  await cable(page).getByLabel('Lote').fill('L261121001')
  await expect(cable(page).getByText('Campo obrigatório')).toHaveCount(1)
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(toast(page)).toContainText(
    'Erro: Preencha todos os campos obrigatórios do terminal L1 (lote, força, altura, máquina, quantidade, mini aplicador)',
  )
  expect(queryPanel(panel, 'select id from recordings')).toEqual([])
  await picture(page, 'item-aviso')
})

test('um lado sem terminal é uma linha só', async ({ page }) => {
  await openItemOfOrder(page, '000020')
  await expect(section(page, 'Terminal Lado 2')).toHaveText('Terminal Lado 2Sem terminal neste lado')
  await expect(section(page, 'Selo Lado 2')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Registrar lado 2' })).toBeHidden()
  await expect(section(page, 'Cabo')).toContainText('50%')
  await picture(page, 'item-sem-terminal')
})

test('uma etapa completa é uma linha: o que o ERP contou, mesmo sem apontamento aqui', async ({ page }) => {
  await openItemOfOrder(page, '000030')
  for (const name of ['Cabo', 'Terminal Lado 1', 'Terminal Lado 2']) {
    await expect(section(page, name)).toHaveText(new RegExp(`^${name}[\\d.]+ de [\\d.]+ ?Refugo100%$`))
  }
  await expect(page.getByRole('button', { name: /^Registrar/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Ver tudo' })).toHaveCount(0)
  await expectAccessible(page)
  await picture(page, 'item-completo')
})

test('a linha de uma etapa completa diz com que foi feita, e leva à rastreabilidade', async ({ page }) => {
  await openItemOfOrder(page)
  await fillCable(page)
  await registerPieces(page, 100)
  await expect(cable(page)).toContainText('Restam 20 peças')
  await cable(page).getByLabel('Lote').fill('L261121002')
  const register = page.getByRole('button', { name: 'Registrar cabo' })
  await expect(async () => {
    // within a second of the press before it is a bouncing finger's
    if (await register.isVisible()) await register.click()
    await expect(register).toBeHidden({ timeout: STEP_MS })
  }).toPass()
  await expect(cable(page)).toHaveText(
    /^Cabo120 de 120 · lote L261121002 · KX0001 · Maria Souza \d\d:\d\d · \+1 Ver tudoRefugo100%$/,
  )
  await fillSide1(page)
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(section(page, 'Terminal Lado 1')).toHaveText(
    /120 de 120 · lote B23-004517\/2 · MA-0001 · PR0001 · 70 N não medido · 1,10 mm não medido · Maria Souza \d\d:\d\d · primeira peça não medida Ver tudo/,
  )
  await expectAccessible(page)
  await picture(page, 'item-etapas-completas')
  await cable(page).getByRole('link', { name: 'Ver tudo' }).click()
  await expect(page.getByRole('cell', { name: /L261121002/ })).toBeVisible()
  await expect(page.getByText('3 apontamentos').first()).toBeVisible()
})

test('sem rede a linha de uma etapa completa diz o que este dispositivo registrou', async ({ page, tolerate }) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillCable(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Registrar cabo' }).click()
  await expect(cable(page)).toContainText(/120 de 120 · lote L261121001 · KX0001 · Maria Souza \d\d:\d\d Ver tudo/)
  await expect(cable(page)).toContainText('120 peças aguardando envio')
  await page.context().setOffline(false)
})

test('o que resta se registra com mais um toque, sem digitar nada', async ({ page, panel }) => {
  await openItemOfOrder(page)
  await fillCable(page)
  await registerPieces(page, 30)
  await expect(cable(page).getByLabel('Quantidade de peças')).toHaveValue('90')
  await expect(cable(page).getByLabel('Lote')).toHaveValue('L261121001')
  await expect(async () => {
    await page.getByRole('button', { name: 'Registrar cabo' }).click()
    await expect(page.getByRole('button', { name: 'Registrar cabo' })).toBeHidden({ timeout: STEP_MS })
  }).toPass()
  await expect(cable(page)).toContainText('100%')
  expect(queryPanel(panel, 'select pieces from recordings order by received_at, rowid')).toEqual([
    { pieces: 30 },
    { pieces: 90 },
  ])
})
