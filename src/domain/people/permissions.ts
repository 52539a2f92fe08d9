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
 * The permissions, a row each, named by the contract's endpoints and shown in the manual. For `limits` and `maintain`
 * the plant's setting says which of these roles have it, see `isAllowed`.
 */
export const permissions = {
  session: { text: 'Entrar e sair', roles },
  account: { text: 'Trocar a própria senha, ver e encerrar as próprias sessões', roles },
  board: { text: 'Ver o painel de equipamentos', roles },
  read: { text: 'Procurar e ver ordens, junções, contadores, gráficos, relatórios e documentos', roles },
  record: {
    text: 'Apontar, conferir o corte, chamar, atender chamados de Material, corrigir as próprias pendências',
    roles: working,
  },
  tools: { text: 'Cadastrar mini aplicadores e estações de selos, agendar manutenção', roles: working },
  limits: { text: 'Zerar contadores e mudar limites', roles: working },
  maintain: { text: 'Atender chamados de manutenção, trocar peças, cuidar das tarefas', roles: working },
  correct: { text: 'Corrigir pendências de outras pessoas, atender chamados do Líder', roles: ['lider', 'admin'] },
  documents: { text: 'Incluir, revisar e retirar documentos', roles: ['qualidade', 'admin'] },
  plans: {
    text: 'Mudar planos, instrumentos e motivos de refugo, tratar ocorrências, atender chamados e ler a trilha da qualidade',
    roles: ['qualidade', 'admin'],
  },
  dispose: { text: 'Decidir contenções', roles: ['qualidade', 'admin'] },
  decide: { text: 'Decidir pendências e retidos', roles: ['admin'] },
  administer: { text: 'Usuários, sessões de todos, configuração, auditoria e logs do servidor', roles: ['admin'] },
} as const satisfies Record<Permission, { text: string; roles: readonly Role[] }>

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
  const allowed: readonly Role[] = permissions[permission].roles
  if (!allowed.includes(known)) return false
  if (!dependsOnLimitRoles(permission) || limitRoles === null) return true
  if (permission === 'limits') return known === 'admin' || limitRoles.includes(known)
  return maintainers.includes(known) || limitRolesToChoose.every((one) => limitRoles.includes(one))
}
