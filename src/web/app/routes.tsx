import { useQuery } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { CutItem } from '../../contract/items.ts'
import { currentUser, keepReturnUrl, takeReturnUrl, useUser } from '../device/credentials.ts'
import { deferred } from '../device/deferred.ts'
import { useInstallOffer } from '../device/install-offer.ts'
import { usePreferences } from '../device/preferences.ts'
import { lateExtra, latePart, lateScreen } from '../parts/Late.tsx'
import { statusQuery } from '../server/status.ts'
import { links, returnPath } from '../text/links.ts'
import { BrokenScreen } from './shell/BrokenScreen.tsx'
import { OperatorChange } from './shell/OperatorChange.tsx'
import { SETTLED_MS, Shell } from './shell/Shell.tsx'
import { ToastRegion } from './shell/ToastRegion.tsx'

const root = createRootRoute({
  component: () => (
    <>
      <Offered />
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

const login = createRoute({
  getParentRoute: () => root,
  path: links.login,
  beforeLoad: () => {
    if (currentUser()) throw redirect({ href: returnPath(takeReturnUrl()), replace: true })
  },
  component: lateScreen(deferred(() => import('../screens/login/LoginScreen.tsx'), { warm: [links.login] })),
})

const needSession = ({ location, preload }: { location: { href: string; pathname: string }; preload: boolean }) => {
  const user = currentUser()
  // a board on a wall shows its own screen alone: anybody may touch it
  if (user?.isBoard && location.pathname !== links.equipmentBoard) {
    throw redirect({ to: links.equipmentBoard, replace: true })
  }
  if (user) return
  // a screen that is only fetched for later is not where anybody was
  if (!preload) keepReturnUrl(location.href)
  throw redirect({ to: links.login, replace: true })
}

const InstallBanner = lateExtra(deferred(async () => (await import('./shell/InstallBanner.tsx')).InstallBanner))

function Offered() {
  return useInstallOffer().isBannerDue && <InstallBanner />
}

/** Few devices ring. One that cannot fetch it now works on without. */
const CallAlarm = lateExtra(deferred(async () => (await import('../parts/calls/CallAlarm.tsx')).CallAlarm))

function Ringing() {
  const isLoggedIn = useUser() !== null
  const { soundingTeams } = usePreferences()
  return isLoggedIn && soundingTeams.length > 0 && <CallAlarm />
}

const LateRefusals = lateExtra(deferred(async () => (await import('../parts/LateRefusals.tsx')).LateRefusals))

function Refused() {
  const isLoggedIn = useUser() !== null
  const needPerson = useQuery(statusQuery).data?.needPerson ?? 0
  return isLoggedIn && needPerson > 0 && <LateRefusals needPerson={needPerson} />
}

const StrayReadings = lateExtra(deferred(async () => (await import('./shell/StrayReadings.tsx')).StrayReadings))

/** After the first screen: what is read until then waits for it. */
function Answering() {
  const [isSettled, settle] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => settle(true), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSettled && <StrayReadings />
}

/** Everything below needs a session; who has none comes back here after logging in. */
const pages = createRoute({
  getParentRoute: () => root,
  path: links.pages,
  beforeLoad: needSession,
  component: () => (
    <>
      <Ringing />
      <Refused />
      <Shell />
      <Answering />
    </>
  ),
  notFoundComponent: () => <Navigate to={links.login} replace />,
})

/** By their addresses below `links.pages`. */
const screens = {
  '/dashboard': deferred(() => import('../screens/dashboard/DashboardScreen.tsx'), { warm: [links.dashboard] }),
  '/mini-aplicadores': deferred(() => import('../screens/applicators/ApplicatorsScreen.tsx')),
  '/estacoes-selo': deferred(() => import('../screens/sealing-stations/SealingStationsScreen.tsx')),
  '/planos-de-controle': deferred(() => import('../screens/control-plans/ControlPlansScreen.tsx')),
  '/controle-crimpagens': deferred(() => import('../screens/crimp-counters/CrimpCountersScreen.tsx')),
  '/analise-graficos': deferred(() => import('../screens/charts/ChartsScreen.tsx')),
  '/apontamento-corte-crimpagem': deferred(() => import('../screens/search/SearchScreen.tsx'), {
    warm: [links.cutCrimp],
  }),
  '/juncoes': deferred(() => import('../screens/junctions/JunctionsScreen.tsx'), { warm: [links.junctions] }),
  '/juncoes/detalhes/{-$filial}/{-$numeroOp}/{-$posicao}': deferred(
    () => import('../screens/junction-details/JunctionDetailsScreen.tsx'),
    { warm: ['soon'] },
  ),
  '/conferencia-corte': deferred(() => import('../screens/cut-check/CutCheckScreen.tsx'), { warm: [links.cutCheck] }),
  '/equipamentos': deferred(() => import('../screens/equipment/EquipmentScreen.tsx')),
  '/historia-da-medicao': deferred(() => import('../screens/end-histories/EndHistoryScreen.tsx')),
  '/contencoes/$id': deferred(() => import('../screens/containments/ContainmentsScreen.tsx')),
  '/documentos': deferred(() => import('../screens/documents/DocumentsScreen.tsx')),
  '/item-edit': deferred(() => import('../screens/item-edit/ItemEditScreen.tsx'), { warm: [links.itemEdit, 'soon'] }),
  '/logs': deferred(() => import('../screens/logs/LogsScreen.tsx')),
  '/pendencias': deferred(() => import('../screens/pending/PendingScreen.tsx'), { warm: ['soon'] }),
  '/configuracoes': deferred(() => import('../screens/settings/SettingsScreen.tsx')),
}

const ReportsScreen = latePart(
  deferred(async () => (await import('../screens/reports/ReportsScreen.tsx')).ReportsScreen),
)
const TracePanel = latePart(deferred(async () => (await import('../screens/traces/TracePanel.tsx')).TracePanel))

const tree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', beforeLoad: goTo(links.login) }),
  createRoute({ getParentRoute: () => root, path: '/auth', beforeLoad: goTo(links.login) }),
  login,
  // On a wall there is no menu around it.
  createRoute({
    getParentRoute: () => root,
    path: links.equipmentBoard,
    beforeLoad: needSession,
    component: lateScreen(deferred(() => import('../screens/equipment/EquipmentBoard.tsx'))),
  }),
  pages.addChildren([
    createRoute({ getParentRoute: () => pages, path: '/', beforeLoad: goTo(links.dashboard) }),
    createRoute({
      getParentRoute: () => pages,
      path: '/relatorios',
      component: () => <ReportsScreen TracePanel={TracePanel} />,
    }),
    ...Object.entries(screens).map(([path, script]) =>
      createRoute({ getParentRoute: () => pages, path: path as keyof typeof screens, component: lateScreen(script) }),
    ),
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
    /** Id of what `links.pending` is to open for correction. */
    correct?: string
  }
}
