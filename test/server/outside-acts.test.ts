import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { MeasurementForm } from '../../src/contract/measurements.ts'
import type { OutsideAct } from '../../src/contract/outside-acts.ts'
import type { PlanFinding } from '../../src/contract/releases.ts'
import type { Treatment } from '../../src/contract/treatments.ts'
import { roles } from '../../src/contract/values.ts'
import { followedBy, outsideText } from '../../src/domain/quality/outside-acts.ts'
import { insertFinding } from '../../src/server/store/recording-findings.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { watchOf } from '../support/alarms.ts'
import { addUser, callOf, crimpOf, ORDER, PASSWORD, UNTOUCHED } from '../support/harness.ts'
import { setUpMeasuring } from '../support/measuring.ts'

const LIST = '/api/planos-de-controle/medicoes-fora'
const FINDINGS = '/api/planos-de-controle/ocorrencias'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Listed = { medicoes: OutsideAct[]; total: number; semResposta: number; dias: object[]; liberadores: string[] }
type ListedFindings = Omit<Listed, 'medicoes'> & { ocorrencias: PlanFinding[] }

async function setUp() {
  const panel = await setUpMeasuring({ env: { PLANTS: '010101=Matriz,010102=Norte' } })
  await panel.plan()
  const { ask, clock } = panel
  const who = { token: panel.token, quality: panel.quality }
  /** Sessions end long before the lists do. */
  const enterAgain = async () => {
    who.token = (await panel.login('operador')).token
    who.quality = (await panel.login('rita')).token
  }
  const list = async (query: Record<string, string> = {}): Promise<Listed> =>
    (await ask(who.token, { url: `${LIST}?${new URLSearchParams(query)}` })).json()
  const listFound = async (query: Record<string, string> = {}): Promise<ListedFindings> =>
    (await ask(who.token, { url: `${FINDINGS}?${new URLSearchParams(query)}` })).json()
  /** What the page says followed, of each characteristic of the newest act. */
  const followed = async (query: Record<string, string> = {}) => {
    const [act] = (await list(query)).medicoes
    const write = { now: clock.now(), ago: () => 'há pouco', time: () => '12:00' }
    return act?.leituras.map((one) =>
      followedBy(one, act, write).map(({ text, isBad }) => `${isBad ? '!' : ''}${text}`),
    )
  }
  const bad = async (more: Partial<MeasurementForm> = {}, by = who.token) => {
    clock.advance(1000)
    const id = randomUUID()
    const sent = await panel.measure({ ...panel.heights(1100, 1170, 1160), acao: 'ajustei', ...more }, id, by)
    expect(sent.http, sent.message).toBe(201)
    return id
  }
  const good = async (more: Partial<MeasurementForm> = {}) => {
    clock.advance(1000)
    await panel.measure({ ...panel.heights(1100), ...more }, randomUUID(), who.token)
  }
  const callMaintenance = () => {
    const payload = callOf({ maquina: 'KX0001' })
    return ask(who.token, {
      method: 'POST',
      url: '/api/chamados',
      headers: { 'idempotency-key': randomUUID() },
      payload,
    })
  }
  const treat = async (id: string, texto = 'Peças separadas', by = who.quality, url = LIST) =>
    await ask(by, { method: 'POST', url: `${url}/${id}/tratamentos`, payload: { texto } })
  return { ...panel, who, enterAgain, list, listFound, followed, bad, good, callMaintenance, treat }
}

test('a sample outside is listed with where, what, which bound and by whom; a good one and one that was taken out are not', async () => {
  const { bad, good, list, invalidate, clock } = await setUp()
  const leituras: MeasurementForm['leituras'] = [
    { caracteristica: 'altura', valores: [1170] },
    { caracteristica: 'forca', valores: [60_000] },
  ]
  const first = await bad({ leituras, acao: 'manutencao' })
  await good({ maquina: 'KX0002' })
  const second = await bad()
  const { medicoes, ...rest } = await list()
  expect(medicoes.map(({ id }) => id)).toEqual([second, first])
  expect(rest).toEqual({
    ...{ inicio: '2026-10-23', fim: '2026-11-21', total: 2, semResposta: 0, liberadores: [] },
    dias: [{ dia: '2026-11-21', total: 2, tipos: { altura: 1, 'altura forca': 1 } }],
  })
  const at = new Date(clock.now() - 2000).toISOString()
  expect(medicoes[1]).toMatchObject({
    ...{ filial: '010101', ordem: ORDER, codigoBarras: UNTOUCHED, posicao: '', parte: 'l1', terminal: 'T1326030' },
    ...{ maquina: 'KX0001 - Komax', miniaplicador: 'MA-0001', acao: 'manutencao', operador: 'Maria Souza' },
    ...{ medidoEm: at, recebidoEm: at, liberadoPor: '', situacao: 'aberta', tratamentos: [], semResposta: false },
  })
  expect(medicoes[1]?.leituras.map(outsideText)).toEqual(['Altura 1,170; máximo 1,150', 'Força 60; mínimo 75'])
  await invalidate(second)
  expect((await list()).medicoes.map(({ id }) => id)).toEqual([first])
})

test('what followed is the first that holds: nothing, red after a quarter of an hour, then recorded, called, measured well', async () => {
  const { bad, good, followed, list, clock, record, token, callMaintenance, measure, heights } = await setUp()
  await bad({ acao: 'manutencao' })
  expect(await followed()).toEqual([['Nada ainda']])
  clock.advance(15 * MINUTE_MS)
  expect([await followed(), (await list()).semResposta], 'just a quarter of an hour').toEqual([[['Nada ainda']], 0])
  clock.advance(1)
  expect([await followed(), (await list()).semResposta]).toEqual([[['!Nada ainda']], 1])
  await record(token, crimpOf(7))
  expect(await followed()).toEqual([['!Apontado depois sem medir: 7 peças']])
  expect((await list()).semResposta).toBe(1)
  expect((await callMaintenance()).statusCode).toBe(201)
  expect(await followed(), 'a call that comes later is about something else').toEqual([
    ['!Apontado depois sem medir: 7 peças'],
  ])

  await bad({ acao: 'manutencao' })
  clock.advance(6 * MINUTE_MS)
  await callMaintenance()
  clock.advance(20 * MINUTE_MS)
  await record(token, crimpOf(1))
  expect(await followed()).toEqual([['Chamado 2: aberto há pouco', '!Apontado depois sem medir: 1 peça']])
  expect((await list()).semResposta, 'the first is still without').toBe(1)
  await measure(heights(1100), randomUUID())
  expect([await followed(), (await list()).semResposta]).toEqual([[['Medida de novo às 12:00: dentro']], 0])
  expect((await list()).medicoes.map(({ situacao }) => situacao)).toEqual(['medida', 'medida'])
  await good()
})

test('a good force says nothing of a bad height, nor does another press, another tool or what was taken out', async () => {
  const { bad, followed, measure, heights, invalidate, clock } = await setUp()
  await bad()
  clock.advance(1000)
  await measure({ leituras: [{ caracteristica: 'forca', valores: [90_000] }] })
  await measure({ ...heights(1100), maquina: 'KX0002 - Komax' })
  await measure({ ...heights(1100), miniaplicador: 'MA-0002' })
  const taken = randomUUID()
  await measure(heights(1100), taken)
  await invalidate(taken)
  expect(await followed()).toEqual([['Nada ainda']])
  clock.advance(1000)
  await measure({ ...heights(1100), maquina: 'KX0001' })
  expect(await followed(), 'the same press by its number alone').toEqual([['Medida de novo às 12:00: dentro']])
})

test('nothing follows and the alarm comes, once; it ends when somebody answers, and what was there at an upgrade wakes nobody', async () => {
  const panel = await setUp()
  const { bad, good, clock, treat, db, logs, errors, enterAgain } = panel
  const look = watchOf(panel)
  const said = async () => {
    const from = logs.length
    await look()
    errors.splice(0)
    const lines = logs.slice(from).map((line): { alarm?: string; text?: string; msg: string } => JSON.parse(line))
    return lines.filter(({ alarm }) => alarm === 'sample_outside').map(({ msg, text }) => [msg, text])
  }
  const isOn = async () => {
    const states = await db.read
      .selectFrom('alarm_states')
      .select('begun_at')
      .where('kind', '=', 'sample_outside')
      .execute()
    return states.some(({ begun_at }) => begun_at !== null)
  }
  const first = await bad()
  await bad({ leituras: [{ caracteristica: 'forca', valores: [60_000] }] })
  clock.advance(15 * MINUTE_MS - 1000)
  expect(await said()).toEqual([])
  clock.advance(2001)
  expect(await said()).toEqual([
    [
      'an alarm has begun',
      '2 medições fora do plano sem resposta há mais de 15 minutos. Veja Ocorrências em Planos de Controle.',
    ],
  ])
  expect(await said()).toEqual([])
  await treat(first)
  await good({ leituras: [{ caracteristica: 'forca', valores: [90_000] }] })
  expect([await said(), await isOn()]).toEqual([[], false])

  clock.advance(2 * 3_600_000)
  await bad()
  clock.advance(16 * MINUTE_MS)
  expect((await said()).map(([, text]) => text?.slice(0, 30))).toEqual(['1 medição fora do plano sem re'])
  clock.advance(24 * 3_600_000)
  await enterAgain()
  expect([await said(), await isOn()], 'older than a day').toEqual([[], false])

  await bad()
  const { id } = await db.read
    .selectFrom('measurements')
    .select((e) => e.fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  await db.transaction((tx) =>
    tx
      .insertInto('settings')
      .values({ name: 'outside-acts-upgraded', value: String(id) })
      .execute(),
  )
  clock.advance(16 * MINUTE_MS)
  expect(await said()).toEqual([])
})

test('only who may change plans writes what was done; lines are added, a second tap adds none, and the trail has each', async () => {
  const { bad, treat, list, listed, audit, admin, context, login } = await setUp()
  const id = await bad()
  for (const role of roles) {
    await addUser(context, { username: `um-${role}`, role })
    const { token: who } = await login(`um-${role}`)
    const expected = role === 'qualidade' || role === 'admin' ? 201 : 403
    expect((await treat(id, `Visto por ${role}`, who)).statusCode, role).toBe(expected)
  }
  for (const wrong of ['', '   ', '…!', 'x'.repeat(501), 'a\u0007b', 7, null]) {
    const answer = await treat(id, wrong as string)
    expect([answer.statusCode, answer.json().details?.[0]?.field], String(wrong)).toEqual([400, 'texto'])
  }
  const twice = [await treat(id, ' Peças separadas '), await treat(id, 'Peças separadas')]
  expect(twice.map((answer) => answer.json<Treatment[]>().length)).toEqual([3, 3])
  await treat(id.toUpperCase(), 'Liberadas 12', admin)
  const [act] = (await list()).medicoes
  expect([act?.situacao, act?.tratamentos.map(({ por, texto }) => `${por}: ${texto}`)]).toEqual([
    'tratada',
    [
      ...['Maria Souza: Visto por qualidade', 'Maria Souza: Visto por admin'],
      ...['Rita Melo: Peças separadas', 'Ana Lima: Liberadas 12'],
    ],
  ])
  const lines = (await audit()).filter(({ action }) => action === 'occurrence_treated')
  expect(lines.map(({ user_name, reason }) => [user_name, reason]).slice(2)).toEqual([
    ['rita', 'Peças separadas'],
    ['admin', 'Liberadas 12'],
  ])
  expect((await treat(randomUUID())).statusCode).toBe(404)
  expect(await listed()).toHaveLength(1)
})

test('a finding is open until it is treated or its characteristic is measured well at its place', async () => {
  const { record, token, db, listFound, treat, clock, good, ask } = await setUp()
  const note = async (details: object, releaseId: string | null = null) => {
    const recordingId = randomUUID()
    clock.advance(1000)
    await record(token, crimpOf(1), recordingId)
    const finding = { finding: 'fora-do-plano', mode: 'avisar', reason: '' } as const
    await db.transaction((tx) =>
      insertFinding(tx, { ...finding, recordingId, releaseId, details: details as never, at: clock.now() }),
    )
  }
  await note({ due: [], verdict: 'fora' })
  await note({ due: [], verdict: 'fora', outside: ['forca'], missing: [] })
  await note({ due: [], verdict: null, outside: ['altura'], missing: ['forca'] })
  const situations = async () => (await listFound()).ocorrencias.map(({ situacao }) => situacao)
  expect(await situations()).toEqual(['aberta', 'aberta', 'aberta'])
  await good()
  expect(await situations(), 'one of before names none').toEqual(['aberta', 'aberta', 'medida'])
  await good({ leituras: [{ caracteristica: 'forca', valores: [90_000] }] })
  expect(await situations()).toEqual(['medida', 'medida', 'medida'])
  const [newest] = (await listFound()).ocorrencias
  const treated = await treat(String(newest?.id), 'Conferidas 20 peças', undefined, FINDINGS)
  expect([treated.statusCode, treated.json()]).toEqual([
    201,
    [{ por: 'Rita Melo', em: new Date(clock.now()).toISOString(), texto: 'Conferidas 20 peças' }],
  ])
  expect(await situations()).toEqual(['tratada', 'medida', 'medida'])
  expect((await listFound({ situacao: 'tratada' })).ocorrencias.map(({ id }) => id)).toEqual([newest?.id])
  expect((await treat('999', 'Nada', undefined, FINDINGS)).statusCode).toBe(404)
  expect((await treat(String(newest?.id), 'Nada', token, FINDINGS)).statusCode).toBe(403)
  const file = await ask(token, { url: `${FINDINGS}/csv?situacao=tratada` })
  expect(file.headers['content-disposition']).toBe('attachment; filename="ocorrencias_2026-10-23_2026-11-21.csv"')
  expect(file.body.split('\r\n').map((line) => line.split(';').slice(-4).join(';'))).toEqual([
    ...['Situação;Tratamento;Liberação;Característica', 'Tratada;"Rita Melo: Conferidas 20 peças";;altura', ''],
  ])
})

test('a first piece of which nothing was measured is open until each is measured well that its plan asks for', async () => {
  const { record, token, listFound, clock, good } = await setUp()
  await record(token, { ...crimpOf(1), captura: { plano: 1 } })
  const situation = async () => (await listFound()).ocorrencias.map(({ achado, situacao }) => [achado, situacao])
  expect(await situation()).toEqual([['falta-medir', 'aberta']])
  await good({ leituras: [{ caracteristica: 'forca', valores: [90_000] }] })
  expect(await situation(), 'a good force says nothing of the height').toEqual([['falta-medir', 'aberta']])
  clock.advance(1000)
  await good()
  expect(await situation()).toEqual([['falta-medir', 'medida']])
})

test('whoever let a recording through is named at what it measured itself, also where it names samples', async () => {
  const { list, bad, ask, who, record, clock, db } = await setUp()
  await db.transaction((tx) => saveSetting(tx, PLAN_MODE, 'bloquear'))
  const first = await bad()
  const place = { filial: '010101', codigoBarras: UNTOUCHED, ordem: ORDER, parte: 'l1' }
  const payload = { usuario: 'rita', senha: PASSWORD, ...place, motivo: 'Desvio 12/26' }
  const liberacao = (await ask(who.token, { method: 'POST', url: '/api/liberacoes', payload })).json().id
  clock.advance(1000)
  const id = randomUUID()
  const captura = { plano: 1, medicoes: [first], medidoForca: true, medidoAltura: true, liberacao }
  await record(who.token, { ...crimpOf(1), ALTURA_LD1: 1.17, FORCA_LD1: 60, captura }, id)
  expect((await list()).medicoes.map((one) => [one.id, one.liberadoPor])).toEqual([
    [id, 'Rita Melo'],
    [first, 'Rita Melo'],
  ])
})

test('both lists are asked for by period, plant, kind, situation and who released, a hundred a page, and as a file', async () => {
  const { bad, list, listFound, clock, ask, who, db, treat, enterAgain, record } = await setUp()
  const first = await bad()
  const place = { filial: '010101', codigoBarras: UNTOUCHED, ordem: ORDER, parte: 'l1' }
  const payload = { usuario: 'rita', senha: PASSWORD, ...place, motivo: 'Desvio 12/26' }
  const liberacao = (await ask(who.token, { method: 'POST', url: '/api/liberacoes', payload })).json().id
  await record(who.token, { ...crimpOf(1), captura: { plano: 1, medicoes: [first], liberacao } })
  clock.advance(40 * DAY_MS)
  await enterAgain()
  const second = await bad({ leituras: [{ caracteristica: 'forca', valores: [60_000] }] })
  await treat(second)
  const idsOf = async (query: Record<string, string>) => (await list(query)).medicoes.map(({ id }) => id)
  expect(await idsOf({})).toEqual([second])
  expect(await idsOf({ inicio: '2026-11-01' })).toEqual([second, first])
  expect(await idsOf({ inicio: '2026-11-21', fim: '2026-11-21' })).toEqual([first])
  expect(await idsOf({ fim: '2026-11-20' })).toEqual([])
  expect(await idsOf({ inicio: '2026-11-01', tipo: 'altura' })).toEqual([first])
  expect(await idsOf({ inicio: '2026-11-01', situacao: 'tratada' })).toEqual([second])
  expect(await idsOf({ inicio: '2026-11-01', filial: '010102' })).toEqual([])
  expect(await idsOf({ inicio: '2026-11-01', filial: '010101', pagina: '2' })).toEqual([])
  expect([
    await idsOf({ inicio: '2026-11-01', liberadoPor: 'Rita Melo' }),
    await idsOf({ liberadoPor: 'Ana' }),
  ]).toEqual([[first], []])
  expect(await list({ inicio: '2026-11-01' })).toMatchObject({ liberadores: ['Rita Melo'] })
  expect(await listFound({ pagina: '1' })).toMatchObject({ total: 0, ocorrencias: [], dias: [] })
  expect(await listFound({ inicio: '2026-11-01', liberadoPor: 'Rita Melo' })).toMatchObject({
    ...{ total: 1, dias: [{ dia: '2026-11-21', total: 1 }], liberadores: ['Rita Melo'] },
    ocorrencias: [{ liberadoPor: 'Rita Melo', situacao: 'aberta' }],
  })
  const foundBy = async (query: Record<string, string>) => (await listFound({ inicio: '2026-11-01', ...query })).total
  expect([await foundBy({ achado: 'fora-do-plano' }), await foundBy({ achado: 'falta-medir' })]).toEqual([1, 0])
  expect([await foundBy({ filial: '010101' }), await foundBy({ filial: '010102' })]).toEqual([1, 0])

  for (const url of [LIST, FINDINGS]) {
    for (const query of [
      ...['filial=999999', 'inicio=2026-13-01', 'fim=ontem', 'situacao=fechada', 'pagina=0', 'pagina=1,5', 'pagina=x'],
      ...['liberadoPor=', 'inicio=2026-11-21&fim=2026-11-20', 'ordem=1', url === LIST ? 'tipo=visual' : 'achado=nada'],
    ]) {
      expect((await ask(who.token, { url: `${url}?${query}` })).statusCode, `${url}?${query}`).toBe(400)
    }
  }
  const file = await ask(who.token, { url: `${LIST}/csv?inicio=2026-11-01` })
  expect(file.headers['content-disposition']).toBe('attachment; filename="medicoes_fora_2026-11-01_2026-12-31.csv"')
  const rows = file.body.split('\r\n').filter(Boolean)
  expect([rows.length, rows[0]?.split(';').slice(-3)]).toEqual([3, ['O que seguiu', 'Situação', 'Tratamento']])
  expect(rows[1]).toContain('"Força 60, mínimo 75"')
  expect(rows[1]?.split(';').slice(-3)).toEqual([
    ...['"Tratada por Rita Melo"', 'Tratada', '"Rita Melo: Peças separadas"'],
  ])
  expect(await db.read.selectFrom('outside_acts').select('act_id').execute()).toHaveLength(2)
})

test('samples outside that were taken out are asked for by themselves, and by who measured them; none waits for an answer', async () => {
  const { bad, list, invalidate, takeBack, quality, admin, who, clock, ask, followed } = await setUp()
  const counting = await bad()
  const [others, own] = [await bad(), await bad({}, quality)]
  for (const id of [others, own]) await invalidate(id)
  clock.advance(16 * MINUTE_MS)
  const idsOf = async (query: Record<string, string>) => (await list(query)).medicoes.map(({ id }) => id)
  expect(await idsOf({})).toEqual([counting])
  expect(await idsOf({ tiradas: 'sim' })).toEqual([own, others])
  expect(await idsOf({ tiradas: 'sim', tipo: 'forca' })).toEqual([])
  expect(await list({ tiradas: 'por-quem-mediu' })).toMatchObject({
    ...{ total: 1, semResposta: 1, dias: [{ total: 1 }] },
    medicoes: [{ id: own, semResposta: false, tirada: { por: 'Rita Melo', porQuemMediu: true } }],
  })
  const reason = 'Lida com o bico errado'
  expect(await followed({ tiradas: 'por-quem-mediu' })).toEqual([[`!Tirada das contas por quem mediu: ${reason}`]])
  const file = await ask(who.token, { url: `${LIST}/csv?tiradas=sim` })
  const rows = file.body.trimEnd().split('\r\n').slice(1)
  expect(rows.map((row) => row.split(';').at(-3))).toEqual([
    `"Tirada das contas por quem mediu: ${reason}"`,
    `"Tirada das contas por Rita Melo: ${reason}"`,
  ])
  await takeBack(own)
  await invalidate(own, admin)
  expect(await idsOf({ tiradas: 'por-quem-mediu' }), 'another took it out since').toEqual([])
  expect((await ask(who.token, { url: `${LIST}?tiradas=nao` })).statusCode).toBe(400)
})
