import { useEffect, useEffectEvent, useReducer } from 'react'
import { changeSidebar, type SidebarMode, startSidebar } from './sidebar.ts'

const STORAGE_KEY = 'sidebar-state'

function keepMode(mode: SidebarMode): void {
  try {
    localStorage.setItem(STORAGE_KEY, mode)
  } catch {
    // A full storage costs the state after a reload, not the screen.
  }
}

export function useSidebar() {
  const [sidebar, change] = useReducer(changeSidebar, null, () =>
    startSidebar(localStorage.getItem(STORAGE_KEY), window.innerWidth),
  )
  useEffect(() => keepMode(sidebar.mode), [sidebar.mode])
  const onResize = useEffectEvent(() => change({ type: 'resize', widthPx: window.innerWidth }))
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'b' || !event.ctrlKey || event.altKey || event.shiftKey || event.repeat) return
    event.preventDefault()
    change({ type: 'toggle' })
  })
  useEffect(() => {
    window.addEventListener('resize', onResize)
    window.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('resize', onResize)
      window.removeEventListener('keydown', onKey)
    }
  }, [])
  return { sidebar, change }
}
