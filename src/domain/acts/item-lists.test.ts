import { expect, test } from 'vitest'
import type { CutItem } from '../../contract/items.ts'
import { codeGroups, stageOf } from './item-lists.ts'

const code = { Z1_CODBAR: '0101621401001000010007', Z1_OP: '01621401001', Z1_ITEMEST: '000010' }

test.each([
  [code, ['01', '01621401001', '000010', '007']],
  [{ ...code, Z1_OP: '99999999999' }, ['01016214010', '01000010007']],
  [{ ...code, Z1_ITEMEST: '000099' }, ['01', '01621401001', '000010007']],
  [{ ...code, Z1_OP: '' }, ['01016214010', '01000010007']],
])('%o reads %o, and nothing of it is lost', (item, groups) => {
  expect(codeGroups(item)).toEqual(groups)
  expect(groups.join('')).toBe(code.Z1_CODBAR)
})

const item = {
  ...{ Z1_QUANT: 100, Z1_PCORTE: 0, Z1_PCRIML1: 0, Z1_PCRIML2: 0, Z1_QTREGCO: 0, Z1_QTREGL1: 0, Z1_QTREGL2: 0 },
  ...{ Z1_TERML1: 'T1', Z1_TERML2: '0', Z1_SELOL1: '0', Z1_SELOL2: '0' },
  aguardandoErp: { cabo: 0, l1: 0, l2: 0 },
} as CutItem
const cut = { Z1_PCORTE: 100, Z1_QTREGCO: 100 }

test.each([
  ['open', item],
  ['begun', { ...item, Z1_PCORTE: 1, Z1_QTREGCO: 1 }],
  ['begun', { ...item, aguardandoErp: { cabo: 0, l1: 5, l2: 0 } }],
  ['begun', { ...item, ...cut }],
  ['done', { ...item, ...cut, Z1_PCRIML1: 100, Z1_QTREGL1: 100 }],
  ['done', { ...item, ...cut, aguardandoErp: { cabo: 0, l1: 100, l2: 0 } }],
] as const)('it is %s', (stage, of) => {
  expect(stageOf(of)).toBe(stage)
})
