import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EndHistory, HistoryEntry } from '../../src/contract/end-histories.ts'
import type { PlanFinding, Release } from '../../src/contract/releases.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { callOf, crimpOf, databases, ORDER, PASSWORD, scrapOf, UNTOUCHED } from '../support/harness.ts'
import { setUpMeasuring } from '../support/measuring.ts'

const END = { filial: '010101', codigoBarras: UNTOUCHED, parte: 'l1' }

async function setUp(options: Parameters<typeof setUpMeasuring>[0] = {}) {
  const panel = await setUpMeasuring(options)
  const { ask, token, quality, db, clock } = panel
  const query = new URLSearchParams(END)
  const history = async (): Promise<EndHistory> =>
    (await ask(token, { url: `/api/historia-da-medicao?${query}` })).json()
  const file = async (what: 'csv' | 'folha') =>
    (await ask(token, { url: `/api/historia-da-medicao/${what}?${query}` })).body
  const post = (who: string, url: string, payload: object) =>
    ask(who, { method: 'POST', url, payload, headers: { 'idempotency-key': randomUUID() } })
  const release = async (more: object = {}) => {
    const place = { filial: '010101', codigoBarras: UNTOUCHED, ordem: ORDER, parte: 'l1' }
    const payload = { usuario: 'rita', senha: PASSWORD, ...place, motivo: 'Desvio 12/26', ...more }
    return (await post(token, '/api/liberacoes', payload)).json<Release>().id
  }
  const treatFindings = async (texto: string) => {
    const url = '/api/planos-de-controle/ocorrencias'
    const { ocorrencias } = (await ask(quality, { url })).json<{ ocorrencias: PlanFinding[] }>()
    for (const { id } of ocorrencias) await post(quality, `${url}/${id}/tratamentos`, { texto })
  }
  const mode = (planMode: 'observar' | 'bloquear') => db.transaction((tx) => saveSetting(tx, PLAN_MODE, planMode))
  const later = () => clock.advance(60_000)
  return { ...panel, history, file, post, release, treatFindings, mode, later }
}

const ofKind = <Kind extends HistoryEntry['tipo']>({ entradas }: EndHistory, kind: Kind) =>
  entradas.filter((entry): entry is Extract<HistoryEntry, { tipo: Kind }> => entry.tipo === kind)

/** Cells of the file, a line each, by the names of its columns. */
function cellsOf(csv: string): Record<string, string>[] {
  const [head = '', ...lines] = csv.replace('\uFEFF', '').trimEnd().split('\r\n')
  const columns = head.split(';')
  return lines.map((line) =>
    Object.fromEntries(line.split(';').map((cell, at) => [columns[at], cell.replace(/^"|"$/g, '')])),
  )
}

test.each(databases)(
  'causes, treatments and what was thrown away stand in the history, on page, paper and in the file, on %s',
  async (database) => {
    const panel = await setUp({ database })
    const { measure, heights, later, post, token, quality } = panel
    await panel.plan()
    const { medicoes } = await measure({ ...heights(1200), acao: 'ajustei' })
    const id = medicoes[0]?.id ?? ''
    later()
    const adjusted = { caracteristica: 'altura', causa: 'ajuste', nota: 'Altura regulada' }
    await post(token, `/api/medicoes/${id}/causa`, adjusted)
    later()
    const cause = { caracteristica: 'altura', causa: 'ferramenta-gasta', nota: 'Crimpador trocado' }
    await post(quality, `/api/medicoes/${id}/causa`, cause)
    await post(quality, `/api/planos-de-controle/medicoes-fora/${id}/tratamentos`, { texto: 'Peças separadas' })
    later()
    const thrown = await post(token, '/api/refugos', scrapOf({ motivo: 'altura-fora', pecas: 12 }))
    await post(token, '/api/refugos', scrapOf({ parte: 'l2', miniaplicador: 'MA-0002' }))
    later()
    await post(token, '/api/refugos', scrapOf({ parte: 'cabo', motivo: 'outro', texto: 'Rolo torto', pecas: 1 }))
    await post(token, `/api/refugos/${thrown.json().refugo.id}/estorno`, {})

    const story = await panel.history()
    const [sample] = ofKind(story, 'medicao')
    expect(sample?.causas, 'quality’s first').toMatchObject([
      { caracteristica: 'altura', causa: 'ferramenta-gasta', nota: 'Crimpador trocado', por: 'Rita Melo' },
      { causa: 'ajuste', por: 'Maria Souza', qualidade: false },
    ])
    expect([sample?.situacao, sample?.tratamentos]).toMatchObject([
      'tratada',
      [{ por: 'Rita Melo', texto: 'Peças separadas' }],
    ])
    expect(ofKind(story, 'refugo'), 'nothing of the other end').toMatchObject([
      { parte: 'l1', pecas: 12, operador: 'Maria Souza', miniaplicador: 'MA-0001', desfeito: { por: 'Maria Souza' } },
      { parte: 'cabo', pecas: 1, nota: 'Rolo torto', desfeito: null },
    ])
    const sheet = await panel.file('folha')
    for (const text of [
      'Causa da altura: Ferramenta gasta: Crimpador trocado (Rita Melo, qualidade, ',
      'Causa da altura: Ajuste da altura: Altura regulada (Maria Souza, ',
      ': Peças separadas',
      'Tratada por Rita Melo em ',
      'Refugo: Terminal Lado 1 · 12 peças',
      'Refugo: Cabo · 1 peça',
      'Desfeito por Maria Souza em ',
      'Outro: Rolo torto',
    ]) {
      expect(sheet).toContain(text)
    }
    const [measured, scrap] = cellsOf(await panel.file('csv'))
    expect([measured?.Causas, measured?.Tratamentos]).toEqual([
      expect.stringMatching(/^Ferramenta gasta: .* · Ajuste da altura: /),
      expect.stringMatching(/^Rita Melo, .*: Peças separadas$/),
    ])
    expect([scrap?.['O quê'], scrap?.Peças, scrap?.Quem, scrap?.Situação]).toEqual([
      'Refugo',
      '12',
      'Maria Souza',
      'Desfeito',
    ])
  },
)

test('a recording outside its plan says what was outside, and a release what it looked at and let through', async () => {
  const panel = await setUp()
  const { measure, heights, later, record, token } = panel
  await panel.plan()
  await panel.mode('bloquear')
  const { medicoes } = await measure({ ...heights(1200, 1199), acao: 'qualidade', instrumento: 'MIC-01' })
  const act = medicoes[0]?.id ?? ''
  later()
  const unused = await panel.release({ atos: [act], pecas: 5 })
  const liberacao = await panel.release({
    atos: [act],
    digitados: [{ caracteristica: 'forca', valor: 70_000 }],
    pecas: 3,
  })
  later()
  const id = randomUUID()
  const captura = { plano: 1, liberacao, medidoForca: true }
  expect((await record(token, { ...crimpOf(2), FORCA_LD1: 70, captura }, id)).statusCode).toBe(201)
  later()
  await panel.treatFindings('Lote separado')

  const story = await panel.history()
  const [recording] = ofKind(story, 'apontamento')
  expect(recording?.fora, 'no sample that it names says so').toMatchObject([
    { caracteristica: 'altura', medido: 'Altura 1,200 / 1,199', exigido: 'Altura 1,050 a 1,150', plano: 1 },
  ])
  expect(recording?.achados).toMatchObject([
    {
      ...{
        achado: 'fora-do-plano',
        caracteristicas: ['altura', 'forca'],
        liberadoPor: 'Rita Melo',
        situacao: 'tratada',
      },
      ...{ liberadoPorQuemApontou: false, liberadoSemAmostras: false, tratamentos: [{ texto: 'Lote separado' }] },
    },
  ])
  expect(ofKind(story, 'liberacao').find((one) => one.id === liberacao)).toMatchObject({
    ...{ apontamento: id, pecas: 3, propria: false },
    olhadas: [
      { caracteristica: 'altura', medido: 'Altura 1,200 / 1,199', em: expect.any(String) },
      { caracteristica: 'forca', medido: 'Força 70', em: null },
    ],
  })
  expect(ofKind(story, 'liberacao').find((one) => one.id === unused)).toMatchObject({ apontamento: null, pecas: 5 })
  const sheet = await panel.file('folha')
  for (const text of [
    'Altura 1,200 / 1,199 mm · 1,050 a 1,150 · plano v1 · fora · medida em ',
    'Força 70 N · mín. 75 · plano v1 · fora',
    'Sem instrumento: força digitada',
    'Fora do plano: altura e força (com bloqueio)',
    'Usada no apontamento de ',
    ' (2 peças)',
    'Até 3 peças',
    'Ainda não usada',
    'Olhou: Força 70 N, digitada',
    'Instrumento: MIC-01, calibração: não se sabe',
    'Mini aplicador: MA-0001',
    'Máquina: KX0001 - Komax',
    'Lote: B23-004517/2',
  ]) {
    expect(sheet).toContain(text)
  }
})

test('a sample that a release looked at, or that left a recording outside, says so', async () => {
  const panel = await setUp()
  const { measure, heights, later, record, token } = panel
  await panel.plan()
  await panel.mode('bloquear')
  const { medicoes } = await measure({ ...heights(1200), acao: 'qualidade' })
  later()
  const looked = await panel.file('folha')
  expect(looked).toContain('Nenhum apontamento a usa')
  const liberacao = await panel.release({ atos: [medicoes[0]?.id], pecas: 2 })
  later()
  expect((await record(token, { ...crimpOf(2), captura: { plano: 1, liberacao } })).statusCode).toBe(201)
  const sheet = await panel.file('folha')
  const [release] = ofKind(await panel.history(), 'liberacao')
  expect(release?.olhadas).toMatchObject([{ ato: medicoes[0]?.id }])
  expect(sheet).toMatch(/<span>Olhada na liberação de \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d<\/span>/)
  expect(sheet).toMatch(/<span>Deixou fora do plano o apontamento de \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d<\/span>/)
  expect(sheet).not.toContain('Nenhum apontamento a usa')
})

test.each(databases)(
  'when it was measured good again is told, of a sample outside and of what was recorded meanwhile, on %s',
  async (database) => {
    const panel = await setUp({ database })
    const { measure, heights, later, record, token } = panel
    await panel.plan()
    const avulsa = { ocasiao: 'avulsa' } as const
    await measure({ ...heights(1200), ...avulsa, acao: 'ajustei' })
    later()
    await record(token, { ...crimpOf(2), captura: { plano: 1 } })
    later()
    await measure({ ...heights(1210), ...avulsa, acao: 'ajustei' })
    later()
    const open = ofKind(await panel.history(), 'medicao').map(({ situacao, medidaEm }) => [situacao, medidaEm])
    expect(open).toEqual([
      ['aberta', null],
      ['aberta', null],
    ])
    const force = { caracteristica: 'forca' as const, valores: [92_000] }
    const first = await measure({ ...avulsa, leituras: [...heights(1100).leituras, force] })
    later()
    await measure({ ...heights(1101), ...avulsa })
    const at = first.medicoes[0]?.medidoEm
    const story = await panel.history()
    const medidas = ofKind(story, 'medicao').map(({ situacao, medidaEm }) => [situacao, medidaEm])
    expect(medidas).toEqual([
      ['medida', at],
      ['medida', at],
      [null, null],
      [null, null],
    ])
    const [finding] = ofKind(story, 'apontamento')[0]?.achados ?? []
    expect(finding).toMatchObject({ achado: 'fora-do-plano', situacao: 'medida', medidaEm: at })
    const said = /Medida de novo em \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d: dentro/g
    expect(new Set((await panel.file('folha')).match(said))).toHaveLength(1)
    expect((await panel.file('folha')).match(said)).toHaveLength(3)
    expect(cellsOf(await panel.file('csv')).filter((line) => line['Medida de novo em'] !== '')).toHaveLength(3)
  },
)

test('a call names the readings outside that it was opened for, chosen by the page or told by its time', async () => {
  const panel = await setUp()
  const { measure, heights, later, token } = panel
  await panel.plan()
  const call = (more: Parameters<typeof callOf>[0]) => panel.post(token, '/api/chamados', callOf(more))
  const { medicoes } = await measure({ ...heights(1100, 1200, 1101), acao: 'qualidade' })
  later()
  await call({ sintoma: 'outro', equipe: 'qualidade', assunto: 'medicao-fora', medicao: medicoes[0]?.id })
  later()
  await measure({ ...heights(1210), acao: 'manutencao' })
  later()
  await call({ sintoma: 'altura-fora', maquina: 'KX0001 - Komax' })
  later()
  await call({ sintoma: 'selo-falha', maquina: 'KX0002 - Komax' })
  const story = await panel.history()
  const causes = ofKind(story, 'chamado').map((one) => one.medicoes.map(({ medido }) => medido))
  expect(causes).toEqual([['Altura 1,100 / 1,200 (fora) / 1,101'], ['Altura 1,210'], []])
  const said = 'Altura 1,100 / 1,200 (fora) / 1,101 mm · 1,050 a 1,150 · plano v1 · fora'
  expect(await panel.file('folha')).toContain(`<span class="unmeasured">Por causa de: ${said} · medida em `)
  const [, called] = cellsOf(await panel.file('csv'))
  expect(called?.['O que se olhou']).toContain(said)
})

test('a sample with an instrument whose calibration was over says so at its head, whatever became of it later', async () => {
  const panel = await setUp()
  const { measure, heights, later, quality } = panel
  await panel.plan()
  const instrument = { codigo: 'MIC-01', descricao: '', resolucao: 1, ativo: true, calibradoAte: '2026-11-20' }
  const made = await panel.post(quality, '/api/instrumentos', instrument)
  expect(made.statusCode, made.body).toBeLessThan(300)
  await measure({ ...heights(1100), instrumento: 'MIC-01' })
  later()
  await measure({ ...heights(1101), ocasiao: 'avulsa', instrumento: 'PAQ-01' })
  const readings = ofKind(await panel.history(), 'medicao').flatMap(({ leituras }) => leituras)
  expect(readings).toMatchObject([
    { calibracao: 'vencida em 20/11/2026', vencido: true },
    { calibracao: 'não se sabe', vencido: false },
  ])
  const sheet = await panel.file('folha')
  expect(sheet.match(/<tr><td><span>[^<]*<\/span><span>Medição: [^<]*<\/span><span class="unmeasured">[^<]*/g)).toEqual(
    [expect.stringMatching(/>Instrumento vencido: MIC-01$/)],
  )
  expect(cellsOf(await panel.file('csv')).map((line) => line['Instrumento vencido'])).toEqual(['sim', ''])
})

test('what was crimped with a tool that nobody has registered says so, in scrap and samples', async () => {
  const panel = await setUp()
  const { measure, heights, later, post, token } = panel
  await panel.plan()
  await measure({ ...heights(1100), miniaplicador: undefined })
  later()
  await post(token, '/api/refugos', scrapOf({ miniaplicador: undefined }))
  await post(token, '/api/refugos', scrapOf({ parte: 'cabo', miniaplicador: undefined }))
  expect((await panel.file('folha')).match(/Sem mini aplicador cadastrado/g)).toHaveLength(2)
})

test('who recorded and released is told, and a release of an older page, which looked at nothing', async () => {
  const panel = await setUp()
  const { measure, heights, later, record, quality } = panel
  await panel.plan()
  await panel.mode('bloquear')
  await measure({ ...heights(1200), acao: 'qualidade' })
  later()
  const liberacao = await panel.release()
  await record(quality, { ...crimpOf(1), captura: { plano: 1, liberacao } })
  const story = await panel.history()
  expect(ofKind(story, 'liberacao')).toMatchObject([{ propria: true, olhadas: null, pecas: null }])
  const sheet = await panel.file('folha')
  for (const text of ['Liberado por quem apontou', 'Sem amostras']) expect(sheet).toContain(text)
})

test('a sheet sums up at its head, and each page of it says what it is of', async () => {
  const panel = await setUp()
  const { measure, heights, later, record, token, post } = panel
  await panel.plan()
  await measure({ ...heights(1100), ocasiao: 'avulsa' })
  later()
  await measure({ ...heights(1200), acao: 'ajustei' })
  later()
  await record(token, { ...crimpOf(4), captura: { medidoForca: true } })
  later()
  await post(token, '/api/refugos', scrapOf({ pecas: 2 }))
  const sheet = await panel.file('folha')
  expect(sheet).toContain('<dt>Medições</dt><dd>2, 1 fora, 1 em aberto</dd>')
  expect(sheet).toContain('<dt>Apontamentos</dt><dd>Terminal Lado 1: 1 (4 peças)')
  expect(sheet).toContain('<dt>Refugo</dt><dd>2 peças</dd>')
  expect(sheet).toMatch(
    /<dt>Último apontamento<\/dt><dd>Terminal Lado 1: Entregue ao ERP, \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d<\/dd>/,
  )
  const running = /<thead><tr><th[^>]*>(.*?)<\/th>/.exec(sheet)?.[1] ?? ''
  for (const text of ['História da medição', `OP ${ORDER}`, 'Terminal Lado 1', 'T1326030', UNTOUCHED, 'impressa em']) {
    expect(running).toContain(text)
  }
})
