const sidebarModes = ['expanded', 'compacted', 'collapsed'] as const
export type SidebarMode = (typeof sidebarModes)[number]

/** `widthPx` is the window's. */
export type Sidebar = {
  /** What is remembered on this device. */
  mode: SidebarMode
  widthPx: number
  /** On a medium screen 'expanded' shows as compact until somebody asks for it; then it lies over the content. */
  isOpened: boolean
}

export type SidebarEvent = { type: 'toggle' } | { type: 'close' } | { type: 'resize'; widthPx: number }

const PHONE_PX = 768
const DESK_PX = 1200
const isPhone = (widthPx: number) => widthPx < PHONE_PX
const isMedium = (widthPx: number) => widthPx >= PHONE_PX && widthPx < DESK_PX

const fitMode = (mode: SidebarMode, widthPx: number): SidebarMode => {
  if (isPhone(widthPx)) return 'collapsed'
  if (mode !== 'collapsed') return mode
  return isMedium(widthPx) ? 'compacted' : 'expanded'
}

export function startSidebar(stored: string | null, widthPx: number): Sidebar {
  const known = sidebarModes.find((mode) => mode === stored)
  return { mode: fitMode(known ?? (isMedium(widthPx) ? 'compacted' : 'expanded'), widthPx), widthPx, isOpened: false }
}

/** What is on screen. A compacted sidebar has no room on a phone. */
export function shownMode({ mode, widthPx, isOpened }: Sidebar): SidebarMode {
  if (isPhone(widthPx)) return mode === 'expanded' ? 'expanded' : 'collapsed'
  return isMedium(widthPx) && mode === 'expanded' && !isOpened ? 'compacted' : mode
}

/** It lies over the content: on a phone with an overlay that closes it. */
export const isOverContent = (sidebar: Sidebar): boolean =>
  sidebar.widthPx < DESK_PX && shownMode(sidebar) === 'expanded'

export const hasOverlay = (sidebar: Sidebar): boolean => isPhone(sidebar.widthPx) && shownMode(sidebar) === 'expanded'

export function changeSidebar(sidebar: Sidebar, event: SidebarEvent): Sidebar {
  const { widthPx } = sidebar
  const small: SidebarMode = isPhone(widthPx) ? 'collapsed' : 'compacted'
  if (event.type === 'resize') {
    // The keyboard of a tablet resizes the window too, but not its width.
    if (event.widthPx === widthPx) return sidebar
    return { mode: fitMode(sidebar.mode, event.widthPx), widthPx: event.widthPx, isOpened: false }
  }
  if (event.type === 'close') return isOverContent(sidebar) ? { ...sidebar, mode: small, isOpened: false } : sidebar
  const isExpanding = shownMode(sidebar) !== 'expanded'
  return { ...sidebar, mode: isExpanding ? 'expanded' : small, isOpened: isExpanding }
}

export const toggleText: Record<SidebarMode, string> = {
  expanded: 'Recolher menu (Ctrl+B)',
  compacted: 'Expandir menu (Ctrl+B)',
  collapsed: 'Mostrar menu (Ctrl+B)',
}
