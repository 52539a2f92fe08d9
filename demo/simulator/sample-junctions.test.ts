import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { circuitColumns, junctionColumns, pullTestColumns } from './dictionary.ts'
import { sampleGauges } from './sample-catalogue.ts'
import type { SampleOrder } from './sample-junctions.ts'
import { makeSampleOrders } from './sample-orders.ts'

const orders = makeSampleOrders()
const junctions = orders.flatMap((order) => order.junctions.map((junction) => ({ ...junction, order })))
const endsAt = ({ rows }: SampleOrder, position: string) =>
  rows.flatMap((row) =>
    [row.Z1_DE, row.Z1_PARA]
      .filter((end) => end.split('|')[0] === position)
      .map((end) => [end.split('|')[1], row] as const),
  )

test('the sample from before there were junctions keeps its bytes', () => {
  const rows = orders.map((order) => order.rows.map(({ Z1_DE, Z1_PARA, ...row }) => row))
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex')
  expect(digest).toBe('c5307bc067920a58b52d275277f1b9889ad7838b892d40b139d5eb1a423e5945')
})

test.each([1, 2, 3])('the positions of the main order are where manuals say, with seed %i', (seed) => {
  const [main] = makeSampleOrders(seed)
  const mainRows = main?.junctions.map(({ row }) => [row.Z8_POSICAO, row.Z8_GRUPOMP, row.Z8_PJUNCAO])
  expect(mainRows).toEqual([
    ['J01', 'TERMINAIS', 0],
    ['J02', 'M500US01', 0],
    ['J 02/A', 'TERMINAIS', 25],
    ['J03', 'TERMINAIS', 100],
  ])
  for (const { row } of main?.junctions ?? []) {
    expect(new Set(main && endsAt(main, row.Z8_POSICAO).map(([side]) => side))).toEqual(new Set(['E', 'D']))
  }
  expect(main?.rows[0]).toMatchObject({ Z1_DE: 'J01|E', Z1_PARA: expect.stringMatching(/^X\d\d\.\d+$/) })
  expect(main?.rows[1]).toMatchObject({ Z1_DE: expect.stringMatching(/^X\d\d\.\d+$/), Z1_PARA: 'J01|D' })
  expect(main?.rows[2]).toMatchObject({ Z1_DE: 'J03|E', Z1_PARA: 'J03|D' })
})

test('no order has more than six, and each joins two to five wires from both sides', () => {
  expect(Math.max(...orders.map((order) => order.junctions.length))).toBe(6)
  expect(orders.filter((order) => order.rows.length < 2 && order.junctions.length > 0)).toEqual([])
  for (const { order, row } of junctions) {
    const ends = endsAt(order, row.Z8_POSICAO)
    const wires = new Set(ends.map(([, wire]) => wire))
    expect([wires.size >= 2, wires.size <= 5]).toEqual([true, true])
    expect(new Set(ends.map(([side]) => side))).toEqual(new Set(['E', 'D']))
  }
  expect(junctions.filter(({ row }) => row.Z8_POSICAO.includes('/'))).toHaveLength(1)
})

test('a joint asks for the pull force of its smallest wire', () => {
  for (const { order, row, test: limits } of junctions) {
    const mm2 = endsAt(order, row.Z8_POSICAO).map(([, wire]) => Number(wire.Z1_BITOLA.replace(',', '.')))
    const smallest = sampleGauges.find((gauge) => gauge.mm2 === Math.min(...mm2))
    expect(Number(limits.ZTB_BITOLA.replace(',', '.'))).toBe(smallest?.mm2)
    expect(limits.ZTB_FORCA).toBe(smallest?.forceMinN)
  }
})

test('groups, tightness and progress come in their shares', () => {
  const share = (is: (junction: (typeof junctions)[number]) => boolean) =>
    junctions.filter(is).length / junctions.length
  expect(share(({ row }) => row.Z8_ESTANQU === 'S')).toBeCloseTo(0.4, 1)
  expect(new Set(junctions.map(({ row }) => row.Z8_GRUPOMP))).toEqual(new Set(['TERMINAIS', 'M500US01']))
  expect(junctions.filter(({ row }) => (row.Z8_TERMINA === '') !== (row.Z8_GRUPOMP === 'M500US01'))).toEqual([])
  for (const { order, row, joined } of junctions) {
    expect(row.Z8_PJUNCAO).toBeCloseTo((100 * joined) / row.Z8_QTDPECA, 2)
    if (order.progress === 'untouched') expect(joined).toBe(0)
    if (order.progress === 'complete') expect(row.Z8_PJUNCAO).toBe(100)
  }
})

test('no text is wider than its column', () => {
  const tooWide = (row: object, columns: Record<string, { kind: string; width?: number }>) =>
    Object.entries(row).filter(([name, value]) => String(value).length > (columns[name]?.width ?? 99))
  expect(junctions.flatMap(({ row }) => tooWide(row, junctionColumns))).toEqual([])
  expect(junctions.flatMap(({ test: limits }) => tooWide(limits, pullTestColumns))).toEqual([])
  expect(orders.flatMap(({ rows }) => rows.flatMap((row) => tooWide(row, circuitColumns)))).toEqual([])
})
