import type { FastifyInstance } from 'fastify'
import type { Input } from '../../contract/endpoint.ts'
import type { LiveChange } from '../../contract/live-changes.ts'
import {
  CALLS_LISTED_MAX,
  type CallSolution,
  type MaintenanceCall,
  type MaintenanceCallAnswer,
  type MaintenanceCallForm,
  maintenanceCalls,
} from '../../contract/maintenance-calls.ts'
import { momentTextOf, plantDay } from '../../domain/plant/plant-time.ts'
import { csvOf } from '../../domain/text/csv.ts'
import { teamTexts } from '../../domain/tools/call-topics.ts'
import { machineFinder } from '../../domain/tools/equipment.ts'
import {
  callColumns,
  callJoinedText,
  callOpenedText,
  callStateTexts,
  callsFileName,
  callTotals,
  causeText,
  decideCancel,
  isCauseOf,
  isLateCall,
  isOpenCall,
  mayAnswer,
} from '../../domain/tools/maintenance-calls.ts'
import { acceptAct } from '../acts/accept-act.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { actOf } from '../acts/work.ts'
import { bind } from '../http/bind.ts'
import { type Answer, Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import type { Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import {
  acknowledgeCall,
  type CallChange,
  type CallPeriod,
  cancelCall,
  confirmCall,
  findCall,
  findPressed,
  findPressedInTurn,
  listCalls,
  listCallsOpened,
  listCallTimes,
  type OpenedCall,
  openCall,
  type Press,
  type StoredCall,
  solveCall,
} from '../store/maintenance-calls.ts'
import { findLimitRoles } from '../store/settings.ts'
import { type AuditEvent, beginExport, recordAuditEvent, refuseOutdated, withVersion } from '../upkeep/audit.ts'
import { requirePeriod } from './charts.ts'
import { resetOfCall } from './crimp-counters.ts'
import { cachedMachines } from './machines.ts'
import { replaceParts } from './wear-parts.ts'

export function maintenanceCallRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, maintenanceCalls.list, async ({ query }, call) => {
    const period = readPeriod(query, call)
    const listed = await listCalls(call.db.read, period, CALLS_LISTED_MAX)
    const totais = callTotals(await listCallTimes(call.db.read, period))
    return { inicio: period.from, fim: period.to, chamados: listed.map(replyOf), totais }
  })

  bind(app, context, maintenanceCalls.csv, async ({ query }, call) => {
    const period = readPeriod(query, call)
    await beginExport(call, callsFileName(period.from, period.to))
    const columns = callColumns(momentTextOf(call.config.timeZone))
    return csvOf(columns, await listCallsOpened(call.db.read, period))
  })

  bind(app, context, maintenanceCalls.open, ({ body }, call) => open(body, call))

  bind(app, context, maintenanceCalls.acknowledge, ({ params }, call) =>
    answerCall(params.id, call, async (tx, change) => {
      const { call: found, by } = change
      // tapped twice
      if (found.acknowledgedByUserId === by.userId) return null
      if (found.situacao !== 'aberto') throw new Refused('changed_meanwhile')
      requireChanged(await acknowledgeCall(tx, change), found)
      return { details: {} }
    }),
  )

  bind(app, context, maintenanceCalls.solve, ({ params, body }, call) =>
    answerCall(params.id, call, async (tx, change) => {
      const { replacedParts = [], zerarContador, ...found } = body
      requireOfTeam(body, change.call)
      const solution = solutionOf(found)
      requireChanged(await solveCall(tx, change, solution), change.call)
      const { id: callId, unitKey, miniaplicador } = change.call
      if (zerarContador !== undefined) await resetOfCall(tx, miniaplicador, zerarContador, call)
      await replaceParts(tx, call, replacedParts, { unitKey, callId })
      const is = { callState: callStateTexts.resolvido, cause: causeText(solution), done: solution.feito }
      const changes: LiveChange[] = replacedParts.length > 0 ? [{ topic: 'wear-parts', key: miniaplicador }] : []
      return { action: 'call_resolved', is, changes }
    }),
  )

  bind(app, context, maintenanceCalls.cancel, ({ params, body: { motivo, juntados } }, call) =>
    changeCall(params.id, call, async (tx, change) => {
      if (juntados !== undefined && juntados !== change.call.juntados) refuseOutdated(change.call)
      const decided = await decide(tx, change, motivo, call)
      const reason = motivo?.trim() || null
      requireChanged(await cancelCall(tx, change, reason), change.call)
      const is = { callState: callStateTexts.cancelado }
      return { action: 'call_cancelled', reason, is, ...(decided === 'undo' ? { details: { because: UNDONE } } : {}) }
    }),
  )
}

const UNDONE = 'Desfeito por quem abriu'

/** Without days it is today's, without a team that of maintenance. */
function readPeriod(
  { filial: branch, inicio, fim, equipe: team = 'manutencao' }: Input<typeof maintenanceCalls.list>['query'],
  call: Pick<Call, 'config' | 'now'>,
): CallPeriod {
  requirePlant(branch, call)
  const today = plantDay(call.now(), call.config.timeZone)
  const to = fim ?? today
  const from = inicio ?? to
  requirePeriod({ inicio: from, fim: to })
  return { branch, from, to, team }
}

const replyOf = ({
  contentHash: _hash,
  openedByUserId: _openedBy,
  acknowledgedByUserId: _acknowledgedBy,
  receivedAt: _receivedAt,
  unitKey: _unitKey,
  ...call
}: StoredCall): MaintenanceCall => call

/** Nothing of the ERP is needed: whatever comes from a tablet's queue is taken, also without a session to be trusted. */
function open({ captura, ...content }: MaintenanceCallForm, call: Call): Promise<Answer<MaintenanceCallAnswer>> {
  const { db, caller } = call
  const act = { ...actOf(captura, call), branch: content.filial }
  const step = (stored: OpenedCall) => ({ stored, changes: [{ topic: 'calls' as const, key: stored.call.id }] })
  return acceptAct(act, call, async () => {
    // what is there is answered, however often it comes
    if (!(await findPressed(db.read, act.id))) call.budgets.take('callsOfPerson', caller.username)
    const press = await pressOf(content, act, call)
    return {
      find: (tx) => findPressedInTurn(tx, press),
      async again(tx, stored, isTrusted) {
        const isConfirmed = isTrusted && !stored.isJoined && !stored.call.autorConfirmado
        return step(isConfirmed ? { ...stored, call: await confirmCall(tx, stored.call, press) } : stored)
      },
      insert: async (tx) => step(await openCall(tx, press)),
      isDoubted: ({ call: made, isJoined }) => !isJoined && !made.autorConfirmado && isOpenCall(made),
      async answer({ call: made, isJoined }) {
        const { numero, equipe } = made
        const message = isJoined ? callJoinedText(numero) : callOpenedText(numero, equipe)
        const outcome = { message, status: 'enviado' as const, item: null }
        return { code: isJoined ? 200 : 201, body: { ...outcome, numero, juntado: isJoined, chamado: replyOf(made) } }
      },
    }
  })
}

type Pressed = ReturnType<typeof actOf>

/** A call as this server keeps it. */
async function pressOf(content: Omit<MaintenanceCallForm, 'captura'>, act: Pressed, call: Call): Promise<Press> {
  const { filial: branch, maquina: machine } = content
  const { id, contentHash: hash, capture, receivedAt, userId, operator } = act
  // what the queue brings was pressed before it came; of anything else the server's clock says when
  const openedAt = capture?.salvoNoDispositivo ? act.recordedAt : receivedAt
  const isTrusted = call.caller.retention === null
  const listed = await cachedMachines({ branch, type: undefined }, call)
  return {
    id,
    contentHash: hash,
    branch,
    machine,
    machineKey: machineFinder(listed?.machines ?? [])(machine),
    unit: content.miniaplicador ?? '',
    barcode: content.codigoBarras ?? '',
    position: content.posicao ?? '',
    orderNumber: content.ordem ?? '',
    side: content.lado ?? '',
    symptom: content.sintoma,
    team: content.equipe ?? 'manutencao',
    topic: content.assunto ?? '',
    actId: content.medicao?.toLowerCase() ?? null,
    note: content.nota ?? '',
    openedAt,
    openedDay: plantDay(openedAt, call.config.timeZone),
    receivedAt,
    by: { userId, name: operator },
    isTrusted,
    isLate: isLateCall({ openedAt, receivedAt, isTrusted }),
  }
}

/** Somebody has changed it since it was read. */
function requireChanged(isChanged: boolean, call: StoredCall): void {
  if (!isChanged) refuseOutdated(call)
}

/** The audit event of a change; null: nothing was changed. */
type Note = Partial<Pick<AuditEvent, 'action' | 'reason' | 'is' | 'details'>> & { changes?: LiveChange[] }

async function changeCall(
  id: string,
  call: Call,
  change: (tx: Tx, change: CallChange) => Promise<Note | null>,
  authorize: (tx: Tx, found: StoredCall) => Promise<void> = async () => {},
): Promise<MaintenanceCall> {
  const { db, caller, now, versionSeen, reply } = call
  const changed = await db.transaction(async (tx) => {
    const at = now()
    const found = await findCall(tx, id.toLowerCase())
    if (!found) throw new Refused('not_found')
    await authorize(tx, found)
    if (!isOpenCall(found)) throw new Refused('call_settled', settledMessage(found))
    const by = { userId: caller.userId, name: caller.fullName || caller.username }
    const isOwn = found.acknowledgedByUserId === by.userId
    if (versionSeen !== null && versionSeen !== found.version && !isOwn) refuseOutdated(found)
    const note = await change(tx, { call: found, by, at })
    if (note === null) return found
    const { action, changes = [], ...more } = note
    const { numero, maquina, miniaplicador, equipe } = found
    const was = { callState: callStateTexts[found.situacao] }
    const details = { callTeam: teamTexts[equipe], machine: maquina, miniaplicator: miniaplicador, ...more.details }
    const event = { kind: 'call' as const, id: found.id, name: String(numero), was, ...more, details }
    if (action) await recordAuditEvent(tx, call, { action, ...event })
    await noteChanges(tx, [{ topic: 'calls', key: found.id }, ...changes], at)
    return await findCall(tx, found.id)
  })
  return withVersion(changed && replyOf(changed), reply)
}

/** Changes a call for somebody who may answer its team. */
const answerCall = (id: string, call: Call, change: (tx: Tx, change: CallChange) => Promise<Note | null>) =>
  changeCall(id, call, change, async (tx, found) => {
    if (!(await mayAnswerCall(tx, found, call))) throw new Refused('not_allowed', { caller: call.caller })
  })

const mayAnswerCall = async (tx: Tx, { equipe }: StoredCall, { caller }: Call): Promise<boolean> =>
  mayAnswer(caller.role, equipe, await findLimitRoles(tx))

/** Parts, counters and records of machines are for maintenance alone to write down. */
function requireOfTeam(solution: CallSolution, { equipe }: StoredCall): void {
  const { causa, maintenanceRecord, replacedParts = [], zerarContador } = solution
  const isOfMachine = maintenanceRecord !== undefined || replacedParts.length > 0 || zerarContador !== undefined
  const field = isCauseOf(equipe, causa) ? (isOfMachine && equipe !== 'manutencao' ? 'replacedParts' : null) : 'causa'
  if (field === null) return
  throw new Refused('input_invalid', { details: [{ field, message: `Não é de ${teamTexts[equipe]}` }] })
}

const settledMessage = ({ situacao }: StoredCall) =>
  situacao === 'cancelado' ? { message: 'Este chamado foi cancelado.' } : {}

const solutionOf = ({
  causa,
  causaTexto,
  feito,
  maintenanceRecord,
}: Omit<CallSolution, 'replacedParts' | 'zerarContador'>) => ({
  causa,
  causaTexto: causaTexto?.trim() ?? '',
  feito: feito?.trim() ?? '',
  maintenanceRecord: maintenanceRecord ?? null,
})

async function decide(tx: Tx, { call: found, by, at }: CallChange, reason: string | undefined, call: Call) {
  const decided = decideCancel(
    {
      state: found.situacao,
      openedByUserId: found.openedByUserId,
      receivedAt: found.receivedAt,
      joined: found.juntados,
    },
    {
      userId: by.userId,
      mayAnswer: await mayAnswerCall(tx, found, call),
      hasReason: (reason?.trim() ?? '') !== '',
      now: at,
    },
  )
  if (decided === 'not_allowed') throw new Refused('not_allowed', { caller: call.caller })
  if (decided === 'reason_missing') {
    throw new Refused('input_invalid', { details: [{ field: 'motivo', message: 'Informe o motivo' }] })
  }
  return decided
}
