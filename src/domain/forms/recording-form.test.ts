import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CutItem } from '../../contract/items.ts'
import { CutCrimpRecording } from '../../contract/recordings.ts'
import {
  carriedSide,
  correctCable,
  correctForce,
  correctHeight,
  correctQuantity,
  correctSide,
  freshForms,
  quantityBounds,
  settleMeasurements,
  typedMeanwhile,
  typedMeasurement,
  withoutSample,
  withSample,
} from './form-edits.ts'
import {
  buildPayload,
  cleanLot,
  completionPercent,
  gaugeText,
  isSectionOpen,
  itemCompletionPercent,
  quantityText,
  type RecordingForms,
  refusalOf,
  wholePercent,
} from './recording-form.ts'

const item: CutItem = {
  Z1_FILIAL: '010101',
  Z1_CLIENTE: 'Andorinha Implementos Ltda',
  Z1_CNPJCLI: '99000001000101',
  Z1_PRODUTO: 'CHT000412-01',
  Z1_REVCLI: 'C',
  Z1_REVLTM: '00',
  Z1_DESCPRO: 'CHICOTE PAINEL CABINE',
  Z1_OP: '01621401001',
  Z1_QUANT: 120,
  Z1_ITEMEST: '000010',
  Z1_COR: 'am/vd',
  Z1_BITOLA: '0,50',
  Z1_GRAVA: 'C101',
  Z1_CODBAR: '0101621401001000010007',
  Z1_CODCABO: 'CB050AMVD',
  Z1_DESCABO: 'CABO FLRY-A 0,50MM2 AM/VD',
  Z1_COMPR: 1250,
  Z1_PCORTE: 0,
  Z1_PCRIML1: 0,
  Z1_PCRIML2: 0,
  Z1_QTREGCO: 0,
  Z1_QTREGL1: 0,
  Z1_QTREGL2: 0,
  Z1_TERML1: 'T1326030',
  Z1_TERML2: 'T0925590',
  Z1_SELOL1: 'S0963244',
  Z1_SELOL2: '0',
  Z1_RMINL1: 70,
  Z1_RMINL2: null,
  Z1_DECAL1: 1.1,
  Z1_DECAL2: null,
  Z1_CONFERE: 'N',
  aguardandoErp: { cabo: 0, l1: 0, l2: 0 },
}

const filled = (): RecordingForms => {
  const forms = freshForms(item)
  return {
    cabo: { ...forms.cabo, lot: 'L261118004', machine: 'KX0001 - Komax' },
    l1: { ...forms.l1, lot: 'B23-004517/2', machine: 'PR0001 - Mecal', applicator: 'MA-0101', station: 'Seladora 1' },
    l2: { ...forms.l2, lot: 'B23-9', machine: 'PR0001 - Mecal', applicator: 'Sem Cadastro', station: 'Seladora 1' },
  }
}
const author = { displayName: 'Maria Souza', registeredAt: '2026-11-21T12:00:00.000Z', deviceName: 'Tablet 3' }

describe('quantity', () => {
  it('starts as what is neither registered nor on its way to the ERP, and follows it until typed', () => {
    const partial = { ...item, Z1_QTREGCO: 30, aguardandoErp: { cabo: 20, l1: 0, l2: 0 } }
    expect(quantityText(freshForms(item).cabo, partial, 'cabo')).toBe('70')
    expect(quantityBounds(partial, 'cabo')).toEqual({ min: 1, max: 70 })
    expect(quantityText({ lot: '', machine: '', quantity: '5' }, partial, 'cabo')).toBe('5')
    expect(quantityBounds(null, 'cabo')).toEqual({ min: 1, max: 999 })
  })

  it('is corrected to the nearest bound with the warning', () => {
    const bounds = { min: 1, max: 120 }
    const warning = (value: number) => `Quantidade deve estar entre 1 e 120. Corrigido para ${value}`
    expect(correctQuantity('121', bounds)).toEqual({ text: '120', warning: warning(120) })
    expect(correctQuantity('0', bounds)).toEqual({ text: '1', warning: warning(1) })
    expect(correctQuantity('12,5', bounds)).toEqual({ text: '1', warning: warning(1) })
    expect(correctQuantity('-5', bounds)).toEqual({ text: '1', warning: warning(1) })
    expect(correctQuantity('1.000', { min: 1, max: 2000 })).toEqual({ text: '1000', warning: null })
    expect(correctQuantity('abc', bounds)).toEqual({ text: '1', warning: warning(1) })
    expect(correctQuantity(' 120 ', bounds)).toEqual({ text: '120', warning: null })
    expect(correctQuantity('', bounds)).toEqual({ text: '1', warning: warning(1) })
  })

  it('is always a whole number within the bounds, and warns exactly when it changed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer().map(String), fc.double().map(String), fc.string()), fc.nat(), (text, span) => {
        fc.pre(text.trim() !== '')
        const { text: corrected, warning } = correctQuantity(text, { min: 1, max: 1 + span })
        const value = Number(corrected)
        expect(Number.isInteger(value) && value >= 1 && value <= 1 + span).toBe(true)
        if (/^\d{1,9}$/.test(text)) expect(warning === null).toBe(Number(text) === value)
        expect(correctQuantity(corrected, { min: 1, max: 1 + span })).toEqual({ text: corrected, warning: null })
      }),
    )
  })
})

describe('force and height', () => {
  it('corrects a force that is no whole number above 0', () => {
    const warning = 'Força de extração deve ser um número inteiro maior que 0. Corrigido para 1'
    for (const text of ['0', '-3', '92,5', '70,7', '1.5', 'x'])
      expect(correctForce(text)).toEqual({ text: '1', warning })
    expect(correctForce('70')).toEqual({ text: '70', warning: null })
    expect(correctForce('')).toEqual({ text: '', warning: null })
  })

  it('corrects a height below 0.01 and takes comma and dot', () => {
    const warning = 'Altura de crimpagem deve ser maior que 0.00. Corrigido para 0.01'
    for (const text of ['0', '0,001', '-1', 'x']) expect(correctHeight(text)).toEqual({ text: '0,01', warning })
    expect(correctHeight('1.1')).toEqual({ text: '1,10', warning: null })
    expect(correctHeight('1,105')).toEqual({ text: '1,105', warning: null })
  })

  it('leaves every height that it has written as it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (hundredths) => {
        const { text, warning } = correctHeight(String(hundredths / 100))
        expect([warning, Number(text.replace(',', '.'))]).toEqual([null, hundredths / 100])
        expect(correctHeight(text)).toEqual({ text, warning: null })
      }),
    )
  })

  it('starts with the minimums of the order, not measured', () => {
    const { l1, l2 } = freshForms(item)
    expect([l1.force.text, l1.height.text, l1.force.measured, l1.height.measured]).toEqual(['70', '1,10', false, false])
    expect([l2.force.text, l2.height.text]).toEqual(['', ''])
  })

  it('keeps a value measured before lot and tool were named', () => {
    const { l1 } = filled()
    const measured = { ...l1, lot: '', applicator: '', force: typedMeasurement('82') }
    const withLot = settleMeasurements({ ...measured, lot: 'A' })
    const withTool = settleMeasurements({ ...withLot, applicator: 'MA-1' })
    expect(withTool.force).toEqual({ text: '82', measured: true, lot: 'A', applicator: 'MA-1' })
  })

  it('asks again for a value that was measured on another lot or with another tool', () => {
    const measured = settleMeasurements({ ...filled().l1, force: typedMeasurement('82') })
    const blank = { text: '', measured: false, lot: '', applicator: '' }
    expect(settleMeasurements({ ...measured, lot: 'B' }).force).toEqual(blank)
    expect(settleMeasurements({ ...measured, applicator: 'MA-0102' }).force).toEqual(blank)
    expect(settleMeasurements(measured).force.text).toBe('82')
    expect(settleMeasurements({ ...measured, lot: 'B' }).height).toEqual(measured.height)
  })

  it('shows what was recorded, and nobody has measured it for the next one until somebody says so', () => {
    const typed = { ...filled().l1, force: typedMeasurement('82'), height: typedMeasurement('1,12') }
    const next = settleMeasurements(carriedSide(settleMeasurements(typed)))
    expect([next.force.text, next.height.text]).toEqual(['82', '1,12'])
    expect([next.force.measured, next.height.measured]).toEqual([false, false])
    const again = settleMeasurements({ ...next, force: typedMeasurement('82') })
    expect([again.force.measured, again.height.measured]).toEqual([true, false])
  })

  it('knows what was typed while a recording was on its way from what that recording has measured', () => {
    const recorded = settleMeasurements({
      ...withSample(filled().l1, { id: 'a', occasion: 'avulsa' }),
      ...{ force: typedMeasurement('82'), height: typedMeasurement('1,12'), quantity: '10' },
    })
    const typed = withSample({ ...recorded, height: typedMeasurement('1,13') }, { id: 'b', occasion: 'avulsa' })
    const next = typedMeanwhile(settleMeasurements({ ...typed, quantity: '20' }), recorded)
    expect([next.force.text, next.force.measured]).toEqual(['82', false])
    expect([next.height.text, next.height.measured]).toEqual(['1,13', true])
    expect([next.quantity, next.samples?.map(({ id }) => id)]).toEqual(['20', ['b']])
  })

  it('asks again after a recording when the next one has a new lot, even if nothing was measured', () => {
    const next = carriedSide(filled().l1)
    expect([next.force.text, next.quantity]).toEqual(['70', null])
    expect(settleMeasurements(next).force.text).toBe('70')
    expect(settleMeasurements({ ...next, lot: 'B' }).force.text).toBe('')
    expect(settleMeasurements({ ...next, applicator: 'MA-0102' }).height.text).toBe('')
  })
})

describe('a whole section', () => {
  it('is corrected at once, and a corrected measurement counts as not measured', () => {
    const typed = { ...filled().l1, quantity: '999', force: typedMeasurement('0'), height: typedMeasurement('1.2') }
    const { form, warnings } = correctSide(typed, item, 'l1')
    expect([form.quantity, form.force.text, form.height.text]).toEqual(['120', '1', '1,20'])
    expect([form.force.measured, form.height.measured]).toEqual([false, true])
    expect(warnings).toHaveLength(2)
    expect(correctSide(form, item, 'l1')).toEqual({ form, warnings: [] })
  })

  it('leaves the quantity that nobody typed to the balance', () => {
    const { cabo } = filled()
    expect(correctCable(cabo, item, 'cabo')).toEqual({ form: cabo, warnings: [] })
    expect(correctCable({ ...cabo, quantity: '60' }, { ...item, Z1_QTREGCO: 100 }, 'cabo').warnings).toHaveLength(1)
  })
})

describe('completion', () => {
  it('counts pieces on their way to the ERP', () => {
    expect(completionPercent({ ...item, Z1_PCORTE: 50, Z1_QTREGCO: 60 }, 'cabo')).toBe(50)
    const waiting = { ...item, Z1_PCORTE: 50, Z1_QTREGCO: 60, aguardandoErp: { cabo: 30, l1: 0, l2: 0 } }
    expect(completionPercent(waiting, 'cabo')).toBe(75)
    expect(isSectionOpen(waiting, 'cabo')).toBe(true)
  })

  it('is complete without balance although the ERP rounds down', () => {
    const rounded = { ...item, Z1_PCORTE: 33.33, Z1_QTREGCO: 40, aguardandoErp: { cabo: 80, l1: 0, l2: 0 } }
    expect(completionPercent(rounded, 'cabo')).toBe(100)
    expect(isSectionOpen(rounded, 'cabo')).toBe(false)
  })

  it('stays open exactly while there are pieces to record', () => {
    const pieces = fc.integer({ min: 0, max: 500 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), pieces, pieces, (ordered, registered, waiting) => {
        fc.pre(registered + waiting <= ordered)
        const partial = {
          ...item,
          Z1_QUANT: ordered,
          Z1_QTREGL1: registered,
          Z1_PCRIML1: Math.floor((10_000 * registered) / ordered) / 100,
          aguardandoErp: { cabo: 0, l1: waiting, l2: 0 },
        }
        expect(isSectionOpen(partial, 'l1')).toBe(quantityBounds(partial, 'l1').max >= 1)
      }),
    )
  })

  it('of the item is the mean of the parts it has', () => {
    const partial = { ...item, Z1_PCORTE: 100, Z1_QTREGCO: 120, Z1_PCRIML1: 50, Z1_QTREGL1: 60 }
    expect(itemCompletionPercent(partial)).toBe(50)
    expect(itemCompletionPercent({ ...partial, Z1_TERML2: '0' })).toBe(75)
    expect(itemCompletionPercent({ ...partial, Z1_TERML1: '', Z1_TERML2: '0' })).toBe(100)
  })
  it('shows 100 only when it is reached', () => {
    expect([wholePercent(99.99), wholePercent(100), wholePercent(130), wholePercent(-1)]).toEqual([99, 100, 100, 0])
    expect(wholePercent(100 * 0.29)).toBe(29)
  })
})

describe('required fields', () => {
  it('are named as the operator knows them', () => {
    const empty = freshForms(item)
    expect(refusalOf(null, 'cabo', empty)).toBe('Erro: Item não encontrado')
    expect(refusalOf(item, 'cabo', empty)).toBe(
      'Erro: Preencha todos os campos obrigatórios do cabo (lote, máquina, quantidade)',
    )
    expect(refusalOf(item, 'l2', empty)).toBe(
      'Erro: Preencha todos os campos obrigatórios do terminal L2 (lote, força, altura, máquina, quantidade, mini aplicador)',
    )
    expect(refusalOf({ ...item, Z1_TERML1: '0' }, 'l1', filled())).toBe(
      'Erro: Não há terminal no lado L1 para este item',
    )
    expect(refusalOf({ ...item, Z1_CODCABO: ' ' }, 'cabo', filled())).toBe(
      'Erro: O ERP não tem o código do cabo deste item. Avise o PCP.',
    )
  })

  it('are each missed', () => {
    const forms = filled()
    expect(refusalOf(item, 'cabo', forms)).toBeNull()
    expect(refusalOf(item, 'l1', forms)).toBeNull()
    for (const gap of [{ lot: ' ' }, { machine: '' }, { quantity: '' }]) {
      expect(refusalOf(item, 'cabo', { ...forms, cabo: { ...forms.cabo, ...gap } })).toContain('do cabo')
    }
    const nothing = typedMeasurement('')
    const gaps = [
      { lot: '' },
      { machine: '' },
      { quantity: '' },
      { applicator: '' },
      { force: nothing },
      { height: nothing },
    ]
    for (const gap of gaps) {
      expect(refusalOf(item, 'l1', { ...forms, l1: { ...forms.l1, ...gap } })).toContain('do terminal L1')
    }
    expect(refusalOf(item, 'l1', { ...forms, l1: { ...forms.l1, station: '' } })).toBeNull()
  })
})

describe('payload', () => {
  it('of the cable', () => {
    const payload = buildPayload(item, 'cabo', filled(), author)
    expect(payload).toEqual({
      EMPRESA: '010101',
      OPERADOR: 'Maria Souza',
      ORDEM_PROD: '01621401001',
      QTD_ORDEM_PROD: 120,
      QTD_REALIZADA: 120,
      COD_BARRA: '0101621401001000010007',
      MAQUINA: 'KX0001 - Komax',
      COD_CABO: 'CB050AMVD',
      LOTE_CABO: 'L261118004',
      COMPRIMENTO_CABO: 1250,
      captura: { registradoEm: author.registeredAt, dispositivo: 'Tablet 3' },
    })
    expect(CutCrimpRecording.safeParse(payload).success).toBe(true)
  })

  it('of a side with its seal, and what was measured beside it', () => {
    const forms = filled()
    const l1 = { ...forms.l1, quantity: '60', height: typedMeasurement('1,12'), stationLookupFailed: true }
    const payload = buildPayload(item, 'l1', { ...forms, l1 }, { ...author, displayName: ' ' })
    expect(payload).toMatchObject({ OPERADOR: 'N/A', QTD_REALIZADA: 60, TERM_LD1: 'T1326030', FORCA_LD1: 70 })
    expect(payload).toMatchObject({ ALTURA_LD1: 1.12, MA_LD1: 'MA-0101', LOTE_TERM_LD1: 'B23-004517/2' })
    expect(payload).toMatchObject({ SELO_LD1: 'S0963244', SELADORA_LD1: 'Seladora 1' })
    expect(payload.captura).toEqual({
      registradoEm: author.registeredAt,
      dispositivo: 'Tablet 3',
      medidoForca: false,
      medidoAltura: true,
      consultaSeladoraFalhou: true,
    })
    expect(CutCrimpRecording.safeParse(payload).success).toBe(true)
  })

  it('sends the station only when the item has a seal and one was chosen', () => {
    const forms = filled()
    const l2 = { ...forms.l2, force: typedMeasurement('70'), height: typedMeasurement('1,1') }
    const unsealed = buildPayload(item, 'l2', { ...forms, l2 }, author)
    expect(Object.keys(unsealed)).not.toContain('SELADORA_LD2')
    expect(CutCrimpRecording.safeParse(unsealed).success).toBe(true)
    const l1 = { ...forms.l1, station: '', stationLookupFailed: true }
    const notChosen = buildPayload(item, 'l1', { ...forms, l1 }, author)
    expect(Object.keys(notChosen)).not.toContain('SELO_LD1')
    expect(notChosen.captura).toHaveProperty('consultaSeladoraFalhou', true)
  })
})

it('writes lots with a slash and gauges with two decimals and a comma', () => {
  expect(cleanLot('A;B;C')).toBe('A/B/C')
  expect(['0.5', '0,50', '2,5', '', 'AWG 20'].map(gaugeText)).toEqual(['0,50', '0,50', '2,50', '', 'AWG 20'])
})

describe('the samples of a form', () => {
  const sampled = withSample(filled().l1, { id: 'a', occasion: 'primeira-peca' })

  it('are named by its recording, and gone where the sample was not taken after all', () => {
    const author = { displayName: 'Maria', registeredAt: '2026-11-25T12:00:00.000Z', deviceName: '' }
    const captured = (l1: typeof sampled) => buildPayload(item, 'l1', { ...filled(), l1 }, author).captura
    expect(captured(withSample(sampled, { id: 'b', occasion: 'avulsa' }))?.medicoes).toEqual(['a', 'b'])
    expect(captured({ ...sampled, hasTwoWires: true })).toMatchObject({ medicoes: ['a'], doisFios: true })
    expect(captured(withoutSample(sampled, 'a'))).not.toHaveProperty('medicoes')
  })

  it('end with the reel or tool that they were taken of, and with the recording that names them', () => {
    const measured = settleMeasurements({ ...sampled, height: typedMeasurement('1,12') })
    expect(settleMeasurements({ ...measured, quantity: '5' }).samples).toEqual(sampled.samples)
    expect(settleMeasurements({ ...measured, lot: 'other' }).samples).toBeUndefined()
    expect(carriedSide(measured).samples).toBeUndefined()
  })
})
