import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Capture, CutCrimpRecording } from '../../src/contract/recordings.ts'
import type { Release } from '../../src/contract/releases.ts'
import { auditDetailsText } from '../../src/domain/people/audit-entries.ts'
import { readMilli } from '../../src/domain/quality/control-plans.ts'
import { insertPlans } from '../../src/server/store/control-plans.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { noteSeriesChanged } from '../../src/server/store/spc-series.ts'
import { unnameOldOperators } from '../../src/server/upkeep/operator-retention.ts'
import { crimpOf, databases, joinOf, measurementOf, ORDER, UNTOUCHED } from '../support/harness.ts'
import { blocked, heightPlan as plan, setUpPlanned as setUp, taken } from '../support/planned.ts'
import { sampleRow } from '../support/series-samples.ts'
import { setUp as openPanel } from '../support/waiting.ts'

const JOIN = '/api/juncao/registrar-apontamento'
test.each(databases)(
  'a plant that blocks waits for a good sample or a release, once and there, on %s',
  async (database) => {
    const { measure, record, release, findings, stored, crimps, simulator } = await setUp('bloquear', { database })
    expect(await record(), 'nothing was measured').toEqual(blocked)
    await measure()
    expect(await record()).toEqual(taken)
    await measure({ verdict: 'fora' })
    expect(await record()).toEqual(blocked)
    expect([await stored(), await crimps(), simulator.state.writes.length], 'as if it had never been').toEqual([
      1, 1, 1,
    ])
    expect(await record({ plano: 1, motivoForaDoPlano: { motivo: 'amostra', texto: '' } })).toEqual(blocked)

    const elsewhere = (await release({ parte: 'l2' })).json<Release>().id
    expect(await record({ plano: 1, liberacao: elsewhere })).toEqual(blocked)
    const { id: liberacao, por } = (await release()).json<Release>()
    expect(por).toBe('Rita Melo')
    const id = randomUUID()
    expect(await record({ plano: 1, liberacao }, {}, id)).toEqual(taken)
    expect(await record({ plano: 1, liberacao }, {}, id), 'the same act again').toEqual(taken)
    expect(await record({ plano: 1, liberacao }), 'it is good for one').toEqual(blocked)
    expect(await findings()).toEqual([['fora-do-plano', 'bloquear', '', true]])

    await measure()
    expect(await record(), 'measured again').toEqual(taken)
  },
)

test('a sample of the moment before counts, also where its tablet puts it a second after the recording', async () => {
  const { measure, record, clock } = await setUp('bloquear')
  await measure()
  const measuredAt = clock.now()
  const recordAt = (ms: number) => record({ plano: 1, registradoEm: new Date(measuredAt + ms).toISOString() })
  expect(await recordAt(-60_000)).toEqual(blocked)
  expect(await recordAt(-900)).toEqual(taken)
})

test('the words say what is missing, and a release of yesterday is none', async () => {
  const panel = await setUp('bloquear')
  const { measure, release, clock } = panel
  let { token } = panel
  const messageOf = async (captura: Capture = { plano: 1 }): Promise<string> =>
    (await panel.send(token, { ...crimpOf(1), captura })).json().message
  expect(await messageOf()).toBe('Falta medir a primeira peça.')
  await measure({ lot: 'outro' })
  expect(await messageOf()).toBe('Falta medir depois da troca de lote.')
  await measure({ verdict: 'fora' })
  const outside = 'Meça de novo antes de registrar: a última altura está fora do plano.'
  expect(await messageOf()).toBe(outside)
  const { id: liberacao } = (await release()).json<Release>()
  clock.advance(13 * 3_600_000)
  token = (await panel.login('operador')).token
  expect(await messageOf({ plano: 1, liberacao })).toBe(outside)
})

test('what a tablet has saved is stored and noted, never refused, and quality sees and hears of it', async () => {
  const { measure, record, findings, ask, token, context, app } = await setUp('bloquear')
  await measure({ verdict: 'fora' })
  const motivoForaDoPlano = { motivo: 'outro', texto: 'sem rede' } as const
  const saved = await record({ plano: 1, salvoNoDispositivo: true, motivoForaDoPlano })
  expect(saved[0]).toBe(202)
  expect((await record({ plano: 1, salvoNoDispositivo: true }))[0], 'a tablet that heard of no plan').toBe(202)
  expect(await findings()).toEqual([
    ['bloqueio-sem-rede', 'bloquear', 'Outro motivo: sem rede', false],
    ['bloqueio-sem-rede', 'bloquear', '', false],
  ])
  const url = '/api/planos-de-controle/ocorrencias'
  const listed = (await ask(token, { url })).json()
  expect(listed).toMatchObject({ total: 2, ocorrencias: [{ motivo: '' }, { motivo: 'Outro motivo: sem rede' }] })
  expect(listed.ocorrencias[0]).toMatchObject({
    ...{ achado: 'bloqueio-sem-rede', modo: 'bloquear', ordem: ORDER, codigoBarras: UNTOUCHED, parte: 'l1' },
    ...{ terminal: 'T1326030', pecas: 1, maquina: 'KX0001 - Komax', operador: 'Maria Souza', liberadoPor: '' },
  })
  expect(listed.dias).toMatchObject([{ total: 2, tipos: { 'bloqueio-sem-rede': 2 } }])
  expect((await ask(token, { url: `${url}?achado=falta-medir` })).json()).toMatchObject({ ocorrencias: [], total: 0 })
  const chartsOf = async () => (await ask(token, { url })).json().ocorrencias.at(-1).cartas
  expect(await chartsOf(), 'no sample, no chart').toEqual([])
  await context.db.transaction((tx) => noteSeriesChanged(tx, [sampleRow({})]))
  expect(await chartsOf()).toEqual(['altura'])
  expect(await context.db.read.selectFrom('recordings').select('id').execute()).toHaveLength(2)
  expect((await app.inject({ url })).statusCode).toBe(401)
})

test('a page that knows no plans is noted and not stopped; observing and asking why never stop anybody', async () => {
  const observing = await setUp('observar')
  await observing.measure({ verdict: 'fora' })
  expect(await observing.record()).toEqual(taken)
  expect(await observing.findings()).toEqual([['fora-do-plano', 'observar', '', false]])

  const asking = await setUp('avisar')
  await asking.measure({ verdict: 'fora' })
  expect(await asking.record({ plano: 1, motivoForaDoPlano: { motivo: 'instrumento', texto: '' } })).toEqual(taken)
  expect(await asking.findings()).toEqual([['fora-do-plano', 'avisar', 'Instrumento em dúvida', false]])

  const blocking = await setUp('bloquear')
  await blocking.measure({ verdict: 'fora' })
  expect(await blocking.record({ medidoAltura: true }, { ALTURA_LD1: 1.17 })).toEqual(taken)
  expect(await blocking.findings()).toEqual([['fora-do-plano', 'bloquear', '', false]])
})

test('a value typed into the form is a sample of one: outside it is blocked and nothing stays, inside it is registered', async () => {
  const { record, stored, findings, db } = await setUp('bloquear')
  const typed: Capture = { plano: 1, medidoAltura: true, medidoForca: false }
  expect(await record(typed, { ALTURA_LD1: 1.17 })).toEqual(blocked)
  const measured = () => db.read.selectFrom('measurements').select('verdict').execute()
  expect([await stored(), await measured()]).toEqual([0, []])
  expect(await record(typed, { ALTURA_LD1: 1.15 })).toEqual(taken)
  expect([await measured(), await findings()]).toEqual([[{ verdict: 'dentro' }], []])
  expect((await record({ ...typed, salvoNoDispositivo: true }, { ALTURA_LD1: 1.151 }))[0]).toBe(202)
  expect(await findings()).toEqual([['bloqueio-sem-rede', 'bloquear', '', false]])
})

test('what a recording names was measured before it, though the tablet has set its clock meanwhile', async () => {
  const { measure, record, clock } = await setUp('bloquear')
  await measure({ verdict: 'fora' })
  const act = randomUUID()
  await measure({ act_id: act, measured_at: clock.now() + 10_000 })
  expect(await record(), 'by its time it comes later').toEqual(blocked)
  expect(await record({ plano: 1, medicoes: [act.toUpperCase()] })).toEqual(taken)
})

test('another press, what is out of the charts, two wires and a wire without a gauge stop nobody', async () => {
  const { measure, record, findings } = await setUp('bloquear')
  await measure()
  await measure({ verdict: 'fora', machine: 'KX0002 - Komax' })
  await measure({ verdict: 'fora', counted: 0 })
  await measure({ verdict: 'fora', invalid_at: 1 })
  await measure({ verdict: 'fora', characteristic: 'forca' })
  await measure({ verdict: 'fora', gauge_milli: 750 })
  expect(await record()).toEqual(taken)
  await measure({ verdict: 'fora' })
  expect(await record({ plano: 1, doisFios: true })).toEqual(taken)
  expect(await record({}), 'nobody measured').toEqual(taken)
  expect(await findings()).toEqual([['nao-julgado', 'bloquear', '', false]])
})

test('an administrator chooses the mode, which says so in the trail; until then a plant observes', async () => {
  const { ask, admin, token, audit } = await openPanel({})
  const url = '/api/configuracao'
  expect((await ask(token, { url })).json().planMode).toBe('observar')
  const change = { method: 'PUT', url, payload: { planMode: 'bloquear' } } as const
  expect((await ask(token, change)).json().code).toBe('not_allowed')
  expect((await ask(admin, change)).json().planMode).toBe('bloquear')
  await ask(admin, change)
  const lines = (await audit()).filter(({ action }) => action === 'settings_changed')
  expect(lines.map((line) => auditDetailsText(line.details_json))).toEqual([
    'Fora do plano de controle: Observar → Bloquear',
  ])
})

test('only who may change plans gives a release; a wrong password waits as at log-in, and all of it is in the trail', async () => {
  const { release, audit, db, clock, context } = await setUp('bloquear')
  const given = await release()
  expect(given.statusCode).toBe(201)
  const line = (await audit()).find(({ action }) => action === 'release_given')
  expect(line).toMatchObject({ user_name: 'rita', reason: 'Desvio 12/26', subject_kind: 'release' })
  expect(auditDetailsText(line?.details_json ?? '')).toBe(`Código de barras: ${UNTOUCHED}; No tablet de: operador`)

  const operator = await release({ usuario: 'outro' })
  expect([operator.statusCode, operator.json().code]).toEqual([403, 'not_allowed'])
  expect((await release({ filial: '999999' })).json().code).toBe('unknown_plant')
  const wrong = await release({ senha: 'errada' })
  expect([wrong.statusCode, wrong.json()]).toEqual([
    422,
    { code: 'release_login_wrong', message: 'Usuário ou senha não conferem.' },
  ])
  for (let tries = 0; tries < 4; tries++) await release({ senha: 'errada' })
  expect((await release()).json().code, 'also the right one').toBe('too_many_attempts')
  expect(await db.read.selectFrom('releases').select('given_by').execute()).toEqual([{ given_by: 'Rita Melo' }])

  clock.advance(10 * 365 * 86_400_000)
  await unnameOldOperators(context)
  const [old] = await db.read.selectFrom('releases').select(['given_by', 'user_id']).execute()
  expect(old).toEqual({ given_by: expect.stringMatching(/^Operador \[/), user_id: 0 })
})

test('a sample of a welded junction counts for its recording, which names no terminal; a weaker force typed over it does', async () => {
  const terminal = 'T0925590'
  const panel = await openPanel({
    gateway: (erp) => ({
      ...erp,
      searchJunctions: async (query) => {
        const { rows, unusable } = await erp.searchJunctions(query)
        return { rows: rows.map((row) => ({ ...row, Z8_TERMINA: terminal })), unusable }
      },
    }),
  })
  const { db, clock, token, ask } = panel
  const post = async (url: string, payload: object, id: string = randomUUID()) => {
    clock.advance(1000)
    const answer = await ask(token, { method: 'POST', url, headers: { 'idempotency-key': id }, payload })
    return [answer.statusCode, answer.json().code ?? answer.json().status]
  }
  const { ALTURA: _h, LOTE_TERMINAL: _l, TERMINAL: _t, ESTANQUEIDADE: _e, ...welded } = joinOf(1, 'J02')
  const join = (captura: Capture = {}, more: object = {}) =>
    post(JOIN, { ...welded, GRUPO_MP: 'M500US01', ...more, captura: { plano: 1, ...captura } })
  await ask(token, { url: `/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}` })
  const details = `/api/juncao/obter-detalhes?filial=010101&numeroOp=${ORDER}&posicao=J02`
  const { data } = (await ask(token, { url: details })).json()
  const bitola = readMilli(data.teste.ZTB_BITOLA) ?? 0
  await db.transaction(async (tx) => {
    await saveSetting(tx, PLAN_MODE, 'bloquear')
    await insertPlans(tx, [{ plan: { ...plan, terminal, bitola, forcaMin: 1000 }, version: 1, from: clock.now() }])
  })
  expect(await join()).toEqual(blocked)
  const { codigoBarras: _c, miniaplicador: _m, lote: _lot, ...sample } = measurementOf()
  const leituras = [{ caracteristica: 'forca', valores: [1000 * data.teste.ZTB_FORCA] }]
  const of = { parte: 'juncao', posicao: 'J02', terminal, maquina: 'US0002', leituras }
  const act = randomUUID()
  expect(await post('/api/medicoes', { ...sample, ...of }, act)).toEqual([201, 'enviado'])
  expect(await join()).toEqual(taken)
  const named: Capture = { medicoes: [act], medidoForca: true }
  expect(await join(named, { FORCA: data.teste.ZTB_FORCA })).toEqual(taken)
  expect(await join(named, { FORCA: 1 }), 'typed over what the sample gave').toEqual(blocked)
})

test('the ERP is sent as many decimals as it has, away from nominal; the recording stays as it was measured', async () => {
  const sent: unknown[] = []
  const panel = await openPanel({
    gateway: (erp) => ({
      ...erp,
      recordCutCrimp: (write) => {
        sent.push(write.payload.ALTURA_LD1)
        return erp.recordCutCrimp(write)
      },
    }),
  })
  const { db, clock, token } = panel
  await db.transaction((tx) => insertPlans(tx, [{ plan, version: 1, from: clock.now() }]))
  const heights: [number, Capture][] = [
    [1.151, { plano: 1 }],
    [1.049, { plano: 1 }],
    // of the order
    [1.104, {}],
    [1.12, {}],
  ]
  for (const [ALTURA_LD1, captura] of heights) await panel.record(token, { ...crimpOf(1), ALTURA_LD1, captura })
  expect(sent).toEqual([1.16, 1.04, 1.11, 1.12])
  const rows = await db.read.selectFrom('recordings').select('payload_json').orderBy('recorded_at').execute()
  const stored = rows.map(({ payload_json }) => (JSON.parse(payload_json) as CutCrimpRecording).ALTURA_LD1 ?? 0)
  expect(stored.toSorted((one, other) => one - other)).toEqual([1.049, 1.104, 1.12, 1.151])
})
