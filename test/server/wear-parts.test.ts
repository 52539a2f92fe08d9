import { describe, expect, test } from 'vitest'
import type { CrimpCounter } from '../../src/contract/crimp-counters.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import type { ToolParts } from '../../src/contract/wear-parts.ts'
import { addDays, plantDay } from '../../src/domain/plant/plant-time.ts'
import { crimpOf, type Database, databases, parked, UNTOUCHED } from '../support/harness.ts'
import { produce } from '../support/production.ts'
import { codeOf, openToolRoom } from '../support/tools.ts'

const anvil = { kind: 'bigorna', code: '1-456', limitOfCrimps: 50_000, usedBefore: 0 }
const young = { code: '1-457', limitOfCrimps: 60_000, usedBefore: 0, reason: 'gasta' }

async function setUp(database: Database = 'sqlite') {
  const room = await openToolRoom(database)
  const mount = (part: object, who?: string, unit = 'MA-0001') =>
    room.as({ method: 'POST', url: `/api/ferramentas/${unit}/pecas`, payload: { parts: [part] } }, who)
  const replace = (id: number, part: object = young, who?: string) =>
    room.as({ method: 'POST', url: `/api/pecas/${id}/troca`, payload: part }, who)
  const remove = (id: number, reason = 'quebrada') =>
    room.as({ method: 'POST', url: `/api/pecas/${id}/retirada`, payload: { reason } })
  const reset = (body: object, who?: string) =>
    room.as(
      {
        method: 'POST',
        url: '/api/crimpagens/MA-0001/reset',
        payload: { miniaplicator: 'MA-0001', newLimitOfCrimps: 100_000, ...body },
      },
      who,
    )
  const counts = async () =>
    ((await room.unit()).pecas ?? []).map(({ code, numberOfCrimps }): [string, number] => [code, numberOfCrimps])
  return { ...room, mount, replace, remove, reset, counts }
}

describe.each(databases)('wear parts on %s', (database) => {
  test('count from their mounting on, each by itself, and say when they reach their limit', async () => {
    const { db, clock, count, mount, unit, parts } = await setUp(database)
    const today = plantDay(clock.now(), 'America/Sao_Paulo')
    for (const ago of [1, 2, 3]) await produce(db, 1000, { productionDay: addDays(today, -ago) })
    await count(380_000)
    expect((await mount(anvil)).statusCode).toBe(201)
    await count(32_000)
    const crimper = { kind: 'crimpador-condutor', code: '7-001', limitOfCrimps: 80_000, usedBefore: 79_000 }
    await mount(crimper, undefined, 'ma-0001')
    await count(10)
    const mountedAt = new Date(clock.now()).toISOString()
    const { id: _, ...first } = (await unit()).pecas?.[0] ?? { id: 0 }
    expect(first).toEqual({
      kind: 'bigorna',
      code: '1-456',
      numberOfCrimps: 32_010,
      limitOfCrimps: 50_000,
      mountedAt,
      previsao: expect.objectContaining({ estado: 'previsto' }),
    })
    const { mounted, removed, miniaplicator } = await parts('ma-0001')
    expect([miniaplicator, removed]).toEqual(['MA-0001', []])
    expect(mounted.map(({ code, numberOfCrimps, mountedBy }) => [code, numberOfCrimps, mountedBy])).toEqual([
      ['1-456', 32_010, 'Carlos Melo'],
      ['7-001', 79_010, 'Carlos Melo'],
    ])
    // 990 left of the crimper: the first of the three weekdays that have a mean
    expect(mounted[1]?.previsao).toEqual({ estado: 'previsto', dia: addDays(today, 4), emDias: 4, aproximada: true })
  })

  test('a kind is mounted once: the one that is there goes first; of others one of each code', async () => {
    const { mount, remove, parts } = await setUp(database)
    await mount(anvil)
    const again = await mount({ ...anvil, code: '1-999' })
    expect([again.statusCode, again.json<ErrorReply>().message]).toEqual([409, 'Retire a bigorna atual antes.'])
    const spring = { ...anvil, kind: 'outra', code: 'Mola 7' }
    expect((await mount(spring)).statusCode).toBe(201)
    const twice = await mount({ ...spring, code: 'MOLA 7' })
    expect(twice.json<ErrorReply>().message).toBe('Retire a peça MOLA 7 atual antes.')
    expect((await mount({ ...spring, code: 'Mola 8' })).statusCode).toBe(201)
    const [first] = (await parts()).mounted
    expect((await remove(first?.id ?? 0)).json<ToolParts>().mounted).toHaveLength(2)
    expect((await mount({ ...anvil, code: '1-999' })).statusCode).toBe(201)
  })

  test('of parts that are mounted together none is where one is refused', async () => {
    const { as, mount, parts } = await setUp(database)
    await mount(anvil)
    const both = { parts: [{ ...anvil, kind: 'cortador' }, anvil] }
    const answer = await as({ method: 'POST', url: '/api/ferramentas/MA-0001/pecas', payload: both })
    expect(codeOf(answer)).toEqual([409, 'part_mounted'])
    expect((await parts()).mounted.map(({ kind }) => kind)).toEqual(['bigorna'])
  })

  test('a change ends one part and begins the next at the same crimp; the counter of the unit stays', async () => {
    const { count, mount, replace, remove, unit, counts, parts, clock } = await setUp(database)
    await count(1000)
    await mount(anvil)
    await count(500)
    const { id = 0 } = (await unit()).pecas?.[0] ?? {}
    const changed = await replace(id, { ...young, usedBefore: 41_000 })
    expect(changed.statusCode, changed.body).toBe(200)
    await count(7)
    expect(await counts()).toEqual([['1-457', 41_007]])
    expect((await unit()).numberOfCrimps).toBe(1507)
    expect((await parts()).removed).toEqual([
      {
        id,
        kind: 'bigorna',
        code: '1-456',
        numberOfCrimps: 500,
        limitOfCrimps: 50_000,
        removedAt: new Date(clock.now()).toISOString(),
        removedBy: 'Carlos Melo',
        reason: 'gasta',
        chamado: null,
      },
    ])
    for (const late of [await replace(id), await remove(id)]) expect(codeOf(late)).toEqual([409, 'part_removed'])
    expect(await counts(), 'nothing was mounted in its place').toEqual([['1-457', 41_007]])
  })

  test('of two who change one part at once the first does', async () => {
    const { mount, replace, unit, counts } = await setUp(database)
    await mount(anvil)
    const { id = 0 } = (await unit()).pecas?.[0] ?? {}
    const answers = await Promise.all(['2-A', '2-B', '2-C'].map((code) => replace(id, { ...young, code })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
    expect(await counts()).toHaveLength(1)
  })

  test('a reset changes the parts that were named and no other, in one commit', async () => {
    const { count, mount, reset, unit, counts } = await setUp(database)
    await mount(anvil)
    await mount({ ...anvil, kind: 'cortador', code: '9-1' })
    await count(800)
    expect((await reset({})).statusCode).toBe(200)
    expect(await counts()).toEqual([
      ['1-456', 800],
      ['9-1', 800],
    ])
    const [part, other] = (await unit()).pecas ?? []
    await count(50)
    const answer = await reset({ replacedParts: [{ id: part?.id, ...young }] })
    expect(answer.json<CrimpCounter>().pecas?.map(({ code, numberOfCrimps }) => [code, numberOfCrimps])).toEqual([
      ['9-1', 850],
      ['1-457', 0],
    ])
    await count(3)
    const gone = [
      { id: other?.id, ...young, code: '9-2' },
      { id: part?.id, ...young },
    ]
    expect(codeOf(await reset({ replacedParts: gone }))).toEqual([409, 'part_removed'])
    expect((await unit()).numberOfCrimps, 'not reset either').toBe(3)
    expect(await counts()).toEqual([
      ['9-1', 853],
      ['1-457', 3],
    ])
  })
})

describe.each(databases)('a reset while the tool crimps on %s', (database) => {
  test('loses no crimp between the part that goes and the one that comes, and counts none twice', async () => {
    const { count, mount, reset, unit, counts, parts } = await setUp(database)
    await count(500)
    await mount(anvil)
    for (let round = 1; round <= 5; round++) {
      const [part] = (await unit()).pecas ?? []
      const replacedParts = [{ id: part?.id, ...young, code: `R${round}` }]
      const crimped = Array.from({ length: 6 }, (_, at) => count(10 + at))
      const [answer] = await Promise.all([reset({ replacedParts }), ...crimped])
      expect(answer.statusCode, answer.body).toBe(200)
    }
    const removed = (await parts()).removed.reduce((sum, { numberOfCrimps }) => sum + numberOfCrimps, 0)
    const [mounted] = await counts()
    expect(removed + (mounted?.[1] ?? 0)).toBe(5 * (10 + 11 + 12 + 13 + 14 + 15))
    expect((await unit()).lifetimeCrimps).toBe(500 + 375)
  })
})

test('what is taken back reaches a part by itself; it never falls below nothing', async () => {
  const { db, login, record, as, mount, counts } = await setUp()
  const { token } = await login('joao')
  await as({ url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  const id = '00000000-0000-4000-9000-000000000001'
  await mount(anvil)
  await record(token, parked(crimpOf(40)), id)
  await record(token, crimpOf(5))
  expect(await counts()).toEqual([['1-456', 45]])
  const payload = { motivo: 'Peças refugadas' }
  const discarded = await as({ method: 'POST', url: `/api/pendencias/${id}/descarte`, payload }, 'joao')
  expect(discarded.statusCode, discarded.body).toBe(200)
  expect(await counts()).toEqual([['1-456', 5]])
  await db.transaction((tx) => tx.updateTable('applicator_units').set({ lifetime_crimps: -1 }).execute())
  expect(await counts()).toEqual([['1-456', 0]])
})

test('who may not change parts is refused, in a reset too, and still resets', async () => {
  const { as, mount, replace, reset, unit } = await setUp()
  await mount(anvil)
  const { id = 0 } = (await unit()).pecas?.[0] ?? {}
  expect((await replace(id, young, 'maria')).statusCode, 'everybody works for all').toBe(200)
  const chosen = await as({ method: 'PUT', url: '/api/configuracao', payload: { limitRoles: ['operador'] } }, 'joao')
  expect(chosen.statusCode, chosen.body).toBe(200)
  const [part] = (await unit()).pecas ?? []
  expect(codeOf(await replace(part?.id ?? 0, young, 'maria'))).toEqual([403, 'not_allowed'])
  expect(codeOf(await reset({ replacedParts: [{ id: part?.id, ...young }] }, 'maria'))).toEqual([403, 'not_allowed'])
  expect((await reset({}, 'maria')).statusCode).toBe(200)
  expect(codeOf(await reset({}))).toEqual([403, 'not_allowed'])
  expect((await replace(part?.id ?? 0)).statusCode, 'maintenance always may').toBe(200)
})

test('a part of another tool is not changed by a reset, and nobody mounts into a tool that is not there', async () => {
  const { as, db, mount, reset, unit } = await setUp()
  await as({
    method: 'POST',
    url: '/api/miniaplicadores',
    payload: { terminal: 'T0925590', miniaplicator: 'MA-0002' },
  })
  await mount(anvil, undefined, 'MA-0002')
  const other = await db.read.selectFrom('wear_parts').select('id').executeTakeFirstOrThrow()
  expect(codeOf(await reset({ replacedParts: [{ id: other.id, ...young }] }))).toEqual([404, 'not_found'])
  expect((await unit()).version, 'nothing was done').toBe(1)
  expect(codeOf(await mount(anvil, undefined, 'MA-9999'))).toEqual([404, 'not_found'])
})

test.each([
  [{ limitOfCrimps: 0 }, 'O limite deve ser um número inteiro a partir de 1, ou -1 para ilimitado'],
  [{ limitOfCrimps: 1.5 }, 'Tipo de dado inválido'],
  [{ usedBefore: 1_000_000_001 }, 'Valor acima do máximo (1000000000)'],
  [{ usedBefore: -1 }, 'Valor abaixo do mínimo (0)'],
  [{ code: '' }, 'Informe o código da peça'],
])('a part with %j is refused in words', async (wrong, message) => {
  const { mount } = await setUp()
  const answer = await mount({ ...anvil, ...wrong })
  expect(answer.json<ErrorReply>().details).toEqual([{ field: `parts.0.${Object.keys(wrong)[0]}`, message }])
})

test('the trail says who mounted, changed and removed what, and why', async () => {
  const { count, mount, replace, remove, unit, trail } = await setUp()
  await mount(anvil)
  await count(120)
  await replace((await unit()).pecas?.[0]?.id ?? 0)
  await remove((await unit()).pecas?.[0]?.id ?? 0)
  const of = { user: 'carlos', subject: 'MA-0001' }
  const [was, is] = [
    { part: 'Bigorna 1-456', limitOfCrimps: 50_000 },
    { part: 'Bigorna 1-457', limitOfCrimps: 60_000 },
  ]
  expect(await trail()).toEqual([
    { ...of, action: 'part_mounted', reason: null, details: { name: 'MA-0001', is: { ...was, usedCrimps: 0 } } },
    {
      ...of,
      action: 'part_replaced',
      reason: 'Gasta',
      details: { name: 'MA-0001', was: { ...was, numberOfCrimps: 120 }, is: { ...is, numberOfCrimps: 0 } },
    },
    {
      ...of,
      action: 'part_removed',
      reason: 'Quebrada',
      details: { name: 'MA-0001', was: { ...is, numberOfCrimps: 0 } },
    },
  ])
})

test('a change of parts is heard by the screens that show them', async () => {
  const { db, mount } = await setUp()
  await mount(anvil)
  const row = await db.read
    .selectFrom('live_changes')
    .select('changes_json')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(row.changes_json)).toEqual([{ topic: 'wear-parts', key: 'MA-0001' }])
})
