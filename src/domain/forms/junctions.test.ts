import { expect, it, test } from 'vitest'
import { type Circuit, type Junction, JunctionRecording } from '../../contract/junctions.ts'
import { isJunctionOpen, junctionPercent, junctionQuantityBounds } from '../acts/junction-balance.ts'
import { correctedJunction } from './junction-edits.ts'
import { freshJunctionForm, junctionQuantityText, piecesLeft, settleJunction } from './junction-forms.ts'
import { wiresBySide } from './junction-wires.ts'
import { buildJunctionPayload, junctionFormOf, junctionRefusal, yesNoText } from './junctions.ts'

const circuit = (from: string, to: string, gauge = '0,50', item = '000010'): Circuit => ({
  Z1_DE: from,
  Z1_PARA: to,
  Z1_ITEMEST: item,
  Z1_COR: 'am/vd',
  Z1_BITOLA: gauge,
  Z1_GRAVA: 'C101',
  Z1_CODBAR: '0101621401001000010007',
  Z1_CODCABO: 'CB050AMVD',
})

const junction: Junction = {
  Z8_POSICAO: 'J 02/A',
  Z8_TERMINA: 'T0925590',
  Z8_GRUPOMP: 'TERMINAIS',
  Z8_ESTANQU: 'S',
  Z8_CABOESP: 'N',
  Z8_PJUNCAO: 25,
  Z8_QTDPECA: 120,
  Z8_CLIENTE: '',
  Z8_PRODUTO: '',
  Z8_REVCLI: '',
  Z8_REVLTM: '',
  Z8_DESCPRO: '',
  aguardandoErp: 0,
}

it('finds the side after the bar, whichever end it stands at', () => {
  const { left, right } = wiresBySide(
    [circuit('J 02/A|E', 'X10.3'), circuit('X22.1', ' J 02/A |d'), circuit('J02|E', 'J 02/A|X'), circuit('X1', 'X2')],
    'J 02/A ',
  )
  expect(left.map(({ farEnd }) => farEnd)).toEqual(['X10.3'])
  expect(right.map(({ farEnd }) => farEnd)).toEqual(['X22.1'])
})

it('lays a circuit with both ends at the position on both sides, and once on a side', () => {
  const both = wiresBySide([circuit('J01|E', 'J01|D'), circuit('J01|E', 'J01|E')], 'J01')
  expect([both.left.length, both.right.length]).toEqual([2, 1])
})

it('sorts a side by gauge as a number, what is none last', () => {
  const gauges = ['10', '2.50', '', '0,35', '1']
  const { left } = wiresBySide(
    gauges.map((gauge) => circuit('J01|E', 'X1', gauge)),
    'J01',
  )
  expect(left.map((wire) => wire.circuit.Z1_BITOLA)).toEqual(['0,35', '1', '2.50', '10', ''])
})

test.each([
  [['s', 'S', ' sim ', 'true', '1'], 'Sim'],
  [['n', 'nao', 'Não', 'FALSE', '0'], 'Não'],
  [['', '  '], '-'],
  [['X'], 'X'],
])('%j is shown as %s', (raws, shown) => {
  for (const raw of raws) expect(yesNoText(raw)).toBe(shown)
})

it('counts what is on its way, and closes at 100', () => {
  expect(junctionPercent({ ...junction, aguardandoErp: 30 })).toBe(50)
  expect(isJunctionOpen({ ...junction, aguardandoErp: 89 })).toBe(true)
  expect(isJunctionOpen({ ...junction, aguardandoErp: 90 })).toBe(false)
  expect(isJunctionOpen({ ...junction, Z8_PJUNCAO: 100 })).toBe(false)
  expect(junctionPercent({ ...junction, Z8_QTDPECA: 0, aguardandoErp: 5 })).toBe(25)
  // three thirds as the ERP rounds them
  expect(junctionPercent({ ...junction, Z8_PJUNCAO: 99.99, Z8_QTDPECA: 3 })).toBe(100)
})

it('bounds the quantity by the pieces of the position', () => {
  expect(junctionQuantityBounds(junction)).toEqual({ min: 1, max: 120 })
  expect(junctionQuantityBounds({ ...junction, Z8_QTDPECA: 0 })).toEqual({ min: 1, max: 1000 })
  expect(junctionQuantityBounds(null)).toEqual({ min: 1, max: 1000 })
})

const filled = {
  ...freshJunctionForm({ Z8_QTDPECA: 0 }),
  force: '92,5',
  machine: 'US0002 - Telsonic',
  quantity: '30',
  lot: 'L261118004',
  height: '1,52',
  tightness: 'Sim' as const,
}
const ultrasonic = { ...junction, Z8_GRUPOMP: 'M500US01' }

it('says what is missing', () => {
  const missing = 'Erro: Preencha todos os campos obrigatórios (força, máquina, quantidade)'
  const ofTerminals = 'Erro: Para TERMINAIS, preencha todos os campos obrigatórios (lote, altura, estanqueidade)'
  expect(junctionRefusal(null, filled)).toBe('Erro: Dados da junção não encontrados')
  for (const field of ['force', 'machine', 'quantity']) {
    expect(junctionRefusal(junction, { ...filled, [field]: '' })).toBe(missing)
    expect(junctionRefusal(ultrasonic, { ...filled, [field]: '' })).toBe(missing)
  }
  for (const field of ['lot', 'height', 'tightness']) {
    expect(junctionRefusal(junction, { ...filled, [field]: '' })).toBe(ofTerminals)
    expect(junctionRefusal(ultrasonic, { ...filled, [field]: '' })).toBeNull()
  }
  expect(junctionRefusal(junction, { ...filled, force: '0', height: '0' })).toBeNull()
})

const author = {
  branch: '010101',
  order: '01621401001',
  username: 'jsilva',
  day: '2026-11-21',
  registeredAt: '2026-11-21T15:00:00.000Z',
  deviceName: '',
}

it('builds what the contract takes, with terminals and by ultrasound', () => {
  const terminals = buildJunctionPayload(junction, filled, author)
  expect(terminals).toMatchObject({
    POSICAO: 'J 02/A',
    QTD_PECAS: 120,
    QTD_APONTADA: 30,
    FORCA: 92.5,
    GRUPO_MP: 'TERMINAIS',
    ALTURA: 1.52,
    TERMINAL: 'T0925590',
    ESTANQUEIDADE: 'Sim',
    OPERADOR: 'jsilva',
  })
  expect(buildJunctionPayload({ ...junction, Z8_GRUPOMP: 'BIMETAL' }, filled, author).GRUPO_MP).toBe('TERMINAIS')
  const welded = buildJunctionPayload(ultrasonic, filled, { ...author, username: ' ' })
  expect(welded).toMatchObject({ GRUPO_MP: 'M500US01', OPERADOR: 'SISTEMA' })
  expect(junctionFormOf(terminals)).toEqual(filled)
  const saved = { ...terminals, captura: { ...terminals.captura, salvoNoDispositivo: true } }
  expect(correctedJunction(saved, filled)).toEqual(terminals)
  const limitReason = { motivo: 'amostra', texto: '' } as const
  expect(correctedJunction(saved, { ...filled, limitReason }).captura).toMatchObject({
    motivoForaDoLimite: limitReason,
  })
  expect(correctedJunction(saved, { ...filled, quantity: '7', lot: ' L2 ' })).toEqual({
    ...terminals,
    QTD_APONTADA: 7,
    LOTE_TERMINAL: 'L2',
  })
  expect(correctedJunction(buildJunctionPayload(ultrasonic, filled, author), filled)).not.toHaveProperty('ALTURA')
  expect(Object.keys(welded)).not.toEqual(expect.arrayContaining(['ALTURA']))
  for (const payload of [terminals, welded]) expect(JunctionRecording.safeParse(payload).error).toBeUndefined()
})

const sample = { id: '00000000-0000-4000-8000-000000000001', occasion: 'primeira-peca' } as const
const sampled = { ...filled, samples: [sample], sampledLot: filled.lot }

it('says what was measured, by which samples, and what the plan made of it', () => {
  const captured = (of: Junction, form: typeof filled) => buildJunctionPayload(of, form, author).captura
  expect(captured(junction, filled)).toMatchObject({ medidoForca: true, medidoAltura: true })
  expect(captured(ultrasonic, filled)).toMatchObject({ medidoForca: true })
  expect(captured(ultrasonic, filled)).not.toHaveProperty('medidoAltura')
  const judged = { plano: 7, liberacao: sample.id }
  const recording = buildJunctionPayload(junction, { ...sampled, judged }, author)
  expect(recording.captura).toMatchObject({ medicoes: [sample.id], ...judged })
  expect(JunctionRecording.safeParse(recording).error).toBeUndefined()
  expect(junctionFormOf(recording)).toEqual({ ...sampled, samples: [{ ...sample, occasion: 'avulsa' }] })
})

it('asks again for what was measured of another lot, and keeps what is typed without a sample', () => {
  expect(settleJunction(sampled)).toBe(sampled)
  expect(settleJunction({ ...sampled, lot: '' })).toMatchObject({ samples: [sample], force: '92,5' })
  expect(settleJunction({ ...sampled, lot: 'L2' })).toEqual({ ...filled, lot: 'L2', force: '', height: '' })
  expect(settleJunction({ ...filled, lot: 'L2' })).toMatchObject({ force: '92,5', height: '1,52' })
})

test.each([
  ['as the percentage says', 25, 0, 90],
  ['without what is on its way', 25, 30, 60],
  ['nothing of a position that is full', 99.99, 0, 0],
  ['nothing of one that has more', 175, 0, 0],
])('%s is left', (_, Z8_PJUNCAO, aguardandoErp, left) => {
  expect(piecesLeft({ ...junction, Z8_PJUNCAO, aguardandoErp })).toBe(left)
})

it('proposes what is left until somebody types, and a piece where the percentage rounds the last one away', () => {
  const textOf = (Z8_PJUNCAO: number, quantity: string | null) =>
    junctionQuantityText({ quantity }, { ...junction, Z8_PJUNCAO, aguardandoErp: 0 })
  expect(textOf(25, null)).toBe('90')
  expect(textOf(25, '7')).toBe('7')
  expect(textOf(25, '')).toBe('')
  expect(textOf(99.8, null)).toBe('1')
  expect(textOf(100, null)).toBe('0')
  expect(freshJunctionForm({ Z8_QTDPECA: 120 }).quantity).toBe(null)
  expect(freshJunctionForm({ Z8_QTDPECA: 0 }).quantity, 'nobody knows what is left').toBe('')
})
