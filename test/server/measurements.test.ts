import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { auditDetailsText } from '../../src/domain/people/audit-entries.ts'
import { personCsv } from '../../src/server/features/users.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { insertInstrument } from '../../src/server/store/instruments.ts'
import { listChangesFrom } from '../../src/server/store/live-changes.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { unnameOldOperators } from '../../src/server/upkeep/operator-retention.ts'
import { crimpOf, databases, joinOf, ORDER, UNTOUCHED } from '../support/harness.ts'
import { measuredCrimp, planOf, setUpMeasuring as setUp } from '../support/measuring.ts'
import { blocked } from '../support/waiting.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const codeOf = ({ http, code }: { http: number; code?: string | undefined }) => [http, code]

describe.each(databases)('measurements on %s', (database) => {
  test('an act is stored once with its verdict, whatever comes twice, and other content is no repeat', async () => {
    const { plan, measure, heights, listed, db } = await setUp({ database })
    await plan()
    const id = randomUUID()
    const first = await measure({}, id)
    expect(first).toMatchObject({
      ...{ http: 201, message: 'Medição salva: dentro do plano.', status: 'enviado', pecasDesdeABoa: null },
      medicoes: [
        {
          ...{ id, caracteristica: 'altura', bitolaMilli: 500, valores: [1100, 1098, 1120], veredito: 'dentro' },
          ...{ plano: { version: 1 }, turno: '2026-11-21#0', ciclo: null, apontamentos: [], operador: 'Maria Souza' },
        },
      ],
    })
    const again = await Promise.all([measure({}, id), measure({}, id), measure({}, id.toUpperCase())])
    expect(again).toEqual([first, first, first])
    expect(codeOf(await measure(heights(1100), id))).toEqual([409, 'idempotency_key_reused'])
    expect(await listed()).toEqual(first.medicoes)
    const noted = (await listChangesFrom(db.read, 0)).flatMap(({ changes }) => changes)
    expect(noted.filter(({ topic }) => topic === 'measurements').map(({ key }) => key)).toEqual(['MA-0001', UNTOUCHED])
    const other = randomUUID()
    await Promise.all(Array.from({ length: 6 }, () => measure(heights(1099), other)))
    expect((await listed()).map((one) => one.id)).toEqual(expect.arrayContaining([id, other]))
    expect(await listed()).toHaveLength(2)
  })

  test('one outside is taken, and says how many pieces there are since the last good one', async () => {
    const { plan, measure, heights, record, token, clock } = await setUp({ database })
    await plan()
    const make = async (pieces: number) => {
      clock.advance(1000)
      expect((await record(token, crimpOf(pieces))).statusCode).toBe(201)
    }
    const bad = () => measure({ ...heights(1170, 1100), acao: 'ajustei' })
    await make(3)
    expect(await bad(), 'there never was a good one: those of the order').toMatchObject({
      message: 'Medição salva: fora do plano. Nunca medida: 3 peças desta ordem.',
      pecasDesdeABoa: 3,
    })
    clock.advance(1000)
    await measure()
    await make(5)
    await make(7)
    clock.advance(1000)
    const both = [
      { caracteristica: 'altura' as const, valores: [1100] },
      { caracteristica: 'forca' as const, valores: [92_000, 74_000] },
    ]
    const answer = await measure({ leituras: both })
    expect(answer).toMatchObject({
      ...{ http: 201, pecasDesdeABoa: 15 },
      message: 'Medição salva: fora do plano. Nunca medida: 15 peças desta ordem.',
      medicoes: [
        { caracteristica: 'altura', veredito: 'dentro' },
        { caracteristica: 'forca', veredito: 'fora' },
      ],
    })
    await make(1)
    expect(await bad(), 'its height was inside, whatever its force').toMatchObject({ pecasDesdeABoa: 1 })
    clock.advance(1000)
    const again = await measure({ leituras: [{ caracteristica: 'forca', valores: [74_000] }] })
    expect(again, 'of the force nobody has measured well').toMatchObject({ pecasDesdeABoa: 16 })
    const worse = await measure({ leituras: [...heights(1170).leituras, { caracteristica: 'forca', valores: [1000] }] })
    expect(worse, 'of both windows, each recording once').toMatchObject({ pecasDesdeABoa: 16 })
    expect(await measure({ ...heights(1170), maquina: 'PR0002' }), 'another machine').toMatchObject({
      pecasDesdeABoa: 0,
    })
  })

  test('a good force clears no height: not as a sample, and not where a recording itself measured it', async () => {
    const { plan, measure, heights, record, token, clock } = await setUp({ database })
    await plan()
    await measure({ leituras: [...heights(1100).leituras, { caracteristica: 'forca', valores: [80_000] }] })
    for (const pieces of [12, 6]) {
      clock.advance(1000)
      const strong = { ...crimpOf(pieces), FORCA_LD1: 80, captura: { medidoForca: true } }
      expect((await record(token, strong)).statusCode).toBe(201)
    }
    clock.advance(1000)
    await measure({ leituras: [{ caracteristica: 'forca', valores: [80_000] }], maquina: 'KX0001' })
    clock.advance(1000)
    expect(await measure({ ...heights(1170), maquina: 'kx0001' })).toMatchObject({
      ...{ http: 201, pecasDesdeABoa: 18 },
      message: 'Medição salva: fora do plano. 18 peças desde a última medição boa.',
    })
  })

  test('what a recording itself measured counts as long as the recording does', async () => {
    const { plan, own, rows, record, token, leaveToPerson, decide, admin } = await setUp({ database })
    await plan()
    const both = (id: string, counted: number) => ['altura', 'forca'].map((one) => [id, one, counted])
    const id = randomUUID()
    await record(token, measuredCrimp(2), id)
    expect(await own()).toEqual(both(id, 1))
    const [height, force] = await rows()
    expect(height).toMatchObject({ act_id: id, readings_json: '[1100]', n: 1, verdict: 'dentro', charted: 1 })
    expect(height).toMatchObject({ unit_key: 'ma-0001', unit_cycle: 1, lot: 'B23-004517/2', occasion: 'avulsa' })
    expect(force).toMatchObject({ readings_json: '[70000]', verdict: 'fora', plan_id: height?.plan_id })

    const undone = randomUUID()
    expect((await record(token, blocked(measuredCrimp(3)), undone)).statusCode).toBe(422)
    expect((await own()).slice(2), 'it had never been').toEqual(both(undone, 0))
    await record(token, blocked(measuredCrimp(3, { salvoNoDispositivo: true })), undone)
    expect((await own()).slice(2), 'the tablet had called it saved').toEqual(both(undone, 1))

    const beyond = randomUUID()
    await record(token, measuredCrimp(200, { salvoNoDispositivo: true }), beyond)
    expect((await own()).slice(4), 'more than ordered').toEqual(both(beyond, 0))
    expect((await decide(admin, beyond, 'entregue', {})).statusCode).toBe(200)
    expect((await own()).slice(4)).toEqual(both(beyond, 1))

    const uncertain = await leaveToPerson(measuredCrimp(1))
    expect((await own()).slice(6)).toEqual(both(uncertain, 1))
    expect((await decide(admin, uncertain, 'descarte', { motivo: 'em dobro' })).statusCode).toBe(200)
    expect((await own()).slice(6)).toEqual(both(uncertain, 0))
  })

  test('a correction moves what a recording measured and its samples; discarding leaves a sample as it is', async () => {
    const panel = await setUp({ database })
    const { measure, heights, own, links, rows, record, token, clock, deliverDue, decide, admin } = panel
    const sample = randomUUID()
    await measure(heights(1100), sample)
    const recordedAt = clock.now()
    const [id, newId, linked, next] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await record(token, blocked(measuredCrimp(3, { salvoNoDispositivo: true })), id)
    const withSample = { salvoNoDispositivo: true, medicoes: [sample, sample.toUpperCase()] }
    await record(token, blocked(measuredCrimp(4, withSample)), linked)
    await deliverDue()
    expect(await links()).toEqual([{ recording_id: linked, act_id: sample }])
    clock.advance(MINUTE_MS)
    const higher = { ...measuredCrimp(3), ALTURA_LD1: 1.12 }
    expect((await decide(token, id, 'correcao', higher, newId)).statusCode).toBe(201)
    expect((await own()).map(([recording, , counted]) => [recording, counted])).toEqual([
      [id, 0],
      [id, 0],
      // its force was typed beside a sample of height
      [linked, 1],
      [newId, 1],
      [newId, 1],
    ])
    const moved = (await rows()).find((row) => row.recording_id === newId)
    expect(moved).toMatchObject({ readings_json: '[1120]', measured_at: recordedAt, operator: 'Maria Souza' })
    expect((await decide(token, linked, 'correcao', measuredCrimp(4), next)).statusCode).toBe(201)
    expect(await links(), 'the page of the correction need not know of it').toEqual([
      { recording_id: next, act_id: sample },
    ])
    expect((await own()).map(([recording, , counted]) => [recording, counted]).slice(2)).toContainEqual([next, 1])
    expect(await own()).toHaveLength(6)

    const discarded = randomUUID()
    await record(token, blocked(measuredCrimp(5, withSample)), discarded)
    await deliverDue()
    expect((await decide(admin, discarded, 'descarte', { motivo: 'em dobro' })).statusCode).toBe(200)
    expect((await rows()).find(({ act_id }) => act_id === sample)).toMatchObject({ counted: 1 })
  })

  test('what is needed to measure an item is known beside it: plans, tools, last samples and pieces', async () => {
    const { plan, measure, heights, contextOf, record, token, clock, db, ask } = await setUp({ database })
    await plan()
    await plan(planOf({ bitola: 750 }))
    await db.transaction(async (tx) => {
      await insertApplicator(tx, { terminal: 'T1326030', miniaplicator: 'MA-0001', at: clock.now() })
      await insertInstrument(tx, { codigo: 'MIC', descricao: '', resolucao: 1, ativo: true })
      await tx.updateTable('applicator_units').set({ maintained_at: clock.now() }).execute()
    })
    const before = randomUUID()
    await measure({ lote: 'A' }, before)
    clock.advance(1000)
    const typed = randomUUID()
    await record(token, measuredCrimp(5), typed)
    clock.advance(1000)
    const [sample, other] = [randomUUID(), randomUUID()]
    await measure(heights(1101), sample)
    clock.advance(1000)
    await measure({ ...heights(1102), maquina: 'PR0002' }, other)
    const context = await contextOf()
    expect(context).toMatchObject({
      planos: [{ bitola: 500 }],
      instrumentos: [{ codigo: 'MIC' }],
      lados: [{ parte: 'l1', miniaplicador: 'MA-0001', ciclo: 1, manutencaoEm: '2026-11-21T15:00:00.000Z', saldo: 5 }],
    })
    expect(context.lados[0]?.amostras).toEqual([other, sample])
    expect(
      context.series.map(({ caracteristica, amostras }) => [caracteristica, amostras.map(({ id }) => id)]),
    ).toEqual([
      ['altura', [before, expect.any(String), sample, other]],
      ['forca', [expect.any(String)]],
    ])
    expect(context.ultimas.map(({ id, caracteristica }) => [id, caracteristica])).toEqual([
      [other, 'altura'],
      [sample, 'altura'],
      [typed, 'forca'],
      [typed, 'altura'],
      [before, 'altura'],
    ])
    const unknown = await ask(token, { url: `/api/medicoes/do-item/${'X'.repeat(22)}?filial=010101` })
    expect(unknown.json()).toMatchObject({ planos: [], lados: [], ultimas: [], instrumentos: [{ codigo: 'MIC' }] })
  })

  test('one that is taken out stays in sight, with who did it and why', async () => {
    const { measure, invalidate, listed, contextOf, token, audit, record } = await setUp({ database })
    const id = randomUUID()
    const readings = [
      { caracteristica: 'altura' as const, valores: [1100, 1098] },
      { caracteristica: 'forca' as const, valores: [92_000] },
    ]
    await measure({ leituras: readings }, id)
    expect((await invalidate(id, token)).statusCode, 'an operator may not').toBe(403)
    const taken = await invalidate(id.toUpperCase())
    expect(taken.json()).toMatchObject([
      { caracteristica: 'altura', invalida: { motivo: 'Lida com o bico errado', por: 'Rita Melo' } },
      { caracteristica: 'forca', invalida: { por: 'Rita Melo' } },
    ])
    expect((await invalidate(id)).json(), 'pressed twice').toEqual(taken.json())
    expect((await invalidate(randomUUID())).json().code).toBe('not_found')
    expect(await listed()).toEqual(taken.json())
    expect((await contextOf()).ultimas).toEqual([])
    const [line, ...more] = (await audit()).filter(({ subject_kind }) => subject_kind === 'measurement')
    expect([line?.user_name, line?.action, line?.reason, more]).toEqual([
      ...['rita', 'measurement_invalidated', 'Lida com o bico errado'],
      [],
    ])
    expect(auditDetailsText(line?.details_json ?? '')).toBe(
      'Conta: Sim → Não; Terminal: T1326030; Leituras: altura 1,100 / 1,098, força 92',
    )
    const own = randomUUID()
    await record(token, measuredCrimp(1), own)
    expect((await invalidate(own)).json(), 'also what a recording itself measured').toHaveLength(2)
  })

  test('names in old measurements give way to marks, and the file of a person has theirs', async () => {
    const panel = await setUp({ database, env: { OPERATOR_RETENTION_MONTHS: '24' } })
    const { measure, invalidate, clock, context, db, login, rows } = panel
    const id = randomUUID()
    await measure({}, id)
    await invalidate(id)
    const user = (await listUsers(db.read)).find(({ username }) => username === 'operador')
    let file = ''
    if (user) for await (const lines of personCsv(db, user, () => 'agora')) file += lines
    expect(file.split('\r\n').filter((line) => line.includes('Medição'))).toEqual([
      expect.stringMatching(/^agora;Medição;.*01621401001.*;.*0007.*;"KX0001 - Komax altura 1,100 \/ 1,098 \/ 1,120"$/),
    ])
    clock.advance(2 * 366 * DAY_MS)
    await measure({}, randomUUID(), (await login('operador')).token)
    await unnameOldOperators(context)
    const [old, fresh] = await rows()
    expect(old).toMatchObject({ operator: expect.stringMatching(/^Operador \[/), user_id: 0 })
    expect(old?.invalid_by).toMatch(/^Operador \[/)
    expect(fresh?.operator).toBe('Maria Souza')
  })
})

describe('a measurement', () => {
  test('is written of what the form says was measured, and of nothing else', async () => {
    const { own, record, token, rows, ask } = await setUp()
    const with_ = (captura: object) => record(token, { ...crimpOf(1), captura })
    await record(token, crimpOf(1))
    await with_({ medidoForca: false, medidoAltura: false })
    await with_({ medidoForca: true, medidoAltura: true, medicoes: [randomUUID()] })
    expect(await own()).toEqual([])
    await with_({ medidoAltura: true, medidoForca: false, medicoes: [] })
    expect((await own()).map(([, characteristic]) => characteristic)).toEqual(['altura'])
    const headers = { 'idempotency-key': randomUUID() }
    const payload = { ...joinOf(1), captura: { medidoForca: true } }
    await ask(token, { method: 'POST', url: '/api/juncao/registrar-apontamento', headers, payload })
    expect((await rows()).at(-1)).toMatchObject({ part: 'juncao', position: 'J01', readings_json: '[92500]' })
  })

  test('of two wires, no registered tool or an unknown item is stored without a verdict, and in no chart', async () => {
    const { plan, measure, rows } = await setUp()
    await plan()
    const verdictOf = async (more: Parameters<typeof measure>[0]) => (await measure(more)).medicoes[0]?.veredito
    expect([
      await verdictOf({ doisFios: true }),
      await verdictOf({ miniaplicador: 'sem cadastro ' }),
      await verdictOf({ codigoBarras: 'X'.repeat(22) }),
      await verdictOf({}),
    ]).toEqual(['sem-plano', 'sem-plano', 'sem-plano', 'dentro'])
    expect(
      (await rows()).map(({ charted, counted, unit, gauge_milli }) => [charted, counted, unit, gauge_milli]),
    ).toEqual([
      [0, 1, 'MA-0001', 500],
      [0, 1, '', 500],
      [0, 1, 'MA-0001', null],
      [1, 1, 'MA-0001', 500],
    ])
  })

  test('is judged by the plan that was in force, and by the stricter of plan and order', async () => {
    const { plan, measure, heights, clock } = await setUp()
    const force = (milli: number) => measure({ leituras: [{ caracteristica: 'forca', valores: [milli] }] })
    const alone = (await force(69_900)).medicoes[0]
    expect([alone?.veredito, alone?.plano], 'the order alone').toEqual(['fora', null])
    const measuredAt = new Date(clock.now()).toISOString()
    clock.advance(MINUTE_MS)
    const { forcaMin: _, ...withoutForce } = planOf()
    await plan(withoutForce, clock.now())
    const captura = { registradoEm: measuredAt, salvoNoDispositivo: true }
    expect((await measure({ ...heights(1170), captura })).medicoes[0]?.veredito, 'before that plan').toBe('sem-plano')
    expect((await measure(heights(1170))).medicoes[0]?.veredito).toBe('fora')
    expect((await force(70_000)).medicoes[0]).toMatchObject({ veredito: 'dentro', plano: null })
    const ahead = { registradoEm: new Date(clock.now() + DAY_MS).toISOString() }
    expect((await measure({ captura: ahead })).medicoes[0]?.medidoEm).toBe(new Date(clock.now()).toISOString())
  })

  test('with a lost comma or a doubtful instrument is stored, and says so', async () => {
    const { plan, measure, heights, rows, db } = await setUp()
    await plan()
    const instrument = { descricao: '', resolucao: 1, calibradoAte: '2026-11-20', ativo: true }
    await db.transaction((tx) => insertInstrument(tx, { codigo: 'MIC-1', ...instrument }))
    const findingsOf = async (more: Parameters<typeof measure>[0]) => (await measure(more)).medicoes[0]?.apontamentos
    expect([
      await findingsOf(heights(11_000)),
      await findingsOf({ instrumento: 'mic-1' }),
      await findingsOf({ instrumento: 'MIC-2', ...heights(500) }),
    ]).toEqual([['implausivel'], ['instrumento-vencido'], ['implausivel', 'instrumento-desconhecido']])
    expect((await rows()).map(({ charted }) => charted)).toEqual([0, 1, 0])
  })

  test('bears the cycle that the tool’s counter had when it was measured', async () => {
    const { measure, record, token, admin, ask, clock } = await setUp()
    await record(token, crimpOf(1))
    const measuredAt = new Date(clock.now()).toISOString()
    clock.advance(MINUTE_MS)
    const payload = { miniaplicator: 'MA-0001', newLimitOfCrimps: 9 }
    await ask(admin, { method: 'POST', url: '/api/crimpagens/MA-0001/reset', payload })
    const captura = { registradoEm: measuredAt, salvoNoDispositivo: true }
    const cycles = [(await measure({ captura })).medicoes[0]?.ciclo, (await measure()).medicoes[0]?.ciclo]
    expect(cycles).toEqual([1, 2])
  })

  test('of a junction is judged by terminal and tested gauge, and known beside it', async () => {
    const { plan, measure, ask, token, rows } = await setUp()
    const query = `filial=010101&numeroOp=${ORDER}&posicao=J01`
    await ask(token, { url: `/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}` })
    const { data, juncao } = (await ask(token, { url: `/api/juncao/obter-detalhes?${query}` })).json()
    const terminal: string = juncao.Z8_TERMINA
    const bitola = Math.round(1000 * Number(data.teste.ZTB_BITOLA.replace(',', '.')))
    await plan(planOf({ terminal, bitola }))
    const junction = { ...{ parte: 'juncao', posicao: 'J01', terminal, maquina: 'US0002' }, ...{ lote: 'L1' } } as const
    const { medicoes } = await measure({ ...junction, codigoBarras: undefined, miniaplicador: undefined } as object)
    expect(medicoes).toMatchObject([{ posicao: 'J01', bitolaMilli: bitola, veredito: 'dentro', miniaplicador: '' }])
    expect((await rows())[0]).toMatchObject({ charted: 0, counted: 1 })
    const context = (await ask(token, { url: `/api/medicoes/da-juncao?${query}` })).json()
    expect(context).toMatchObject({
      planos: [{ terminal }],
      lados: [{ parte: 'juncao', miniaplicador: '', ciclo: null, saldo: 0, amostras: [medicoes[0]?.id] }],
      ultimas: [{ id: medicoes[0]?.id }],
    })
  })
})
