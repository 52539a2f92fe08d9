import { expect, test } from 'vitest'
import { roles } from '../contract/values.ts'
import { isAllowed, type permissions } from './permissions.ts'

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

test('a role of a later version is an operator’s', () => {
  expect([isAllowed('auditor', 'record'), isAllowed('auditor', 'administer')]).toEqual([true, false])
})
