import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AuditEntry } from '../../src/contract/audit-entries.ts'
import { type DirectoryTrial, health, type SystemHealth } from '../../src/contract/health.ts'
import { startChores } from '../../src/server/panel.ts'
import { setUp, THEIRS } from '../support/directory/panel.ts'
import { groupOf, nestedGroupOf, personOf, SERVICE } from '../support/directory/responder.ts'
import { addUser, openTestPanel, PASSWORD, temporaryFolder } from '../support/harness.ts'
import { startHere } from '../support/starting.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const WRONG = 'senha-trocada-da-conta'

type Setting = Awaited<ReturnType<typeof setUp>>

const serviceBinds = ({ directory }: Pick<Setting, 'directory'>) =>
  directory.heard.filter((line) => line === `bind ${SERVICE.dn}`).length

async function readHealth({ login, ask }: Pick<Setting, 'login' | 'ask'>): Promise<SystemHealth> {
  const { token } = await login('ana')
  const answer = await ask(token, { url: '/api/sistema' })
  expect(health.get.reply.safeParse(answer.json())).toMatchObject({ success: true })
  return answer.json()
}

const stateOf = async (panel: Setting) => (await readHealth(panel)).servers[0]?.directory
const alarmsOf = async (panel: Setting) =>
  (await readHealth(panel)).alarms.filter(({ isOn }) => isOn).map(({ kind, text }) => [kind, text])

/** As the chores do each minute. */
const lookAt = async ({ context }: Setting) => {
  await context.directory?.watch()
  await context.directory?.look()
}

describe('a service account that is refused', () => {
  test('is tried after 30 s, 2 min and 10 min and never between, whoever logs in and however often it is looked at', async () => {
    const panel = await setUp({}, { env: { LDAP_PASSWORD: WRONG } })
    const tried: number[] = []
    for (let second = 0; second <= 25 * 60; second += 30) {
      panel.directory.heard.length = 0
      expect((await panel.enter('maria', THEIRS)).json().code).toBe('directory_unavailable')
      await lookAt(panel)
      if (serviceBinds(panel) > 0) tried.push(second)
      expect(serviceBinds(panel), `at ${second} s`).toBeLessThanOrEqual(1)
      panel.clock.advance(30 * SECOND_MS)
    }
    expect(tried).toEqual([0, 30, 150, 750, 1350])
    expect(await stateOf(panel)).toMatchObject({ awaySince: null, access: 'refused', fault: { reason: 'account' } })
    expect(await alarmsOf(panel)).toContainEqual(['directory_refused', expect.stringContaining('LDAP_PASSWORD')])
  })

  test('is tried once by all who log in at the same moment', async () => {
    const panel = await setUp({}, { env: { LDAP_PASSWORD: WRONG } })
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => panel.enter(`pessoa${at}`, THEIRS)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]))
    expect(serviceBinds(panel)).toBe(1)
  })

  test('comes in again by itself once the directory takes it, and local users all the while', async () => {
    const panel = await setUp({}, { env: { LDAP_PASSWORD: WRONG } })
    expect(await panel.statusOf('maria', THEIRS)).toBe(503)
    panel.directory.people.push({ dn: SERVICE.dn, password: WRONG, attributes: {} })
    expect([await panel.statusOf('maria', THEIRS), await panel.statusOf('ana', PASSWORD)]).toEqual([503, 200])
    panel.clock.advance(30 * SECOND_MS)
    expect(await panel.statusOf('maria', THEIRS)).toBe(200)
    expect(await stateOf(panel)).toMatchObject({ access: 'ok' })
  })
})

describe('the watch of the directory', () => {
  test.each([
    ['ldaps', {}],
    ['starttls', {}],
    ['none', { LDAP_ALLOW_PLAIN: 'on' }],
  ] as const)('sends no password, by %s', async (security, env) => {
    const { context, directory } = await setUp({ security }, { env })
    await context.directory?.watch()
    expect(directory.heard.filter((line) => line.startsWith('bind'))).toEqual([])
    expect(directory.heard.filter((line) => line.startsWith('search'))).toHaveLength(1)
  })

  test('knows since when it is away, and an alarm begins after 5 minutes and ends with it', async () => {
    const panel = await setUp()
    await lookAt(panel)
    const seenAt = new Date(panel.clock.now()).toISOString()
    expect(await stateOf(panel)).toEqual({ awaySince: null, lastOkAt: seenAt, fault: null, access: 'ok' })
    panel.directory.fault = 'drops'
    panel.clock.advance(MINUTE_MS)
    await lookAt(panel)
    expect(await stateOf(panel)).toMatchObject({ awaySince: seenAt, lastOkAt: seenAt, fault: { reason: 'broken' } })
    panel.clock.advance(4 * MINUTE_MS)
    expect(await alarmsOf(panel)).not.toContainEqual(['directory_away', expect.anything()])
    panel.clock.advance(1)
    expect(await alarmsOf(panel)).toContainEqual([
      'directory_away',
      expect.stringMatching(
        /^O diretório da empresa não responde há 5 minutos: só usuários locais entram\.\nA conexão/,
      ),
    ])
    panel.directory.fault = null
    await lookAt(panel)
    expect(await stateOf(panel)).toMatchObject({ awaySince: null, access: 'ok' })
    expect(await alarmsOf(panel)).not.toContainEqual(['directory_away', expect.anything()])
  })

  test('is silent where there is no directory', async () => {
    const panel = await openTestPanel()
    await addUser(panel.context, { username: 'ana', role: 'admin' })
    const { servers, alarms } = await readHealth(panel)
    expect(servers[0]?.directory).toBeNull()
    expect(alarms.filter(({ kind }) => kind.startsWith('directory')).map(({ isOn }) => isOn)).toEqual([false, false])
  })
})

describe('a start', () => {
  const wrongBase = { LDAP_BASE: 'DC=outra,DC=local' }
  test.each([
    ['a wrong password of the service account', 'account', { LDAP_PASSWORD: WRONG }],
    ['a base that is not there', 'base', wrongBase],
    ['a certificate that nobody known has signed', 'certificate', { LDAP_CA_FILE: '' }],
    ['an address where nobody answers', 'unreachable', { LDAP_URL: 'ldaps://127.0.0.1:9' }],
    ['a name that does not exist', 'unknown_name', { LDAP_URL: 'ldaps://ad.invalid' }],
  ])('with %s says one warning and goes on', async (_, fault, env) => {
    const file = join(temporaryFolder(), 'ca.pem')
    writeFileSync(file, '')
    const files = 'LDAP_CA_FILE' in env ? { LDAP_CA_FILE: file } : {}
    const panel = await setUp({}, { env: { ...env, ...files, LOG_LEVEL: 'warn' } })
    const warnings = () => panel.logs.map((line) => JSON.parse(line)).filter((line) => line.fault !== undefined)
    const endChores = startChores(panel.context)
    onTestFinished(endChores)
    await expect.poll(warnings).toMatchObject([{ fault, reason: expect.stringMatching(/: .+\.$/) }])
    await lookAt(panel)
    expect(warnings()).toHaveLength(1)
    expect(await panel.statusOf('ana', PASSWORD)).toBe(200)
    expect(panel.logs.join()).not.toMatch(new RegExp(`${WRONG}|${SERVICE.password}`))
  })

  test('is not stopped by a directory that is dead', async () => {
    const { env } = (await setUp()).directory
    const server = await startHere({
      ...{ DATA_DIR: temporaryFolder(), MODE: 'plant' },
      ...{ ...env, LDAP_URL: 'ldaps://127.0.0.1:9' },
    })
    onTestFinished(() => server.stop())
    expect((await fetch(`${server.origin}/health`)).status).toBe(200)
  })
})

describe("'Testar diretório'", () => {
  async function setUpTrial(...options: Parameters<typeof setUp>) {
    const panel = await setUp(...options)
    const { token } = await panel.login('ana')
    const send = (usuario: string, by = token) =>
      panel.ask(by, { method: 'POST', url: '/api/sistema/diretorio/teste', payload: { usuario } })
    const trial = async (usuario: string) => {
      const answer = await send(usuario)
      expect(health.tryDirectory.reply.safeParse(answer.json())).toMatchObject({ success: true })
      return answer.json<DirectoryTrial>()
    }
    const audited = async () => {
      const entries = (await panel.ask(token, { url: '/api/auditoria' })).json<AuditEntry[]>()
      return entries.filter(({ action }) => action === 'directory_tested').map(({ details }) => JSON.parse(details))
    }
    return { ...panel, token, send, trial, audited }
  }

  const lastOf = ({ steps }: DirectoryTrial) => steps.at(-1)

  test('says as whom it came in, whom it found, their groups and the role that follows', async () => {
    const people = [personOf('maria', ['Linha 1', 'Outros']), nestedGroupOf('Linha 1', ['Lideres'])]
    const { trial, audited } = await setUpTrial({ people })
    expect(await trial('FABRICA\\Maria')).toEqual({
      isFound: true,
      role: 'lider',
      steps: [
        { about: 'account', isGood: true, text: `O diretório aceita ${SERVICE.dn}.` },
        { about: 'person', isGood: true, text: expect.stringContaining('Maria Souza (maria), CN=Maria Souza') },
        { about: 'groups', isGood: true, text: `2: ${groupOf('Linha 1')}; ${groupOf('Outros')}.` },
        { about: 'role', isGood: true, text: `Líder, pelo grupo ${groupOf('Linha 1')}.` },
      ],
    })
    expect(await audited()).toEqual([{ name: 'maria', is: { role: 'lider' } }])
  })

  test('says of a person who does not come in why', async () => {
    const disabled = personOf('rui', ['Painel'], 'Rui Alves')
    disabled.attributes.userAccountControl = ['514']
    const twice = [1, 2].map((n) => personOf('gil', ['Painel'], `Gil ${n}`))
    const people = [disabled, ...twice, personOf('lia', ['Outros'], 'Lia Reis'), personOf('eva', [], 'Eva Dias')]
    const { trial, context, clock } = await setUpTrial({ people: [...people, personOf('ana', ['Painel'], 'Ana')] })
    await addUser(context, { username: 'bia' })
    const said: Record<string, string> = {}
    for (const name of ['ninguem', 'rui', 'gil', 'lia', 'eva', 'ana', 'gil@outra.local']) {
      clock.advance(MINUTE_MS)
      const { role, steps } = await trial(name)
      expect([name, role]).toEqual([name, null])
      said[name] = steps
        .filter(({ isGood }) => !isGood)
        .map(({ about, text }) => `${about}: ${text}`)
        .join(' ')
    }
    expect(said).toEqual({
      ninguem: 'person: Ninguém tem este nome em sAMAccountName. Confira o nome, LDAP_BASE e LDAP_FILTER.',
      'gil@outra.local': 'person: Ninguém tem este nome em sAMAccountName. Use só o nome, sem domínio.',
      rui: expect.stringMatching(/^person: .*desativada no diretório e não entra\. Ative-a lá\.$/),
      gil: expect.stringMatching(/^person: 2 pessoas têm este nome .*: deixe uma só\.$/),
      lia: expect.stringMatching(/^role: Nenhum grupo dela está em LDAP_GROUPS.* Ponha-a num deles\.$/),
      eva: expect.stringMatching(/^groups: Nenhum grupo em memberOf: .* role: Nenhum grupo dela/),
      ana: expect.stringMatching(/^role: Há um usuário local com este nome/),
    })
  })

  test('says each failure of the directory in one sentence with what to do', async () => {
    const file = join(temporaryFolder(), 'ca.pem')
    writeFileSync(file, '')
    const rows: [Record<string, string>, string, RegExp][] = [
      [{ LDAP_PASSWORD: WRONG }, 'account', /recusa a conta de serviço: confira LDAP_USER e LDAP_PASSWORD/],
      [{ LDAP_URL: 'ldaps://127.0.0.1:9' }, 'connection', /^Ninguém atende .*: confira a porta e o firewall\.$/],
      [{ LDAP_URL: 'ldaps://ad.invalid' }, 'connection', /não existe na rede: confira LDAP_URL/],
      [{ LDAP_CA_FILE: file }, 'connection', /certificado do diretório não vale aqui: ponha .* LDAP_CA_FILE/],
      [{ LDAP_BASE: 'DC=outra,DC=local' }, 'person', /LDAP_BASE não existe no diretório/],
    ]
    for (const [env, about, sentence] of rows) {
      const { trial, audited } = await setUpTrial({}, { env })
      const answer = await trial('maria')
      expect(lastOf(answer)).toEqual({ about, isGood: false, text: expect.stringMatching(sentence) })
      expect(await audited()).toEqual([{ typedLength: 5, is: { because: lastOf(answer)?.text } }])
    }
    const { trial } = await setUpTrial({ security: 'none' }, {})
    expect(lastOf(await trial('maria'))).toMatchObject({ about: 'connection', text: expect.stringContaining('TLS') })
  })

  test('waits with a refused account as everything else does, and says so', async () => {
    const { trial, directory } = await setUpTrial({}, { env: { LDAP_PASSWORD: WRONG } })
    await trial('maria')
    directory.heard.length = 0
    const second = await trial('maria')
    expect(serviceBinds({ directory })).toBe(0)
    expect(lastOf(second)).toMatchObject({ about: 'account', text: expect.stringContaining('foi recusada há pouco') })
  })

  test('never shows a password, also one that was typed as a name', async () => {
    const env = { LOG_LEVEL: 'info', LDAP_PASSWORD: WRONG }
    for (const given of [{ env: { LOG_LEVEL: 'info' } }, { env }]) {
      const { send, trial, audited, logs } = await setUpTrial({}, given)
      const answers = [await trial('maria'), await trial('senha-digitada-no-nome')]
      await send('maria')
      const all = JSON.stringify([answers, await audited(), logs])
      expect(all).not.toMatch(new RegExp(`${WRONG}|${SERVICE.password}|${THEIRS}|senha-digitada`))
    }
  })

  test('is for administrators, one at a time and six a minute', async () => {
    const { send, enter, clock, directory, db } = await setUpTrial()
    const { token } = (await enter('maria', THEIRS)).json()
    expect((await send('maria', token)).statusCode).toBe(403)
    directory.heard.length = 0
    const both = await Promise.all([send('maria'), send('maria')])
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    for (let more = 0; more < 5; more++) expect((await send('maria')).statusCode).toBe(200)
    const late = await send('maria')
    expect([late.statusCode, late.headers['retry-after'], serviceBinds({ directory })]).toEqual([429, '60', 6])
    clock.advance(MINUTE_MS)
    expect((await send('maria')).statusCode).toBe(200)
    const lines = await db.read.selectFrom('audit_entries').select('action').execute()
    expect(lines.filter(({ action }) => action === 'directory_tested')).toHaveLength(7)
  })

  test('says where all users are local', async () => {
    const panel = await openTestPanel()
    await addUser(panel.context, { username: 'ana', role: 'admin' })
    const { token } = await panel.login('ana')
    const url = '/api/sistema/diretorio/teste'
    const answer = await panel.ask(token, { method: 'POST', url, payload: { usuario: 'maria' } })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'directory_unconfigured'])
  })
})
