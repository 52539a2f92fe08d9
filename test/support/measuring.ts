import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import type { PlanContent } from '../../src/contract/control-plans.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import type {
  Measurement,
  MeasurementAnswer,
  MeasurementForm,
  MeasuringContext,
} from '../../src/contract/measurements.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { insertPlans } from '../../src/server/store/control-plans.ts'
import { addUser, crimpOf, measurementOf, UNTOUCHED } from './harness.ts'
import { setUp } from './waiting.ts'

/** Of end 1 of `UNTOUCHED`. */
export const planOf = (more: Partial<PlanContent> = {}): PlanContent => ({
  ...{ terminal: 'T1326030', bitola: 500, altura: { nominal: 1100, menos: 50, mais: 50 }, forcaMin: 75_000 },
  ...{ leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false },
  ...more,
})

/** What the form sends where somebody measured both values. */
export const measuredCrimp = (pieces: number, captura: CutCrimpRecording['captura'] = {}): CutCrimpRecording => ({
  ...crimpOf(pieces),
  captura: { medidoForca: true, medidoAltura: true, ...captura },
})

/** A panel with somebody of quality, and what people do about measurements. */
export async function setUpMeasuring(options: Parameters<typeof setUp>[0] = {}) {
  const panel = await setUp(options)
  const { db, token, clock } = panel
  await addUser(panel.context, { username: 'rita', fullName: 'Rita Melo', role: 'qualidade' })
  const { token: quality } = await panel.login('rita')
  const planVersion = (content: PlanContent, version: number, from: number = clock.now()) =>
    db.transaction((tx) => insertPlans(tx, [{ plan: content, version, from }]))
  const plan = (content: PlanContent = planOf(), from: number = clock.now() - 1000) => planVersion(content, 1, from)
  const send = (request: InjectOptions, more: Partial<MeasurementForm> = {}, id: string = randomUUID()) =>
    panel.app.inject({
      ...request,
      method: 'POST',
      url: '/api/medicoes',
      headers: { 'idempotency-key': id, ...request.headers },
      payload: measurementOf(more),
    })
  /** As a page does: `who` is logged in. */
  const measure = async (more: Partial<MeasurementForm> = {}, id: string = randomUUID(), who = token) => {
    const answer = await send({ headers: { authorization: `Bearer ${who}` } }, more, id)
    return { http: answer.statusCode, ...(answer.json() as MeasurementAnswer & Partial<ErrorReply>) }
  }
  const heights = (...valores: number[]): Pick<MeasurementForm, 'leituras'> => ({
    leituras: [{ caracteristica: 'altura', valores }],
  })
  const listed = async (who = token): Promise<Measurement[]> =>
    (await panel.ask(who, { url: `/api/medicoes?filial=010101&codigoBarras=${UNTOUCHED}` })).json()
  const contextOf = async (who = token): Promise<MeasuringContext> =>
    (await panel.ask(who, { url: `/api/medicoes/do-item/${UNTOUCHED}?filial=010101` })).json()
  const invalidate = (id: string, who = quality, motivo = 'Lida com o bico errado') =>
    panel.ask(who, { method: 'POST', url: `/api/medicoes/${id}/invalidacao`, payload: { motivo } })
  const takeBack = (id: string, who = quality, motivo = 'O bico era o certo') =>
    panel.ask(who, { method: 'POST', url: `/api/medicoes/${id}/devolucao`, payload: { motivo } })
  const rows = () => db.read.selectFrom('measurements').selectAll().orderBy('id').execute()
  /** Characteristic and whether it counts, of what recordings themselves measured. */
  const own = async () => {
    const all = await rows()
    return all
      .filter(({ recording_id }) => recording_id !== null)
      .map(({ recording_id, characteristic, counted }) => [recording_id, characteristic, counted])
  }
  const links = () => db.read.selectFrom('recording_measurements').selectAll().execute()
  const actions = {
    plan,
    planVersion,
    send,
    measure,
    heights,
    listed,
    contextOf,
    invalidate,
    takeBack,
    rows,
    own,
    links,
  }
  return { ...panel, ...actions, quality }
}
