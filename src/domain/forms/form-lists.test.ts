import { expect, test } from 'vitest'
import type { CutItem } from '../../contract/items.ts'
import type { Remembered } from '../text/remembered.ts'
import { freshForms } from './form-edits.ts'
import { emptyFields, fieldInWords, fieldSent, formFields, measuredOnText } from './form-fields.ts'
import { completed, itemParts, junctionFields, type Lists, offeredLot, openParts, scanFormOf } from './form-lists.ts'
import { placeScan } from './form-scans.ts'
import { freshJunctionForm } from './junction-forms.ts'
import type { RecordingForms } from './recording-form.ts'

const item = {
  Z1_OP: '01621401001',
  Z1_QUANT: 120,
  Z1_CODCABO: 'CB050AMVD',
  ...{ Z1_PCORTE: 0, Z1_PCRIML1: 0, Z1_PCRIML2: 0, Z1_QTREGCO: 0, Z1_QTREGL1: 0, Z1_QTREGL2: 0 },
  ...{ Z1_TERML1: 'T1326030', Z1_TERML2: 'T0925590', Z1_SELOL1: 'S0963244', Z1_SELOL2: '0' },
  ...{ Z1_RMINL1: 70, Z1_RMINL2: null, Z1_DECAL1: 1.1, Z1_DECAL2: null },
  aguardandoErp: { cabo: 0, l1: 0, l2: 0 },
} as CutItem

const machine = (id: string) => ({ id, fabricante: 'Mecal', descricao: '' })
const lists: Lists = {
  applicators: [
    { terminal: 't1326030', miniaplicator: 'MA-0001' },
    { terminal: 'T0925590', miniaplicator: 'MA-0007' },
    { terminal: 'T0925590', miniaplicator: 'MA-0008' },
  ],
  stations: [{ seal: 'S0963244', sealingStationName: 'Seladora 01' }],
  machines: ['KX0001', 'PR0001', 'US0001'].map(machine),
  machinesOf: {
    cabo: [machine('KX0001')],
    'terminal-l1': ['KX0001', 'PR0001'].map(machine),
    'terminal-l2': ['KX0001', 'PR0001'].map(machine),
  },
}
const remembered: Remembered = {
  ...{ username: 'maria', branch: '010101', at: 0 },
  machines: { lado: 'PR0001 - Mecal' },
  lots: [
    { code: 'T0925590', lot: 'B23-2' },
    { code: 'CB050AMVD', lot: 'L261121001' },
  ],
}
const of = itemParts(item, lists)
const completedIn = (parts: typeof of, forms: RecordingForms, last: Remembered): RecordingForms => ({
  cabo: completed(parts.cabo, forms.cabo, last),
  l1: completed(parts.l1, forms.l1, last),
  l2: completed(parts.l2, forms.l2, last),
})
const emptyIn = (part: keyof RecordingForms, forms: RecordingForms) =>
  emptyFields(of[part].fields, forms[part]).map(({ name }) => name)

test('what there is only one of fills itself, and the machine of this device where it fits', () => {
  const forms = completedIn(of, freshForms(item), remembered)
  expect(forms.cabo).toMatchObject({ machine: 'KX0001 - Mecal' })
  expect(forms.cabo.isMachineRemembered).toBeUndefined()
  expect(forms.l1).toMatchObject({
    machine: 'PR0001 - Mecal',
    isMachineRemembered: true,
    applicator: 'MA-0001',
    station: 'Seladora 01',
  })
  expect(forms.l2).toMatchObject({ machine: 'PR0001 - Mecal', applicator: '', station: '' })
})

test('what somebody has chosen stays, and a machine that is on no list of the part is not offered', () => {
  const chosen = freshForms(item)
  chosen.l1 = { ...chosen.l1, machine: 'KX0001 - Mecal', applicator: 'Sem Cadastro' }
  const forms = completedIn(of, chosen, { ...remembered, machines: { lado: 'US0001 - Mecal' } })
  expect(forms.l1).toMatchObject({ machine: 'KX0001 - Mecal', applicator: 'Sem Cadastro' })
  expect(forms.l2.machine).toBe('')
})

test('without the lists nothing fills itself', () => {
  const none = itemParts(item, { applicators: undefined, stations: undefined, machines: undefined, machinesOf: {} })
  expect(completedIn(none, freshForms(item), remembered)).toEqual(freshForms(item))
})

test('a label of what fits is read again where its list has not come: nothing wrong is said of it', () => {
  const unread = itemParts(item, {
    applicators: undefined,
    stations: undefined,
    machines: lists.machines,
    machinesOf: {},
  })
  const forms = freshForms(item)
  const none = { orders: [], applicators: [], stations: [], instruments: [], reasons: [], materials: [], items: [] }
  const codes = { ...none, item: null, machines: ['KX0001'], isComplete: false }
  const form = scanFormOf(unread, { forms, typed: forms }, { part: 'cabo', field: 'lot' })
  expect(placeScan('KX0001', form, codes)).toMatchObject({ text: 'A lista ainda não chegou: leia de novo.' })
})

test('the last lot is offered where cable or terminal is the same, and nothing was typed', () => {
  const forms = freshForms(item)
  expect(offeredLot(of.cabo, forms.cabo, remembered)).toBe('L261121001')
  expect(offeredLot(of.l1, forms.l1, remembered)).toBeUndefined()
  expect(offeredLot(of.l2, forms.l2, remembered)).toBe('B23-2')
  expect(offeredLot(of.l2, { ...forms, l2: { ...forms.l2, lot: 'X' } }.l2, remembered)).toBeUndefined()
})

test('parts that are open, and what of them is still empty', () => {
  expect(openParts(item)).toEqual(['cabo', 'l1', 'l2'])
  expect(openParts({ ...item, Z1_CODCABO: ' ', Z1_TERML2: '0' })).toEqual(['l1'])
  expect(openParts({ ...item, Z1_QTREGCO: 120, aguardandoErp: { cabo: 0, l1: 120, l2: 0 } })).toEqual(['l2'])
  const forms = completedIn(of, freshForms(item), remembered)
  expect(emptyIn('cabo', forms)).toEqual(['lot'])
  const typed = { ...forms, l1: { ...forms.l1, lot: 'B23-1' }, l2: { ...forms.l2, lot: 'B23-2' } }
  expect(emptyIn('l1', typed)).toEqual([])
  expect(emptyIn('l1', { ...typed, l1: { ...typed.l1, quantity: ' ' } })).toEqual(['quantity'])
  expect(emptyIn('l2', typed)).toEqual(['force', 'height', 'applicator'])
  const join = { ...freshJunctionForm({ Z8_QTDPECA: 0 }), lot: 'B23-1', force: '92,5' }
  const emptyOf = (group: string) => emptyFields(junctionFields(group), join).map(({ name }) => name)
  expect(emptyOf('TERMINAIS')).toEqual(['height', 'machine', 'tightness', 'quantity'])
  expect(emptyOf('M500')).toEqual(['machine', 'quantity'])
})

test('a scan finds what was offered as still to be chosen', () => {
  const typed = freshForms(item)
  const forms = completedIn(of, typed, remembered)
  const { parts } = scanFormOf(of, { forms, typed }, null)
  expect(parts.map(({ fields }) => Object.keys(fields))).toEqual([
    ['lot', 'machine'],
    ['lot', 'applicator', 'machine', 'station'],
    ['lot', 'applicator', 'machine'],
  ])
  expect(parts[1]?.fields.machine).toMatchObject({ value: 'PR0001 - Mecal', isOffered: true })
  expect(parts[2]?.fields.applicator).toMatchObject({ value: '', isOffered: false })
})

test.each([
  ['FORCA_LD1', 'force', 'Força de extração'],
  ['ALTURA', 'height', 'Altura de crimpagem'],
  ['LOTE_CABO', 'lot', 'Lote'],
  ['MA_LD2', 'applicator', 'Mini aplicador'],
  ['MAQUINA', 'machine', 'Máquina'],
  ['QTD_APONTADA', 'quantity', 'Quantidade de peças'],
  ['QTD_ORDEM_PROD', undefined, undefined],
  ['SELADORA_LD1', 'station', 'Seladora'],
  ['ESTANQUEIDADE', 'tightness', 'Estanqueidade'],
])('what is refused of %s is said at its field: %s', (member, name, label) => {
  expect([fieldSent(member)?.name, fieldSent(member)?.label]).toEqual([name, label])
})

test('before measuring, what a sample belongs to is asked for', () => {
  expect(measuredOnText(formFields.side)).toBe('lote, mini aplicador e máquina')
  expect(measuredOnText(junctionFields('TERMINAIS'))).toBe('lote e máquina')
  expect(measuredOnText(junctionFields('M500'))).toBe('a máquina')
})

test.each([
  ['Lote bloqueado', 'lot'],
  ['MÁQUINA PARADA', 'machine'],
  ['Maquina sem cadastro para o lote', 'lot'],
  ['Saldo insuficiente na máquina', 'machine'],
  ['Quantidades acima do previsto', 'quantity'],
  ['Sem saldo', 'quantity'],
  ['Pilote inativo', null],
  ['Ordem encerrada', null],
])('the ERP’s "%s" is about %s', (words, name) => {
  expect(fieldInWords(words)).toBe(name)
})
