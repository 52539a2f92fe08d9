import type { Page } from '@playwright/test'
import { caseOf, labelsOf } from '../support/cases.ts'
import { expectDrawn, openDocuments, sendElsewhere, viewer } from '../support/journeys/documents.ts'
import { readerOf, stored } from '../support/journeys/handheld.ts'
import {
  expect,
  logIn,
  openItemOfOrder,
  readingLine,
  SEARCH,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { answer, box as checkBox, expectQuestion, openCheck } from '../support/journeys/receiving.ts'
import { keyboardOf } from '../support/journeys/scanning.ts'
import { heard, watchSounds } from '../support/journeys/sounds.ts'
import { cut, expectTraced, openTraces, recorderAt, box as traceBox } from '../support/journeys/tracing.ts'

/** The readings of test/support/cases, played in the browser as they say. */

/** With which a good and a bad sound end. */
const [GOOD_HERTZ, BAD_HERTZ] = [1320, 196]
const CONFIRMED = 'Confere: item 000010'
const FRAMED = "O leitor manda sinais junto do código. Veja 'Configurar o leitor' no manual."

async function openForm(page: Page) {
  await openItemOfOrder(page)
  const cable = section(page, 'Cabo')
  const lot = cable.getByLabel('Lote', { exact: true })
  const quantity = cable.getByLabel('Quantidade de peças')
  await lot.click()
  return { lot, quantity }
}

async function openSearch(page: Page) {
  await page.goto(SEARCH)
  await page.getByLabel('Código de barras ou ordem de produção').click()
}

/** Keys 8 ms apart, and Enter. */
async function typist(page: Page) {
  const keyboard = keyboardOf(await page.context().newCDPSession(page))
  return (label: string) => keyboard.type([...label, 'Enter'], () => 8, 400)
}

test('01: textos inteiros de um coletor respondem como a mesma etiqueta por teclas', async ({ page }) => {
  type Texts = { texts: string[] }
  const labels = labelsOf<Texts & Record<'sibling1' | 'sibling2', string[]> & { sibling3: Texts }>(
    '01-input-method.json',
  )
  const { lot, quantity } = await openForm(page)
  const reader = await readerOf(page)
  const read = (text = '') => reader.read(text)
  const [first = '', machine] = labels.texts
  await read(first)
  await expect(readingLine(page)).toContainText(`Lote: ${first}`)
  await read(machine)
  await expect(readingLine(page)).toContainText(`Máquina: ${machine}`)
  await expect(lot).toHaveValue(first)
  await read(labels.sibling1[0])
  await expect(toast(page)).toContainText('Crachá e PIN só valem numa estação compartilhada')
  await expect(lot).toHaveValue(first)
  expect(await page.evaluate<string>(stored)).not.toContain(labels.sibling1[0])
  await read(labels.sibling2[0])
  await expect(readingLine(page)).toContainText(CONFIRMED)
  await quantity.click()
  const pieces = await quantity.inputValue()
  await read(labels.sibling3.texts[0])
  await expect(readingLine(page)).toContainText(`Lote: ${labels.sibling3.texts[0]}`)
  await expect(quantity).toHaveValue(pieces)
  await expect(lot).toHaveValue(first)
})

test('02: sinais em volta de um código saem, ou a leitura é recusada em palavras; nenhum vira lote', async ({
  page,
}) => {
  const { readings } = labelsOf<{ readings: string[] }>('02-aim-prefix.json')
  await watchSounds(page)
  const { lot } = await openForm(page)
  const read = await typist(page)
  // the same label within two seconds would be one scan
  const right = {
    ']C0KX0001': 'Máquina: KX0001',
    A0101621401001000010007: FRAMED,
    '*KX0001*': 'Máquina: KX0001',
    '0101621401001000010007#': FRAMED,
    ']C00101621401001000010007': CONFIRMED,
  }
  for (const [label, said] of Object.entries(right)) {
    await heard(page)
    await read(label)
    await expect(readingLine(page), label).toContainText(said)
    await expect(lot).toHaveValue('')
    // the sound comes before the line; half a label that a busy browser hears late has had its own before that
    const sounds = await heard(page)
    expect(sounds.at(-1), label).toBe(said === FRAMED ? BAD_HERTZ : GOOD_HERTZ)
  }
  const rest = readings.filter((one) => !(one in right))
  expect(rest).toEqual([']C0010162140100100002000S'])
  await read(rest[0] ?? '')
  await expect(page.getByRole('heading', { name: 'Item 000020' })).toBeVisible()
})

test('02: as mesmas etiquetas na pesquisa e na conferência', async ({ page }) => {
  const { readings } = labelsOf<{ readings: string[] }>('02-aim-prefix.json')
  const items = [
    [readings[0] ?? '', '000010'],
    [readings[1] ?? '', '000020'],
  ] as const
  await openCheck(page)
  const read = await typist(page)
  for (const [label, item] of items) {
    await checkBox(page).focus()
    await read(label)
    await expectQuestion(page, item)
    await answer(page, 'Não')
  }
  for (const [label, item] of items) {
    await openSearch(page)
    await read(label)
    await expect(page.getByRole('heading', { name: `Item ${item}` })).toBeVisible()
  }
})

test('03: código, ordem e lote se acham com maiúsculas ou minúsculas', async ({ page, panel }) => {
  type Lower = { search: string[]; cutCheck: string[]; lots: { record: [string, number][]; trace: string } }
  const { search, cutCheck, lots } = labelsOf<Lower>('03-lower-case.json')
  const record = await recorderAt(panel)
  for (const [lot, pieces] of lots.record) await record({ ...cut, QTD_REALIZADA: pieces, LOTE_CABO: lot })
  await openCheck(page)
  const read = await typist(page)
  await read(cutCheck[0] ?? '')
  await expectQuestion(page, '000020')
  await answer(page, 'Não')
  await openTraces(page)
  await expect(traceBox(page)).toBeFocused()
  await read(lots.trace)
  await expectTraced(page, 'Lote', lots.trace, ['2 apontamentos', '1 item', '1 ordem', '8 peças'])
  await openSearch(page)
  await read(search[0] ?? '')
  await expect(page.getByRole('heading', { name: 'Item 000020' })).toBeVisible()
})

test('03: código e ordem de outra filial, com minúsculas, se acham nela', async ({ page }) => {
  const { search } = labelsOf<{ search: string[] }>('03-lower-case.json')
  const [, code = '', order = ''] = search
  await logIn(page)
  const read = await typist(page)
  const inPlant = async (label: string) => {
    await openSearch(page)
    await page.getByText('Unidade 2', { exact: true }).click()
    await page.getByLabel('Código de barras ou ordem de produção').click()
    await read(label)
  }
  await inPlant(code)
  await expect(page.getByRole('heading', { name: 'Item 000010' })).toBeVisible()
  await inPlant(order)
  await expect(page.getByRole('row').filter({ hasText: '000010' }).first()).toBeVisible()
})

test('04: um separador de grupo nunca some em silêncio', async ({ page }) => {
  const { reading, sibling } = labelsOf<{ reading: string; sibling: string }>('04-group-separator.json')
  const { lot } = await openForm(page)
  const devTools = await page.context().newCDPSession(page)
  let atSeconds = Date.now() / 1000
  const CONTROL = 2
  const press = (key: string, modifiers: number, text?: string) => {
    const of = { key, modifiers, windowsVirtualKeyCode: key === 'Enter' ? 13 : key.charCodeAt(0) }
    const down = text === undefined ? { type: 'rawKeyDown' as const, ...of } : { type: 'keyDown' as const, ...of, text }
    return [down, { type: 'keyUp' as const, ...of }].map((event) => {
      atSeconds += 0.004
      return devTools.send('Input.dispatchKeyEvent', { ...event, timestamp: atSeconds })
    })
  }
  for (const label of [reading, sibling]) {
    atSeconds = Math.max(atSeconds, Date.now() / 1000) + 0.5
    const [before = '', behind = ''] = label.split('<GS>')
    // none waits for the answer to the one before: a busy machine would make a hand of the reader
    await Promise.all([
      ...[...before].flatMap((key) => press(key, 0, key)),
      ...press(']', CONTROL),
      ...[...behind].flatMap((key) => press(key, 0, key)),
      ...press('Enter', 0, '\r'),
    ])
    await expect(readingLine(page), label).toContainText(FRAMED)
    await expect(lot).toHaveValue('')
  }
})

test('05: um leitor que manda códigos do teclado numérico responde como por teclas', async ({ page }) => {
  const labels =
    labelsOf<Record<'item form, cursor in Lote' | 'item form, nothing focused', string[]>>('05-alt-mode.json')
  const { lot } = await openForm(page)
  const devTools = await page.context().newCDPSession(page)
  const ALT = 1
  let atSeconds = Date.now() / 1000
  const send = (type: 'rawKeyDown' | 'keyDown' | 'keyUp' | 'char', key: string, modifiers: number, text?: string) => {
    atSeconds += 0.001
    const code = key === 'Alt' ? 18 : key === 'Enter' ? 13 : key.charCodeAt(0) + 48
    const of = { type, key, modifiers, windowsVirtualKeyCode: code, timestamp: atSeconds, isKeypad: modifiers === ALT }
    return devTools.send('Input.dispatchKeyEvent', text === undefined ? of : { ...of, text })
  }
  const read = async (label: string) => {
    atSeconds = Math.max(atSeconds, Date.now() / 1000) + 0.5
    const sent: Promise<unknown>[] = []
    for (const sign of label) {
      sent.push(send('rawKeyDown', 'Alt', ALT))
      for (const digit of String(sign.charCodeAt(0)).padStart(3, '0'))
        sent.push(send('rawKeyDown', digit, ALT), send('keyUp', digit, ALT))
      sent.push(send('keyUp', 'Alt', 0), send('char', sign, 0, sign))
    }
    sent.push(send('keyDown', 'Enter', 0, '\r'), send('keyUp', 'Enter', 0))
    await Promise.all(sent)
  }
  const [machine = '', own = ''] = labels['item form, cursor in Lote']
  await read(machine)
  await expect(readingLine(page)).toContainText(`Máquina: ${machine}`)
  await expect(lot).toHaveValue('')
  await read(own)
  await expect(readingLine(page)).toContainText(CONFIRMED)
  await expect(lot).toHaveValue('')
  await page.evaluate('document.activeElement.blur()')
  const [loose = ''] = labels['item form, nothing focused']
  await read(loose)
  await expect(readingLine(page)).toContainText(`Lote: ${loose}`)
  await expect(lot).toHaveValue(loose)
})

test('18: um navegador que bloqueia os dados do site diz isso', async ({ page }) => {
  await page.addInitScript(caseOf('18-storage-denied.js').toString())
  await page.goto('/auth/login')
  await expect(page.getByRole('status')).toHaveText(/^O navegador bloqueia os dados deste site/)
})

test('19: um navegador sem o que um PDF pede diz de que versão precisa', async ({ page, panel, tolerate }) => {
  tolerate(/Abrir um documento/)
  await sendElsewhere(panel, { title: 'Desenho de sempre' })
  await page.addInitScript(caseOf('19-without-resolvers.js').toString())
  await openDocuments(page)
  await page.getByRole('button', { name: 'Abrir Desenho de sempre revisão A' }).click()
  await expect(viewer(page, 'Desenho de sempre')).toContainText(/Atualize-o: são precisos Chrome ou Edge 119/)
})

for (const [name, fileName] of [
  ['21-bom-before.pdf', 'a.pdf'],
  ['21-line-before.pdf', 'a.pdf'],
  ['21-no-eof.pdf', 'a.pdf'],
  ['21-zeros-after.pdf', 'a.pdf'],
] as const) {
  test(`21: ${name} se envia e se lê`, async ({ page, panel }) => {
    await sendElsewhere(panel, { title: 'De fora', file: caseOf(name), fileName })
    await openDocuments(page)
    await page.getByRole('button', { name: 'Abrir De fora revisão A' }).click()
    await expectDrawn(page, 'Página 1 de 1: De fora')
  })
}
