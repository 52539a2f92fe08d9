import { createHash } from 'node:crypto'
import {
  type CutRow,
  hasSection,
  isComplete,
  type MachineRow,
  NONE,
  register,
  type Section,
  sectionNames,
  sections,
} from './dictionary.ts'
import { openJournal } from './journal.ts'
import { sampleBlockedLot, sampleMachines } from './sample-catalogue.ts'
import { makeSampleOrders, type SampleOrder } from './sample-orders.ts'

/** One reported quantity as the ERP stored it. */
export type AppliedWrite = {
  /** Empty when the sender named none. */
  id: string
  bodyHash: string
  branch: string
  barcode: string
  section: Section
  pieces: number
  erpRecord: string
  /** Milliseconds of the simulator's clock. */
  at: number
}

/** The control table by the sender's id: 0 in process, 1 done, 2 refused. */
export type Integration = {
  status: '0' | '1' | '2'
  message: string
  at: number
  bodyHash: string
  erpRecord: string
}

export type RecordRequest = Readonly<Record<string, unknown>>

/** The ERP said no, in its own words. */
export class Refusal extends Error {
  readonly status: number
  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

export const RECORDED = 'Apontamento realizado com sucesso!'
const PLANTS = ['010101', '020101']
const markers: Record<Section, string> = { cable: 'COD_CABO', side1: 'TERM_LD1', side2: 'TERM_LD2' }
const lotKeys: Record<Section, string> = { cable: 'LOTE_CABO', side1: 'LOTE_TERM_LD1', side2: 'LOTE_TERM_LD2' }

const machines: readonly MachineRow[] = sampleMachines.map((machine) => ({
  ID: machine.id,
  FABRICANTE: machine.maker,
  DESCRICAO: machine.description,
  TIPOS: machine.kinds.join(','),
}))

export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value).trim())

/** The order of the keys is nobody's intent. */
const hashOf = (body: RecordRequest): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')

/** Counters of a row as they were before its last write. */
type Former = { at: number; row: CutRow }

type Content = {
  orders: SampleOrder[]
  orderOf: Map<string, SampleOrder>
  rows: Map<string, CutRow>
  former: Map<string, Former>
  integrations: Map<string, Integration>
  writes: AppliedWrite[]
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
  }
}

function sectionOf(body: RecordRequest): Section {
  const section = sectionNames.find((name) => textOf(body[markers[name]]) !== '')
  if (!section) throw new Refusal('Informe o cabo ou o terminal do apontamento')
  return section
}

const balanceOf = (row: CutRow, section: Section) => row.Z1_QUANT - row[sections[section].registered]

/** All that the imitated ERP knows. Every change is one synchronous step, on disk first where there is a journal. */
export class Ledger {
  #content: Content
  readonly #seed: number | undefined
  readonly #dedup: boolean
  readonly #now: () => number
  readonly #journal: ReturnType<typeof openJournal<AppliedWrite>> | null

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
  get integrations(): ReadonlyMap<string, Integration> {
    return this.#content.integrations
  }

  /** Every row of an order, or the one row of a barcode. */
  search(branch: string, by: 'OP' | 'CODBAR', term: string): CutRow[] {
    if (by === 'CODBAR') {
      const row = this.#content.rows.get(term)
      return row && row.Z1_FILIAL === branch ? [row] : []
    }
    return this.#ordersOf(branch).find((order) => order.number === term)?.rows ?? []
  }

  machines(branch: string, kind: string): MachineRow[] {
    if (!PLANTS.includes(branch)) return []
    return machines.filter((machine) => !kind || machine.TIPOS.split(',').includes(kind))
  }

  /** Rows that nobody asked for, of the plant next door. */
  rowsOfOtherPlant(branch: string): CutRow[] {
    const other = PLANTS.find((plant) => plant !== branch) ?? ''
    return this.#ordersOf(other).find((order) => order.rows.length > 0)?.rows ?? []
  }

  /** The row as it was, where its last write is younger than that. */
  rowBefore(row: CutRow, ageMsMax: number): CutRow {
    const former = this.#content.former.get(row.Z1_CODBAR)
    return former && this.#now() - former.at < ageMsMax ? former.row : row
  }

  /** Marks an id as in process, so that a look-up meanwhile says so. */
  begin(body: RecordRequest): void {
    const id = textOf(body.ID_INTEGRACAO)
    if (!id || this.#content.integrations.has(id)) return
    this.#note(id, { status: '0', message: '', bodyHash: hashOf(body), erpRecord: '' })
  }

  /**
   * Stores one cut or crimp, or throws a Refusal. The same id with the same content gives the first answer again;
   * an id that was refused may try again.
   */
  record(branch: string, body: RecordRequest): { erpRecord: string; message: string; repeated: boolean } {
    const id = textOf(body.ID_INTEGRACAO)
    const bodyHash = hashOf(body)
    const known = id && this.#dedup ? this.#content.integrations.get(id) : undefined
    if (known && known.bodyHash !== bodyHash) {
      throw new Refusal('ID_INTEGRACAO já utilizado em outro apontamento', 409)
    }
    if (known?.status === '1') return { erpRecord: known.erpRecord, message: known.message, repeated: true }
    try {
      const { row, section, pieces } = this.#check(branch, body)
      const erpRecord = String(this.#content.writes.length + 1).padStart(9, '0')
      const write = { id, bodyHash, branch, barcode: row.Z1_CODBAR, section, pieces, erpRecord, at: this.#now() }
      this.#journal?.append(write)
      this.#apply(write)
      return { erpRecord, message: RECORDED, repeated: false }
    } catch (error) {
      if (error instanceof Refusal) {
        if (id) this.#note(id, { status: '2', message: error.message, bodyHash, erpRecord: '' })
      } else this.#content.integrations.delete(id)
      throw error
    }
  }

  /** An office user closes the order of this barcode. */
  closeOrder(barcode: string): void {
    const order = this.#content.orderOf.get(barcode)
    if (order) order.closed = true
  }

  /** Somebody else reports all that was open of what this body is about to report. */
  reportElsewhere(body: RecordRequest): void {
    const row = this.#content.rows.get(textOf(body.COD_BARRA))
    if (!row) return
    const section = sectionOf(body)
    register(row, section, balanceOf(row, section))
  }

  /** A logical deletion. */
  deleteRow(barcode: string): void {
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

  #ordersOf(branch: string): SampleOrder[] {
    return this.#content.orders.filter((order) => order.branch === branch)
  }

  #note(id: string, entry: Omit<Integration, 'at'>): void {
    this.#content.integrations.set(id, { ...entry, at: this.#now() })
  }

  #check(branch: string, body: RecordRequest): { row: CutRow; section: Section; pieces: number } {
    const barcode = textOf(body.COD_BARRA)
    const row = this.#content.rows.get(barcode)
    const order = this.#content.orderOf.get(barcode)
    if (!row || !order || row.Z1_FILIAL !== branch) throw new Refusal('Código de barras não encontrado')
    if (order.closed) throw new Refusal('Ordem de produção encerrada')
    const machineId = textOf(body.MAQUINA).split(' ')[0]
    if (!machines.some((machine) => machine.ID === machineId)) throw new Refusal('Máquina não cadastrada')
    const section = sectionOf(body)
    const { terminal } = sections[section]
    if (terminal && (row[terminal] === NONE || row[terminal] !== textOf(body[markers[section]]))) {
      throw new Refusal('Terminal informado difere da estrutura')
    }
    if (textOf(body[lotKeys[section]]) === sampleBlockedLot) throw new Refusal('Lote bloqueado')
    const pieces = Number(body.QTD_REALIZADA)
    if (!(pieces > 0)) throw new Refusal('Quantidade inválida')
    const balance = balanceOf(row, section)
    if (pieces > balance) throw new Refusal(`Quantidade excede o saldo da ordem (saldo ${balance})`)
    return { row, section, pieces }
  }

  /** Also the replay: a row that the sample no longer has is passed over, its id stays known. */
  #apply(write: AppliedWrite): void {
    const { rows, orderOf, former, integrations, writes } = this.#content
    writes.push(write)
    if (write.id) {
      const { bodyHash, erpRecord, at } = write
      integrations.set(write.id, { status: '1', message: RECORDED, bodyHash, erpRecord, at })
    }
    const row = rows.get(write.barcode)
    const order = orderOf.get(write.barcode)
    if (!row || !order) return
    former.set(write.barcode, { at: write.at, row: { ...row } })
    if (hasSection(row, write.section)) register(row, write.section, write.pieces)
    if (order.rows.every(isComplete)) order.closed = true
  }
}
