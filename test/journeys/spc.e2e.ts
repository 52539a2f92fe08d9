import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { Series } from '../../src/contract/spc.ts'
import { fillSide1 } from '../support/journeys/cable.ts'
import { colleagueAt } from '../support/journeys/colleague.ts'
import {
  BARCODE,
  expect,
  expectAccessible,
  expectAccessibleInBothThemes,
  logIn,
  ORDER,
  openItemOfOrder,
  section,
  test,
  toast,
} from '../support/journeys/journey.ts'
import { picture } from '../support/journeys/picture.ts'
import { listenToChanges } from '../support/journeys/reader.ts'

const ADDRESS = '/pages/analise-graficos?aba=cep'
const DRIFTING = 'MA-0001 · T1326030 · 0,50 mm² · Altura'
const DRIFTING_QUERY = 'filial=010101&miniaplicador=MA-0001&terminal=T1326030&bitola=500&caracteristica=altura'

async function openSeries(page: Page, name: string, username = 'admin'): Promise<void> {
  await logIn(page, username, ADDRESS)
  await page.getByRole('button', { name: `Ver carta: ${name}` }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

/** What a picture is made of, whatever its colours: texts, and the shapes of points by their outlines. */
const watchCanvas = `{
  const { fillText, fill, stroke } = CanvasRenderingContext2D.prototype
  const outlines = new WeakMap()
  window.drawn = []
  window.Path2D = class extends Path2D {
    constructor(outline) {
      super(outline)
      outlines.set(this, outline.replace(/[^MLaZ]/g, ''))
    }
  }
  const draw = (names, path) => window.drawn.push(names[outlines.get(path)] ?? null)
  Object.assign(CanvasRenderingContext2D.prototype, {
    fillText(...text) { window.drawn.push(text[0]); fillText.apply(this, text) },
    fill(path) { draw({ MaaZ: 'dot', MLLLZ: 'diamond' }, path); fill.call(this, path) },
    stroke(path) { draw({ MaaZ: 'ring' }, path); stroke.call(this, path) },
  })
}`

const samples = (page: Page): Locator => page.getByRole('table', { name: 'Amostras' })

async function saved(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = await started
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

test('as séries, a pior primeiro; a carta da ferramenta que sai do centro, e a causa do sinal', async ({
  page,
  panel,
}) => {
  await logIn(page, 'operador', ADDRESS)
  const list = page.getByRole('table', { name: 'Séries' })
  await expect(list.getByRole('row').nth(1)).toContainText('MA-0001')
  await expect(page.getByText('8 medições sem bitola ou ferramenta: em nenhuma série.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await picture(page, 'cep-series')
  await page.keyboard.press('/')
  await page.keyboard.type('ma-0001')
  await expect(list.getByRole('row')).toHaveCount(3)

  await list.getByRole('row').filter({ hasText: 'Altura' }).getByText('T1326030').click()
  await expect(page.getByRole('heading', { name: DRIFTING })).toBeVisible()
  const means = page.getByRole('img', { name: /^Médias \(X-barra\) - Altura \(mm\)\. Carta de 62 amostras\. LSC 1,1/ })
  await expect(means).toHaveAccessibleName(/Sinais nas amostras .*62\.$/)
  await expect(page.getByRole('img', { name: /^Amplitudes \(R\) - Altura/ })).toBeVisible()
  await expect(section(page, 'Capacidade')).toContainText('Processo instável: Cp e Cpk não se aplicam.')
  await expect(section(page, 'Capacidade')).toContainText('σ = s')
  const readings = page.getByRole('img', { name: /^Leituras - Altura \(mm\): \d+ de 1,\d{3} a 1,\d{3}\. / })
  await expect(readings, 'the tolerance where single readings are').toContainText('mín. 1,050')
  await expect(readings).toContainText('máx. 1,150')
  await expect(means, 'means have none').not.toContainText('1,150')
  await expect(means, 'the day of the first sample and of each tenth').toContainText(/\d\d\/\d\d/)
  await expectAccessibleInBothThemes(page)
  await picture(page, 'cep-carta')

  const colleague = await colleagueAt(panel)
  const { pontos } = await colleague<Series>('GET', `/api/cep/serie?${DRIFTING_QUERY}`)
  const newestFirst = pontos.toReversed()
  const shown = await samples(page).getByRole('row').locator('td:nth-child(4)').allInnerTexts()
  expect(shown, 'the table says what is drawn').toEqual(
    newestFirst.map(({ media }) => media?.toFixed(4).replace('.', ',') ?? '-'),
  )

  await expect(samples(page).getByRole('row').nth(1)).toContainText('Sinal')
  await page.getByRole('button', { name: 'Anotar causa: amostra 62' }).click()
  const dialog = page.getByRole('dialog', { name: 'Anotar causa' })
  await dialog.getByText('Ferramenta gasta').click()
  await dialog.getByLabel('Observação (opcional)').fill('Crimpador com 97 % do limite')
  await expectAccessible(page)
  await picture(page, 'cep-causa')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page)).toContainText('Causa anotada.')
  const newest = samples(page).getByRole('row').nth(1)
  await expect(newest).toContainText('Ferramenta gasta: Crimpador com 97 % do limite (Maria Souza, ')
  const noted = { caracteristica: 'altura', causa: 'prensa', nota: 'Guia com folga' }
  await colleague('POST', `/api/medicoes/${newestFirst[0]?.medicao.id}/causa`, noted)
  await expect(newest, "quality's before hers, which stays").toContainText(
    /Prensa: Guia com folga \(Administrador, qualidade, .*Ferramenta gasta: .*\(Maria Souza, /,
  )
  await page.getByRole('button', { name: 'Anotar outra causa: amostra 62' }).click()
  await expect(dialog.getByRole('list', { name: 'Causas anotadas' }).getByRole('listitem')).toHaveCount(2)
  await picture(page, 'cep-causas')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await expect(page.getByRole('button', { name: 'Recalcular limites' }), 'only for quality').toHaveCount(0)
  await page.getByRole('button', { name: 'Séries' }).click()
  await expect(list).toBeVisible()
})

test('quando o número de leituras muda, a qualidade lê na lista que falta fixar limites, e o que era sinal fica marcado', async ({
  page,
  panel,
}) => {
  const operator = await colleagueAt(panel, 'operador')
  await operator('GET', `/api/apontamentos/itens/${BARCODE}?filial=010101`)
  // its limits are those of its first 25 samples
  await operator('GET', `/api/cep/serie?${DRIFTING_QUERY}`)
  const of = { filial: '010101', codigoBarras: BARCODE, ordem: ORDER, parte: 'l1', terminal: 'T1326030' }
  const at = { maquina: 'PR0001', miniaplicador: 'MA-0001', ocasiao: 'avulsa' }
  for (let nth = 0; nth < 13; nth++) {
    const leituras = [{ caracteristica: 'altura', valores: [1100 + (nth % 4)] }]
    await operator('POST', '/api/medicoes', { ...of, ...at, leituras })
  }
  await logIn(page, 'admin', ADDRESS)
  await expect(page.getByText(/^Fixe os limites de 1 série: /)).toBeVisible()
  const first = page.getByRole('table', { name: 'Séries' }).getByRole('row').nth(1)
  await expect(first).toContainText('Fixar limites')
  await expectAccessible(page)
  await picture(page, 'cep-fixar')
  await first.getByRole('button', { name: `Ver carta: ${DRIFTING}` }).click()
  await expect(page.getByText(/^As amostras têm agora 1 leitura e os limites são de 3/)).toBeVisible()
  await page.getByRole('button', { name: 'Fixar limites' }).click()
  const limits = page.getByRole('dialog', { name: 'Fixar limites' })
  await limits.getByLabel('Motivo').fill('Uma leitura por amostra')
  await limits.getByRole('button', { name: 'Fixar', exact: true }).click()
  await expect(toast(page)).toContainText('Limites recalculados com 13 amostras.')
  await expect(samples(page)).toContainText('Sinal quando visto: ')
  await expect(page.getByRole('img', { name: /^Valores individuais/ })).toHaveAccessibleName(
    /Sinais quando vistos nas amostras .*62/,
  )
  await picture(page, 'cep-vistos')
})

test('a qualidade invalida uma amostra, recalcula os limites, e leva a carta em papel, imagem e planilha', async ({
  page,
}) => {
  await page.addInitScript(watchCanvas)
  await openSeries(page, 'MA-0005 · T0964281 · 0,50 mm² · Altura')
  await expect(samples(page)).toContainText('Inválida: Terminal torto na bigorna do micrômetro')
  await expect(samples(page)).toContainText('Fora da tolerância')
  await picture(page, 'cep-carta-fora')
  await page.getByRole('button', { name: 'Recalcular limites' }).click()
  const limits = page.getByRole('dialog', { name: 'Recalcular limites' })
  await limits.getByLabel('Motivo').fill('Depois do ajuste')
  await expectAccessible(page)
  await picture(page, 'cep-limites')
  await limits.getByRole('button', { name: 'Recalcular', exact: true }).click()
  await expect(toast(page)).toContainText('Limites recalculados com 31 amostras.')
  await expect(
    page.getByText(/^Limites recalculados por Administrador com 31 amostras .*, de 3 leituras: Depois do ajuste\.$/),
  ).toBeVisible()

  const image = await saved(page, 'Salvar imagem')
  expect(image.name).toMatch(/^cep_MA-0005_T0964281_500_altura_[\d-]+\.png$/)
  expect(image.content.readUInt32BE(16), 'as wide from a phone as from a desk').toBe(2400)
  expect(image.content.length).toBeGreaterThan(20_000)
  const drawn = ((await page.evaluate('window.drawn')) as (string | null)[]).filter((one) => one !== null)
  const signs = ['dot', 'ring', 'diamond', 'leitura fora da tolerância', 'outro número de leituras', 'inválida']
  expect(drawn, 'each sign by its shape and its words').toEqual(expect.arrayContaining(signs))
  for (const sign of ['ring', 'diamond'])
    expect(drawn.filter((one) => one === sign).length, 'not in the legend alone').toBeGreaterThan(1)
  expect(drawn.filter((one) => /^(LSC|Média|LIC) \d/.test(one))).toHaveLength(6)
  const file = await saved(page, 'Exportar CSV')
  expect(file.name).toMatch(/^cep_MA-0005_T0964281_500_altura_[\d-]+\.csv$/)
  expect(file.content.toString().trim().split('\r\n')).toHaveLength(35)

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  const sheet = page.getByRole('article')
  await expect(sheet.getByRole('heading', { name: 'Controle estatístico' })).toBeVisible()
  await expect(sheet.getByRole('img', { name: /^Médias/ })).toBeVisible()
  await expect(sheet.getByRole('row')).toHaveCount(36)
  await expect(sheet).toContainText('σ = ')
  if (process.env.PICTURES) await page.screenshot({ path: 'screenshots/cep-papel.png', fullPage: true })
  await page.evaluate('dispatchEvent(new Event("afterprint"))')
  await page.emulateMedia({ media: null })

  await page.getByRole('button', { name: 'Invalidar: amostra 34' }).click()
  const invalid = page.getByRole('dialog', { name: 'Invalidar medição' })
  await expect(invalid, 'of all that look alike').toContainText(/^.*\d\d\/\d\d\/\d{4} \d\d:\d\d: Altura 1,\d{3} \/ 1,/)
  await invalid.getByLabel('Motivo').fill('Micrômetro sujo')
  await invalid.getByRole('button', { name: 'Invalidar' }).click()
  await expect(toast(page)).toContainText('Medição invalidada.')
  await expect(samples(page).getByRole('row').nth(1)).toContainText('Inválida: Micrômetro sujo')
  await page.getByRole('button', { name: 'Devolver às contas: amostra 34' }).click()
  const back = page.getByRole('dialog', { name: 'Devolver medição às contas' })
  await back.getByLabel('Motivo').fill('Micrômetro conferido')
  await back.getByRole('button', { name: 'Devolver' }).click()
  await expect(toast(page)).toContainText('Medição devolvida às contas.')
  await expect(samples(page).getByRole('row').nth(1)).not.toContainText('Inválida')
})

test('na prensa: na 25ª amostra há limites, e o desgaste é dito em voz alta antes de haver peça ruim', async ({
  page,
  panel,
}) => {
  const operator = await colleagueAt(panel, 'operador')
  const sample = {
    ...{ filial: '010101', codigoBarras: BARCODE, ordem: ORDER, parte: 'l1', ocasiao: 'avulsa' },
    ...{ terminal: 'T1326030', miniaplicador: 'MA-0002', maquina: 'PR0001', lote: 'B23-004517/2' },
  }
  const measure = async (...samples: number[][]) => {
    for (const valores of samples)
      await operator('POST', '/api/medicoes', { ...sample, leituras: [{ caracteristica: 'altura', valores }] })
  }
  const around = (mean: number) => [mean - 6, mean + 5, mean, mean - 4, mean + 6]
  // its gauge is that of the item's copy
  await operator('GET', `/api/apontamentos/itens/${BARCODE}?filial=010101`)
  // the demonstration has nine
  await measure(...Array.from({ length: 15 }, (_, at) => around(1097 + (at % 3))))

  await openItemOfOrder(page)
  await fillSide1(page, /MA-0002/)
  const side = section(page, 'Terminal Lado 1')
  await expect(side).toContainText('5 de altura, 3 de força')
  const said = await listenToChanges(page)
  const measureHere = async (...readings: string[]) => {
    await page.getByRole('button', { name: 'Medir: lado 1' }).click()
    const heights = page.getByRole('dialog').getByRole('group', { name: /Altura de crimpagem/ })
    for (const [at, reading] of readings.entries()) await heights.getByLabel(`Leitura ${at + 1}`).fill(reading)
    await page.getByRole('button', { name: 'Salvar medição' }).click()
  }
  const chart = section(page, 'Carta de controle: Altura')
  await measureHere('1,092', '1,103', '1,098', '1,094', '1,104')
  await expect(chart).toContainText('Dentro dos limites de controle.')
  await expect(chart.getByRole('img')).toHaveAccessibleName(/^Últimas 25 amostras\. Dentro dos limites de controle\.$/)
  await expect(chart).not.toContainText('neste dispositivo')
  await expect.poll(said).toContain('Altura: Dentro dos limites de controle.')

  await measure(...Array.from({ length: 8 }, (_, at) => around(1101 + (at % 2))))
  await measureHere('1,096', '1,107', '1,102', '1,098', '1,108')
  const signal = 'Sinal: 9 pontos acima da média. A altura está subindo: avise a manutenção.'
  await expect(chart).toContainText(signal)
  await expect(chart, 'of the first 25, which the worn ones do not move').toContainText(/Média 1,09[78]/)
  await expect(toast(page)).not.toContainText('fora do plano')
  await expect.poll(said).toContain(`Altura: ${signal}`)
  await expectAccessible(page)
  await picture(page, 'item-carta-sinal')
  await chart.getByRole('button', { name: 'Anotar causa' }).click()
  await expect(page.getByRole('dialog', { name: 'Anotar causa' })).toBeVisible()
})
