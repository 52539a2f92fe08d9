import type { FastifyInstance } from 'fastify'
import {
  CONTAINMENT_PAGE,
  type Containment,
  type ContainmentForm,
  type ContainmentPreview,
  type ContainmentRow,
  type ContainmentWindow,
  containments,
  type WindowForm,
} from '../../contract/containments.ts'
import type { Input } from '../../contract/endpoint.ts'
import {
  containmentNumber,
  isDivergent,
  readContainmentNumber,
  type Totals,
} from '../../domain/containments/balances.ts'
import { isNarrower } from '../../domain/containments/subjects.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import { type SuspectRecording, widenedWindow } from '../../domain/quality/suspect-windows.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { bind } from '../http/bind.ts'
import { Answer, Refused, refuseField } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { withSteps } from '../store/containment-steps.ts'
import {
  type ContainmentRecord,
  deleteUntouchedRows,
  findContainment,
  getTotals,
  insertContainment,
  insertSuspects,
  listContained,
  listContainments,
  listRows,
  listTotals,
  type RowRecord,
  subjectOfContainment,
  updateContainment,
} from '../store/containments.ts'
import { againWhenStored, type Reader, type Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { describeSuspects } from '../store/suspect-facts.ts'
import { listOtherPlants, type Subject } from '../store/suspect-subjects.ts'
import { findEndReadings } from '../store/suspect-windows.ts'
import { recordAuditEvent, refuseOutdated, withVersion } from '../upkeep/audit.ts'
import { type FoundSubject, findSubject, requireEnds, suspectsOf } from './containment-subjects.ts'
import { readSpan } from './treatments.ts'

const isoOrNull = (at: number | null) => (at === null ? null : toInstant(at))

type SubjectColumns = FoundSubject['columns']

const subjectReply = (row: SubjectColumns) => ({
  ...{ filial: row.branch, tipo: row.kind, assunto: row.subject, medicao: row.act_id ?? null },
  ...{ caracteristica: row.characteristic ?? null, terminal: row.terminal, miniaplicador: row.unit },
  ...{ maquina: row.machine, lote: row.lot, instrumento: row.instrument },
})

const windowReply = (row: SubjectColumns, reason: string): ContainmentWindow => ({
  ...{ inicio: isoOrNull(row.start_at ?? null), base: row.basis, fim: isoOrNull(row.end_at ?? null) },
  ...{ aberta: row.is_open_ended === 1, motivo: reason },
})

const containmentReply = (row: ContainmentRecord, totals: Totals): Containment => ({
  ...{ id: row.id, numero: containmentNumber(row.number), ...subjectReply(row) },
  ...{ janela: windowReply(row, row.widened_reason ?? ''), motivo: row.reason, situacao: row.state },
  ...{ linhas: totals.rows, pecas: totals.pieces, suspeitas: totals.suspect, retrabalho: totals.rework },
  ...{ liberadas: totals.released, sucateadas: totals.scrapped, divergentes: totals.divergent },
  ...{ abertaEm: toInstant(row.opened_at), abertaPor: row.opened_by, encerradaEm: isoOrNull(row.closed_at) },
  ...{ encerradaPor: row.closed_by ?? '', motivoEncerramento: row.close_reason ?? '', version: row.version },
})

/** Good readings that begin and end a reading's window. */
async function measuredEnds(db: Reader, subject: Subject | null) {
  if (subject?.kind !== 'medicao') return { medidoAntes: null, medidoDepois: null }
  const { before, after } = await findEndReadings(db, subject.reading, subject.window)
  return { medidoAntes: before, medidoDepois: after }
}

const countOf = (suspects: readonly SuspectRecording[], certainty: SuspectRecording['certainty']) => {
  const those = suspects.filter((one) => one.certainty === certainty)
  return { apontamentos: those.length, pecas: those.reduce((sum, { pieces }) => sum + pieces, 0) }
}

async function preview(
  query: Input<typeof containments.preview>['query'],
  { db, config, now }: Call,
): Promise<ContainmentPreview> {
  const found = await findSubject(db.read, query, { config, now })
  const { subject, columns } = found
  const suspects = await suspectsOf(db.read, subject)
  const start = Number(query.depoisDe ?? 0)
  const page = suspects.slice(start, start + CONTAINMENT_PAGE)
  const facts = await describeSuspects(
    db.read,
    page.map(({ id }) => id),
  )
  const branches = config.plants.map(({ code }) => code)
  const others = subject.kind === 'medicao' ? [] : await listOtherPlants(db.read, subject, branches)
  const existing = columns.origin_key ? await findContainment(db.read, { origin_key: columns.origin_key }) : null
  const until = subject.kind === 'medicao' ? subject.reading.orderedAt : null
  const before = suspects.filter(({ certainty, at }) => certainty === 'certo' && until !== null && at <= until)
  return {
    ...{ ...subjectReply(columns), janela: windowReply(columns, ''), ...(await measuredEnds(db.read, subject)) },
    ...{ certos: countOf(suspects, 'certo'), possiveis: countOf(suspects, 'possivel') },
    outraMaquina: countOf(suspects, 'outra-maquina'),
    ateAMedicao: until === null ? null : before.reduce((sum, { pieces }) => sum + pieces, 0),
    outrasFiliais: others.map(({ branch, recordings }) => ({ filial: branch, apontamentos: recordings })),
    contencao: existing && { id: existing.id, numero: containmentNumber(existing.number) },
    linhas: page.flatMap(({ id, pieces, certainty }) => {
      const fact = facts.get(id)
      return fact ? { ...fact, pecas: pieces, certeza: certainty } : []
    }),
    proxima: start + CONTAINMENT_PAGE < suspects.length ? String(start + CONTAINMENT_PAGE) : null,
  }
}

/** All that were found, but for possible ones that somebody who may decide leaves out. */
function chosenOf(form: ContainmentForm, found: FoundSubject, all: readonly SuspectRecording[], call: Call) {
  const { semApontamentos = [], semPecas, motivo } = form
  const leftOut = new Set(semApontamentos.map((id) => id.toLowerCase()))
  const isShort = found.isNarrowed || leftOut.size > 0 || (semPecas && all.length > 0)
  if (isShort && !isAllowed(call.caller.role, 'dispose')) throw new Refused('not_allowed')
  if ((found.isChosen || semPecas) && motivo === undefined) refuseField('motivo', 'Escreva o motivo.')
  if (semPecas) return []
  const isCertain = all.some(({ id, certainty }) => certainty === 'certo' && leftOut.has(id))
  if (isCertain) refuseField('semApontamentos', 'Só fica fora o que apenas pode conter peças.')
  return all.filter(({ id }) => !leftOut.has(id))
}

async function insertOpened(tx: Tx, form: ContainmentForm, call: Call) {
  const { caller, now, config, idempotencyKey: id, contentHash } = call
  const found = await findSubject(tx, form, call)
  const { columns, subject } = found
  const existing = columns.origin_key ? await findContainment(tx, { origin_key: columns.origin_key }) : null
  if (existing) throw new Refused('containment_exists', { values: { number: containmentNumber(existing.number) } })
  const suspects = chosenOf(form, found, await suspectsOf(tx, subject), call)
  const at = now()
  const by = { at, name: caller.fullName || caller.username, userId: caller.userId }
  const reason = form.motivo?.trim() ?? ''
  const isClosed = form.semPecas === true
  const widened = found.isChosen && !isClosed
  const stored = await insertContainment(
    tx,
    {
      ...{ ...columns, id, content_hash: contentHash, reason: widened ? '' : reason, version: 1 },
      ...{ widened_reason: widened ? reason : null, widened_at: widened ? at : null },
      ...{ widened_by: widened ? by.name : null, widened_user_id: widened ? by.userId : null },
      ...{ state: isClosed ? 'encerrada' : 'aberta', close_reason: isClosed ? reason : null },
      ...{ closed_at: isClosed ? at : null, closed_by: isClosed ? by.name : null },
      ...{ closed_user_id: isClosed ? by.userId : null, opened_at: at, opened_day: plantDay(at, config.timeZone) },
      ...{ opened_by: by.name, opened_user_id: by.userId },
    },
    suspects,
  )
  const pieces = suspects.reduce((sum, one) => sum + one.pieces, 0)
  const name = `${containmentNumber(stored.number)} · ${stored.subject}`
  const event = { action: 'containment_opened', kind: 'containment', id, name, reason: reason || null } as const
  await recordAuditEvent(tx, call, { ...event, details: { containedRecordings: suspects.length, pieces } })
  await noteChanges(tx, [{ topic: 'containments', key: id }], at)
}

/** Once, however often it comes; of two people with one reading the second hears the number of the first. */
async function open(form: ContainmentForm, call: Call): Promise<Answer<Containment>> {
  const { db, idempotencyKey: id, contentHash } = call
  await againWhenStored(() =>
    db.transaction(async (tx) => {
      const found = await findContainment(tx, { id })
      if (found && found.content_hash !== contentHash) throw new Refused('idempotency_key_reused')
      if (!found) await insertOpened(tx, form, call)
    }),
  )
  return new Answer(201, await getReply(db.read, id))
}

export async function getReply(db: Reader, id: string): Promise<Containment> {
  const found = await findContainment(db, { id })
  if (!found) throw new Refused('not_found')
  return containmentReply(found, await getTotals(db, id))
}

/** Rows as pages, labels and files show them. */
export async function rowReplies(db: Reader, rows: readonly RowRecord[]): Promise<ContainmentRow[]> {
  const facts = await describeSuspects(
    db,
    rows.map(({ recording_id }) => recording_id),
  )
  return (await withSteps(db, rows)).flatMap(({ steps, balance, ...row }) => {
    const fact = facts.get(row.recording_id)
    if (!fact) return []
    return {
      ...{ id: row.id, version: row.version, ...fact, certeza: row.certainty, pecas: balance.pieces },
      ...{ suspeitas: balance.suspect, retrabalho: balance.rework, liberadas: balance.released },
      ...{ sucateadas: balance.scrapped, divergente: isDivergent(balance) },
      passos: steps.map((step) => ({
        ...{ id: step.id, tipo: step.kind, passo: step.of_step, pecas: step.pieces, motivo: step.reason },
        ...{ verificado: step.checked, amostra: step.sample_pieces, verificadoTexto: step.checked_text ?? '' },
        motivoRefugo: step.reason_text ?? step.scrap_reason ?? '',
        ...{ por: step.decided_by, em: toInstant(step.at) },
      })),
    }
  })
}

/** Changes the ends and the rows that follow from them; what somebody has decided about stays. */
async function changeWindow(id: string, { inicio, fim, motivo }: WindowForm, call: Call): Promise<Containment> {
  const { db, caller, now, versionSeen } = call
  await db.transaction(async (tx) => {
    const was = await findContainment(tx, { id })
    if (!was) throw new Refused('not_found')
    if (was.state === 'encerrada') throw new Refused('containment_closed')
    const old = await subjectOfContainment(tx, was)
    if (!old) throw new Refused('not_found')
    const chosen = {
      startAt: inicio === undefined ? undefined : Date.parse(inicio),
      endAt: fim === undefined ? undefined : Date.parse(fim),
    }
    if (inicio === undefined && fim === undefined) refuseField('inicio', 'Informe o início ou o fim.')
    const is = withEnds(old, chosen)
    const [before, after] = [endsOf(old), endsOf(is)]
    requireEnds(after, is.kind === 'medicao' ? is.reading.orderedAt : now(), call)
    const { leaving, joining } = await rowChanges(tx, id, await suspectsOf(tx, is))
    const isNarrowed = isNarrower(before, after) || leaving.length > 0
    if (isNarrowed && !isAllowed(caller.role, 'dispose')) throw new Refused('not_allowed')
    const at = now()
    const ends = {
      ...{ start_at: after.startAt, end_at: after.endAt, basis: after.basis },
      is_open_ended: after.endAt === null || (fim === undefined && was.is_open_ended === 1) ? 1 : 0,
    }
    const by = { widened_by: caller.fullName || caller.username, widened_user_id: caller.userId, widened_at: at }
    const isChanged = await updateContainment(tx, id, { ...ends, ...by, widened_reason: motivo.trim() }, versionSeen)
    if (!isChanged) refuseOutdated(was)
    await deleteUntouchedRows(tx, leaving)
    await insertSuspects(tx, id, joining)
    const said = ({ startAt, endAt }: typeof after) => ({
      windowStart: isoOrNull(startAt),
      windowEnd: isoOrNull(endAt),
    })
    await recordAuditEvent(tx, call, {
      ...{ action: 'containment_window_changed', kind: 'containment', id, reason: motivo.trim() },
      ...{ name: `${containmentNumber(was.number)} · ${was.subject}`, was: said(before), is: said(after) },
    })
    await noteChanges(tx, [{ topic: 'containments', key: id }], at)
  })
  return withVersion(await getReply(db.read, id), call.reply)
}

type Chosen = { startAt: number | undefined; endAt: number | undefined }

const withEnds = (subject: Subject, { startAt, endAt }: Chosen): Subject =>
  subject.kind === 'medicao'
    ? { ...subject, window: widenedWindow(subject.window, { startAt, endAt }) }
    : { ...subject, startAt: startAt ?? subject.startAt, endAt: endAt ?? subject.endAt }

const endsOf = (subject: Subject) => {
  const isReading = subject.kind === 'medicao'
  const { startAt, endAt } = isReading ? subject.window : subject
  const basis = isReading ? subject.window.basis : ('mao' as const)
  return { startAt, endAt, basis, isOfOrder: basis === 'ordem' }
}

const ALL_ROWS = { after: 0, max: Number.MAX_SAFE_INTEGER }

/** Rows without a step that the window has lost, and recordings that it has found. */
async function rowChanges(tx: Tx, id: string, suspects: readonly SuspectRecording[]) {
  const rows = await listRows(tx, id, ALL_ROWS)
  const found = new Set(suspects.map((one) => one.id))
  const known = new Set(rows.map(({ recording_id }) => recording_id))
  return {
    leaving: rows.filter((row) => row.version === 1 && !found.has(row.recording_id)).map((row) => row.id),
    joining: suspects.filter((one) => !known.has(one.id)),
  }
}

async function listItems(branch: string, { db, config }: Pick<Call, 'db' | 'config'>) {
  requirePlant(branch, { config })
  const { open: all, stages } = await listContained(db.read, branch)
  const named = new Map(all.map(({ id, number }) => [id, { id, numero: containmentNumber(number) }]))
  return {
    itens: stages.flatMap((stage) => {
      const containment = named.get(stage.containment_id)
      if (!containment || stage.part === 'recebimento') return []
      return {
        ...{ codigoBarras: stage.barcode, ordem: stage.order_number, posicao: stage.position, etapa: stage.part },
        ...{ ...containment, pecas: stage.left },
      }
    }),
    lotes: all
      .filter(({ lot }) => lot !== '')
      .map(({ id, lot, number }) => ({ lote: lot, id, numero: containmentNumber(number) })),
    ferramentas: all
      .filter(({ unit }) => unit !== '')
      .map(({ id, unit, number }) => ({ miniaplicador: unit, id, numero: containmentNumber(number) })),
  }
}

/** Suspect pieces of a window: looked at, held under a number, and read again. Decisions and files have rows of their own. */
export function containmentRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, containments.preview, ({ query }, call) => preview(query, call))

  bind(app, context, containments.open, ({ body }, call) => open(body, call))

  bind(app, context, containments.list, async ({ query }, call) => {
    const { from, to, span } = readSpan(query, call)
    const rows = await listContainments(call.db.read, span)
    const totals = await listTotals(
      call.db.read,
      rows.map(({ id }) => id),
    )
    return {
      ...{ inicio: from, fim: to, abertas: rows.filter(({ state }) => state === 'aberta').length },
      contencoes: rows.flatMap((row) => {
        const ofRow = totals.get(row.id)
        return ofRow ? containmentReply(row, ofRow) : []
      }),
    }
  })

  bind(app, context, containments.items, ({ query: { filial } }, call) => listItems(filial, call))

  bind(app, context, containments.detail, async ({ params, query }, { db, reply }) => {
    const number = readContainmentNumber(params.id)
    const found = await findContainment(db.read, number === null ? { id: params.id.toLowerCase() } : { number })
    if (!found) throw new Refused('not_found')
    const { id } = found
    const contencao = withVersion(containmentReply(found, await getTotals(db.read, id)), reply)
    const ends = await measuredEnds(db.read, await subjectOfContainment(db.read, found))
    const rows = await listRows(db.read, id, { after: Number(query.depoisDe ?? 0), max: CONTAINMENT_PAGE + 1 })
    const page = rows.slice(0, CONTAINMENT_PAGE)
    const proxima = rows.length > CONTAINMENT_PAGE ? String(page.at(-1)?.id ?? 0) : null
    return { contencao, ...ends, linhas: await rowReplies(db.read, page), proxima }
  })

  bind(app, context, containments.changeWindow, ({ params, body }, call) =>
    changeWindow(params.id.toLowerCase(), body, call),
  )
}
