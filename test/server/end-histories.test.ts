import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EndHistory, HistoryEntry, HistoryRecording, HistorySample } from '../../src/contract/end-histories.ts'
import type { Release } from '../../src/contract/releases.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { unnameOldOperators } from '../../src/server/upkeep/operator-retention.ts'
import { callOf, crimpOf, databases, joinOf, ORDER, PASSWORD, UNTOUCHED } from '../support/harness.ts'
import { planOf, setUpMeasuring } from '../support/measuring.ts'

const END = { filial: '010101', codigoBarras: UNTOUCHED, parte: 'l1' }
const search = (query: Record<string, string>) => new URLSearchParams(query).toString()

async function setUp(options: Parameters<typeof setUpMeasuring>[0] = {}) {
  const panel = await setUpMeasuring(options)
  const { ask, token, db, clock } = panel
  const history = async (end: Record<string, string> = END, who = token): Promise<EndHistory> => {
    const answer = await ask(who, { url: `/api/historia-da-medicao?${search(end)}` })
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
    return answer.json()
  }
  const file = (what: 'csv' | 'folha', end: Record<string, string> = END) =>
    ask(token, { url: `/api/historia-da-medicao/${what}?${search(end)}` })
  const instrument = (codigo: string, calibradoAte?: string) =>
    ask(panel.quality, {
      method: 'POST',
      url: '/api/instrumentos',
      payload: { codigo, descricao: '', resolucao: 1, ativo: true, ...(calibradoAte ? { calibradoAte } : {}) },
    })
  const mode = (planMode: 'avisar' | 'bloquear') => db.transaction((tx) => saveSetting(tx, PLAN_MODE, planMode))
  const release = async () => {
    const place = { filial: '010101', codigoBarras: UNTOUCHED, ordem: ORDER, parte: 'l1' }
    const payload = { usuario: 'rita', senha: PASSWORD, ...place, motivo: 'Desvio 12/26' }
    return (await ask(token, { method: 'POST', url: '/api/liberacoes', payload })).json<Release>()
  }
  const call = (more: Parameters<typeof callOf>[0]) =>
    ask(token, {
      method: 'POST',
      url: '/api/chamados',
      headers: { 'idempotency-key': randomUUID() },
      payload: callOf(more),
    })
  /** Each a minute after the one before. */
  const later = () => clock.advance(60_000)
  return { ...panel, history, file, instrument, mode, release, call, later }
}

const kindsOf = ({ entradas }: EndHistory) => entradas.map(({ tipo }) => tipo)
const samplesOf = ({ entradas }: { entradas: HistoryEntry[] }) =>
  entradas.filter((one): one is HistorySample => one.tipo === 'medicao')
const recordingsOf = ({ entradas }: { entradas: HistoryEntry[] }) =>
  entradas.filter((one): one is HistoryRecording => one.tipo === 'apontamento')

test.each(databases)(
  'an end tells all that happened at it, in order of time, and how it was judged then, on %s',
  async (database) => {
    const panel = await setUp({ database })
    const { measure, heights, later, clock } = panel
    await panel.plan()
    await panel.mode('bloquear')
    await panel.instrument('MIC-01', '2026-12-31')
    const bad = await measure({ ...heights(1200, 1199), acao: 'qualidade', instrumento: 'MIC-01' })
    later()
    await panel.call({ sintoma: 'altura-fora', lado: '1' })
    await panel.call({ sintoma: 'selo-falha', lado: '2' })
    later()
    const { id: liberacao } = await panel.release()
    later()
    const recording = randomUUID()
    const captura = { plano: 1, liberacao, medicoes: [bad.medicoes[0]?.id ?? ''], medidoAltura: true }
    expect((await panel.record(panel.token, { ...crimpOf(2), captura }, recording)).statusCode).toBe(201)
    later()
    // another version from now on: what was judged before keeps its own
    const other = planOf({ altura: { nominal: 1150, menos: 100, mais: 100 } })
    await panel.db.transaction(async (tx) => {
      await tx.updateTable('control_plans').set({ valid_until: clock.now() }).execute()
    })
    await panel.planVersion(other, 2)
    const good = await measure({ ...heights(1201), ocasiao: 'avulsa', lote: 'outro' })
    await measure({ parte: 'l2', miniaplicador: 'MA-0002', ...heights(1100) })
    await panel.invalidate(good.medicoes[0]?.id ?? '')

    const story = await panel.history()
    const of = { ...END, ordem: ORDER, posicao: '', terminal: 'T1326030' }
    expect(story.extremo).toEqual({ ...of, item: expect.stringMatching(/\d/) })
    expect(kindsOf(story)).toEqual(['medicao', 'chamado', 'liberacao', 'apontamento', 'medicao'])
    expect(story.cortado).toBe(false)
    const [first, second] = samplesOf(story)
    expect(first?.leituras[0]?.calibracao, 'as it stood that day').toBe('até 31/12/2026')
    expect(first).toMatchObject({
      ...{ id: bad.medicoes[0]?.id, operador: 'Maria Souza', acao: 'qualidade', conta: true },
      ...{ ocasiao: 'primeira-peca', maquina: 'KX0001 - Komax', miniaplicador: 'MA-0001', lote: 'B23-004517/2' },
      ...{ terminal: 'T1326030', bitolaMilli: 500, demoraMinutos: null, invalida: null, apontamentos: [recording] },
      leituras: [
        {
          ...{ medido: 'Altura 1,200 / 1,199', exigido: 'Altura 1,050 a 1,150', plano: 1, fora: true },
          ...{ caracteristica: 'altura', veredito: 'fora', instrumento: 'MIC-01' },
        },
      ],
    })
    expect(second).toMatchObject({
      leituras: [{ exigido: 'Altura 1,050 a 1,250', plano: 2, veredito: 'dentro' }],
      ...{ apontamentos: [], invalida: { motivo: 'Lida com o bico errado', por: 'Rita Melo' } },
    })
    expect(recordingsOf(story)).toMatchObject([
      {
        id: recording,
        linha: {
          ...{ pecas: 2, forca: 70, lote: 'B23-004517/2', codigo: 'T1326030' },
          medicoes: [{ plano: 1, fora: true }, {}],
        },
        achados: [
          {
            ...{ achado: 'fora-do-plano', modo: 'bloquear', motivo: '', liberadoPor: 'Rita Melo' },
            motivoDaLiberacao: 'Desvio 12/26',
          },
        ],
      },
    ])
    expect(story.entradas[1]).toMatchObject({ ...{ assunto: 'Manutenção · Altura fora' }, situacao: 'aberto' })
    expect(story.entradas[2]).toMatchObject({ por: 'Rita Melo', motivo: 'Desvio 12/26', apontamento: recording })
  },
)

test('the reason of a plant that warns is told, and what nobody counts or received late says so', async () => {
  const panel = await setUp()
  const { measure, heights, clock } = panel
  await panel.plan(planOf(), clock.now() - 86_400_000)
  await panel.mode('avisar')
  const registradoEm = new Date(clock.now() - 3 * 3_600_000).toISOString()
  await measure({ ...heights(1200), captura: { registradoEm, salvoNoDispositivo: true } })
  panel.later()
  const motivoForaDoPlano = { motivo: 'amostra', texto: 'para o cliente' } as const
  const captura = { plano: 1, motivoForaDoPlano, medidoForca: true }
  await panel.record(panel.token, { ...crimpOf(1), FORCA_LD1: 60, captura })
  const story = await panel.history()
  expect(samplesOf(story)[0]).toMatchObject({ em: registradoEm, demoraMinutos: 180 })
  expect(recordingsOf(story)[0]?.achados).toMatchObject([
    { achado: 'fora-do-plano', modo: 'avisar', motivo: expect.stringContaining('para o cliente') },
  ])
  expect(recordingsOf(story)[0]?.linha.medicoes, 'what was typed stands with its recording').toMatchObject([
    { medido: 'Força 60', fora: true },
  ])
})

test('what was dated back online is marked, what waited on a tablet is not', async () => {
  const panel = await setUp()
  const { measure, heights, clock } = panel
  await panel.plan(planOf(), clock.now() - 60 * 86_400_000)
  const days = (count: number) => new Date(clock.now() - count * 86_400_000).toISOString()
  await measure({ ...heights(1100), captura: { registradoEm: days(40) } })
  await measure({ ...heights(1101), captura: { registradoEm: days(2), salvoNoDispositivo: true } })
  await measure({ ...heights(1102), captura: { registradoEm: new Date(clock.now() - 60_000).toISOString() } })
  const said = samplesOf(await panel.history()).map((one) => [one.demoraMinutos, one.achados])
  expect(said).toEqual([
    [40 * 1440, ['registrado-depois']],
    [2 * 1440, []],
    [null, []],
  ])
  const listed = (await panel.listed()).map(({ medidoEm, recebidoEm, apontamentos }) => [
    Date.parse(recebidoEm ?? '') - Date.parse(medidoEm),
    apontamentos,
  ])
  expect(listed, 'a chart is told too').toContainEqual([40 * 86_400_000, ['registrado-depois']])
  const ofOrder = await panel.ask(panel.token, { url: `/api/rastreabilidade?termo=${ORDER}` })
  expect(ofOrder.json().amostras.at(-1)).toMatchObject({ demoraMinutos: 40 * 1440, achados: ['registrado-depois'] })
  expect((await panel.file('folha')).body).toContain(', 40 d depois</span>')
})

test('a call that names no item answers a sample outside at its machine and tool within a quarter of an hour', async () => {
  const panel = await setUp()
  await panel.plan()
  await panel.measure({ ...panel.heights(1200), acao: 'manutencao', maquina: 'PR0001 - Schäfer' })
  const nowhere = { codigoBarras: undefined, ordem: undefined, lado: undefined }
  panel.later()
  await panel.call({ ...nowhere, sintoma: 'altura-fora' })
  await panel.call({ ...nowhere, sintoma: 'altura-fora', miniaplicador: 'MA-0002' })
  await panel.call({ ...nowhere, sintoma: 'altura-fora', maquina: 'PR0002 - Schäfer' })
  panel.clock.advance(15 * 60_000)
  await panel.call({ ...nowhere, sintoma: 'selo-falha' })
  const story = await panel.history()
  expect(story.entradas.map((one) => (one.tipo === 'chamado' ? one.numero : one.tipo))).toEqual(['medicao', 1])
})

test('a call says which team was called, and for what', async () => {
  const panel = await setUp()
  await panel.plan()
  const { medicoes } = await panel.measure({ ...panel.heights(1200), acao: 'qualidade' })
  panel.later()
  await panel.call({ sintoma: 'outro', equipe: 'qualidade', assunto: 'medicao-fora', medicao: medicoes[0]?.id })
  const story = await panel.history()
  expect(story.entradas[1]).toMatchObject({ assunto: 'Qualidade · Medição fora', abertoPor: 'Maria Souza' })
  expect((await panel.file('folha')).body).toContain('Qualidade · Medição fora')
  expect((await panel.file('csv')).body).toContain('Qualidade · Medição fora')
})

test('a junction has a history of its own, and an end of which nobody knows anything an empty one', async () => {
  const panel = await setUp()
  const { ask, token, heights, measure } = panel
  await ask(token, { url: `/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}` })
  const place = { parte: 'juncao', codigoBarras: undefined, posicao: 'J01' } as const
  await measure({ ...heights(1520), ...place, terminal: 'T0925590', miniaplicador: undefined })
  const joined = await ask(token, {
    ...{ method: 'POST', url: '/api/juncao/registrar-apontamento', payload: joinOf(3) },
    headers: { 'idempotency-key': randomUUID() },
  })
  expect(joined.statusCode, joined.body).toBe(201)
  const end = { filial: '010101', ordem: ORDER, posicao: 'J01', parte: 'juncao' }
  const story = await panel.history(end)
  expect(story.extremo).toMatchObject({ ordem: ORDER, posicao: 'J01', codigoBarras: '', item: '' })
  expect(kindsOf(story)).toEqual(['medicao', 'apontamento'])
  expect(await panel.history({ ...end, posicao: 'J99' })).toMatchObject({ entradas: [], cortado: false })
  expect((await ask(token, { url: '/api/historia-da-medicao?filial=010101&parte=juncao' })).statusCode).toBe(400)
  expect((await ask(token, { url: '/api/historia-da-medicao?filial=010101&parte=l1' })).statusCode).toBe(400)
})

test('the file and the sheet say the same, and no name breaks out of its cell or runs as a formula', async () => {
  const panel = await setUp()
  const { measure, heights } = panel
  await panel.plan()
  const evil = '=HYPERLINK("x");<b>&'
  await measure({ ...heights(1200), acao: 'ajustei', lote: evil, instrumento: '@SOMA(A1)' })
  panel.later()
  await panel.record(panel.token, crimpOf(3))
  const csv = await panel.file('csv')
  expect(csv.headers['content-disposition']).toBe(
    `attachment; filename="historia_medicao_${UNTOUCHED}_l1_2026-11-21.csv"`,
  )
  const [head = '', ...lines] = csv.body.trimEnd().split('\r\n')
  const columns = head.replace('\uFEFF', '').split(';')
  expect(lines).toHaveLength(2)
  const cell = (at: number, name: string) => lines[at]?.split(';')[columns.indexOf(name)]
  expect(lines.every((line) => line.split(';').length === columns.length)).toBe(true)
  expect(
    ['Medido', 'Limites', 'Versão do plano', 'Veredito', 'O que fez', 'Quem'].map((name) => cell(0, name)),
  ).toEqual(['"Altura 1,200"', '"Altura 1,050 a 1,150"', 'v1', 'fora', '"Ajustei, vou medir de novo"', '"Maria Souza"'])
  expect([cell(0, 'Lote'), cell(0, 'Instrumento')]).toEqual([`"=""'=HYPERLINK(""""x""""),<b>&"""`, `"=""'@SOMA(A1)"""`])
  expect([cell(1, 'O quê'), cell(1, 'Peças'), cell(1, 'Lote')]).toEqual(['Apontamento', '3', '"=""B23-004517/2"""'])

  const { headers, body } = await panel.file('folha')
  expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'sha256-")
  for (const part of [
    '<title>História da medição</title>',
    '<dt>Extremo</dt><dd>Terminal Lado 1</dd>',
    '<span class="unmeasured">Altura 1,200 mm · 1,050 a 1,150 · plano v1 · fora</span>',
    '<span>Ajustei, vou medir de novo</span>',
    'Lote: =HYPERLINK(&quot;x&quot;);&lt;b&gt;&amp;',
    '<tr><td id="fim" colspan="5">Fim da história: 2 linhas</td></tr>\n</tbody>',
  ]) {
    expect(body).toContain(part)
  }
  const exported = (await panel.audit()).filter(({ action }) => action === 'exported')
  expect(exported, 'a file leaves a line in the trail').toHaveLength(1)
})

test('names in it follow their retention', async () => {
  const panel = await setUp()
  const { measure, heights, clock } = panel
  await panel.plan(planOf(), clock.now() - 1000)
  await measure({ ...heights(1200), acao: 'ajustei' })
  await panel.release()
  clock.advance(10 * 365 * 86_400_000)
  await unnameOldOperators(panel.context)
  const { token } = await panel.login('operador')
  const said = JSON.stringify(await panel.history(END, token))
  expect(said).not.toMatch(/Maria Souza|Rita Melo/)
  expect(samplesOf(JSON.parse(said))[0]?.operador).not.toBe('')
})
