import { join } from 'node:path'
import { expect } from 'vitest'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { type InstallationSettings, installationSettings } from '../../src/contract/installation-settings.ts'
import { completeConfig } from '../../src/server/upkeep/installation-settings.ts'
import { addUser, openTestPanel } from './harness.ts'

export const SECRET = 'uma-senha-que-ninguem-le'
export const OTHER_SECRET = 'outra-senha-que-ninguem-le'

type Options = Parameters<typeof openTestPanel>[0] & {}

export async function withSettings(options: Options = {}) {
  const panel = await openTestPanel({ ...options, env: { MODE: 'plant', ALLOW_PLAIN_HTTP: 'on', ...options.env } })
  await addUser(panel.context, { username: 'operador' })
  await addUser(panel.context, { username: 'admin', role: 'admin', fullName: 'Ana Lima' })
  const admin = (await panel.login('admin')).token
  const read = async () => {
    const answer = await panel.ask(admin, { url: '/api/instalacao' })
    expect(installationSettings.get.reply.safeParse(answer.json())).toMatchObject({ success: true })
    return answer.json<InstallationSettings>()
  }
  const put = (values: Record<string, string | null>, more: object = {}, version?: number) =>
    panel.ask(admin, {
      method: 'PUT',
      url: '/api/instalacao',
      payload: { values, ...more },
      ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }),
    })
  const variable = async (name: string) => (await read()).variables.find((one) => one.name === name)
  const { config, installation } = panel.context
  /** As the next start has it. */
  const next = async () => (await completeConfig(panel.db.read, installation.env, config)).config
  const secretsFile = join(config.dataDir, 'secrets.json')
  const audit = () => panel.db.read.selectFrom('audit_entries').selectAll().orderBy('id').execute()
  return { ...panel, admin, read, put, variable, next, secretsFile, audit }
}

export const refusalOf = (answer: { statusCode: number; json: () => unknown }) => {
  const { code, details } = answer.json() as ErrorReply
  return [answer.statusCode, code, details]
}
