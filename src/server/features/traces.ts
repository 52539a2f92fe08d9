import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { TRACE_LINES_MAX, type Trace, type TraceFilter, traceKinds, traces } from '../../contract/traces.ts'
import { momentTextOf, plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import { entriesOf, passesAs, type TraceEntry, traceEntryColumns } from '../../domain/reports/trace-entries.ts'
import { SHEET_STYLE, type SheetHead, sheetEnd, sheetHead, sheetLines } from '../../domain/reports/trace-sheets.ts'
import { chooseKind, type MomentText, traceFileName } from '../../domain/reports/traces.ts'
import { csvPages } from '../../domain/text/csv.ts'
import { bind } from '../http/bind.ts'
import { framedPageHeaders } from '../http/security-headers.ts'
import type { Context } from '../panel.ts'
import type { Db } from '../store/db/db.ts'
import { hasSamples, listTraceSamples } from '../store/trace-samples.ts'
import {
  countRecordings,
  countTrace,
  findTraced,
  listBranches,
  listTraceLines,
  type Traced,
  type TracePlace,
} from '../store/traces.ts'
import { beginExport } from '../upkeep/audit.ts'
import { readPlants } from './settings.ts'

const PAGE_LINES = 500

/** Headers of a page with the style of the sheets. */
export const sheetHeaders = framedPageHeaders(SHEET_STYLE)

const cursorOf = (entries: readonly TraceEntry[]): string | null => {
  const last = entries.at(-1)
  return last ? `${last.at}.${last.id}` : null
}

function placeOf(cursor: string | undefined): TracePlace | null {
  if (cursor === undefined) return null
  const [ms = '', id = ''] = cursor.split('.')
  return { recordedAt: Number(ms), id }
}

/** The traced term, and the plants whose samples stand in the trace. */
type Request = { traced: Traced; branches: readonly string[] }

/** Recordings and samples that follow, the newest first. */
async function listEntries(db: Db, { traced, branches }: Request, after: TracePlace | null, countMax: number) {
  const lines = await listTraceLines(db.read, traced, after, countMax)
  const samples = await listTraceSamples(db.read, traced, { branches, after, countMax })
  return entriesOf(lines, samples).slice(0, countMax)
}

/** Reads all entries in short queries, so recordings never wait for it. */
async function* readPages(db: Db, request: Request, filter: TraceFilter | undefined): AsyncGenerator<TraceEntry[]> {
  let entries: TraceEntry[]
  let after: TracePlace | null = null
  do {
    entries = await listEntries(db, request, after, PAGE_LINES)
    const passed = filter ? entries.filter((entry) => passesAs(filter, entry)) : entries
    if (passed.length > 0) yield passed
    after = placeOf(cursorOf(entries) ?? undefined)
    // a fast reader would keep the only thread of a server on SQLite busy
    await setImmediate()
  } while (entries.length === PAGE_LINES)
}

/** By what is stored as JSON and by copies of the order no index finds anything: all entries are read for it. */
async function readFiltered(db: Db, request: Request, filter: TraceFilter, after: TracePlace | null) {
  const [items, orders, entries] = [new Set<string>(), new Set<string>(), [] as TraceEntry[]]
  const counts = { apontamentos: 0, pecas: 0 }
  const isAfter = ({ at, id }: TraceEntry, place: TracePlace) =>
    at < place.recordedAt || (at === place.recordedAt && id < place.id)
  for await (const page of readPages(db, request, filter)) {
    for (const entry of page) {
      if (entries.length <= TRACE_LINES_MAX && (after === null || isAfter(entry, after))) entries.push(entry)
      if (!('line' in entry)) continue
      const { line } = entry
      counts.apontamentos += 1
      counts.pecas += line.pecas
      if (line.barras !== '') items.add(`${line.filial}|${line.barras}`)
      if (line.ordem !== '') orders.add(`${line.filial}|${line.ordem}`)
    }
  }
  return { contagens: { ...counts, itens: items.size, ordens: orders.size }, entries }
}

/** One entry more than a page has tells whether there is a next one. */
async function readTrace(
  db: Db,
  request: Request,
  filter: TraceFilter | undefined,
  after: TracePlace | null,
): Promise<{ contagens: Trace['contagens']; entries: TraceEntry[] }> {
  if (filter) return await readFiltered(db, request, filter, after)
  return {
    contagens: await countTrace(db.read, request.traced),
    entries: await listEntries(db, request, after, TRACE_LINES_MAX + 1),
  }
}

async function* writeSheet(db: Db, request: Request, head: SheetHead, momentText: MomentText): AsyncGenerator<string> {
  yield sheetHead(head)
  let written = 0
  for await (const entries of readPages(db, request, head.filter)) {
    written += entries.filter((entry) => 'line' in entry).length
    yield sheetLines(entries, momentText)
  }
  yield sheetEnd(written, head.counts.apontamentos)
}

export function traceRoutes(app: FastifyInstance, context: Context): void {
  const branches = context.config.plants.map(({ code }) => code)

  bind(app, context, traces.find, async ({ query: { termo, tipo, filtro, depoisDe } }, { db }) => {
    const found = []
    for (const kind of traceKinds) {
      const traced = await findTraced(db.read, kind, termo)
      const apontamentos = await countRecordings(db.read, traced)
      if (apontamentos > 0 || (await hasSamples(db.read, traced, branches))) found.push({ tipo: kind, apontamentos })
    }
    const chosen = chooseKind(found, tipo)
    const traced = await findTraced(db.read, chosen ?? 'lote', chosen === null ? '' : termo)
    const { contagens, entries } = await readTrace(db, { traced, branches }, filtro, placeOf(depoisDe))
    const page = entries.slice(0, TRACE_LINES_MAX)
    return {
      tipo: chosen,
      encontrados: found,
      contagens,
      linhas: page.flatMap((entry) => ('line' in entry ? [entry.line] : [])),
      amostras: page.flatMap((entry) => ('sample' in entry ? [entry.sample] : [])),
      proxima: entries.length > TRACE_LINES_MAX ? cursorOf(page) : null,
    }
  })

  bind(app, context, traces.csv, async ({ query: { termo, tipo, filtro } }, call) => {
    const { db, now, config } = call
    const traced = await findTraced(db.read, tipo, termo)
    const name = traceFileName(tipo, termo, plantDay(now(), config.timeZone), filtro)
    await beginExport(call, name)
    return Readable.from(
      csvPages(traceEntryColumns(momentTextOf(config.timeZone)), readPages(db, { traced, branches }, filtro)),
    )
  })

  bind(app, context, traces.sheet, async ({ query: { termo, tipo, filtro } }, { db, now, config, caller, reply }) => {
    const traced = await findTraced(db.read, tipo, termo)
    const used = await listBranches(db.read, traced)
    const momentText = momentTextOf(config.timeZone)
    const plants = await readPlants(db.read, config)
    const labelOf = (branch: string) => plants.find(({ code }) => code === branch)?.label ?? ''
    const head = {
      siteName: config.siteName,
      kind: tipo,
      term: termo.trim(),
      filter: filtro,
      plants: used.map((branch) => `${branch} ${labelOf(branch)}`.trim()),
      requestedBy: caller.fullName || caller.username,
      moment: momentText(toInstant(now())),
      counts: filtro
        ? (await readFiltered(db, { traced, branches }, filtro, null)).contagens
        : await countTrace(db.read, traced),
      forceUnit: config.erpSettings.forceUnit,
    }
    reply.headers(sheetHeaders)
    return Readable.from(writeSheet(db, { traced, branches }, head, momentText))
  })
}
