import { containmentsPath, links } from './links.ts'

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

const screens: Record<string, string> = {
  ...titles,
  [links.sealingStations]: 'Estações de Selos',
  [links.controlPlans]: 'Planos de Controle',
  [links.cutCrimp]: 'Corte e Crimpagem',
  [links.itemEdit]: 'Corte e Crimpagem',
  [links.junctions]: 'Junções',
  [links.cutCheck]: 'Conferência de Corte',
  [links.equipment]: 'Equipamentos',
  [links.documents]: 'Documentos',
  [links.endHistory]: 'História da medição',
  [links.pending]: 'Pendências',
}

/** Names the screen and the work in it, so that tabs can be told apart. `item`: what its form was opened with. */
export function documentTitleOf(path: string, item: string | null, siteName: string): string {
  if (path === links.itemEdit && item !== null) return item
  if (path.startsWith(containmentsPath)) return 'Contenção'
  const [order, position] = path.startsWith(`${links.junctions}/`) ? path.split('/').slice(-2).map(decodeText) : []
  if (order && position) return `Junção ${position} · OP ${order}`
  return screens[path] ?? titleOf(path, siteName)
}

/** An address may hold text that cannot be decoded: people type there too. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
