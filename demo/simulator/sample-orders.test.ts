import { expect, test } from 'vitest'
import { checkCharacter } from './barcode.ts'
import { type CutRow, cutColumns, isComplete, machineColumns, NONE, sectionNames, sections } from './dictionary.ts'
import { Ledger } from './ledger.ts'
import { sampleCustomers, sampleGauges, sampleMachines, sampleSeals, sampleTerminals } from './sample-catalogue.ts'
import { makeSampleOrders, sampleHighlights } from './sample-orders.ts'

const orders = makeSampleOrders()
const rows = orders.flatMap((order) => order.rows)
const sides = rows.flatMap((row) => [
  { terminal: row.Z1_TERML1, seal: row.Z1_SELOL1 },
  { terminal: row.Z1_TERML2, seal: row.Z1_SELOL2 },
])
const share = <T>(list: readonly T[], is: (entry: T) => boolean) => list.filter(is).length / list.length
const orderOf = (number: string) => orders.filter((order) => order.number === number)
const itemOf = (item: string): CutRow | undefined => orderOf('01621401001')[0]?.rows.find((r) => r.Z1_ITEMEST === item)

test('the same seed gives the same bytes, another seed others', () => {
  expect(JSON.stringify(makeSampleOrders(1))).toBe(JSON.stringify(orders))
  expect(JSON.stringify(makeSampleOrders(2))).not.toBe(JSON.stringify(orders))
})

test('the main order and its named items are where manuals say', () => {
  const [order] = orderOf('01621401001')
  expect(order).toMatchObject({ branch: '010101', closed: false })
  expect(order?.rows).toHaveLength(24)
  expect(itemOf('000010')).toMatchObject({
    Z1_CODBAR: '0101621401001000010007',
    Z1_CLIENTE: 'Andorinha Implementos Ltda',
    Z1_DESCPRO: 'CHICOTE PAINEL CABINE',
    Z1_QUANT: 120,
    Z1_COR: 'am/vd',
    Z1_BITOLA: '0,50',
    Z1_CODCABO: 'CB050AMVD',
    Z1_DESCABO: 'CABO FLRY-A 0,50MM2 AM/VD',
    Z1_COMPR: 1250,
    Z1_QTREGCO: 0,
    Z1_QTREGL1: 0,
    Z1_QTREGL2: 0,
    Z1_TERML1: 'T1326030',
    Z1_SELOL1: 'S0963244',
    Z1_TERML2: 'T0925590',
    Z1_SELOL2: '0',
    Z1_CONFERE: 'N',
  })
  expect(itemOf('000020')).toMatchObject({
    Z1_CODBAR: '010162140100100002000S',
    Z1_PCORTE: 50,
    Z1_QTREGCO: 60,
    Z1_SELOL1: '0',
    Z1_TERML2: '0',
  })
  expect(itemOf('000020')?.Z1_TERML1).not.toBe('0')
  expect(itemOf('000030')).toMatchObject({ Z1_PCORTE: 100, Z1_PCRIML1: 100, Z1_PCRIML2: 100, Z1_CONFERE: 'S' })
})

test('one order of plant 2, one long, one empty, one of a single item', () => {
  expect(orderOf('00A3F701002').map((order) => [order.branch, order.rows.length])).toEqual([['020101', 15]])
  expect(orders.map((order) => order.rows.length).filter((n) => n < 15 || n > 60)).toEqual([250, 0, 1])
  expect(sampleHighlights().map((h) => [h.branch, h.order, h.itemCount])).toEqual([
    ['010101', '01621401001', 24],
    ['020101', '00A3F701002', 15],
    ['010101', '01622001001', 250],
    ['010101', '01622101001', 0],
    ['010101', '01622201001', 1],
  ])
  expect(sampleHighlights()[0]?.barcodes[0]).toBe('0101621401001000010007')
})

test.each([1, 2, 3])('fixed points do not depend on the seed %i', (seed) => {
  expect(sampleHighlights(makeSampleOrders(seed)).map((h) => h.order)).toEqual(sampleHighlights().map((h) => h.order))
})

test('40 orders of two plants in their shares', () => {
  expect(orders).toHaveLength(40)
  expect(new Set(orders.map((order) => order.number)).size).toBe(40)
  expect(orders.filter((order) => order.branch === '010101')).toHaveLength(28)
  const filled = orders.filter((order) => order.rows.length > 0)
  const done = filled.filter((order) => order.rows.every(isComplete))
  expect(done).toHaveLength(8)
  expect(filled.filter((order) => order.closed && !done.includes(order))).toHaveLength(2)
  expect(orders.filter((order) => /^[0-9]*[A-Z]/.test(order.number.slice(0, 6)))).toHaveLength(2)
  expect(orders.filter((order) => order.number.length === 14)).toHaveLength(2)
  expect(orders.filter((order) => ![11, 14].includes(order.number.length))).toEqual([])
})

test('every barcode is unique, 22 long and checkable', () => {
  expect(new Set(rows.map((row) => row.Z1_CODBAR)).size).toBe(rows.length)
  expect(rows.filter((row) => checkCharacter(row.Z1_CODBAR.slice(0, 21)) !== row.Z1_CODBAR.at(21))).toEqual([])
})

test('terminals, seals and colours come in their shares', () => {
  expect(share(sides, (side) => side.terminal === NONE)).toBeCloseTo(0.12, 1)
  expect(share(sides, (side) => side.seal === NONE)).toBeCloseTo(0.65, 1)
  expect(share(rows, (row) => !row.Z1_COR.includes('/'))).toBeCloseTo(0.65, 1)
  expect(share(rows, (row) => row.Z1_BITOLA.includes(','))).toBeCloseTo(0.8, 1)
  expect(share(rows, (row) => row.Z1_GRAVA === '')).toBeCloseTo(0.05, 1)
  expect(rows.filter((row) => row.Z1_COR === 'xx')).toHaveLength(1)
  expect(rows.filter((row) => row.Z1_COR === 'AZ')).toHaveLength(1)
  expect(sides.filter((side) => side.terminal === NONE && side.seal !== NONE)).toEqual([])
})

test('percentages follow the quantities, and a side without terminal stays at 0', () => {
  for (const row of rows) {
    for (const name of sectionNames) {
      const { registered, percent, terminal } = sections[name]
      expect(row[percent]).toBeCloseTo((100 * row[registered]) / row.Z1_QUANT, 2)
      expect(row[registered]).toBeLessThanOrEqual(row.Z1_QUANT)
      if (terminal && row[terminal] === NONE) expect(row[registered]).toBe(0)
    }
  }
})

test('forces and crimp heights follow the gauge', () => {
  for (const row of rows.filter((r) => r.Z1_TERML1 !== NONE)) {
    const gauge = sampleGauges.find((g) => g.mm2 === Number(row.Z1_BITOLA.replace(',', '.')))
    expect([row.Z1_RMINL1, row.Z1_DECAL1]).toEqual([gauge?.forceMinN, gauge?.crimpHeightMm])
  }
})

test('no text is wider than its column', () => {
  const machines = new Ledger({ seed: 1, dedup: true, journalFile: undefined, now: () => 0 }).machines('010101', '')
  const tooWide = (row: object, columns: Record<string, { kind: string; width?: number }>) =>
    Object.entries(row).filter(([name, value]) => String(value).length > (columns[name]?.width ?? 99))
  expect(rows.flatMap((row) => tooWide(row, cutColumns))).toEqual([])
  expect(machines.flatMap((row) => tooWide(row, machineColumns))).toEqual([])
})

test('the catalogue has what the demonstration registers', () => {
  expect(sampleTerminals).toHaveLength(25)
  expect(new Set(sampleTerminals).size).toBe(25)
  expect(sampleTerminals).toEqual(expect.arrayContaining(['T1326030', 'T0925590']))
  expect(sampleSeals).toContain('S0963244')
  expect(sampleMachines).toHaveLength(12)
  expect(sides.filter((side) => side.terminal !== NONE && !sampleTerminals.includes(side.terminal))).toEqual([])
})

test('the check digits of every CNPJ are right, the alphanumeric one included', () => {
  const digit = (text: string) => {
    const weighted = [...text].reverse().map((c, index) => (c.charCodeAt(0) - 48) * ((index % 8) + 2))
    const rest = weighted.reduce((sum, n) => sum + n, 0) % 11
    return rest < 2 ? 0 : 11 - rest
  }
  for (const { cnpj } of sampleCustomers) {
    const first = digit(cnpj.slice(0, 12))
    expect(cnpj.slice(12)).toBe(`${first}${digit(cnpj.slice(0, 12) + first)}`)
  }
})
