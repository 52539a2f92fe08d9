import { itemBarcode } from './barcode.ts'
import { type CutRow, hasSection, NONE, register } from './dictionary.ts'
import { type Random, randomFor } from './random.ts'
import {
  accentedDescriptions,
  commaText,
  gaugeOf,
  plainDescriptions,
  type SampleGauge,
  sampleColours,
  sampleCustomers,
  sampleGauges,
  sealsFor,
  terminalsFor,
} from './sample-catalogue.ts'
import { addJunctions, type Progress, type SampleOrder } from './sample-junctions.ts'

export const SAMPLE_SEED = 1

type Plan = { branch: string; number: string; progress: Progress; itemCount: number }

const MAIN_ORDER = '01621401001'
const PLANT_2_ORDER = '00A3F701002'
const LONG_ORDER = '01622001001'
const EMPTY_ORDER = '01622101001'
const SINGLE_ORDER = '01622201001'

/** These are the same whatever the seed: manuals, tests and people refer to them. */
const fixedPlans: readonly Plan[] = [
  { branch: '010101', number: MAIN_ORDER, progress: 'partial', itemCount: 24 },
  { branch: '020101', number: PLANT_2_ORDER, progress: 'partial', itemCount: 15 },
  { branch: '010101', number: LONG_ORDER, progress: 'partial', itemCount: 250 },
  { branch: '010101', number: EMPTY_ORDER, progress: 'untouched', itemCount: 0 },
  { branch: '010101', number: SINGLE_ORDER, progress: 'untouched', itemCount: 1 },
]
const shares = {
  branch: [
    ['010101', 28],
    ['020101', 12],
  ],
  progress: [
    ['untouched', 12],
    ['partial', 18],
    ['complete', 8],
    ['closed', 2],
  ],
} as const

/** What is left of the shares once the fixed orders have theirs, in random order. */
function deck<K extends 'branch' | 'progress'>(random: Random, key: K): (typeof shares)[K][number][0][] {
  const cards = shares[key].flatMap(([value, count]) => {
    const taken = fixedPlans.filter((plan) => plan[key] === value).length
    return Array.from({ length: count - taken }, () => value)
  })
  return random.shuffled(cards)
}

/** Protheus goes on with letters once six digits are used up; two orders carry the colour and size grid. */
function freeNumbers(random: Random): string[] {
  const suffix = () => `0${random.between(1, 3)}00${random.between(1, 4)}`
  const numeric = Array.from({ length: 38 }, (_, index) => String(16201 + index).padStart(6, '0'))
  const taken = new Set(fixedPlans.map((plan) => plan.number.slice(0, 6)))
  const numbers = [...numeric, '00A3F8'].filter((number) => !taken.has(number)).map((number) => number + suffix())
  return numbers.map((number) =>
    number.startsWith('016223') ? `${number}A01` : number.startsWith('016224') ? `${number}B02` : number,
  )
}

function planOrders(seed: number): Plan[] {
  const random = randomFor(seed, 'plan')
  const branches = deck(random, 'branch')
  const progresses = deck(random, 'progress')
  const free = freeNumbers(random).map((number, index): Plan => {
    const branch = branches[index]
    const progress = progresses[index]
    if (!branch || !progress) throw new Error('The shares do not add up to the number of orders')
    return { branch, number, progress, itemCount: random.between(15, 60) }
  })
  return [...fixedPlans, ...free]
}

type Header = Pick<
  CutRow,
  'Z1_CLIENTE' | 'Z1_CNPJCLI' | 'Z1_PRODUTO' | 'Z1_REVCLI' | 'Z1_REVLTM' | 'Z1_DESCPRO' | 'Z1_QUANT'
>

const mainHeader: Header = {
  Z1_CLIENTE: sampleCustomers[0].name,
  Z1_CNPJCLI: sampleCustomers[0].cnpj,
  Z1_PRODUTO: 'CHT000412-01',
  Z1_REVCLI: 'C',
  Z1_REVLTM: '00',
  Z1_DESCPRO: 'CHICOTE PAINEL CABINE',
  Z1_QUANT: 120,
}

function makeHeader(random: Random): Header {
  const customer = random.pick(sampleCustomers)
  return {
    Z1_CLIENTE: customer.name,
    Z1_CNPJCLI: customer.cnpj,
    Z1_PRODUTO: `CHT${String(random.between(100, 999)).padStart(6, '0')}-0${random.between(1, 4)}`,
    Z1_REVCLI: random.pick(['A', 'B', 'C', 'D1']),
    Z1_REVLTM: random.pick(['00', '01', '02', 'B']),
    Z1_DESCPRO: random.chance(0.2) ? random.pick(accentedDescriptions) : random.pick(plainDescriptions),
    Z1_QUANT: random.pick([50, 100, 120, 200, 250, 300, 500]),
  }
}

function makeColour(random: Random): string {
  const count = random.weighted([
    [1, 65],
    [2, 33],
    [3, 2],
  ])
  return random.shuffled(sampleColours).slice(0, count).join('/')
}

function wireOf(gauge: SampleGauge, colour: string) {
  const colourUpper = colour.toUpperCase()
  return {
    Z1_COR: colour,
    Z1_CODCABO: `CB${String(gauge.mm2 * 100).padStart(3, '0')}${colourUpper.replaceAll('/', '')}`,
    Z1_DESCABO: `CABO FLRY-A ${commaText(gauge.mm2)}MM2 ${colourUpper}`,
  }
}

const sideOf = (gauge: SampleGauge, terminal: string, seal: string) => ({
  terminal,
  seal,
  forceMinN: terminal === NONE ? 0 : gauge.forceMinN,
  crimpHeightMm: terminal === NONE ? 0 : gauge.crimpHeightMm,
})

/** No seal on 65 % of all sides, and none without a terminal. */
function makeSide(random: Random, gauge: SampleGauge) {
  if (random.chance(0.12)) return sideOf(gauge, NONE, NONE)
  const terminal = random.pick(terminalsFor(gauge.mm2))
  return sideOf(gauge, terminal, random.chance(0.35 / 0.88) ? random.pick(sealsFor(gauge.mm2)) : NONE)
}

type Circuit = {
  item: string
  gauge: SampleGauge
  gaugeText: string
  colour: string
  engraving: string
  lengthMm: number
  side1: ReturnType<typeof sideOf>
  side2: ReturnType<typeof sideOf>
}

function makeCircuit(random: Random, index: number): Circuit {
  const gauge = random.weighted(sampleGauges.map((entry) => [entry, entry.weight] as const))
  const marking = random.chance(0.5) ? `C${101 + index}` : `${30 + Math.floor(index / 4)}.${(index % 4) + 1}-A`
  return {
    item: String((index + 1) * 10).padStart(6, '0'),
    gauge,
    gaugeText: random.chance(0.8) ? commaText(gauge.mm2) : String(gauge.mm2),
    colour: makeColour(random),
    engraving: random.chance(0.05) ? '' : marking,
    lengthMm: random.between(16, 900) * 5,
    side1: makeSide(random, gauge),
    side2: makeSide(random, gauge),
  }
}

function makeRow(plan: Plan, header: Header, circuit: Circuit): CutRow {
  const { item, gauge, side1, side2 } = circuit
  return {
    Z1_FILIAL: plan.branch,
    ...header,
    Z1_OP: plan.number,
    Z1_ITEMEST: item,
    ...wireOf(gauge, circuit.colour),
    Z1_BITOLA: circuit.gaugeText,
    Z1_GRAVA: circuit.engraving,
    Z1_CODBAR: itemBarcode({ branch: plan.branch, order: plan.number, item, revision: header.Z1_REVLTM }),
    Z1_COMPR: circuit.lengthMm,
    Z1_PCORTE: 0,
    Z1_PCRIML1: 0,
    Z1_PCRIML2: 0,
    Z1_QTREGCO: 0,
    Z1_QTREGL1: 0,
    Z1_QTREGL2: 0,
    Z1_TERML1: side1.terminal,
    Z1_TERML2: side2.terminal,
    Z1_SELOL1: side1.seal,
    Z1_SELOL2: side2.seal,
    Z1_RMINL1: side1.forceMinN,
    Z1_RMINL2: side2.forceMinN,
    Z1_DECAL1: side1.crimpHeightMm,
    Z1_DECAL2: side2.crimpHeightMm,
    Z1_CONFERE: 'N',
    Z1_DE: '',
    Z1_PARA: '',
  }
}

function registerAll(row: CutRow, cut: number, side1: number, side2: number): void {
  register(row, 'cable', cut)
  if (hasSection(row, 'side1')) register(row, 'side1', side1)
  if (hasSection(row, 'side2')) register(row, 'side2', side2)
}

/** Nothing is crimped that was not cut. */
function makeProgress(random: Random, row: CutRow, progress: Progress): void {
  const quantity = row.Z1_QUANT
  const state =
    progress === 'complete'
      ? 'all'
      : progress === 'untouched'
        ? 'none'
        : random.weighted([
            ['none', 35],
            ['some', 40],
            ['all', 25],
          ] as const)
  if (state === 'all') registerAll(row, quantity, quantity, quantity)
  if (state === 'some') {
    const cut = random.between(1, quantity)
    registerAll(row, cut, random.between(0, cut), random.between(0, cut))
  }
  const received = row.Z1_QTREGCO >= quantity && random.chance(0.7)
  row.Z1_CONFERE = received ? 'S' : random.pick(['N', ''])
}

/** The items of the main order that manuals and tests name; the rest of it is random. */
function fixMainOrder(plan: Plan, rows: CutRow[]): CutRow[] {
  const half = gaugeOf(0.5)
  const one = gaugeOf(1)
  const untouched = makeRow(plan, mainHeader, {
    item: '000010',
    gauge: half,
    gaugeText: '0,50',
    colour: 'am/vd',
    engraving: 'C101',
    lengthMm: 1250,
    side1: sideOf(half, 'T1326030', 'S0963244'),
    side2: sideOf(half, 'T0925590', NONE),
  })
  const halfCut = makeRow(plan, mainHeader, {
    item: '000020',
    gauge: one,
    gaugeText: '1.00',
    colour: 'vm',
    engraving: 'C102',
    lengthMm: 840,
    side1: sideOf(one, 'T0968220', NONE),
    side2: sideOf(one, NONE, NONE),
  })
  registerAll(halfCut, 60, 0, 0)
  const done = makeRow(plan, mainHeader, {
    item: '000030',
    gauge: half,
    gaugeText: '0,50',
    colour: 'az/br',
    engraving: 'C103',
    lengthMm: 1605,
    side1: sideOf(half, 'T1326030', 'S0963244'),
    side2: sideOf(half, 'T0925591', NONE),
  })
  registerAll(done, 120, 120, 120)
  done.Z1_CONFERE = 'S'
  return [untouched, halfCut, done, ...rows.slice(3)]
}

/** Codes that no screen may stumble over: an unknown colour, and one in upper case. */
function plantOddColours(rows: CutRow[]): void {
  const colours = ['xx', 'AZ']
  for (const [index, row] of rows.slice(10, 12).entries()) {
    Object.assign(row, wireOf(gaugeOf(Number(row.Z1_BITOLA.replace(',', '.'))), colours[index] ?? ''))
  }
}

function makeOrder(seed: number, plan: Plan): SampleOrder {
  const random = randomFor(seed, 'order', plan.branch, plan.number)
  const isMain = plan.number === MAIN_ORDER
  const header = isMain ? mainHeader : makeHeader(random)
  const made = Array.from({ length: plan.itemCount }, (_, index) => {
    const row = makeRow(plan, header, makeCircuit(random, index))
    makeProgress(random, row, plan.progress)
    return row
  })
  const rows = isMain ? fixMainOrder(plan, made) : made
  if (isMain) plantOddColours(rows)
  const order = {
    branch: plan.branch,
    number: plan.number,
    progress: plan.progress,
    closed: plan.progress === 'complete' || plan.progress === 'closed',
    rows,
  }
  return { ...order, junctions: addJunctions(seed, order, isMain) }
}

/** 40 orders of two plants; the same seed gives the same bytes. */
export const makeSampleOrders = (seed: number = SAMPLE_SEED): SampleOrder[] =>
  planOrders(seed).map((plan) => makeOrder(seed, plan))

type SampleHighlight = { branch: string; order: string; itemCount: number; barcodes: string[] }

/** The orders worth trying first, each with its first barcodes. */
export function sampleHighlights(orders: readonly SampleOrder[] = makeSampleOrders()): SampleHighlight[] {
  return fixedPlans.flatMap(({ number }) =>
    orders
      .filter((order) => order.number === number)
      .map((order) => ({
        branch: order.branch,
        order: order.number,
        itemCount: order.rows.length,
        barcodes: order.rows.slice(0, 3).map((row) => row.Z1_CODBAR),
      })),
  )
}
