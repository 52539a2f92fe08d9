import { onTestFinished } from 'vitest'
import type { User } from '../../../src/contract/users.ts'
import { addUser, openTestPanel } from '../harness.ts'
import { personOf, startDirectory } from './responder.ts'

/** Of everybody whom `personOf` makes. */
export const THEIRS = 'senha-do-diretório'
/** A plant with a directory that knows Maria, and a local administrator. */
export async function setUp(
  options: Parameters<typeof startDirectory>[0] = {},
  panelOptions: Parameters<typeof openTestPanel>[0] = {},
) {
  const directory = await startDirectory({ people: [personOf('maria')], ...options })
  onTestFinished(() => directory.close())
  const panel = await openTestPanel({ ...panelOptions, env: { ...directory.env, ...panelOptions.env } })
  await addUser(panel.context, { username: 'ana', fullName: 'Ana Lima', role: 'admin' })
  const enter = async (username: string, password: string) =>
    await panel.app.inject({ method: 'POST', url: '/api/auth/login', payload: { username, password } })
  const statusOf = async (username: string, password: string) => (await enter(username, password)).statusCode
  const look = async () => await panel.context.directory?.look()
  const listed = async (username: string) => {
    const { token } = await panel.login('ana')
    const answer = await panel.ask(token, { method: 'GET', url: '/api/usuarios' })
    return answer.json<User[]>().find((user) => user.username === username)
  }
  const isIn = async (token: string) =>
    (await panel.ask(token, { method: 'POST', url: '/api/auth/validate' })).statusCode === 200
  const trail = async () =>
    (
      await panel.db.read
        .selectFrom('audit_entries')
        .select(['user_name', 'action', 'details_json'])
        .orderBy('id')
        .execute()
    ).map(({ user_name, action, details_json }) => [user_name, action, JSON.parse(details_json)])
  return { ...panel, directory, enter, statusOf, look, listed, isIn, trail }
}
