import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { CONTAINMENT_PAGE, containmentFiles } from '../../contract/containments.ts'
import { containmentNumber, totalsOf } from '../../domain/containments/balances.ts'
import {
  LABEL_STYLE,
  type LabelHead,
  type LabelRow,
  labelEnd,
  labelStart,
  labels,
} from '../../domain/containments/labels.ts'
import {
  type ContainmentLine,
  containmentColumns,
  containmentFileName,
  containmentSheetHead,
  sheetRows,
  stateTexts,
} from '../../domain/containments/sheets.ts'
import { momentTextOf, plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import { sheetEnd, sheetLines } from '../../domain/reports/trace-sheets.ts'
import { stepLabels } from '../../domain/reports/traces.ts'
import { csvPages } from '../../domain/text/csv.ts'
import { bind } from '../http/bind.ts'
import { Refused } from '../http/refused.ts'
import { framedPageHeaders } from '../http/security-headers.ts'
import type { Call, Context } from '../panel.ts'
import { listContainmentLines } from '../store/containment-lines.ts'
import { listAllRows } from '../store/containment-steps.ts'
import { findContainment } from '../store/containments.ts'
import type { Db } from '../store/db/db.ts'
import { beginExport, recordAuditEvent } from '../upkeep/audit.ts'
import { readPlants } from './settings.ts'
import { sheetHeaders } from './traces.ts'

const labelHeaders = framedPageHeaders(LABEL_STYLE)

export function containmentFileRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, containmentFiles.labels, async ({ params, query }, call) => {
    const { containment, momentText } = await begin(params.id, call)
    const { linha: rowId = null, copias: copies = 1 } = query
    await notePrinted(containment, 'etiquetas', call)
    const head = {
      ...{ number: containmentNumber(containment.number), reason: containment.subject },
      ...{ openedBy: containment.opened_by, openedDay: momentText(toInstant(containment.opened_at)) },
    }
    call.reply.headers(labelHeaders)
    return Readable.from(writeLabels(call.db, containment.id, { head, rowId, copies }))
  })

  bind(app, context, containmentFiles.sheet, async ({ params }, call) => {
    const { db, config, caller, now, reply } = call
    const { containment, momentText } = await begin(params.id, call)
    const moment = (at: number | null, none: string) => (at === null ? none : momentText(toInstant(at)))
    const rows = await listAllRows(db.read, containment.id)
    const plant = (await readPlants(db.read, config)).find(({ code }) => code === containment.branch)
    const head = {
      ...{ siteName: config.siteName, number: containmentNumber(containment.number), subject: containment.subject },
      ...{ state: stateTexts[containment.state], plant: `${containment.branch} ${plant?.label ?? ''}`.trim() },
      ...{ from: moment(containment.start_at, '—'), until: moment(containment.end_at, 'em aberto') },
      ...{ openedBy: containment.opened_by, openedAt: moment(containment.opened_at, '') },
      ...{ requestedBy: caller.fullName || caller.username, moment: momentText(toInstant(now())) },
      ...{ totals: totalsOf(rows.map(({ balance }) => balance)), forceUnit: config.erpSettings.forceUnit },
    }
    await notePrinted(containment, 'folha', call)
    reply.headers(sheetHeaders)
    return Readable.from(writeSheet(db, containment.id, head, momentText))
  })

  bind(app, context, containmentFiles.csv, async ({ params }, call) => {
    const { db, config, now } = call
    const { containment, momentText } = await begin(params.id, call)
    await beginExport(call, containmentFileName(containment.number, plantDay(now(), config.timeZone)))
    return Readable.from(csvPages(containmentColumns(momentText), readPages(db, containment.id)))
  })
}

async function begin(id: string, { db, config }: Call) {
  const containment = await findContainment(db.read, id.toLowerCase())
  if (!containment) throw new Refused('not_found')
  return { containment, momentText: momentTextOf(config.timeZone) }
}

type Printed = Awaited<ReturnType<typeof begin>>['containment']

const notePrinted = ({ id, number }: Printed, printed: string, call: Call) =>
  call.db.transaction((tx) =>
    recordAuditEvent(tx, call, {
      ...{
        action: 'containment_printed',
        kind: 'containment',
        id,
        name: containmentNumber(number),
        details: { printed },
      },
    }),
  )

/** In short queries, so that recordings never wait for it. */
async function* readPages(db: Db, id: string): AsyncGenerator<ContainmentLine[]> {
  let after = 0
  for (;;) {
    const page = await listContainmentLines(db.read, id, { after, max: CONTAINMENT_PAGE })
    if (page.length > 0) yield page
    if (page.length < CONTAINMENT_PAGE) return
    after = page.at(-1)?.id ?? 0
    await setImmediate()
  }
}

const isLabelled = ({ balance: { suspect, rework } }: ContainmentLine): boolean => suspect + rework > 0

const labelRow = ({ line }: ContainmentLine): LabelRow => ({
  ...{ orderNumber: line.ordem, item: line.item, barcode: line.barras, position: line.posicao },
  ...{ stage: stepLabels[line.etapa], pieces: line.pecas },
})

type Labels = { head: LabelHead; rowId: number | null; copies: number }

/** A row that is named has its label whatever was decided. */
async function* writeLabels(db: Db, id: string, { head, rowId, copies }: Labels): AsyncGenerator<string> {
  yield labelStart(head)
  if (rowId === null) {
    for await (const page of readPages(db, id)) yield labels(head, page.filter(isLabelled).map(labelRow), copies)
  } else {
    const rows = await listContainmentLines(db.read, id, { after: rowId - 1, max: 1 })
    yield labels(head, rows.filter((row) => row.id === rowId).map(labelRow), copies)
  }
  yield labelEnd
}

type Head = Parameters<typeof containmentSheetHead>[0]

async function* writeSheet(db: Db, id: string, head: Head, momentText: ReturnType<typeof momentTextOf>) {
  yield containmentSheetHead(head)
  let written = 0
  for await (const page of readPages(db, id)) {
    written += page.length
    yield sheetLines(sheetRows(head.number, page), momentText)
  }
  yield sheetEnd(written, head.totals.rows)
}
