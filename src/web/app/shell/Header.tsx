import { LogOut, Menu, MonitorDown } from 'lucide-react'
import { install, useInstallOffer } from '../../device/install-offer.ts'
import { BrandMark } from '../../parts/Brand.tsx'
import { logout } from '../../server/session.ts'
import { IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { displayName, initials } from '../labels.ts'
import { StatusIcons } from './StatusIcons.tsx'
import { type SidebarMode, toggleText } from './sidebar.ts'

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
      <BrandMark className="hidden size-10 shrink-0 sm:block" />
      <div className="min-w-0 md:min-w-36">
        <p className="font-semibold max-sm:w-min max-sm:leading-5 sm:whitespace-nowrap md:text-lg">Painel Industrial</p>
        <p title={MOTTO} className="hidden truncate text-sm text-header-muted md:block">
          {MOTTO}
        </p>
      </div>
      {/* In rem of the container, which grow with the text: large text leaves no room for it beside red indicators. */}
      <p className="ml-1 hidden min-w-0 truncate border-l border-header-raised pl-4 text-header-muted @min-[78rem]:block">
        {title}
      </p>
      <div className="ml-auto flex shrink-0 items-center gap-1 md:gap-3">
        <StatusIcons />
        <InstallButton />
        <div className="hidden items-center gap-2 md:flex" title={name}>
          <span
            aria-hidden
            className="flex size-9 items-center justify-center rounded-full bg-header-raised text-sm font-semibold"
          >
            {initials(name)}
          </span>
          <span className="max-w-32 truncate text-sm lg:max-w-48 @max-[48rem]:sr-only">{name}</span>
        </div>
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
