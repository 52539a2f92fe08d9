import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { type CallTeam, callTeams, type Permission, type Role, roles } from '../../src/contract/values.ts'
import { permissions, roleTexts } from '../../src/domain/people/permissions.ts'
import { mayAnswer } from '../../src/domain/tools/maintenance-calls.ts'
import { permissionTexts } from '../../src/web/text/permission-texts.ts'
import { addUser, crimpOf, openTestPanel, parked } from '../support/harness.ts'
import { readText } from '../support/tidy/source.ts'
import { browserOf, grantOf, pairOf } from '../support/visitor.ts'

async function setUp() {
  const panel = await openTestPanel()
  for (const role of roles) await addUser(panel.context, { username: role, role })
  const tokens = new Map<string, string>()
  for (const role of roles) tokens.set(role, (await panel.login(role)).token)
  const as = async (role: Role, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const headers = { 'idempotency-key': randomUUID() }
    return await panel.ask(tokens.get(role) ?? '', { method, url, headers, ...(payload ? { payload } : {}) })
  }
  return { ...panel, as }
}

const codeOf = (answer: { statusCode: number; json: () => unknown }) =>
  [answer.statusCode, (answer.json() as ErrorReply).code] as const

type Panel = Awaited<ReturnType<typeof setUp>>

/** Sends each call as each role what nobody may send: whoever is let in hears of that, and nothing is changed. */
async function expectOpenTo({ as }: Panel, rows: readonly Endpoint[], allowedFor: (row: Endpoint) => readonly Role[]) {
  for (const row of rows) {
    const { method, path, upload } = row
    for (const role of roles) {
      const url = `${path.replace(/:\w+/g, 'x')}?desconhecido=1`
      const body = method === 'GET' || upload ? undefined : { desconhecido: 1 }
      const answer = codeOf(await as(role, method, url, body))
      const expected = allowedFor(row).includes(role) ? [400, 'input_invalid'] : [403, 'not_allowed']
      expect(answer, `${method} ${path} as ${role}`).toEqual(expected)
    }
  }
}

test('every call is open to the roles that the table gives its permission, and to no other', async () => {
  const known = endpoints.filter(({ access }) => access !== 'public')
  await expectOpenTo(await setUp(), known, ({ access }) => (access === 'public' ? [] : permissions[access]))
})

test('who changes parts and cares for tasks where the plant denies limits to somebody', async () => {
  const panel = await setUp()
  await panel.as('admin', 'PUT', '/api/configuracao', { limitRoles: ['operador'] })
  const rows = endpoints.filter(({ access }) => access === 'maintain')
  expect(rows.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/ferramentas/:miniaplicador/pecas',
    'POST /api/pecas/:id/troca',
    'POST /api/pecas/:id/retirada',
    'POST /api/tarefas-de-manutencao',
    'PUT /api/tarefas-de-manutencao/:id',
    'POST /api/tarefas-de-manutencao/:id/execucoes',
  ])
  await expectOpenTo(panel, rows, () => ['manutencao', 'lider', 'admin'])
})

test('the plant chooses who resets counters and changes limits, at once and in the trail', async () => {
  const { as, db } = await setUp()
  const reset = async (role: Role) => codeOf(await as(role, 'POST', '/api/crimpagens/x/reset', { desconhecido: 1 }))
  const choose = async (limitRoles: string[]) => await as('admin', 'PUT', '/api/configuracao', { limitRoles })
  expect((await as('consulta', 'GET', '/api/configuracao')).json().limitRoles).not.toContain('consulta')
  expect((await choose(['manutencao', 'consulta'])).json().limitRoles).toEqual(['manutencao', 'admin'])
  expect(await reset('operador')).toEqual([403, 'not_allowed'])
  expect(await reset('consulta')).toEqual([403, 'not_allowed'])
  expect(await reset('manutencao')).toEqual([400, 'input_invalid'])
  expect(await reset('admin')).toEqual([400, 'input_invalid'])
  await choose(['manutencao'])
  const [line, ...more] = await db.read.selectFrom('audit_entries').selectAll().execute()
  expect(more, 'nothing has changed').toEqual([])
  expect(JSON.parse(line?.details_json ?? '')).toEqual({
    was: { limitRoles: ['operador', 'manutencao', 'qualidade', 'lider', 'admin'] },
    is: { limitRoles: ['manutencao', 'admin'] },
  })
})

test('what was recorded under a grant is taken after its author became consulta', async () => {
  const panel = await setUp()
  const browser = browserOf(panel)
  const pair = pairOf(await browser.login('operador'))
  await browser.logout(pair)
  await panel.db.transaction((tx) =>
    tx.updateTable('users').set({ role: 'consulta' }).where('username', '=', 'operador').execute(),
  )
  const headers = { ...grantOf(pair), 'idempotency-key': randomUUID() }
  const url = '/api/apontamentos/corte-crimpagem'
  const answer = await panel.app.inject({ method: 'POST', url, headers, payload: crimpOf(1) })
  expect(answer.statusCode).toBe(201)
})

test('a leader corrects what others have parked, who reads only does not even correct what was theirs', async () => {
  const { as, db } = await setUp()
  await as('operador', 'POST', '/api/apontamentos/corte-crimpagem', parked(crimpOf(1)))
  const mayCorrect = async (role: Role) =>
    (await as(role, 'GET', '/api/pendencias'))
      .json()
      .pendencias.map((one: { podeCorrigir: boolean }) => one.podeCorrigir)
  expect([await mayCorrect('operador'), await mayCorrect('lider'), await mayCorrect('qualidade')]).toEqual([
    [true],
    [true],
    [false],
  ])
  await db.transaction((tx) =>
    tx.updateTable('users').set({ role: 'consulta' }).where('username', '=', 'operador').execute(),
  )
  expect(await mayCorrect('operador')).toEqual([false])
})

test('the manual shows the table of permissions as it is', () => {
  const row = (cells: readonly string[]) => cells.join(' | ')
  const [header, , ...lines] = (readText('docs/manual/usuarios.md').split('## Quem pode o quê\n')[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(0, Object.keys(permissions).length + 2)
    .map((line) =>
      row(
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    )
  expect(header).toBe(row(['', ...roles.map((role) => roleTexts[role])]))
  expect(lines).toEqual(
    Object.entries(permissions).map(([permission, allowed]) =>
      row([permissionTexts[permission as Permission], ...roles.map((role) => (allowed.includes(role) ? 'sim' : '—'))]),
    ),
  )
})

test('whoever answers a team has the one permission whose text says so', () => {
  const said: Record<CallTeam, RegExp> = {
    manutencao: /atender chamados de manutenção/i,
    qualidade: /atender chamados .*da qualidade/i,
    material: /atender chamados de material/i,
    lider: /atender chamados do líder/i,
  }
  for (const team of callTeams) {
    const saying = Object.entries(permissionTexts).flatMap(([permission, text]) =>
      said[team].test(text) ? [[...permissions[permission as Permission]]] : [],
    )
    const answering = roles.filter((role) => mayAnswer(role, team, null))
    expect(saying).toEqual([answering])
  }
})
