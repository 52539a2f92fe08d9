import { Link } from '@tanstack/react-router'
import { LogOut, Menu, MonitorDown, Timer, TriangleAlert } from 'lucide-react'
import { refusals } from '../../../contract/errors.ts'
import type { Status } from '../../../contract/settings.ts'
import { isOverdue, waitingSince } from '../../acts/queue.ts'
import { useWaiting } from '../../acts/queue-db.ts'
import { serverNow } from '../../device/clock.ts'
import { deferred } from '../../device/deferred.ts'
import { install, useInstallOffer } from '../../device/install-offer.ts'
import { BrandMark } from '../../parts/Brand.tsx'
import { lateExtra } from '../../parts/Late.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { logout } from '../../server/session.ts'
import { displayName, initials } from '../../text/labels.ts'
import { links } from '../../text/links.ts'
import { IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { OperatorChangeButton } from './OperatorChange.tsx'
import { LightWords, LineChip, SystemLights, useSystemState } from './SystemState.tsx'
import { type SidebarMode, toggleText } from './sidebar.ts'

/** `erp` is what the server says; null while it does not answer. */
type StatusIconsProps = { erp: Pick<Status, 'pending' | 'needPerson' | 'waitingSince'> | null }

/** Number of acts that the ERP lacks, on this device and on the server, linked to them. */
function PendingBadge({ erp }: StatusIconsProps) {
  const waiting = useWaiting() ?? []
  const here = waiting.length
  const atServer = erp?.pending ?? 0
  const forPerson = erp?.needPerson ?? 0
  const forErp = atServer - forPerson
  if (here + atServer === 0) return null
  const isLate = [waitingSince(waiting), erp?.waitingSince ?? null].some((since) => isOverdue(since, serverNow()))
  const needsText = forPerson === 1 ? ' exige ação' : ' exigem ação'
  const words = [
    ...(here > 0 ? [`${here} neste dispositivo`] : []),
    ...(forErp > 0 ? [`${forErp} aguardando o ERP`] : []),
    ...(forPerson > 0 ? [`${forPerson}${needsText}`] : []),
    // the figure that is seen is part of the name, for who speaks to the tablet (WCAG 2.5.3)
    ...([here, forErp, forPerson].filter((count) => count > 0).length > 1 ? [`${here + atServer} ao todo`] : []),
    ...(isLate ? ['há mais de 15 minutos'] : []),
  ]
  const text = `Pendências: ${words.join(', ')}`
  const Icon = isLate || forPerson > 0 ? TriangleAlert : Timer
  return (
    <Link
      to={links.pending}
      title={text}
      aria-label={text}
      className="flex h-11 items-center focus-visible:outline-header-focus"
    >
      <span
        className={`flex h-8 items-center gap-1 rounded-full px-2 text-sm font-semibold ${isLate || forPerson > 0 ? 'bg-bad-fill text-white' : 'bg-header-raised'}`}
      >
        <Icon {...icon.sm} />
        {/* of one width up to 99: nothing moves when it becomes more or less */}
        <span style={{ minWidth: '2ch' }}>{forPerson || here + atServer}</span>
        {forPerson > 0 && <span className="whitespace-pre @max-[56rem]:hidden">{needsText}</span>}
      </span>
    </Link>
  )
}

const ErpChip = ({ title, children }: { title: string; children: string }) => (
  <span title={title} className="rounded-full bg-header-raised px-2 text-xs font-semibold whitespace-nowrap">
    {children}
  </span>
)

const erpChips = {
  standIn: { title: 'O que é apontado não chega ao ERP da fábrica', children: 'ERP de ensaio' },
  unset: { title: refusals.erp_unconfigured.message, children: 'ERP não configurado' },
}

/** Few may decide about pieces. */
const OpenContainments = lateExtra(
  deferred(async () => (await import('../../parts/containments/OpenContainments.tsx')).OpenContainments),
)

/** Lights of the system, and the acts not delivered yet. */
function StatusIcons() {
  const state = useSystemState()
  const mayDispose = useMay('dispose')
  if (state === null) return null
  const { now } = state
  const erp = now?.erpStandIn ? erpChips.standIn : now?.erpConfigured === false ? erpChips.unset : null
  return (
    <>
      {/* no box of its own, that would move when something comes into it: their places are the header's */}
      <div role="status" className="contents">
        {/* it comes last, and moves nothing at its right */}
        {mayDispose && <OpenContainments />}
        <PendingBadge erp={now} />
        <div className="relative flex items-center gap-1 md:gap-2">
          <SystemLights state={state} />
          {/* under the lights, of one size: nothing moves when they come */}
          <div style={{ width: '18rem' }} className="absolute top-full right-0 flex flex-row-reverse gap-1">
            {erp && <ErpChip {...erp} />}
            <LightWords state={state} />
          </div>
        </div>
      </div>
      <div role="status" className="contents">
        <LineChip state={state} />
      </div>
    </>
  )
}

type Props = {
  title: string
  user: { fullName: string; username: string }
  sidebarMode: SidebarMode
  onToggleSidebar: () => void
}

const MOTTO = 'Central de Produção e Monitoramento'

export function Header({ title, user, sidebarMode, onToggleSidebar }: Props) {
  const name = displayName(user)
  return (
    <header className="@container fixed inset-x-0 top-(--banner-height) z-40 flex h-16 items-center gap-2 bg-header px-2 text-header-ink md:gap-3 md:px-3">
      <IconButton
        tone="header"
        label={toggleText[sidebarMode]}
        icon={<Menu {...icon.lg} />}
        onPress={onToggleSidebar}
        aria-expanded={sidebarMode === 'expanded'}
        aria-controls="menu"
      />
      <BrandMark className="hidden size-10 shrink-0 sm:block @max-[42rem]:hidden" />
      {/* On a phone with large text the indicators leave no room for a whole word of it. */}
      <div title={MOTTO} className="min-w-0 overflow-hidden @max-[20rem]:hidden md:min-w-36">
        <p className="font-semibold max-sm:w-min max-sm:leading-5 sm:whitespace-nowrap md:text-lg">Painel Industrial</p>
        <p className="hidden truncate text-sm text-header-muted md:block">{MOTTO}</p>
      </div>
      {/* In rem of the container, which grow with the text: large text leaves no room for it beside red indicators. Of one
          width: another title moves nothing. */}
      <p
        style={{ width: '17rem' }}
        className="ml-1 hidden min-w-0 truncate border-l border-header-raised pl-4 text-header-muted @min-[78rem]:block"
      >
        {title}
      </p>
      <div className="flex shrink-0 grow items-center justify-end gap-1 md:gap-3">
        {/* whenever it comes, nothing at its right moves */}
        <InstallButton />
        <StatusIcons />
        <div className="hidden items-center gap-2 md:flex" title={name}>
          <span
            aria-hidden
            className="flex size-9 items-center justify-center rounded-full bg-header-raised text-sm font-semibold"
          >
            {initials(name)}
          </span>
          <span className="max-w-32 truncate text-sm lg:max-w-48 @max-[48rem]:sr-only">{name}</span>
        </div>
        <OperatorChangeButton />
        <IconButton tone="header" label="Sair do sistema" icon={<LogOut {...icon.md} />} onPress={logout} />
      </div>
    </header>
  )
}

/** On a phone there is no room for it: the banner and the browser's own menu do the same. */
function InstallButton() {
  const { canInstall } = useInstallOffer()
  if (!canInstall) return null
  return (
    <span className="contents max-sm:hidden">
      <IconButton
        tone="header"
        label="Instalar aplicação no desktop"
        icon={<MonitorDown {...icon.md} />}
        onPress={() => void install()}
      />
    </span>
  )
}
