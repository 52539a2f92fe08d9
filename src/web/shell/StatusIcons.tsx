import { useQuery } from '@tanstack/react-query'
import { Cloud, CloudOff, Database, DatabaseZap, type LucideIcon, Server, ServerOff, Timer } from 'lucide-react'
import { type Status, status } from '../../contract/settings.ts'
import { call } from '../api.ts'
import { icon } from '../ui/icon-sizes.ts'

const POLL_MS = 10_000
const ANSWER_MS_MAX = 5000

function useStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => call(status.get, {}, { signal, answerMsMax: ANSWER_MS_MAX }),
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: 'always',
  })
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
      {now !== null && now.pending > 0 && <Pending count={now.pending} />}
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

function Pending({ count }: { count: number }) {
  const text = `${count} ${count === 1 ? 'apontamento aguardando' : 'apontamentos aguardando'} o ERP`
  return (
    <span
      role="img"
      title={text}
      aria-label={text}
      className="flex h-8 items-center gap-1 rounded-full bg-warn-soft px-2 text-sm font-semibold text-warn-ink"
    >
      <Timer {...icon.sm} />
      {count}
    </span>
  )
}
