import { expect, test } from 'vitest'
import { type KnownCodes, placeAgain, placeScan, type ScanForm, type ScanOutcome } from './form-scans.ts'

type Stand = { lot: string; machine?: string; field?: string | null; lists?: boolean }

const codes: KnownCodes = {
  ...{ item: null, items: [], orders: [], applicators: [], stations: [], reasons: [] },
  ...{ machines: ['US0001', 'KX0001'], materials: ['T0925590'], instruments: ['MIC-ALT-01', 'DIN-01'] },
  isComplete: true,
}
const early: KnownCodes = { ...codes, machines: [], materials: [], instruments: [], isComplete: false }

const formOf = ({ lot, machine = '', field = 'lot', lists = true }: Stand): ScanForm<'form'> => ({
  cursor: field === null ? null : { part: 'form', field },
  parts: [
    {
      ...{ part: 'form', isOpen: true, terminal: 'T0925590', seal: null, of: 'da junção', machineOf: 'desta junção' },
      fields: {
        lot: { value: lot, choices: [] },
        machine: { value: machine, choices: lists ? [{ code: 'US0001', text: 'US0001 - Mecal' }] : [] },
      },
    },
  ],
})

const shortly = (outcome: ScanOutcome<string>) => (outcome.kind === 'fill' ? outcome.field : outcome.kind)

/** `lot` and `field` as the reading found them, `now` as they stand when the lists have come. */
const rows: readonly [what: string, code: string, then: Stand, now: Stand, placed: unknown][] = [
  ['an instrument in an empty lot', 'MIC-ALT-01', { lot: '' }, { lot: 'MIC-ALT-01' }, ['measure', '']],
  ['one that took the place of a lot', 'MIC-ALT-01', { lot: 'L-B1' }, { lot: 'MIC-ALT-01' }, ['measure', 'L-B1']],
  ['one after another', 'DIN-01', { lot: 'MIC-ALT-01' }, { lot: 'DIN-01' }, ['measure', '']],
  ['one that was typed over since', 'MIC-ALT-01', { lot: '' }, { lot: 'L-C1' }, null],
  ['one that was asked about', 'DIN-01', { lot: '', field: null }, { lot: '' }, ['measure', null]],
  ['one that was asked about and taken', 'DIN-01', { lot: '', field: null }, { lot: 'DIN-01' }, ['measure', '']],
  ['one that was read again', 'DIN-01', { lot: 'DIN-01' }, { lot: 'DIN-01' }, ['measure', null]],
  ['a machine in an empty lot', 'us0001', { lot: '' }, { lot: 'us0001' }, ['machine', '']],
  ['a machine before the lot', 'US0001', { lot: '' }, { lot: 'L-C1' }, ['machine', null]],
  ['a machine after the lot', 'US0001', { lot: 'L-B1' }, { lot: 'US0001' }, ['machine', 'L-B1']],
  ['one where another was chosen', 'US0001', { lot: '' }, { lot: 'US0001', machine: 'US2' }, ['refuse', '']],
  ['one that does not fit', 'KX0001', { lot: '' }, { lot: 'KX0001' }, ['refuse', '']],
  ['one that does not fit, typed over since', 'KX0001', { lot: '' }, { lot: 'L-C1' }, null],
  ['a terminal', 'T0925590', { lot: '' }, { lot: 'T0925590' }, ['refuse', '']],
  ['a lot', 'L261121001', { lot: '' }, { lot: 'L261121001' }, null],
  ['a lot that was asked about', 'L261121001', { lot: '', field: null }, { lot: '' }, null],
]

test.each(rows)('once the lists are known, %s is placed again', (_, code, then, now, placed) => {
  const form = formOf({ ...then, lists: false })
  const outcome = placeScan(code, form, early)
  const again = placeAgain({ code, form, outcome }, formOf(now), codes)
  expect(again && [shortly(again.outcome), again.takenBack?.before ?? null]).toEqual(placed)
})

test('a machine that was placed stays where it is', () => {
  const form = formOf({ lot: '' })
  const outcome = placeScan('US0001', form, { ...codes, isComplete: false })
  expect(
    placeAgain({ code: 'US0001', form, outcome }, formOf({ lot: '', machine: 'US0001 - Mecal' }), codes),
  ).toBeNull()
})

test('of lists that come one after another the last one is waited for, but not for an instrument', () => {
  const placed = (code: string) => {
    const form = formOf({ lot: '', lists: false })
    const outcome = placeScan(code, form, early)
    return placeAgain({ code, form, outcome }, formOf({ lot: code, lists: false }), { ...codes, isComplete: false })
  }
  expect(placed('US0001')).toBeNull()
  expect(placed('DIN-01')?.outcome.kind).toBe('measure')
})
