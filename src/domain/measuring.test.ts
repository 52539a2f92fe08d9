import { describe, expect, test } from 'vitest'
import type { ControlPlan } from '../contract/control-plans.ts'
import type { Measurement, MeasurementForm, MeasuringContext } from '../contract/measurements.ts'
import type { CutCrimpRecording } from '../contract/recordings.ts'
import { heightLimits } from './control-plans.ts'
import {
  boxProblem,
  boxVerdict,
  disagreementText,
  dueNow,
  dueText,
  emptyReadings,
  instrumentNote,
  limitsText,
  newestVerdict,
  outsideText,
  ownSamples,
  placeInDialog,
  readingsOf,
} from './measuring.ts'

const plan: ControlPlan = {
  ...{ terminal: 'T1326030', bitola: 500, altura: { nominal: 1100, menos: 50, mais: 50 }, forcaMin: 75_000 },
  ...{ leiturasAltura: 3, leiturasForca: 2, aCadaPecas: 500, ultimaPeca: true },
  ...{ id: 7, version: 3, validoDe: '2026-01-01T00:00:00.000Z', validoAte: null },
}
const height = heightLimits({ nominal: 1100, menos: 50, mais: 50 })
const force = { low: 75_000, high: null, nominal: null }

describe('what the line says is missing', () => {
  test('every reason in its own words', () => {
    expect(dueText(['troca-de-lote', 'a-cada', 'ultima-peca'], 500)).toBe(
      'Falta medir: troca de lote, a cada 500 peças, última peça',
    )
    expect(dueText([], 500)).toBe('')
  })

  test('where order and plan disagree quality hears of it', () => {
    expect(disagreementText(plan, { height: 1120, forceMin: 80_000 }, 'N')).toBe(
      'A ordem diz 1,12 mm; o plano, 1,10 mm. A ordem pede 80 N; o plano, 75. Avise a qualidade.',
    )
    expect(disagreementText(plan, { height: 1100, forceMin: 70_000 }, 'N')).toBe('')
  })
})

describe('readings', () => {
  test('there are as many boxes as the plan asks for, and one of each without one', () => {
    expect(emptyReadings(plan, true)).toEqual({ altura: ['', '', ''], forca: ['', ''] })
    expect(emptyReadings(null, true)).toEqual({ altura: [''], forca: [''] })
    expect(emptyReadings(null, false)).toEqual({ altura: [], forca: [''] })
  })

  test('are whole thousandths; what is empty as a whole was not measured, and one box alone may not be', () => {
    expect(readingsOf({ altura: ['1,05', '1.1', '1,105'], forca: ['', ''] })).toEqual({ altura: [1050, 1100, 1105] })
    expect(readingsOf({ altura: ['1,05', '', '1,1'], forca: ['', ''] })).toBeNull()
    expect(readingsOf({ altura: ['', '', ''], forca: ['', ''] })).toBeNull()
    expect(boxProblem('', ['1,05', ''])).toBe('Falta esta leitura')
    expect(boxProblem('1,1005', ['1,1005'])).toBe('Esperado um número com até 3 casas, por exemplo 1,100')
    expect(boxProblem('', ['', ''])).toBeNull()
  })

  test('are judged one by one, and the worst is named with its bound', () => {
    expect([limitsText(height), limitsText(force)]).toEqual(['1,050 a 1,150', 'mín. 75'])
    expect(boxVerdict('altura', '1,15', height, 'mm')).toEqual({ isInside: true, text: 'dentro' })
    expect(boxVerdict('altura', '1,17', height, 'mm')).toEqual({ isInside: false, text: 'fora: 0,020 mm acima' })
    expect(boxVerdict('forca', '69,9', force, 'N')).toEqual({ isInside: false, text: 'fora: 5,1 N abaixo' })
    expect(outsideText('altura', height, [1100, 1170], 'mm')).toBe('Fora do plano: 1,170 mm, máximo 1,150')
    expect(outsideText('forca', force, [92_000, 74_000], 'N')).toBe('Fora do plano: 74 N, mínimo 75')
    expect(outsideText('altura', height, [1050, 1150], 'mm')).toBeNull()
  })
})

test('an instrument is known, over its day, or unknown', () => {
  const micrometer = { codigo: 'MIC-01', descricao: 'Micrômetro', resolucao: 1, ativo: true, id: 1, version: 1 }
  const of = (calibradoAte: string) => instrumentNote('mic-01 ', [{ ...micrometer, calibradoAte }], '2026-11-25')
  expect(of('2026-11-25')).toBe('Micrômetro')
  expect(of('2026-11-01')).toBe('Instrumento com calibração vencida em 01/11/2026.')
  expect(instrumentNote('X', [micrometer], '2026-11-25')).toBe('Instrumento não cadastrado.')
  expect(instrumentNote('', [micrometer], '2026-11-25')).toBe('')
})

const codes = ['MIC-ALT-01']
test.each([
  ['mic-alt-01', 'reading', { fills: 'instrument', text: 'MIC-ALT-01' }],
  ['MIC-ALT-01', null, { fills: 'instrument', text: 'MIC-ALT-01' }],
  ['PAQ-99', 'instrument', { fills: 'instrument', text: 'PAQ-99' }],
  ['1.105', 'reading', { fills: 'reading', text: '1,105' }],
  ['B23-004517/2', 'reading', null],
  ['1,105', null, null],
  ['0101621401001000010007', 'instrument', null],
] as const)('a scan of %s with the cursor in %s', (code, box, outcome) => {
  expect(placeInDialog(code, box, codes)).toEqual(outcome)
})

const place = { order: '01621401001', terminal: 'T1326030', machine: 'PR0002', tool: 'MA-0412', lot: 'B26-1' }
const shiftPlan = { shifts: ['06:00', '14:00', '22:00'], timeZone: 'America/Sao_Paulo' }
const nowMs = Date.parse('2026-11-23T13:00:00Z')

const sample: Measurement = {
  ...{ id: 'a', caracteristica: 'altura', filial: '010101', ordem: place.order, codigoBarras: '', posicao: '' },
  ...{ parte: 'l1', terminal: 't1326030', bitolaMilli: 500, miniaplicador: 'ma-0412', ciclo: 7, maquina: 'PR0002' },
  ...{ lote: 'B26-1', turno: '2026-11-23#0', ocasiao: 'primeira-peca', instrumento: '', valores: [1100] },
  ...{ veredito: 'dentro', plano: null, acao: null, apontamentos: [], operador: 'Maria' },
  ...{ medidoEm: '2026-11-23T12:00:00.000Z', invalida: null },
}
const context = (more: Partial<MeasuringContext['lados'][number]> = {}, ultimas = [sample]): MeasuringContext => ({
  ...{ planos: [plan], instrumentos: [], ultimas, series: [] },
  lados: [{ parte: 'l1', miniaplicador: 'MA-0412', ciclo: 7, manutencaoEm: null, saldo: 620, amostras: [], ...more }],
})
const facts = {
  ...{ plan, context: context(), at: { ...place, part: 'l1' as const }, taken: [], nowMs, shiftPlan },
  ...{ waiting: { samples: [], pieces: 0, named: [] }, quantity: 100, remainingAfter: 20 },
}
const heightOf = (milli: number) => ({ caracteristica: 'altura' as const, valores: [milli] })
const form: MeasurementForm = {
  ...{ filial: '010101', codigoBarras: '0101621401001000010007', ordem: place.order, parte: 'l1' },
  ...{ terminal: place.terminal, maquina: 'PR0002', miniaplicador: 'MA-0412', lote: 'B26-2' },
  ...{ ocasiao: 'troca-de-lote', leituras: [heightOf(1100)] },
}

describe('what is due on this device', () => {
  test('nothing after a sample of the same work; a first piece where there is none', () => {
    expect(dueNow(facts)).toEqual([])
    expect(dueNow({ ...facts, context: context({}, []) })).toEqual(['primeira-peca'])
  })

  test('a sample in the queue of this device is the newest one', () => {
    const at = { ...facts.at, lot: 'B26-2' }
    expect(dueNow({ ...facts, at })).toEqual(['troca-de-lote'])
    const waiting = { ...facts.waiting, samples: [{ id: 'b', form, measuredAt: nowMs - 1000 }] }
    expect(dueNow({ ...facts, at, waiting })).toEqual([])
  })

  test('what a recording in that queue has measured itself is a sample of one: the first piece, and no other', () => {
    const payload: CutCrimpRecording = {
      ...{ EMPRESA: '010101', OPERADOR: 'Maria', ORDEM_PROD: place.order, QTD_ORDEM_PROD: 120, QTD_REALIZADA: 10 },
      ...{ COD_BARRA: form.codigoBarras!, MAQUINA: 'PR0002 - Mecal', TERM_LD1: place.terminal, FORCA_LD1: 92 },
      ...{ ALTURA_LD1: 1.17, LOTE_TERM_LD1: 'B26-2', MA_LD1: 'MA-0412', captura: { medidoAltura: true } },
    }
    const own = ownSamples('r', payload, nowMs - 1000)
    expect(own).toEqual([
      {
        id: 'r',
        form: { ...form, maquina: 'PR0002 - Mecal', ocasiao: 'avulsa', leituras: [heightOf(1170)] },
        measuredAt: nowMs - 1000,
      },
    ])
    const named = { ...payload, captura: { ...payload.captura, medicoes: ['a'] } }
    expect([ownSamples('r', named, nowMs), ownSamples('r', { ...payload, captura: {} }, nowMs)]).toEqual([[], []])
    const here = { ...facts, at: { ...facts.at, lot: 'B26-2' }, waiting: { samples: own, pieces: 10, named: ['r'] } }
    expect(dueNow(here)).toEqual([])
    expect(dueNow({ ...here, quantity: 400 })).toEqual(['a-cada'])
    expect(newestVerdict({ ...here, at: { ...here.at, limits: { forceMin: null, height: null } } })).toBe('fora')
  })

  test('what is not chosen yet is taken to be as before', () => {
    expect(dueNow({ ...facts, at: { ...facts.at, lot: '', machine: '', tool: '' } })).toEqual([])
  })

  test('pieces that wait here count on, and a sample counts once: until a recording has named it', () => {
    const more = { ...facts, quantity: 300, waiting: { ...facts.waiting, pieces: 100 } }
    expect(dueNow(more)).toEqual(['a-cada'])
    const taken = [{ id: 'c', occasion: 'a-cada' as const }]
    expect(dueNow({ ...more, taken })).toEqual([])
    expect(dueNow({ ...more, context: context({ amostras: ['c'] }) })).toEqual([])
    expect(dueNow({ ...more, taken, waiting: { ...more.waiting, named: ['c'] } })).toEqual(['a-cada'])
  })

  test('the last piece, once', () => {
    const last = { ...facts, remainingAfter: 0 }
    expect(dueNow(last)).toEqual(['ultima-peca'])
    expect(dueNow({ ...last, taken: [{ id: 'd', occasion: 'ultima-peca' }] })).toEqual([])
  })

  test('after maintenance', () => {
    expect(dueNow({ ...facts, context: context({ ciclo: 8 }) })).toEqual(['apos-manutencao'])
  })
})
