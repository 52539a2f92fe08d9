import { randomUUID } from 'node:crypto'
import type { ErpItem } from '../../../contract/items.ts'
import { type ErpJunction, isUltrasonic } from '../../../contract/junctions.ts'
import { machineTypes } from '../../../contract/machines.ts'
import type { Plant } from '../../../contract/settings.ts'
import type { ErpCommandConfig } from '../../config.ts'
import { asObject, type ErpObject } from '../answer.ts'
import { ErpFailure, type ErpGateway } from '../gateway.ts'
import { NoAnswer, openHttp } from '../http.ts'
import { objectsOf, rowsOf } from '../mapping.ts'
import { openProtheus, type ProtheusOptions } from '../protheus.ts'
import { checkAddress } from './address.ts'
import {
  answersOf,
  type Exchange,
  findFault,
  inspectEncoding,
  inspectLogin,
  inspectPages,
  listenTo,
} from './answers.ts'
import {
  circuitRules,
  type FieldRules,
  inspectRows,
  itemRules,
  junctionRules,
  machineRules,
  materialRules,
  testRules,
} from './fields.ts'
import { type Finding, finding } from './findings.ts'
import { inspectQuantities, itemQuantityRules, junctionQuantityRules, type QuantityRules } from './quantities.ts'
import { tryToWrite } from './write-trial.ts'

export type CheckedCall = {
  /** In words. */
  name: string
  /** Null: of no plant. */
  branch: string | null
  /** The good part of the answer, in words; empty where there was none. */
  right: string
  tookMs: number | null
  findings: Finding[]
}

export type CheckOptions = Omit<ProtheusOptions, 'http' | 'log'> & { plants: readonly Plant[]; order: string }

/** As the panel itself calls the ERP. */
export const checkOptionsOf = (
  { erpCompany, erpMaxConcurrent, erpLookup, erpSettings, plants }: ErpCommandConfig,
  given: Pick<CheckOptions, 'url' | 'user' | 'password' | 'order' | 'now'>,
): CheckOptions => ({
  ...given,
  company: erpCompany,
  maxConcurrent: erpMaxConcurrent,
  lookup: erpLookup,
  settings: erpSettings,
  plants,
})

const CLOCK_APART_MS_MAX = 60_000
const CONNECT_MS = 3000
/** A screen shows its last copy after as long. */
const SLOW_MS = 3000
const silent = { info: () => {}, warn: () => {}, error: () => {} }

const isWrong = ({ level }: Finding) => level === 'wrong'

type Looked = { right: string; findings: Finding[] }

/** The gateway as the panel uses it, and what goes over its line. */
class Checker {
  readonly erp: ErpGateway
  readonly #line: ReturnType<typeof listenTo>
  readonly #tokenPath: string
  login: Exchange | null = null

  constructor(options: CheckOptions) {
    this.#line = listenTo(openHttp({ baseUrl: options.url, connectMs: CONNECT_MS }))
    this.#tokenPath = new URL(options.url + options.settings.paths.token).pathname
    this.erp = openProtheus({ ...options, log: silent, http: this.#line })
  }

  /** One read, and what `look` has to say of its answers. `result` null: the panel would get nothing. */
  async read<T>(
    { name, branch }: Pick<CheckedCall, 'name' | 'branch'>,
    ask: (erp: ErpGateway) => Promise<T>,
    look: (result: T | null, exchanges: readonly Exchange[]) => Looked,
  ): Promise<{ result: T | null; checked: CheckedCall }> {
    this.#line.take()
    let failed: ErpFailure | null = null
    const result = await ask(this.erp).catch((error: unknown) => {
      if (!(error instanceof ErpFailure)) throw error
      failed = error
      return null
    })
    const all = this.#line.take()
    const logins = all.filter(({ path }) => path === this.#tokenPath)
    this.login = logins.at(-1) ?? this.login
    const exchanges = all.filter((one) => !logins.includes(one))
    const looked = look(result, exchanges)
    // what cannot be used explains itself by its rows, all else by the answer
    const isExplained = failed === null || looked.findings.some(isWrong)
    const findings = [
      ...looked.findings,
      ...inspectEncoding(all),
      ...(isExplained ? [] : [findFault(exchanges.at(-1))]),
    ]
    const tookMs = exchanges.at(-1)?.tookMs ?? null
    if (failed === null && (tookMs ?? 0) > SLOW_MS) findings.push(finding('slow', 'ms', tookMs))
    return { result, checked: { name, branch, right: failed === null ? looked.right : '', tookMs, findings } }
  }

  /** A read that lists: its rows one by one. */
  list<T>(what: Pick<CheckedCall, 'name' | 'branch'>, ask: (erp: ErpGateway) => Promise<T>, rules: ListRules) {
    return this.read(what, ask, (result, exchanges) => {
      const pages = answersOf(exchanges).filter(({ status }) => status < 300)
      const rows = pages.flatMap(({ value }) => rowsOf(value, rules.key) ?? [])
      const ofPages = inspectPages(pages, rules.key)
      // the rows of a page that came twice are no duplicates
      const isRepeated = ofPages.some(({ code }) => code === 'repeated_page')
      const inspected = isRepeated ? (rowsOf(pages[0]?.value, rules.key) ?? []) : rows
      return {
        right: `${rows.length} linhas`,
        findings: [
          ...ofPages,
          ...inspectRows(inspected, rules.fields, rules.key),
          ...(rules.quantities ? inspectQuantities(inspected, rules.quantities, rules.key) : []),
          ...(result !== null && rows.length === 0 && rules.isNeeded ? [finding('no_rows', rules.key)] : []),
        ],
      }
    })
  }
}

type ListRules = { key: string; fields: FieldRules; quantities?: QuantityRules; isNeeded: boolean }

/** Is it there, is it the Protheus, what time does it have. */
const checkProbe = (checker: Checker, now: () => number) =>
  checker.read(
    { name: 'Sinal de vida', branch: null },
    (erp) => erp.probe(),
    (_, [probe]) => {
      if (!probe || probe.bytes instanceof NoAnswer) return { right: '', findings: [findFault(probe)] }
      const { status, date, isStandIn } = probe.bytes
      const isApart = Math.abs(Date.parse(date) - now()) > CLOCK_APART_MS_MAX
      return {
        right: `HTTP ${status}`,
        findings: [
          ...(isStandIn ? [finding('stand_in', 'x-erp-de-ensaio', '1')] : []),
          ...(isApart ? [finding('clock', 'Date', date)] : []),
        ],
      }
    },
  )

function checkLogin(login: Exchange): CheckedCall {
  const findings = inspectLogin(login)
  const right = findings.some(isWrong) ? '' : 'token recebido'
  return { name: 'Entrada', branch: null, right, tookMs: login.tookMs, findings }
}

const listItems = (checker: Checker, branch: string, order: string, fields: FieldRules) =>
  checker.list(
    { name: 'Itens da ordem', branch },
    (erp) => erp.searchItems({ branch, term: order, mode: 'APONTAMENTO' }),
    { key: 'Z1_CODBAR', fields, quantities: itemQuantityRules, isNeeded: false },
  )

const checkBarcode = (checker: Checker, branch: string, { Z1_CODBAR: barcode }: ErpItem) =>
  checker.read(
    { name: 'Item pelo código de barras', branch },
    (erp) => erp.searchItems({ branch, term: barcode, mode: 'APONTAMENTO' }),
    (found) => ({
      right: barcode,
      findings:
        found === null || found.rows.some((row) => row.Z1_CODBAR === barcode)
          ? []
          : [finding('not_by_barcode', 'Z1_CODBAR', barcode)],
    }),
  )

/** The details of one position, field by field. */
const checkDetails = (checker: Checker, branch: string, order: string, { Z8_POSICAO: position }: ErpJunction) =>
  checker.read(
    { name: 'Detalhes da junção', branch },
    (erp) => erp.junctionDetails({ branch, order, position }),
    (_, exchanges) => {
      const [answer] = answersOf(exchanges)
      const found = (rowsOf(answer?.value, 'REGISTROS') ?? rowsOf(answer?.value, 'CIRCUITOS') ?? []).map(asObject)
      if (answer === undefined || answer.status >= 300 || found.length === 0) return { right: '', findings: [] }
      const under = (key: string): ErpObject[] => found.flatMap((row) => objectsOf(row?.[key]))
      const [materials, circuits, tests] = [under('REGISTROS'), under('CIRCUITOS'), under('TESTE')]
      return {
        right: `${position}, ${circuits.length} circuitos`,
        findings: [
          ...(materials.length === 0 ? [finding('no_materials', 'registros', found[0]?.REGISTROS)] : []),
          ...(circuits.length === 0 ? [finding('no_circuits', 'circuitos', found[0]?.CIRCUITOS)] : []),
          ...(tests.length === 0 ? [finding('no_test', 'teste', found[0]?.TESTE)] : []),
          ...inspectRows(materials, materialRules, null),
          ...inspectRows(circuits, circuitRules(position), null),
          ...inspectRows(tests, testRules, null),
        ],
      }
    },
  )

async function* checkJunctions(checker: Checker, branch: string, order: string): AsyncGenerator<CheckedCall> {
  const { result, checked } = await checker.list(
    { name: 'Junções da ordem', branch },
    (erp) => erp.searchJunctions({ branch, order }),
    { key: 'Z8_POSICAO', fields: junctionRules, quantities: junctionQuantityRules, isNeeded: false },
  )
  yield checked
  const positions = result?.rows ?? []
  const isOdd = ({ Z8_POSICAO }: ErpJunction) => /\W/.test(Z8_POSICAO)
  // one of each sort: a name that an address must encode, a terminal, ultrasound
  const sorts = [
    isOdd,
    (row: ErpJunction) => !isUltrasonic(row.Z8_GRUPOMP),
    (row: ErpJunction) => isUltrasonic(row.Z8_GRUPOMP),
  ]
  const chosen = new Set(sorts.map((sort) => positions.find(sort)).filter((row) => row !== undefined))
  for (const row of chosen) yield (await checkDetails(checker, branch, order, row)).checked
}

async function* checkMachines(checker: Checker, branch: string): AsyncGenerator<CheckedCall> {
  for (const type of machineTypes) {
    const ask = (erp: ErpGateway) => erp.listMachines({ branch, type })
    const rules = { key: 'ID', fields: machineRules, isNeeded: true }
    yield (await checker.list({ name: `Máquinas (${type})`, branch }, ask, rules)).checked
  }
}

async function checkLookup(checker: Checker, branch: string, lookup: CheckOptions['lookup']): Promise<CheckedCall> {
  const integrationId = randomUUID()
  const { checked } = await checker.read(
    { name: 'Procura pelo identificador', branch },
    (erp) => erp.findByIntegrationId({ branch, integrationId }),
    (found, exchanges) => {
      if (lookup === 'none') return { right: '', findings: [finding('lookup_off', 'ERP_LOOKUP', 'none')] }
      if (found !== null) return { right: '', findings: [finding('lookup_foreign', 'ID_INTEGRACAO', found)] }
      const [answer] = answersOf(exchanges)
      const isClear = answer?.status === 404 && asObject(answer.value) !== null
      const unclear = answer && !isClear ? [finding('lookup_unclear', `HTTP ${answer.status}`, answer.text)] : []
      return { right: '404 para um identificador novo', findings: unclear }
    },
  )
  return checked
}

async function checkWrite(checker: Checker, branch: string, items: ErpItem[], lookup: CheckOptions['lookup']) {
  const findings: Finding[] = []
  const trial = { erp: checker.erp, branch, items, lookup, integrationId: randomUUID() }
  const { checked } = await checker.read(
    { name: 'Gravação de teste', branch },
    () => tryToWrite(trial, findings),
    (right) => ({ right: right ?? '', findings }),
  )
  return checked
}

/** Asks the ERP for all that the panel asks for, and says of each call what is right and what is not. */
export async function* checkErp(options: CheckOptions, isWriting: boolean): AsyncGenerator<CheckedCall> {
  const { url, now, plants, order, lookup } = options
  const address = await checkAddress(url, now())
  yield { name: 'Endereço', branch: null, tookMs: null, ...address }
  if (address.findings.some(isWrong)) return
  const checker = new Checker(options)
  try {
    let isLoginShown = false
    let isOrderSeen = false
    let wrongs = 0
    const seen: { branch: string; items: ErpItem[] }[] = []
    /** Passes a call on, with what is wrong with it counted. */
    const counted = (checked: CheckedCall) => {
      wrongs += checked.findings.filter(isWrong).length
      return checked
    }
    yield counted((await checkProbe(checker, now)).checked)
    for (const { code: branch } of plants) {
      const { result, checked } = await listItems(checker, branch, order, itemRules(branch, order))
      if (checker.login && !isLoginShown) {
        isLoginShown = true
        const login = checkLogin(checker.login)
        yield counted(login)
        if (login.findings.some(isWrong)) return
      }
      yield counted(checked)
      // from here on the gateway would not even ask
      if (checker.erp.health().access === 'refused') return
      isOrderSeen ||= checked.findings.length > 0
      const [item] = result?.rows ?? []
      if (result === null || item === undefined) continue
      isOrderSeen = true
      seen.push({ branch, items: result.rows })
      yield counted((await checkBarcode(checker, branch, item)).checked)
      for await (const one of checkMachines(checker, branch)) yield counted(one)
      for await (const one of checkJunctions(checker, branch, order)) yield counted(one)
    }
    const [first] = seen
    if (!isOrderSeen) {
      const findings = [finding('order_not_found', 'termo', order)]
      yield counted({ name: 'Itens da ordem', branch: null, right: '', tookMs: null, findings })
    }
    yield counted(await checkLookup(checker, first?.branch ?? plants[0]?.code ?? '', lookup))
    if (isWriting && first && wrongs === 0) yield await checkWrite(checker, first.branch, first.items, lookup)
  } finally {
    await checker.erp.close()
  }
}
