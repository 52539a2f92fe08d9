import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { containmentDecisions, type DecisionForm } from '../../contract/containment-decisions.ts'
import type { LiveChange } from '../../contract/live-changes.ts'
import { containmentNumber, releases, scraps, totalsOf, undecidedText } from '../../domain/containments/balances.ts'
import { decideRow, decisionProblems } from '../../domain/containments/decisions.ts'
import { plantDay } from '../../domain/plant/plant-time.ts'
import { containmentReasonProblem } from '../../domain/tools/scraps.ts'
import { bind } from '../http/bind.ts'
import { Answer, Refused, refuseField } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { findPress, listRowsOf, listScrapped, raiseRows, scrapIdOf } from '../store/containment-presses.ts'
import {
  type BalancedRow,
  insertSteps,
  listAllRows,
  lockContainment,
  type NewStep,
  raiseRow,
  setState,
  stepsOf,
  withSteps,
} from '../store/containment-steps.ts'
import { findContainment } from '../store/containments.ts'
import { againWhenStored, ofVersion, type Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { findReason } from '../store/scrap-reasons.ts'
import { insertScrap, type NewScrap, undoScrap } from '../store/scraps.ts'
import { type AuditEvent, recordAuditEvent, refuseOutdated, signed, withVersion } from '../upkeep/audit.ts'
import { getReply, rowReplies } from './containments.ts'

export function containmentDecisionRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, containmentDecisions.decide, async ({ params, body }, call) => {
    const id = params.id.toLowerCase()
    const problems = decisionProblems(body)
    if (problems.length > 0) throw new Refused('input_invalid', { details: problems })
    await againWhenStored(() => call.db.transaction((tx) => decide(tx, id, body, call)))
    const { read } = call.db
    const rows = await listRowsOf(
      read,
      id,
      body.linhas.map((line) => line.id),
    )
    return new Answer(201, { contencao: await getReply(read, id), linhas: await rowReplies(read, rows) })
  })

  bind(app, context, containmentDecisions.close, async ({ params, body }, call) => {
    const id = params.id.toLowerCase()
    await call.db.transaction((tx) => close(tx, id, body, call))
    return withVersion(await getReply(call.db.read, id), call.reply)
  })

  bind(app, context, containmentDecisions.reopen, async ({ params, body }, call) => {
    const id = params.id.toLowerCase()
    await call.db.transaction((tx) => reopen(tx, id, body.motivo.trim(), call))
    return withVersion(await getReply(call.db.read, id), call.reply)
  })
}

/** What a decision has written before, if this press is one that comes again. */
async function isRepeated(tx: Tx, id: string, { idempotencyKey, contentHash }: Call): Promise<boolean> {
  const found = await findPress(tx, idempotencyKey)
  if (!found) return false
  if (found.content_hash !== contentHash || found.containment_id !== id) throw new Refused('idempotency_key_reused')
  return true
}

/** All rows or none: whatever is refused ends the commit. */
async function decide(tx: Tx, id: string, form: DecisionForm, call: Call): Promise<void> {
  if (await isRepeated(tx, id, call)) return
  const containment = await lockContainment(tx, id)
  if (!containment) throw new Refused('not_found')
  if (await isRepeated(tx, id, call)) return
  if (containment.state === 'encerrada') throw new Refused('containment_closed')
  const rows = await takeRows(tx, id, form)
  const steps = rows.map((row) => stepOf(row, form, call))
  await insertSteps(tx, steps)
  const changes = await followScraps(tx, { rows, steps, form }, call)
  const event = { action: 'containment_decided', reason: form.motivo.trim(), details: factsOf(steps) } as const
  await note(tx, containment, event, call, changes)
}

/** The rows of a form with their balances, each still as it was seen; locked in one order. */
async function takeRows(tx: Tx, id: string, { linhas }: DecisionForm): Promise<BalancedRow[]> {
  const seen = new Map(linhas.map((line) => [line.id, line.version]))
  const rows = await listRowsOf(tx, id, [...seen.keys()])
  if (rows.length < seen.size) refuseField('linhas', 'Linha de outra contenção')
  for (const row of rows) {
    const version = seen.get(row.id) ?? 0
    if (!(await raiseRow(tx, { ...row, version }))) throw new Refused('changed_meanwhile')
  }
  return await withSteps(tx, rows)
}

const authorOf = ({ idempotencyKey, contentHash, ...call }: Call) => ({
  press_id: idempotencyKey,
  content_hash: contentHash,
  decided_by: call.caller.fullName || call.caller.username,
  user_id: call.caller.userId,
  at: call.now(),
  decided_day: plantDay(call.now(), call.config.timeZone),
})

function stepOf(row: BalancedRow, form: DecisionForm, call: Call): NewStep {
  const { tipo: kind, linhas, passo: of = null } = form
  const pieces = linhas.find(({ id }) => id === row.id)?.pecas ?? 0
  const outcome = decideRow(row.balance, stepsOf(row.steps), { kind, pieces, of })
  if ('problem' in outcome) throw new Refused('input_invalid', { details: [outcome.problem] })
  if ('left' in outcome) throw new Refused('containment_balance', { values: { left: outcome.left } })
  const checked = releases(kind) ? form.verificado : undefined
  return {
    ...authorOf(call),
    ...{ containment_id: row.containment_id, row_id: row.id, kind, of_step: outcome.step.of },
    ...{ pieces: outcome.step.pieces, reason: form.motivo.trim(), checked: checked ?? null },
    sample_pieces: checked === 'amostra' ? (form.amostra ?? null) : null,
    checked_text: checked ? (form.verificadoTexto?.trim() ?? null) : null,
    scrap_reason: scraps(kind) ? (form.motivoRefugo ?? null) : null,
  }
}

type Decided = { rows: readonly BalancedRow[]; steps: readonly NewStep[]; form: DecisionForm }

/** Scrapped pieces are scrap of their stage, and no more once their step is taken back. Resolves to what pages read again. */
async function followScraps(tx: Tx, { rows, steps, form }: Decided, call: Call): Promise<LiveChange[]> {
  if (scraps(form.tipo)) {
    const known = await findReason(tx, { code: form.motivoRefugo ?? '' })
    const scrapped = await listScrapped(tx, rows, steps)
    for (const scrap of scrapped) {
      const problem = containmentReasonProblem(scrap.part, known)
      if (problem) refuseField('motivoRefugo', problem)
      await insertScrap(tx, scrap)
    }
    return scrapped.map(scrapChange)
  }
  const undone = rows[0]?.steps.find(({ id }) => id === form.passo)
  if (form.tipo !== 'estornar' || !undone || !scraps(undone.kind)) return []
  const undoing = { ...signed(call), reason: form.motivo.trim() }
  const scrap = await undoScrap(tx, scrapIdOf(undone.press_id, undone.row_id), undoing)
  return scrap ? [scrapChange(scrap)] : []
}

const scrapChange = ({ barcode, order_number }: Pick<NewScrap, 'barcode' | 'order_number'>): LiveChange => ({
  topic: 'scraps',
  key: barcode || order_number,
})

const factsOf = (steps: readonly NewStep[]) => ({
  containmentStep: steps[0]?.kind,
  pieces: steps.reduce((sum, { pieces }) => sum + pieces, 0),
  containmentRows: steps.length,
})

type Locked = NonNullable<Awaited<ReturnType<typeof lockContainment>>>

async function note(
  tx: Tx,
  { id, number }: Pick<Locked, 'id' | 'number'>,
  event: Pick<AuditEvent, 'action' | 'reason' | 'details'>,
  call: Call,
  changes: readonly LiveChange[] = [],
): Promise<void> {
  await recordAuditEvent(tx, call, { ...event, kind: 'containment', id, name: containmentNumber(number) })
  await noteChanges(tx, [{ topic: 'containments', key: id }, ...changes], call.now())
}

type Closing = { engano?: true | undefined; motivo?: string | undefined }

async function close(tx: Tx, id: string, { engano, motivo }: Closing, call: Call): Promise<void> {
  const containment = await lockContainment(tx, id, call.versionSeen)
  if (!containment) refuseOutdated(await findContainment(tx, { id }))
  if (containment.state === 'encerrada') throw new Refused('containment_closed')
  const reason = motivo?.trim() ?? ''
  if (engano) await releaseLeft(tx, id, reason, call)
  const left = undecidedText(totalsOf((await listAllRows(tx, id)).map(({ balance }) => balance)))
  if (left !== null) throw new Refused('containment_undecided', { values: { left } })
  await setState(tx, id, { ...signed(call), reason })
  await note(tx, containment, { action: 'containment_closed', reason: reason || null }, call)
}

/** Opened by mistake: nothing was wrong with what nobody has decided yet. */
async function releaseLeft(tx: Tx, id: string, reason: string, call: Call): Promise<void> {
  const rows = await listAllRows(tx, id)
  await raiseRows(tx, id)
  const none = { of_step: null, checked: null, sample_pieces: null, checked_text: null, scrap_reason: null }
  for (const [kind, pile] of [
    ['liberar', 'suspect'],
    ['liberar-retrabalhadas', 'rework'],
  ] as const) {
    const author = { ...authorOf(call), press_id: randomUUID() }
    const left = rows.filter(({ balance }) => balance[pile] > 0)
    await insertSteps(
      tx,
      left.map((row) => ({
        ...{ ...author, ...none, containment_id: id, row_id: row.id, kind, pieces: row.balance[pile], reason },
      })),
    )
  }
}

async function reopen(tx: Tx, id: string, reason: string, call: Call): Promise<void> {
  const containment = await lockContainment(tx, id, call.versionSeen, 'encerrada')
  if (!containment) {
    const found = await findContainment(tx, { id, ...ofVersion(call.versionSeen) })
    // its version stays, for the pages that show it
    if (found?.state === 'aberta') return
    refuseOutdated(await findContainment(tx, { id }))
  }
  await setState(tx, id, null)
  await note(tx, containment, { action: 'containment_reopened', reason }, call)
}
