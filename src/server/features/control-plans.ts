import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { controlPlans, type PlanContent } from '../../contract/control-plans.ts'
import { refusalText } from '../../contract/errors.ts'
import {
  PLAN_FAULTS_LISTED_MAX,
  PLAN_FILE_BYTES_MAX,
  type PlanImport,
  planChanges,
  planImports,
} from '../../contract/plan-changes.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { plantDay } from '../../domain/plant/plant-time.ts'
import {
  asksTheSame,
  type ImportedPlan,
  type ImportFault,
  planColumns,
  planFileColumns,
  planTexts,
  readPlanImport,
} from '../../domain/quality/control-plan-imports.ts'
import { isInForce, milliText } from '../../domain/quality/control-plans.ts'
import { completed, isOver, placed, planFileName, spelledAsKnown, startOf } from '../../domain/quality/plan-versions.ts'
import { csvOf } from '../../domain/text/csv.ts'
import { csvTextOf } from '../../domain/text/csv-tables.ts'
import { spreadsheetValueText } from '../../domain/text/spreadsheet-values.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { uploadOf } from '../documents/document-folder.ts'
import { bind } from '../http/bind.ts'
import { Answer, Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import {
  approvePlan,
  emptyLine,
  endPlans,
  findPlan,
  findPlanLine,
  historyOf,
  insertPlans,
  listPlanLines,
  listPlans,
  type NewPlan,
  placeOf,
  reopenPlan,
  type StoredPlan,
  withdrawPlans,
} from '../store/control-plans.ts'
import type { Reader, Tx } from '../store/db/db.ts'
import { findKnownNames } from '../store/known-names.ts'
import { noteChanges } from '../store/live-changes.ts'
import { findPlanApproval } from '../store/settings.ts'
import { beginExport, recordAuditEvent, refuseOutdated, refusingTwins, signed, withVersion } from '../upkeep/audit.ts'

const nameOf = ({ terminal, bitola }: PlanContent): string => `${terminal} ${milliText(bitola)} mm²`

const noteChange = (tx: Tx, { now }: Call) => noteChanges(tx, [{ topic: 'control-plans', key: '' }], now())

const needsApproval = async (db: Reader): Promise<boolean> => (await findPlanApproval(db)) === 'outra-pessoa'

/** A plan where there is none, or the version that follows the one that its author has seen. */
async function create(given: PlanContent, from: number, call: Call): Promise<StoredPlan> {
  const { db, versionSeen, config } = call
  const place = placeOf(given)
  const actor = signed(call)
  return await db.transaction(async (tx) => {
    const isWaiting = await needsApproval(tx)
    const { newest, waiting, lastVersion } = await findPlanLine(tx, place)
    const seen = waiting ?? newest
    if (versionSeen !== null && seen?.version !== versionSeen) throw new Refused('changed_meanwhile')
    const how = placed(newest, from)
    const isThere = how === 'follows' || waiting !== null
    if (how === 'overlaps' || (isThere && versionSeen === null)) throw new Refused('plan_overlaps')
    const endedIds = newest && how === 'follows' && !isWaiting ? [newest.id] : []
    const isFirst =
      (await endPlans(tx, endedIds, from, actor)) && (await withdrawPlans(tx, waiting ? [waiting.id] : [], actor))
    if (!isFirst) throw new Refused('changed_meanwhile')
    const plan = completed(given, versionSeen === null ? null : (seen?.plan ?? null))
    await insertPlans(tx, [{ plan, version: lastVersion + 1, from, isWaiting, created: actor }])
    const line = await findPlanLine(tx, place)
    const created = isWaiting ? line.waiting : line.newest
    if (!created) throw new Error('the plan that was just inserted is not there')
    const begun = { planVersion: created.version, validFrom: plantDay(from, config.timeZone) }
    await recordAuditEvent(tx, call, {
      action: 'plan_created',
      kind: 'control_plan',
      id: created.id,
      name: nameOf(plan),
      was: seen && planTexts(seen.plan),
      is: planTexts(plan),
      details: { ...begun, ...(isWaiting ? { awaitsApproval: true } : {}) },
    })
    await noteChange(tx, call)
    return created
  })
}

/** Approves a version, which its author may not. It begins now, or on its day, and there the one before it ends. */
async function approve(tx: Tx, id: number, call: Call): Promise<void> {
  const { now, caller, versionSeen, config } = call
  const stored = await findPlan(tx, id)
  if (!stored) throw new Refused('not_found')
  if (!stored.isWaiting || (versionSeen !== null && stored.version !== versionSeen)) refuseOutdated(stored)
  if (stored.created?.userId === caller.userId) throw new Refused('plan_own_approval')
  const { newest } = await findPlanLine(tx, stored.place)
  const from = Math.max(stored.from, now())
  const how = placed(newest, from)
  if (how === 'overlaps') throw new Refused('plan_overlaps')
  const actor = signed(call)
  const endedIds = newest && how === 'follows' ? [newest.id] : []
  const isFirst = (await endPlans(tx, endedIds, from, actor)) && (await approvePlan(tx, id, from, actor))
  if (!isFirst) refuseOutdated(stored)
  const details = { planVersion: stored.version, validFrom: plantDay(from, config.timeZone) }
  const event = { action: 'plan_approved', kind: 'control_plan', id, name: nameOf(stored.plan), details } as const
  await recordAuditEvent(tx, call, event)
  await noteChange(tx, call)
}

/** The newest version of its place, or the one that waits for its approval. */
async function end(tx: Tx, id: number, call: Call): Promise<void> {
  const { now, versionSeen } = call
  const stored = await findPlan(tx, id)
  if (!stored) throw new Refused('not_found')
  const { newest, before, waiting } = await findPlanLine(tx, stored.place)
  const isLast = [newest?.id, waiting?.id].includes(id)
  if (!isLast || (versionSeen !== null && stored.version !== versionSeen)) refuseOutdated(stored)
  const actor = signed(call)
  // one that has not begun never will, and the one that it was to end goes on
  const isEnded = stored.isWaiting
    ? await withdrawPlans(tx, [id], actor)
    : await endPlans(tx, [id], Math.max(now(), stored.from), actor)
  if (!isEnded) refuseOutdated(stored)
  if (before && !stored.isWaiting && stored.from > now()) await reopenPlan(tx, before, stored.from)
  const event = { action: 'plan_ended', kind: 'control_plan', id, name: nameOf(stored.plan) } as const
  await recordAuditEvent(tx, call, {
    ...event,
    was: planTexts(stored.plan),
    details: { planVersion: stored.version },
  })
  await noteChange(tx, call)
}

async function replyPlan({ db, reply }: Call, id: number) {
  const stored = await findPlan(db.read, id)
  return withVersion(stored && historyOf(stored), reply)
}

export function controlPlanRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, controlPlans.list, async ({ query: { filial, terminal, vigente } }, { db, now }) => {
    const open = vigente ? { openAt: now(), withWaiting: true } : {}
    return (await listPlans(db.read, { branch: filial, terminal, ...open })).map(historyOf)
  })

  bind(app, context, planChanges.csv, async ({ query: { filial, terminal } }, call) => {
    const { db, now, config } = call
    const open = await listPlans(db.read, { branch: filial, terminal, openAt: now() })
    await beginExport(call, planFileName(plantDay(now(), config.timeZone)))
    return csvOf(planFileColumns(config.timeZone), open.filter((stored) => isInForce(stored, now())).map(historyOf))
  })

  bind(app, context, planChanges.create, async ({ body: { valeAPartirDe, ...content } }, call) => {
    const known = await listPlans(call.db.read, { openAt: call.now(), withWaiting: true })
    const plan = spelledAsKnown(known.map((stored) => stored.plan))(content)
    if (plan.filial !== undefined) requirePlant(plan.filial, call)
    const from = startOf(valeAPartirDe, call.now(), call.config.timeZone)
    if (from === null) throw new Refused('plan_in_past')
    const created = await refusingTwins('changed_meanwhile', () => create(plan, from, call))
    return new Answer(201, withVersion(historyOf(created), call.reply))
  })

  bind(app, context, planChanges.approve, async ({ params: { id } }, call) => {
    await call.db.transaction((tx) => approve(tx, id, call))
    return await replyPlan(call, id)
  })

  bind(app, context, planChanges.end, async ({ params: { id } }, call) => {
    await call.db.transaction((tx) => end(tx, id, call))
    return await replyPlan(call, id)
  })
}

/** Lines of a file, with the cells that a spreadsheet has changed: those that hold no name that anybody knows. */
async function readImport(content: string, { db, now }: Call) {
  const { lines, plans: read, faults, suspects } = readPlanImport(content)
  const terminals = read.map(({ plan }) => plan.terminal)
  const known = await findKnownNames(db.read, [...suspects.map(({ text }) => text), ...terminals])
  const eaten = suspects.filter(({ text }) => !known.has(nameKey(text)))
  const lost = new Set(eaten.map(({ line }) => line))
  const stored = await listPlans(db.read, { openAt: now(), withWaiting: true })
  const spelled = spelledAsKnown(stored.map(({ plan }) => plan))
  const plans = read.filter(({ line }) => !lost.has(line)).map(({ line, plan }) => ({ line, plan: spelled(plan) }))
  const unknown = plans.map(({ plan }) => nameKey(plan.terminal)).filter((key) => !known.has(key))
  const changed = eaten.map(({ line, column, text }) => ({ line, column, message: spreadsheetValueText(text) }))
  return { lines, plans, faults: [...faults, ...changed], unknownTerminals: new Set(unknown).size }
}

type Compared = {
  faults: ImportFault[]
  fresh: NewPlan[]
  changed: NewPlan[]
  endedIds: number[]
  withdrawnIds: number[]
  sameCount: number
}

/** Compares the lines of a file with the plans that are there. */
async function compare(db: Reader, read: readonly ImportedPlan[], from: number, call: Call): Promise<Compared> {
  const compared: Compared = { faults: [], fresh: [], changed: [], endedIds: [], withdrawnIds: [], sameCount: 0 }
  const isWaiting = await needsApproval(db)
  const created = signed(call)
  const lines = await listPlanLines(
    db,
    read.map(({ plan }) => placeOf(plan)),
  )
  const plants = new Set(call.config.plants.map(({ code }) => code))
  for (const { line, plan } of read) {
    const { newest, waiting, lastVersion } = lines.get(placeOf(plan)) ?? emptyLine
    const how = placed(newest, from)
    const known = [waiting, newest && isOver(newest, from) ? null : newest].filter((one) => one !== null)
    const next = {
      ...{ plan: completed(plan, known[0]?.plan ?? null), version: lastVersion + 1 },
      ...{ from, isWaiting, created },
    }
    if (plan.filial !== undefined && !plants.has(plan.filial)) {
      compared.faults.push({ line, column: 'filial', message: refusalText('unknown_plant') })
    } else if (known.some((one) => asksTheSame(completed(plan, one.plan), one.plan))) compared.sameCount++
    else if (how === 'overlaps') {
      compared.faults.push({ line, column: 'terminal', message: refusalText('plan_overlaps') })
    } else {
      if (newest && how === 'follows' && !isWaiting) compared.endedIds.push(newest.id)
      if (waiting) compared.withdrawnIds.push(waiting.id)
      if (known.length > 0) compared.changed.push(next)
      else compared.fresh.push(next)
    }
  }
  return compared
}

const faultText = ({ line, column }: ImportFault): string =>
  column ? `Linha ${line}, ${planColumns[column]}` : `Linha ${line}`

function refuseFaults(faults: readonly ImportFault[]): void {
  if (faults.length === 0) return
  const details = faults.map((fault) => ({ field: faultText(fault), message: fault.message }))
  throw new Refused('plans_refused', { values: { count: countLines(faults) }, details })
}

const countLines = (faults: readonly ImportFault[]): number => new Set(faults.map(({ line }) => line)).size

/** Routes of an `app` that takes files. An import takes all lines or none. */
export function planImportRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, planImports.importAll, async ({ query: { simular } }, call) => {
    const bytes = await buffer(uploadOf(call.request, PLAN_FILE_BYTES_MAX))
    const { lines, plans, faults, unknownTerminals } = await readImport(csvTextOf(bytes, TextDecoder), call)
    const from = call.now()
    const compareIn = async (db: Reader) => {
      const compared = await compare(db, plans, from, call)
      const all = [...faults, ...compared.faults].sort((one, other) => one.line - other.line)
      return { ...compared, faults: all }
    }
    const store = () =>
      call.db.transaction(async (tx) => {
        const compared = await compareIn(tx)
        refuseFaults(compared.faults)
        const { fresh, changed, endedIds, withdrawnIds, sameCount } = compared
        const actor = signed(call)
        const isFirst = (await endPlans(tx, endedIds, from, actor)) && (await withdrawPlans(tx, withdrawnIds, actor))
        if (!isFirst) throw new Refused('changed_meanwhile')
        await insertPlans(tx, [...fresh, ...changed])
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        const details = { plansCreated: fresh.length, plansChanged: changed.length, plansSame: sameCount }
        await recordAuditEvent(tx, call, { action: 'plans_imported', kind: 'file', id: sha256, details })
        await noteChange(tx, call)
        return compared
      })
    const compared = simular ? await compareIn(call.db.read) : await refusingTwins('changed_meanwhile', store)
    return { ...importReply(lines, compared), terminaisDesconhecidos: unknownTerminals }
  })
}

const importReply = (linhas: number, { fresh, changed, sameCount, faults }: Compared): PlanImport => ({
  linhas,
  novas: fresh.length,
  alteradas: changed.length,
  iguais: sameCount,
  comErro: countLines(faults),
  erros: faults.slice(0, PLAN_FAULTS_LISTED_MAX).map(({ line, column, message }) => ({
    linha: line,
    campo: column ? planColumns[column] : '',
    mensagem: message,
  })),
})
