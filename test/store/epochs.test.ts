import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { beginEpoch, beginYoungerEpoch } from '../../src/server/store/epochs.ts'
import { keepSetting } from '../../src/server/store/settings.ts'
import { crimpOf, databases } from '../support/harness.ts'
import { setUp } from '../support/waiting.ts'

test.each(databases)(
  'on %s what waited in the moment of a backup is promised: somebody may have read "salvo" a moment later',
  async (database) => {
    const panel = await setUp({ database })
    await panel.erpIs('down')
    await panel.record(panel.token, crimpOf(20))
    const doubt = () => panel.db.transaction((tx) => tx.updateTable('recordings').set({ promised: 0 }).execute())
    const states = async () => ({
      recordings: await panel.db.read.selectFrom('recordings').select(['state', 'promised']).execute(),
      deliveries: await panel.db.read.selectFrom('erp_outbox').select('state').execute(),
    })
    const expected = { recordings: [{ state: 'waiting', promised: 1 }], deliveries: [{ state: 'unknown' }] }
    await doubt()
    await panel.db.transaction((tx) => beginEpoch(tx, panel.clock.now()))
    expect(await states()).toEqual(expected)

    await doubt()
    await panel.db.transaction((tx) => tx.updateTable('erp_outbox').set({ state: 'new' }).execute())
    const epoch = await panel.db.transaction((tx) => keepSetting(tx, 'epoch', ''))
    const begun = await Promise.all(
      [1, 2].map(() =>
        panel.db.transaction((tx) => beginYoungerEpoch(tx, epoch, { at: panel.clock.now(), why: 'witnesses' })),
      ),
    )
    expect(begun.toSorted(), 'of two servers one begins it').toEqual([false, true])
    expect(await states()).toEqual(expected)
  },
)

test('in a new epoch what never left only waits while the ERP is away, also where it cannot be looked up by id', async () => {
  const panel = await setUp({ env: { ERP_LOOKUP: 'none' }, simulator: { lookup: false } })
  const id = randomUUID()
  await panel.erpIs('down')
  await panel.record(panel.token, crimpOf(20), id)
  const epoch = await panel.db.transaction((tx) => keepSetting(tx, 'epoch', ''))
  await panel.db.transaction((tx) => beginYoungerEpoch(tx, epoch, { at: panel.clock.now(), why: 'witnesses' }))
  for (let round = 0; round < 3; round++) await panel.deliverAll()
  expect((await panel.list()).map(({ situacao }) => situacao)).toEqual(['aguardando'])
  await panel.erpIs('up')
  await panel.deliverAll()
  expect(
    (await panel.list()).map(({ situacao }) => situacao),
    'a quantity alone cannot tell',
  ).toEqual(['incerto'])
  expect(panel.simulator.state.writes).toEqual([])
  expect(panel.errors.splice(0)).toEqual([expect.stringContaining('a person must decide')])
})
