import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeSampleOrders } from '../../demo/simulator/sample-orders.ts'
import type { ErpItem } from '../../src/contract/items.ts'
import { BRANCH, cut, find, record, search, startErp, UNTOUCHED } from '../support/erp.ts'

/** Rows that fit one page: a list whose page repeats for ever has no second one. */
const PAGE_ROWS = 100

/** Blank is what the ERP writes for a limit of zero. */
const limits = ['Z1_RMINL1', 'Z1_RMINL2', 'Z1_DECAL1', 'Z1_DECAL2'] as const
const blankForZero = (item: ErpItem) => ({
  ...item,
  ...Object.fromEntries(limits.map((limit) => [limit, item[limit] || null])),
})
const byBarcode = (a: ErpItem, b: ErpItem) => (a.Z1_CODBAR < b.Z1_CODBAR ? -1 : 1)

it('an ERP that speaks in every shape of the field says the same as a tidy one', async () => {
  await using clean = await startErp()
  await using dirty = await startErp({ profile: 'dirty' })
  const orders = makeSampleOrders().filter(({ rows }) => rows.length <= PAGE_ROWS)
  for (const { branch, number, rows } of orders) {
    const both = await Promise.all(
      [clean, dirty].map(async ({ gateway }) =>
        (await gateway.searchItems({ branch, term: number, mode: 'APONTAMENTO' })).rows
          .map(blankForZero)
          .sort(byBarcode),
      ),
    )
    expect(both[1], `order ${number}`).toEqual(both[0])
    expect(both[1]).toHaveLength(rows.length)
  }
  const used = new Set(dirty.simulator.state.log.flatMap(({ faults }) => faults))
  const shapes = ['F10', 'F13', 'F14', 'F15', 'F16', 'F17', 'F18', 'F25', 'F26', 'F27']
  expect([...used]).toEqual(expect.arrayContaining(shapes))
  expect(await dirty.gateway.listMachines({ branch: BRANCH })).toEqual(
    await clean.gateway.listMachines({ branch: BRANCH }),
  )
})

it('takes what is right and refuses what is wrong, in words that an operator can read', async () => {
  await using erp = await startErp({ profile: 'dirty' })
  for (let n = 0; n < 40; n++) {
    const id = randomUUID()
    expect(await record(erp.gateway, cut(1), id)).toMatchObject({ outcome: 'confirmed' })
    expect(await find(erp.gateway, id)).toMatchObject({ status: 'done' })
    const refused = { outcome: 'refused', message: 'Máquina não cadastrada' }
    expect(await record(erp.gateway, cut(1, { MAQUINA: 'Não há' }))).toEqual(refused)
  }
  const used = new Set(erp.simulator.state.log.flatMap(({ faults }) => faults))
  expect([...used]).toEqual(expect.arrayContaining(['F09', 'F13', 'F14', 'F15', 'F16', 'F17', 'F19', 'F20']))
  expect((await search(erp.gateway, UNTOUCHED))[0]).toMatchObject({ Z1_QTREGCO: 40 })
})
