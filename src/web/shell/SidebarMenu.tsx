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
import { VERSION } from '../../contract/settings.ts'
import { links } from '../links.ts'
import { icon } from '../ui/icon-sizes.ts'
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

type Props = { sidebar: Sidebar; onClose: () => void }

export function SidebarMenu({ sidebar, onClose }: Props) {
  const mode = shownMode(sidebar)
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
        <ul className="flex flex-1 flex-col gap-1 overflow-y-auto p-2">
          {entries.map(({ to, text, Icon }) => (
            <li key={to}>
              <Link
                to={to}
                {...(isCompact ? { title: text } : {})}
                onClick={() => isOverContent(sidebar) && onClose()}
                activeProps={{
                  className: 'bg-brand-soft text-brand-ink font-semibold shadow-[inset_3px_0_0_var(--color-brand)]',
                }}
                className={`flex min-h-12 items-center gap-4 rounded-md hover:bg-hover ${isCompact ? 'justify-center' : 'px-4'}`}
              >
                <Icon {...icon.lg} className="shrink-0" />
                <span className={isCompact ? 'sr-only' : 'leading-5'}>{text}</span>
              </Link>
            </li>
          ))}
        </ul>
        <p
          className={`border-t border-line py-3 text-muted ${isCompact ? 'px-1 text-center text-xs' : 'px-4 text-sm'}`}
        >
          {isCompact ? VERSION : `${VERSION} - Painel Industrial`}
        </p>
      </nav>
    </>
  )
}
