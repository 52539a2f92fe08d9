import { type Permission, type Role, roles } from '../contract/values.ts'

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
 * What somebody may do, and who: a row a permission, named by the contract's endpoints. Shown in the manual. Of `limits`
 * the plant's setting says which of these roles have it, see `isAllowed`.
 */
export const permissions = {
  account: { text: 'Entrar, trocar a própria senha, ver e encerrar as próprias sessões', roles },
  board: { text: 'Ver o painel de equipamentos', roles },
  read: { text: 'Procurar e ver ordens, junções, contadores, gráficos, relatórios e documentos', roles },
  record: { text: 'Apontar, conferir o corte e corrigir as próprias pendências', roles: working },
  tools: { text: 'Cadastrar mini aplicadores e estações de selos, agendar manutenção', roles: working },
  limits: { text: 'Zerar contadores e mudar limites', roles: working },
  correct: { text: 'Corrigir pendências de outras pessoas', roles: ['lider', 'admin'] },
  documents: { text: 'Incluir, revisar e retirar documentos', roles: ['qualidade', 'admin'] },
  decide: { text: 'Decidir pendências e retidos', roles: ['admin'] },
  administer: { text: 'Usuários, sessões de todos, configuração, auditoria e logs do servidor', roles: ['admin'] },
} as const satisfies Record<Permission, { text: string; roles: readonly Role[] }>

/** Who may be given `limits` and be denied it. An administrator always has it. */
export const limitRolesToChoose = working.filter((role) => role !== 'admin')

/** A role of a later version is an operator's. */
export const knownRole = (role: string): Role => roles.find((known) => known === role) ?? 'operador'

/** `limitRoles`: the plant's setting; null: nobody is denied. */
export function isAllowed(role: string, permission: Permission, limitRoles: readonly Role[] | null = null): boolean {
  const known = knownRole(role)
  const allowed: readonly Role[] = permissions[permission].roles
  if (!allowed.includes(known)) return false
  return permission !== 'limits' || limitRoles === null || known === 'admin' || limitRoles.includes(known)
}
