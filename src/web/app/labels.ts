import { links } from './links.ts'

/** Fallback where a person has no name. */
export const displayName = (user: { fullName: string; username: string }): string =>
  user.fullName.trim() || user.username.trim() || 'Usuário'

export const initials = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => word !== '')
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.charAt(0).toLocaleUpperCase('pt-BR') ?? '')
    .join('')
}

const titles: Record<string, string> = {
  [links.dashboard]: 'Dashboard',
  [links.applicators]: 'Mini Aplicadores',
  [links.crimpCounters]: 'Controle de Crimpagens',
  [links.charts]: 'Análise de Gráficos',
  [links.reports]: 'Relatórios',
  [links.logs]: 'Logs',
  [links.settings]: 'Configurações',
}

/** The title in the header, beside the brand. */
export const titleOf = (path: string, siteName: string): string => titles[path] ?? `Painel Industrial - ${siteName}`
