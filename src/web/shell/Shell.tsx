import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useUser } from '../credentials.ts'
import { titleOf } from '../labels.ts'
import { links } from '../links.ts'
import { useSettings } from '../parts/settings.ts'
import { Header } from './Header.tsx'
import { SidebarMenu } from './SidebarMenu.tsx'
import { isOverContent, shownMode } from './sidebar.ts'
import { useSidebar } from './useSidebar.ts'

const insets = { expanded: 'pl-[280px]', compacted: 'pl-[70px]', collapsed: '' }

/** Where work without network leads: loaded while there is one. */
const neededOffline = [links.itemEdit, links.pending]

/** Header and sidebar around every screen of a logged-in person. */
export function Shell() {
  const user = useUser()
  const { siteName } = useSettings()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { sidebar, change } = useSidebar()
  const title = titleOf(path, siteName)
  const router = useRouter()
  useEffect(() => {
    for (const to of neededOffline) void router.preloadRoute({ to })
  }, [router])
  useEffect(() => {
    document.title = title
  }, [title])
  if (!user) return null
  const mode = shownMode(sidebar)
  // Over the content: the page keeps the place it has beside the compact menu.
  const inset = isOverContent(sidebar) ? (sidebar.widthPx < 768 ? 'collapsed' : 'compacted') : mode
  return (
    <>
      <Header title={title} user={user} sidebarMode={mode} onToggleSidebar={() => change({ type: 'toggle' })} />
      <SidebarMenu sidebar={sidebar} onClose={() => change({ type: 'close' })} />
      <div className={`flex min-h-dvh flex-col pt-16 ${insets[inset]}`}>
        <main className="mx-auto flex w-full max-w-[1600px] flex-1 flex-col gap-4 p-3 lg:p-4 xl:p-6">
          <Outlet />
        </main>
      </div>
    </>
  )
}
