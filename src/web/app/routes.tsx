import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import type { CutItem } from '../../contract/items.ts'
import { currentUser, keepReturnUrl, takeReturnUrl } from '../device/credentials.ts'
import { hasPage } from '../device/reloads.ts'
import { links, returnPath } from '../text/links.ts'
import { BrokenScreen } from './shell/BrokenScreen.tsx'
import { InstallBanner } from './shell/InstallBanner.tsx'
import { OperatorChange } from './shell/OperatorChange.tsx'
import { Shell } from './shell/Shell.tsx'
import { ToastRegion } from './shell/ToastRegion.tsx'

const root = createRootRoute({
  component: () => (
    <>
      <InstallBanner />
      <Outlet />
      <OperatorChange />
      <ToastRegion />
    </>
  ),
  notFoundComponent: () => <Navigate to={links.login} replace />,
})

const goTo = (to: string) => () => {
  throw redirect({ to, replace: true })
}

/**
 * The script of a screen, fetched when it is needed. One that the server has no more reloads the page, which then has
 * the new one; without a server that would end the work of whoever only looked for another screen.
 */
const lazy: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        if (await hasPage()) throw error
        throw new Error('The screen was not fetched: the server does not answer', { cause: error })
      }),
    name,
  )

const login = createRoute({
  getParentRoute: () => root,
  path: links.login,
  beforeLoad: () => {
    if (currentUser()) throw redirect({ href: returnPath(takeReturnUrl()), replace: true })
  },
  component: lazy(() => import('../screens/login/LoginScreen.tsx'), 'LoginScreen'),
})

const needSession = ({ location, preload }: { location: { href: string; pathname: string }; preload: boolean }) => {
  const user = currentUser()
  // whoever passes by a wall finds nothing else there
  if (user?.isBoard && location.pathname !== links.equipmentBoard) {
    throw redirect({ to: links.equipmentBoard, replace: true })
  }
  if (user) return
  // a screen that is only fetched for later is not where anybody was
  if (!preload) keepReturnUrl(location.href)
  throw redirect({ to: links.login, replace: true })
}

/** Everything below needs a session; who has none comes back here after logging in. */
const pages = createRoute({
  getParentRoute: () => root,
  path: links.pages,
  beforeLoad: needSession,
  component: Shell,
  notFoundComponent: () => <Navigate to={links.login} replace />,
})

const screen = <Path extends string, Module extends Parameters<typeof lazy>[0]>(
  path: Path,
  load: Module,
  name: keyof Awaited<ReturnType<Module>> & string,
) => createRoute({ getParentRoute: () => pages, path, component: lazy(load, name) })

const ReportsScreen = lazy(() => import('../screens/reports/ReportsScreen.tsx'), 'ReportsScreen')
const TracePanel = lazy(() => import('../screens/traces/TracePanel.tsx'), 'TracePanel')

const tree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', beforeLoad: goTo(links.login) }),
  createRoute({ getParentRoute: () => root, path: '/auth', beforeLoad: goTo(links.login) }),
  login,
  // On a wall there is no menu around it.
  createRoute({
    getParentRoute: () => root,
    path: links.equipmentBoard,
    beforeLoad: needSession,
    component: lazy(() => import('../screens/equipment/EquipmentBoard.tsx'), 'EquipmentBoard'),
  }),
  pages.addChildren([
    createRoute({ getParentRoute: () => pages, path: '/', beforeLoad: goTo(links.dashboard) }),
    screen('/dashboard', () => import('../screens/dashboard/DashboardScreen.tsx'), 'DashboardScreen'),
    screen('/mini-aplicadores', () => import('../screens/applicators/ApplicatorsScreen.tsx'), 'ApplicatorsScreen'),
    screen(
      '/estacoes-selo',
      () => import('../screens/sealing-stations/SealingStationsScreen.tsx'),
      'SealingStationsScreen',
    ),
    screen(
      '/planos-de-controle',
      () => import('../screens/control-plans/ControlPlansScreen.tsx'),
      'ControlPlansScreen',
    ),
    screen(
      '/controle-crimpagens',
      () => import('../screens/crimp-counters/CrimpCountersScreen.tsx'),
      'CrimpCountersScreen',
    ),
    screen('/analise-graficos', () => import('../screens/charts/ChartsScreen.tsx'), 'ChartsScreen'),
    screen('/apontamento-corte-crimpagem', () => import('../screens/search/SearchScreen.tsx'), 'SearchScreen'),
    screen('/juncoes', () => import('../screens/junctions/JunctionsScreen.tsx'), 'JunctionsScreen'),
    screen(
      '/juncoes/detalhes/{-$filial}/{-$numeroOp}/{-$posicao}',
      () => import('../screens/junction-details/JunctionDetailsScreen.tsx'),
      'JunctionDetailsScreen',
    ),
    screen('/conferencia-corte', () => import('../screens/cut-check/CutCheckScreen.tsx'), 'CutCheckScreen'),
    screen('/equipamentos', () => import('../screens/equipment/EquipmentScreen.tsx'), 'EquipmentScreen'),
    createRoute({
      getParentRoute: () => pages,
      path: '/relatorios',
      component: () => <ReportsScreen TracePanel={TracePanel} />,
    }),
    screen('/historia-da-medicao', () => import('../screens/end-histories/EndHistoryScreen.tsx'), 'EndHistoryScreen'),
    screen('/documentos', () => import('../screens/documents/DocumentsScreen.tsx'), 'DocumentsScreen'),
    screen('/item-edit', () => import('../screens/item-edit/ItemEditScreen.tsx'), 'ItemEditScreen'),
    screen('/logs', () => import('../screens/logs/LogsScreen.tsx'), 'LogsScreen'),
    screen('/pendencias', () => import('../screens/pending/PendingScreen.tsx'), 'PendingScreen'),
    screen('/configuracoes', () => import('../screens/settings/SettingsScreen.tsx'), 'SettingsScreen'),
  ]),
])

export const router = createRouter({
  routeTree: tree,
  defaultPreload: false,
  defaultErrorComponent: BrokenScreen,
  // Texts as they are: read as JSON a barcode of digits would be rounded.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** The item that `links.itemEdit` is to open. */
    item?: CutItem
  }
}
