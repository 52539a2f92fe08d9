const sidebarModes = ['expanded', 'compacted', 'collapsed'] as const
export type SidebarMode = (typeof sidebarModes)[number]

/** `widthPx` is the window's. */
export type Sidebar = {
  /** Remembered on this device. */
  mode: SidebarMode
  widthPx: number
  /** Percent of the normal size. */
  textPercent: number
  /** Touched by fingers: what is on screen is larger, and the menu's room is needed. */
  isCoarse: boolean
  /** On a medium screen, and on a small desk with large text or fingers, 'expanded' shows as compact until somebody asks for it. */
  isOpened: boolean
}

type SidebarEvent = { type: 'toggle' } | { type: 'close' } | { type: 'resize'; widthPx: number; textPercent: number }

const PHONE_PX = 768
const DESK_PX = 1200
const ROOMY_DESK_PX = 1400
const LARGE_TEXT_PERCENT = 115
const isPhone = (widthPx: number) => widthPx < PHONE_PX
const isMedium = (widthPx: number) => widthPx >= PHONE_PX && widthPx < DESK_PX

/** Whether the expanded menu takes room that the page needs. */
const isTight = ({ widthPx, textPercent, isCoarse }: Sidebar) =>
  widthPx < (isCoarse || textPercent >= LARGE_TEXT_PERCENT ? ROOMY_DESK_PX : DESK_PX)

const fitMode = (mode: SidebarMode, widthPx: number): SidebarMode => {
  if (isPhone(widthPx)) return 'collapsed'
  if (mode !== 'collapsed') return mode
  return isMedium(widthPx) ? 'compacted' : 'expanded'
}

type Screen = Pick<Sidebar, 'widthPx' | 'textPercent' | 'isCoarse'>

export function startSidebar(stored: string | null, screen: Screen): Sidebar {
  const { widthPx } = screen
  const known = sidebarModes.find((mode) => mode === stored)
  const mode = fitMode(known ?? (isMedium(widthPx) ? 'compacted' : 'expanded'), widthPx)
  return { ...screen, mode, isOpened: false }
}

/** The mode on screen. A compacted sidebar has no room on a phone. */
export function shownMode(sidebar: Sidebar): SidebarMode {
  const { mode, widthPx, isOpened } = sidebar
  if (isPhone(widthPx)) return mode === 'expanded' ? 'expanded' : 'collapsed'
  return isTight(sidebar) && mode === 'expanded' && !isOpened ? 'compacted' : mode
}

/** The sidebar lies over the content: on a phone with an overlay that closes it. */
export const isOverContent = (sidebar: Sidebar): boolean =>
  sidebar.widthPx < DESK_PX && shownMode(sidebar) === 'expanded'

export const hasOverlay = (sidebar: Sidebar): boolean => isPhone(sidebar.widthPx) && shownMode(sidebar) === 'expanded'

export function changeSidebar(sidebar: Sidebar, event: SidebarEvent): Sidebar {
  const { widthPx } = sidebar
  const small: SidebarMode = isPhone(widthPx) ? 'collapsed' : 'compacted'
  if (event.type === 'resize') {
    // The keyboard of a tablet resizes the window too, but not its width.
    if (event.widthPx === widthPx && event.textPercent === sidebar.textPercent) return sidebar
    const mode = fitMode(sidebar.mode, event.widthPx)
    return { ...sidebar, mode, widthPx: event.widthPx, textPercent: event.textPercent, isOpened: false }
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
