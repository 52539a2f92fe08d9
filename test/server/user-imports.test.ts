import { expect, test } from 'vitest'
import { addUser, databases, openTestPanel } from '../support/harness.ts'

const OTHER = 'três porcas na bancada'

async function setUp(options: Parameters<typeof openTestPanel>[0] = {}) {
  const panel = await openTestPanel({ ...options, env: { LOG_LEVEL: 'debug' } })
  await addUser(panel.context, { username: 'ana', fullName: 'Ana Lima', role: 'admin' })
  const { token } = await panel.login('ana')
  const send = async (preview: boolean, ...lines: string[]) => {
    const content = ['nome;usuario;papel;senha', ...lines].join('\r\n')
    const payload = { content, preview }
    return await panel.ask(token, { method: 'POST', url: '/api/importacoes/usuarios', payload })
  }
  const names = async () =>
    (await panel.db.read.selectFrom('users').select('username').orderBy('id').execute()).map((row) => row.username)
  const enter = async (username: string, password: string) =>
    (await panel.app.inject({ method: 'POST', url: '/api/auth/login', payload: { username, password } })).statusCode
  return { ...panel, token, send, names, enter }
}

const joao = `João Dias;Joao.Dias;Operador;${OTHER}`
const rui = 'Rui Alves;rui;operador;'

test.each(databases)('a file of users is shown first and then creates all of them, on %s', async (database) => {
  const { send, names, enter, db, logs } = await setUp({ database })
  const expected = [
    { line: 2, username: 'joao.dias', fullName: 'João Dias', role: 'operador', hasPassword: true },
    { line: 3, username: 'rui', fullName: 'Rui Alves', role: 'operador', hasPassword: false },
  ]
  const preview = await send(true, joao, rui)
  expect([preview.statusCode, preview.json()]).toEqual([200, expected])
  expect(await names()).toEqual(['ana'])
  const created = await send(false, joao, rui)
  expect([created.statusCode, created.json()]).toEqual([200, expected])
  expect(await names()).toEqual(['ana', 'joao.dias', 'rui'])
  expect(await enter('joao.dias', OTHER)).toBe(200)
  expect(await enter('rui', OTHER), 'no password opens it').toBe(401)
  const trail = await db.read.selectFrom('audit_entries').select(['user_name', 'action', 'details_json']).execute()
  const is = { fullName: 'João Dias', role: 'operador' }
  expect(trail.map(({ details_json, ...entry }) => ({ ...entry, ...JSON.parse(details_json) }))).toMatchObject([
    { user_name: 'ana', action: 'user_created', name: 'joao.dias', is, because: 'Importação de CSV' },
    { user_name: 'ana', action: 'user_created', name: 'rui' },
  ])
  expect(logs.join() + JSON.stringify(trail)).not.toContain(OTHER)
})

test('one line with a fault, a name that is taken or a weak password, and nobody is created', async () => {
  const { send, names } = await setUp()
  for (const [line, message] of [
    ['Maria;maria;chefe;', "Papel desconhecido: 'chefe'."],
    ['Ana Lima;ANA;operador;', 'Já existe um usuário ana.'],
    ['Rui Melo;rui.melo;operador;Rui.Melo', 'Senha fácil de adivinhar. Escolha outra.'],
    ['Rui Melo;rui.melo;operador;outubro2026', 'Senha fácil de adivinhar. Escolha outra.'],
    ['João;joao.dias;operador;', 'O usuário joao.dias já está na linha 2.'],
  ] as const) {
    for (const preview of [true, false]) {
      const answer = await send(preview, joao, line, rui)
      expect([answer.statusCode, answer.json()], line).toEqual([
        400,
        {
          code: 'import_refused',
          message: 'Ninguém foi criado. Linhas com problema: 1.',
          details: [{ field: 'Linha 3', message: expect.stringContaining(message) }],
        },
      ])
    }
  }
  expect(await names()).toEqual(['ana'])
})

test('only an admin who has just typed the password imports users', async () => {
  const { context, login, ask, clock, send } = await setUp()
  await addUser(context, { username: 'maria' })
  const { token } = await login('maria')
  const payload = { content: `nome;usuario;papel\n${rui}`, preview: true }
  expect((await ask(token, { method: 'POST', url: '/api/importacoes/usuarios', payload })).statusCode).toBe(403)
  clock.advance(5 * 60_000 + 1)
  expect((await send(false, rui)).statusCode).toBe(428)
})
