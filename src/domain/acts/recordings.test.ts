import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CutItem, type Part, parts } from '../../contract/items.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import {
  crimpsOf,
  decideRecording,
  erpHeight,
  nameKey,
  naturalKey,
  openPieces,
  present,
  sectionOf,
} from './recordings.ts'

/** 120 pieces, a terminal with a seal on side 1, none on side 2. */
const itemOf = (changes: Partial<CutItem> = {}) =>
  ({
    Z1_OP: '01621401001',
    Z1_QUANT: 120,
    Z1_PCORTE: 50,
    Z1_PCRIML1: 25,
    Z1_PCRIML2: 0,
    Z1_QTREGCO: 60,
    Z1_QTREGL1: 30,
    Z1_QTREGL2: 0,
    Z1_TERML1: 'T1326030',
    Z1_TERML2: '0',
    Z1_SELOL1: 'S0963244',
    Z1_SELOL2: '',
    aguardandoErp: { cabo: 0, l1: 0, l2: 0 },
    ...changes,
  }) as CutItem

const common = {
  EMPRESA: '010101',
  ORDEM_PROD: '01621401001',
  QTD_ORDEM_PROD: 120,
  COD_BARRA: '0101621401001000010007',
  MAQUINA: 'KX0001',
}
const recordingOf = (part: Part, pieces: number, changes: Partial<CutCrimpRecording> = {}): CutCrimpRecording => ({
  ...common,
  QTD_REALIZADA: pieces,
  ...(part === 'cabo' && { COD_CABO: 'CB050AMVD', LOTE_CABO: 'L1', COMPRIMENTO_CABO: 1250 }),
  ...(part === 'l1' && { TERM_LD1: 'T1326030', MA_LD1: 'MA-0001' }),
  ...(part === 'l2' && { TERM_LD2: 'T0925590', MA_LD2: 'MA-0002' }),
  ...changes,
})

test('the ERP writes "none" in several ways', () => {
  expect(['0', '', ' ', ' 0 ', '00', 'T1326030'].map(present)).toEqual([null, null, null, null, '00', 'T1326030'])
})

test('each section has its own amounts, terminal and seal', () => {
  const item = itemOf({ Z1_PCRIML2: 10, Z1_QTREGL2: 12, Z1_TERML2: 'T0925590', Z1_SELOL2: 'S1' })
  expect(parts.map((part) => sectionOf(item, part))).toEqual([
    { registered: 60, percent: 50, terminal: null, seal: null },
    { registered: 30, percent: 25, terminal: 'T1326030', seal: 'S0963244' },
    { registered: 12, percent: 10, terminal: 'T0925590', seal: 'S1' },
  ])
})

test('open is what neither the ERP has nor is on its way to it, and never less than nothing', () => {
  const waiting = itemOf({ aguardandoErp: { cabo: 10, l1: 90, l2: 121 } })
  expect(parts.map((part) => openPieces(itemOf(), part))).toEqual([60, 90, 120])
  expect(parts.map((part) => openPieces(waiting, part))).toEqual([50, 0, 0])
})

describe('a recording', () => {
  test.each<[why: string, part: Part, pieces: number, changes: Partial<CutItem>, no: object | null]>([
    ['of some open pieces', 'cabo', 1, {}, null],
    ['of all open pieces', 'cabo', 60, {}, null],
    [
      'of one piece too many',
      'cabo',
      61,
      {},
      { refused: 'quantity_exceeds_balance', values: { left: 'Restam 60 peças' } },
    ],
    [
      'of pieces that are on their way already',
      'l1',
      81,
      { aguardandoErp: { cabo: 0, l1: 10, l2: 0 } },
      { refused: 'quantity_exceeds_balance', values: { left: 'Restam 80 peças' } },
    ],
    ['of a side without terminal', 'l2', 1, {}, { refused: 'terminal_missing_on_side', values: { side: 'L2' } }],
    [
      'of the first side without terminal',
      'l1',
      1,
      { Z1_TERML1: ' ' },
      { refused: 'terminal_missing_on_side', values: { side: 'L1' } },
    ],
    ['of a cable, which has no terminal', 'cabo', 1, { Z1_TERML1: '0' }, null],
    [
      'of another order',
      'cabo',
      1,
      { Z1_OP: '2 ' },
      { refused: 'order_moved', values: { was: '01621401001', is: '2' } },
    ],
    ['when the ERP says 100 %, whatever it counted', 'cabo', 1, { Z1_PCORTE: 100 }, { refused: 'section_complete' }],
    ['when the ERP says more than 100 %', 'l1', 1, { Z1_PCRIML1: 120 }, { refused: 'section_complete' }],
    ['when every piece is counted', 'cabo', 1, { Z1_QTREGCO: 120, Z1_PCORTE: 99 }, { refused: 'section_complete' }],
    [
      'when more than every piece is counted',
      'cabo',
      1,
      { Z1_QTREGCO: 130, Z1_PCORTE: 0 },
      { refused: 'section_complete' },
    ],
    [
      'when the last piece is on its way',
      'cabo',
      1,
      { aguardandoErp: { cabo: 60, l1: 0, l2: 0 } },
      { refused: 'section_complete' },
    ],
    ['while another section is complete', 'cabo', 1, { Z1_PCRIML1: 100, Z1_QTREGL1: 120 }, null],
  ])('%s', (_, part, pieces, changes, no) => {
    expect(decideRecording(recordingOf(part, pieces), part, itemOf(changes))).toEqual(no)
  })

  test('of an item that nobody knows', () => {
    expect(decideRecording(recordingOf('cabo', 1), 'cabo', null)).toEqual({ refused: 'item_not_found' })
  })

  test('is accepted only if its pieces were open, one after the other too', () => {
    const pieces = fc.array(fc.record({ part: fc.constantFrom(...parts), count: fc.integer({ min: 1, max: 80 }) }))
    fc.assert(
      fc.property(pieces, fc.integer({ min: 0, max: 120 }), (acts, registered) => {
        const aguardandoErp = { cabo: 0, l1: 0, l2: 0 }
        const item = itemOf({ Z1_QTREGCO: registered, Z1_TERML2: 'T0925590', aguardandoErp })
        for (const { part, count } of acts) {
          if (decideRecording(recordingOf(part, count), part, item) === null) aguardandoErp[part] += count
        }
        for (const part of parts) {
          const { registered: counted } = sectionOf(item, part)
          expect(counted + aguardandoErp[part]).toBeLessThanOrEqual(item.Z1_QUANT)
        }
      }),
    )
  })
})

describe('the crimps that a tool wears by', () => {
  test('are as many as pieces were recorded, under the names as they were given', () => {
    expect(crimpsOf(recordingOf('l1', 30))).toEqual({ applicator: 'MA-0001', terminal: 'T1326030', count: 30 })
    expect(crimpsOf(recordingOf('l2', 7, { MA_LD2: ' MA-0002 ' }))).toEqual({
      applicator: 'MA-0002',
      terminal: 'T0925590',
      count: 7,
    })
  })

  test('are none for a cut, and none for a tool that is not registered', () => {
    expect(crimpsOf(recordingOf('cabo', 5))).toBeNull()
    expect(crimpsOf(recordingOf('l1', 5, { MA_LD1: 'Sem Cadastro' }))).toBeNull()
    expect(crimpsOf(recordingOf('l1', 5, { MA_LD1: ' Sem Cadastro ' }))).toBeNull()
  })

  test('are none for a tool whose name is blank', () => {
    expect(crimpsOf(recordingOf('l1', 5, { MA_LD1: ' ' }))).toBeNull()
    expect(crimpsOf(recordingOf('l2', 5, { MA_LD2: '\u3000 ' }))).toBeNull()
  })
})

test('one act at a time per plant, barcode and part', () => {
  const keys = [
    naturalKey('010101', 'A', 'l1'),
    naturalKey('010101', 'A', 'l2'),
    naturalKey('010101', 'B', 'l1'),
    naturalKey('020101', 'A', 'l1'),
  ]
  expect(new Set(keys).size).toBe(4)
})

test('names of tools are equal whatever their case and outer blanks', () => {
  expect(nameKey(' Ma-Ção 01 ')).toBe(nameKey('MA-ÇÃO 01'))
  expect(nameKey('MA 01')).not.toBe(nameKey('MA-01'))
})

test.each([
  // [measured, nominal, decimals, sent]
  [1.151, 1.1, 2, 1.16],
  [1.149, 1.1, 2, 1.15],
  [1.049, 1.1, 2, 1.04],
  [1.05, 1.1, 2, 1.05],
  [1.099, 1.1, 2, 1.09],
  [1.101, 1.1, 2, 1.11],
  [1.151, 1.1, 3, 1.151],
  [1.151, 1.1, 1, 1.2],
  [1.151, 1.1, 0, 2],
  [2.01, 2.06, 2, 2.01],
  [1.123, 1.1225, 2, 1.13],
  // the nominal itself, and without one
  [1.125, 1.125, 2, 1.13],
  [1.1225, 1.1225, 2, 1.12],
  [1.154, null, 2, 1.15],
])('%d of nominal %d with %d decimals is sent as %d', (measured, nominal, decimals, sent) => {
  expect(erpHeight(measured, nominal, decimals)).toBe(sent)
})

const milli = fc.integer({ min: 10, max: 20_000 })

test('the ERP is never told better than what was measured, and nothing else of what it can take', () => {
  const never = fc.property(milli, milli, fc.integer({ min: 0, max: 3 }), (height, nominal, decimals) => {
    const sent = erpHeight(height / 1000, nominal / 1000, decimals)
    const beyond = Math.abs(Math.round(sent * 1000) - nominal)
    if (height !== nominal) expect(beyond).toBeGreaterThanOrEqual(Math.abs(height - nominal))
    expect(Math.abs(Math.round(sent * 1000) - height)).toBeLessThan(10 ** (3 - decimals))
    expect(Number(sent.toFixed(decimals))).toBe(sent)
    if (height % 10 === 0 && decimals >= 2) expect(sent).toBe(height / 1000)
  })
  fc.assert(never)
})
