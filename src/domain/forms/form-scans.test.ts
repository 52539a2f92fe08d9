import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Junction } from '../../contract/junctions.ts'
import { junctionParts, scanFormOf } from './form-lists.ts'
import {
  type KnownCodes,
  NOTHING_TO_FILL,
  placeScan,
  type RefusedPart,
  type ScanCursor,
  type ScanField,
  type ScanForm,
  type ScanOutcome,
  type ScanPart,
} from './form-scans.ts'
import { freshJunctionForm } from './junction-forms.ts'
import type { JunctionForm } from './junctions.ts'

type Part = 'cabo' | 'l1' | 'l2'
type Values = Partial<Record<ScanField, string>>

const OWN = '0101621401001000010007'
const OTHER = '0101621401001000020004'
const BADGE = 'PIC-000000000'
const machineText = (id: string) => ({ code: id, text: `${id} - Mecal` })
const name = (code: string) => ({ code, text: code })

const codes: KnownCodes = {
  item: { barcode: OWN, number: '000010' },
  items: [OTHER],
  orders: ['01621401001'],
  applicators: ['MA-0001', 'MA-0002', 'MA-0007', 'MA-0412'],
  machines: ['KX0001', 'KX0004', 'PR0001', 'PR0002', 'US0001'],
  stations: ['Seladora 01', 'Seladora 09'],
  instruments: ['MIC-ALT-01', 'DIN-01'],
  reasons: [
    { code: 'fios-cortados', text: 'Fios cortados', stage: 'corte' },
    { code: 'altura-fora', text: 'Altura fora', stage: 'crimpagem' },
    { code: 'solda-fraca', text: 'Solda fraca', stage: 'juncao' },
    { code: 'peca-de-ajuste', text: 'Peça de ajuste', stage: 'todas' },
  ],
  materials: ['T1326030', 'T0925590', 'S0963244', 'CB050AMVD'],
  isComplete: true,
}
const blind: KnownCodes = { ...codes, applicators: [], machines: [], stations: [], isComplete: false }

const cut = ['KX0001', 'KX0004'].map(machineText)
const crimp = ['KX0001', 'PR0001', 'PR0002'].map(machineText)

type Claim = { values?: Partial<Record<Part, Values>>; closed?: readonly Part[]; offered?: boolean; lists?: boolean }

function formOf(
  cursor: ScanCursor<Part> | null,
  { values, closed = [], offered, lists = true }: Claim,
): ScanForm<Part> {
  const part = (of: Part, terminal: string | null, seal: string | null): ScanPart<Part> => {
    const field = (which: ScanField, choices: readonly { code: string; text: string }[]) => ({
      value: offered && which === 'machine' ? (choices[0]?.text ?? '') : (values?.[of]?.[which] ?? ''),
      isOffered: offered === true && which === 'machine',
      choices: lists ? choices : [],
    })
    return {
      part: of,
      isOpen: !closed.includes(of),
      terminal,
      seal,
      of: of === 'cabo' ? 'do cabo' : `do lado ${of.slice(1)}`,
      machineOf: of === 'cabo' ? 'do cabo' : 'deste lado',
      fields: {
        lot: field('lot', []),
        machine: field('machine', of === 'cabo' ? cut : crimp),
        ...(terminal
          ? { applicator: field('applicator', (of === 'l1' ? ['MA-0001', 'MA-0002'] : ['MA-0007']).map(name)) }
          : {}),
        ...(seal ? { station: field('station', [name('Seladora 01')]) } : {}),
      },
    }
  }
  return { parts: [part('cabo', null, null), part('l1', 'T1326030', 'S0963244'), part('l2', 'T0925590', null)], cursor }
}

const half: Claim['values'] = {
  cabo: { lot: 'L-A1', machine: 'KX0004 - Mecal' },
  l1: { lot: 'L-B1', applicator: 'MA-0001', machine: 'PR0002 - Mecal' },
}
const full: Claim['values'] = {
  cabo: { lot: 'L-A1', machine: 'KX0004 - Mecal' },
  l1: { lot: 'L-B1', applicator: 'MA-0001', machine: 'PR0002 - Mecal', station: 'Seladora 01' },
  l2: { lot: 'L-C1', applicator: 'MA-0007', machine: 'PR0002 - Mecal' },
}

/** Every state of the form in which a scan may come. */
const states: Record<string, [ScanForm<Part>, KnownCodes]> = {
  'just opened': [formOf({ part: 'cabo', field: 'lot' }, {}), codes],
  'without cursor': [formOf(null, {}), codes],
  'cut is done': [formOf({ part: 'l1', field: 'lot' }, { closed: ['cabo'] }), codes],
  'half filled, in the lot of side 1': [formOf({ part: 'l1', field: 'lot' }, { values: half }), codes],
  'half filled, in the force of side 1': [formOf({ part: 'l1', field: 'force' }, { values: half }), codes],
  'filled, without cursor': [formOf(null, { values: full }), codes],
  'filled, in the lot of side 2': [formOf({ part: 'l2', field: 'lot' }, { values: full }), codes],
  'machines offered': [formOf(null, { offered: true }), codes],
  'all is done': [formOf(null, { closed: ['cabo', 'l1', 'l2'] }), codes],
  'lists not read': [formOf({ part: 'l1', field: null }, { lists: false }), blind],
}

/** What a scan did, in a word: the field it filled, or why it filled none. */
const shortly = (outcome: ScanOutcome<string>): string => {
  if (outcome.kind === 'fill') {
    return `${outcome.part}.${outcome.field}${outcome.text.startsWith('Lote trocado') ? '!' : ''}`
  }
  if (outcome.kind === 'refuse') return outcome.text === NOTHING_TO_FILL ? 'nothing' : 'misfit'
  if (outcome.kind === 'ask') return `${outcome.part}.lot?`
  if (outcome.kind === 'measure' || outcome.kind === 'reason') return `${outcome.kind} ${outcome.part}`
  return outcome.kind
}

/** What each does, in the order of the states. */
const expected: Record<string, readonly string[]> = {
  [BADGE]: all('badge'),
  [OWN]: all('confirm'),
  [` ${OWN} `]: all('confirm'),
  [OTHER]: all('open-item'),
  ['9'.repeat(22)]: all('open-item'),
  '01621401001': all('open-order'),
  T1326030: all('nothing'),
  ['L'.repeat(61)]: all('nothing'),
  'MA-0002': [...five('l1.applicator'), 'nothing', 'nothing', 'l1.applicator', 'nothing', 'l1.lot?'],
  'ma-0007': [...five('l2.applicator'), 'confirm', 'confirm', 'l2.applicator', 'nothing', 'l1.lot?'],
  'MA-0412': [...five('misfit'), 'misfit', 'misfit', 'misfit', 'nothing', 'l1.lot?'],
  KX0001: [
    ...['cabo.machine', 'cabo.machine', 'l1.machine', 'l1.machine', 'l1.machine'],
    ...['nothing', 'l2.machine', 'cabo.machine', 'nothing', 'l1.lot?'],
  ],
  PR0001: [...five('l1.machine'), 'nothing', 'l2.machine', 'l1.machine', 'nothing', 'l1.lot?'],
  US0001: [...five('misfit'), 'misfit', 'misfit', 'misfit', 'nothing', 'l1.lot?'],
  'Seladora 01': [...five('l1.station'), 'confirm', 'confirm', 'l1.station', 'nothing', 'l1.lot?'],
  'Seladora 09': [...five('misfit'), 'misfit', 'misfit', 'misfit', 'nothing', 'l1.lot?'],
  'mic-alt-01': [
    ...['measure l1', 'measure l1', 'measure l1', 'measure l1', 'measure l1'],
    ...['measure l1', 'measure l2', 'measure l1', 'nothing', 'measure l1'],
  ],
  'REF-fios-cortados': all('reason cabo'),
  'ref-ALTURA-FORA': [...five('reason l1'), 'reason l1', 'reason l2', 'reason l1', 'reason l1', 'reason l1'],
  'REF-peca-de-ajuste': [
    ...['reason cabo', 'reason cabo', 'reason l1', 'reason l1', 'reason l1'],
    ...['reason cabo', 'reason l2', 'reason cabo', 'reason cabo', 'reason l1'],
  ],
  'REF-solda-fraca': all('misfit'),
  'REF-nunca-visto': all('misfit'),
  L261121001: [
    ...['cabo.lot', 'cabo.lot', 'l1.lot', 'l1.lot!', 'l2.lot'],
    ...['nothing', 'l2.lot!', 'cabo.lot', 'nothing', 'l1.lot?'],
  ],
  'L-B1': [
    ...['cabo.lot', 'cabo.lot', 'l1.lot', 'confirm', 'confirm'],
    ...['nothing', 'l2.lot!', 'cabo.lot', 'nothing', 'l1.lot?'],
  ],
}
function all(outcome: string): string[] {
  return Object.keys(states).map(() => outcome)
}
function five(outcome: string): string[] {
  return [outcome, outcome, outcome, outcome, outcome]
}

const rows = Object.entries(expected).flatMap(([code, outcomes]) =>
  Object.entries(states).map(([state, given], at) => ({ code, state, given, outcome: outcomes[at] })),
)

test.each(rows)('$code, $state: $outcome', ({ code, given: [form, known], outcome }) => {
  expect(shortly(placeScan(code, form, known))).toBe(outcome)
})

type JunctionState = [ScanForm<'form'>, KnownCodes]
const US0001 = { id: 'US0001', fabricante: 'Mecal', descricao: '' }
const joiningLists = { applicators: [], stations: [], machines: [US0001], machinesOf: { juncao: [US0001] } }
const joined = { Z8_TERMINA: 'T0925590 ', Z8_GRUPOMP: 'TERMINAIS', Z8_ESTANQU: 'S' }
const terminals = { ...joined, Z8_PJUNCAO: 0, Z8_QTDPECA: 10, aguardandoErp: 0 }
const inLot = { part: 'form', field: 'lot' } as const
const empty = { ...freshJunctionForm({ Z8_QTDPECA: 0 }) }
const scanFormOfJunction = (
  junction: Partial<Junction>,
  form: JunctionForm,
  cursor: ScanCursor<'form'> | null,
): ScanForm<'form'> =>
  scanFormOf(junctionParts(junction as Junction, joiningLists), { forms: { form }, typed: { form } }, cursor)

const junctionStates: Record<string, JunctionState> = {
  'just opened': [scanFormOfJunction(terminals, empty, inLot), codes],
  'filled, in the force': [
    scanFormOfJunction(
      terminals,
      { ...empty, lot: 'L-B1', machine: 'US0001 - Mecal' },
      { part: 'form', field: 'force' },
    ),
    codes,
  ],
  'by ultrasound, without a terminal': [
    scanFormOfJunction({ ...terminals, Z8_TERMINA: ' ', Z8_GRUPOMP: 'M500' }, empty, { part: 'form', field: 'force' }),
    codes,
  ],
  'all is done': [scanFormOfJunction({ ...terminals, Z8_PJUNCAO: 100 }, empty, null), codes],
  'instruments not read': [scanFormOfJunction(terminals, empty, inLot), { ...codes, instruments: [] }],
}

const expectedOfJunction: Record<string, readonly string[]> = {
  'mic-alt-01': ['measure form', 'measure form', 'measure form', 'nothing', 'form.lot'],
  L261121001: ['form.lot', 'nothing', 'nothing', 'nothing', 'form.lot'],
  us0001: ['form.machine', 'confirm', 'form.machine', 'nothing', 'form.machine'],
  PR0001: ['misfit', 'misfit', 'misfit', 'nothing', 'misfit'],
  T0925590: ['nothing', 'nothing', 'nothing', 'nothing', 'nothing'],
  'REF-solda-fraca': ['reason form', 'reason form', 'reason form', 'reason form', 'reason form'],
  'REF-altura-fora': ['misfit', 'misfit', 'misfit', 'misfit', 'misfit'],
}

const junctionRows = Object.entries(expectedOfJunction).flatMap(([code, outcomes]) =>
  Object.entries(junctionStates).map(([state, given], at) => ({ code, state, given, outcome: outcomes[at] })),
)

test.each(junctionRows)('of a junction: $code, $state: $outcome', ({ code, given: [form, known], outcome }) => {
  expect(shortly(placeScan(code, form, known))).toBe(outcome)
})

const opened = formOf({ part: 'l1', field: 'lot' }, { values: half })

test.each([
  [OWN, 'good', 'Confere: item 000010'],
  ['pr0001', 'good', 'Máquina: PR0001'],
  ['MA-0002', 'good', 'Mini aplicador: MA-0002'],
  ['SELADORA 01', 'good', 'Seladora: Seladora 01'],
  ['ma-0412', 'bad', 'MA-0412 não serve para o terminal T1326030.'],
  ['US0001', 'bad', 'US0001 não é máquina deste lado.'],
  ['Seladora 09', 'bad', 'Seladora 09 não serve para o selo S0963244.'],
  ['mic-alt-01', 'good', 'Instrumento: MIC-ALT-01'],
  ['L26;1', 'good', 'Lote trocado (antes L-B1)'],
  ['S0963244', 'bad', 'Nada a preencher com este código.'],
  ['9'.repeat(22), 'answer', 'Abrindo o item...'],
])('%s: %s, %s', (code, sound, text) => {
  expect(placeScan(code, opened, codes)).toMatchObject({ sound, text })
})

test('a lot keeps its case, loses its outer blanks, and its semicolon', () => {
  const outcome = placeScan(' b23-004517;2 ', opened, codes)
  expect(outcome).toMatchObject({ kind: 'fill', value: 'b23-004517/2' })
})

test('what was on no list may be the lot after all, where there is a lot', () => {
  expect(placeScan('PR0001', opened, codes)).toMatchObject({ kind: 'fill', canBeLot: true })
  const parts = opened.parts.map(({ fields: { lot: _, ...fields }, ...part }) => ({ ...part, fields }))
  expect(placeScan('PR0001', { ...opened, parts }, codes)).toMatchObject({ kind: 'fill', canBeLot: false })
  expect(shortly(placeScan('L261121001', { ...opened, parts }, codes))).toBe('nothing')
})

test('without the lists a lot goes into the box with the cursor, unasked', () => {
  const form = formOf({ part: 'l2', field: 'lot' }, { lists: false })
  expect(shortly(placeScan('L261121001', form, blind))).toBe('l2.lot')
})

const anyText = fc.constantFrom('', 'L-A1', 'MA-0001', 'PR0002 - Mecal', 'Seladora 01')
const anyForm = fc
  .record({
    values: fc.dictionary(
      fc.constantFrom('cabo', 'l1', 'l2'),
      fc.record({ lot: anyText, machine: anyText, applicator: anyText, station: anyText }),
    ),
    closed: fc.subarray<Part>(['cabo', 'l1', 'l2']),
    offered: fc.boolean(),
    cursor: fc.option(
      fc.record({ part: fc.constantFrom<Part>('cabo', 'l1', 'l2'), field: fc.constantFrom('lot', 'force', null) }),
    ),
  })
  .map(({ cursor, ...rest }) => formOf(cursor, rest))
const anyCode = fc.oneof(
  fc.constantFrom(BADGE, ...Object.keys(expected)),
  fc.string({ minLength: 4, maxLength: 30 }),
  fc.string({ minLength: 22, maxLength: 22 }),
)
const isSame = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

test('every code in every state is answered with a sound, fills what is open, and makes nothing known a lot', () => {
  const { applicators, machines, stations, instruments, materials, orders } = codes
  const others = [BADGE, OWN, ...applicators, ...machines, ...stations, ...instruments, ...materials, ...orders]
  fc.assert(
    fc.property(anyCode, anyForm, (code, form) => {
      const outcome = placeScan(code, form, codes)
      expect(['good', 'bad', 'answer']).toContain(outcome.sound)
      expect(outcome.text).not.toBe('')
      expect(outcome.text).not.toContain(BADGE)
      if (outcome.kind !== 'fill') return
      const part = form.parts.find((one) => one.part === outcome.part)
      expect(part?.isOpen).toBe(true)
      expect(part?.fields[outcome.field]).toBeDefined()
      if (outcome.field !== 'lot') {
        expect(part?.fields[outcome.field]?.choices.map(({ text }) => text)).toContain(outcome.value)
        return
      }
      expect(others.some((other) => isSame(other, code))).toBe(false)
      expect(code.trim()).not.toHaveLength(22)
      const before = part?.fields.lot?.value ?? ''
      if (before !== '') expect(form.cursor).toEqual({ part: outcome.part, field: 'lot' })
    }),
    { numRuns: 3000 },
  )
})

const refusedAt = (field: RefusedPart<Part>['field'], part: Part = 'cabo'): RefusedPart<Part> => ({
  ...{ part, field, lot: 'L-A1', words: 'Lote bloqueado.' },
  of: part === 'cabo' ? 'do cabo' : `do lado ${part.slice(1)}`,
})

test.each([
  ['a lot, wherever the cursor stands', 'L261121009', refusedAt('lot'), 'cabo.lot!'],
  ['the refused lot once more', 'l-a1', refusedAt('lot'), 'Lote bloqueado: leia outro lote do cabo'],
  ['a machine', 'PR0002', refusedAt('lot'), 'l2.machine'],
  ['an instrument', 'DIN-01', refusedAt('lot'), 'measure l2'],
  ['an unknown machine while the lists are missing', 'L261121009', refusedAt('lot', 'l1'), 'l1.lot!'],
  ['a lot after a refused machine', 'L261121009', refusedAt('machine'), 'l2.lot'],
  ['a lot after a refusal of no field', 'L261121009', refusedAt(null), 'Veja a recusa do cabo primeiro'],
  ['the item’s own code after it', OWN, refusedAt(null), 'confirm'],
] as const)('after a refusal: %s', (_, code, refused, outcome) => {
  const values = { ...half, cabo: { lot: 'L-A1', machine: 'KX0004 - Mecal' } }
  const form = { ...formOf({ part: 'l2', field: 'lot' }, { values }), refused }
  const placed = placeScan(code, form, codes)
  expect([shortly(placed), placed.text]).toContain(outcome)
})

test('a refused part in which nothing is left takes no lot', () => {
  const form = { ...formOf({ part: 'l2', field: 'lot' }, { closed: ['cabo'] }), refused: refusedAt('lot') }
  expect(shortly(placeScan('L261121009', form, codes))).toBe('l2.lot')
})

test('of whatever was refused no lot reaches another part before it is put right', () => {
  fc.assert(
    fc.property(anyCode, anyForm, fc.constantFrom('lot' as const, null), (code, form, field) => {
      const outcome = placeScan(code, { ...form, refused: refusedAt(field, 'l1') }, codes)
      const isOpen = form.parts.some(({ part, isOpen }) => part === 'l1' && isOpen)
      if (isOpen && outcome.kind === 'fill' && outcome.field === 'lot')
        expect([outcome.part, field]).toEqual(['l1', 'lot'])
      expect(isOpen && outcome.kind === 'ask').toBe(false)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  [']C0KX0001', 'Máquina: KX0001'],
  ['*kx0001*', 'Máquina: KX0001'],
  [`]C0${OWN}`, 'Confere: item 000010'],
  ['A01621401001B', 'Ordem de produção 01621401001'],
  ['\u200bKX0001', 'Máquina: KX0001'],
])('%s is read within its frame', (label, text) => {
  expect(placeScan(label, formOf({ part: 'cabo', field: 'lot' }, {}), codes).text).toBe(text)
})

test.each([`A${OWN}`, `${OWN}#`, `L26${OTHER}`, `L26\uFFFD1121`])('%s is refused in words', (label) => {
  const outcome = placeScan(label, formOf({ part: 'cabo', field: 'lot' }, {}), codes)
  expect([outcome.kind, outcome.sound, outcome.text]).toEqual([
    'refuse',
    'bad',
    expect.stringContaining('O leitor manda'),
  ])
})

test.each(['C-000123', 'c-000123', ']C0C-000123'])('%s is the label of suspect pieces, and no lot', (label) => {
  const outcome = placeScan(label, formOf({ part: 'cabo', field: 'lot' }, {}), codes)
  expect([outcome.kind, outcome.text]).toEqual(['refuse', 'Etiqueta da contenção C-000123: leia-a na Rastreabilidade.'])
})

test.each([BADGE, `]C0${BADGE}`, `L26${BADGE}`, `PIC-\u200b${BADGE.slice(4)}`])(
  '%s is a badge, and no lot',
  (label) => {
    expect(placeScan(label, formOf({ part: 'cabo', field: 'lot' }, {}), codes).kind).toBe('badge')
  },
)
