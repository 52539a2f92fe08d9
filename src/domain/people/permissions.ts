import type { Endpoint } from '../../contract/endpoint.ts'
import { type Permission, type Role, roles } from '../../contract/values.ts'

export const roleTexts: Record<Role, string> = {
  operador: 'Operador',
  manutencao: 'Manutenção',
  qualidade: 'Qualidade',
  lider: 'Líder',
  consulta: 'Consulta',
  admin: 'Administrador',
}

const working = roles.filter((role) => role !== 'consulta')

/**
 * Roles that have each permission, by the names that the contract's endpoints use; the words are in
 * `src/web/text/permission-texts.ts`. For `limits` and `maintain` the plant's setting says which of these roles have it, see
 * `isAllowed`.
 */
export const permissions: Record<Permission, readonly Role[]> = {
  session: roles,
  account: roles,
  board: roles,
  read: roles,
  record: working,
  tools: working,
  limits: working,
  maintain: working,
  correct: ['lider', 'admin'],
  documents: ['qualidade', 'admin'],
  plans: ['qualidade', 'admin'],
  dispose: ['qualidade', 'admin'],
  decide: ['admin'],
  administer: ['admin'],
}

/** Calls open to the session of a board on a wall, which shows it for weeks with nobody at it. It may end itself. */
export const isOpenToBoard = ({ method, access }: Pick<Endpoint, 'method' | 'access'>): boolean =>
  access === 'session' || (access === 'board' && method === 'GET')

/** Roles that the setting gives or denies `limits`. An administrator always has it. */
export const limitRolesToChoose = working.filter((role) => role !== 'admin')

/** A role of a later version is an operator's. */
export const knownRole = (role: string): Role => roles.find((known) => known === role) ?? 'operador'

const maintainers: readonly Role[] = ['manutencao', 'lider', 'admin']

/** The plant's setting has a say in it. */
export const dependsOnLimitRoles = (permission: Permission): boolean =>
  permission === 'limits' || permission === 'maintain'

/** `limitRoles`: the plant's setting; null: nobody is denied. A plant that denies somebody has maintenance done by maintainers. */
export function isAllowed(role: string, permission: Permission, limitRoles: readonly Role[] | null = null): boolean {
  const known = knownRole(role)
  const allowed = permissions[permission]
  if (!allowed.includes(known)) return false
  if (!dependsOnLimitRoles(permission) || limitRoles === null) return true
  if (permission === 'limits') return known === 'admin' || limitRoles.includes(known)
  return maintainers.includes(known) || limitRolesToChoose.every((one) => limitRoles.includes(one))
}
