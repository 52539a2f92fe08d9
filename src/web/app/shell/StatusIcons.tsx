import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  Cloud,
  CloudOff,
  Database,
  DatabaseZap,
  type LucideIcon,
  Server,
  ServerOff,
  Timer,
  TriangleAlert,
} from 'lucide-react'
import { ERP_ACCESS_REFUSED } from '../../../contract/errors.ts'
import type { Status } from '../../../contract/settings.ts'
import { serverNow } from '../../device/clock.ts'
import { isOverdue, waitingSince } from '../../recording/queue.ts'
import { useWaiting } from '../../recording/queue-db.ts'
import { knownDatabase, statusQuery } from '../../server/status.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { links } from '../links.ts'

/** `erp` is what the server says; null while it does not answer. */
type Props = { erp: Pick<Status, 'pending' | 'needPerson' | 'waitingSince'> | null }

/** What the ERP does not have yet, on this device and in the server, and the way to it. */
export function PendingBadge({ erp }: Props) {
  const waiting = useWaiting() ?? []
  const here = waiting.length
  const atServer = erp?.pending ?? 0
  const forPerson = erp?.needPerson ?? 0
  const forErp = atServer - forPerson
  if (here + atServer === 0) return null
  const isLate = [waitingSince(waiting), erp?.waitingSince ?? null].some((since) => isOverdue(since, serverNow()))
  const words = [
    ...(here > 0 ? [`${here} neste dispositivo`] : []),
    ...(forErp > 0 ? [`${forErp} aguardando o ERP`] : []),
    ...(forPerson > 0 ? [`${forPerson} ${forPerson === 1 ? 'precisa' : 'precisam'} de uma pessoa`] : []),
    // the figure that is seen is part of the name, for who speaks to the tablet (WCAG 2.5.3)
    ...([here, forErp, forPerson].filter((count) => count > 0).length > 1 ? [`${here + atServer} ao todo`] : []),
    ...(isLate ? ['há mais de 15 minutos'] : []),
  ]
  const text = `Pendências: ${words.join(', ')}`
  const Icon = isLate ? TriangleAlert : Timer
  return (
    <Link
      to={links.pending}
      title={text}
      aria-label={text}
      className="flex h-11 items-center focus-visible:outline-header-focus"
    >
      <span
        className={`flex h-8 items-center gap-1 rounded-full px-2 text-sm font-semibold ${isLate ? 'bg-bad-fill text-white' : 'bg-warn-soft text-warn-ink'}`}
      >
        <Icon {...icon.sm} />
        {here + atServer}
      </span>
    </Link>
  )
}

/** Asked for by `useServerStatus`. */
function useStatus() {
  const status = useQuery({ ...statusQuery, staleTime: Number.POSITIVE_INFINITY })
  // Read at every answer, also at one like the last: what waits grows older meanwhile.
  return { ...status, asOf: status.dataUpdatedAt }
}

/** A database that is away does not say what it is: what it was. */
function databaseText(database: Status['database']): string {
  const isOffline = database === 'offline'
  const kind = isOffline ? knownDatabase() : database
  return `${kind === 'sqlite' ? 'SQLite' : 'MySQL'}: ${isOffline ? 'Desconectado' : 'Conectado'}`
}

/** What the panel stands on. Normal is quiet; what is down is a red chip with a word. */
export function StatusIcons() {
  const { data, isError, isPending } = useStatus()
  if (isPending) return null
  // No answer means that nothing behind the server is known either.
  const now = isError ? null : data
  const database = now?.database ?? 'offline'
  const isErpRefusing = now?.erp === 'online' && now.erpAccess === 'refused'
  return (
    <div role="status" aria-label="Situação do sistema" className="relative flex items-center gap-1 md:gap-2">
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
        text={databaseText(database)}
        short="Banco"
        On={Database}
        Off={DatabaseZap}
      />
      <Indicator
        isOn={now?.erp === 'online' && !isErpRefusing}
        text={isErpRefusing ? ERP_ACCESS_REFUSED : now?.erp === 'online' ? 'ERP: Online' : 'ERP: Offline'}
        short="ERP"
        down={isErpRefusing ? ' sem acesso' : ' fora do ar'}
        On={Server}
        Off={ServerOff}
      />
      {now?.erpStandIn && (
        // under the icons where there is no room beside them
        <span
          title="O que é apontado não chega ao ERP da fábrica"
          className="rounded-full bg-warn-soft px-2 font-semibold whitespace-nowrap text-warn-ink max-md:absolute max-md:top-full max-md:right-0 max-md:text-xs md:py-1.5 md:text-sm"
        >
          ERP de ensaio
        </span>
      )}
    </div>
  )
}

type IndicatorProps = {
  isOn: boolean
  text: string
  short: string
  /** After `short` where there is room. */
  down?: string
  On: LucideIcon
  Off: LucideIcon
}

function Indicator({ isOn, text, short, down = ' fora do ar', On, Off }: IndicatorProps) {
  const Icon = isOn ? On : Off
  return (
    <span
      role="img"
      title={text}
      aria-label={text}
      className={`flex h-8 items-center gap-1.5 rounded-full px-1 md:px-2 ${isOn ? 'text-header-ok' : 'bg-bad-fill text-white'}`}
    >
      <Icon {...icon.md} />
      {!isOn && (
        <span className="hidden text-sm font-semibold md:inline">
          {short}
          <span className="max-lg:hidden">{down}</span>
        </span>
      )}
    </span>
  )
}
