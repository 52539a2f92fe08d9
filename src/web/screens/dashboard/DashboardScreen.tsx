import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ChartColumn,
  ChevronRight,
  CircleCheck,
  FileText,
  Gauge,
  type LucideIcon,
  Scissors,
  Stamp,
  TriangleAlert,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { crimpCounters } from '../../../contract/crimp-counters.ts'
import { VERSION } from '../../../contract/settings.ts'
import { formatCount } from '../../app/format.ts'
import { displayName } from '../../app/labels.ts'
import { links } from '../../app/links.ts'
import { useUser } from '../../device/credentials.ts'
import { query } from '../../server/query.ts'
import { useStatusPolls } from '../../server/status.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { PageHeading, Section } from '../../ui/Page.tsx'
import { SpinnerMark } from '../../ui/Spinner.tsx'

export function DashboardScreen() {
  const user = useUser()
  return (
    <>
      <PageHeading title="Painel Industrial" subtitle="Central de Produção e Monitoramento" />
      {user && <Welcome name={displayName(user)} />}
      <Metrics />
      <Section title="Módulos">
        <ul aria-label="Módulos" className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {modules.map((module) => (
            <ModuleLink key={module.to} {...module} />
          ))}
        </ul>
      </Section>
    </>
  )
}

const Welcome = ({ name }: { name: string }) => (
  <section aria-label="Boas-vindas" className="rounded-lg border border-line bg-surface p-4 shadow-card">
    <h2 className="text-xl font-semibold wrap-anywhere">Boas-vindas, {name}!</h2>
    <p className="text-muted">Escolha um módulo para começar.</p>
  </section>
)

const modules: readonly { to: string; text: string; purpose: string; Icon: LucideIcon }[] = [
  {
    to: links.cutCrimp,
    text: 'Apontamentos de corte e crimpagem',
    purpose: 'Pesquise uma ordem ou um código de barras e registre o trabalho',
    Icon: Scissors,
  },
  {
    to: links.applicators,
    text: 'Gestão de mini aplicadores',
    purpose: 'Os mini aplicadores de cada terminal',
    Icon: Stamp,
  },
  {
    to: links.equipment,
    text: 'Monitoramento de equipamentos',
    purpose: 'O que cada máquina faz agora, hoje e neste turno',
    Icon: Gauge,
  },
  {
    to: links.documents,
    text: 'Visualizador de documentos',
    purpose: 'Desenhos e instruções de trabalho',
    Icon: FileText,
  },
  {
    to: links.charts,
    text: 'Análises e relatórios',
    purpose: 'Gráficos das crimpagens por mês, mini aplicador e terminal',
    Icon: ChartColumn,
  },
]

const ModuleLink = ({ to, text, purpose, Icon }: (typeof modules)[number]) => (
  <li className="flex">
    <Link
      to={to}
      className="flex min-h-20 w-full items-center gap-4 rounded-lg border border-line bg-surface p-4 hover:border-brand hover:bg-hover"
    >
      <span className="flex size-11 shrink-0 items-center justify-center rounded-md bg-brand-soft text-brand-ink">
        <Icon {...icon.lg} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">{text}</span>
        <span className="block text-sm text-muted">{purpose}</span>
      </span>
      <ChevronRight {...icon.md} className="shrink-0 text-muted" />
    </Link>
  </li>
)

function Metrics() {
  const { data, isPending, isError } = useQuery(query(crimpCounters.maintenancePendingCount, {}))
  // What was read before may no longer be true.
  const known = isError ? undefined : data
  const { sent, answered } = useStatusPolls()
  return (
    <section aria-label="Indicadores" className="flex flex-col gap-2">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Metric name="Mini aplicadores">{isPending ? <Waiting /> : formatCount(known?.totalCount ?? 0)}</Metric>
        <Metric name="Manutenções pendentes" hasNote>
          {isPending ? <Waiting /> : <PendingCount count={known?.count ?? null} />}
        </Metric>
        <Metric name="Conectividade">{sent === 0 ? '-' : `${Math.floor((100 * answered) / sent)}%`}</Metric>
        <Metric name="Versão">{VERSION}</Metric>
      </dl>
      {isError && (
        <p role="status" className="text-sm text-muted">
          Não foi possível atualizar os indicadores.
        </p>
      )}
    </section>
  )
}

/** The note's place is kept: on a phone it comes under the number, and what a finger aims at would move away. */
const Metric = ({ name, hasNote, children }: { name: string; hasNote?: boolean; children: ReactNode }) => (
  <div className="flex min-h-28 flex-col gap-1 rounded-lg border border-line bg-surface p-4 shadow-card">
    <dt className="font-medium text-muted">{name}</dt>
    <dd
      className={`flex flex-wrap content-start items-center gap-x-3 text-3xl font-semibold ${hasNote ? 'min-h-20 sm:min-h-10' : 'min-h-10'}`}
    >
      {children}
    </dd>
  </div>
)

const Waiting = () => (
  <span role="status" className="animate-late flex items-center gap-2 text-base font-normal text-muted">
    <SpinnerMark />
    Carregando...
  </span>
)

/** Waiting for scheduling. What is not known shows as 0, but does not say that all is well. */
function PendingCount({ count }: { count: number | null }) {
  if (count === null) return 0
  const isClear = count === 0
  const Icon = isClear ? CircleCheck : TriangleAlert
  return (
    <>
      <span className={isClear ? 'text-ok-ink' : 'text-bad-ink'}>{formatCount(count)}</span>
      <span
        className={`inline-flex items-center gap-1 text-sm font-medium ${isClear ? 'text-ok-ink' : 'text-bad-ink'}`}
      >
        <Icon {...icon.sm} className="shrink-0" />
        {isClear ? 'Tudo em dia' : 'Aguardando agendamento'}
      </span>
    </>
  )
}
