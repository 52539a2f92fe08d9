import type { Page } from '@playwright/test'
import type { ControlPlan } from '../../src/contract/control-plans.ts'
import type { Trace } from '../../src/contract/traces.ts'
import {
  callDialog,
  expectNothingWaiting,
  fillSide1,
  NO_NETWORK,
  piecesAtServer,
  RECORD,
  registerIn,
} from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import {
  BARCODE,
  expect,
  expectAccessible,
  openItemOfOrder,
  queryPanel,
  readingLine,
  scan,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import {
  dialogOf,
  fillMeasuring,
  forces,
  heights,
  namedAt,
  openMeasuring,
  samplesAt,
  typeReadings,
  watchSent,
} from '../support/journeys/measuring.ts'
import { picture } from '../support/journeys/picture.ts'
import { STEP_MS } from '../support/slowness.ts'

const PLAN = 'Plano v2: 1,050 a 1,150 mm · força mín. 70 N · 3 leituras'
const side1 = (page: Page) => section(page, 'Terminal Lado 1')
const heightField = (page: Page) => side1(page).getByRole('textbox', { name: /Altura de crimpagem/ })
const forceField = (page: Page) => side1(page).getByRole('textbox', { name: /Força de extração/ })
test('a linha do plano chega depois do formulário e não empurra nada', async ({ page }) => {
  const late = Promise.withResolvers<void>()
  await page.route('**/do-item/**', async (route) => {
    await late.promise
    await route.continue()
  })
  await openItemOfOrder(page)
  const below = section(page, 'Selo Lado 1')
  await expect(below).toBeVisible()
  await page.waitForLoadState('load')
  const before = await below.boundingBox()
  late.resolve()
  await expect(side1(page)).toContainText(PLAN)
  expect((await below.boundingBox())?.y).toBe(before?.y)
})

test('a carta de uma medição tem o seu lugar desde que a janela se fecha, e não empurra o que está abaixo', async ({
  page,
}) => {
  const late = Promise.withResolvers<void>()
  await page.route('**/assets/SmallChart-*', async (route) => {
    await late.promise
    await route.continue()
  })
  await openItemOfOrder(page)
  await fillSide1(page)
  const dialog = await fillMeasuring(page, '1,1', '75')
  await dialog.getByRole('button', { name: 'Salvar medição' }).click()
  await expect(dialog).toBeHidden()
  const below = section(page, 'Selo Lado 1')
  const before = await below.boundingBox()
  late.resolve()
  for (const what of ['Altura', 'Força']) {
    await expect(section(page, `Carta de controle: ${what}`).getByRole('img')).toBeVisible()
  }
  expect((await below.boundingBox())?.y).toBe(before?.y)
})

test('mede por teclas e leituras: a menor força e a altura mais longe do nominal vão ao formulário', async ({
  page,
  panel,
}) => {
  await openItemOfOrder(page)
  await expect(side1(page)).toContainText('Falta medir: primeira peça')
  await page.getByRole('button', { name: 'Medir: lado 1' }).click()
  await expect(toast(page)).toContainText('Antes de medir, informe lote, mini aplicador e máquina.')
  await fillSide1(page)
  await picture(page, 'item-falta-medir')
  const dialog = await openMeasuring(page)
  await expect(dialog.getByLabel('Instrumento')).toBeFocused()
  await scan(page, 'MIC-ALT-01')
  await expect(dialog.getByLabel('Instrumento')).toHaveValue('MIC-ALT-01')
  await expect(heights(dialog).getByLabel('Leitura 1')).toBeFocused()
  await typeReadings(page, '1,105')
  await scan(page, '1.120')
  await expect(heights(dialog).getByLabel('Leitura 2')).toHaveValue('1,120')
  await expect(heights(dialog).getByLabel('Leitura 2')).toHaveAccessibleDescription('dentro')
  await scan(page, 'B23-004517/2')
  await expect(dialog.getByRole('status', { name: 'Leitura' })).toHaveText('Nada a preencher com este código.')
  await expect(heights(dialog).getByLabel('Leitura 3'), 'what all inside begin with').toHaveValue('1,')
  await typeReadings(page, '1,1', '92,7', '88,9')
  await page.keyboard.type('95', { delay: 80 })
  await expect(forces(dialog).getByLabel('Leitura 2')).toHaveAccessibleDescription('dentro')
  await expectAccessible(page)
  await picture(page, 'medir-dentro')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Medição salva: dentro do plano.')
  await expect(dialog).toBeHidden()
  await expect(forceField(page)).toHaveValue('88')
  await expect(heightField(page)).toHaveValue('1,12')
  await expect(side1(page).getByText('medido', { exact: true })).toHaveCount(2)
  await expect(side1(page)).not.toContainText('primeira peça')
  // by a key: the charts of the sample move the button as they come
  await page.getByRole('button', { name: 'Registrar lado 1' }).press('Enter')
  await expect(toast(page)).toContainText('Apontamento realizado com sucesso!')
  const [sample] = samplesAt(panel)
  expect(samplesAt(panel).map(({ characteristic, readings, verdict }) => [characteristic, readings, verdict])).toEqual([
    ['altura', '[1105,1120,1100]', 'dentro'],
    ['forca', '[92700,88900,95000]', 'dentro'],
  ])
  expect(namedAt(panel)).toEqual([sample?.act])
})

test('fora do plano: painel vermelho, o que se fez, e mede-se de novo', async ({ page, panel }) => {
  await openItemOfOrder(page)
  await fillSide1(page)
  const dialog = await openMeasuring(page)
  await page.keyboard.press('Enter')
  await typeReadings(page, '1,17', '1,1', '1,1')
  await expect(heights(dialog).getByLabel('Leitura 1')).toHaveAccessibleDescription(/fora: 0,020 mm acima/)
  const alarm = dialog.getByRole('alert')
  await expect(alarm).toContainText('Fora do plano: 1,170 mm, máximo 1,150')
  await expect(alarm).toContainText('Pare. Separe as peças desde a última medição boa. Ajuste e meça de novo.')
  const twoWires = dialog.getByText('Dois fios neste terminal')
  await twoWires.click()
  await expect(alarm, 'no plan speaks of that').toBeHidden()
  await expect(dialog.getByRole('button', { name: 'Salvar medição', exact: true })).toBeVisible()
  await twoWires.click()
  await expect(alarm).toBeVisible()
  const save = dialog.getByRole('button', { name: 'Salvar medição fora' })
  await save.click()
  await expect(dialog).toContainText('Diga o que você fez.')
  await expectAccessible(page)
  await picture(page, 'medir-fora')
  await dialog.getByText('Ajustei, vou medir de novo').click()
  await save.click()
  await expect(toast(page)).toContainText('Medição salva: fora do plano.')
  await expect(toast(page)).toContainText('Atenção')
  await expect(heights(dialog).getByLabel('Leitura 1')).toBeFocused()
  await heights(dialog).getByLabel('Leitura 1').fill('11')
  await page.keyboard.press('Enter')
  await typeReadings(page, '1,1', '1,1')
  await dialog.getByRole('button', { name: /Salvar medição/ }).click()
  await dialog.getByText('Parei e chamei a manutenção').click()
  await expect(dialog).toContainText('Confira a vírgula: o nominal é 1,100 mm')
  await dialog.getByRole('button', { name: 'Salvar assim mesmo' }).click()
  const call = callDialog(page)
  await call.getByRole('button', { name: 'Altura fora' }).click()
  await expect(toast(page)).toContainText(/Chamado \d+ aberto\./)
  await expect(heightField(page)).toHaveValue('11,00')
  expect(samplesAt(panel).map(({ verdict, action }) => [verdict, action])).toEqual([
    ['fora', 'ajustei'],
    ['fora', 'manutencao'],
  ])
})

test.describe('num tablet', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 1280, height: 800 } })

  test('o teclado da janela preenche as leituras, e uma medida digitada por inteiro vale como está', async ({
    page,
    panel,
  }) => {
    await openItemOfOrder(page)
    await page.getByRole('button', { name: /^Lado 1/ }).tap()
    await fillSide1(page)
    const dialog = await openMeasuring(page)
    const keys = dialog.getByRole('group', { name: 'Teclado da medição' })
    const tap = async (...names: string[]) => {
      for (const name of names) await keys.getByRole('button', { name, exact: true }).tap()
    }
    const box = (nth: number) => heights(dialog).getByLabel(`Leitura ${nth}`)
    await scan(page, 'XYZ-9')
    await expect(dialog.getByText('Instrumento não cadastrado.')).toBeVisible()
    await expect(box(1)).toBeFocused()
    await expect(box(1)).toHaveAttribute('inputmode', 'none')
    await tap('1', '1', 'Apagar', '0', '5')
    await expect(box(1)).toHaveValue('1,105')
    await expect(box(2)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(box(2), 'the Enter of a habit').toBeFocused()
    await tap('1', 'Vírgula', '1', 'Próxima')
    await expect(box(2)).toHaveValue('1,1')
    await tap('Apagar', 'Apagar', '0', 'Vírgula', '9', 'Próxima')
    await expect(box(3)).toHaveValue('0,9')
    await expect(box(3)).toHaveAccessibleDescription(/fora: 0,150 mm abaixo/)
    await expectAccessible(page)
    await picture(page, 'medir-teclado')
    await box(3).tap()
    await tap('Apagar', 'Apagar', 'Apagar', '1', 'Vírgula', '1', '2', '5')
    await tap('9', '2', 'Próxima', '8', '8', 'Próxima', '9', '5', 'Próxima')
    await expect(dialog).toBeHidden()
    await expect
      .poll(() => samplesAt(panel).map(({ readings }) => readings))
      .toEqual(['[1105,1100,1125]', '[92000,88000,95000]'])
  })
})

test('sem rede, também depois de recarregar: mede-se, e a medição chega antes do seu apontamento, uma vez', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillSide1(page)
  await expect(side1(page)).toContainText(PLAN)
  // the page itself comes from somewhere: over plain HTTP no worker has it
  await context.route('**/api/**', (route) => route.abort())
  await page.reload()
  await expect(side1(page)).toContainText('Plano v2: 1,050 a 1,150 mm')
  await expect(side1(page)).toContainText('Falta medir: primeira peça')
  // a label that is read in the form is measured with
  await scan(page, 'PAQ-01')
  const dialog = dialogOf(page)
  await expect(dialog.getByLabel('Instrumento')).toHaveValue('PAQ-01')
  await typeReadings(page, '1,1', '1,11', '1,12')
  await dialog.getByRole('button', { name: 'Salvar medição' }).click()
  await expect(toast(page)).toContainText('Medição salva neste dispositivo.')
  await expect(side1(page)).toContainText('Última medição neste dispositivo, aguardando envio.')
  await expect(side1(page)).toContainText('Falta medir: primeira peça (força)')
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  await expect(readingLine(page)).toContainText('Salvo neste dispositivo: ')
  await page.getByRole('link', { name: /^Pendências: 2 neste dispositivo/ }).click()
  const waiting = page.getByRole('list', { name: 'Apontamentos neste dispositivo' })
  await expect(waiting.getByRole('listitem').first()).toContainText('Medição · Terminal Lado 1')
  await picture(page, 'pendencias-medicao')
  const sent = watchSent(page)
  await context.unroute('**/api/**')
  await waiting
    .getByRole('button', { name: 'Enviar agora' })
    .or(page.getByRole('button', { name: 'Enviar agora' }))
    .click()
  await expect(waiting).toBeHidden()
  await expect.poll(() => sent).toEqual(['/api/medicoes', '/api/apontamentos/corte-crimpagem'])
  const acts = new Set(samplesAt(panel).map(({ act }) => act))
  expect(acts.size).toBe(1)
  expect(namedAt(panel)).toEqual([...acts])
})

test('o que se digitou é medido uma vez: depois de registrar fica à vista e não é medição do próximo', async ({
  page,
  context,
  panel,
  tolerate,
}) => {
  tolerate(NO_NETWORK)
  await openItemOfOrder(page)
  await fillSide1(page)
  await expect(side1(page)).toContainText('Falta medir: primeira peça')
  await context.setOffline(true)
  const measured = side1(page).getByText('medido', { exact: true })
  await heightField(page).fill('1,12')
  await heightField(page).press('Tab')
  await expect(measured).toHaveCount(1)
  await registerIn(side1(page), 'Registrar lado 1', 10)
  await expect(heightField(page)).toHaveValue('1,12')
  await expect(measured).toHaveCount(0)
  // its height was the first piece's, though no server has heard of it
  await expect(side1(page)).toContainText('Última medição neste dispositivo, aguardando envio.')
  await expect(side1(page)).toContainText('Falta medir: primeira peça (força)')
  await context.setOffline(false)
  await expectNothingWaiting(page)
  await expect(side1(page)).toContainText('Falta medir: primeira peça (força)')
  await registerIn(side1(page), 'Registrar lado 1', 5)
  const released = Promise.withResolvers<void>()
  await page.route(RECORD, (route) => released.promise.then(() => route.continue()))
  await heightField(page).fill('1,13')
  const quantity = side1(page).getByLabel('Quantidade de peças')
  await quantity.fill('6')
  await expect(async () => {
    await page.getByRole('button', { name: 'Registrar lado 1' }).click()
    await expect(page.getByText('Registrando...')).toBeVisible({ timeout: STEP_MS })
  }).toPass()
  await quantity.fill('7')
  await expect(measured).toHaveCount(1)
  released.resolve()
  await expect(measured).toHaveCount(0)
  await expect(heightField(page)).toHaveValue('1,13')
  await registerIn(side1(page), 'Registrar lado 1', 7)
  await expectNothingWaiting(page)
  expect(piecesAtServer(panel)).toEqual([10, 5, 6, 7])
  expect(samplesAt(panel).map(({ readings }) => readings)).toEqual(['[1120]', '[1130]'])
})

test('onde o plano quer leituras com um instrumento, um valor digitado não resolve o que falta medir', async ({
  page,
  panel,
}) => {
  const admin = await colleagueAt(panel)
  await admin('PUT', '/api/configuracao', { planMode: 'bloquear' })
  const plans = await admin<ControlPlan[]>('GET', '/api/planos-de-controle?terminal=T1326030&vigente=sim')
  const plan = plans.find(({ bitola, miniaplicador }) => bitola === 500 && miniaplicador === undefined)
  await admin('POST', `/api/planos-de-controle/${plan?.id}/encerramento`)
  const { terminal, bitola, altura, leiturasAltura, leiturasForca, ultimaPeca } = plan as ControlPlan
  const content = { terminal, bitola, altura, leiturasAltura, leiturasForca, ultimaPeca }
  await admin('POST', '/api/planos-de-controle', { ...content, digitadoVale: false })
  await openItemOfOrder(page)
  await fillSide1(page)
  await expect(side1(page)).toContainText('Falta medir: primeira peça')
  await heightField(page).fill('1,12')
  await heightField(page).press('Tab')
  await expect(heightField(page)).toHaveAccessibleDescription(/dentro/)
  await side1(page).getByLabel('Quantidade de peças').fill('10')
  await page.getByRole('button', { name: 'Registrar lado 1' }).click()
  const release = page.getByRole('dialog', { name: 'Liberar (qualidade)' })
  await expect(release).toContainText('Falta medir a primeira peça.')
  await release.getByRole('button', { name: 'Cancelar' }).click()
  const dialog = await openMeasuring(page)
  for (const nth of [1, 2, 3]) await heights(dialog).getByLabel(`Leitura ${nth}`).fill('1,12')
  await dialog.getByRole('button', { name: 'Salvar medição' }).click()
  await expect(side1(page)).not.toContainText('Falta medir')
  await registerIn(side1(page), 'Registrar lado 1', 10)
  await expectNothingWaiting(page)
})

test('a fábrica que bloqueia espera a qualidade, a que avisa pede um motivo', async ({ page, panel, tolerate }) => {
  tolerate(NO_NETWORK)
  const admin = await colleagueAt(panel)
  await admin('PUT', '/api/configuracao', { planMode: 'bloquear' })
  await openItemOfOrder(page)
  await fillSide1(page)
  await expect(side1(page)).toContainText('Falta medir: primeira peça')
  await side1(page).getByLabel('Quantidade de peças').fill('10')
  const register = page.getByRole('button', { name: 'Registrar lado 1' })
  await register.click()
  const release = page.getByRole('dialog', { name: 'Liberar (qualidade)' })
  await expect(release).toContainText('Falta medir a primeira peça. Vale para 10 peças deste apontamento')
  await release.getByLabel('Usuário da qualidade').fill('admin')
  await release.getByLabel('Senha da qualidade').fill('admin')
  await release.getByLabel('Motivo da liberação').fill('Amostra conferida no laboratório')
  await expectAccessible(page)
  await picture(page, 'liberar')
  await page.route('**/api/liberacoes', (route) => route.abort())
  await release.getByRole('button', { name: 'Liberar' }).click()
  await expect(release).toContainText('Sem rede: a liberação precisa do servidor.')
  await expect(release.getByLabel('Senha da qualidade'), 'typed again').toHaveValue('')
  await page.unroute('**/api/liberacoes')
  await release.getByLabel('Senha da qualidade').fill('admin')
  await release.getByRole('button', { name: 'Liberar' }).click()
  await expect(toast(page)).toContainText('Apontamento realizado com sucesso!')
  await expect(release).toBeHidden()
  await admin('PUT', '/api/configuracao', { planMode: 'avisar' })
  await page.reload()
  await expect(side1(page)).toContainText('Falta medir: primeira peça')
  await fillSide1(page)
  await side1(page).getByLabel('Quantidade de peças').fill('5')
  await register.click()
  const question = page.getByRole('dialog', { name: 'Registrar fora do plano?' }).or(page.getByRole('alertdialog'))
  await expect(question).toContainText('Falta medir a primeira peça.')
  await question.getByLabel('Motivo').selectOption({ index: 1 })
  await question.getByRole('button', { name: 'Registrar assim mesmo' }).click()
  await expect(toast(page)).toContainText('Apontamento realizado com sucesso!')
  const noted = `select finding, f.mode, f.reason <> '' as reasoned, r.pieces, r.looked_json as looked
    from recording_findings f left join releases r on r.id = f.release_id order by f.id`
  expect(queryPanel(panel, noted), 'a release is of these pieces, and of no sample').toEqual([
    { finding: 'falta-medir', mode: 'bloquear', reasoned: 0, pieces: 10, looked: '{"acts":[],"typed":[]}' },
    { finding: 'falta-medir', mode: 'avisar', reasoned: 1, pieces: null, looked: null },
  ])

  await admin('PUT', '/api/configuracao', { planMode: 'bloquear' })
  await page.reload()
  await fillSide1(page)
  const outside = await fillMeasuring(page, '1,17', '92')
  await outside.getByText('Parei e chamei a qualidade').click()
  await outside.getByRole('button', { name: 'Salvar medição fora' }).click()
  await expect(toast(page)).toContainText('Medição salva: fora do plano.')
  await expect(heightField(page)).toHaveAccessibleDescription(/fora: 0,020 mm acima/)
  // as above
  await register.press('Enter')
  await expect(release).toContainText('Meça de novo antes de registrar: a última altura está fora do plano.')
  await release.getByRole('button', { name: 'Cancelar' }).click()
  const inside = await fillMeasuring(page, '1,1', '93')
  await inside.getByRole('button', { name: 'Salvar medição' }).click()
  await expect(toast(page)).toContainText('Medição salva: dentro do plano.')
  await register.press('Enter')
  await expect(toast(page).getByText('Apontamento realizado com sucesso!').last()).toBeVisible()
  await page.goto(`/pages/relatorios?aba=rastreabilidade&termo=${BARCODE}&tipo=barras&filtro=fora-do-plano`)
  const line = page.getByRole('row', { name: /^Terminal Lado 1/ }).filter({ hasText: 'B23-004517/2' })
  await expect(line).toContainText('fora do plano v2')
  await expect(line).toContainText('Altura 1,170 / 1,170 / 1,170')
  const traced = await admin<Trace>('GET', `/api/rastreabilidade?termo=${BARCODE}&tipo=barras&filtro=fora-do-plano`)
  expect(traced.linhas.map(({ medicoes = [] }) => medicoes.map(({ medido }) => medido))).toEqual([
    ['Altura 1,170 / 1,170 / 1,170', 'Força 92 / 92 / 92', 'Altura 1,100 / 1,100 / 1,100', 'Força 93 / 93 / 93'],
  ])
})
