import { expect, test } from 'vitest'
import type { CutItem, Part } from '../../contract/items.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { correctedRecording, correctionRefusal, itemWithout, settleCorrection } from './corrections.ts'
import { freshForms } from './form-edits.ts'
import { correctionFormOf, formsOf } from './recorded-forms.ts'
import { buildPayload } from './recording-form.ts'

const common = {
  EMPRESA: '010101',
  OPERADOR: 'Maria Souza',
  ORDEM_PROD: '01621401001',
  QTD_ORDEM_PROD: 120,
  QTD_REALIZADA: 10,
  COD_BARRA: '0101621401001000010007',
  MAQUINA: 'KX0001 - Komax',
}
const cut: CutCrimpRecording = { ...common, COD_CABO: 'CB050AMVD', LOTE_CABO: 'L261118004', COMPRIMENTO_CABO: 1250 }
const crimp: CutCrimpRecording = {
  ...common,
  TERM_LD2: 'T1326030',
  FORCA_LD2: 70,
  ALTURA_LD2: 1.1,
  LOTE_TERM_LD2: 'L260101000',
  MA_LD2: 'MA-0001',
  SELO_LD2: 'S0963244',
  SELADORA_LD2: 'Seladora 01',
  captura: {
    registradoEm: '2026-11-21T15:00:00.000Z',
    medidoForca: true,
    salvoNoDispositivo: true,
    respondidoAntes: true,
    tentadoAntes: { epoca: 'antes' },
  },
}
const item = {
  Z1_QUANT: 120,
  Z1_QTREGCO: 100,
  Z1_QTREGL2: 0,
  aguardandoErp: { cabo: 10, l1: 0, l2: 0 },
} as CutItem

test('a recording that nobody changes is told again as it was, but not as a delivery from a queue', () => {
  expect(correctedRecording(cut, 'cabo', correctionFormOf(cut, 'cabo'))).toEqual({ ...cut, captura: {} })
  const captura = { registradoEm: '2026-11-21T15:00:00.000Z', medidoForca: true, medidoAltura: false }
  expect(correctedRecording(crimp, 'l2', correctionFormOf(crimp, 'l2'))).toEqual({ ...crimp, captura })
})

test('a recording that is put back into its form says the same when it is registered again', () => {
  const onItem = {
    ...item,
    Z1_FILIAL: '010101',
    Z1_OP: '01621401001',
    Z1_CODBAR: '0101621401001000010007',
    Z1_CODCABO: 'CB050AMVD',
    Z1_COMPR: 1250,
    Z1_TERML2: 'T1326030',
    Z1_SELOL2: 'S0963244',
    Z1_RMINL1: null,
    Z1_RMINL2: 90,
    Z1_DECAL1: null,
    Z1_DECAL2: 2,
  } as CutItem
  const again = (recording: CutCrimpRecording, part: Part) => {
    const forms = { ...freshForms(onItem), ...formsOf(recording, part) }
    const { captura: _, ...act } = buildPayload(onItem, part, forms, {
      displayName: 'Maria Souza',
      registeredAt: '',
      deviceName: '',
    })
    return act
  }
  const { captura: _, ...crimped } = crimp
  expect(again(cut, 'cabo')).toEqual(cut)
  expect(again(crimp, 'l2')).toEqual(crimped)
  expect(formsOf(crimp, 'l2').l2).toMatchObject({ force: { measured: true }, height: { measured: false } })
})

test('what was corrected takes its place, seal and terminal stay', () => {
  const form = correctionFormOf(crimp, 'l2')
  const corrected = correctedRecording(crimp, 'l2', {
    ...form,
    lot: ' B23-004517/2 ',
    quantity: '7',
    machine: 'PR0001 - Schäfer',
    applicator: 'MA-0002',
    height: { ...form.height, text: '1,12', measured: true },
  })
  expect(corrected).toMatchObject({
    LOTE_TERM_LD2: 'B23-004517/2',
    QTD_REALIZADA: 7,
    MAQUINA: 'PR0001 - Schäfer',
    MA_LD2: 'MA-0002',
    ALTURA_LD2: 1.12,
    TERM_LD2: 'T1326030',
    SELADORA_LD2: 'Seladora 01',
    captura: { medidoForca: true, medidoAltura: true },
  })
})

test('a reason for a force below the minimum is said anew, or not at all', () => {
  const before = { motivo: 'amostra', texto: '' } as const
  const recording = { ...crimp, captura: { medidoForca: true, motivoForaDoLimite: before } }
  const form = correctionFormOf(recording, 'l2')
  expect(correctedRecording(recording, 'l2', form).captura).not.toHaveProperty('motivoForaDoLimite')
  const limitReason = { motivo: 'liberado', texto: 'desvio 12/26' } as const
  expect(correctedRecording(recording, 'l2', { ...form, limitReason }).captura).toMatchObject({
    motivoForaDoLimite: limitReason,
  })
})

test('an empty field is named before anything is sent', () => {
  expect(correctionRefusal({ ...correctionFormOf(cut, 'cabo'), lot: ' ' }, 'cabo')).toMatch(/do cabo \(lote/)
  expect(correctionRefusal({ ...correctionFormOf(crimp, 'l2'), applicator: '' }, 'l2')).toMatch(/terminal L2/)
  expect(correctionRefusal(correctionFormOf(crimp, 'l2'), 'l2')).toBeNull()
})

test('the quantity stays within what is left without the recording itself', () => {
  const form = { ...correctionFormOf(cut, 'cabo'), quantity: '500' }
  expect(settleCorrection(form, itemWithout(item, 'cabo', 0), 'cabo').form.quantity).toBe('10')
  expect(settleCorrection(form, itemWithout(item, 'cabo', 10), 'cabo')).toMatchObject({
    form: { quantity: '20' },
    warnings: ['Quantidade deve estar entre 1 e 20. Corrigido para 20'],
  })
  expect(itemWithout(null, 'cabo', 10)).toBeNull()
})

test('where nothing is left the quantity is for the server to judge', () => {
  const full = { ...item, Z1_QTREGCO: 120, aguardandoErp: { cabo: 0, l1: 0, l2: 0 } }
  expect(settleCorrection(correctionFormOf(cut, 'cabo'), full, 'cabo').warnings).toEqual([])
})
