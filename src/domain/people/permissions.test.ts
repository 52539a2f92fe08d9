import { expect, test } from 'vitest'
import { roles } from '../../contract/values.ts'
import { isAllowed, isOpenToBoard, type permissions } from './permissions.ts'

const whoMay = (permission: keyof typeof permissions, limitRoles?: Parameters<typeof isAllowed>[2]) =>
  roles.filter((role) => isAllowed(role, permission, limitRoles))

test('everybody but consulta records, resets and changes limits until the plant says otherwise', () => {
  const working = ['operador', 'manutencao', 'qualidade', 'lider', 'admin']
  expect(whoMay('record')).toEqual(working)
  expect(whoMay('limits')).toEqual(working)
  expect(whoMay('read')).toContain('consulta')
})

test('the plant takes limits away, never from an administrator, and gives them to nobody whom the table denies them', () => {
  expect(whoMay('limits', ['manutencao'])).toEqual(['manutencao', 'admin'])
  expect(whoMay('limits', [])).toEqual(['admin'])
  expect(whoMay('limits', ['consulta'])).toEqual(['admin'])
  expect(whoMay('record', [])).toContain('operador')
})

test('calls, parts and tasks are for everybody who works, and for maintenance and leaders where the plant denies limits to anybody', () => {
  const working = ['operador', 'manutencao', 'qualidade', 'lider', 'admin'] as const
  expect(whoMay('maintain')).toEqual(working)
  expect(whoMay('maintain', working)).toEqual(working)
  expect(whoMay('maintain', ['operador', 'manutencao', 'qualidade', 'lider'])).toEqual(working)
  expect(whoMay('maintain', ['operador', 'manutencao', 'lider'])).toEqual(['manutencao', 'lider', 'admin'])
  expect(whoMay('maintain', [])).toEqual(['manutencao', 'lider', 'admin'])
})

test('a role of a later version is an operator’s', () => {
  expect([isAllowed('auditor', 'record'), isAllowed('auditor', 'administer')]).toEqual([true, false])
})

test('a board is shown and ends, and changes nothing', () => {
  const calls = (['GET', 'POST'] as const).flatMap((method) =>
    (['session', 'board', 'account', 'read', 'administer'] as const).map((access) => ({ method, access })),
  )
  expect(calls.filter(isOpenToBoard).map(({ method, access }) => `${method} ${access}`)).toEqual([
    'GET session',
    'GET board',
    'POST session',
  ])
})
