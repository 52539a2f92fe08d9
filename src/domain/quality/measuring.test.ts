import { describe, expect, test } from 'vitest'
import type { ControlPlan } from '../../contract/control-plans.ts'
import type { JunctionRecording } from '../../contract/junctions.ts'
import type { Measurement, MeasurementForm, MeasuringContext } from '../../contract/measurements.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { heightLimits, limitsText } from './control-plans.ts'
import {
  boxProblem,
  boxVerdict,
  disagreementText,
  dueText,
  emptyReadings,
  gateSamples,
  outsideText,
  placeInDialog,
  readingsOf,
  typedIn,
} from './measuring.ts'
import { ownSamples } from './waiting-samples.ts'

const plan: ControlPlan = {
  ...{ terminal: 'T1326030', bitola: 500, altura: { nominal: 1100, menos: 50, mais: 50 }, forcaMin: 75_000 },
  ...{ leiturasAltura: 3, leiturasForca: 2, aCadaPecas: 500, ultimaPeca: true },
  ...{ id: 7, version: 3, validoDe: '2026-01-01T00:00:00.000Z', validoAte: null },
}
const height = heightLimits({ nominal: 1100, menos: 50, mais: 50 })
const force = { low: 75_000, high: null, nominal: null }

describe('what the line says is missing', () => {
  test('every reason in its own words', () => {
    const due = ['troca-de-lote', 'a-cada', 'ultima-peca'] as const
    expect(dueText({ due, missing: [] }, 500)).toBe('Falta medir: troca de lote, a cada 500 peças, última peça')
    expect(dueText({ due, missing: ['altura'] }, 500)).toBe(
      'Falta medir: troca de lote (altura), a cada 500 peças, última peça',
    )
    expect(dueText({ due: [], missing: [] }, 500)).toBe('')
  })

  test('where order and plan disagree quality hears of it', () => {
    expect(disagreementText(plan, { height: 1120, forceMin: 80_000 }, 'N')).toBe(
      'A ordem diz 1,12 mm; o plano, 1,10 mm. A ordem pede 80 N; o plano, 75. Avise a qualidade.',
    )
    expect(disagreementText(plan, { height: 1100, forceMin: 70_000 }, 'N')).toBe('')
    expect(disagreementText({ ...plan, forcaMin: 90 }, { height: 1100, forceMin: 70_000 }, 'N')).toBe(
      'O plano pede 0,09, muito abaixo do mínimo da ordem (70 N). Avise a qualidade.',
    )
  })
})

describe('readings', () => {
  test('there are as many boxes as the plan asks for, and one of each without one', () => {
    expect(emptyReadings(plan, true)).toEqual({ altura: ['', '', ''], forca: ['', ''] })
    expect(emptyReadings(null, true)).toEqual({ altura: [''], forca: [''] })
    expect(emptyReadings(null, false)).toEqual({ altura: [], forca: [''] })
  })

  test('what was typed stays in the first boxes of a plan that comes later, and is in none taken away', () => {
    const typed = { altura: ['1,105'], forca: ['92'] }
    const ofPlan = typedIn(typed, emptyReadings(plan, true))
    expect(ofPlan).toEqual({ altura: ['1,105', '', ''], forca: ['92', ''] })
    expect(typedIn(ofPlan, emptyReadings(null, true))).toEqual(typed)
    const three = { altura: ['1,1', '', '1,2'], forca: [] }
    expect(typedIn(three, emptyReadings(null, true))).toEqual({ altura: ['1,1', '', '1,2'], forca: [''] })
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
const { forcaMin: _, ...planOfHeight } = plan
const limits = { forceMin: null, height: null }
const facts = {
  ...{ plan: planOfHeight, context: context(), taken: [], nowMs, shiftPlan, values: { altura: null, forca: null } },
  at: { ...place, part: 'l1' as const, limits, hasHeight: true },
  ...{ waiting: { samples: [], pieces: 0, named: [] }, quantity: 100, remainingAfter: 20 },
}
const heightOf = (milli: number) => ({ caracteristica: 'altura' as const, valores: [milli] })
const form: MeasurementForm = {
  ...{ filial: '010101', codigoBarras: '0101621401001000010007', ordem: place.order, parte: 'l1' },
  ...{ terminal: place.terminal, maquina: 'PR0002', miniaplicador: 'MA-0412', lote: 'B26-2' },
  ...{ ocasiao: 'troca-de-lote', leituras: [heightOf(1100)] },
}

const dueNow = (given: Parameters<typeof gateSamples>[0]) => gateSamples(given).due

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
    const known = { waiting: [], context: context(), nominal: 1100 }
    const own = ownSamples({ id: 'r', payload, measuredAt: nowMs - 1000 }, known)
    expect(own).toEqual([
      {
        id: 'r',
        form: { ...form, maquina: 'PR0002 - Mecal', ocasiao: 'avulsa', leituras: [heightOf(1170)] },
        measuredAt: nowMs - 1000,
        ...{ isTyped: true, over: {} },
      },
    ])
    const ownOf = (captura: CutCrimpRecording['captura'], height = 1.1) =>
      ownSamples({ id: 'r', payload: { ...payload, ALTURA_LD1: height, captura }, measuredAt: nowMs }, known)
    expect([ownOf({ medidoAltura: true, medicoes: ['a'] }), ownOf({})], 'what its sample gave it').toEqual([[], []])
    expect(ownOf({ medicoes: ['a'] }, 1.17)[0]?.form.leituras, 'typed over that').toEqual([heightOf(1170)])
    const here = { ...facts, at: { ...facts.at, lot: 'B26-2' }, waiting: { samples: own, pieces: 10, named: ['r'] } }
    expect(dueNow(here)).toEqual([])
    expect(dueNow({ ...here, quantity: 400 })).toEqual(['a-cada'])
    expect(gateSamples(here).outside).toEqual(['altura'])

    const bad = context({}, [{ ...sample, veredito: 'fora', valores: [1170] }])
    const captura = { medidoAltura: true, medicoes: ['a'] }
    const over = { id: 'r', payload: { ...payload, ALTURA_LD1: 1.1, captura }, measuredAt: nowMs - 1000 }
    const samples = ownSamples(over, { ...known, context: bad })
    const next = { ...facts, context: bad, waiting: { samples, pieces: 10, named: ['r'] } }
    expect(gateSamples(next).outside, 'a good value typed over a bad sample clears nothing').toEqual(['altura'])
  })

  test('what its form has just taken speaks at once, before its queue and the server show it', () => {
    const at = { ...facts.at, lot: form.lote! }
    const taken = [{ id: 'b', occasion: form.ocasiao, made: { form, measuredAt: nowMs } }]
    expect([dueNow({ ...facts, at }), dueNow({ ...facts, at, taken })]).toEqual([['troca-de-lote'], []])
    const made = { form: { ...form, leituras: [heightOf(1170)] }, measuredAt: nowMs }
    expect(gateSamples({ ...facts, at, taken: [{ id: 'b', occasion: form.ocasiao, made }] }).outside).toEqual([
      'altura',
    ])
  })

  test('what its form has taken is known also once the server shows a newer sample in its place', () => {
    const made = { form: { ...form, lote: 'B26-1', leituras: [heightOf(1120)] }, measuredAt: nowMs }
    const taken = [{ id: 'c', occasion: 'avulsa' as const, made }]
    const over = (milli: number) =>
      gateSamples({ ...facts, taken, values: { altura: { milli, isMeasured: true }, forca: null } }).outside
    expect([over(1120), over(1170)]).toEqual([[], ['altura']])
    const force = { milli: 80_000, isMeasured: true }
    const both = { ...facts, plan, taken, values: { altura: null, forca: force } }
    expect(dueNow(both), 'a typed force beside it is its first piece').toEqual([])
    expect(dueNow({ ...both, taken: [{ id: 'c', occasion: 'avulsa' as const }] })).toEqual(['primeira-peca'])
  })

  test('what a junction in that queue has measured itself is its first piece, also of one that is welded', () => {
    const joined: JunctionRecording = {
      ...{ FILIAL: '010101', NUMERO_OP: place.order, TIPO_REGISTRO: 'JUNCAO', POSICAO: 'J01', QTD_PECAS: 120 },
      ...{ QTD_APONTADA: 10, DATA: '2026-11-23', FORCA: 92.5, MAQUINA: 'US0002 - Telsonic', GRUPO_MP: 'M500US01' },
      captura: { plano: 7, medidoForca: true },
    }
    const known = { waiting: [], context: context({}, []), nominal: null }
    const own = ownSamples({ id: 'j', payload: joined, measuredAt: nowMs - 1000, welded: place.terminal }, known)
    const at = { ...facts.at, part: 'juncao' as const, machine: 'US0002', tool: '', lot: '', hasHeight: false }
    const there = { ...facts, plan, at, context: context({}, []) }
    expect(dueNow(there)).toEqual(['primeira-peca'])
    expect(dueNow({ ...there, waiting: { samples: own, pieces: 10, named: ['j'] } })).toEqual([])
    const weak = own.map((one) => ({
      ...one,
      form: { ...one.form, leituras: [{ caracteristica: 'forca' as const, valores: [10_000] }] },
    }))
    expect(gateSamples({ ...there, waiting: { samples: weak, pieces: 10, named: ['j'] } }).outside).toEqual(['forca'])
  })

  test('of a plan that wants its readings measured a typed value is no sample, and outside it speaks all the same', () => {
    const strict = { ...facts, plan: { ...planOfHeight, digitadoVale: false } }
    const typed = { ...sample, digitado: true as const }
    expect(dueNow(strict)).toEqual([])
    expect(dueNow({ ...strict, context: context({}, [typed]) })).toEqual(['primeira-peca'])
    const waiting = { ...facts.waiting, samples: [{ id: 'r', form, measuredAt: nowMs, isTyped: true as const }] }
    const empty = context({}, [])
    expect(dueNow({ ...strict, context: empty, waiting })).toEqual(['primeira-peca'])
    const outsideAfter = (...ultimas: Measurement[]) =>
      gateSamples({ ...strict, context: context({}, ultimas) }).outside
    const bad = { ...sample, veredito: 'fora' as const }
    const later = { id: 'b', medidoEm: '2026-11-23T12:30:00.000Z' }
    expect(outsideAfter(bad, { ...typed, ...later }), 'it clears nothing').toEqual(['altura'])
    expect(outsideAfter(sample, { ...typed, ...bad, ...later, digitado: true })).toEqual(['altura'])
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

  test('a force typed is no height: what the plan asks for is due until each of it was measured', () => {
    const both = { ...facts, plan }
    expect(gateSamples(both)).toEqual({ outside: [], due: ['primeira-peca'], missing: ['forca'] })
    const typed = { altura: null, forca: { milli: 92_000, isMeasured: true } }
    expect(gateSamples({ ...both, values: typed }).due).toEqual([])
    const nothing = { ...both, context: context({}, []) }
    expect(gateSamples(nothing)).toEqual({ outside: [], due: ['primeira-peca'], missing: [] })
    expect(gateSamples({ ...nothing, values: typed })).toMatchObject({ missing: ['altura'] })
  })

  test('a height outside stays outside until a height is inside, whatever was good since', () => {
    const outside: Measurement = { ...sample, id: 'x', veredito: 'fora', medidoEm: '2026-11-23T12:10:00.000Z' }
    const force: Measurement = { ...sample, id: 'y', caracteristica: 'forca', medidoEm: '2026-11-23T12:20:00.000Z' }
    const both = { ...facts, plan, context: context({}, [sample, outside, force]) }
    expect(gateSamples(both)).toEqual({ outside: ['altura'], due: [], missing: [] })
    const heightTyped = (milli: number) => ({ altura: { milli, isMeasured: true }, forca: null })
    expect(gateSamples({ ...both, values: heightTyped(1100) }).outside).toEqual([])
    expect(gateSamples({ ...both, values: heightTyped(1170) }).outside).toEqual(['altura'])
  })

  test('a value typed over a sample is one more reading, of which the worse counts', () => {
    const taken = [{ id: 'a', occasion: 'primeira-peca' as const }]
    const shown = (milli: number, isMeasured = false) => ({
      ...facts,
      ...{ taken, values: { altura: { milli, isMeasured }, forca: null } },
    })
    expect(gateSamples(shown(1100, true)).outside).toEqual([])
    expect(gateSamples(shown(1170)).outside, 'also where the page says that nobody measured it').toEqual(['altura'])
    const bad = { ...sample, veredito: 'fora' as const, valores: [1170] }
    expect(gateSamples({ ...shown(1100, true), context: context({}, [bad]) }).outside).toEqual(['altura'])
  })

  test('after so many pieces those samples count that hold the height', () => {
    const more = { ...facts, quantity: 400 }
    const since = (amostrasDe: { altura: string[]; forca: string[] }) =>
      gateSamples({ ...more, context: context({ amostras: ['c'], amostrasDe }) }).due
    expect(since({ altura: [], forca: ['c'] })).toEqual(['a-cada'])
    expect(since({ altura: ['c'], forca: [] })).toEqual([])
  })
})
