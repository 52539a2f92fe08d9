import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { makeSampleOrders } from '../../demo/simulator/sample-orders.ts'
import {
  RECEIPT_MESSAGE,
  RECEIPT_ON_WAY_MESSAGE,
  RECEIPT_WAITING_MESSAGE,
  RECEIVED,
  RECEIVED_BEFORE_MESSAGE,
} from '../../src/contract/receipts.ts'
import type { ErpGateway } from '../../src/server/erp/gateway.ts'
import { type Database, databases } from '../support/harness.ts'
import { type LoadedPanel, openLoadedPanel, untilNothingWaits } from '../support/promises/loaded-panel.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf, smallOf } from '../support/promises/sizes.ts'
import { inLanes } from '../support/promises/workload.ts'

const { fires } = sizeOf('p15')
const GAP_MS_MAX = 500
/** Few enough that the ERP keeps up: the second then meets a receipt that is there as often as one on its way. */
const LANES = 8
/** So long is a receipt on its way at the least, for the second to meet it there. */
const ERP_MS = 40

type Place = { filial: string; codigoBarras: string }
type Answer = { status: number; message: string; received: boolean }

/** Items of open orders that nobody has received. */
const places: Place[] = makeSampleOrders()
  .filter(({ closed }) => !closed)
  .flatMap(({ rows }) => rows)
  .filter(({ Z1_CONFERE }) => Z1_CONFERE !== RECEIVED)
  .map(({ Z1_FILIAL, Z1_CODBAR }) => ({ filial: Z1_FILIAL, codigoBarras: Z1_CODBAR }))

const settledMessages: Record<number, string> = { 201: RECEIPT_MESSAGE, 202: RECEIPT_WAITING_MESSAGE }
const isSettled = ({ status, message }: Answer) => settledMessages[status] === message
const saysItWasBefore = ({ status, message }: Answer) =>
  status === 200 && [RECEIVED_BEFORE_MESSAGE, RECEIPT_ON_WAY_MESSAGE].includes(message)

async function openReceiving(database: Database) {
  const sent: string[] = []
  const gateway = (erp: ErpGateway): ErpGateway => ({
    ...erp,
    confirmReceipt(write) {
      sent.push(write.barcode)
      return erp.confirmReceipt(write)
    },
  })
  const panel = await openLoadedPanel({ database, gateway })
  await panel.simulator.state.setFaults([{ id: 'F01', operation: 'conferencia', ms: ERP_MS, count: null }])
  await panel.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = panel.app.server.address() as AddressInfo
  const confirm = async (token: string, place: Place, id: string): Promise<Answer> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/conferencia-corte/recebimentos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify(place),
    })
    const { message, item } = (await answer.json()) as {
      message: string
      item?: { Z1_CONFERE: string; recebimentoAguardandoErp: boolean }
    }
    const received = item?.Z1_CONFERE === RECEIVED || item?.recebimentoAguardandoErp === true
    return { status: answer.status, message, received }
  }
  return { ...panel, confirm, sent }
}

type Receiving = Awaited<ReturnType<typeof openReceiving>>
type Tally = { seen: string[]; onWay: number; receivedBefore: number; offences: string[] }

/** Each item once: the same tab sends its one id again, or a second tab has an id of its own. */
async function fireAll(panel: Receiving, count: number): Promise<Tally> {
  const random = randomFor(SEED, 'receipts')
  const { token: secondTab } = await panel.login('operador')
  const tally: Tally = { seen: [], onWay: 0, receivedBefore: 0, offences: [] }
  const fireTwice = async (place: Place): Promise<void> => {
    const id = randomUUID()
    const isSameAct = random.chance(0.5)
    const gapMs = random.chance(0.3) ? 0 : random.between(1, GAP_MS_MAX)
    const first = panel.confirm(panel.token, place, id)
    if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs))
    const second = isSameAct
      ? panel.confirm(panel.token, place, id)
      : panel.confirm(random.pick([secondTab, panel.otherToken]), place, randomUUID())
    const answers = await Promise.all([first, second])
    const winners = answers.filter(isSettled)
    const losers = answers.filter(saysItWasBefore)
    const isRight = isSameAct ? winners.length === 2 : winners.length === 1 && losers.length === 1
    if (!isRight || answers.some(({ received }) => !received)) {
      tally.offences.push(`${place.codigoBarras}, ${isSameAct ? 'one id' : 'two ids'}: ${JSON.stringify(answers)}`)
    }
    if (winners.length > 0) tally.seen.push(place.codigoBarras)
    tally.onWay += losers.filter(({ message }) => message === RECEIPT_ON_WAY_MESSAGE).length
    tally.receivedBefore += losers.filter(({ message }) => message === RECEIVED_BEFORE_MESSAGE).length
  }
  await inLanes(places.slice(0, count), LANES, fireTwice)
  await untilNothingWaits(panel)
  return tally
}

/** What panel and ERP hold that differs from one receipt for each item that somebody saw as confirmed. */
async function findReceiptOffences({ db, simulator, sent }: Receiving, { seen }: Tally): Promise<string[]> {
  const expected = seen.toSorted()
  const rows = await db.read.selectFrom('recordings').select(['barcode', 'state']).execute()
  const items = await db.read
    .selectFrom('erp_items')
    .select('barcode')
    .where('received', '=', 1)
    .where('receipt_on_way', '=', 0)
    .where('barcode', 'in', expected)
    .execute()
  const found = {
    'recordings here': rows.filter(({ state }) => state === 'delivered').map(({ barcode }) => barcode),
    'recordings of any state here': rows.map(({ barcode }) => barcode),
    'items received here': items.map(({ barcode }) => barcode),
    'receipts sent to the ERP': sent,
    'receipts at the ERP': simulator.state.receipts.map(({ barcode }) => barcode),
  }
  return Object.entries(found)
    .filter(([, barcodes]) => JSON.stringify(barcodes.toSorted()) !== JSON.stringify(expected))
    .map(([name, barcodes]) => `${barcodes.length} ${name}, ${expected.length} seen as confirmed`)
}

/** The mark that a receipt is on its way is lost at once, as if nobody had made it. */
const loseTheMark = ({ db }: Pick<LoadedPanel, 'db'>) =>
  db.transaction((tx) =>
    sql`create trigger mistake after update of receipt_on_way on erp_items when new.receipt_on_way = 1
      begin update erp_items set receipt_on_way = 0 where branch = new.branch and barcode = new.barcode; end`.execute(
      tx,
    ),
  )

describe('P15: a receipt that is confirmed twice is one receipt', () => {
  test.each(databases)(`${fires} double fires from two tabs on %s`, async (database) => {
    const panel = await openReceiving(database)
    const tally = await fireAll(panel, fires)
    const { onWay, receivedBefore } = tally
    report(
      `P15 receipts ${database}`,
      { fires },
      { atErp: panel.simulator.state.receipts.length, onWay, receivedBefore },
    )
    expect(tally.offences).toEqual([])
    expect(tally.seen).toHaveLength(fires)
    expect(await findReceiptOffences(panel, tally)).toEqual([])
  })

  test('it notices when nothing marks an item whose receipt is on its way', async () => {
    const panel = await openReceiving('sqlite')
    await loseTheMark(panel)
    const tally = await fireAll(panel, smallOf('p15').fires)
    panel.errors.length = 0
    expect(tally.offences).toContainEqual(expect.stringContaining('two ids'))
    expect(await findReceiptOffences(panel, tally)).toContainEqual(expect.stringContaining('receipts sent to the ERP'))
  })
})
