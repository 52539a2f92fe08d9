import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Measurement } from '../../src/contract/measurements.ts'
import { TRACE_LINES_MAX, type Trace, type TraceKind } from '../../src/contract/traces.ts'
import { fillSubjects } from '../../src/server/store/sample-subjects.ts'
import { crimpOf, type Database, databases, ORDER, UNTOUCHED } from '../support/harness.ts'
import { setUpMeasuring } from '../support/measuring.ts'

async function setUp(database: Database = 'sqlite') {
  const panel = await setUpMeasuring({ database })
  const { ask, token, clock } = panel
  const url = (what: string, query: Record<string, string>) =>
    `/api/rastreabilidade${what}?${new URLSearchParams(query)}`
  const trace = async (termo: string, more: Record<string, string> = {}): Promise<Trace> => {
    const answer = await ask(token, { url: url('', { termo, ...more }) })
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
    return answer.json()
  }
  const file = async (what: '/csv' | '/folha', query: Record<string, string>) =>
    (await ask(token, { url: url(what, query) })).body
  /** Everything has an instant of its own. */
  const measure = async (...given: Parameters<typeof panel.measure>) => {
    clock.advance(1000)
    const { medicoes } = await panel.measure(...given)
    return medicoes[0]?.id ?? ''
  }
  const record = async (...given: Parameters<typeof panel.record> extends [string, ...infer Rest] ? Rest : never) => {
    clock.advance(1000)
    const answer = await panel.record(panel.token, ...given)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json()
  }
  return { ...panel, trace, file, measure, record }
}

const idsOf = ({ amostras = [] }: Trace) => amostras.map(({ id }) => id)

test.each(databases)(
  'samples stand in the trace of their order, item, tool, lot, machine and instrument, named or not, on %s',
  async (database) => {
    const { plan, measure, heights, record, trace, invalidate, db } = await setUp(database)
    await plan()
    const alone = await measure({ ...heights(1200), acao: 'ajustei', lote: 'só aqui', instrumento: 'mic-01' })
    const named = await measure(heights(1100))
    const taken = await measure({ ...heights(1101), instrumento: 'MIC-01' })
    await invalidate(taken)
    const recording = randomUUID()
    await record({ ...crimpOf(2), captura: { medidoAltura: true, medicoes: [named] } }, recording)
    const all = [taken, named, alone]

    const ofOrder = await trace(ORDER)
    expect([ofOrder.tipo, ofOrder.linhas.map(({ id }) => id), idsOf(ofOrder)]).toEqual(['ordem', [recording], all])
    expect(ofOrder.amostras).toMatchObject([
      { situacao: 'invalida', motivo: 'Lida com o bico errado (Rita Melo)', nomeada: false },
      { situacao: 'vale', motivo: '', nomeada: true },
      {
        ...{ nomeada: false, acao: 'ajustei', parte: 'l1', ordem: ORDER, barras: UNTOUCHED, operador: 'Maria Souza' },
        ...{ item: expect.stringMatching(/\d/), terminal: 'T1326030', bitolaMilli: 500, demoraMinutos: null },
        medicoes: [
          { medido: 'Altura 1,200', exigido: 'Altura 1,050 a 1,150', plano: 1, fora: true, caracteristica: 'altura' },
        ],
      },
    ])
    const cases: [string, TraceKind, string[]][] = [
      [UNTOUCHED, 'barras', all],
      [' ma-0001', 'miniaplicador', all],
      ['B23-004517/2', 'lote', [taken, named]],
      ['KX0001', 'maquina', all],
      ['KX0001 - Komax', 'maquina', all],
      ['Mic-01', 'instrumento', [taken, alone]],
      ['só aqui ', 'lote', [alone]],
    ]
    for (const [term, kind, ids] of cases) {
      const found = await trace(term)
      expect([found.tipo, idsOf(found)], term).toEqual([kind, ids])
    }
    expect(await trace('só aqui'), 'without any recording').toMatchObject({
      encontrados: [{ tipo: 'lote', apontamentos: 0 }],
      contagens: { apontamentos: 0 },
    })
    expect((await trace('nada')).encontrados).toEqual([])

    // as a server of the version before leaves them
    const stored = () => db.read.selectFrom('sample_subjects').selectAll().orderBy('act_id').orderBy('kind').execute()
    const before = await stored()
    await db.transaction((tx) => tx.deleteFrom('sample_subjects').execute())
    await fillSubjects(db)
    await fillSubjects(db)
    expect(await stored()).toEqual(before)
  },
)

test('a machine is one however it is written, in the lines of its trace as among its samples', async () => {
  const { record, trace, measure } = await setUp()
  const ids: string[] = []
  for (const MAQUINA of ['KX0001', 'KX0001 - Komax', 'KX0002 - Komax']) {
    const id = randomUUID()
    await record({ ...crimpOf(1), MAQUINA }, id)
    ids.unshift(id)
  }
  await measure({ maquina: 'KX0001' })
  for (const term of ['KX0001', 'KX0001 - Komax']) {
    const { linhas, amostras, contagens } = await trace(term, { tipo: 'maquina' })
    expect([linhas.map(({ id }) => id), amostras?.length, contagens.apontamentos], term).toEqual([ids.slice(1), 1, 2])
  }
})

test('a sample whose force was measured with another instrument stands in the trace of both', async () => {
  const { measure, trace, db } = await setUp()
  const leituras = [
    { caracteristica: 'altura' as const, valores: [1100] },
    { caracteristica: 'forca' as const, valores: [80_000] },
  ]
  const id = await measure({ leituras, instrumento: 'MIC-01' })
  await db.transaction(async (tx) => {
    await tx.updateTable('measurements').set({ instrument: 'DIN-01' }).where('characteristic', '=', 'forca').execute()
    await tx.deleteFrom('sample_subjects').execute()
  })
  await fillSubjects(db)
  expect([idsOf(await trace('MIC-01')), idsOf(await trace('DIN-01'))]).toEqual([[id], [id]])
})

test('each page goes on where the one before ended, also among many samples of one instant', async () => {
  const { heights, record, trace, db, measure } = await setUp()
  const id = await measure(heights(1100))
  await record(crimpOf(1))
  const [row] = await db.read.selectFrom('measurements').selectAll().where('act_id', '=', id).execute()
  if (!row) throw new Error('nothing was measured')
  const { id: _, ordered_at: __, ...copy } = row
  const copies = Array.from({ length: TRACE_LINES_MAX * 2 }, () => ({ ...copy, act_id: randomUUID() }))
  await db.transaction((tx) => tx.insertInto('measurements').values(copies).execute())
  const pages = [await trace(ORDER)]
  for (let next = pages[0]?.proxima; next; next = pages.at(-1)?.proxima) {
    pages.push(await trace(ORDER, { tipo: 'ordem', depoisDe: next }))
  }
  expect(pages.map(({ linhas, amostras = [] }) => [linhas.length, amostras.length])).toEqual([
    [1, TRACE_LINES_MAX - 1],
    [0, TRACE_LINES_MAX],
    [0, 2],
  ])
  expect(new Set(pages.flatMap(idsOf)).size).toBe(TRACE_LINES_MAX * 2 + 1)
})

test('filters, sheet and file have them too, and count recordings alone', async () => {
  const { plan, measure, heights, record, trace, file, invalidate } = await setUp()
  await plan()
  const bad = await measure({ ...heights(1200), acao: 'ajustei' })
  await record(crimpOf(4))
  await invalidate(await measure(heights(1100)))
  const outside = await trace(ORDER, { tipo: 'ordem', filtro: 'fora-do-plano' })
  expect([idsOf(outside), outside.linhas, outside.contagens.apontamentos]).toEqual([[bad], [], 0])
  expect(idsOf(await trace(ORDER, { tipo: 'ordem', filtro: 'nao-medido' }))).toEqual([])

  const csv = (await file('/csv', { termo: ORDER, tipo: 'ordem' })).trimEnd().split('\r\n')
  const head = csv[0]?.split(';') ?? []
  const cell = (line: number, name: string) => csv[line]?.split(';')[head.indexOf(name)]
  expect(csv.map((line) => line.split(';').length)).toEqual([head.length, head.length, head.length, head.length])
  const outcome = [1, 2, 3].map((line) => [cell(line, 'Etapa'), cell(line, 'Peças'), cell(line, 'Situação')])
  expect(outcome, 'each at its place in time').toEqual([
    ['Medição: Terminal Lado 1', '', '"Invalidada: Lida com o bico errado (Rita Melo)"'],
    ['Terminal Lado 1', '4', expect.stringContaining('ERP')],
    ['Medição: Terminal Lado 1', '', '"Vale"'],
  ])
  expect([cell(3, 'Medições'), cell(3, 'Veredito do plano'), cell(3, 'Apontamento')]).toEqual([
    '"Altura 1,200"',
    'fora do plano',
    bad,
  ])
  const sheet = await file('/folha', { termo: ORDER, tipo: 'ordem' })
  expect(sheet).toContain('<span>Medição: Terminal Lado 1</span>')
  expect(sheet).toContain('<span class="unmeasured">fora do plano v1</span>')
  expect(sheet).toContain('Fim da folha: 1 apontamento</p>')
})

test('the samples of a junction have a list, and stand in traces, counted or not', async () => {
  const { ask, token, heights, measure, trace, db } = await setUp()
  await ask(token, { url: `/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}` })
  const place = { parte: 'juncao', codigoBarras: undefined, miniaplicador: undefined, terminal: 'T0925590' } as const
  const id = await measure({ ...heights(1520), ...place, posicao: 'J01' })
  const other = await measure({ ...heights(1520), ...place, posicao: 'J02' })
  // as one whose author nobody has confirmed
  await db.transaction((tx) => tx.updateTable('measurements').set({ counted: 0 }).where('act_id', '=', other).execute())
  for (const term of [ORDER, 'KX0001', 'B23-004517/2']) {
    const { amostras } = await trace(term)
    expect(amostras, term).toMatchObject([
      { id: other, parte: 'juncao', posicao: 'J02', situacao: 'nao-conta' },
      { id, parte: 'juncao', posicao: 'J01', situacao: 'vale' },
    ])
  }
  const list = async (query: string) => await ask(token, { url: `/api/medicoes?filial=010101&${query}` })
  const listed = (await list(`ordem=${ORDER}&posicao=J01`)).json<Measurement[]>()
  expect(listed.map((one) => [one.id, one.posicao])).toEqual([[id, 'J01']])
  expect([(await list('')).statusCode, (await list(`ordem=${ORDER}`)).statusCode]).toEqual([400, 400])
})
