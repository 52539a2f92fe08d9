import { expect, test } from 'vitest'
import { type GroupRole, isDisabledAccount, roleOfGroups } from './directory.ts'

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
