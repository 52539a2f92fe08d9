import { Link } from '@tanstack/react-router'
import {
  ChartColumn,
  CircleDot,
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
import { type FocusEvent, useEffectEvent, useLayoutEffect } from 'react'
import { VERSION } from '../../../contract/settings.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { links } from '../links.ts'
import { hasOverlay, isOverContent, type Sidebar, shownMode } from './sidebar.ts'

const entries: readonly { to: string; text: string; Icon: LucideIcon }[] = [
  { to: links.dashboard, text: 'Dashboard', Icon: LayoutDashboard },
  { to: links.applicators, text: 'Gestão de Mini Aplicadores', Icon: Stamp },
  { to: links.sealingStations, text: 'Gestão de Estações de Selos', Icon: CircleDot },
  { to: links.crimpCounters, text: 'Manutenção Preventiva', Icon: Wrench },
  { to: links.charts, text: 'Análise de Gráficos', Icon: ChartColumn },
  { to: links.cutCrimp, text: 'Corte e Crimpagem', Icon: Scissors },
  { to: links.junctions, text: 'Junções', Icon: Merge },
  { to: links.cutCheck, text: 'Conferência de Corte', Icon: PackageCheck },
  { to: links.equipment, text: 'Monitoramento de Equipamentos', Icon: Gauge },
  { to: links.reports, text: 'Relatórios', Icon: FileChartColumn },
  { to: links.documents, text: 'Visualizador de Documentos', Icon: FileText },
  { to: links.logs, text: 'Logs', Icon: ScrollText },
  { to: links.pending, text: 'Pendências', Icon: Timer },
  { to: links.settings, text: 'Configurações', Icon: Settings },
]

/** Beside its icon, which has no room for it, while the keyboard is there: what a mouse reads as a tooltip. */
const nameOfIcon =
  'sr-only leading-5 group-focus-visible:not-sr-only group-focus-visible:fixed group-focus-visible:left-19 group-focus-visible:top-(--icon-top) group-focus-visible:rounded-md group-focus-visible:border group-focus-visible:border-line group-focus-visible:bg-surface group-focus-visible:px-3 group-focus-visible:py-2 group-focus-visible:text-ink group-focus-visible:shadow-float'

/** The menu scrolls, the name does not: it would be cut where the menu ends. */
const noteIconTop = ({ currentTarget: link }: FocusEvent<HTMLElement>) =>
  requestAnimationFrame(() => link.style.setProperty('--icon-top', `${link.getBoundingClientRect().top + 5}px`))

type Props = { sidebar: Sidebar; userName: string; onClose: () => void }

export function SidebarMenu({ sidebar, userName, onClose }: Props) {
  const mode = shownMode(sidebar)
  useEscape(isOverContent(sidebar) ? onClose : null)
  const isCompact = mode === 'compacted'
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
        id="menu"
        aria-label="Menu principal"
        className={`fixed top-[calc(4rem+var(--banner-height))] bottom-0 left-0 z-30 flex flex-col border-r border-line bg-surface ${isCompact ? 'w-[70px]' : 'w-[280px]'} ${isOverContent(sidebar) ? 'shadow-float' : ''}`}
      >
        <ul className="flex flex-1 flex-col gap-2 overflow-y-auto p-2">
          {entries.map(({ to, text, Icon }) => (
            <li key={to}>
              <Link
                to={to}
                {...(isCompact ? { title: text, onFocus: noteIconTop } : {})}
                onClick={() => isOverContent(sidebar) && onClose()}
                activeProps={{
                  className: 'bg-brand-soft text-brand-ink font-semibold shadow-[inset_3px_0_0_var(--color-brand)]',
                }}
                className={`group flex min-h-11 items-center gap-4 rounded-md hover:bg-hover ${isCompact ? 'justify-center' : 'px-4'}`}
              >
                <Icon {...icon.lg} className="shrink-0" />
                <span className={isCompact ? nameOfIcon : 'leading-5'}>{text}</span>
              </Link>
            </li>
          ))}
        </ul>
        {/* The header has no room for it there. */}
        {sidebar.widthPx < 768 && <p className="truncate border-t border-line px-4 py-3 font-medium">{userName}</p>}
        <p
          className={`border-t border-line py-3 text-muted ${isCompact ? 'px-1 text-center text-xs' : 'px-4 text-sm'}`}
        >
          {isCompact ? VERSION : `${VERSION} - Painel Industrial`}
        </p>
      </nav>
    </>
  )
}

/** Escape takes away what lies over the content, and only that: forms below leave their screen by it. */
function useEscape(close: (() => void) | null): void {
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    const isInDialog = event.target instanceof Element && event.target.closest('[role=dialog], [role=alertdialog]')
    if (!close || isInDialog) return
    event.stopImmediatePropagation()
    close()
  })
  // A layout effect: it listens before any screen does.
  useLayoutEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onEscape(event)
    }
    window.addEventListener('keydown', hear, { capture: true })
    return () => window.removeEventListener('keydown', hear, { capture: true })
  }, [])
}
