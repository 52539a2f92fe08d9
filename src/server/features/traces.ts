import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { TRACE_LINES_MAX, type TraceLine, traceKinds, traces } from '../../contract/traces.ts'
import { csvPages } from '../../domain/csv.ts'
import { momentTextOf, plantDay, toInstant } from '../../domain/plant-time.ts'
import { SHEET_STYLE, type SheetHead, sheetEnd, sheetHead, sheetLines } from '../../domain/trace-sheets.ts'
import { chooseKind, type MomentText, traceColumns, traceFileName } from '../../domain/traces.ts'
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
async function* readPages(db: Db, traced: Traced): AsyncGenerator<TraceLine[]> {
  let lines: TraceLine[]
  let after: TracePlace | null = null
  do {
    lines = await listTraceLines(db.read, traced, after, PAGE_LINES)
    if (lines.length > 0) yield lines
    after = placeOf(cursorOf(lines) ?? undefined)
    // a fast reader would keep the only thread of a server on SQLite busy
    await setImmediate()
  } while (lines.length === PAGE_LINES)
}

async function* writeSheet(db: Db, traced: Traced, head: SheetHead, momentText: MomentText): AsyncGenerator<string> {
  yield sheetHead(head)
  let written = 0
  for await (const lines of readPages(db, traced)) {
    written += lines.length
    yield sheetLines(lines, momentText)
  }
  yield sheetEnd(written, head.counts.apontamentos)
}

export function traceRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, traces.find, async ({ query: { termo, tipo, depoisDe } }, { db }) => {
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
    const contagens = await countTrace(db.read, traced)
    // one more tells whether there is a next page
    const lines = await listTraceLines(db.read, traced, placeOf(depoisDe), TRACE_LINES_MAX + 1)
    const linhas = lines.slice(0, TRACE_LINES_MAX)
    return {
      tipo: chosen,
      encontrados: found.flatMap(({ tipo, apontamentos }) => (apontamentos > 0 ? [{ tipo, apontamentos }] : [])),
      contagens,
      linhas,
      proxima: lines.length > TRACE_LINES_MAX ? cursorOf(linhas) : null,
    }
  })

  bind(app, context, traces.csv, async ({ query: { termo, tipo } }, call) => {
    const { db, now, config } = call
    const traced = await findTraced(db.read, tipo, termo)
    const name = traceFileName(tipo, termo, plantDay(now(), config.timeZone))
    await beginExport(call, name)
    return Readable.from(csvPages(traceColumns(momentTextOf(config.timeZone)), readPages(db, traced)))
  })

  bind(app, context, traces.sheet, async ({ query: { termo, tipo } }, { db, now, config, caller, reply }) => {
    const traced = await findTraced(db.read, tipo, termo)
    const branches = await listBranches(db.read, traced)
    const momentText = momentTextOf(config.timeZone)
    const plants = await readPlants(db.read, config)
    const labelOf = (branch: string) => plants.find(({ code }) => code === branch)?.label ?? ''
    const head = {
      siteName: config.siteName,
      kind: tipo,
      term: termo.trim(),
      plants: branches.map((branch) => `${branch} ${labelOf(branch)}`.trim()),
      requestedBy: caller.fullName || caller.username,
      moment: momentText(toInstant(now())),
      counts: await countTrace(db.read, traced),
      forceUnit: config.erpSettings.forceUnit,
    }
    reply.headers(sheetHeaders)
    return Readable.from(writeSheet(db, traced, head, momentText))
  })
}
