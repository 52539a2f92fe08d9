import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EndHistory, HistoryEntry } from '../../src/contract/end-histories.ts'
import type { CutItem } from '../../src/contract/items.ts'
import type { Release } from '../../src/contract/releases.ts'
import { dayText } from '../../src/domain/plant/plant-time.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { callOf, crimpOf, ORDER, PASSWORD } from '../support/harness.ts'
import { planOf, setUpMeasuring } from '../support/measuring.ts'

const SEED = Number(process.env.SEED ?? 20261126)
const DAY_MS = 86_400_000
const DAYS = 30
const A_DAY = 2
const PIECES = 50
const DUE = '2027-06-30'

/** What somebody does before pieces are recorded. */
const story = fc.record({
  kind: fc.constantFrom('boa', 'ajustada', 'liberada', 'digitada'),
  tool: fc.constantFrom('MA-0001', 'MA-0002'),
  machine: fc.constantFrom('KX0001 - Komax', 'PR0001 - Schäfer'),
  instrument: fc.constantFrom('MIC-01', 'MIC-02', 'emprestado'),
  who: fc.constantFrom('operador', 'outro'),
  height: fc.integer({ min: 1060, max: 1140 }),
  bad: fc.integer({ min: 1300, max: 1500 }),
})
type Story = typeof story extends fc.Arbitrary<infer One> ? One : never

const names = { operador: 'Maria Souza', outro: 'João Dias' }

type Item = Pick<CutItem, 'Z1_CODBAR' | 'Z1_QUANT'>

/** Plays one story, and says what an auditor must be able to read of its pieces. */
async function play(
  panel: Awaited<ReturnType<typeof setUpMeasuring>>,
  one: Story,
  { item, nth, token, version }: { item: Item; nth: number; token: string; version: number },
) {
  const { clock, ask, measure } = panel
  const lot = `LOTE-${nth}`
  const place = { codigoBarras: item.Z1_CODBAR, miniaplicador: one.tool, maquina: one.machine, lote: lot }
  const samples: { id: string; medido: string; veredito: string; acao: string | null; em: string }[] = []
  const take = async (height: number, acao: 'ajustei' | 'manutencao' | null) => {
    clock.advance(60_000)
    const leituras = [
      { caracteristica: 'altura' as const, valores: [height] },
      { caracteristica: 'forca' as const, valores: [90_000] },
    ]
    const given = { ...place, leituras, instrumento: one.instrument, ...(acao ? { acao } : {}) }
    const { http, medicoes } = await measure(given, randomUUID(), token)
    expect(http).toBe(201)
    const medido = `Altura ${(height / 1000).toFixed(3).replace('.', ',')}`
    const em = new Date(clock.now()).toISOString()
    samples.push({ id: medicoes[0]?.id ?? '', medido, veredito: height > 1250 ? 'fora' : 'dentro', acao, em })
  }
  if (one.kind === 'ajustada') await take(one.bad, 'ajustei')
  if (one.kind === 'boa' || one.kind === 'ajustada') await take(one.height, null)
  if (one.kind === 'liberada') {
    await take(one.bad, 'manutencao')
    const call = callOf({ codigoBarras: item.Z1_CODBAR, miniaplicador: one.tool, maquina: one.machine })
    const called = await ask(token, {
      ...{ method: 'POST', url: '/api/chamados', payload: call },
      headers: { 'idempotency-key': randomUUID() },
    })
    expect(called.statusCode, called.body).toBe(201)
  }
  clock.advance(60_000)
  const reason = `Desvio ${nth}`
  const of = { filial: '010101', codigoBarras: item.Z1_CODBAR, ordem: ORDER, parte: 'l1' }
  const payload = { usuario: 'rita', senha: PASSWORD, ...of, motivo: reason }
  const liberacao =
    one.kind === 'liberada'
      ? (await ask(token, { method: 'POST', url: '/api/liberacoes', payload })).json<Release>().id
      : undefined
  const id = randomUUID()
  const medicoes = samples.map((sample) => sample.id)
  const captura = {
    ...{ plano: version, medidoForca: true, medidoAltura: true },
    ...(medicoes.length > 0 ? { medicoes } : {}),
    ...(liberacao ? { liberacao } : {}),
  }
  const height = (samples.at(-1) ? (one.kind === 'liberada' ? one.bad : one.height) : 1100) / 1000
  const recorded = await panel.record(
    token,
    {
      ...crimpOf(1, one.tool),
      ...{ COD_BARRA: item.Z1_CODBAR, QTD_ORDEM_PROD: item.Z1_QUANT, MAQUINA: one.machine, LOTE_TERM_LD1: lot },
      ...{ ALTURA_LD1: height, FORCA_LD1: 90, captura },
    },
    id,
  )
  expect(recorded.statusCode, `${one.kind} ${recorded.body}`).toBe(201)
  return { id, barcode: item.Z1_CODBAR, one, lot, samples, reason, version }
}

const ofKind = <Kind extends HistoryEntry['tipo']>({ entradas }: EndHistory, kind: Kind) =>
  entradas.filter((entry): entry is Extract<HistoryEntry, { tipo: Kind }> => entry.tipo === kind)

/** The ten questions, answered by what the page shows and nothing else. */
function answersOf(history: EndHistory, id: string) {
  const recording = ofKind(history, 'apontamento').find((entry) => entry.id === id)
  if (!recording) throw new Error('the piece is not in its history')
  const { linha, achados } = recording
  const samples = ofKind(history, 'medicao').filter(({ apontamentos }) => apontamentos.includes(id))
  const first = samples[0]?.em ?? recording.em
  const between = ({ em }: HistoryEntry) => em >= first && em <= recording.em
  return {
    materials: [linha.codigo, linha.lote, linha.selo],
    tool: linha.miniaplicador,
    setUp: [linha.maquina, ...new Set(samples.map(({ maquina, miniaplicador }) => `${maquina} ${miniaplicador}`))],
    limits: [...new Set((linha.medicoes ?? []).map(({ exigido, plano }) => `${exigido} v${plano}`))].sort(),
    who: [linha.operador, ...new Set(samples.map(({ operador }) => operador))],
    withWhat: [
      ...new Set(
        samples.flatMap(({ leituras }) =>
          leituras.map(({ instrumento, calibracao }) => `${instrumento} ${calibracao}`),
        ),
      ),
    ],
    out: samples.flatMap(({ em, leituras }) =>
      leituras.flatMap(({ medido, veredito }) => (veredito === 'fora' ? [`${em} ${medido}`] : [])),
    ),
    done: [
      ...samples.flatMap(({ acao }) => acao ?? []),
      ...ofKind(history, 'chamado')
        .filter(between)
        .map(({ assunto }) => assunto),
    ],
    where: linha.situacao,
    // one release may answer for the gauge too
    letThrough: [
      ...new Set(
        achados.flatMap(({ liberadoPor, motivoDaLiberacao }) =>
          liberadoPor ? [`${liberadoPor}: ${motivoDaLiberacao}`] : [],
        ),
      ),
    ],
  }
}

const limitsOf = (version: number) =>
  version === 1 ? ['Altura 1,050 a 1,150 v1', 'Força mín. 75 v1'] : ['Altura 1,050 a 1,250 v2', 'Força mín. 75 v2']

/** What was played. */
function expectedOf({
  one,
  lot,
  samples,
  reason,
  version,
}: Awaited<ReturnType<typeof play>>): ReturnType<typeof answersOf> {
  const isMeasured = samples.length > 0
  const calibration = one.instrument === 'emprestado' ? 'não se sabe' : `até ${dayText(DUE)}`
  return {
    materials: ['T1326030', lot, 'S0963244'],
    tool: one.tool,
    setUp: [one.machine, ...(isMeasured ? [`${one.machine} ${one.tool}`] : [])],
    limits: limitsOf(version),
    who: [names[one.who], ...(isMeasured ? [names[one.who]] : [])],
    withWhat: isMeasured ? [`${one.instrument} ${calibration}`] : [],
    out: samples.flatMap(({ em, medido, veredito }) => (veredito === 'fora' ? [`${em} ${medido}`] : [])),
    done: [
      ...samples.flatMap(({ acao }) => acao ?? []),
      ...(one.kind === 'liberada' ? ['Manutenção · Altura fora'] : []),
    ],
    where: 'entregue',
    letThrough: one.kind === 'liberada' ? [`Rita Melo: ${reason}`] : [],
  }
}

test('the ten questions of an auditor are answered for 50 random pieces of a played month', async () => {
  const panel = await setUpMeasuring()
  const { clock, ask, db } = panel
  const { items } = (
    await ask(panel.token, { url: `/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO` })
  ).json<{ items: CutItem[] }>()
  const ends = items.filter(
    ({ Z1_TERML1, Z1_BITOLA, Z1_QTREGL1 }) => Z1_TERML1 === 'T1326030' && Z1_BITOLA === '0,50' && Z1_QTREGL1 === 0,
  )
  expect(ends.length).toBeGreaterThan(0)
  await db.transaction((tx) => saveSetting(tx, PLAN_MODE, 'bloquear'))
  for (const codigo of ['MIC-01', 'MIC-02']) {
    const payload = { codigo, descricao: '', resolucao: 1, ativo: true, calibradoAte: DUE }
    await ask(panel.quality, { method: 'POST', url: '/api/instrumentos', payload })
  }
  await panel.plan()
  const stories = fc.sample(story, { numRuns: DAYS * A_DAY, seed: SEED })
  const played: Awaited<ReturnType<typeof play>>[] = []
  for (const [nth, one] of stories.entries()) {
    if (nth === stories.length / 2) {
      await db.transaction((tx) => tx.updateTable('control_plans').set({ valid_until: clock.now() }).execute())
      await panel.planVersion(planOf({ altura: { nominal: 1150, menos: 100, mais: 100 } }), 2)
    }
    if (nth % A_DAY === 0) clock.advance(DAY_MS - 3_600_000)
    // a call within five minutes would join the one before
    clock.advance(600_000)
    const { token } = await panel.login(one.who)
    const item = ends[nth % ends.length]
    if (item) played.push(await play(panel, one, { item, nth, token, version: nth < stories.length / 2 ? 1 : 2 }))
  }
  const { token } = await panel.login('rita')
  const pieces = fc.sample(fc.shuffledSubarray(played, { minLength: PIECES, maxLength: PIECES }), {
    numRuns: 1,
    seed: SEED,
  })
  for (const piece of pieces.flat()) {
    const query = new URLSearchParams({ filial: '010101', codigoBarras: piece.barcode, parte: 'l1' })
    const history = (await ask(token, { url: `/api/historia-da-medicao?${query}` })).json<EndHistory>()
    expect(answersOf(history, piece.id), piece.one.kind).toEqual(expectedOf(piece))
  }
})
