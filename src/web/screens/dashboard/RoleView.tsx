import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { crimpCounters } from '../../../contract/crimp-counters.ts'
import { equipment } from '../../../contract/equipment.ts'
import { type CutItem, items } from '../../../contract/items.ts'
import { outsideActs } from '../../../contract/outside-acts.ts'
import { productionReports } from '../../../contract/production-reports.ts'
import { spc } from '../../../contract/spc.ts'
import type { Role } from '../../../contract/values.ts'
import { itemCompletionPercent } from '../../../domain/forms/recording-form.ts'
import { plantDay } from '../../../domain/plant/plant-time.ts'
import { seriesText } from '../../../domain/reports/spc-names.ts'
import { usedPercent } from '../../../domain/tools/crimp-counters.ts'
import { isOpenCall, isOverdue } from '../../../domain/tools/maintenance-calls.ts'
import { forecastText } from '../../../domain/tools/tool-life.ts'
import { readLastItem } from '../../acts/drafts.ts'
import { useCalls } from '../../parts/calls/calls.ts'
import { HourBars } from '../../parts/charts/HourBars.tsx'
import { sumHours } from '../../parts/charts/hour-bars.ts'
import { LimitBar } from '../../parts/LimitBar.tsx'
import { useSettings } from '../../parts/settings.ts'
import { useNow } from '../../parts/useNow.ts'
import { usePlant } from '../../parts/usePlant.ts'
import { query } from '../../server/query.ts'
import { statusQuery } from '../../server/status.ts'
import { formatAgo, formatCount } from '../../text/format.ts'
import { links } from '../../text/links.ts'
import { OwnFrame, shiftRoom } from './OwnFrame.tsx'

/** What whoever logs in wants to know first, by what they do at the plant. */
export function RoleView({ role }: { role: Role }) {
  if (role === 'operador') return <OwnWork />
  return (
    <ul aria-label="Agora" className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4">
      {tilesOf[role].map((Tile) => (
        <Tile key={Tile.name} />
      ))}
    </ul>
  )
}

type TileProps = {
  name: string
  to: string
  search?: Record<string, string>
  tone?: 'bad' | undefined
  children: ReactNode
}

/** The whole tile is the target. */
const Tile = ({ name, to, search = {}, tone, children }: TileProps) => (
  <li className="relative flex min-h-36 flex-col gap-1 rounded-lg border border-line bg-surface p-4 shadow-card hover:border-brand hover:bg-hover">
    <Link to={to} search={search} className="font-medium text-muted after:absolute after:inset-0 after:rounded-lg">
      {name}
    </Link>
    <div className={tone === 'bad' ? 'text-bad-ink' : ''}>{children}</div>
  </li>
)

const Big = ({ children }: { children: ReactNode }) => <p className="text-3xl font-semibold">{children}</p>

function ActionTile() {
  const { data } = useQuery(statusQuery)
  const count = data?.needPerson ?? 0
  return (
    <Tile name="Exigem ação" to={links.pending} tone={count > 0 ? 'bad' : undefined}>
      <Big>{data ? formatCount(count) : '–'}</Big>
    </Tile>
  )
}

function CallsTile() {
  const nowMs = useNow()
  const { data } = useCalls(usePlant().plant)
  const open = (data?.chamados ?? []).filter(isOpenCall)
  const waiting = open.filter(({ situacao }) => situacao === 'aberto')
  const [first] = waiting
  return (
    <Tile
      name="Chamados abertos"
      to={links.crimpCounters}
      search={{ aba: 'chamados' }}
      tone={waiting.some((one) => isOverdue(one, nowMs)) ? 'bad' : undefined}
    >
      <Big>{data ? formatCount(open.length) : '–'}</Big>
      {first && <p className="text-sm">o mais antigo {formatAgo(first.abertoEm, nowMs)}, ninguém atende</p>}
    </Tile>
  )
}

function PiecesTile() {
  const { data } = useQuery(query(equipment.list, { query: { filial: usePlant().plant } }))
  const machines = data?.equipamentos ?? []
  return (
    <Tile name="Peças neste turno" to={links.equipment}>
      <Big>{data ? formatCount(machines.reduce((sum, { turno }) => sum + turno.pecas, 0)) : '–'}</Big>
      <div className="flex">
        <HourBars hours={sumHours(machines.map(({ porHora }) => porHora))} height={28} />
      </div>
    </Tile>
  )
}

function OutsideTile() {
  const { timeZone } = useSettings()
  const today = plantDay(useNow(), timeZone)
  const { plant } = usePlant()
  const { data } = useQuery(query(outsideActs.list, { query: { filial: plant, inicio: today, fim: today } }))
  return (
    <Tile
      name="Medições fora hoje"
      to={links.controlPlans}
      search={{ aba: 'ocorrencias' }}
      tone={data && data.semResposta > 0 ? 'bad' : undefined}
    >
      <Big>{data ? formatCount(data.total) : '–'}</Big>
      {data && data.semResposta > 0 && <p className="text-sm">{formatCount(data.semResposta)} sem resposta</p>}
    </Tile>
  )
}

const SHOWN_MAX = 5

/** Tools nearest to their limit, and when they will have reached it. */
function ToolsTile() {
  const { limitWarningPercent } = useSettings()
  const { data } = useQuery(query(crimpCounters.list, { query: {} }))
  const worst = (data?.controlTable ?? [])
    .toSorted((one, other) => usedPercent(other) - usedPercent(one))
    .slice(0, SHOWN_MAX)
  return (
    <li className="min-h-80 rounded-lg border border-line bg-surface p-4 shadow-card sm:col-span-2">
      <h2 className="font-medium text-muted">Próximas ferramentas</h2>
      <ul className="flex flex-col gap-2">
        {worst.map((unit) => (
          <li key={unit.miniaplicator} className="grid grid-cols-2 items-center gap-x-4">
            <Link
              to={links.crimpCounters}
              search={{ aba: 'plano', mini: unit.miniaplicator }}
              className="min-h-11 content-center"
            >
              <span className="code font-semibold">{unit.miniaplicator}</span>
              {unit.previsao && <span className="block text-sm text-muted">{forecastText(unit.previsao)}</span>}
            </Link>
            <LimitBar unit={unit} warningPercent={limitWarningPercent} />
          </li>
        ))}
      </ul>
    </li>
  )
}

/** Series in which the last week had a signal, the most of them first. */
function SignalsTile() {
  const { data } = useQuery(query(spc.list, { query: { filial: usePlant().plant } }))
  const signalled = (data?.series ?? [])
    .filter(({ sinais7Dias }) => sinais7Dias > 0)
    .toSorted((one, other) => other.sinais7Dias - one.sinais7Dias)
  const most = signalled[0]?.sinais7Dias ?? 1
  return (
    <li className="min-h-80 rounded-lg border border-line bg-surface p-4 shadow-card sm:col-span-2">
      <Link to={links.charts} search={{ aba: 'cep' }} className="font-medium text-muted">
        Séries com sinal em 7 dias: {data ? formatCount(signalled.length) : '–'}
      </Link>
      {/* a name of two lines is as high as its row: five of them fit into the tile */}
      <ul className="flex flex-col">
        {signalled.slice(0, SHOWN_MAX).map(({ serie, sinais7Dias }) => (
          <li
            key={JSON.stringify(serie)}
            className="grid items-center gap-x-4"
            style={{ gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1fr)' }}
          >
            <Link
              to={links.charts}
              search={{ aba: 'cep', ...serie, bitola: String(serie.bitola) }}
              className="min-h-11 min-w-0 content-center wrap-anywhere"
            >
              {seriesText(serie)}
            </Link>
            <span className="flex items-center gap-2">
              <span className="h-2 rounded-full bg-bad-fill" style={{ width: `${(70 * sinais7Dias) / most}%` }} />
              {formatCount(sinais7Dias)}
            </span>
          </li>
        ))}
      </ul>
    </li>
  )
}

const leaderTiles = [ActionTile, CallsTile, PiecesTile, OutsideTile]
const tilesOf: Record<Exclude<Role, 'operador'>, readonly (() => ReactNode)[]> = {
  lider: leaderTiles,
  admin: leaderTiles,
  consulta: leaderTiles,
  manutencao: [ToolsTile, CallsTile, PiecesTile],
  qualidade: [SignalsTile, OutsideTile, CallsTile],
}

function OwnWork() {
  const last = readLastItem()
  return (
    <OwnFrame>
      {last && <OwnOrder last={last} />}
      <OwnShift />
    </OwnFrame>
  )
}

/** Each item of the order as a piece of wire: filled once all of it is done. */
function OwnOrder({ last: { Z1_FILIAL: filial, Z1_OP: termo } }: { last: CutItem }) {
  const { data } = useQuery(query(items.copies, { query: { filial, termo } }))
  const all = data?.items ?? []
  const isDone = (item: CutItem) => itemCompletionPercent(item) >= 100
  const done = all.filter(isDone).length
  return (
    <div className="min-h-24">
      <p className="font-medium text-muted">
        Minha ordem <span className="code">{termo}</span>
      </p>
      {/* one text: the second figure would move when the first one comes */}
      <p className="text-2xl font-semibold">{data ? `${formatCount(done)} de ${formatCount(all.length)}` : '–'}</p>
      <div aria-hidden className="flex gap-1">
        {all.map((item) => (
          <span
            key={item.Z1_CODBAR}
            className={`h-2 flex-1 rounded-full ${isDone(item) ? 'bg-full-fill' : 'bg-track'}`}
          />
        ))}
      </div>
    </div>
  )
}

function OwnShift() {
  const { data } = useQuery(query(productionReports.ownShift, {}))
  if (!data) return <div style={shiftRoom} />
  const { totais, naoMedidos, porHora } = data
  const amounts = [
    [totais.cortes, 'cortes'],
    [totais.crimpagens, 'crimpagens'],
    [totais.juncoes, 'junções'],
  ] as const
  const made = amounts.filter(([count]) => count > 0).map(([count, name]) => `${formatCount(count)} ${name}`)
  return (
    <div style={shiftRoom}>
      <p className="font-medium text-muted">Meu turno</p>
      <p className="text-xl font-semibold">{made.join(', ') || 'Nada apontado ainda'}</p>
      <div className="flex">
        <HourBars hours={{ turno: porHora, ontem: [] }} height={28} />
      </div>
      {naoMedidos > 0 && (
        <p className="text-sm text-muted">
          {naoMedidos === 1 ? '1 apontamento não medido' : `${formatCount(naoMedidos)} apontamentos não medidos`}
        </p>
      )}
    </div>
  )
}
