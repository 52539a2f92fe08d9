import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import type { CrimpCounter } from '../../src/contract/crimp-counters.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import type { ToolParts } from '../../src/contract/wear-parts.ts'
import { addCrimps, insertApplicator } from '../../src/server/store/applicators.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { addUser, type Database, openTestPanel } from './harness.ts'

const DAY_MS = 86_400_000

/** A plant with one mini applicator, cared for by Carlos; João is its administrator, Maria works with it. */
export async function openToolRoom(database: Database, given?: Db) {
  const panel = await openTestPanel({ database, ...(given && { db: given }) })
  const { db, clock } = panel
  await addUser(panel.context, { username: 'carlos', fullName: 'Carlos Melo', role: 'manutencao' })
  await addUser(panel.context, { username: 'maria', fullName: 'Maria Souza' })
  await addUser(panel.context, { username: 'joao', fullName: 'João Lima', role: 'admin' })
  const tokens = new Map<string, string>()
  const logIn = async () => {
    for (const name of ['carlos', 'maria', 'joao']) tokens.set(name, (await panel.login(name)).token)
  }
  await logIn()
  /** Longer than a session lasts. */
  const passDays = async (days: number) => {
    clock.advance(days * DAY_MS)
    await logIn()
  }
  await db.transaction((tx) =>
    insertApplicator(tx, { terminal: 'T1326030', miniaplicator: 'MA-0001', at: clock.now() }),
  )
  /** By Carlos unless another one is named. */
  const as = (request: InjectOptions, who = 'carlos') => panel.ask(tokens.get(who) ?? '', request)
  const count = (crimps: number, unitKey = 'ma-0001') =>
    db.transaction((tx) => addCrimps(tx, { recordingId: randomUUID(), reason: 'sample', unitKey, crimps, at: 1 }))
  const unit = async (): Promise<CrimpCounter> => (await as({ url: '/api/crimpagens/MA-0001' })).json()
  const parts = async (name = 'MA-0001'): Promise<ToolParts> =>
    (await as({ url: `/api/ferramentas/${encodeURIComponent(name)}/pecas` })).json()
  /** What the audit trail says, oldest first. */
  const trail = async () => {
    const rows = await db.read.selectFrom('audit_entries').selectAll().orderBy('id').execute()
    return rows.map(({ action, subject_id: subject, reason, details_json: details, user_name: user }) => ({
      ...{ user, action, subject, reason },
      details: JSON.parse(details) as Record<string, unknown>,
    }))
  }
  return { ...panel, as, passDays, count, unit, parts, trail }
}

export const codeOf = (answer: { statusCode: number; json<T>(): T }): [number, string] => [
  answer.statusCode,
  answer.json<ErrorReply>().code,
]
