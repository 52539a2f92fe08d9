import { readFileSync } from 'node:fs'
import { type Role, roles } from '../../contract/values.ts'
import { type GroupRole, splitUnescaped } from '../../domain/people/directory.ts'
import { faultText } from '../store/file-faults.ts'

/** The company's directory (LDAP, Active Directory), where people are known who are not local users. */
export type DirectorySettings = {
  url: string
  /** Under which people are. */
  base: string
  /** The service account that searches, and its password. */
  user: string
  password: string
  groups: readonly GroupRole[]
  /** Attribute of the name that people enter with. */
  loginAttribute: string
  /** Which entries are people. */
  filter: string
  /** Certificate of the authority that signed the directory's, in PEM; null: one of those that Node knows. */
  authority: string | null
  /** `ldap://` stays without TLS: passwords travel in clear. */
  isPlain: boolean
}

/** `role=group;role=group`, where each group is a distinguished name with signs of its own: an escaped `;` ends none. */
const groupRolesOf = (list: string): GroupRole[] =>
  splitUnescaped(list.normalize('NFC'), ';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [, role = '', group = ''] = /^(\w+)=(.*)$/.exec(pair) ?? []
      return { role: role as Role, group: group.trim() }
    })

export const isGroupRoleList = (list: string): boolean => {
  const rules = groupRolesOf(list)
  return rules.length > 0 && rules.every(({ role, group }) => roles.includes(role) && group.includes('='))
}

type Values = { LDAP_URL?: string | undefined } & Partial<
  Record<
    | 'LDAP_BASE'
    | 'LDAP_USER'
    | 'LDAP_PASSWORD'
    | 'LDAP_PASSWORD_FILE'
    | 'LDAP_GROUPS'
    | 'LDAP_LOGIN_ATTRIBUTE'
    | 'LDAP_FILTER'
    | 'LDAP_CA_FILE'
    | 'LDAP_ALLOW_PLAIN',
    string | undefined
  >
>

function readFile(name: 'LDAP_PASSWORD_FILE' | 'LDAP_CA_FILE', values: Values): string | null {
  const file = values[name]
  if (file === undefined) return null
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${name} inválido: não foi possível ler ${file} (${faultText(error)}).`)
  }
}

/** Null: no directory. Throws an Error with a sentence for the person at the terminal. */
export function readDirectorySettings(values: Values): DirectorySettings | null {
  const { LDAP_URL: url, LDAP_BASE: base, LDAP_USER: user, LDAP_GROUPS: groups } = values
  if (url === undefined) return null
  const password = readFile('LDAP_PASSWORD_FILE', values)?.trim() ?? values.LDAP_PASSWORD
  if (!base || !user || !groups || !password) {
    const needed = { LDAP_BASE: base, LDAP_USER: user, LDAP_GROUPS: groups, LDAP_PASSWORD: password }
    const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : name))
    const verb = missing.length === 1 ? 'falta' : 'faltam'
    throw new Error(`${missing.join(', ')} ${verb}: com LDAP_URL o painel precisa disso para procurar as pessoas.`)
  }
  const authority = readFile('LDAP_CA_FILE', values)
  return {
    url,
    base,
    user,
    password,
    groups: groupRolesOf(groups),
    loginAttribute: values.LDAP_LOGIN_ATTRIBUTE ?? 'sAMAccountName',
    filter: values.LDAP_FILTER ?? '(objectClass=person)',
    authority,
    isPlain: values.LDAP_ALLOW_PLAIN === 'on',
  }
}
