import { expect, test } from 'vitest'
import { type GroupRole, groupBaseOf, isDisabledAccount, roleOfGroups, withNestedGroups } from './directory.ts'

const rules: GroupRole[] = [
  { role: 'admin', group: 'CN=Painel-Admin,OU=Grupos,DC=fabrica,DC=local' },
  { role: 'operador', group: 'CN=Painel,OU=Grupos,DC=fabrica,DC=local' },
  { role: 'operador', group: 'CN=Temporários,OU=Grupos,DC=fabrica,DC=local' },
]

test('the first rule whose group somebody is in gives the role, however its name is written; nobody else has one', () => {
  expect(roleOfGroups(['cn=painel, ou=grupos, dc=FABRICA, dc=local'], rules)).toBe('operador')
  expect(roleOfGroups(rules.map(({ group }) => group).reverse(), rules)).toBe('admin')
  expect(roleOfGroups(['CN=Temporários,OU=Grupos,DC=fabrica,DC=local'], rules)).toBe('operador')
  expect(roleOfGroups(['CN=Painel,OU=Outros,DC=fabrica,DC=local', 'CN=Painel'], rules)).toBeNull()
  expect(roleOfGroups([], rules)).toBeNull()
})

test('an account of Active Directory is disabled by bit 2, and one of another directory by none', () => {
  expect(['512', '66048', undefined].map(isDisabledAccount)).toEqual([false, false, false])
  expect(['514', '66050'].map(isDisabledAccount)).toEqual([true, true])
})

test('groups in groups give the role of the rule that reaches them, however deep, in whatever order, and in circles too', () => {
  const nested = [
    { group: 'CN=Turma C', within: ['cn=turma b', 'CN=Outros'] },
    { group: 'CN=Turma A', within: ['cn=painel, OU=grupos,DC=fabrica,DC=local', 'CN=Turma C'] },
    { group: 'CN=Turma B', within: ['CN=Turma A'] },
    { group: 'CN=Chefia', within: ['CN=Painel-Admin,OU=Grupos,DC=fabrica,DC=local', 'CN=Turma A'] },
    { group: 'CN=Outros', within: ['CN=Fora'] },
  ]
  const all = withNestedGroups(rules, nested)
  const roleOf = (group: string) => roleOfGroups([group], all)
  expect(['CN=Turma A', 'CN=Turma B', 'cn=turma c', 'CN=Chefia'].map(roleOf)).toEqual([
    'operador',
    'operador',
    'operador',
    'admin',
  ])
  expect(roleOf('CN=Outros')).toBeNull()
})

test('groups are looked for in the whole domain', () => {
  expect(groupBaseOf('OU=Pessoas,DC=fabrica,DC=local')).toBe('DC=fabrica,DC=local')
  expect(groupBaseOf('ou=pessoas, dc=fabrica, dc=local')).toBe('dc=fabrica, dc=local')
  expect(groupBaseOf('ou=pessoas,o=fabrica')).toBe('ou=pessoas,o=fabrica')
})
