import { Outlet, useRouterState } from '@tanstack/react-router'
import { PanelTopOpen } from 'lucide-react'
import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { deviceNow } from '../../device/clock.ts'
import { currentUser, useUser } from '../../device/credentials.ts'
import { warmUp } from '../../device/deferred.ts'
import { noteTouch } from '../../device/marks.ts'
import { changePreferences, usePreferences } from '../../device/preferences.ts'
import { readFromDevice, writeToDevice } from '../../device/store.ts'
import { showToast } from '../../device/toasts.ts'
import { itemTitle } from '../../parts/lookups/items.ts'
import { useMay } from '../../parts/permissions.tsx'
import { useSettings } from '../../parts/settings.ts'
import { useServerStatus } from '../../parts/useServerStatus.ts'
import { isServerSilent } from '../../server/api.ts'
import { logout } from '../../server/session.ts'
import { displayName, documentTitleOf, titleOf } from '../../text/labels.ts'
import { links } from '../../text/links.ts'
import { IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Later } from '../../ui/Later.tsx'
import { useWindowEvent } from '../../ui/useWindowEvent.ts'
import { Header } from './Header.tsx'
import { SidebarMenu } from './SidebarMenu.tsx'
import { changeSidebar, isOverContent, shownMode, startSidebar } from './sidebar.ts'

const ADMIN_MINUTES = 15
const MINUTE_MS = 60_000
const CHECK_MS = 5000
const REPEATED_EVERY_MS = 1000

const touches = ['keydown', 'pointerdown', 'wheel'] as const

/** Both clocks: the steady one may stand still while a tablet sleeps, the other one may be put back. */
const now = () => ({ wallMs: deviceNow(), steadyMs: performance.now() })
let touchedAt = now()
const untouchedMs = () => Math.max(deviceNow() - touchedAt.wallMs, performance.now() - touchedAt.steadyMs)

/**
 * Asks for log-in again where nobody has touched any tab of this device for long: screens that show more to an
 * administrator after 15 minutes, the others after what the plant has chosen. Not while the server is silent: nobody could log in,
 * and work goes on without it. The board on a wall is nobody's to touch, and stands outside of the shell.
 */
function useIdleClose(path: string): void {
  const isAdmin = useMay('administer') && (path === links.settings || path === links.logs)
  const { idleMinutes } = useSettings()
  const minutes = Math.min(idleMinutes || Number.POSITIVE_INFINITY, isAdmin ? ADMIN_MINUTES : Number.POSITIVE_INFINITY)
  useEffect(() => {
    // A log-in or another screen is a touch too.
    touchedAt = now()
    noteTouch()
    const tabs = new BroadcastChannel('touches')
    tabs.onmessage = () => {
      touchedAt = now()
    }
    const closeWhenIdle = () => {
      if (untouchedMs() < minutes * MINUTE_MS || isServerSilent() || !currentUser()) return
      logout({ comeBack: true })
      const text = 'Sessão encerrada por falta de uso. Entre de novo para continuar de onde parou.'
      showToast({ kind: 'warning', text, stays: true })
    }
    const touch = () => {
      // The touch that wakes a tablet comes before any timer.
      closeWhenIdle()
      if (untouchedMs() >= REPEATED_EVERY_MS) {
        tabs.postMessage(null)
        noteTouch()
      }
      touchedAt = now()
    }
    const timer = setInterval(closeWhenIdle, CHECK_MS)
    for (const event of touches) window.addEventListener(event, touch, { capture: true, passive: true })
    return () => {
      clearInterval(timer)
      tabs.close()
      for (const event of touches) window.removeEventListener(event, touch, { capture: true })
    }
  }, [minutes])
}

const STORAGE_KEY = 'sidebar-state'
const START_MARK_MS = 100

function useSidebar() {
  const textPercent = Number(usePreferences().textSize)
  const [sidebar, change] = useReducer(changeSidebar, null, () =>
    startSidebar(readFromDevice(STORAGE_KEY), {
      ...{ widthPx: window.innerWidth, textPercent },
      isCoarse: window.matchMedia('(pointer: coarse)').matches,
    }),
  )
  useEffect(() => void writeToDevice(STORAGE_KEY, sidebar.mode), [sidebar.mode])
  const onResize = useEffectEvent(() => change({ type: 'resize', widthPx: window.innerWidth, textPercent }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: larger text leaves less room in the same window
  useEffect(onResize, [textPercent])
  useWindowEvent('resize', onResize)
  const toggling = useRef<ReturnType<typeof setTimeout>>(undefined)
  useWindowEvent('keydown', (event) => {
    // Ctrl+B is also how a scanner types its start mark (STX): then more keys follow than a hand can press.
    clearTimeout(toggling.current)
    if (event.key.toLowerCase() !== 'b' || !event.ctrlKey || event.altKey || event.shiftKey || event.repeat) return
    event.preventDefault()
    toggling.current = setTimeout(() => change({ type: 'toggle' }), START_MARK_MS)
  })
  return { sidebar, change }
}

const insets = { expanded: 'pl-[280px]', compacted: 'pl-[70px]', collapsed: '' }

/** By then the screen that was asked for is there. */
export const SETTLED_MS = 2000

/** Header and sidebar around every screen of a logged-in person. */
export function Shell() {
  const user = useUser()
  const { siteName } = useSettings()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { sidebar, change } = useSidebar()
  useServerStatus()
  const title = titleOf(path, siteName)
  const item = useRouterState({ select: (state) => state.location.state.item })
  const documentTitle = documentTitleOf(path, item ? itemTitle(item) : null, siteName)
  useEffect(() => {
    const timer = setTimeout(warmUp, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    document.title = documentTitle
  }, [documentTitle])
  useIdleClose(path)
  const main = useFocusOnArrival(path)
  const { isFrameShown } = usePreferences()
  if (!user) return null
  const mode = shownMode(sidebar)
  // Over the content: the page keeps the place it has beside the compact menu.
  const inset = isOverContent(sidebar) ? (sidebar.widthPx < 768 ? 'collapsed' : 'compacted') : mode
  return (
    <>
      <SkipLink onPress={() => main.current?.focus()} />
      {isFrameShown ? (
        <>
          <Header title={title} user={user} sidebarMode={mode} onToggleSidebar={() => change({ type: 'toggle' })} />
          <SidebarMenu sidebar={sidebar} userName={displayName(user)} onClose={() => change({ type: 'close' })} />
        </>
      ) : (
        <div className="fixed right-2 bottom-2 z-40 rounded-md border border-edge bg-surface shadow-float">
          <IconButton
            label="Mostrar cabeçalho e menu"
            icon={<PanelTopOpen {...icon.lg} />}
            onPress={() => changePreferences({ isFrameShown: true })}
          />
        </div>
      )}
      <div
        className={`flex min-h-[calc(100dvh-var(--banner-height))] flex-col ${isFrameShown ? `pt-16 ${insets[inset]}` : ''}`}
      >
        <main
          ref={main}
          tabIndex={-1}
          className="mx-auto flex w-full max-w-[1600px] flex-1 flex-col gap-4 p-3 outline-none lg:p-4 xl:p-6"
        >
          <Later before={<ScreenOutline />}>
            <Outlet />
          </Later>
        </main>
      </div>
    </>
  )
}

/** Where most screens have their title and their first card. */
const ScreenOutline = () => (
  <div aria-hidden className="flex flex-col gap-4">
    <div className="h-14 w-72 max-w-full rounded-md bg-sunken" />
    <div className="h-28 rounded-lg border border-line bg-surface shadow-card" />
  </div>
)

/** The first thing that Tab reaches: past header and menu. */
const SkipLink = ({ onPress }: { onPress: () => void }) => (
  <button
    type="button"
    onClick={onPress}
    className="fixed top-2 left-2 z-50 flex min-h-12 items-center rounded-md bg-surface px-4 font-semibold text-brand-ink shadow-float not-focus:sr-only"
  >
    Ir para o conteúdo
  </button>
)

/** A screen that does not take the focus itself begins at its top, and not in the menu that led to it. */
function useFocusOnArrival(path: string) {
  const main = useRef<HTMLElement>(null)
  const arrivedFrom = useRef(path)
  useEffect(() => {
    if (arrivedFrom.current === path) return
    arrivedFrom.current = path
    const { activeElement } = document
    if (!activeElement || activeElement === document.body || activeElement.closest('#menu')) {
      main.current?.focus({ preventScroll: true })
    }
  }, [path])
  return main
}
