import { describe, expect, it } from 'vitest'
import type { CutItem, Part } from '../../contract/items.ts'
import { type Draft, typedIn } from './drafts.ts'
import type { RecordedHere } from './outbox.ts'

const item = { Z1_FILIAL: '010101', Z1_CODBAR: '0101621401001000010007' } as CutItem
const forms = { cabo: { lot: 'L1' }, l1: { lot: 'L2' } } as Draft['forms']

const draft = (lastAct: number): Draft => ({
  item,
  forms,
  lastActs: { cabo: lastAct, l1: lastAct, l2: lastAct },
  savedAt: 0,
})
const recorded = (position: number, part: Part = 'cabo', barcode = item.Z1_CODBAR): RecordedHere => ({
  branch: '010101',
  barcode,
  part,
  position,
})
const partsIn = (...asked: Parameters<typeof typedIn>) => Object.keys(typedIn(...asked))

describe('what was typed', () => {
  it('comes back while nothing was recorded of it', () => {
    expect(partsIn(draft(3), [])).toEqual(['cabo', 'l1'])
  })

  it('is the next act when it was typed after the last recording', () => {
    expect(partsIn(draft(3), [recorded(1), recorded(3)])).toEqual(['cabo', 'l1'])
  })

  it('is not offered again when a recording was made after it', () => {
    expect(partsIn(draft(3), [recorded(4)])).toEqual(['l1'])
    expect(partsIn(draft(3), [recorded(4, 'l1')])).toEqual(['cabo'])
  })

  it('has nothing to do with recordings of other items', () => {
    const other = recorded(4, 'cabo', '0101621401001000020007')
    expect(partsIn(draft(3), [other, { ...recorded(4), branch: '020101' }])).toEqual(['cabo', 'l1'])
  })
})
