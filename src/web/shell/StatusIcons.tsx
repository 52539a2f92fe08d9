import { useQuery } from '@tanstack/react-query'
import { Cloud, CloudOff, Database, DatabaseZap, type LucideIcon, Server, ServerOff } from 'lucide-react'
import { useEffect } from 'react'
import type { Status } from '../../contract/settings.ts'
import { serverIsThere } from '../sender.ts'
import { STATUS_POLL_MS, statusQuery } from '../status.ts'
import { icon } from '../ui/icon-sizes.ts'
import { PendingBadge } from './PendingBadge.tsx'

function useStatus() {
  const status = useQuery({ ...statusQuery, refetchInterval: STATUS_POLL_MS, refetchOnWindowFocus: 'always' })
  const { data, isError } = status
  const isThere = data !== undefined && !isError && data.database !== 'offline'
  const epoch = data?.epoch ?? null
  useEffect(() => {
    if (isThere) void serverIsThere(epoch)
  }, [isThere, epoch])
  // Read at every answer, also at one like the last: what waits grows older meanwhile.
  return { ...status, asOf: status.dataUpdatedAt }
}

const databaseText: Record<Status['database'], string> = {
  mysql: 'MySQL: Conectado',
  sqlite: 'SQLite: Conectado',
  offline: 'MySQL: Desconectado',
}

/** What the panel stands on. Normal is quiet; what is down is a red chip with a word. */
export function StatusIcons() {
  const { data, isError, isPending } = useStatus()
  if (isPending) return null
  // No answer means that nothing behind the server is known either.
  const now = isError ? null : data
  const database = now?.database ?? 'offline'
  return (
    <div role="status" aria-label="Situação do sistema" className="flex items-center gap-1 md:gap-2">
      <PendingBadge erp={now} />
      <Indicator
        isOn={now !== null}
        text={now ? 'API: Online' : 'API: Offline'}
        short="API"
        On={Cloud}
        Off={CloudOff}
      />
      <Indicator
        isOn={database !== 'offline'}
        text={databaseText[database]}
        short="Banco"
        On={Database}
        Off={DatabaseZap}
      />
      <Indicator
        isOn={now?.erp === 'online'}
        text={now?.erp === 'online' ? 'ERP: Online' : 'ERP: Offline'}
        short="ERP"
        On={Server}
        Off={ServerOff}
      />
    </div>
  )
}

type IndicatorProps = { isOn: boolean; text: string; short: string; On: LucideIcon; Off: LucideIcon }

function Indicator({ isOn, text, short, On, Off }: IndicatorProps) {
  const Icon = isOn ? On : Off
  return (
    <span
      role="img"
      title={text}
      aria-label={text}
      className={`flex h-8 items-center gap-1.5 rounded-full px-1 md:px-2 ${isOn ? 'text-header-ok' : 'bg-bad-fill text-white'}`}
    >
      <Icon {...icon.md} />
      {!isOn && <span className="hidden text-sm font-semibold lg:inline">{short} fora do ar</span>}
    </span>
  )
}
