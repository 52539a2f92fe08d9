import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  accountNameOf,
  type GroupRole,
  groupBaseOf,
  isDisabledAccount,
  isNameWithDomain,
  roleOfGroups,
  splitUnescaped,
  withNestedGroups,
} from './directory.ts'

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

const isSame = (one: string, other: string) => roleOfGroups([one], [{ role: 'lider', group: other }]) === 'lider'

test.each([
  ['a comma, as a sign and as a number', 'CN=Painel\\, TI,DC=fabrica', 'cn=painel\\2c ti,dc=FABRICA'],
  ['a semicolon', 'CN=Corte\\; Crimpagem,DC=fabrica', 'CN=Corte\\3B Crimpagem,DC=fabrica'],
  ['letters as their bytes', 'CN=Manuten\\C3\\A7\\C3\\A3o,DC=fabrica', 'CN=Manutenção,DC=fabrica'],
  ['letters put together from two signs', 'CN=Manutenção,DC=fabrica'.normalize('NFD'), 'CN=Manutenção,DC=fabrica'],
  ['an equals sign and quotes', 'CN=Turno \\"A\\"\\=1,DC=fabrica', 'CN=Turno \\22A\\22=1,DC=fabrica'],
  ['a backslash before a separator', 'CN=A\\\\,DC=fabrica', 'CN=A\\5c,DC=fabrica'],
  ['a plus sign, and two parts of one level in another order', 'CN=A\\+B+OU=C,DC=x', 'OU=c + CN=a\\2Bb,DC=x'],
  ['blanks at the edge and within', 'CN=\\ Painel  TI\\ , DC=x', 'CN=Painel TI,DC=x'],
  ['a hash', 'CN=\\#1,DC=x', 'CN=\\231,DC=x'],
])('a group is known by its name’s value, however that is written: %s', (_, one, other) => {
  expect(isSame(one, other)).toBe(true)
})

test.each([
  ['an escaped comma is none', 'CN=Painel\\,OU=TI,DC=x', 'CN=Painel,OU=TI,DC=x'],
  ['an escaped equals sign ends no type', 'CN=a\\=b,DC=x', 'CN=a,b=,DC=x'],
  ['an escaped plus sign joins nothing', 'CN=a\\+OU=b,DC=x', 'CN=a+OU=b,DC=x'],
  ['a backslash is part of the name', 'CN=a\\\\b,DC=x', 'CN=ab,DC=x'],
])('another value is another group: %s', (_, one, other) => {
  expect(isSame(one, other)).toBe(false)
})

/** Each sign that must be escaped, and any other at will: as itself after a backslash, or by the numbers of its bytes. */
const bytesOf = (sign: string) =>
  [...new TextEncoder().encode(sign)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')
const written = (value: string, ways: readonly number[]) =>
  [...value]
    .map((sign, at) => {
      const way = ways[at % ways.length] ?? 0
      if (way === 2) return bytesOf(sign)
      return '",+;<>\\=#'.includes(sign) ? (way === 1 ? bytesOf(sign) : `\\${sign}`) : sign
    })
    .join('')
const name = fc
  .array(fc.constantFrom(...'aZ0çÃ€ ,+;<>="#\\.-()*'), { minLength: 1, maxLength: 12 })
  .map((signs) => signs.join('').trim())
  .filter((value) => value !== '')
const ways = fc.array(fc.nat(2), { minLength: 1, maxLength: 4 })

test('any two writings of a name are the same group, and of two names never', () => {
  fc.assert(
    fc.property(name, name, ways, ways, (value, other, one, two) => {
      const group = `CN=${written(value, one)},OU=Grupos,DC=x`
      expect(isSame(group, `cn=${written(value, two)}, ou=Grupos,dc=X`)).toBe(true)
      const key = (text: string) => text.toLowerCase().replace(/ +/g, ' ')
      expect(isSame(group, `CN=${written(other, two)},OU=Grupos,DC=x`)).toBe(key(value) === key(other))
      expect(splitUnescaped(`${group};${group}`, ';')).toEqual([group, group])
    }),
  )
})

const joana = { base: 'OU=Pessoas,DC=fabrica,DC=local', loginAttribute: 'sAMAccountName' }

test.each([
  ['joana.prado', 'joana.prado'],
  ['joana.prado@fabrica.local', 'joana.prado'],
  ['fabrica\\joana.prado', 'joana.prado'],
  ['fabrica.local\\joana.prado', 'joana.prado'],
  ['joana.prado@fabrica', 'joana.prado'],
  ['joana.prado@fabrica.com.br', 'joana.prado@fabrica.com.br'],
  ['joana.prado@outra.local', 'joana.prado@outra.local'],
  ['joana.prado@sub.fabrica.local', 'joana.prado@sub.fabrica.local'],
  ['outra\\joana.prado', 'outra\\joana.prado'],
  ['local\\joana.prado', 'local\\joana.prado'],
  ['@fabrica.local', '@fabrica.local'],
  ['fabrica\\', 'fabrica\\'],
  ['joana@casa@fabrica.local', 'joana@casa'],
])('the own domain is taken off a name, and no other: %s', (typed, account) => {
  expect(accountNameOf(typed, joana)).toBe(account)
})

test('where people come in with a name that has a domain, it stays', () => {
  for (const loginAttribute of ['userPrincipalName', 'mail']) {
    const given = { ...joana, loginAttribute }
    expect(accountNameOf('joana.prado@fabrica.local', given)).toBe('joana.prado@fabrica.local')
    expect(isNameWithDomain('joana.prado@outra.local', given)).toBe(false)
  }
  expect(accountNameOf('joana@fabrica.local', { ...joana, base: 'ou=pessoas,o=fabrica' })).toBe('joana@fabrica.local')
  expect(['joana.prado', 'joana@outra.local', 'outra\\joana'].map((one) => isNameWithDomain(one, joana))).toEqual([
    false,
    true,
    true,
  ])
})

test('an escaped separator in a base is none', () => {
  expect(groupBaseOf('OU=a\\,DC=b,DC=fabrica,DC=local')).toBe('DC=fabrica,DC=local')
})
