import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ErpSettings } from '../../src/server/erp/settings.ts'
import { BRANCH, find, ORDER, receive, search, startErp, UNTOUCHED } from '../support/erp.ts'

const CONFIRMED = { outcome: 'confirmed', message: 'Recebimento confirmado', erpRecord: null }
const BEFORE = { outcome: 'confirmed', message: 'Item já recebido', erpRecord: null }

describe.each(['clean', 'realistic', 'dirty'] as const)('a receipt, with the %s profile', (profile) => {
  it('marks the item, whoever sends it again and again changes nothing', async () => {
    await using erp = await startErp({ profile, speed: 0 })
    const id = randomUUID()
    expect(await receive(erp.gateway, UNTOUCHED, id)).toEqual(CONFIRMED)
    for (let n = 0; n < 5; n += 1) {
      expect(await receive(erp.gateway, UNTOUCHED, id)).toEqual(CONFIRMED)
      expect(await receive(erp.gateway)).toEqual(BEFORE)
    }
    expect(erp.simulator.state.receipts).toMatchObject([{ id, barcode: UNTOUCHED, operator: 'João Conceição' }])
    const { rows: items } = await erp.gateway.searchItems({ branch: BRANCH, term: ORDER, mode: 'CONFERENCIA_CORTE' })
    expect(items.find(({ Z1_CODBAR }) => Z1_CODBAR === UNTOUCHED)).toMatchObject({ Z1_CONFERE: 'S', Z1_QTREGCO: 0 })
    expect(await find(erp.gateway, id)).toEqual({ status: 'done', message: 'Recebimento confirmado' })
  })

  it('of an unknown item is refused in the ERP’s words', async () => {
    await using erp = await startErp({ profile, speed: 0 })
    const message = 'Código de barras não encontrado'
    const id = randomUUID()
    for (let n = 0; n < 5; n += 1) {
      expect(await receive(erp.gateway, '0101621401001000990000', id)).toEqual({ outcome: 'refused', message })
    }
    expect(await find(erp.gateway, id)).toEqual({ status: 'refused', message })
  })
})

it('two at once mark the item once', async () => {
  await using erp = await startErp()
  const both = await Promise.all([receive(erp.gateway), receive(erp.gateway)])
  expect(both).toEqual(expect.arrayContaining([CONFIRMED, BEFORE]))
  expect(erp.simulator.state.receipts).toHaveLength(1)
})

it('an item of another plant is not received', async () => {
  await using erp = await startErp()
  const ofOtherPlant = erp.gateway.confirmReceipt({
    branch: '020101',
    barcode: UNTOUCHED,
    operator: 'jsilva',
    at: { day: '2026-11-21', time: '09:41:07' },
    integrationId: randomUUID(),
  })
  expect(await ofOtherPlant).toEqual({ outcome: 'refused', message: 'Código de barras não encontrado' })
  expect((await search(erp.gateway, UNTOUCHED))[0]).toMatchObject({ Z1_CONFERE: 'N' })
})

it('the day is written as the plant’s ERP wants it', async () => {
  await using erp = await startErp()
  const id = randomUUID()
  await receive(erp.gateway, UNTOUCHED, id)
  const iso = erp.open({ settings: ErpSettings.parse({ dateFormats: { receipts: 'AAAA-MM-DD' } }) })
  // Another content under the same id.
  expect(await receive(iso, UNTOUCHED, id)).toMatchObject({ outcome: 'refused' })
})
