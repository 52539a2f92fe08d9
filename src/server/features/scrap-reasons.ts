import type { FastifyInstance } from 'fastify'
import { type ScrapReason, type ScrapReasonChange, scrapReasons } from '../../contract/scrap-reasons.ts'
import { addDays, plantDay } from '../../domain/plant/plant-time.ts'
import { REASON_SHEET_STYLE, reasonSheet } from '../../domain/tools/scrap-sheets.ts'
import { isFixed } from '../../domain/tools/scraps.ts'
import { bind } from '../http/bind.ts'
import { Answer, Refused } from '../http/refused.ts'
import { framedPageHeaders } from '../http/security-headers.ts'
import type { Call, Context } from '../panel.ts'
import { isUniqueViolation, type Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import {
  findReasonById,
  insertReason,
  listReasons,
  listReasonUse,
  type StoredReason,
  updateReason,
} from '../store/scrap-reasons.ts'
import { recordAuditEvent, refuseOutdated, withVersion } from '../upkeep/audit.ts'

const USE_DAYS = 30

const sheetHeaders = framedPageHeaders(REASON_SHEET_STYLE)

async function listAll({ db, now, config }: Pick<Call, 'db' | 'now' | 'config'>): Promise<ScrapReason[]> {
  const use = await listReasonUse(db.read, addDays(plantDay(now(), config.timeZone), 1 - USE_DAYS))
  return (await listReasons(db.read)).map((reason) => ({ ...reason, uso: use.get(reason.codigo) ?? {} }))
}

const factsOf = ({ texto, posicao, ativo }: ScrapReasonChange) => ({
  scrapReason: texto,
  reasonPosition: posicao,
  ativo,
})

/** Change, audit event and live change are one commit; `store` returns the id. */
async function changeReason(was: StoredReason | null, store: (tx: Tx) => Promise<number>, call: Call) {
  const { db, now, reply } = call
  try {
    const id = await db.transaction(async (tx) => {
      const stored = await store(tx)
      const is = await findReasonById(tx, stored)
      if (!is) throw new Error(`there is no reason ${stored}`)
      const event = { action: 'scrap_reason_changed', kind: 'scrap_reason', id: stored, name: is.texto } as const
      await recordAuditEvent(tx, call, { ...event, was: was && factsOf(was), is: factsOf(is) })
      await noteChanges(tx, [{ topic: 'scrap-reasons', key: String(stored) }], now())
      return stored
    })
    return withVersion((await listAll(call)).find((reason) => reason.id === id) ?? null, reply)
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refused('reason_exists')
    throw error
  }
}

export function scrapReasonRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, scrapReasons.list, (_, call) => listAll(call))

  bind(
    app,
    context,
    scrapReasons.create,
    async ({ body }, call) => new Answer(201, await changeReason(null, (tx) => insertReason(tx, body), call)),
  )

  bind(app, context, scrapReasons.update, async ({ params: { id }, body: form }, call) => {
    const was = await findReasonById(call.db.read, id)
    if (was && isFixed(was.codigo) && (!form.ativo || form.texto !== was.texto)) throw new Refused('reason_fixed')
    return await changeReason(
      was,
      async (tx) => {
        if (!(await updateReason(tx, id, form, call.versionSeen))) refuseOutdated(await findReasonById(tx, id))
        return id
      },
      call,
    )
  })

  bind(app, context, scrapReasons.sheet, async (_, { db, reply, config }) => {
    reply.headers(sheetHeaders)
    return reasonSheet(await listReasons(db.read), config.siteName)
  })
}
