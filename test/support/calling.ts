import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import type { ErrorReply } from '../../src/contract/errors.ts'
import type {
  CallSolution,
  MaintenanceCall,
  MaintenanceCallAnswer,
  MaintenanceCallList,
} from '../../src/contract/maintenance-calls.ts'
import type { Capture } from '../../src/contract/recordings.ts'
import { addUser, callOf, openTestPanel } from './harness.ts'

/** A panel with an operator, a technician and an administrator, and what they do about calls. */
export async function setUpCalling(options: Parameters<typeof openTestPanel>[0] = {}) {
  const panel = await openTestPanel(options)
  const { clock } = panel
  await addUser(panel.context, { username: 'operador', fullName: 'Maria Souza' })
  await addUser(panel.context, { username: 'carlos', fullName: 'Carlos Reis', role: 'manutencao' })
  await addUser(panel.context, { username: 'admin', fullName: 'Ana Lima', role: 'admin' })
  const { token } = await panel.login('operador')
  const { token: technician } = await panel.login('carlos')
  const { token: admin } = await panel.login('admin')
  const send = (
    request: InjectOptions,
    { more = {}, captura }: { more?: Parameters<typeof callOf>[0]; captura?: Capture } = {},
    id: string = randomUUID(),
  ) =>
    panel.app.inject({
      ...request,
      method: 'POST',
      url: '/api/chamados',
      headers: { 'idempotency-key': id, ...request.headers },
      payload: callOf({ ...more, ...(captura ? { captura } : {}) }),
    })
  /** As a page does: `who` is logged in. */
  const open = async (more: Parameters<typeof callOf>[0] = {}, id: string = randomUUID(), who = token) => {
    const answer = await send({ headers: { authorization: `Bearer ${who}` } }, { more }, id)
    return { http: answer.statusCode, ...(answer.json() as MaintenanceCallAnswer & Partial<ErrorReply>) }
  }
  const change = async (
    call: Pick<MaintenanceCall, 'id'>,
    what: 'atendimento' | 'solucao' | 'cancelamento',
    body?: object,
    { who = technician, version = null }: { who?: string; version?: number | null } = {},
  ) => {
    const answer = await panel.ask(who, {
      method: 'POST',
      url: `/api/chamados/${call.id}/${what}`,
      headers: version === null ? {} : { 'if-match': `"${version}"` },
      ...(body ? { payload: body } : {}),
    })
    return { http: answer.statusCode, ...(answer.json() as MaintenanceCall & Partial<ErrorReply>) }
  }
  const solved: CallSolution = { causa: 'bigorna-gasta', feito: 'Bigorna trocada' }
  const list = async (query: Record<string, string> = {}, who = token): Promise<MaintenanceCallList> =>
    (await panel.ask(who, { url: `/api/chamados?${new URLSearchParams({ filial: '010101', ...query })}` })).json()
  const maintainedAt = async () =>
    (await panel.db.read.selectFrom('applicator_units').select('maintained_at').executeTakeFirst())?.maintained_at
  const audited = () =>
    panel.db.read.selectFrom('audit_entries').selectAll().where('subject_kind', '=', 'call').orderBy('id').execute()
  return { ...panel, clock, token, technician, admin, send, open, change, solved, list, maintainedAt, audited }
}
