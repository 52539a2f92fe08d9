import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import {
  TRACE_LINES_MAX,
  type Trace,
  type TraceFilter,
  type TraceLine,
  traceKinds,
  traces,
} from '../../contract/traces.ts'
import { csvPages } from '../../domain/csv.ts'
import { momentTextOf, plantDay, toInstant } from '../../domain/plant-time.ts'
import { SHEET_STYLE, type SheetHead, sheetEnd, sheetHead, sheetLines } from '../../domain/trace-sheets.ts'
import { chooseKind, type MomentText, passesFilter, traceColumns, traceFileName } from '../../domain/traces.ts'
import { bind } from '../http/bind.ts'
import { framedPageHeaders } from '../http/security-headers.ts'
import type { Context } from '../panel.ts'
import type { Db } from '../store/db/db.ts'
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

const sheetHeaders = framedPageHeaders(`sha256-${createHash('sha256').update(SHEET_STYLE).digest('base64')}`)

const cursorOf = (lines: readonly TraceLine[]): string | null => {
  const last = lines.at(-1)
  return last ? `${Date.parse(last.registradoEm)}.${last.id}` : null
}

function placeOf(cursor: string | undefined): TracePlace | null {
  if (cursor === undefined) return null
  const [ms = '', id = ''] = cursor.split('.')
  return { recordedAt: Number(ms), id }
}

/** Reads all lines in short queries, so recordings never wait for it. */
async function* readPages(db: Db, traced: Traced, filter: TraceFilter | undefined): AsyncGenerator<TraceLine[]> {
  let lines: TraceLine[]
  let after: TracePlace | null = null
  do {
    lines = await listTraceLines(db.read, traced, after, PAGE_LINES)
    const passed = filter ? lines.filter(passesFilter[filter]) : lines
    if (passed.length > 0) yield passed
    after = placeOf(cursorOf(lines) ?? undefined)
    // a fast reader would keep the only thread of a server on SQLite busy
    await setImmediate()
  } while (lines.length === PAGE_LINES)
}

/** By what is stored as JSON and by copies of the order no index finds anything: all lines are read for it. */
async function readFiltered(db: Db, traced: Traced, filter: TraceFilter, after: TracePlace | null) {
  const [items, orders, lines] = [new Set<string>(), new Set<string>(), [] as TraceLine[]]
  const counts = { apontamentos: 0, pecas: 0 }
  const isAfter = ({ registradoEm, id }: TraceLine, place: TracePlace) => {
    const recordedAt = Date.parse(registradoEm)
    return recordedAt < place.recordedAt || (recordedAt === place.recordedAt && id < place.id)
  }
  for await (const page of readPages(db, traced, filter)) {
    for (const line of page) {
      counts.apontamentos += 1
      counts.pecas += line.pecas
      if (line.barras !== '') items.add(`${line.filial}|${line.barras}`)
      if (line.ordem !== '') orders.add(`${line.filial}|${line.ordem}`)
      if (lines.length <= TRACE_LINES_MAX && (after === null || isAfter(line, after))) lines.push(line)
    }
  }
  return { contagens: { ...counts, itens: items.size, ordens: orders.size }, lines }
}

/** One line more than a page has tells whether there is a next one. */
async function readTrace(
  db: Db,
  traced: Traced,
  filter: TraceFilter | undefined,
  after: TracePlace | null,
): Promise<{ contagens: Trace['contagens']; lines: TraceLine[] }> {
  if (filter) return await readFiltered(db, traced, filter, after)
  return {
    contagens: await countTrace(db.read, traced),
    lines: await listTraceLines(db.read, traced, after, TRACE_LINES_MAX + 1),
  }
}

async function* writeSheet(db: Db, traced: Traced, head: SheetHead, momentText: MomentText): AsyncGenerator<string> {
  yield sheetHead(head)
  let written = 0
  for await (const lines of readPages(db, traced, head.filter)) {
    written += lines.length
    yield sheetLines(lines, momentText)
  }
  yield sheetEnd(written, head.counts.apontamentos)
}

export function traceRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, traces.find, async ({ query: { termo, tipo, filtro, depoisDe } }, { db }) => {
    const found = []
    for (const kind of traceKinds) {
      const traced = await findTraced(db.read, kind, termo)
      found.push({ tipo: kind, apontamentos: await countRecordings(db.read, traced), traced })
    }
    const chosen = chooseKind(
      found.filter(({ apontamentos }) => apontamentos > 0),
      tipo,
    )
    const traced = found.find((one) => one.tipo === chosen)?.traced ?? { column: 'lot', values: [] }
    const { contagens, lines } = await readTrace(db, traced, filtro, placeOf(depoisDe))
    const linhas = lines.slice(0, TRACE_LINES_MAX)
    return {
      tipo: chosen,
      encontrados: found.flatMap(({ tipo, apontamentos }) => (apontamentos > 0 ? [{ tipo, apontamentos }] : [])),
      contagens,
      linhas,
      proxima: lines.length > TRACE_LINES_MAX ? cursorOf(linhas) : null,
    }
  })

  bind(app, context, traces.csv, async ({ query: { termo, tipo, filtro } }, call) => {
    const { db, now, config } = call
    const traced = await findTraced(db.read, tipo, termo)
    const name = traceFileName(tipo, termo, plantDay(now(), config.timeZone), filtro)
    await beginExport(call, name)
    return Readable.from(csvPages(traceColumns(momentTextOf(config.timeZone)), readPages(db, traced, filtro)))
  })

  bind(app, context, traces.sheet, async ({ query: { termo, tipo, filtro } }, { db, now, config, caller, reply }) => {
    const traced = await findTraced(db.read, tipo, termo)
    const branches = await listBranches(db.read, traced)
    const momentText = momentTextOf(config.timeZone)
    const plants = await readPlants(db.read, config)
    const labelOf = (branch: string) => plants.find(({ code }) => code === branch)?.label ?? ''
    const head = {
      siteName: config.siteName,
      kind: tipo,
      term: termo.trim(),
      filter: filtro,
      plants: branches.map((branch) => `${branch} ${labelOf(branch)}`.trim()),
      requestedBy: caller.fullName || caller.username,
      moment: momentText(toInstant(now())),
      counts: filtro ? (await readFiltered(db, traced, filtro, null)).contagens : await countTrace(db.read, traced),
      forceUnit: config.erpSettings.forceUnit,
    }
    reply.headers(sheetHeaders)
    return Readable.from(writeSheet(db, traced, head, momentText))
  })
}
