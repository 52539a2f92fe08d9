import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import type {
  Containment,
  ContainmentForm,
  ContainmentPreview,
  containments,
  WindowForm,
} from '../../src/contract/containments.ts'
import type { Reply } from '../../src/contract/endpoint.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { listSuspects } from '../../src/server/store/suspect-subjects.ts'
import { addUser, databases, openTestPanel, testClock } from '../support/harness.ts'
import { BRANCH } from '../support/store.ts'
import { goldenWindows, type Plant, storePlant, storeRecordings } from '../support/suspect-windows.ts'

type Detail = Reply<typeof containments.detail>
type Items = Reply<typeof containments.items>
type List = Reply<typeof containments.list>
type Refusal = Partial<ErrorReply> & { http: number }

/** Ids of golden data as a device would make them: 'a2' and 'r1'. */
const idOf = (name: string): string =>
  `00000000-0000-4000-${name.startsWith('a') ? 'a' : '8'}000-${name.slice(1).padStart(12, '0')}`
const nameOf = (id: string): string => `${id[19] === 'a' ? 'a' : 'r'}${Number(id.slice(-4))}`
const withIds = ({ acts, recordings }: Plant): Plant => ({
  acts: acts.map((act) => ({ ...act, id: idOf(act.id) })),
  recordings: recordings.map((one) => ({ ...one, id: idOf(one.id) })),
})

/** Good at 9:05, 11:48 and before; bad at 11:20: 186 pieces up to it, 436 to the end, and 250 that may hold some. */
const golden = goldenWindows[0]
if (!golden) throw new Error('no golden window')
const badAct = golden.acts.find(({ at, parts }) => at === golden.bad.at && parts.altura === 'fora')
const BAD = idOf(badAct?.id ?? '')
const AFTERNOON_MS = Date.parse('2026-11-23T18:00:00Z')

const people = { operador: 'operador', qualidade: 'qualidade', consulta: 'consulta' } as const
type Who = keyof typeof people

const setUp = async (options: Parameters<typeof openTestPanel>[0] = {}, plant: Plant = golden) => {
  const panel = await openTestPanel({ clock: testClock(AFTERNOON_MS), ...options })
  await storePlant(panel.db, withIds(plant))
  const tokens = new Map<Who, string>()
  for (const who of Object.keys(people) as Who[]) {
    await addUser(panel.context, { username: who, role: people[who], fullName: `${who} Souza` })
    tokens.set(who, (await panel.login(who)).token)
  }
  const send = async <Body>(request: InjectOptions, who: Who = 'operador') => {
    const answer = await panel.ask(tokens.get(who) ?? '', request)
    return { http: answer.statusCode, etag: answer.headers.etag, ...answer.json<Body & Partial<ErrorReply>>() }
  }
  const read = <Body>(url: string, query: Record<string, string> = {}, who: Who = 'operador') =>
    send<Body>({ url, query }, who)
  const preview = (query: Record<string, string>) => read<ContainmentPreview>('/api/contencoes/previa', query)
  const open = (payload: ContainmentForm, who: Who = 'operador', id: string = randomUUID()) =>
    send<Containment>({ method: 'POST', url: '/api/contencoes', headers: { 'idempotency-key': id }, payload }, who)
  const change = (id: string, payload: WindowForm, who: Who = 'operador', version?: number) =>
    send<Containment>(
      {
        ...{ method: 'POST', url: `/api/contencoes/${id}/janela`, payload },
        headers: version === undefined ? {} : { 'if-match': `"${version}"` },
      },
      who,
    )
  const detail = (id: string) => read<Detail>(`/api/contencoes/${id}`)
  const trail = async () =>
    await panel.db.read.selectFrom('audit_entries').selectAll().where('subject_kind', '=', 'containment').execute()
  return { ...panel, send, read, preview, open, change, detail, trail }
}

const reading: ContainmentForm = { medicao: BAD, caracteristica: 'altura' }
const query = { medicao: BAD, caracteristica: 'altura' }
const lot: ContainmentForm = { filial: BRANCH, tipo: 'lote', termo: 'L-1' }
const refusalOf = ({ http, code, details = [] }: Refusal) => [
  ...[http, code],
  ...details.map(({ field, message }) => `${field}: ${message}`),
]

describe.each(databases)('containments on %s', (database) => {
  test('a bad reading is looked at, contained once, and read again', async () => {
    const { preview, open, detail, read, trail } = await setUp({ database })
    const seen = await preview(query)
    expect(seen).toMatchObject({
      ...{ http: 200, filial: BRANCH, tipo: 'medicao', assunto: 'Altura fora: 1,000 mm', medicao: BAD },
      janela: {
        ...{ inicio: '2026-11-23T09:05:00.000Z', base: 'medicao', fim: '2026-11-23T11:48:00.000Z' },
        ...{ aberta: false, motivo: '' },
      },
      ...{ medidoAntes: { valores: [1000], por: 'Maria Souza' }, medidoDepois: { valores: [1000] } },
      ...{ certos: { apontamentos: 3, pecas: 436 }, possiveis: { apontamentos: 1, pecas: 250 } },
      ...{ outraMaquina: { apontamentos: 0, pecas: 0 }, ateAMedicao: 186, contencao: null, proxima: null },
    })
    expect(seen.linhas.map(({ apontamento, certeza }) => `${nameOf(apontamento)} ${certeza}`).toSorted()).toEqual([
      ...['r2 certo', 'r4 certo', 'r6 certo', 'r7 possivel'],
    ])
    const id = randomUUID()
    const opened = await open(reading, 'operador', id)
    expect(opened).toMatchObject({
      ...{ http: 201, id, numero: 'C-000001', situacao: 'aberta', linhas: 4, pecas: 686, suspeitas: 686 },
      ...{ retrabalho: 0, liberadas: 0, sucateadas: 0, divergentes: 0, abertaPor: 'operador Souza', version: 1 },
    })
    expect((await open(reading, 'operador', id)).numero, 'its answer was lost').toBe('C-000001')
    expect(refusalOf(await open({ ...reading, motivo: 'x' }, 'operador', id))).toEqual([409, 'idempotency_key_reused'])
    expect(await open(reading)).toMatchObject({
      ...{ http: 409, code: 'containment_exists', message: 'Já há a contenção C-000001 para esta medição.' },
    })
    expect((await preview(query)).contencao).toEqual({ id, numero: 'C-000001' })
    const found = await detail(id)
    expect(found).toMatchObject({ http: 200, etag: '"1"', contencao: { numero: 'C-000001' }, proxima: null })
    expect((await detail('c-000001')).contencao, 'by the number of its label').toEqual(found.contencao)
    expect(refusalOf(await detail('C-000002'))).toEqual([404, 'not_found'])
    expect(found.medidoAntes).toEqual(seen.medidoAntes)
    const bare = found.linhas.map(({ apontamento, certeza, pecas }) => ({ apontamento, certeza, pecas }))
    expect(bare).toEqual(seen.linhas.map(({ apontamento, certeza, pecas }) => ({ apontamento, certeza, pecas })))
    expect(found.linhas[0]).toMatchObject({ version: 1, divergente: false, passos: [], recebido: false, etapa: 'l1' })
    const items = await read<Items>('/api/contencoes/itens', { filial: BRANCH })
    const byOrder = Map.groupBy(found.linhas, ({ ordem }) => ordem)
    expect(new Map(items.itens.map(({ ordem, pecas }) => [ordem, pecas]))).toEqual(
      new Map([...byOrder].map(([ordem, rows]) => [ordem, rows.reduce((sum, { pecas }) => sum + pecas, 0)])),
    )
    expect([items.ferramentas, items.lotes]).toEqual([[{ miniaplicador: 'ma-0412', id, numero: 'C-000001' }], []])
    const { abertas, contencoes } = await read<List>('/api/contencoes', { filial: BRANCH })
    expect([abertas, contencoes]).toEqual([1, [found.contencao]])
    expect(await trail()).toMatchObject([{ action: 'containment_opened', user_name: 'operador', subject_id: id }])
  })

  test('of many people at one instant with one reading one opens it, and each subject has a number of its own', async () => {
    const { open, db } = await setUp({ database })
    const answers = await Promise.all(Array.from({ length: 6 }, () => open(reading)))
    expect(answers.map(({ http }) => http).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
    const lots = await Promise.all([1, 2, 3].map((nth) => open({ ...lot, termo: `L-${nth}` })))
    expect(new Set(lots.map(({ numero }) => numero)).size).toBe(3)
    const { n } = await db.read
      .selectFrom('containment_rows')
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBe(4)
  })

  test('whoever records widens a window; quality alone narrows it, and what somebody decided about stays', async () => {
    const { open, change, detail, db, trail } = await setUp({ database })
    const { id } = await open(reading)
    const rowsOf = async () => (await detail(id)).linhas.map(({ apontamento }) => nameOf(apontamento)).toSorted()
    const early = { inicio: '2026-11-23T08:00:00Z', motivo: 'Ajuste sem medição' }
    expect(refusalOf(await change(id, early, 'consulta'))).toEqual([403, 'not_allowed'])
    const widened = await change(id, early, 'operador', 1)
    expect(widened).toMatchObject({
      ...{ http: 200, etag: '"2"', linhas: 5, version: 2 },
      janela: { base: 'mao', inicio: '2026-11-23T08:00:00.000Z', motivo: 'Ajuste sem medição', aberta: false },
    })
    expect(await rowsOf()).toEqual(['r1', 'r2', 'r4', 'r6', 'r7'])
    expect(refusalOf(await change(id, early, 'operador', 1))).toEqual([409, 'changed_meanwhile'])
    const late = { inicio: '2026-11-23T11:00:00Z', motivo: 'Medida às 11' }
    expect(refusalOf(await change(id, late))).toEqual([403, 'not_allowed'])
    const decided = (await detail(id)).linhas.find(({ apontamento }) => nameOf(apontamento) === 'r2')
    await db.transaction((tx) =>
      tx
        .updateTable('containment_rows')
        .set({ version: 2 })
        .where('id', '=', decided?.id ?? 0)
        .execute(),
    )
    expect((await change(id, late, 'qualidade')).http).toBe(200)
    const left = await rowsOf()
    expect([left.includes('r2'), left.includes('r1'), left.includes('r7')]).toEqual([true, false, true])
    expect((await trail()).map(({ action }) => action)).toEqual([
      ...['containment_opened', 'containment_window_changed', 'containment_window_changed'],
    ])
    await db.transaction((tx) => tx.updateTable('containments').set({ state: 'encerrada' }).execute())
    expect(refusalOf(await change(id, early))).toEqual([409, 'containment_closed'])
  })

  test('a lot, a tool, a machine and an instrument are contained by name', async () => {
    const { preview, open } = await setUp({ database })
    const named = { filial: BRANCH, termo: 'pr0002', inicio: '2026-11-23T06:00:00Z', fim: '2026-11-23T12:00:00Z' }
    const machine = await preview({ ...named, tipo: 'maquina' })
    expect(machine).toMatchObject({ http: 200, assunto: 'Máquina pr0002', ateAMedicao: null, medidoAntes: null })
    const made = golden.recordings.filter(
      ({ machine: on, at, counted }) =>
        counted !== false && on.toLowerCase().startsWith('pr0002') && at > named.inicio && at <= named.fim,
    )
    expect(machine.linhas.map(({ apontamento }) => nameOf(apontamento)).toSorted()).toEqual(
      made.map(({ id }) => id).toSorted(),
    )
    const tool = await preview({ filial: BRANCH, tipo: 'ferramenta', termo: 'MA-0412' })
    expect(tool).toMatchObject({ janela: { base: 'mao', aberta: true, fim: null }, outrasFiliais: [] })
    expect(tool.certos.apontamentos).toBe(
      golden.recordings.filter(({ unit, counted }) => unit === 'ma-0412' && counted !== false).length,
    )
    const instrument = { filial: BRANCH, tipo: 'instrumento' as const, termo: 'MIC-07' }
    expect(refusalOf(await preview(instrument))).toEqual([
      ...[400, 'input_invalid', 'inicio: Sem calibração registrada: informe o início.'],
    ])
    const since = { ...instrument, inicio: '2026-11-23T06:00:00Z' }
    expect(await open(since)).toMatchObject({
      http: 201,
      assunto: 'Instrumento MIC-07',
      linhas: 0,
      instrumento: 'MIC-07',
    })
    expect(await open(lot)).toMatchObject({ http: 201, assunto: 'Lote L-1', lote: 'L-1', janela: { aberta: true } })
  })

  test('there are no such pieces: a closed one without rows, by quality and with a reason', async () => {
    const { open, db } = await setUp({ database })
    expect(refusalOf(await open({ ...reading, semPecas: true, motivo: 'Trocado antes' }))).toEqual([403, 'not_allowed'])
    expect(refusalOf(await open({ ...reading, semPecas: true }, 'qualidade'))).toEqual([
      ...[400, 'input_invalid', 'motivo: Escreva o motivo.'],
    ])
    expect(await open({ ...reading, semPecas: true, motivo: 'Trocado antes' }, 'qualidade')).toMatchObject({
      ...{ http: 201, situacao: 'encerrada', linhas: 0, motivoEncerramento: 'Trocado antes' },
    })
    expect(await db.read.selectFrom('containment_rows').selectAll().execute()).toEqual([])
  })

  test('possible rows are left out by who may decide, certain ones by nobody', async () => {
    const { open } = await setUp({ database })
    const without = (name: string): ContainmentForm => ({ ...reading, semApontamentos: [idOf(name)] })
    expect(refusalOf(await open(without('r7')))).toEqual([403, 'not_allowed'])
    expect(refusalOf(await open(without('r2'), 'qualidade'))).toEqual([
      ...[400, 'input_invalid', 'semApontamentos: Só fica fora o que apenas pode conter peças.'],
    ])
    expect(await open(without('r7'), 'qualidade')).toMatchObject({ http: 201, linhas: 3, pecas: 436 })
  })
})

test('bad input is refused at its field, and nothing is stored', async () => {
  const { open, preview, change, db, detail } = await setUp()
  const good = idOf(golden.acts.find(({ parts }) => parts.altura === 'dentro')?.id ?? '')
  const cases: [object, ...unknown[]][] = [
    [{ ...query, medicao: good }, 422, 'measurement_inside'],
    [{ ...query, caracteristica: 'largura' }, 422, 'measurement_inside'],
    [{ ...query, medicao: randomUUID() }, 404, 'not_found'],
    [{ medicao: BAD }, 400, 'input_invalid', 'caracteristica: Campo obrigatório'],
    [{ ...query, tipo: 'lote' }, 400, 'input_invalid', 'tipo: Não vai com uma medição'],
    [{ filial: BRANCH, tipo: 'lote' }, 400, 'input_invalid', 'termo: Campo obrigatório'],
    [{ ...lot, filial: '999999' }, 400, 'unknown_plant', 'filial: Filial desconhecida'],
    [
      { ...lot, inicio: '2026-11-23T12:00:00Z', fim: '2026-11-23T11:00:00Z' },
      ...[400, 'input_invalid', 'fim: O fim deve ser depois do início.'],
    ],
    [{ ...lot, inicio: '2025-09-01T12:00:00Z' }, 400, 'input_invalid', 'inicio: No máximo 400 dias antes.'],
    [
      { ...lot, inicio: '2026-11-24T12:00:00Z' },
      400,
      'input_invalid',
      'inicio: O início não pode ser depois de agora.',
    ],
    [
      { ...lot, tipo: 'maquina' },
      ...[400, 'input_invalid', 'inicio: Informe início e fim.', 'fim: Informe início e fim.'],
    ],
    [
      { ...lot, tipo: 'maquina', inicio: '2026-11-23T12:00:00Z' },
      ...[400, 'input_invalid', 'fim: Informe início e fim.'],
    ],
  ]
  for (const [sent, ...expected] of cases) {
    expect(refusalOf(await open(sent as ContainmentForm)), JSON.stringify(sent)).toEqual(expected)
    expect(refusalOf(await preview(sent as Record<string, string>)), JSON.stringify(sent)).toEqual(expected)
  }
  expect(refusalOf(await open({ ...reading, inicio: '2026-11-23T08:00:00Z' }))).toEqual([
    ...[400, 'input_invalid', 'motivo: Escreva o motivo.'],
  ])
  expect(refusalOf(await open({ ...reading, inicio: '2026-11-23T10:00:00Z', motivo: 'Só depois' }))).toEqual([
    ...[403, 'not_allowed'],
  ])
  await db.transaction((tx) =>
    tx.updateTable('measurements').set({ invalid_at: 1 }).where('act_id', '=', BAD).execute(),
  )
  expect(refusalOf(await preview(query))).toEqual([422, 'measurement_not_counted'])
  const elsewhere = { invalid_at: null, branch: '020202' }
  await db.transaction((tx) => tx.updateTable('measurements').set(elsewhere).where('act_id', '=', BAD).execute())
  expect(refusalOf(await open(reading))).toEqual([400, 'input_invalid', 'medicao: Medição de outra filial'])
  expect(await db.read.selectFrom('containments').selectAll().execute()).toEqual([])
  const { id } = await open(lot)
  expect(refusalOf(await change(id, { motivo: 'Nada' }))).toEqual([
    ...[400, 'input_invalid', 'inicio: Informe o início ou o fim.'],
  ])
  expect(refusalOf(await change(randomUUID(), { inicio: '2026-11-23T08:00:00Z', motivo: 'x' }))).toEqual([
    ...[404, 'not_found'],
  ])
  expect(refusalOf(await detail(randomUUID()))).toEqual([404, 'not_found'])
})

test('a lot of more recordings than one containment takes is too large, and a page has 500 of them', async () => {
  const { open, preview, detail, db } = await setUp()
  const [some] = golden.recordings
  if (!some) throw new Error('no recording')
  const many = async (lotName: string, from: number, count: number) => {
    for (let at = from; at < from + count; at += 5000) {
      const recordings = Array.from({ length: Math.min(5000, from + count - at) }, (_, nth) => ({
        ...{ ...some, id: randomUUID(), lot: lotName, at: new Date(AFTERNOON_MS - (at + nth) * 1000).toISOString() },
      }))
      await db.transaction(async (tx) => {
        for (let nth = 0; nth < recordings.length; nth += 500)
          await storeRecordings(tx, recordings.slice(nth, nth + 500))
      })
    }
  }
  await many('L-1', 0, 1001)
  const lotOf = (page?: string) =>
    preview({ filial: BRANCH, tipo: 'lote', termo: 'L-1', ...(page && { depoisDe: page }) })
  const pages = [await lotOf(), await lotOf('500'), await lotOf('1000')]
  expect(pages.map(({ linhas, proxima }) => [linhas.length, proxima])).toEqual([
    [500, '500'],
    [500, '1000'],
    [1, null],
  ])
  expect(new Set(pages.flatMap(({ linhas }) => linhas.map(({ apontamento }) => apontamento))).size).toBe(1001)
  const { id, linhas } = await open(lot)
  expect(linhas).toBe(1001)
  const first = await detail(id)
  expect([first.linhas.length, first.proxima === null]).toEqual([500, false])
  await many('L-2', 0, 20_001)
  const large = { filial: BRANCH, tipo: 'lote', termo: 'L-2' } as const
  expect(refusalOf(await open(large))).toEqual([409, 'containment_too_large'])
  expect(refusalOf(await preview(large))).toEqual([409, 'containment_too_large'])
  const subject = {
    kind: 'lote',
    branch: BRANCH,
    term: 'L-2',
    startAt: AFTERNOON_MS - 20_000_000,
    endAt: null,
  } as const
  expect(await listSuspects(db.read, subject)).toHaveLength(20_000)
})

test('an item is listed once a stage with all that is left of it, however many recordings of it are decided', async () => {
  const { open, send, read, detail, db } = await setUp()
  const [some] = golden.recordings
  if (!some) throw new Error('no recording')
  const made = Array.from({ length: 5002 }, (_, nth) => ({
    ...{ ...some, id: randomUUID(), lot: 'L-1', at: new Date(AFTERNOON_MS - (6000 - nth) * 1000).toISOString() },
    ...{ pieces: 10, order: nth === 1 ? 'O-2' : 'O-1' },
  }))
  await db.transaction(async (tx) => {
    for (let nth = 0; nth < made.length; nth += 500) await storeRecordings(tx, made.slice(nth, nth + 500))
  })
  const items = async () =>
    (await read<Items>('/api/contencoes/itens', { filial: BRANCH })).itens.map(({ ordem, pecas }) => [ordem, pecas])
  const { id } = await open(lot)
  expect(await items()).toEqual([
    ['O-1', 50_010],
    ['O-2', 10],
  ])
  for (let after = ''; ; ) {
    const { linhas, proxima } = await read<Detail>(`/api/contencoes/${id}`, after === '' ? {} : { depoisDe: after })
    // the newest of its rows
    const rows = linhas.slice(after === '' ? 2 : 0)
    const payload = {
      ...{ tipo: 'liberar', motivo: 'Medidas', verificado: 'medidas-100' },
      linhas: rows.map((row) => ({ id: row.id, version: row.version, pecas: row.pecas })),
    }
    const headers = { 'idempotency-key': randomUUID() }
    const url = `/api/contencoes/${id}/decisoes`
    expect(await send({ method: 'POST', url, headers, payload }, 'qualidade')).toMatchObject({ http: 201 })
    if (proxima === null) break
    after = proxima
  }
  expect((await detail(id)).contencao.suspeitas).toBe(20)
  expect(new Map((await items()) as [string, number][])).toEqual(
    new Map([
      ['O-1', 10],
      ['O-2', 10],
    ]),
  )
})
