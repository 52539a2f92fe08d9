import { describe, expect, it } from 'vitest'
import type { Part } from '../../contract/items.ts'
import type { RecordingAnswer } from '../../contract/recordings.ts'
import { retryWaitMs } from '../device/clock.ts'
import type { FrozenCutCrimp } from './cut-crimp.ts'
import type { FrozenJunction } from './junctions.ts'
import { deliveryKeyOf, kindOfPayload, kinds } from './kinds.ts'
import type { FrozenMaintenanceCall } from './maintenance-calls.ts'
import type { FrozenMeasurement } from './measurements.ts'
import {
  ANSWERED_RETAINED_MS,
  ANSWERED_RETAINED_MS_MAX,
  type AnsweredAct,
  ATTEMPT_MS_MAX,
  attemptEnd,
  authorNeeded,
  blockedForAuthor,
  clockShiftMs,
  isAttemptedElsewhere,
  isForgotten,
  isNeverSent,
  isOverdue,
  isPastKeeping,
  nextToSend,
  piecesHere,
  receivedHere,
  recordedAt,
  type Waiting,
  type WaitingAct,
  waitingSince,
} from './queue.ts'
import type { FrozenReceipt } from './receipts.ts'

const BRANCH = '010101'
const BARCODE = '0101621401001000010007'
const OTHER_BARCODE = '0101621401001000020007'
const NOON = '2026-11-21T15:00:00.000Z'

const frozen = (part: Part = 'cabo', barcode = BARCODE, pieces = 5): FrozenCutCrimp => ({
  id: `${barcode}-${part}-${pieces}`,
  username: 'operador',
  grant: 'grant',
  branch: BRANCH,
  barcode,
  part,
  payload: {
    EMPRESA: BRANCH,
    ORDEM_PROD: '01621401001',
    QTD_ORDEM_PROD: 120,
    QTD_REALIZADA: pieces,
    COD_BARRA: barcode,
    MAQUINA: 'KX0001',
  },
  frozenAt: NOON,
})

const waiting = (position: number, more: Partial<Waiting<FrozenCutCrimp>> = {}): Waiting<FrozenCutCrimp> => ({
  ...frozen(),
  position,
  answeredBefore: false,
  problem: null,
  attempt: null,
  ...more,
})

const problem = { code: 'input_invalid', message: 'Dados inválidos.' }

describe('what is sent next', () => {
  const first = waiting(1)
  const second = waiting(2)
  const otherItem = waiting(3, { barcode: OTHER_BARCODE })
  const otherPart = waiting(4, { part: 'l1' })
  const queue = [first, second, otherItem, otherPart]

  it('is the oldest', () => {
    expect(nextToSend(queue, new Set())).toBe(first)
    expect(nextToSend([], new Set())).toBeNull()
  })

  it('is never a later one of a delivery key that is held up, but the oldest of another', () => {
    expect(nextToSend(queue, new Set([deliveryKeyOf(first)]))).toBe(otherItem)
    expect(nextToSend(queue, new Set([deliveryKeyOf(first), deliveryKeyOf(otherItem)]))).toBe(otherPart)
    expect(nextToSend(queue, new Set([first, otherItem, otherPart].map(deliveryKeyOf)))).toBeNull()
  })

  it('is not one that needs a person, which holds up nothing', () => {
    expect(nextToSend([waiting(1, { problem }), second], new Set())).toBe(second)
    expect(nextToSend([waiting(1, { problem })], new Set())).toBeNull()
  })

  it('has surely never been sent where this device has noted so, and no database has answered it', () => {
    const sent = [{}, { triedEpoch: undefined }, { triedEpoch: 'a' }, { triedEpoch: null, answeredBefore: true }]
    expect(sent.map((more) => isNeverSent(waiting(1, more)))).toEqual([false, false, false, false])
    expect(isNeverSent(waiting(1, { triedEpoch: null }))).toBe(true)
  })

  it('has a delivery key of its own for each plant, item and part', () => {
    expect(deliveryKeyOf(first)).toBe(deliveryKeyOf(second))
    expect(new Set([first, otherItem, otherPart, waiting(5, { branch: '020101' })].map(deliveryKeyOf)).size).toBe(4)
  })
})

describe('one whose author must log in', () => {
  const blocked = waiting(1, { problem: authorNeeded(frozen()) })

  it('names the author in words for whoever stands there', () => {
    expect(blocked.problem?.message).toBe('Peça a operador que entre neste dispositivo.')
    const named = { ...frozen(), payload: { ...frozen().payload, OPERADOR: 'Maria Souza' } }
    expect(authorNeeded(named).message).toBe('Peça a Maria Souza que entre neste dispositivo.')
  })

  it('goes on when that person is there, and only then', () => {
    const queue = [blocked, waiting(2, { problem }), waiting(3)]
    expect(blockedForAuthor(queue, 'operador')).toEqual([blocked])
    expect(blockedForAuthor(queue, 'joao.dias')).toEqual([])
    expect(blockedForAuthor(queue, undefined)).toEqual([])
    expect(nextToSend([blocked], new Set())).toBeNull()
  })
})

describe('an attempt in front of its operator', () => {
  const noonMs = Date.parse(NOON)
  const attempted = waiting(1, { attempt: { page: 'this', until: attemptEnd(noonMs) } })

  it('keeps other tabs from sending it as from the queue, for as long as it may last', () => {
    expect(isAttemptedElsewhere(attempted, 'other', noonMs)).toBe(true)
    expect(isAttemptedElsewhere(attempted, 'other', noonMs + ATTEMPT_MS_MAX)).toBe(true)
    expect(isAttemptedElsewhere(attempted, 'other', noonMs + 2 * ATTEMPT_MS_MAX)).toBe(false)
  })

  it('does not keep its own page from it, nor where there was none', () => {
    expect(isAttemptedElsewhere(attempted, 'this', noonMs)).toBe(false)
    expect(isAttemptedElsewhere(waiting(1), 'other', noonMs)).toBe(false)
  })

  it('bears with a clock that runs a little behind, and not with one that was set back', () => {
    expect(isAttemptedElsewhere(attempted, 'other', noonMs - 1500)).toBe(true)
    expect(isAttemptedElsewhere(attempted, 'other', noonMs - 86_400_000)).toBe(false)
  })
})

describe('the wait before the next try', () => {
  it('doubles up to a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 100].map((failures) => retryWaitMs(failures, 1) / 1000)).toEqual([
      2, 4, 8, 16, 32, 60, 60, 60,
    ])
  })

  it('is spread over half of its length', () => {
    expect(retryWaitMs(3, 0)).toBe(4000)
    expect(retryWaitMs(3, 0.5)).toBe(6000)
  })
})

describe('an answered recording', () => {
  const answered: AnsweredAct = { ...frozen(), position: 1, answeredAt: NOON, epoch: 'old' }
  const answeredAtMs = Date.parse(NOON)

  it('is offered again to another database for as long as it is kept', () => {
    expect(isForgotten(answered, 'old')).toBe(false)
    expect(isForgotten(answered, 'new')).toBe(true)
  })

  it('is kept for 48 hours, and then until two backups have it, but no longer than 30 days', () => {
    const isPast = (ageMs: number, coveredUntil: string | null, count = 501) =>
      isPastKeeping(answered, { nowMs: answeredAtMs + ageMs, coveredUntil, count })
    const before = new Date(answeredAtMs - 1).toISOString()
    const after = new Date(answeredAtMs + 1).toISOString()
    expect([null, before, after].map((covered) => isPast(ANSWERED_RETAINED_MS, covered))).toEqual([false, false, false])
    expect([null, before, after].map((covered) => isPast(ANSWERED_RETAINED_MS + 1, covered))).toEqual([
      false,
      false,
      true,
    ])
    expect([ANSWERED_RETAINED_MS_MAX, ANSWERED_RETAINED_MS_MAX + 1].map((age) => isPast(age, null))).toEqual([
      false,
      true,
    ])
    expect(isPast(2 * ANSWERED_RETAINED_MS_MAX, after, 500), 'the newest 500 stay').toBe(false)
    expect([5000, 5001].map((count) => isPast(0, null, count))).toEqual([false, true])
  })

  it('is offered again where nobody knows which database answered', () => {
    expect(isForgotten({ ...answered, epoch: null }, 'new')).toBe(true)
  })
})

describe('the time of an act that a device recorded before it knew the server', () => {
  const noonMs = Date.parse(NOON)
  const DAY_MS = 86_400_000
  const own = { ...frozen(), ownClock: { page: 'this', elapsedMs: 1000 } }
  const clocks = { page: 'this', elapsedMs: 61_000, deviceMs: noonMs + 60_000, serverMs: noonMs + 20 * DAY_MS + 60_000 }

  it('is moved by what has passed in the same page, whatever its clock was set to meanwhile', () => {
    expect(clockShiftMs(own, clocks)).toBe(20 * DAY_MS)
    expect(clockShiftMs(own, { ...clocks, deviceMs: clocks.serverMs })).toBe(20 * DAY_MS)
  })

  it('is moved by what the clock is off by when the page was another one', () => {
    expect(clockShiftMs(own, { ...clocks, page: 'other' })).toBe(20 * DAY_MS)
    expect(clockShiftMs(own, { ...clocks, page: 'other', deviceMs: clocks.serverMs })).toBe(0)
  })

  it('stays where the server was known', () => {
    expect(clockShiftMs(frozen(), clocks)).toBe(0)
  })
})

describe('pieces that wait here', () => {
  const ofPart = (part: Part) => ({ branch: BRANCH, barcode: BARCODE, part })
  const piecesOf = (queue: WaitingAct[], part: Part = 'cabo') => piecesHere(queue, kinds.cutCrimp, ofPart(part))

  it('are added up for each part of the item', () => {
    const queue = [
      waiting(1),
      waiting(2, frozen('cabo', BARCODE, 7)),
      waiting(3, frozen('l2', BARCODE, 3)),
      waiting(4, frozen('cabo', OTHER_BARCODE, 50)),
      waiting(5, { branch: '020101' }),
    ]
    expect((['cabo', 'l1', 'l2'] as const).map((part) => piecesOf(queue, part))).toEqual([12, 0, 3])
  })

  it('count while a person is needed, and not where an earlier database has counted them', () => {
    expect(piecesOf([waiting(1, { problem })])).toBe(5)
    expect(piecesOf([waiting(1, { answeredBefore: true })])).toBe(0)
  })
})

describe('junctions and receipts', () => {
  const { barcode: _barcode, part: _part, ...act } = frozen() as FrozenCutCrimp
  const junction = (position: number, more: Partial<Waiting<FrozenJunction>> = {}): WaitingAct => ({
    ...waiting(position),
    ...act,
    kind: 'junction',
    order: '01621401001',
    junction: 'J01',
    payload: { QTD_APONTADA: 30 } as FrozenJunction['payload'],
    ...more,
  })
  const receipt = (position: number, more: Partial<Waiting<FrozenReceipt>> = {}): WaitingAct => ({
    ...waiting(position),
    ...act,
    kind: 'receipt',
    barcode: BARCODE,
    payload: { filial: BRANCH, codigoBarras: BARCODE },
    ...more,
  })

  it('have delivery keys of their own: a cut that is held up holds up no receipt', () => {
    const recorded = [
      waiting(1),
      junction(2),
      junction(3, { junction: 'J02' }),
      junction(4, { order: '01622001001' }),
      receipt(5),
      receipt(6, { barcode: OTHER_BARCODE }),
    ]
    expect(new Set(recorded.map(deliveryKeyOf)).size).toBe(recorded.length)
    expect(deliveryKeyOf(junction(7))).toBe(deliveryKeyOf(junction(8)))
    expect(nextToSend([waiting(1), receipt(2)], new Set([deliveryKeyOf(waiting(1))]))?.position).toBe(2)
  })

  it('count here while they wait here, and not among the pieces of an item', () => {
    const queue = [junction(1), junction(2), junction(3, { junction: 'J02' }), junction(4, { answeredBefore: true })]
    const place = { branch: BRANCH, order: '01621401001', junction: 'J01' }
    expect(piecesHere(queue, kinds.junction, place)).toBe(60)
    const received = receivedHere([receipt(1), receipt(2, { branch: '020101', barcode: OTHER_BARCODE })], BRANCH)
    expect([...received]).toEqual([BARCODE])
    expect(piecesHere([...queue, receipt(5)], kinds.cutCrimp, { branch: BRANCH, barcode: BARCODE })).toBe(0)
  })

  it('name their author', () => {
    const payload = { QTD_APONTADA: 30, OPERADOR: 'maria' } as FrozenJunction['payload']
    expect(authorNeeded(junction(1, { payload })).message).toBe('Peça a maria que entre neste dispositivo.')
    const named = receipt(1, { displayName: 'Maria Souza' })
    expect(authorNeeded(named).message).toBe('Peça a Maria Souza que entre neste dispositivo.')
    expect(authorNeeded(receipt(1)).message).toBe('Peça a operador que entre neste dispositivo.')
  })
})

describe('a call for maintenance', () => {
  const author = { username: 'maria', displayName: 'Maria Souza', registeredAt: NOON, deviceName: 'Tablet 3' }
  type Pressed = Parameters<typeof kinds.maintenanceCall.payloadOf>[0]
  const at: Pressed = {
    ...{ branch: BRANCH, machine: 'PR0001', tool: 'MA-0001', order: '01621401001' },
    ...{ barcode: BARCODE, junction: '' },
    side: '1',
    symptom: 'altura-fora',
  }
  const ofQuality = { symptom: 'outro', team: 'qualidade', topic: 'medicao-fora' } as const
  const call = (pressed: Pressed) => {
    const payload = kinds.maintenanceCall.payloadOf(pressed, author)
    return { ...frozen(), ...kinds.maintenanceCall.placeOf(payload), payload } as FrozenMaintenanceCall
  }

  it('says where it is needed, and leaves out what there is not', () => {
    expect(call(at).payload).toEqual({
      filial: BRANCH,
      maquina: 'PR0001',
      miniaplicador: 'MA-0001',
      ordem: '01621401001',
      codigoBarras: BARCODE,
      lado: '1',
      sintoma: 'altura-fora',
      captura: { registradoEm: NOON, dispositivo: 'Tablet 3' },
    })
    const { captura: _, ...atMachine } = call({ ...at, tool: '', order: '', barcode: '', side: '' }).payload
    expect(atMachine).toEqual({ filial: BRANCH, maquina: 'PR0001', sintoma: 'altura-fora' })
  })

  it('is told in a list by its own words, apart from what is recorded', () => {
    const { payload } = call(at)
    expect(kindOfPayload(payload)).toBe(kinds.maintenanceCall)
    expect(kinds.maintenanceCall.titleOf(payload)).toBe('Chamado · Altura fora')
    expect(kinds.maintenanceCall.factsOf(payload, null)).toContainEqual(['Máquina', 'PR0001'])
  })

  it('for another team names it, its subject and the act that it follows', () => {
    const { payload } = call({ ...at, ...ofQuality, act: 'a' })
    expect(payload).toMatchObject({ sintoma: 'outro', equipe: 'qualidade', assunto: 'medicao-fora', medicao: 'a' })
    expect(kinds.maintenanceCall.titleOf(payload)).toBe('Chamado')
    expect(call({ ...at, act: 'a' }).payload, 'maintenance sends no new key').not.toHaveProperty('medicao')
  })

  it('waits for no other call, and counts no pieces', () => {
    const others = [{ symptom: 'outro' }, { machine: 'PR0002' }, ofQuality, { ...ofQuality, topic: 'outro' }] as const
    const keys = [call(at), ...others.map((other) => call({ ...at, ...other }))].map(deliveryKeyOf)
    expect(new Set([...keys, deliveryKeyOf(waiting(1))]).size).toBe(6)
    const { team: _team, topic: _topic, ...older } = call(at)
    expect(deliveryKeyOf(older), 'of a page of the version before').toBe(keys[0])
    const queue = [{ ...waiting(1), ...call(at) }] as WaitingAct[]
    expect(piecesHere(queue, kinds.cutCrimp, { branch: BRANCH, barcode: BARCODE })).toBe(0)
  })
})

describe('a sample', () => {
  type Form = Parameters<typeof kinds.measurement.payloadOf>[0]
  const form: Form = {
    ...{ filial: BRANCH, codigoBarras: BARCODE, ordem: '01621401001', terminal: 'T1326030' },
    ...{ maquina: 'PR0001', miniaplicador: 'MA-0001', lote: 'B23', instrumento: 'MIC-ALT-01' },
    parte: 'l1',
    ocasiao: 'primeira-peca',
    leituras: [{ caracteristica: 'altura', valores: [1105, 1100] }],
  }
  const author = { username: 'maria', displayName: 'Maria Souza', registeredAt: NOON, deviceName: '' }
  const sample = (more: Partial<FrozenMeasurement['payload']> = {}) => {
    const payload = kinds.measurement.payloadOf({ ...form, ...more }, author)
    return { ...frozen(), ...kinds.measurement.placeOf(payload), payload } as FrozenMeasurement
  }

  it('goes before the recording of its crimp that was made after it, and holds up no other', () => {
    const first = { ...waiting(1), ...sample() } as WaitingAct
    const queue = [first, waiting(2, { part: 'l1' }), waiting(3)]
    expect(nextToSend(queue, new Set())).toBe(first)
    expect(nextToSend(queue, new Set([deliveryKeyOf(first)]))?.position).toBe(3)
    const joined = sample({ codigoBarras: undefined, posicao: 'J01', parte: 'juncao' })
    const junction = { kind: 'junction', branch: BRANCH, order: '01621401001', junction: 'J01' } as const
    expect(deliveryKeyOf(joined)).toBe(deliveryKeyOf(junction))
  })

  it('is no recording of its crimp: what is typed there stays a draft, and no piece is counted', () => {
    const place = { branch: BRANCH, barcode: BARCODE, part: 'l1' } as const
    expect(recordedAt([{ ...sample(), position: 9 }], place)).toBe(0)
    expect(recordedAt([{ ...frozen('l1'), position: 8 }], place)).toBe(8)
    const queue = [{ ...waiting(1), ...sample() }] as WaitingAct[]
    expect(piecesHere(queue, kinds.cutCrimp, { branch: BRANCH, barcode: BARCODE })).toBe(0)
  })

  it('is told in a list by what was read, and with what', () => {
    const { payload } = sample()
    expect(payload.captura).toEqual({ registradoEm: NOON })
    expect(kindOfPayload(payload)).toBe(kinds.measurement)
    expect(kinds.measurement.titleOf(payload)).toBe('Medição · Terminal Lado 1')
    const facts = kinds.measurement.factsOf(payload, null)
    expect(facts).toContainEqual(['Altura', '1,105 · 1,1'])
    expect(facts).toContainEqual(['Instrumento', 'MIC-ALT-01'])
  })

  it('outside of its plan is a warning', () => {
    const answer = (veredito: string) => ({ medicoes: [{ veredito }] }) as unknown as RecordingAnswer
    expect(['dentro', 'fora', 'sem-plano'].map((one) => kinds.measurement.isWarning?.(answer(one)))).toEqual([
      false,
      true,
      false,
    ])
  })
})

describe('the alarm', () => {
  it('rings when the oldest has waited longer than 15 minutes', () => {
    const since = waitingSince([waiting(1), waiting(2, { frozenAt: '2026-11-21T15:10:00.000Z' })])
    expect(since).toBe(NOON)
    expect(isOverdue(since, Date.parse(NOON) + 15 * 60_000)).toBe(false)
    expect(isOverdue(since, Date.parse(NOON) + 15 * 60_000 + 1)).toBe(true)
    expect(isOverdue(waitingSince([]), Date.parse(NOON))).toBe(false)
  })
})
