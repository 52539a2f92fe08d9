import { type CutRow, type JunctionRow, type PullTestRow, percentOf } from './dictionary.ts'
import { type Random, randomFor } from './random.ts'
import { commaText, gaugeOf, terminalsFor } from './sample-catalogue.ts'

export type Progress = 'untouched' | 'partial' | 'complete' | 'closed'

/** An order as the generator leaves it. */
export type SampleOrder = {
  branch: string
  number: string
  progress: Progress
  /** Takes no more recordings. */
  closed: boolean
  rows: CutRow[]
  junctions: SampleJunction[]
}

/** Where several wires of an order come together. */
export type SampleJunction = {
  row: JunctionRow
  /** Pieces reported so far: more than ordered is possible. */
  joined: number
  test: PullTestRow
}

const TERMINALS = 'TERMINAIS'
const ULTRASONIC = 'M500US01'
const POSITIONS_MAX = 6

type End = 'Z1_DE' | 'Z1_PARA'
const ends = ['Z1_DE', 'Z1_PARA'] as const satisfies End[]
type Side = 'E' | 'D'
type JoinedEnd = readonly [side: Side, row: CutRow, end: End]
type Plan = {
  position: string
  group: string
  terminal: string
  tight: boolean
  special: boolean
  joined: number
  wires: readonly JoinedEnd[]
}

/** Adds pieces to a junction; its percentage follows, beyond 100 as well. */
export function join(junction: SampleJunction, pieces: number): void {
  junction.joined += pieces
  junction.row.Z8_PJUNCAO = percentOf(junction.joined, junction.row.Z8_QTDPECA)
}

const gaugeIn = (row: CutRow) => gaugeOf(Number(row.Z1_BITOLA.replace(',', '.')))

/** A joint of several wires holds no more than its smallest one. */
const smallestGauge = (wires: readonly JoinedEnd[]) =>
  wires.map(([, row]) => gaugeIn(row)).reduce((smallest, gauge) => (gauge.mm2 < smallest.mm2 ? gauge : smallest))

function makeJunction(first: CutRow, plan: Plan): SampleJunction {
  for (const [side, row, end] of plan.wires) row[end] = `${plan.position}|${side}`
  const gauge = smallestGauge(plan.wires)
  const junction: SampleJunction = {
    row: {
      Z8_FILIAL: first.Z1_FILIAL,
      Z8_OP: first.Z1_OP,
      Z8_POSICAO: plan.position,
      Z8_TERMINA: plan.terminal,
      Z8_GRUPOMP: plan.group,
      Z8_ESTANQU: plan.tight ? 'S' : 'N',
      Z8_CABOESP: plan.special ? 'S' : 'N',
      Z8_PJUNCAO: 0,
      Z8_QTDPECA: first.Z1_QUANT,
      Z8_CLIENTE: first.Z1_CLIENTE,
      Z8_PRODUTO: first.Z1_PRODUTO,
      Z8_REVCLI: first.Z1_REVCLI,
      Z8_REVLTM: first.Z1_REVLTM,
      Z8_DESCPRO: first.Z1_DESCPRO,
    },
    joined: 0,
    test: { ZTB_BITOLA: commaText(gauge.mm2), ZTB_FORCA: gauge.forceMinN },
  }
  join(junction, plan.joined)
  return junction
}

/** The positions of the main order that manuals and tests name. One wire of J03 begins and ends there. */
function mainPlans(rows: readonly CutRow[]): Plan[] {
  const wire = (side: Side, item: string, end: End): JoinedEnd => {
    const row = rows.find(({ Z1_ITEMEST }) => Z1_ITEMEST === item)
    if (!row) throw new Error(`No item ${item} in the main order`)
    return [side, row, end]
  }
  const withTerminals = { group: TERMINALS, tight: true, special: false, joined: 0 }
  return [
    {
      ...withTerminals,
      position: 'J01',
      terminal: 'T0925590',
      wires: [
        wire('E', '000010', 'Z1_DE'),
        wire('E', '000050', 'Z1_PARA'),
        wire('D', '000020', 'Z1_PARA'),
        wire('D', '000040', 'Z1_DE'),
      ],
    },
    {
      ...withTerminals,
      position: 'J02',
      group: ULTRASONIC,
      terminal: '',
      tight: false,
      wires: [
        wire('E', '000110', 'Z1_DE'),
        wire('E', '000060', 'Z1_PARA'),
        wire('D', '000120', 'Z1_DE'),
        wire('D', '000200', 'Z1_DE'),
      ],
    },
    {
      ...withTerminals,
      position: 'J 02/A',
      terminal: 'T1062914',
      special: true,
      joined: 30,
      wires: [wire('E', '000070', 'Z1_DE'), wire('D', '000080', 'Z1_DE'), wire('D', '000090', 'Z1_PARA')],
    },
    {
      ...withTerminals,
      position: 'J03',
      terminal: 'T1326030',
      tight: false,
      joined: 120,
      wires: [wire('E', '000030', 'Z1_DE'), wire('D', '000030', 'Z1_PARA'), wire('D', '000100', 'Z1_DE')],
    },
  ]
}

function makeJoined(random: Random, quantity: number, progress: SampleOrder['progress']): number {
  if (progress === 'untouched') return 0
  if (progress === 'complete') return quantity
  return random.weighted([
    [0, 35],
    [random.between(1, quantity), 40],
    [quantity, 25],
  ])
}

/** Two to five wires each, at least one from either side, and no wire twice at one position. */
function makePlans(random: Random, rows: readonly CutRow[], progress: SampleOrder['progress']): Plan[] {
  const plans: Plan[] = []
  let open = random.shuffled(rows.flatMap((row) => ends.map((end) => [row, end] as const)))
  const count = random.between(0, POSITIONS_MAX)
  while (plans.length < count) {
    const taken = new Map<CutRow, (typeof open)[number]>()
    const size = random.between(2, 5)
    for (const entry of open) if (taken.size < size && !taken.has(entry[0])) taken.set(entry[0], entry)
    if (taken.size < 2) break
    open = open.filter((entry) => taken.get(entry[0]) !== entry)
    const wires = [...taken.values()].map(
      ([row, end], at): JoinedEnd => [at === 0 ? 'E' : at === 1 ? 'D' : random.pick(['E', 'D']), row, end],
    )
    const withTerminals = random.chance(0.7)
    plans.push({
      position: `J${String(plans.length + 1).padStart(2, '0')}`,
      group: withTerminals ? TERMINALS : ULTRASONIC,
      terminal: withTerminals ? random.pick(terminalsFor(smallestGauge(wires).mm2)) : '',
      tight: random.chance(0.4),
      special: random.chance(0.1),
      joined: makeJoined(random, rows[0]?.Z1_QUANT ?? 0, progress),
      wires,
    })
  }
  return plans
}

/**
 * The junctions of an order. Says in its rows where every wire begins and ends, and changes nothing else of them: the
 * random stream is its own.
 */
export function addJunctions(seed: number, order: Omit<SampleOrder, 'junctions'>, isMain: boolean): SampleJunction[] {
  const { branch, number, rows, progress } = order
  const random = randomFor(seed, 'junctions', branch, number)
  for (const row of rows) for (const end of ends) row[end] = `X${random.between(10, 40)}.${random.between(1, 24)}`
  const [first] = rows
  if (!first) return []
  const plans = isMain ? mainPlans(rows) : makePlans(random, rows, progress)
  return plans.map((plan) => makeJunction(first, plan))
}
