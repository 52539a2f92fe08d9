import type { FastifyInstance } from 'fastify'
import type { LiveChange } from '../../contract/live-changes.ts'
import { SCRAP_NOTE_LENGTH_MAX, type Scrap, type ScrapAnswer, type ScrapForm, scraps } from '../../contract/scraps.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { registeredUnit, shiftText } from '../../domain/quality/sampling.ts'
import { BADGE_REMOVED } from '../../domain/text/badge-texts.ts'
import { decideUndo, reasonOf, reasonProblem, scrapSavedText, storedReason } from '../../domain/tools/scraps.ts'
import { acceptAct } from '../acts/accept-act.ts'
import { lotRefusal } from '../acts/lots.ts'
import { findMeasured } from '../acts/measuring.ts'
import { actOf } from '../acts/work.ts'
import { bind } from '../http/bind.ts'
import { type Answer, Refused, refuseField } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import type { Reader } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { findReason } from '../store/scrap-reasons.ts'
import {
  confirmScrap,
  findScrap,
  getScrap,
  insertScrap,
  isWearing,
  listScraps,
  type NewScrap,
  type StoredScrap,
  undoScrap,
} from '../store/scraps.ts'
import { recordAuditEvent, signed } from '../upkeep/audit.ts'

export function scrapRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, scraps.list, async ({ query }, { db, caller }) => {
    const { filial: branch, codigoBarras, ordem = '', posicao = '' } = query
    const place =
      codigoBarras === undefined ? { branch, orderNumber: ordem, position: posicao } : { branch, barcode: codigoBarras }
    return (await listScraps(db.read, place)).map((row) => replyOf(row, caller.userId))
  })

  bind(app, context, scraps.create, ({ body }, call) => create(body, call))

  bind(app, context, scraps.undo, ({ params, body }, call) => undo(params.id.toLowerCase(), body, call))
}

const replyOf = (row: StoredScrap, userId: number): Scrap => ({
  id: row.id,
  filial: row.branch,
  parte: row.part,
  ordem: row.order_number,
  codigoBarras: row.barcode,
  posicao: row.position,
  terminal: row.terminal,
  miniaplicador: row.unit,
  maquina: row.machine,
  lote: row.lot,
  motivo: row.reason_code,
  motivoTexto: row.reason_text ?? row.reason_code,
  nota: row.note,
  retrabalho: row.is_rework === 1,
  pecas: row.pieces,
  origem: row.origin,
  autorConfirmado: row.trusted === 1,
  operador: row.operator,
  proprio: row.user_id === userId,
  registradoEm: toInstant(row.recorded_at),
  desfeito:
    row.undone_at === null
      ? null
      : { em: toInstant(row.undone_at), por: row.undone_by ?? '', motivo: row.undone_reason ?? '' },
})

const changesOf = (row: StoredScrap): LiveChange[] => [
  { topic: 'scraps', key: row.barcode || row.order_number },
  ...(isWearing(row) ? [{ topic: 'crimp-counters' as const, key: row.unit }] : []),
]

const stepOf = (stored: StoredScrap) => ({ stored, changes: changesOf(stored) })

/** Nothing of the ERP is needed: whatever comes from a tablet's queue is taken, also without a session to be trusted. */
function create({ captura, ...content }: ScrapForm, call: Call): Promise<Answer<ScrapAnswer>> {
  const { db, caller } = call
  const act = { ...actOf(captura, call), branch: content.filial }
  return acceptAct(act, call, async () => {
    const known = await findReason(db.read, { code: content.motivo })
    const problem = captura?.salvoNoDispositivo ? null : reasonProblem(content, known)
    // what is stored is answered, whatever became of its reason meanwhile
    if (problem && !(await findScrap(db.read, act.id))) throw new Refused('input_invalid', { details: [problem] })
    return {
      async find(tx) {
        const found = await findScrap(tx, act.id)
        return found && { ...found, contentHash: found.content_hash }
      },
      async again(tx, found, isTrusted) {
        if (!isTrusted || found.trusted === 1) return { stored: found, changes: [] }
        return stepOf(await confirmScrap(tx, act.id, act.receivedAt))
      },
      async insert(tx) {
        const lot = content.lote?.trim() ?? ''
        const wrong = lot.includes(BADGE_REMOVED) ? null : await lotRefusal(tx, lot, call)
        if (wrong && !captura?.salvoNoDispositivo) throw new Refused(wrong.refused, { values: wrong.values })
        const isLot = wrong === null && !lot.includes(BADGE_REMOVED)
        const row = await placedRow(tx, isLot ? content : withoutLot(content))
        return stepOf(await insertScrap(tx, { ...row, ...actRow(act, call) }))
      },
      isDoubted: ({ trusted }) => trusted === 0,
      async answer(stored) {
        const refugo = replyOf(stored, caller.userId)
        const { retrabalho: isRework, pecas: pieces } = refugo
        const message = scrapSavedText({ isRework, pieces, reason: reasonOf(refugo) })
        return { code: 201, body: { message, status: 'enviado' as const, item: null, refugo } }
      },
    }
  })
}

type Acted = ReturnType<typeof actOf>

const actRow = (act: Acted, { caller }: Call) => ({
  ...{ id: act.id, content_hash: act.contentHash, operator: act.operator, user_id: act.userId },
  ...{ recorded_at: act.recordedAt, received_at: act.receivedAt, production_day: act.productionDay },
  ...{ trusted: caller.retention === null ? 1 : 0, origin: 'operador' as const },
})

type Content = Omit<ScrapForm, 'captura'>

/** A scrap counts whatever stood in its lot: that was none, which the note says. */
const withoutLot = (content: Content): Content => ({
  ...content,
  lote: '',
  texto: [content.texto, 'Lote retirado: não era um lote'].filter(Boolean).join(' · ').slice(0, SCRAP_NOTE_LENGTH_MAX),
})

/** With terminal and gauge of the copy, where there is one, and the reason as it is known when it is stored. */
async function placedRow(tx: Reader, content: Content): Promise<Omit<NewScrap, keyof ReturnType<typeof actRow>>> {
  const { filial: branch, parte: part, codigoBarras: barcode = '', posicao: position = '', ordem } = content
  const place = { branch, barcode, position, orderNumber: ordem }
  const copy = part === 'cabo' ? null : await findMeasured(tx, { ...place, part })
  const terminal = copy?.terminal ?? ''
  const unit = part === 'l1' || part === 'l2' ? registeredUnit(content.miniaplicador ?? '') : ''
  const { code, note } = storedReason(content, await findReason(tx, { code: content.motivo }))
  return {
    ...{ branch, part, barcode, position, order_number: ordem, terminal, terminal_key: nameKey(terminal) },
    ...{ gauge_milli: copy?.gauge ?? null, unit, unit_key: nameKey(unit), machine: content.maquina ?? '' },
    ...{ lot: content.lote?.trim() ?? '', reason_code: code, note, is_rework: content.retrabalho ? 1 : 0 },
    pieces: content.pecas,
  }
}

type Undo = { motivo?: string | undefined; desfeitoEm?: string | undefined }

/** An instant that a tablet gives lies between the scrap and now. */
const undoneAt = ({ desfeitoEm }: Undo, { recorded_at }: StoredScrap, now: number): number =>
  desfeitoEm === undefined ? now : Math.min(now, Math.max(recorded_at, Date.parse(desfeitoEm)))

async function undo(id: string, body: Undo, call: Call): Promise<Scrap> {
  const { db, caller, now, config } = call
  const reason = body.motivo?.trim() || null
  return await db.transaction(async (tx) => {
    const found = await findScrap(tx, id)
    if (!found) throw new Refused('not_found')
    const at = undoneAt(body, found, now())
    const refusal = decideUndo({
      isAuthor: found.user_id === caller.userId,
      isSameShift: shiftText(found.recorded_at, config) === shiftText(at, config),
      mayCorrect: isAllowed(caller.role, 'correct'),
      hasReason: reason !== null,
      origin: found.origin,
    })
    if (refusal === 'reason_missing') refuseField('motivo', 'Escreva o motivo.')
    if (refusal) throw new Refused(refusal)
    const undone = await undoScrap(tx, id, { ...signed(call), at, reason })
    if (undone) {
      await recordAuditEvent(tx, call, {
        ...{ action: 'scrap_undone', kind: 'scrap', id, name: `OP ${found.order_number}`, reason },
        details: { pieces: found.pieces, scrapReason: found.reason_text ?? found.reason_code },
      })
      await noteChanges(tx, changesOf(undone), now())
    }
    return replyOf(undone ?? (await getScrap(tx, id)), caller.userId)
  })
}
