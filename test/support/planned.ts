import type { PlanContent } from '../../src/contract/control-plans.ts'
import type { Capture, CutCrimpRecording } from '../../src/contract/recordings.ts'
import type { ReleaseForm } from '../../src/contract/releases.ts'
import type { PlanMode } from '../../src/contract/settings.ts'
import type { Role } from '../../src/contract/values.ts'
import { insertPlans } from '../../src/server/store/control-plans.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { addUser, crimpOf, type Database, ORDER, PASSWORD, UNTOUCHED } from './harness.ts'
import { sampleRow } from './series-samples.ts'
import { setUp as openPanel } from './waiting.ts'

/** Answers to a recording. */
export const blocked = [409, 'plan_not_met']
export const taken = [201, 'enviado']

const altura = { nominal: 1100, menos: 50, mais: 50 }
export const heightPlan = {
  ...{ terminal: 'T1326030', bitola: 500, altura },
  ...{ leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false },
}

/** A panel with a plan of the terminal of `crimpOf`, and a plant that makes this of work outside it. */
export async function setUpPlanned(
  mode: PlanMode,
  options: { database?: Database; role?: Role; plan?: Partial<PlanContent> } = {},
) {
  const panel = await openPanel({ database: options.database ?? 'sqlite' })
  const { db, clock, token, ask } = panel
  await addUser(panel.context, { username: 'rita', role: options.role ?? 'qualidade', fullName: 'Rita Melo' })
  await db.transaction(async (tx) => {
    await saveSetting(tx, PLAN_MODE, mode)
    await insertPlans(tx, [{ plan: { ...heightPlan, ...options.plan }, version: 1, from: clock.now() - 600_000 }])
  })
  /** Straight into the table: how a sample gets there is not what is tested here. */
  const measure = async (more: Parameters<typeof sampleRow>[0] = {}) => {
    clock.advance(1000)
    const row = sampleRow({ measured_at: clock.now(), ...more })
    await db.transaction((tx) => tx.insertInto('measurements').values(row).execute())
  }
  const record = async (captura: Capture = { plano: 1 }, more: Partial<CutCrimpRecording> = {}, id?: string) => {
    clock.advance(1000)
    const answer = await panel.record(token, { ...crimpOf(1), ...more, captura }, id)
    return [answer.statusCode, answer.json().code ?? answer.json().status]
  }
  const place = { filial: '010101', codigoBarras: UNTOUCHED, ordem: ORDER, parte: 'l1' } as const
  const release = async (more: Partial<ReleaseForm> = {}) => {
    const payload = { usuario: 'rita', senha: PASSWORD, ...place, motivo: 'Desvio 12/26', ...more }
    return await ask(token, { method: 'POST', url: '/api/liberacoes', payload })
  }
  const findings = async () => {
    const rows = await db.read.selectFrom('recording_findings').selectAll().orderBy('id').execute()
    return rows.map(({ finding, mode: of, reason, release_id: by }) => [finding, of, reason, by !== null])
  }
  const stored = async () => (await db.read.selectFrom('recordings').select('id').execute()).length
  return { ...panel, send: panel.record, measure, record, release, findings, stored }
}
