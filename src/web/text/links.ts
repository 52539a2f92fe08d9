import type { TraceKind } from '../../contract/traces.ts'

/** The only place that spells the addresses of the screens. */
export const links = {
  login: '/auth/login',
  pages: '/pages',
  dashboard: '/pages/dashboard',
  applicators: '/pages/mini-aplicadores',
  sealingStations: '/pages/estacoes-selo',
  controlPlans: '/pages/planos-de-controle',
  crimpCounters: '/pages/controle-crimpagens',
  charts: '/pages/analise-graficos',
  cutCrimp: '/pages/apontamento-corte-crimpagem',
  itemEdit: '/pages/item-edit',
  junctions: '/pages/juncoes',
  cutCheck: '/pages/conferencia-corte',
  equipment: '/pages/equipamentos',
  equipmentBoard: '/pages/equipamentos/painel',
  reports: '/pages/relatorios',
  endHistory: '/pages/historia-da-medicao',
  containment: '/pages/contencoes/$id',
  documents: '/pages/documentos',
  logs: '/pages/logs',
  pending: '/pages/pendencias',
  settings: '/pages/configuracoes',
} as const

/** The guide through the installation, after the first access. */
export const firstStepsPath = `${links.settings}?aba=instalacao&passo=1`

/** A position may hold blanks and '/'. The router decodes what is encoded here: nobody else may. */
export const junctionDetailsPath = (plant: string, order: string, position: string): string =>
  [`${links.junctions}/detalhes`, ...[plant, order, position].map(encodeURIComponent)].join('/')

/** Which trace `links.reports` shows; without a kind the server takes the term for what has most recordings. */
export const traceSearch = ({ term, kind }: { term: string; kind: TraceKind | null }) => ({
  aba: 'rastreabilidade',
  termo: term,
  tipo: kind,
})

export const containmentsPath = links.containment.replace('$id', '')

/** In place of an id of `links.containment`: one that is still to be opened. */
export const NEW = 'nova'

/** Where the item of `links.itemEdit` waits, besides the navigation state. */
export const EDITING_ITEM_KEY = 'editingItem'

/**
 * Where to go after login: the address that was asked for, if it is one of this app. `//host`, `/\host` and control
 * characters (which browsers drop: `/<tab>/host`) would lead elsewhere.
 */
export function returnPath(requested: string | null): string {
  const isOurs = requested !== null && /^\/(?![/\\])\P{Cc}*$/u.test(requested) && !requested.startsWith('/auth')
  return isOurs ? requested : links.dashboard
}
