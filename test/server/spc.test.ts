import { describe, expect, test } from 'vitest'
import type { ControlLimits, Series, SeriesRow } from '../../src/contract/spc.ts'
import type { Role } from '../../src/contract/values.ts'
import { auditDetailsText, auditSubjectText } from '../../src/domain/people/audit-entries.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { sumUpAll } from '../../src/server/upkeep/control-charts.ts'
import golden from '../support/golden/spc.json' with { type: 'json' }
import { addUser, type Database, databases, NOON_MS, openTestPanel } from '../support/harness.ts'
import { measuredCrimp, setUpMeasuring } from '../support/measuring.ts'
import { FIRST_SAMPLE_MS, storeSamples } from '../support/series-samples.ts'

const HOUR_MS = 3_600_000
const height = golden.cases.find(({ id }) => id === 'altura-t1326030-050')
const milli = (samples: readonly (readonly number[])[] = []) =>
  samples.map((values) => values.map((value) => Math.round(value * 1000)))
const [baseline, worn] = [milli(height?.baseline), milli(height?.later)]

const serie = {
  filial: '010101',
  miniaplicador: 'MA-0001',
  terminal: 'T1326030',
  bitola: 500,
  caracteristica: 'altura',
}
const seriesQuery = (search: object = {}) =>
  new URLSearchParams(Object.entries({ ...serie, ...search }).map(([name, value]) => [name, String(value)]))
const altura = { nominal: 1100, menos: 50, mais: 50 }
const plan = { terminal: 'T1326030', bitola: 500, altura, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false }

async function setUp(database: Database = 'sqlite', role: Role = 'qualidade') {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'quali', role, fullName: 'Rita Melo' })
  const { token } = await panel.login('quali')
  const send = async (url: string, payload?: object) => {
    const answer = await panel.ask(token, payload ? { method: 'POST', url, payload } : { url })
    return { status: answer.statusCode, body: answer.json(), answer }
  }
  const read = async (search: object = {}) => await send(`/api/cep/serie?${seriesQuery(search)}`)
  const series = async (search: object = {}): Promise<Series> => (await read(search)).body
  const list = async (search: object = {}): Promise<{ series: SeriesRow[]; semSerie: number }> =>
    (await send(`/api/cep/series?${new URLSearchParams({ filial: '010101', ...search })}`)).body
  const setLimits = async (change: object = {}) =>
    await send('/api/cep/limites', {
      serie,
      inicio: '2026-11-01',
      fim: '2026-11-21',
      motivo: 'Crimpador novo',
      ...change,
    })
  const noteCause = async (id: string, cause: object = {}) =>
    await send(`/api/medicoes/${id}/causa`, { caracteristica: 'altura', causa: 'ferramenta-gasta', ...cause })
  const addPlan = async () => await send('/api/planos-de-controle', plan)
  const trail = async () => await panel.db.read.selectFrom('audit_entries').selectAll().orderBy('id').execute()
  const stored = async () => await panel.db.read.selectFrom('spc_limits').selectAll().orderBy('version').execute()
  return { ...panel, token, send, read, series, list, setLimits, noteCause, addPlan, trail, stored }
}

test('series that cannot be read keep no other from being summed up', async () => {
  const { context, db, list } = await setUp()
  for (let n = 0; n < 45; n++) await storeSamples(db, [[1100]], { unit: `MA-DANIFICADO-${n}` })
  await db.transaction((tx) => tx.updateTable('measurements').set({ readings_json: '[' }).execute())
  await storeSamples(db, [[1100]])
  await sumUpAll(context)
  expect((await list()).series.map(({ serie: { miniaplicador } }) => miniaplicador)).toEqual(['MA-0001'])
})

/** To as many digits as the golden file says. */
const near = (value: number) => expect.closeTo(value, 8)

describe.each(databases)('the control chart of a series on %s', (database) => {
  test('has the limits of its first 25 samples, which nothing moves that comes later', async () => {
    const { db, series, stored } = await setUp(database)
    await storeSamples(db, baseline.slice(0, 24))
    const preliminary = await series()
    expect(preliminary.limites).toMatchObject({ preliminares: true, k: 24, n: 3, tipo: 'X-R', em: null, por: 'painel' })
    expect(await stored()).toEqual([])
    await storeSamples(db, [...baseline.slice(24), ...worn], { measured_at: FIRST_SAMPLE_MS + 24 * HOUR_MS })
    // everybody looks at once
    const looks = await Promise.all([series(), series(), series()])
    expect(await stored(), 'fixed once').toHaveLength(1)
    const fixed = {
      ...{ preliminares: false, k: 25, n: 3, media: near(1.104386667), sigma: near(0.007796810396) },
      ...{
        lscMedia: near(1.117891138),
        licMedia: near(1.090882195),
        lscAmplitude: near(0.03397931057),
        licAmplitude: 0,
      },
      ...{ de: new Date(FIRST_SAMPLE_MS).toISOString(), baseComSinais: false, por: 'painel' },
    }
    for (const { limites } of looks) expect(limites).toMatchObject(fixed)
    const signals = (looks[0]?.pontos ?? []).flatMap(({ sinais }, at) => sinais.map(({ regra }) => [at, regra]))
    expect(signals).toEqual(height?.expected.signalsOfAllMeans)

    await storeSamples(db, [[1050, 1050, 1050]], { measured_at: FIRST_SAMPLE_MS - HOUR_MS })
    const later = await series()
    expect(later.limites, 'one that arrived late').toMatchObject(fixed)
    expect([later.pontos.length, later.pontos[0]?.sinais[0]?.regra]).toEqual([46, 'R1'])
  })

  test('shows what counts, in the order in which it was measured; what is invalid keeps its place', async () => {
    const { db, series, list, read } = await setUp(database)
    await storeSamples(db, baseline.slice(0, 13))
    await storeSamples(db, [[9999, 9999, 9999]], { counted: 0 })
    await storeSamples(db, [[2200, 2200, 2200]], { charted: 0 })
    await storeSamples(db, [[1100, 1100, 1100]], { gauge_milli: null, charted: 0 })
    await storeSamples(db, [[1100, 1100, 1100]], { unit: '', charted: 0 })
    await storeSamples(db, [[1100, 1100, 1100]], { characteristic: 'largura', branch: '020101' })
    const invalid = { invalid_reason: 'Peça errada', invalid_by: 'Rita Melo', invalid_at: NOON_MS }
    await storeSamples(db, [[1300, 1300, 1300]], { ...invalid, measured_at: FIRST_SAMPLE_MS + 1 })
    await storeSamples(db, [[1100]], { measured_at: FIRST_SAMPLE_MS + 20 * HOUR_MS })
    const { pontos, limites } = await series()
    expect(pontos).toHaveLength(15)
    expect(pontos[1]).toMatchObject({ media: null, medicao: { invalida: { motivo: 'Peça errada' } }, sinais: [] })
    expect(pontos.at(-1), 'of another size').toMatchObject({ media: null, medicao: { valores: [1100] } })
    expect(limites).toMatchObject({ k: 13, preliminares: true })
    expect(await list()).toMatchObject({ semSerie: 2, series: [{ serie, amostras: 14 }] })
    expect((await list({ filial: '020101' })).series).toMatchObject([{ serie: { caracteristica: 'largura' } }])
    const part = await series({ inicio: '2026-11-12', fim: '2026-11-21' })
    expect([part.pontos.length < 15, part.limites?.k]).toEqual([true, 13])
    expect((await read({ terminal: 'T9' })).status).toBe(404)
    expect((await read({ inicio: '2026-11-21', fim: '2026-11-20' })).body.code).toBe('period_reversed')
  })

  test('is summed up for the list when something in it changes, the worst first', async () => {
    const { db, list, addPlan, noteCause, series } = await setUp(database)
    await addPlan()
    const recent = { measured_at: NOON_MS - 60 * HOUR_MS }
    await storeSamples(db, [...baseline, ...worn], recent)
    await storeSamples(db, [...baseline, ...baseline], { ...recent, unit: 'MA-0002' })
    await storeSamples(db, baseline.slice(0, 5), { ...recent, unit: 'MA-0003', terminal: 'T2', terminal_key: 't2' })
    const first = await list()
    expect(
      first.series.map(({ serie: { miniaplicador }, amostras, sinais7Dias }) => [miniaplicador, amostras, sinais7Dias]),
    ).toEqual([
      ['MA-0001', 45, 8],
      ['MA-0002', 50, 0],
      ['MA-0003', 5, 0],
    ])
    expect(first.series.map(({ ppk }) => ppk !== null)).toEqual([true, true, false])
    expect(first.series[0]?.ppk).toBe((await series()).capacidade?.total?.pk?.valor)
    expect((await list({ texto: 'T2' })).series).toHaveLength(1)
    const [sample] = await storeSamples(db, [[1100, 1100, 1100]], { measured_at: NOON_MS - HOUR_MS })
    expect((await list()).series[0]?.amostras).toBe(46)
    await noteCause(sample?.act_id ?? '')
    const unsummed = db.read.selectFrom('spc_series').select('series').whereRef('changes', '<>', 'summed_changes')
    expect(await unsummed.execute()).toHaveLength(1)
    await list()
    expect(await unsummed.execute()).toEqual([])
  })

  test('gets other limits from quality, of what nobody has explained', async () => {
    const { db, series, setLimits, noteCause, stored, trail } = await setUp(database)
    const rows = await storeSamples(db, [...baseline.slice(0, 24), [1200, 1201, 1200]])
    const fixed = await series()
    expect([fixed.limites?.baseComSinais, fixed.notas[0]]).toEqual([
      true,
      'Base com sinais: anote as causas e recalcule.',
    ])
    expect(await noteCause(rows[24]?.act_id ?? '')).toMatchObject({ status: 200, body: { por: 'Rita Melo' } })
    const limits: ControlLimits = (await setLimits()).body
    expect(limits).toMatchObject({
      k: 24,
      motivo: 'Crimpador novo',
      por: 'Rita Melo',
      preliminares: false,
      baseComSinais: false,
    })
    expect((await series()).limites).toEqual(limits)
    await Promise.all([setLimits(), setLimits()])
    expect((await stored()).map(({ version, k, set_by }) => [version, k, set_by])).toEqual([
      [1, 25, 'painel'],
      [2, 24, 'Rita Melo'],
      [3, 24, 'Rita Melo'],
      [4, 24, 'Rita Melo'],
    ])
    const entry = (await trail()).find(({ action }) => action === 'limits_set')
    expect(entry).toMatchObject({ user_name: 'quali', reason: 'Crimpador novo' })
    const details = entry?.details_json ?? ''
    expect(auditDetailsText(details)).toMatch(
      /^Limites: média 1,\d{4}, amplitude 0,\d{4} → média 1,\d{4}.*Amostras: 24; Período: /,
    )
    expect(auditSubjectText({ subject: { kind: 'series', id: '' }, details })).toBe(
      'Série de medições MA-0001 · T1326030 · 0,50 mm² · Altura',
    )
  })
})

test('a recording that is discarded takes its point out of the chart; the limits that it helped to fix stay', async () => {
  const { db, ask, quality, admin, leaveToPerson, decide } = await setUpMeasuring()
  const get = async (url: string) => (await ask(quality, { url })).json()
  const shown = async () => {
    const { pontos, limites }: Series = await get(`/api/cep/serie?${seriesQuery()}`)
    const { series }: { series: SeriesRow[] } = await get('/api/cep/series?filial=010101')
    const listed = series.find(({ serie: { caracteristica } }) => caracteristica === 'altura')
    return { readings: pontos.map(({ medicao }) => medicao.valores), limites, listed: listed?.amostras }
  }
  const values = Array.from({ length: 24 }, (_, at) => [1095 + (at % 7)])
  await storeSamples(db, values)
  const id = await leaveToPerson(measuredCrimp(1))
  const before = await shown()
  expect(before).toMatchObject({ readings: [...values, [1100]], limites: { k: 25, preliminares: false }, listed: 25 })
  expect((await decide(admin, id, 'descarte', { motivo: 'em dobro' })).statusCode).toBe(200)
  expect(await shown()).toEqual({ readings: values, limites: before.limites, listed: 24 })
})

test('at the press, too, limits are those of the first 25 samples, though nobody has looked at the chart yet', async () => {
  const { db, contextOf, clock } = await setUpMeasuring()
  await db.transaction((tx) =>
    insertApplicator(tx, { terminal: 'T1326030', miniaplicator: 'MA-0001', at: clock.now() }),
  )
  await storeSamples(db, [...baseline, ...worn])
  const [shown] = (await contextOf()).series
  expect(shown?.base).toEqual({ n: 3, media: near(1.104386667), amplitudeMedia: near(0.0132) })
  expect(shown?.amostras.map(({ valores }) => valores)).toEqual([...baseline, ...worn].slice(-25))
})

test('limits need 12 samples that vary, of a series that is there', async () => {
  const { db, setLimits, series } = await setUp()
  await storeSamples(db, baseline.slice(0, 9))
  const few = await setLimits()
  expect([few.status, few.body.code, few.body.message]).toEqual([409, 'spc_too_few', 'Faltam amostras: 9 de 12.'])
  expect((await setLimits({ inicio: '2026-11-20', fim: '2026-11-21' })).body.message).toBe('Faltam amostras: 0 de 12.')
  expect((await setLimits({ inicio: '2026-11-21', fim: '2026-11-20' })).body.code).toBe('period_reversed')
  expect((await setLimits({ serie: { ...serie, terminal: 'T9' } })).status).toBe(404)
  expect((await setLimits({ serie: { ...serie, filial: '999999' } })).body.code).toBe('unknown_plant')
  const flat = { ...serie, miniaplicador: 'MA-0009' }
  await storeSamples(
    db,
    Array.from({ length: 30 }, () => [1100, 1100]),
    { unit: 'MA-0009' },
  )
  expect((await setLimits({ serie: flat })).body).toMatchObject({ code: 'spc_no_variation' })
  const { limites, notas, capacidade } = await series({ miniaplicador: 'MA-0009' })
  expect([limites, notas, capacidade?.nota]).toEqual([
    null,
    ['Sem variação: sem limites nem índices.'],
    'Sem variação: sem limites nem índices.',
  ])
})

test('capability follows the plan in force, the signals and the names that the plant wants', async () => {
  const { db, context, series, addPlan, send, login, ask, noteCause } = await setUp()
  const rows = await storeSamples(db, baseline)
  expect((await series()).capacidade?.nota).toBe('Capacidade: falta um plano de controle com limites.')
  await addPlan()
  const { capacidade } = await series()
  expect(capacidade).toMatchObject({
    leituras: 75,
    amostras: 25,
    lsl: 1.05,
    usl: 1.15,
    nota: 'Estimativa com 75 leituras.',
  })
  expect(capacidade?.dentro?.pk).toEqual({
    valor: near(1.950085185),
    baixo: near(1.540198779),
    alto: near(2.359971591),
  })
  await addUser(context, { username: 'chefe', role: 'admin' })
  const chief = (await login('chefe')).token
  await ask(chief, { method: 'POST', url: '/api/auth/confirm', payload: { password: 'senha-de-teste' } })
  const changed = await ask(chief, {
    method: 'PUT',
    url: '/api/configuracao',
    payload: { capabilityNames: 'aiag-vda-2026' },
  })
  expect(changed.json()).toMatchObject({ capabilityNames: 'aiag-vda-2026' })
  expect((await send('/api/configuracao')).body.capabilityNames).toBe('aiag-vda-2026')
  expect((await series()).capacidade?.dentro?.nomes).toEqual(['Cw', 'Cwk'])
  const [far] = await storeSamples(db, [[1149, 1149, 1149]], { measured_at: FIRST_SAMPLE_MS + 30 * HOUR_MS })
  expect((await series()).capacidade).toMatchObject({ dentro: null, total: { nomes: ['Pp', 'Ppk'] } })
  await noteCause(far?.act_id ?? '')
  await noteCause(rows[0]?.act_id ?? '')
  expect((await series()).capacidade?.dentro, 'explained').not.toBeNull()
})

test('a cause is written down once, with what it was before', async () => {
  const { db, noteCause, trail, series } = await setUp('sqlite', 'operador')
  const [first] = await storeSamples(db, baseline.slice(0, 3))
  const id = first?.act_id ?? ''
  const { body } = await noteCause(id, { nota: ' Crimpador trocado ' })
  expect(body).toMatchObject({ causa: 'ferramenta-gasta', nota: 'Crimpador trocado', por: 'Rita Melo' })
  expect((await series()).pontos[0]?.causa).toEqual(body)
  await noteCause(id, { nota: 'Crimpador trocado' })
  await noteCause(id, { causa: 'fio' })
  const texts = (await trail())
    .filter(({ action }) => action === 'cause_noted')
    .map(({ details_json }) => auditDetailsText(details_json))
  expect(texts).toEqual([
    'Causa: Ferramenta gasta; Observação: Crimpador trocado',
    'Causa: Ferramenta gasta → Fio: fornecedor ou encordoamento; Observação: Crimpador trocado → —',
  ])
  expect((await noteCause(id, { caracteristica: 'forca' })).status).toBe(404)
})

test('what was done to the tool and what was changed stands on the axis', async () => {
  const { db, series, addPlan, clock } = await setUp()
  await storeSamples(db, baseline.slice(0, 2))
  await storeSamples(db, baseline.slice(2, 4), {
    lot: 'L-2',
    machine: 'PR0002',
    measured_at: FIRST_SAMPLE_MS + 2 * HOUR_MS,
  })
  await db.transaction(async (tx) => {
    const unit = {
      unit_key: 'ma-0001',
      name: 'MA-0001',
      cycle: 1,
      crimps: 9,
      limit_crimps: -1,
      user_id: 1,
      changed_by: 'x',
    }
    const rest = { service_order: null, maintenance_day: null, comments: null, change: 'reset' as const }
    await tx
      .insertInto('crimp_history')
      .values({ ...unit, ...rest, at: FIRST_SAMPLE_MS + HOUR_MS })
      .execute()
  })
  await addPlan()
  clock.advance(1000)
  expect((await series()).marcas.map(({ tipo, texto }) => `${tipo} ${texto}`)).toEqual([
    'lote L-1',
    'maquina KX0001 - Komax',
    'manutencao Contador zerado',
    'lote L-2',
    'maquina PR0002',
    'plano Plano v1',
  ])
})

test('the file has the points of the chart, and its export is on the trail', async () => {
  const { db, token, ask, trail } = await setUp('sqlite', 'consulta')
  await storeSamples(db, [[1100, 1101, 1102], [1099]], { operator: '=Maria' })
  const answer = await ask(token, { url: `/api/cep/csv?${seriesQuery()}` })
  expect(answer.headers['content-disposition']).toBe(
    'attachment; filename="cep_MA-0001_T1326030_500_altura_2026-11-21.csv"',
  )
  const [head = '', first = '', second = ''] = answer.body.split('\r\n')
  expect(head).toBe(
    '\uFEFFMedido em;Leitura 1;Leitura 2;Leitura 3;Média;Amplitude;Sinais;Causa;Nota;Inválida;Máquina;Lote;Ordem;Instrumento;Operador;Causas anotadas;Sinais quando visto',
  )
  expect(first).toContain(';1,100;1,101;1,102;')
  expect(second).toContain('1,099;;;')
  expect(first).toContain(`"'=Maria"`)
  expect((await trail()).at(-1)).toMatchObject({ action: 'exported', user_name: 'quali' })
})

test.each([
  ['consulta', 403, 403],
  ['operador', 403, 200],
  ['lider', 403, 200],
  ['qualidade', 200, 200],
] as const)('%s: limits %i, causes %i', async (role, limits, cause) => {
  const { db, setLimits, noteCause } = await setUp('sqlite', role)
  const [first] = await storeSamples(db, baseline)
  expect((await setLimits()).status).toBe(limits)
  expect((await noteCause(first?.act_id ?? '')).status).toBe(cause)
})
