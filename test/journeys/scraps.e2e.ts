import type { Page } from '@playwright/test'
import { cable, fillCable, fillSide1, measureSide1, NO_NETWORK, registerIn } from '../support/journeys/cable.ts'
import { details, logInAt } from '../support/journeys/joining.ts'
import {
  crimpsOf,
  expect,
  expectAccessible,
  logIn,
  openItemOfOrder,
  scan,
  section,
  test,
  toast,
  untilFetched,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { saveScrap, scrapButton, scrapDialog, scrapsAtServer } from '../support/journeys/scrapping.ts'
import { LONG } from '../support/slowness.ts'

test('refugo em três toques: o contador sobe, o que resta da ordem fica, e o autor desfaz', async ({ page, panel }) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  const side = section(page, 'Terminal Lado 1')
  const before = crimpsOf(panel, 'MA-0001')
  await scrapButton(page, 'lado 1').click()
  const dialog = scrapDialog(page)
  await expect(dialog).toContainText('Máquina: PR0001 · Mini aplicador: MA-0001 · Lote: B23-004517/2')
  await expectAccessible(page)
  await picture(page, 'refugo')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toContainText('Escolha o motivo.')
  await dialog.getByRole('button', { name: 'Altura fora' }).click()
  await page.keyboard.type('12')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Refugo salvo: 12 · Altura fora.')
  await expect(page.getByRole('button', { name: 'Refugo hoje: 12 (Altura fora)' })).toBeVisible()
  expect(crimpsOf(panel, 'MA-0001')).toBe(before + 12)
  await expect(side.getByLabel('Quantidade de peças'), 'scrap is still missing on the bench').toHaveValue('120')
  await saveScrap(page, 'Peça de ajuste', 5)
  await page.getByRole('button', { name: 'Refugo hoje: 17 (2 lançamentos)' }).click()
  const list = page.getByRole('dialog', { name: 'Refugo de hoje' })
  await expect(list).toContainText(/\d\d:\d\d · 5 · Peça de ajuste · /)
  await expectAccessible(page)
  await picture(page, 'refugo-de-hoje')
  await list.getByRole('listitem').filter({ hasText: 'Altura fora' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect(toast(page)).toContainText('Refugo desfeito.')
  await expect(list).not.toContainText('Altura fora')
  expect(crimpsOf(panel, 'MA-0001')).toBe(before + 5)
})

test('muitas peças se perguntam, e uma leitura do motivo abre a janela', async ({ page, panel }) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  await expect(scrapButton(page, 'lado 1')).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('motivos-de-refugo'))).not.toBeNull()
  await scan(page, 'REF-altura-fora')
  const dialog = scrapDialog(page)
  await expect(dialog.getByRole('button', { name: 'Altura fora' })).toHaveAttribute('aria-pressed', 'true')
  await scan(page, 'REF-terminal-torto')
  await expect(dialog.getByRole('button', { name: 'Terminal torto' })).toHaveAttribute('aria-pressed', 'true')
  await dialog.getByRole('button', { name: 'Todos os motivos' }).click()
  await dialog.getByRole('button', { name: 'Outro', exact: true }).click()
  // chosen from a tablet's keyboard: a word at once
  await dialog.getByLabel('Qual?').click()
  await page.keyboard.insertText('terminal ')
  await page.keyboard.insertText('amassado')
  await expect(dialog.getByLabel('Qual?')).toHaveValue('terminal amassado')
  await page.keyboard.insertText('REF-altura-fora')
  await expect(dialog.getByRole('button', { name: 'Altura fora' })).toHaveAttribute('aria-pressed', 'true')
  await dialog.getByLabel('Peças').fill('60')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  const question = page.getByRole('alertdialog', { name: 'Refugo de 60 peças em 120. Confirma?' })
  await picture(page, 'refugo-muitas-pecas')
  await question.getByRole('button', { name: 'Corrigir' }).click()
  await dialog.getByLabel('Peças').fill('6')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Refugo salvo: 6 · Altura fora.')
  expect(scrapsAtServer(panel)).toEqual([{ reason_code: 'altura-fora', note: '', pieces: 6, undone: 0 }])
  await expect(section(page, 'Terminal Lado 1').getByLabel('Lote'), 'no reading of a reason is a lot').toHaveValue(
    'B23-004517/2',
  )
})

test('depois de medir a força um toque lança as peças do ensaio, e só uma vez', async ({ page, panel }) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  await measureSide1(page, '1,1', '75')
  const offer = page.getByRole('button', { name: /^Lançar \d do ensaio/ })
  const pieces = Number(/\d/.exec((await offer.textContent()) ?? '')?.[0])
  await offer.click()
  await expect(toast(page)).toContainText(`Refugo salvo: ${pieces} · Ensaio destrutivo.`)
  await expect(offer).toBeHidden()
  expect(scrapsAtServer(panel)).toEqual([{ reason_code: 'ensaio-destrutivo', note: '', pieces, undone: 0 }])
  // the sample is in the draft still, and its pieces are thrown away once
  await page.reload()
  await expect(page.getByText('medido', { exact: true })).toHaveCount(2)
  await expect(scrapButton(page, 'lado 1')).toBeVisible()
  await expect(offer).toBeHidden()
})

test('sem rede o refugo espera no tablet, se desfaz ali, e segue uma vez', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillSide1(page)
  await expect(scrapButton(page, 'lado 1')).toBeVisible()
  await untilFetched(page, 'PendingScreen')
  await context.setOffline(true)
  await saveScrap(page, 'Altura fora', 3)
  await expect(toast(page)).toContainText('Refugo salvo neste dispositivo. Será enviado quando a rede voltar.')
  await saveScrap(page, 'Força baixa', 4)
  await saveScrap(page, 'Outro', 1, { words: 'Fio cortado' })
  await page.getByRole('button', { name: 'Refugo hoje: 8 (3 lançamentos)' }).click()
  const list = page.getByRole('dialog', { name: 'Refugo de hoje' })
  await list.getByRole('listitem').filter({ hasText: 'Altura fora' }).getByRole('button', { name: 'Desfazer' }).click()
  await expect(list).not.toContainText('Altura fora')
  await list.getByRole('button', { name: 'Fechar' }).click()
  await page.getByRole('link', { name: /^Pendências: \d neste dispositivo/ }).click()
  const waiting = page.getByRole('list', { name: 'Apontamentos neste dispositivo' })
  const [low, other] = [waiting.getByRole('listitem').first(), waiting.getByRole('listitem').last()]
  await expect(low).toContainText('Refugo · Terminal Lado 1 · 4 peças')
  await expect(low).toContainText('MotivoForça baixa')
  await expect(low).toContainText('· Maria Souza')
  await expect(other).toContainText('MotivoOutro · Fio cortado')
  await picture(page, 'pendencias-refugo')
  await context.setOffline(false)
  await expect(waiting).toBeHidden()
  const counted = scrapsAtServer(panel).filter(({ undone }) => undone === 0)
  expect(counted).toEqual([
    { reason_code: 'forca-baixa', note: '', pieces: 4, undone: 0 },
    { reason_code: 'outro', note: 'Fio cortado', pieces: 1, undone: 0 },
  ])
})

const SAVED_HERE = 'Refugo salvo neste dispositivo. Será enviado quando a rede voltar.'

/** Each three taps and a number: `saveScrap` makes no other. */
const places = [
  {
    ...{ where: 'junção J01', reason: 'Solda fraca', code: 'solda-fraca' },
    open: (page: Page) => logInAt(page, details('J01')),
  },
  {
    ...{ where: 'cabo', reason: 'Cabo errado', code: 'cabo-errado' },
    /** A part that is 100 % done. */
    open: async (page: Page) => {
      await openItemOfOrder(page)
      await fillCable(page)
      await page.getByRole('button', { name: 'Registrar cabo' }).click()
      await expect(cable(page).getByLabel('Quantidade de peças')).toBeHidden()
    },
  },
]
for (const { where, reason, code, open } of places)
  test(`em ${where} são três toques e o número, com rede e sem ela`, async ({ page, context, panel, tolerate }) => {
    tolerate(NO_NETWORK)
    await open(page)
    await saveScrap(page, reason, 2, { where })
    await expect(toast(page)).toContainText(`Refugo salvo: 2 · ${reason}.`)
    await expect(page.getByRole('button', { name: `Refugo hoje: 2 (${reason})` })).toBeVisible()
    await context.setOffline(true)
    await saveScrap(page, reason, 3, { where })
    await expect(toast(page)).toContainText(SAVED_HERE)
    await expect(page.getByRole('button', { name: 'Refugo hoje: 5 (2 lançamentos)' })).toBeVisible()
    await context.setOffline(false)
    const saved = { reason_code: code, note: '', undone: 0 }
    await expect
      .poll(() => scrapsAtServer(panel), LONG)
      .toEqual([
        { ...saved, pieces: 2 },
        { ...saved, pieces: 3 },
      ])
  })

/** Pieces of scrap today as the report says them: without set-up and tests, and with them. */
async function reportedToday(page: Page): Promise<[number, number]> {
  await logIn(page, 'admin', '/pages/relatorios?aba=refugo')
  const totals = page.getByText(/^Refugo [\d.]+ peças? · /)
  const read = async () => Number(/[\d.]+/.exec((await totals.textContent()) ?? '')?.[0].replaceAll('.', ''))
  const month = await read()
  await page.getByRole('button', { name: 'Hoje' }).click()
  // it stays until the answer for today has come
  await expect.poll(read).not.toBe(month)
  const bare = await read()
  await page.getByText('Contar ajuste e ensaio').click()
  await expect.poll(read).not.toBe(bare)
  return [bare, await read()]
}

test('ajuste 5, boas 100, refugo 12: o contador sobe 117, faltam 20 de 120, o relatório diz 12, e 17 com o ajuste', async ({
  page,
  panel,
}) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  await saveScrap(page, 'Peça de ajuste', 1)
  const [bare, whole] = await reportedToday(page)
  await openItemOfOrder(page)
  await fillSide1(page)
  const before = crimpsOf(panel, 'MA-0001')
  await saveScrap(page, 'Peça de ajuste', 5)
  await registerIn(section(page, 'Terminal Lado 1'), 'Registrar lado 1', 100)
  await expect(section(page, 'Terminal Lado 1').getByLabel('Quantidade de peças')).toHaveValue('20')
  await saveScrap(page, 'Altura fora', 12)
  await expect(section(page, 'Terminal Lado 1').getByLabel('Quantidade de peças')).toHaveValue('20')
  await expect.poll(() => crimpsOf(panel, 'MA-0001')).toBe(before + 117)
  expect(await reportedToday(page)).toEqual([bare + 12, whole + 17])
})

test('o relatório diz quanto, por quê e em que parte das peças; os motivos se mudam e se imprimem', async ({
  page,
}) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  await saveScrap(page, 'Altura fora', 12)
  await expect(toast(page)).toContainText('Refugo salvo')
  await logIn(page, 'admin', '/pages/relatorios?aba=refugo')
  await expect(page.getByRole('table', { name: 'Refugo por motivo' })).toContainText('Altura fora')
  await expectAccessible(page)
  await picture(page, 'relatorio-refugo')
  await page.goto('/pages/planos-de-controle?aba=motivos')
  await expect(page.getByRole('row', { name: /Altura fora/ })).toBeVisible()
  await picture(page, 'motivos-de-refugo')
  await page.getByRole('button', { name: 'Adicionar motivo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Novo motivo de refugo' })
  await dialog.getByLabel('Texto').fill('Rebarba')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByRole('row', { name: /Rebarba/ })).toContainText('Crimpagem')
  await expectAccessible(page)
  const sheet = await page.context().newPage()
  await sheet.goto((await page.getByRole('link', { name: 'Imprimir folha' }).getAttribute('href')) ?? '')
  await expect(sheet.getByRole('heading', { name: /Crimpagem/ })).toBeVisible()
  await expect(sheet.getByText('REF-rebarba')).toBeVisible()
  await picture(sheet, 'folha-de-motivos')
})
