import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ChartColumn,
  ChevronRight,
  CircleCheck,
  FileText,
  Gauge,
  type LucideIcon,
  Play,
  Scissors,
  Stamp,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { crimpCounters } from '../../../contract/crimp-counters.ts'
import { type CutItem, type Part, parts } from '../../../contract/items.ts'
import { SPECIFIED_VERSION } from '../../../contract/settings.ts'
import { TRACE_TERM_LENGTH_MAX } from '../../../contract/traces.ts'
import type { Role } from '../../../contract/values.ts'
import { sectionOf } from '../../../domain/acts/recordings.ts'
import { isSectionOpen, itemCompletionPercent, wholePercent } from '../../../domain/forms/recording-form.ts'
import { knownRole } from '../../../domain/people/permissions.ts'
import { connectivityPercent } from '../../../domain/plant/connectivity.ts'
import { readLastItem } from '../../acts/drafts.ts'
import { useItemHere } from '../../acts/queue-db.ts'
import { useUser } from '../../device/credentials.ts'
import { deferred, useDeferred } from '../../device/deferred.ts'
import { writeToTab } from '../../device/store.ts'
import { query } from '../../server/query.ts'
import { statusQuery, useStatusPolls } from '../../server/status.ts'
import { formatCount } from '../../text/format.ts'
import { displayName } from '../../text/labels.ts'
import { EDITING_ITEM_KEY, links } from '../../text/links.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { PageHeading, Section } from '../../ui/Page.tsx'
import { SpinnerMark } from '../../ui/Spinner.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { EmptyOwnFrame } from './OwnFrame.tsx'
import { useDashboardScans } from './scanning.ts'

export function DashboardScreen() {
  const user = useUser()
  return (
    <>
      <PageHeading title="Painel Industrial" subtitle="Central de Produção e Monitoramento" />
      <ScanField />
      <LastItem />
      {user && <RoleView role={knownRole(user.role)} />}
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

const roleView = deferred(async () => (await import('./RoleView.tsx')).RoleView)

/** Its place is kept until it has come: what a finger aims at below must not move. */
function RoleView({ role }: { role: Role }) {
  const { part: View } = useDeferred(roleView)
  if (View) return <View role={role} />
  if (role === 'operador') return <EmptyOwnFrame />
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4">
      {tileHeights[role].map((height, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: empty places have no name
        <div key={at} className={height} />
      ))}
    </div>
  )
}

const tile = 'min-h-36'
const leader = [tile, tile, tile, tile]
const tileHeights: Record<Exclude<Role, 'operador'>, readonly string[]> = {
  lider: leader,
  admin: leader,
  consulta: leader,
  manutencao: ['min-h-80 sm:col-span-2', tile, tile],
  qualidade: ['min-h-80 sm:col-span-2', tile, tile],
}

/** Typed or read, also with the cursor elsewhere: whatever a label names is shown. */
function ScanField() {
  const field = useRef<HTMLFormElement>(null)
  const { text, setText, submit } = useDashboardScans(field)
  return (
    <form
      ref={field}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label="Leia uma etiqueta, um lote ou uma ferramenta"
        value={text}
        onChange={setText}
        maxLength={TRACE_TERM_LENGTH_MAX}
        code
      />
    </form>
  )
}

const Welcome = ({ name }: { name: string }) => (
  <section aria-label="Boas-vindas" className="rounded-lg border border-line bg-surface p-4 shadow-card">
    <h2 className="text-xl font-semibold wrap-anywhere">{`Boas-vindas, ${name}!`}</h2>
    <p className="text-muted">Escolha um módulo para começar.</p>
  </section>
)

/** Back to what was open last on this device, unless all of it is done. */
function LastItem() {
  const [item] = useState(readLastItem)
  return item && <ContinueLink last={item} />
}

function ContinueLink({ last }: { last: CutItem }) {
  const { item } = useItemHere(last)
  const percent = itemCompletionPercent(item)
  if (percent >= 100) return null
  const open = parts.filter((part) => (part === 'cabo' || sectionOf(item, part).terminal) && isSectionOpen(item, part))
  return (
    <Link
      to={links.itemEdit}
      state={{ item: last }}
      onClick={() => writeToTab(EDITING_ITEM_KEY, last)}
      className="flex min-h-16 items-center gap-4 rounded-lg border border-brand bg-brand-soft px-4 py-3 font-semibold text-brand-ink shadow-card hover:bg-hover"
    >
      <Play {...icon.lg} className="shrink-0" />
      <span className="min-w-0 flex-1 text-lg wrap-anywhere">
        Continuar: OP <span className="code">{item.Z1_OP}</span>, item <span className="code">{item.Z1_ITEMEST}</span> (
        {wholePercent(percent)}%)
        <span className="block h-2 overflow-hidden rounded-full bg-track">
          <span className="block h-full rounded-full bg-brand" style={{ width: `${percent}%` }} />
        </span>
        <span className="block text-base font-normal">falta: {open.map((part) => partTexts[part]).join(', ')}</span>
      </span>
      <ChevronRight {...icon.md} className="shrink-0" />
    </Link>
  )
}

const partTexts: Record<Part, string> = { cabo: 'Cabo', l1: 'Lado 1', l2: 'Lado 2' }

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
  // Earlier figures may no longer be true.
  const known = isError ? undefined : data
  const connectivity = connectivityPercent(useStatusPolls(), useIsAllUp())
  return (
    <section aria-label="Indicadores" className="flex flex-col gap-2">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Metric name="Mini aplicadores" to={links.applicators}>
          {isPending ? <Waiting /> : formatCount(known?.totalCount ?? 0)}
        </Metric>
        <Metric name="Manutenções pendentes" to={links.crimpCounters} search={{ aba: 'agendamento' }} hasNote>
          {isPending ? <Waiting /> : <PendingCount count={known?.count ?? null} />}
        </Metric>
        <Metric name="Conectividade" to={links.logs}>
          {connectivity === null ? '-' : `${connectivity}%`}
        </Metric>
        <Metric name="Versão" to={links.settings}>
          {SPECIFIED_VERSION}
        </Metric>
      </dl>
      {isError && (
        // in the gap below: nothing moves when it comes
        <p role="status" style={{ marginBlock: '-0.5rem -1rem', lineHeight: '1rem' }} className="text-sm text-muted">
          Não foi possível atualizar os indicadores.
        </p>
      )}
    </section>
  )
}

/** Nothing in the header is red. */
function useIsAllUp(): boolean {
  const { data, isError } = useQuery(statusQuery)
  const isErpUp = (data?.erp === 'online' && data.erpAccess !== 'refused') || data?.erpConfigured === false
  return !isError && data?.database !== 'offline' && isErpUp
}

type MetricProps = {
  name: string
  /** Where more of it is. */
  to: string
  search?: Record<string, string>
  hasNote?: boolean
  children: ReactNode
}

/** The note's place is kept: on a phone it comes under the number, and what a finger aims at would move away. */
const Metric = ({ name, to, search = {}, hasNote, children }: MetricProps) => (
  <div className="relative flex min-h-28 flex-col gap-1 rounded-lg border border-line bg-surface p-4 shadow-card hover:border-brand hover:bg-hover">
    <dt className="font-medium text-muted">
      {/* the whole tile is the target */}
      <Link to={to} search={search} className="after:absolute after:inset-0 after:rounded-lg">
        {name}
      </Link>
    </dt>
    <dd
      className={`flex flex-wrap content-start items-center gap-x-3 text-3xl font-semibold ${hasNote ? 'min-h-20 sm:min-h-16' : 'min-h-10'}`}
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

/** Waiting for scheduling. What is not known shows as 0, in its colour, but does not say in words that all is well. */
function PendingCount({ count }: { count: number | null }) {
  if (count === null) return <span className="text-ok-ink">0</span>
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
