import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '../../src/contract/errors.ts'
import {
  TRACE_LINES_MAX,
  type Trace,
  type TraceFilter,
  type TraceKind,
  type TraceLine,
  traceFilters,
  traceKinds,
} from '../../src/contract/traces.ts'
import { saveJunctionDetails } from '../../src/server/store/junctions.ts'
import { settlePending } from '../../src/server/store/pending-recordings.ts'
import {
  deliverRecording,
  insertRecording,
  leaveUncertain,
  type Recording,
  refuseRecording,
  restoreRecording,
} from '../../src/server/store/recordings.ts'
import {
  addUser,
  crimpOf,
  cutOf,
  type Database,
  databases,
  joinOf,
  NOON_MS,
  ORDER,
  openTestPanel,
  UNTOUCHED,
} from '../support/harness.ts'
import { itemOf, keepItem } from '../support/store.ts'
import { blocked, setUp } from '../support/waiting.ts'

const RUNS = Number(process.env.RUNS ?? 8)
const SEED = Number(process.env.SEED ?? 20261121)

type Asking = Pick<Awaited<ReturnType<typeof openTestPanel>>, 'ask'> & { token: string }

const search = (query: Record<string, string>) => new URLSearchParams(query).toString()

const find = async ({ ask, token }: Asking, termo: string, more: Record<string, string> = {}): Promise<Trace> => {
  const answer = await ask(token, { url: `/api/rastreabilidade?${search({ termo, ...more })}` })
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return answer.json()
}

/** All pages of it, one after the other. */
async function findAll(
  panel: Asking,
  termo: string,
  tipo: TraceKind,
  more: { filtro?: TraceFilter } = {},
): Promise<{ first: Trace; lines: TraceLine[] }> {
  const first = await find(panel, termo, { tipo, ...more })
  const lines = [...first.linhas]
  for (let next = first.proxima; next !== null; ) {
    const page = await find(panel, termo, { tipo, ...more, depoisDe: next })
    expect(page.linhas.length).toBeGreaterThan(0)
    lines.push(...page.linhas)
    next = page.proxima
  }
  return { first, lines }
}

const lots = ['L1', 'l1', 'L1 ', '%', "L'2", 'ORDEM-7']
const orders = ['01621401001', 'ORDEM-7']
const machines = ['KX1 - Komax', 'KX1 - KOMAX', 'KX1', 'KX10 - Komax', 'KX1- Komax', 'KX2 - Artos']
const tools = ['MA-1', 'ma-1 ', 'MA-10', 'Sem Cadastro']
const barcodes = ['A', 'B', 'C', 'D'].map((end) => `010162140100100001000${end}`)
const outcomes = [
  'waiting',
  'delivered',
  'refused',
  'restored',
  'parked',
  'uncertain',
  'marked',
  'discarded',
  'superseded',
] as const

const act = fc.record({
  part: fc.constantFrom('cabo', 'l1', 'l2', 'juncao', 'recebimento'),
  lot: fc.constantFrom(...lots),
  order: fc.constantFrom(...orders),
  machine: fc.constantFrom(...machines),
  tool: fc.constantFrom(...tools),
  barcode: fc.constantFrom(...barcodes),
  branch: fc.constantFrom('010101', '020101'),
  pieces: fc.integer({ min: 1, max: 90 }),
  operator: fc.constantFrom('Maria Souza', 'João Dias'),
  // many at the same instant
  second: fc.integer({ min: 0, max: 5 }),
  capture: fc.constantFrom(null, {}, { medidoForca: true, medidoAltura: false }, { medidoForca: false }),
  outcome: fc.constantFrom(...outcomes),
})
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never
type Done = Act & { id: string }

const isCrimp = ({ part }: Act) => part === 'l1' || part === 'l2'
const hasMaterial = ({ part }: Act) => part !== 'recebimento'

const payloadOf = (one: Act): object => {
  const { part, lot, tool } = one
  if (part === 'recebimento') return { filial: one.branch, codigoBarras: one.barcode }
  if (part === 'juncao') return { FORCA: 92.5, ALTURA: 1.52, TERMINAL: 'T9', LOTE_TERMINAL: lot }
  if (part === 'cabo') return { COD_CABO: 'C7', LOTE_CABO: lot }
  const side = part === 'l1' ? '1' : '2'
  const values = { TERM: 'T1', FORCA: 70, ALTURA: 1.1, LOTE_TERM: lot, MA: tool, SELO: 'S1', SELADORA: 'Seladora 01' }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}_LD${side}`, value]))
}

const toRecording = (one: Done): Recording =>
  ({
    id: one.id,
    contentHash: 'x',
    part: one.part,
    branch: one.branch,
    barcode: one.part === 'juncao' ? '' : one.barcode,
    position: one.part === 'juncao' ? 'J 01' : '',
    orderNumber: one.order,
    pieces: one.part === 'recebimento' ? 0 : one.pieces,
    machine: hasMaterial(one) ? one.machine : '',
    lot: hasMaterial(one) ? one.lot : '',
    terminal: isCrimp(one) ? 'T1' : '',
    applicator: isCrimp(one) && one.tool !== 'Sem Cadastro' ? one.tool : null,
    delivery: { operation: 'recordCutCrimp', naturalKey: one.id, raises: 1 },
    payload: payloadOf(one),
    capture: one.capture,
    userId: 1,
    operator: one.operator,
    recordedAt: NOON_MS + one.second * 1000,
    receivedAt: NOON_MS + 10_000,
    productionDay: '2026-11-21',
  }) as Recording

type Db = Awaited<ReturnType<typeof openTestPanel>>['db']

/** By the same steps that recordings, the ERP's answers and people take. */
async function carryOut(db: Db, done: readonly Done[]): Promise<void> {
  const at = NOON_MS
  await db.transaction(async (tx) => {
    for (const one of done) {
      const promised = one.outcome !== 'refused' && one.outcome !== 'restored'
      await insertRecording(tx, toRecording(one), { state: 'waiting', promised, reason: null })
      const { id, outcome } = one
      const delivery = { message: 'ok', read: false, snapshot: null, at }
      if (outcome === 'delivered') await deliverRecording(tx, id, delivery)
      else if (outcome === 'uncertain' || outcome === 'marked') await leaveUncertain(tx, id, 'não se sabe', at)
      else if (outcome !== 'waiting') await refuseRecording(tx, id, 'não', at)
      if (outcome === 'restored') await restoreRecording(tx, id, at)
      if (outcome === 'marked') await settlePending(tx, id, { state: 'delivered', at })
      if (outcome === 'discarded' || outcome === 'superseded') await settlePending(tx, id, { state: outcome, at })
    }
  })
}

const counts = ({ outcome }: Act) => outcome !== 'refused' && outcome !== 'discarded' && outcome !== 'superseded'

const same = (one: string, term: string) => one.trim().toLowerCase() === term.trim().toLowerCase()

/** What a person means who types a name: the oracle reads the acts, never the database. */
const means: Record<TraceKind, (one: Act, term: string) => boolean> = {
  lote: (one, term) => hasMaterial(one) && same(one.lot, term),
  barras: (one, term) => one.part !== 'juncao' && same(one.barcode, term),
  ordem: (one, term) => same(one.order, term),
  miniaplicador: (one, term) =>
    isCrimp(one) && one.tool !== 'Sem Cadastro' && one.tool.trim().toLowerCase() === term.trim().toLowerCase(),
  maquina: (one, term) =>
    hasMaterial(one) && same(one.machine.split(' - ')[0] ?? '', term.trim().split(' - ')[0] ?? ''),
  instrumento: () => false,
}

const situations = { waiting: 'aguardando', delivered: 'entregue', marked: 'entregue' } as const

const toLine = (one: Done): TraceLine => {
  const used = { codigo: '', selo: '', seladora: '', miniaplicador: '', forca: null, alturaMm: null }
  const crimped = { codigo: 'T1', selo: 'S1', seladora: 'Seladora 01', miniaplicador: one.tool }
  const isMeasured = isCrimp(one) || one.part === 'juncao'
  const capture: { medidoForca?: boolean; medidoAltura?: boolean } = one.capture ?? {}
  return {
    id: one.id,
    registradoEm: new Date(NOON_MS + one.second * 1000).toISOString(),
    etapa: one.part as TraceLine['etapa'],
    situacao: situations[one.outcome as keyof typeof situations] ?? 'pendente',
    filial: one.branch,
    ordem: one.order,
    item: isItemWithCopy(one) ? '000010' : '',
    barras: one.part === 'juncao' ? '' : one.barcode,
    posicao: one.part === 'juncao' ? 'J 01' : '',
    pecas: one.part === 'recebimento' ? 0 : one.pieces,
    lote: hasMaterial(one) ? one.lot.trim() : '',
    maquina: hasMaterial(one) ? one.machine : '',
    operador: one.operator,
    ...used,
    ...(one.part === 'cabo' ? { codigo: 'C7' } : {}),
    ...(one.part === 'juncao' ? { codigo: 'T9', forca: 92.5, alturaMm: 1.52 } : {}),
    ...(isCrimp(one) ? { ...crimped, forca: 70, alturaMm: 1.1 } : {}),
    forcaMedida: isMeasured ? (capture.medidoForca ?? null) : null,
    alturaMedida: isMeasured ? (capture.medidoAltura ?? null) : null,
    ...requiredOf(one),
    relogioMinutos: null,
    motivoForaDoLimite: '',
    bitolaMilli: null,
    medicoes: [],
  }
}

/** Of the copies below: an item with the minimum of 80 on its first side alone, and one junction that asks for 92.6. */
const LIMITS = { Z1_RMINL1: 80, Z1_DECAL1: 1.2 }
const isItemWithCopy = ({ part, branch, barcode }: Act) =>
  part !== 'juncao' && branch === '010101' && barcode === barcodes[0]
const isJunctionWithCopy = ({ part, branch, order }: Act) =>
  part === 'juncao' && branch === '020101' && order === orders[0]

const requiredOf = (one: Done): Pick<TraceLine, 'forcaMin' | 'alturaNominalMm'> =>
  isItemWithCopy(one) && one.part === 'l1'
    ? { forcaMin: 80, alturaNominalMm: 1.2 }
    : { forcaMin: isJunctionWithCopy(one) ? 92.6 : null, alturaNominalMm: null }

const passes: Record<TraceFilter, (one: Done) => boolean> = {
  'fora-do-minimo': (one) => requiredOf(one).forcaMin !== null,
  'nao-medido': ({ capture, ...one }) =>
    (isCrimp(one as Done) || one.part === 'juncao') && Object.values(capture ?? {}).includes(false),
  // nothing is measured here: see trace-measurements.test.ts
  'fora-do-plano': () => false,
}

const newestFirst = (one: Done, other: Done) => other.second - one.second || (other.id < one.id ? -1 : 1)
const distinct = (texts: string[]) => new Set(texts).size

/** Returns how many lines the longest answer has. */
async function expectTrace(panel: Asking, done: readonly Done[], term: string): Promise<number> {
  const meant = (kind: TraceKind) => done.filter((one) => counts(one) && means[kind](one, term)).sort(newestFirst)
  const found = traceKinds.flatMap((tipo) => {
    const apontamentos = meant(tipo).length
    return apontamentos > 0 ? [{ tipo, apontamentos }] : []
  })
  const most = Math.max(0, ...found.map(({ apontamentos }) => apontamentos))
  const guessed = await find(panel, term)
  expect(guessed.encontrados, term).toEqual(found)
  expect(guessed.tipo, term).toBe(found.find(({ apontamentos }) => apontamentos === most)?.tipo ?? null)
  for (const kind of traceKinds) {
    for (const filtro of [undefined, ...traceFilters]) {
      const wanted = meant(kind).filter((one) => !filtro || passes[filtro](one))
      const { first, lines } = await findAll(panel, term, kind, filtro ? { filtro } : {})
      expect(lines, `${kind} ${term} ${filtro}`).toEqual(wanted.map(toLine))
      expect(first.linhas.length).toBe(Math.min(TRACE_LINES_MAX, wanted.length))
      expect(first).toMatchObject({ tipo: kind, encontrados: found })
      expect(first.contagens, `${kind} ${term} ${filtro}`).toEqual({
        apontamentos: wanted.length,
        itens: distinct(wanted.filter(({ part }) => part !== 'juncao').map((one) => `${one.branch} ${one.barcode}`)),
        ordens: distinct(wanted.map((one) => `${one.branch} ${one.order}`)),
        pecas: wanted.reduce((sum, one) => sum + (one.part === 'recebimento' ? 0 : one.pieces), 0),
      })
    }
  }
  return most
}

/** Of a lot the items and orders, and of one of these items everything that went into it. */
async function expectForwardAndBack(panel: Asking, done: readonly Done[]): Promise<void> {
  const { lines } = await findAll(panel, 'L1', 'lote')
  const bad = done.filter((one) => counts(one) && means.lote(one, 'L1'))
  expect(new Set(lines.map(({ ordem }) => ordem))).toEqual(new Set(bad.map(({ order }) => order)))
  const item = lines.find(({ barras }) => barras !== '')
  if (!item) return
  const back = await findAll(panel, item.barras, 'barras')
  const made = done.filter((one) => counts(one) && means.barras(one, item.barras))
  const said = (of: (line: TraceLine) => string) => new Set(back.lines.map(of))
  const known = (of: (one: Act) => string) => new Set(made.map(of))
  expect(said(({ lote }) => lote)).toEqual(known((one) => (hasMaterial(one) ? one.lot.trim() : '')))
  expect(said(({ miniaplicador }) => miniaplicador)).toEqual(known((one) => (isCrimp(one) ? one.tool : '')))
  expect(said(({ maquina }) => maquina)).toEqual(known((one) => (hasMaterial(one) ? one.machine : '')))
  expect(said(({ operador }) => operador)).toEqual(known(({ operator }) => operator))
}

async function openTraced(database: Database) {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'maria', fullName: 'Maria <b>Souza</b>' })
  const { token } = await panel.login('maria')
  return { ...panel, token }
}

describe.each(databases)('a trace on %s', (database) => {
  test('tells what an oracle knows of whatever was recorded, refused, corrected and discarded', async () => {
    const panel = await openTraced(database)
    const { db } = panel
    await keepItem(db, { ...itemOf(barcodes[0] ?? '', 500), ...LIMITS })
    const details = { registros: [], circuitos: [], teste: { ZTB_FORCA: 92.6, ZTB_BITOLA: '0,50' } }
    const place = { branch: '020101', orderNumber: orders[0] ?? '', position: 'J 01' }
    await db.transaction((tx) => saveJunctionDetails(tx, place, details, NOON_MS))
    const names = [...lots, ...orders, ...machines, ...tools, ...barcodes, '_', 'KX', ' KX1 ', 'MA', ' ', 'nada']
    const someNames = fc.shuffledSubarray(names, { minLength: 6, maxLength: 6 })
    const histories = fc.array(act, { minLength: 1, maxLength: 300, size: 'max' })
    let linesMax = 0
    const whole = fc.asyncProperty(histories, someNames, async (acts, terms) => {
      const done = acts.map((one) => ({ ...one, id: randomUUID() }))
      for (const table of ['recordings', 'crimp_ledger', 'applicator_units', 'daily_production'] as const) {
        await db.transaction((tx) => tx.deleteFrom(table).execute())
      }
      await carryOut(db, done)
      for (const term of terms) linesMax = Math.max(linesMax, await expectTrace(panel, done, term))
      await expectForwardAndBack(panel, done)
    })
    // One history is long enough for several pages, whatever the seed.
    const many = fc.sample(fc.array(act, { minLength: 600, maxLength: 600, size: 'max' }), { numRuns: 1, seed: SEED })
    // what differs between the databases shows in few: each answer waits for another process
    const few = [lots, orders, machines, tools, barcodes].flatMap(([first]) => first ?? [])
    const [numRuns, terms] = database === 'sqlite' ? [RUNS, names] : [RUNS / 4, few]
    const examples = many.map((acts): [Act[], string[]] => [acts, terms])
    await fc.assert(whole, { numRuns, seed: SEED, endOnFailure: true, examples })
    expect(linesMax).toBeGreaterThan(TRACE_LINES_MAX)
  })

  test('follows an item through the calls that record it, cut, crimped, received, corrected', async () => {
    const panel = await setUp({ database })
    const { token, record, ask, clock, decide, admin } = panel
    const post = (url: string, payload: object) =>
      ask(token, { method: 'POST', url, headers: { 'idempotency-key': randomUUID() }, payload })
    await record(token, { ...cutOf(10), captura: { dispositivo: 'Bancada 3' } })
    clock.advance(1000)
    const captura = { medidoForca: true, medidoAltura: false }
    await record(token, { ...crimpOf(4), captura })
    clock.advance(1000)
    expect((await record(token, blocked(crimpOf(3)))).statusCode).toBe(422)
    const parkedId = await panel.park(blocked(crimpOf(5)))
    clock.advance(1000)
    await decide(admin, parkedId, 'correcao', crimpOf(6))
    await ask(token, { url: `/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}` })
    clock.advance(1000)
    expect((await post('/api/juncao/registrar-apontamento', joinOf(7))).statusCode).toBe(201)
    clock.advance(1000)
    await post('/api/conferencia-corte/recebimentos', { filial: '010101', codigoBarras: UNTOUCHED })
    const item = await find(panel, UNTOUCHED)
    expect(item).toMatchObject({
      tipo: 'barras',
      encontrados: [{ tipo: 'barras', apontamentos: 4 }],
      contagens: { apontamentos: 4, itens: 1, ordens: 1, pecas: 20 },
      proxima: null,
    })
    const common = { filial: '010101', ordem: ORDER, barras: UNTOUCHED, posicao: '', operador: 'Maria Souza' }
    const crimped = {
      ...common,
      etapa: 'l1',
      lote: 'B23-004517/2',
      codigo: 'T1326030',
      selo: 'S0963244',
      seladora: 'Seladora 01',
      miniaplicador: 'MA-0001',
      maquina: 'KX0001 - Komax',
      forca: 70,
      alturaMm: 1.1,
    }
    expect(item.linhas).toMatchObject([
      { ...common, etapa: 'recebimento', pecas: 0, lote: '', maquina: '', forca: null, forcaMedida: null },
      { ...crimped, pecas: 6 },
      { ...crimped, pecas: 4, situacao: 'entregue', forcaMedida: true, alturaMedida: false },
      { ...common, etapa: 'cabo', pecas: 10, lote: 'L261118004', codigo: 'CB050AMVD', forca: null, forcaMedida: null },
    ])
    expect(new Set(item.linhas.map((line) => line.item)).size).toBe(1)
    const order = await find(panel, ORDER)
    expect(order.linhas.map(({ etapa }) => etapa)).toEqual(['recebimento', 'juncao', 'l1', 'l1', 'cabo'])
    expect(order.contagens).toEqual({ apontamentos: 5, itens: 1, ordens: 1, pecas: 27 })
    const lot = await find(panel, ' L261118004 ')
    expect(lot.linhas.map(({ etapa, posicao }) => `${etapa}${posicao}`)).toEqual(['juncaoJ01', 'cabo'])
  })
})

describe('a trace', () => {
  test('refuses a place in the list that nobody was given', async () => {
    const panel = await openTraced('sqlite')
    const uuid = randomUUID()
    for (const depoisDe of ['', 'x', '1', '1.', `.${uuid}`, `-1.${uuid}`, `1e3.${uuid}`, `1.${uuid}x`, '1. or 1=1']) {
      const url = `/api/rastreabilidade?${search({ termo: 'L1', depoisDe })}`
      const answer = await panel.ask(panel.token, { url })
      expect([answer.statusCode, answer.json<ErrorReply>().details?.[0]?.field], depoisDe).toEqual([400, 'depoisDe'])
    }
    expect((await find(panel, 'L1', { depoisDe: `999999999999999.${uuid}` })).linhas).toEqual([])
  })
})
