import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Fault, faultIds } from '../../demo/simulator/faults.ts'
import type { WriteOutcome } from '../../src/server/erp/gateway.ts'
import {
  BRANCH,
  calls,
  cut,
  describeJoint,
  type Erp,
  failureOf,
  faults,
  find,
  joint,
  listJoints,
  ORDER,
  POSITION,
  receive,
  record,
  recordJoint,
  search,
  startErp,
  UNTOUCHED,
} from '../support/erp.ts'
import { STEP_MS } from '../support/slowness.ts'

/** Its description and its customer have Ç and Ã. */
const ACCENTED_ORDER = '01620302004'
const HALF_CUT = '010162140100100002000S'
/** Stored before anything goes wrong. */
const KNOWN_ID = randomUUID()

const reads = {
  itens: ({ gateway }: Erp) => search(gateway, ACCENTED_ORDER),
  'itens by barcode': ({ gateway }: Erp) => search(gateway, UNTOUCHED),
  maquinas: ({ gateway }: Erp) => gateway.listMachines({ branch: BRANCH }),
  juncoes: ({ gateway }: Erp) => listJoints(gateway, ACCENTED_ORDER),
  'juncoes-detalhes': ({ gateway }: Erp) => describeJoint(gateway),
  integracoes: ({ gateway }: Erp) => find(gateway, KNOWN_ID),
}

const recordings = {
  write: ({ gateway }: Erp, id: string) => record(gateway, cut(), id),
  wrong: ({ gateway }: Erp, id: string) => record(gateway, cut(1, { MAQUINA: 'XX' }), id),
  refusal: 'Máquina não cadastrada',
  storedBy: ({ simulator }: Erp) => simulator.state.writes,
  tidy: { outcome: 'confirmed', message: 'Apontamento realizado com sucesso!', erpRecord: '000000001' },
  arrivesAt: 'apontamentos',
}
const writes = {
  apontamentos: recordings,
  'juncoes-apontamentos': {
    write: ({ gateway }: Erp, id: string) => recordJoint(gateway, joint(), id),
    wrong: ({ gateway }: Erp, id: string) => recordJoint(gateway, joint(1, { POSICAO: 'J9' }), id),
    refusal: 'Junção não encontrada',
    storedBy: ({ simulator }: Erp) => simulator.state.junctionWrites,
    tidy: { outcome: 'confirmed', message: 'Apontamento de junção registrado com sucesso!', erpRecord: '000000001' },
    arrivesAt: 'juncoes-apontamentos',
  },
  conferencia: {
    write: ({ gateway }: Erp, id: string) => receive(gateway, UNTOUCHED, id),
    wrong: ({ gateway }: Erp, id: string) => receive(gateway, '0101621401001000990000', id),
    refusal: 'Código de barras não encontrado',
    storedBy: ({ simulator }: Erp) => simulator.state.receipts,
    tidy: { outcome: 'confirmed', message: 'Recebimento confirmado', erpRecord: null },
    arrivesAt: 'conferencia',
  },
  /** The login before a first write. */
  token: recordings,
}

type ReadName = keyof typeof reads
type WriteName = keyof typeof writes
const ofOnePlant = ['itens', 'juncoes', 'juncoes-detalhes'] as const
const lists = [...ofOnePlant, 'maquinas'] as const
const everyRead = [...lists, 'integracoes'] as const
/** Of a receipt any object that is no error confirms: received is received. */
const everyRecording = ['apontamentos', 'juncoes-apontamentos'] as const
const everyWrite = ['apontamentos', 'juncoes-apontamentos', 'conferencia'] as const

const texts = {
  auth: 'O ERP recusou o usuário do painel. Avise a TI.',
  busy: 'ERP ocupado. Tente novamente em instantes.',
  unavailable: 'ERP indisponível. Tente novamente em instantes.',
  timeout: 'O ERP não respondeu a tempo. Tente novamente.',
  bad_answer: 'O ERP respondeu algo que não foi possível entender.',
  unreadable: 'Na resposta do ERP faltam quantidades, ou não são números. Avise a TI.',
}
type Kind = keyof typeof texts
const WORDS = 'Lote bloqueado: ção'

/** `none`: an empty list, or no such junction. `blank for zero`: the same but for limits, of which zero means none. */
type ReadOutcome = {
  sees: 'same' | 'none' | 'blank for zero' | { kind: string; message: string }
  /** How often it was called. */
  called?: number
  logged?: object
}
type Outcome = {
  says: 'confirmed' | 'unknown' | Partial<WriteOutcome>
  stored: 0 | 1
  /** What the look-up says of it then. */
  found: 'done' | 'refused' | 'processing' | null
  called?: number
  logged?: object
  /** The fault never meets it. */
  spared?: true
}
type ReadRow = [Fault, ReadName, ReadOutcome]
type WriteRow = [Fault, WriteName, Outcome]
type Row = ReadRow | WriteRow

const same: ReadOutcome = { sees: 'same' }
const none: ReadOutcome = { sees: 'none' }
const failing = (kind: Kind, called = 1): ReadOutcome => ({ sees: { kind, message: texts[kind] }, called })
const saying = (message: string): ReadOutcome => ({ sees: { kind: 'refused', message } })

const included = { outcome: 'confirmed', message: 'Registro incluído com sucesso.', erpRecord: null } as const
const confirmed: Outcome = { says: 'confirmed', stored: 1, found: 'done' }
const refused = (message: string, found: 'refused' | null): Outcome => ({
  says: { outcome: 'refused', message },
  stored: 0,
  found,
})
const notSent = (kind: 'auth' | 'busy' | 'unavailable', called: number): Outcome => ({
  says: { outcome: 'not_sent', kind, message: texts[kind] },
  stored: 0,
  found: null,
  called,
})
const lost: Outcome = { says: 'unknown', stored: 0, found: null }
/** The ERP said something, and it is not clear what it did. */
const unclear = (words: string | null, stored: 0 | 1): Outcome => ({
  says: { outcome: 'unknown', words },
  stored,
  found: stored ? 'done' : null,
})
const ghost: Outcome = { says: 'unknown', stored: 1, found: 'done' }
const working: Outcome = { says: 'unknown', stored: 0, found: 'processing' }

const answeredTwice = { level: 'warn', fields: expect.objectContaining({ repeated: true }) }
const otherPlant = { level: 'error', message: 'row of another branch dropped' }

function rows(struck: Fault[], names: readonly ReadName[], outcome: ReadOutcome): Row[]
function rows(struck: Fault[], names: readonly WriteName[], outcome: Outcome): Row[]
function rows(struck: Fault[], names: readonly string[], outcome: ReadOutcome | Outcome): Row[] {
  return struck.flatMap((fault) => names.map((name) => [fault, name, outcome] as Row))
}

const accents: Fault[] = [{ id: 'F15' }, { id: 'F16' }, { id: 'F17' }, { id: 'F17', variant: 'cp1252' }]
const shapes: Fault[] = ['capitals', 'array', 'data', 'itens', 'single', 'dataSingle'].map((variant) => ({
  id: 'F25',
  variant,
}))
const dressed: Fault[] = (['F09', 'F19', 'F20'] as const).map((id) => ({ id, message: WORDS }))
const slow: Fault[] = [
  { id: 'F01', ms: 50 },
  { id: 'F02', ms: 50 },
]
const BEYOND_LIMIT: Fault = { id: 'F01', ms: 60_000 }
const FULL: Fault[] = [{ id: 'F03' }, { id: 'F04' }]
const AWAY: Fault = { id: 'F31', variant: 'refused' }
const emptySuccess = (variant: string): Fault => ({ id: 'F34', variant })
const stoppedBy = (variant: string): Fault => ({ id: 'F36', variant })
const LOCKED = 'registro bloqueado por outro usuário'

/** Each strikes every call of its operation until it is taken away, unless it says how many. */
const table: Row[] = [
  ...rows(slow, everyRead, same),
  ...rows(slow, [...everyWrite, 'token'], confirmed),
  ...rows([BEYOND_LIMIT], everyRead, failing('timeout')),
  ...rows([BEYOND_LIMIT], everyWrite, working),
  ...rows([BEYOND_LIMIT], ['token'], notSent('unavailable', 0)),
  ...rows(FULL, everyRead, failing('busy')),
  ...rows(FULL, everyWrite, notSent('busy', 1)),
  ...rows([{ id: 'F03' }], ['token'], notSent('busy', 0)),

  ...rows([{ id: 'F05' }, { id: 'F08' }], everyWrite, lost),
  ...rows([{ id: 'F06' }, { id: 'F06', variant: 'reset' }, { id: 'F07' }], everyWrite, ghost),

  ...rows(dressed, lists, saying(WORDS)),
  // the look-up's own trouble says nothing of the recording
  ...rows(dressed, ['integracoes'], failing('bad_answer')),
  ...rows(dressed, everyWrite, refused(WORDS, null)),
  ...rows([{ id: 'F21', ms: 20 }], everyWrite, unclear(LOCKED, 0)),

  ...rows([{ id: 'F10' }, { id: 'F18' }], lists, none),
  ...rows([{ id: 'F10' }, { id: 'F18' }], ['integracoes'], failing('bad_answer')),
  ...rows([{ id: 'F11' }, { id: 'F12' }], everyRead, failing('bad_answer')),
  ...rows([{ id: 'F10' }, { id: 'F12' }, { id: 'F18' }], everyWrite, ghost),
  ...rows([{ id: 'F11' }], everyWrite, lost),
  ...rows([{ id: 'F13' }], everyRead, { ...same, logged: answeredTwice }),
  ...rows([{ id: 'F13' }, { id: 'F37' }], everyWrite, { ...ghost, logged: answeredTwice }),
  ...rows([{ id: 'F14' }, ...accents], everyRead, same),
  ...rows([{ id: 'F14' }, ...accents], everyWrite, confirmed),

  ...rows([{ id: 'F22', count: 1 }], everyRead, { ...same, called: 2 }),
  ...rows([{ id: 'F22', count: 1 }], everyWrite, { ...confirmed, called: 2 }),
  ...rows([{ id: 'F22' }], everyRead, failing('auth', 2)),
  ...rows([{ id: 'F22' }], everyWrite, notSent('auth', 2)),

  ...rows([{ id: 'F24' }], ofOnePlant, { ...none, logged: otherPlant }),
  ...rows(shapes, [...lists, 'itens by barcode'], same),
  ...rows([{ id: 'F26' }], ['itens'], { sees: 'blank for zero' }),
  ...rows([{ id: 'F26' }], ['maquinas', 'juncoes', 'juncoes-detalhes'], same),
  ...rows([{ id: 'F40' }], ['itens', 'itens by barcode', 'juncoes'], failing('unreadable')),
  ...rows([{ id: 'F27' }], ['itens', 'maquinas', 'juncoes'], { ...same, called: 2 }),
  ...rows([{ id: 'F27' }], ['juncoes-detalhes'], same),
  ...rows([{ id: 'F28' }], ['itens', 'juncoes'], same),

  ...rows([{ id: 'F29' }], ['apontamentos', 'juncoes-apontamentos'], refused('Ordem de produção encerrada', 'refused')),
  // a closed order still has its wires received
  ...rows([{ id: 'F29' }], ['conferencia'], confirmed),
  ...rows([{ id: 'F30' }], ['apontamentos'], refused('Quantidade excede o saldo da ordem (saldo 0)', 'refused')),
  ...rows([{ id: 'F30' }], ['juncoes-apontamentos'], refused('Junção já concluída', 'refused')),
  ...rows([{ id: 'F33' }], ['apontamentos', 'conferencia'], refused('Código de barras não encontrado', 'refused')),
  ...rows([{ id: 'F33' }], ['juncoes-apontamentos'], refused('Junção não encontrada', 'refused')),

  ...rows(['sucesso', 'status', 'ok'].map(emptySuccess), everyWrite, unclear(null, 0)),
  ...rows(['items', 'online'].map(emptySuccess), everyRecording, unclear(null, 0)),
  ...rows([emptySuccess('denied')], everyWrite, unclear('Não foi possível gravar o apontamento', 0)),
  ...rows([emptySuccess('code')], everyWrite, unclear('Tabela em uso', 0)),
  ...rows([{ id: 'F35' }], everyWrite, unclear(null, 0)),
  ...rows([{ id: 'F36', message: WORDS }], everyWrite, unclear(WORDS, 1)),
  ...rows(['404', '405', '408', '425', '429', '502'].map(stoppedBy), everyWrite, unclear(null, 1)),
  ...rows([{ id: 'F38' }], everyWrite, unclear(null, 1)),
  ...rows([{ id: 'F39' }], everyRecording, { ...confirmed, says: { ...included, byWords: true } }),
  ...rows([{ id: 'F39' }], ['conferencia'], { ...confirmed, says: included }),
  ...rows([{ id: 'F39', variant: 'vague' }], everyRecording, unclear(null, 1)),

  ...rows([{ id: 'F31' }], everyRead, failing('unavailable')),
  // a 503 that does not say why
  ...rows([{ id: 'F31' }], everyWrite, lost),
  ...rows([{ id: 'F31' }], ['token'], notSent('unavailable', 0)),
  ...rows([AWAY], everyRead, failing('unavailable', 0)),
  ...rows([AWAY], everyWrite, { ...notSent('unavailable', 0), spared: true }),

  ...rows([{ id: 'F32' }], everyRead, { ...same, called: 2 }),
  // a write never goes over a connection that was used before
  ...rows([{ id: 'F32' }], everyWrite, { ...confirmed, spared: true }),
]

const NOT_FOUND = { kind: 'not_found', message: 'Junção não encontrada para os parâmetros informados' }
const limits = ['Z1_RMINL1', 'Z1_RMINL2', 'Z1_DECAL1', 'Z1_DECAL2']
const withoutZeroLimits = (found: unknown) =>
  (found as Record<string, unknown>[]).map((item) => ({
    ...item,
    ...Object.fromEntries(limits.map((limit) => [limit, item[limit] || null])),
  }))

const operationOf = (name: string) => name.split(' ')[0] as NonNullable<Fault['operation']>
const strike = (erp: Erp, fault: Fault, name: string) =>
  faults(erp, { count: null, ...fault, operation: operationOf(name) })

function expectLogged(erp: Erp, logged: object | undefined) {
  if (logged) expect(erp.logged).toContainEqual(expect.objectContaining(logged))
  if (logged !== otherPlant) expect(erp.logged.filter(({ level }) => level === 'error')).toEqual([])
}

async function walkRead(erp: Erp, [fault, name, { sees, called = 1, logged }]: ReadRow) {
  const read = () => reads[name](erp)
  const clean = await read()
  const before = calls(erp, operationOf(name)).length
  erp.logged.length = 0
  await strike(erp, fault, name)
  if (sees === 'same') expect(await read()).toEqual(clean)
  else if (sees === 'blank for zero') expect(await read()).toEqual(withoutZeroLimits(clean))
  else if (sees !== 'none') expect(await failureOf(read())).toEqual(sees)
  else if (name === 'juncoes-detalhes') expect(await failureOf(read())).toEqual(NOT_FOUND)
  else expect(await read()).toEqual([])
  const arrived = calls(erp, operationOf(name)).slice(before)
  expect(arrived).toHaveLength(called)
  if (called > 0) expect(arrived[0]?.faults).toEqual([fault.id])
  expectLogged(erp, logged)
  await faults(erp)
  expect(await read(), 'when it is well again').toEqual(clean)
}

async function walkWrite([fault, name, outcome]: WriteRow) {
  const { says, stored, found, called = 1, logged, spared } = outcome
  const limits = name === 'token' ? { readMs: STEP_MS } : { writeMs: STEP_MS }
  const timeouts = fault === BEYOND_LIMIT ? limits : {}
  await using erp = await startErp({ acceptTimeoutMs: 20 }, { timeouts })
  const { write, storedBy, arrivesAt, tidy } = writes[name]
  // its token, and a connection that was used before
  if (name !== 'token') await search(erp.gateway)
  await strike(erp, fault, name)
  const id = randomUUID()
  const heard = await write(erp, id)
  if (says === 'unknown') expect(heard).toMatchObject({ outcome: 'unknown' })
  else if (says === 'confirmed') expect(heard).toEqual(tidy)
  else expect(heard).toEqual(says.outcome === 'unknown' ? expect.objectContaining(says) : says)
  const arrived = calls(erp, arrivesAt)
  expect(arrived).toHaveLength(called)
  expect(calls(erp, operationOf(name))[0]?.faults ?? []).toEqual(spared ? [] : [fault.id])
  expect(storedBy(erp)).toHaveLength(stored)
  expectLogged(erp, logged)
  await faults(erp)
  expect(await find(erp.gateway, id)).toEqual(found && expect.objectContaining({ status: found }))
  if (found === 'processing') return
  expect(await write(erp, id), 'when it is sent again').toEqual(found === 'refused' ? says : tidy)
  expect(storedBy(erp)).toHaveLength(found === 'refused' ? 0 : 1)
}

const titleOf = ([{ id, ...how }, name, outcome]: Row) => {
  const what = 'sees' in outcome ? outcome.sees : outcome.says
  const words = typeof what === 'string' ? what : Object.values(what).slice(0, -1).join(' ')
  return `${[id, ...Object.values(how)].join(' ')} at ${name}: ${words}`
}
const isRead = (row: Row): row is ReadRow => row[1] in reads
const titled = <R extends Row>(some: R[]) => some.map((row) => [titleOf(row), row] as const)

describe('a read', () => {
  let erp: Erp
  beforeAll(async () => {
    erp = await startErp({ acceptTimeoutMs: 20 })
    await record(erp.gateway, cut(1), KNOWN_ID)
  })
  afterAll(() => erp[Symbol.asyncDispose]())
  afterEach(() => faults(erp))

  it.each(titled(table.filter(isRead).filter(([fault]) => fault !== BEYOND_LIMIT)))('%s', (_, row) =>
    walkRead(erp, row),
  )
})

/** Most of their time they wait. */
describe.concurrent('a write, or a read that nobody answers', () => {
  it.each(titled(table.filter(isRead).filter(([fault]) => fault === BEYOND_LIMIT)))('%s', async (_, row) => {
    await using erp = await startErp({}, { timeouts: { readMs: STEP_MS } })
    await record(erp.gateway, cut(1), KNOWN_ID)
    await walkRead(erp, row)
  })

  it.each(titled(table.filter((row) => !isRead(row)) as WriteRow[]))('%s', (_, row) => walkWrite(row))

  it.each(everyWrite)('F08 stored later, at %s: not there, then there, once', async (name) => {
    await using erp = await startErp()
    await search(erp.gateway)
    const id = randomUUID()
    await faults(erp, { id: 'F08', operation: name, ms: 45_000 })
    expect(await writes[name].write(erp, id)).toMatchObject({ outcome: 'unknown' })
    expect(await find(erp.gateway, id)).toBeNull()
    erp.clock.ms += 45_000
    expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
    expect(writes[name].storedBy(erp)).toHaveLength(1)
  })
})

it('every fault there is has its rows', () => {
  // strikes only the login after another fault: test/erp/protheus.test.ts
  const shown = new Set([...table.map(([{ id }]) => id), 'F23'])
  expect([...shown].sort()).toEqual([...faultIds].sort())
})

it.each(accents)('%j: accents of a refusal are right, then and when it is looked up', async (fault) => {
  await using erp = await startErp()
  await faults(erp, { ...fault, count: null })
  for (const { wrong, refusal } of everyWrite.map((name) => writes[name])) {
    const id = randomUUID()
    expect(await wrong(erp, id)).toEqual({ outcome: 'refused', message: refusal })
    expect(await find(erp.gateway, id)).toEqual({ status: 'refused', message: refusal })
  }
})

it('what the tests of accents read has some', async () => {
  await using erp = await startErp()
  const [item] = await reads.itens(erp)
  const [junction] = await reads.juncoes(erp)
  for (const row of [item, junction]) expect(Object.values(row ?? {}).join()).toMatch(/[^\p{ASCII}]/u)
})

it.each([
  ['F29', ['J01 0', 'J02 0', `${POSITION} 25`, 'J03 100']],
  ['F30', ['J01 0', 'J02 0', `${POSITION} 100`, 'J03 100']],
  ['F33', ['J01 0', 'J02 0', 'J03 100']],
] as const)('%s what somebody faster left of the junctions is read', async (id, left) => {
  await using erp = await startErp()
  await faults(erp, { id })
  await recordJoint(erp.gateway)
  expect((await listJoints(erp.gateway)).map((row) => `${row.Z8_POSICAO} ${row.Z8_PJUNCAO}`)).toEqual(left)
})

it('F28 rows that are not up to date yet do not hide what the look-up knows', async () => {
  await using erp = await startErp()
  const ids = everyWrite.map(() => randomUUID())
  await record(erp.gateway, cut(60), ids[0])
  await recordJoint(erp.gateway, joint(30), ids[1])
  await receive(erp.gateway, HALF_CUT, ids[2])
  await faults(erp, { id: 'F28', count: null })
  expect((await listJoints(erp.gateway))[2]).toMatchObject({ Z8_PJUNCAO: 25 })
  const query = { branch: BRANCH, term: ORDER, mode: 'CONFERENCIA_CORTE' } as const
  const items = (await erp.gateway.searchItems(query)).rows.slice(0, 2)
  expect(items).toMatchObject([{ Z1_QTREGCO: 0 }, { Z1_CODBAR: HALF_CUT, Z1_CONFERE: 'N' }])
  for (const id of ids) expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
})
