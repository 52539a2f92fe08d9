import { Link, useRouterState } from '@tanstack/react-router'
import {
  ChartColumn,
  CircleDot,
  ClipboardCheck,
  FileChartColumn,
  FileText,
  Gauge,
  LayoutDashboard,
  type LucideIcon,
  Merge,
  PackageCheck,
  Scissors,
  ScrollText,
  Settings,
  Stamp,
  Timer,
  Wrench,
} from 'lucide-react'
import { type FocusEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import { SPECIFIED_VERSION } from '../../../contract/settings.ts'
import { links } from '../../text/links.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { useWindowEvent } from '../../ui/useWindowEvent.ts'
import { hasOverlay, isOverContent, type Sidebar, shownMode } from './sidebar.ts'

type Entry = {
  to: string
  text: string
  Icon: LucideIcon
  /** A screen without an entry that belongs to this one. */
  leadsTo?: string
}

const groups: readonly { title: string; entries: readonly Entry[] }[] = [
  {
    title: 'Produção',
    entries: [
      { to: links.dashboard, text: 'Dashboard', Icon: LayoutDashboard },
      { to: links.cutCrimp, text: 'Corte e Crimpagem', Icon: Scissors, leadsTo: links.itemEdit },
      { to: links.junctions, text: 'Junções', Icon: Merge },
      { to: links.cutCheck, text: 'Conferência de Corte', Icon: PackageCheck },
      { to: links.pending, text: 'Pendências', Icon: Timer },
    ],
  },
  {
    title: 'Ferramentas',
    entries: [
      { to: links.applicators, text: 'Gestão de Mini Aplicadores', Icon: Stamp },
      { to: links.sealingStations, text: 'Gestão de Estações de Selos', Icon: CircleDot },
      { to: links.controlPlans, text: 'Planos de Controle', Icon: ClipboardCheck },
      { to: links.crimpCounters, text: 'Manutenção Preventiva', Icon: Wrench },
      { to: links.equipment, text: 'Equipamentos', Icon: Gauge },
    ],
  },
  {
    title: 'Análise',
    entries: [
      { to: links.charts, text: 'Análise de Gráficos', Icon: ChartColumn },
      { to: links.reports, text: 'Relatórios', Icon: FileChartColumn },
      { to: links.documents, text: 'Documentos', Icon: FileText },
    ],
  },
  {
    title: 'Sistema',
    entries: [
      { to: links.logs, text: 'Logs', Icon: ScrollText },
      { to: links.settings, text: 'Configurações', Icon: Settings },
    ],
  },
]

const currentPlace = 'bg-brand-soft text-brand-ink font-semibold shadow-[inset_3px_0_0_var(--color-brand)]'

/** Beside its icon, which has no room for it, while the keyboard is there or a finger rests: what a mouse reads as a tooltip. */
const nameOfIcon =
  'sr-only leading-5 named:not-sr-only named:fixed named:left-19 named:top-(--icon-middle) named:-translate-y-1/2 named:rounded-md named:border named:border-line named:bg-surface named:px-3 named:py-2 named:text-ink named:shadow-float'

/** The menu scrolls, the name does not: it would be cut where the menu ends. */
const noteIconMiddle = ({ currentTarget: link }: FocusEvent<HTMLElement> | PointerEvent<HTMLElement>) =>
  requestAnimationFrame(() => {
    const { top, height } = link.getBoundingClientRect()
    link.style.setProperty('--icon-middle', `${top + height / 2}px`)
  })

/** A long press says the word, and opens no menu of the browser over it. */
const stay = (event: MouseEvent<HTMLElement>) => matchMedia('(pointer: coarse)').matches && event.preventDefault()

type Props = { sidebar: Sidebar; userName: string; onClose: () => void }

export function SidebarMenu({ sidebar, userName, onClose }: Props) {
  const mode = shownMode(sidebar)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const menu = useRef<HTMLElement>(null)
  useEscape(isOverContent(sidebar) ? onClose : null)
  const isCompact = mode === 'compacted'
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the place stands depends on both
  useEffect(() => {
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [path, mode])
  if (mode === 'collapsed') return null
  return (
    <>
      {hasOverlay(sidebar) && (
        <button
          type="button"
          aria-label="Fechar menu"
          onClick={onClose}
          className="animate-appear fixed inset-0 top-[calc(4rem+var(--banner-height))] z-20 bg-shade"
        />
      )}
      <nav
        ref={menu}
        id="menu"
        aria-label="Menu principal"
        className={`fixed top-[calc(4rem+var(--banner-height))] bottom-0 left-0 z-30 flex flex-col border-r border-line bg-surface ${isCompact ? 'w-[70px]' : 'w-[280px]'} ${isOverContent(sidebar) ? 'shadow-float' : ''}`}
      >
        <div className="flex-1 overflow-y-auto px-2 pb-2">
          {groups.map(({ title, entries }) => (
            <div key={title} className={isCompact ? 'not-first:border-t not-first:border-line py-1' : 'pt-1'}>
              {!isCompact && (
                <p aria-hidden className="px-3 text-xs leading-5 font-semibold text-muted">
                  {title}
                </p>
              )}
              <ul aria-label={title} className="flex flex-col gap-px pointer-coarse:gap-2">
                {entries.map(({ to, text, Icon, leadsTo }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      {...(isCompact
                        ? { title: text, onFocus: noteIconMiddle, onPointerDown: noteIconMiddle, onContextMenu: stay }
                        : {})}
                      onClick={() => isOverContent(sidebar) && onClose()}
                      activeProps={{ className: currentPlace }}
                      {...(path === leadsTo
                        ? { inactiveProps: { className: currentPlace, 'aria-current': 'page' } }
                        : {})}
                      className={`group flex min-h-9 items-center gap-3 rounded-md hover:bg-hover pointer-fine:text-sm pointer-coarse:min-h-11 ${isCompact ? 'justify-center' : 'px-3'}`}
                    >
                      <Icon {...icon.lg} className="shrink-0" />
                      <span className={isCompact ? nameOfIcon : 'leading-5'}>{text}</span>
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
        {/* The header has no room for it there. */}
        {sidebar.widthPx < 768 && <p className="truncate border-t border-line px-4 py-3 font-medium">{userName}</p>}
        <p
          className={`border-t border-line py-2 text-muted ${isCompact ? 'px-1 text-center text-xs' : 'px-4 text-sm'}`}
        >
          {isCompact ? SPECIFIED_VERSION : `${SPECIFIED_VERSION} - Painel Industrial`}
        </p>
      </nav>
    </>
  )
}

/** Escape takes away what lies over the content, and only that: forms below leave their screen by it. */
function useEscape(close: (() => void) | null): void {
  const hear = (event: KeyboardEvent) => {
    const isInDialog = event.target instanceof Element && event.target.closest('[role=dialog], [role=alertdialog]')
    if (event.key !== 'Escape' || !close || isInDialog) return
    event.stopImmediatePropagation()
    close()
  }
  // The menu is drawn before any screen, and so hears before it.
  useWindowEvent('keydown', hear, { capture: true })
}
