import { balanceOf, checkCutCrimp, checkJunction, sectionOf } from './checks.ts'
import {
  type CutRow,
  hasSection,
  isComplete,
  type JunctionRow,
  type MachineRow,
  register,
  type Section,
} from './dictionary.ts'
import { openJournal } from './journal.ts'
import { hashOf, type RecordRequest, Refusal, textOf } from './requests.ts'
import { sampleMachines } from './sample-catalogue.ts'
import { join, type SampleJunction, type SampleOrder } from './sample-junctions.ts'
import { makeSampleOrders } from './sample-orders.ts'

type Stamp = {
  /** Empty when the sender named none. */
  id: string
  bodyHash: string
  branch: string
  erpRecord: string
  /** Milliseconds of the simulator's clock. */
  at: number
}

/** One reported quantity as the ERP stored it. */
export type AppliedWrite = Stamp & { barcode: string; section: Section; pieces: number }

export type JunctionWrite = Stamp & { kind: 'junction'; order: string; position: string; pieces: number }

export type ReceiptWrite = Stamp & {
  kind: 'receipt'
  barcode: string
  operator: string
  /** Somebody was faster: nothing changed. */
  receivedBefore: boolean
}

/** Journals from before there were others hold cuts and crimps without a kind. */
type Entry = AppliedWrite | JunctionWrite | ReceiptWrite

/** The control table by the sender's id: 0 in process, 1 done, 2 refused. */
export type Integration = {
  status: '0' | '1' | '2'
  message: string
  at: number
  bodyHash: string
  erpRecord: string
}

export type Recorded = { erpRecord: string; message: string; repeated: boolean }

const PLANTS = ['010101', '020101']

const machines: readonly MachineRow[] = sampleMachines.map((machine) => ({
  ID: machine.id,
  FABRICANTE: machine.maker,
  DESCRICAO: machine.description,
  TIPOS: machine.kinds.join(','),
}))

function messageOf(entry: Entry): string {
  if (!('kind' in entry)) return 'Apontamento realizado com sucesso!'
  if (entry.kind === 'junction') return 'Apontamento de junção registrado com sucesso!'
  return entry.receivedBefore ? 'Item já recebido' : 'Recebimento confirmado'
}

type ListedRow = CutRow | JunctionRow
/** Counters of a row as they were before its last write. */
type Former = { at: number; row: ListedRow }

type Content = {
  orders: SampleOrder[]
  orderOf: Map<string, SampleOrder>
  rows: Map<string, CutRow>
  former: Map<ListedRow, Former>
  integrations: Map<string, Integration>
  writes: AppliedWrite[]
  junctionWrites: JunctionWrite[]
  receipts: ReceiptWrite[]
}

function fill(seed: number | undefined): Content {
  const orders = makeSampleOrders(seed)
  const placed = orders.flatMap((order) => order.rows.map((row) => [row, order] as const))
  return {
    orders,
    orderOf: new Map(placed.map(([row, order]) => [row.Z1_CODBAR, order])),
    rows: new Map(placed.map(([row]) => [row.Z1_CODBAR, row])),
    former: new Map(),
    integrations: new Map(),
    writes: [],
    junctionWrites: [],
    receipts: [],
  }
}

const numbered = (list: readonly unknown[]) => String(list.length + 1).padStart(9, '0')

/** All that the imitated ERP knows. Every change is one synchronous step, on disk first where there is a journal. */
export class Ledger {
  #content: Content
  readonly #seed: number | undefined
  readonly #dedup: boolean
  readonly #now: () => number
  readonly #journal: ReturnType<typeof openJournal<Entry>> | null

  constructor(options: {
    seed: number | undefined
    dedup: boolean
    journalFile: string | undefined
    now: () => number
  }) {
    this.#seed = options.seed
    this.#dedup = options.dedup
    this.#now = options.now
    this.#content = fill(options.seed)
    this.#journal = options.journalFile ? openJournal(options.journalFile) : null
    for (const write of this.#journal?.entries ?? []) this.#apply(write)
  }

  get rows(): ReadonlyMap<string, CutRow> {
    return this.#content.rows
  }
  get writes(): readonly AppliedWrite[] {
    return this.#content.writes
  }
  get junctionWrites(): readonly JunctionWrite[] {
    return this.#content.junctionWrites
  }
  /** Those that changed something. */
  get receipts(): readonly ReceiptWrite[] {
    return this.#content.receipts
  }
  get integrations(): ReadonlyMap<string, Integration> {
    return this.#content.integrations
  }

  /** Every row of an order, or the one row of a barcode. */
  search(branch: string, by: 'OP' | 'CODBAR', term: string): CutRow[] {
    if (by === 'CODBAR') {
      const row = this.#content.rows.get(term)
      return row && row.Z1_FILIAL === branch ? [row] : []
    }
    return this.#order(branch, term)?.rows ?? []
  }

  junctions(branch: string, order: string): SampleJunction[] {
    return this.#order(branch, order)?.junctions ?? []
  }

  /** The wires that end at one of the positions. */
  circuits(branch: string, order: string, positions: readonly string[]): CutRow[] {
    const isThere = (end: string) => end.includes('|') && positions.includes(end.split('|')[0] ?? '')
    return this.search(branch, 'OP', order).filter(({ Z1_DE, Z1_PARA }) => isThere(Z1_DE) || isThere(Z1_PARA))
  }

  machines(branch: string, kind: string): MachineRow[] {
    if (!PLANTS.includes(branch)) return []
    return machines.filter((machine) => !kind || machine.TIPOS.split(',').includes(kind))
  }

  /** What nobody asked for, of the plant next door. */
  orderOfOtherPlant(branch: string): { branch: string; number: string } {
    const isOther = (order: SampleOrder) => order.branch !== branch && order.junctions.length > 0
    return this.#content.orders.find(isOther) ?? { branch: '', number: '' }
  }

  /** The row as it was, where its last write is younger than that. */
  rowBefore<Row extends ListedRow>(row: Row, ageMsMax: number): Row {
    const former = this.#content.former.get(row)
    return former && this.#now() - former.at < ageMsMax ? (former.row as Row) : row
  }

  /** Marks an id as in process, so that a look-up meanwhile says so. */
  begin(body: RecordRequest): void {
    const id = textOf(body.ID_INTEGRACAO)
    if (!id || this.#content.integrations.has(id)) return
    this.#note(id, { status: '0', message: '', bodyHash: hashOf(body), erpRecord: '' })
  }

  /** Stores one cut or crimp, or throws a Refusal. */
  record(branch: string, body: RecordRequest): Recorded {
    return this.#once(branch, body, (stamp): AppliedWrite => {
      const { row, order } = this.#placedRow(branch, body)
      const { section, pieces } = checkCutCrimp(order, row, body)
      return { ...stamp, barcode: row.Z1_CODBAR, section, pieces, erpRecord: numbered(this.#content.writes) }
    })
  }

  /** Stores pieces of one junction, or throws a Refusal. */
  recordJunction(branch: string, body: RecordRequest): Recorded {
    return this.#once(branch, body, (stamp): JunctionWrite => {
      const { order, junction } = this.#placedJunction(branch, body)
      if (!order || !junction) throw new Refusal('Junção não encontrada')
      const pieces = checkJunction(order, junction, body)
      const place = { order: order.number, position: junction.row.Z8_POSICAO }
      return { ...stamp, kind: 'junction', ...place, pieces, erpRecord: numbered(this.#content.junctionWrites) }
    })
  }

  /** Stores that the wires of one item were received, or throws a Refusal. Twice changes nothing. */
  confirmReceipt(branch: string, body: RecordRequest): Recorded {
    return this.#once(branch, body, (stamp): ReceiptWrite => {
      const { row } = this.#placedRow(branch, body)
      const receivedBefore = row.Z1_CONFERE === 'S'
      return { ...stamp, kind: 'receipt', barcode: row.Z1_CODBAR, operator: textOf(body.OPERADOR), receivedBefore }
    })
  }

  /** An office user closes the order that this body is about. */
  closeOrder(branch: string, body: RecordRequest): void {
    const order = this.#content.orderOf.get(textOf(body.COD_BARRA)) ?? this.#order(branch, textOf(body.NUMERO_OP))
    if (order) order.closed = true
  }

  /** Somebody else reports all that was open of what this body is about to report. */
  reportElsewhere(branch: string, body: RecordRequest): void {
    const { junction } = this.#placedJunction(branch, body)
    if (junction) join(junction, Math.max(junction.row.Z8_QTDPECA - junction.joined, 0))
    const row = this.#content.rows.get(textOf(body.COD_BARRA))
    if (!row) return
    const section = sectionOf(body)
    register(row, section, balanceOf(row, section))
  }

  /** A logical deletion of the row that this body is about. */
  deleteRow(branch: string, body: RecordRequest): void {
    const { order: junctionOrder, junction } = this.#placedJunction(branch, body)
    if (junctionOrder) junctionOrder.junctions = junctionOrder.junctions.filter((other) => other !== junction)
    const barcode = textOf(body.COD_BARRA)
    const order = this.#content.orderOf.get(barcode)
    if (!order) return
    order.rows = order.rows.filter((row) => row.Z1_CODBAR !== barcode)
    this.#content.rows.delete(barcode)
    this.#content.orderOf.delete(barcode)
  }

  reset(): void {
    this.#journal?.clear()
    this.#content = fill(this.#seed)
  }

  close(): void {
    this.#journal?.close()
  }

  #order(branch: string, number: string): SampleOrder | undefined {
    return this.#content.orders.find((order) => order.branch === branch && order.number === number)
  }

  #placedRow(branch: string, body: RecordRequest): { row: CutRow; order: SampleOrder } {
    const barcode = textOf(body.COD_BARRA)
    const row = this.#content.rows.get(barcode)
    const order = this.#content.orderOf.get(barcode)
    if (!row || !order || row.Z1_FILIAL !== branch) throw new Refusal('Código de barras não encontrado')
    return { row, order }
  }

  #placedJunction(branch: string, body: RecordRequest) {
    const order = this.#order(branch, textOf(body.NUMERO_OP))
    const position = textOf(body.POSICAO)
    return { order, junction: order?.junctions.find(({ row }) => row.Z8_POSICAO === position) }
  }

  #note(id: string, entry: Omit<Integration, 'at'>): void {
    this.#content.integrations.set(id, { ...entry, at: this.#now() })
  }

  /**
   * The same id with the same content gives the first answer again; an id that was refused may try again.
   */
  #once(branch: string, body: RecordRequest, make: (stamp: Stamp) => Entry): Recorded {
    const id = textOf(body.ID_INTEGRACAO)
    const bodyHash = hashOf(body)
    const known = id && this.#dedup ? this.#content.integrations.get(id) : undefined
    if (known && known.bodyHash !== bodyHash) {
      throw new Refusal('ID_INTEGRACAO já utilizado em outro apontamento', 409)
    }
    if (known?.status === '1') return { erpRecord: known.erpRecord, message: known.message, repeated: true }
    try {
      const entry = make({ id, bodyHash, branch, erpRecord: '', at: this.#now() })
      this.#journal?.append(entry)
      this.#apply(entry)
      return { erpRecord: entry.erpRecord, message: messageOf(entry), repeated: false }
    } catch (error) {
      if (error instanceof Refusal) {
        if (id) this.#note(id, { status: '2', message: error.message, bodyHash, erpRecord: '' })
      } else this.#content.integrations.delete(id)
      throw error
    }
  }

  /** Also the replay: a row that the sample no longer has is passed over, its id stays known. */
  #apply(entry: Entry): void {
    if (entry.id) {
      const { bodyHash, erpRecord, at } = entry
      this.#content.integrations.set(entry.id, { status: '1', message: messageOf(entry), bodyHash, erpRecord, at })
    }
    if (!('kind' in entry)) this.#applyCutCrimp(entry)
    else if (entry.kind === 'junction') this.#applyJunction(entry)
    else this.#applyReceipt(entry)
  }

  #applyCutCrimp(write: AppliedWrite): void {
    const { rows, orderOf, writes } = this.#content
    writes.push(write)
    const row = rows.get(write.barcode)
    const order = orderOf.get(write.barcode)
    if (!row || !order) return
    this.#keepFormer(row, write.at)
    if (hasSection(row, write.section)) register(row, write.section, write.pieces)
    if (order.rows.every(isComplete)) order.closed = true
  }

  #applyJunction(write: JunctionWrite): void {
    this.#content.junctionWrites.push(write)
    const { junction } = this.#placedJunction(write.branch, { NUMERO_OP: write.order, POSICAO: write.position })
    if (!junction) return
    this.#keepFormer(junction.row, write.at)
    join(junction, write.pieces)
  }

  #applyReceipt(write: ReceiptWrite): void {
    if (write.receivedBefore) return
    this.#content.receipts.push(write)
    const row = this.#content.rows.get(write.barcode)
    if (!row) return
    this.#keepFormer(row, write.at)
    row.Z1_CONFERE = 'S'
  }

  #keepFormer(row: ListedRow, at: number): void {
    this.#content.former.set(row, { at, row: { ...row } })
  }
}
