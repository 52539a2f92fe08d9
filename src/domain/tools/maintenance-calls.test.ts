import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type CallState, callCauses, callSymptoms, type MaintenanceCall } from '../../contract/maintenance-calls.ts'
import { callTeams } from '../../contract/values.ts'
import {
  CALL_JOIN_MS,
  CALL_LATE_MS,
  CALL_UNDO_MS,
  type CallTimes,
  callColumns,
  calledUnitKey,
  callStateText,
  callTotals,
  causesOf,
  causeText,
  decideCancel,
  isCauseOf,
  isLateCall,
  isOverdue,
  joinsCall,
  minutesText,
} from './maintenance-calls.ts'

type Golden = {
  input: { opened: string; acknowledged: string | null; resolved: string | null }[]
  expected: { mttaMin: number; mttrMin: number; stoppedMin: number; open: number }
}

const golden = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/maintenance-calls.json', import.meta.url), 'utf8'),
) as Golden

const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
const stateOf = ({ acknowledged, resolved }: Golden['input'][number]): CallState =>
  resolved !== null ? 'resolvido' : acknowledged !== null ? 'atendido' : 'aberto'

const times: CallTimes[] = golden.input.map((call) => ({
  state: stateOf(call),
  openedAt: Date.parse(call.opened),
  acknowledgedAt: at(call.acknowledged),
  settledAt: at(call.resolved),
  isLate: false,
}))

describe('the totals of a period', () => {
  test('hold the golden data: open calls are counted beside, never estimated', () => {
    const { chamados, abertos, mttaMin, mttrMin, paradoMin } = callTotals(times)
    expect([chamados, abertos]).toEqual([golden.input.length, golden.expected.open])
    expect(mttaMin).toBeCloseTo(golden.expected.mttaMin, 6)
    expect(mttrMin).toBeCloseTo(golden.expected.mttrMin, 6)
    expect(paradoMin).toBeCloseTo(golden.expected.stoppedMin, 6)
  })

  test('say nothing of what nobody attended to, and leave out what was cancelled', () => {
    const cancelled = times.map((call) => ({ ...call, state: 'cancelado' as const }))
    const none = { chamados: 0, abertos: 0, mttaMin: null, mttrMin: null, paradoMin: null }
    expect(callTotals([])).toEqual(none)
    expect(callTotals(cancelled)).toEqual(none)
    expect(callTotals(times.slice(3))).toEqual({ ...none, chamados: 1, abertos: 1 })
  })

  test('count a call that came too late in the repair and the time stopped, not in the time to attend', () => {
    const late = { ...(times[0] as CallTimes), isLate: true }
    expect(callTotals([late])).toMatchObject({ mttaMin: null, mttrMin: 27, paradoMin: 31 })
  })
})

describe('a press', () => {
  const open = { receivedAt: 1_000_000_000, isLate: false }
  const pressed = (ms: number, isLate = false) => ({ receivedAt: open.receivedAt + ms, isLate })

  test('joins an open call about the same within five minutes', () => {
    expect([0, CALL_JOIN_MS, CALL_JOIN_MS + 1].map((ms) => joinsCall(pressed(ms), open))).toEqual([true, true, false])
    expect(joinsCall(pressed(-2000), open), 'the other server’s clock is ahead').toBe(true)
  })

  test('never joins one that made no sound, unless it makes none itself', () => {
    const silent = { ...open, isLate: true }
    expect([
      joinsCall(pressed(1), silent),
      joinsCall(pressed(1, true), silent),
      joinsCall(pressed(1, true), open),
    ]).toEqual([false, true, true])
  })

  test('is late when the server hears of it after a quarter of an hour, or without a session to be trusted', () => {
    const late = (ms: number, isTrusted = true) => isLateCall({ openedAt: 0, receivedAt: ms, isTrusted })
    expect([late(0), late(CALL_LATE_MS), late(CALL_LATE_MS + 1), late(0, false)]).toEqual([false, false, true, true])
  })

  test('is about no tool where none is registered', () => {
    expect([calledUnitKey(' MA-0001 '), calledUnitKey('Sem Cadastro'), calledUnitKey('')]).toEqual(['ma-0001', '', ''])
  })
})

describe('cancelling', () => {
  const call = { state: 'aberto' as CallState, openedByUserId: 1, receivedAt: 0, joined: 0 }
  const author = { userId: 1, mayAnswer: false, hasReason: false, now: CALL_UNDO_MS }

  test('needs no reason of its author within half a minute, while nobody has come and nobody else called', () => {
    expect(decideCancel(call, author)).toBe('undo')
    expect(decideCancel(call, { ...author, now: CALL_UNDO_MS + 1 })).toBe('reason_missing')
    expect(decideCancel({ ...call, joined: 1 }, author)).toBe('reason_missing')
    expect(decideCancel({ ...call, state: 'atendido' }, author)).toBe('reason_missing')
    expect(decideCancel(call, { ...author, hasReason: true })).toBe('cancel')
  })

  test('is for its author and for whoever maintains, who always says why', () => {
    const other = { ...author, userId: 2 }
    expect(decideCancel(call, { ...other, hasReason: true })).toBe('not_allowed')
    expect(decideCancel(call, { ...other, mayAnswer: true })).toBe('reason_missing')
    expect(decideCancel(call, { ...other, mayAnswer: true, hasReason: true })).toBe('cancel')
  })
})

const call: MaintenanceCall = {
  id: '00000000-0000-4000-8000-000000000000',
  numero: 214,
  filial: '010101',
  maquina: 'PR0001 - Schäfer',
  miniaplicador: 'MA-0412',
  codigoBarras: '0101621401001000010007',
  posicao: '',
  ordem: '01621401001',
  lado: '1',
  sintoma: 'altura-fora',
  nota: '=1+1; alto',
  situacao: 'resolvido',
  abertoEm: '2026-11-23T17:33:00.000Z',
  abertoPor: 'Maria Souza',
  autorConfirmado: true,
  enviadoDepois: false,
  juntados: 1,
  atendidoEm: '2026-11-23T17:36:30.000Z',
  atendidoPor: 'Carlos',
  encerradoEm: '2026-11-23T17:51:00.000Z',
  encerradoPor: 'Carlos',
  causa: 'bigorna-gasta',
  causaTexto: '',
  feito: 'Bigorna trocada',
  motivo: '',
  maintenanceRecord: null,
  trocadas: [
    { kind: 'bigorna', code: '1-456' },
    { kind: 'outra', code: 'Mola 7' },
  ],
  version: 3,
  equipe: 'manutencao',
  assunto: '',
  medicao: null,
}

describe('a call in words', () => {
  const write = { ago: () => 'há 3 min', time: (instant: string) => instant.slice(11, 16) }

  test('says how it stands', () => {
    expect(callStateText({ ...call, situacao: 'aberto' }, write)).toBe('aberto há 3 min')
    expect(callStateText({ ...call, situacao: 'atendido' }, write)).toBe('Carlos atende desde 17:36')
    expect(callStateText(call, write)).toBe('Resolvido 17:51')
    expect(callStateText({ ...call, situacao: 'cancelado' }, write)).toBe('Cancelado 17:51')
  })

  test('is overdue after ten minutes without anybody', () => {
    const open = { situacao: 'aberto' as const, abertoEm: call.abertoEm }
    const afterMin = (min: number) => Date.parse(call.abertoEm) + min * 60_000
    expect([isOverdue(open, afterMin(9.9)), isOverdue(open, afterMin(10))]).toEqual([false, true])
    expect(isOverdue({ ...open, situacao: 'atendido' }, afterMin(60))).toBe(false)
  })

  test('has causes to choose from for each symptom and team, each once and its team’s, and all of them for some', () => {
    const bySymptom = callSymptoms.map((sintoma) => causesOf({ sintoma }))
    for (const list of bySymptom) expect(list.slice(-2)).toEqual(['sem-defeito', 'outra'])
    const byTeam = callTeams.map((equipe) => [equipe, causesOf({ equipe, sintoma: 'outro' })] as const)
    for (const [team, list] of byTeam) {
      expect(list.filter((cause) => !isCauseOf(team, cause))).toEqual([])
      expect(list.at(-1), 'what nobody thought of').toBe('outra')
    }
    const lists = [...bySymptom, ...byTeam.map(([, list]) => list)]
    for (const list of lists) expect(list).toEqual([...new Set(list)])
    expect(new Set(lists.flat())).toEqual(new Set(callCauses))
    expect([isCauseOf('manutencao', 'entregue'), isCauseOf('material', 'ajuste')]).toEqual([false, false])
  })

  test('says its cause as the list, a person, or both say it', () => {
    const said = (causa: MaintenanceCall['causa'], causaTexto = '') => causeText({ causa, causaTexto })
    expect([said(null), said('avanco'), said('avanco', 'mola'), said('outra', 'Mola')]).toEqual([
      '',
      'Avanço do terminal',
      'Avanço do terminal: mola',
      'Mola',
    ])
  })

  test('says minutes as people do', () => {
    expect([7.166667, 17.25, 0, 59.6, 125].map(minutesText)).toEqual([
      '7,2 min',
      '17,3 min',
      '0 min',
      '1 h 0 min',
      '2 h 5 min',
    ])
  })

  test('is a line of a file that a spreadsheet takes for no formula', () => {
    const cells = Object.fromEntries(
      callColumns((instant) => instant.slice(11, 16)).map(([head, cell]) => [head, cell(call)]),
    )
    expect(cells).toMatchObject({
      Chamado: '214',
      Situação: 'Resolvido',
      'Aberto em': '17:33',
      'Código de Barras': '"=""0101621401001000010007"""',
      Sintoma: 'Altura fora',
      Nota: `"'=1+1, alto"`,
      Causa: '"Bigorna gasta"',
      'Até Atender (min)': '3,5',
      'Reparo (min)': '14,5',
      'Parado (min)': '18',
      'Chamadas Juntadas': '1',
      'Peças Trocadas': '"Bigorna 1-456, Peça Mola 7"',
    })
  })
})
