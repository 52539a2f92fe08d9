import type { FastifyInstance } from 'fastify'
import { type Instrument, type InstrumentForm, instruments } from '../../contract/instruments.ts'
import { spelledAs } from '../../domain/people/names.ts'
import { plantDay } from '../../domain/plant/plant-time.ts'
import { milliText } from '../../domain/quality/control-plans.ts'
import { bind } from '../http/bind.ts'
import { Answer } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import type { Tx } from '../store/db/db.ts'
import {
  findInstrument,
  insertInstrument,
  listInstruments,
  noteCalibration,
  updateInstrument,
} from '../store/instruments.ts'
import { noteChanges } from '../store/live-changes.ts'
import { recordAuditEvent, refuseOutdated, refusingTwins, withVersion } from '../upkeep/audit.ts'

const factsOf = ({ codigo, descricao, resolucao, calibradoAte = '', ativo, tipo }: InstrumentForm) => ({
  codigo: codigo.trim(),
  descricao: descricao.trim(),
  resolucao: milliText(resolucao, 3),
  calibradoAte,
  ativo,
  instrumentKind: tipo ?? null,
})

/** Change, audit event and live change are one commit; `store` returns the id. */
async function changeInstrument(
  form: InstrumentForm,
  was: Instrument | null,
  store: (tx: Tx) => Promise<number>,
  call: Call,
): Promise<Instrument> {
  const { db, now, reply, caller, config } = call
  const change = async (tx: Tx) => {
    const id = await store(tx)
    const changed = { was: was && factsOf(was), is: factsOf({ ...(was?.tipo && { tipo: was.tipo }), ...form }) }
    const event = { action: 'instrument_changed', kind: 'instrument', id, name: form.codigo.trim() } as const
    await recordAuditEvent(tx, call, { ...event, ...changed })
    const is = await findInstrument(tx, id)
    const by = { userId: caller.userId, name: caller.fullName || caller.username, at: now() }
    if (is) await noteCalibration(tx, is, { ...by, day: plantDay(by.at, config.timeZone) })
    await noteChanges(tx, [{ topic: 'instruments', key: String(id) }], now())
    return id
  }
  const id = await refusingTwins('instrument_exists', () => db.transaction(change))
  return withVersion(await findInstrument(db.read, id), reply)
}

export function instrumentRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, instruments.list, (_, { db }) => listInstruments(db.read))

  bind(app, context, instruments.create, async ({ body: form }, call) => {
    const codes = (await listInstruments(call.db.read)).map(({ codigo }) => codigo)
    const body = { ...form, codigo: spelledAs(form.codigo, codes) }
    const created = await changeInstrument(body, null, (tx) => insertInstrument(tx, body), call)
    return new Answer(201, created)
  })

  bind(app, context, instruments.update, async ({ params: { id }, body: form }, call) => {
    const was = await findInstrument(call.db.read, id)
    const body = { ...form, codigo: spelledAs(form.codigo, was ? [was.codigo] : []) }
    const update = async (tx: Tx) => {
      const isUpdated = await updateInstrument(tx, id, body, call.versionSeen)
      if (!isUpdated) refuseOutdated(await findInstrument(tx, id))
      return id
    }
    return await changeInstrument(body, was, update, call)
  })
}
