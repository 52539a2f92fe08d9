import { CircleAlert, Clock, TriangleAlert, UserRoundCog } from 'lucide-react'
import { usedPercent } from '../../../domain/tools/crimp-counters.ts'
import { toolWear } from '../../../domain/tools/equipment.ts'
import { HourBars } from '../../parts/charts/HourBars.tsx'
import { useSettings } from '../../parts/settings.ts'
import { formatAgo, formatCount } from '../../text/format.ts'
import { icon } from '../../ui/icon-sizes.ts'
import type { ShownEquipment } from './equipment.ts'
import { stateLooks } from './facts.tsx'

/** As high as the text beside it. */
export const inText = { ...icon.lg, size: '1.1em', className: 'shrink-0' }

/** Nobody worked with it today, and nobody waits at it. */
export const isIdle = ({ state, call }: ShownEquipment): boolean => state === 'unused' && call?.situacao !== 'aberto'

/** Normal is dull and small: one line for all of them. */
export const IdleLine = ({ machines }: { machines: readonly ShownEquipment[] }) =>
  machines.length > 0 && (
    <section aria-label="Sem uso hoje" className="flex shrink-0 gap-[0.8em] text-muted">
      <h2 className="shrink-0">Sem uso hoje</h2>
      <ul className="flex min-w-0 flex-wrap gap-x-[0.8em] overflow-hidden" style={{ maxHeight: '3em' }}>
        {machines.map(({ id, call }) => (
          <li key={id} className="code flex items-center gap-[0.3em]">
            {id}
            {call && <UserRoundCog {...inText} aria-label={`chamado ${call.numero}: ${call.atendidoPor} atende`} />}
          </li>
        ))}
      </ul>
    </section>
  )

const inks = {
  ok: 'text-ok-ink',
  warn: 'text-warn-ink',
  neutral: 'text-muted',
  bad: 'text-bad-ink',
  hand: 'text-brand-ink',
}
const edges = {
  ok: 'border-l-ok-fill',
  warn: 'border-l-warn-fill',
  neutral: 'border-l-idle-fill',
  bad: 'border-l-bad-fill',
  hand: 'border-l-brand',
}

/** A call before all else; no machine says that it stands, so how long nobody has recorded with it is all that is known. */
function cellState({ state, call, ultimo }: ShownEquipment, nowMs: number) {
  if (call?.situacao === 'aberto') {
    return { tone: 'bad' as const, Icon: CircleAlert, text: `Chamado ${formatAgo(call.abertoEm, nowMs)}` }
  }
  if (call) return { tone: 'hand' as const, Icon: UserRoundCog, text: `${call.atendidoPor.split(' ')[0]} atende` }
  const { tone, Icon, text } = stateLooks[state]
  return { tone, Icon, text: state === 'stopped' && ultimo ? `Sem apont. ${formatAgo(ultimo.quando, nowMs)}` : text }
}

type Props = { of: ShownEquipment; nowMs: number; room: { rowEm: number; emPx: number } }

/** A row so high has a line for its facts; in a lower one they stand beside the bars. */
const FACTS_LINE_EM = 7.5

/** One machine. Words that do not fit are left out at the end: the state and the figure come first. */
export function BoardCell({ of: one, nowMs, room: { rowEm, emPx } }: Props) {
  const { limitWarningPercent } = useSettings()
  const { tone, Icon, text } = cellState(one, nowMs)
  const wear = toolWear(one, limitWarningPercent)
  const hasLine = rowEm >= FACTS_LINE_EM
  const facts = <Facts of={one} wear={wear} />
  const last = one.ultimo && `${one.ultimo.operador}, ${formatAgo(one.ultimo.quando, nowMs)}`
  return (
    <li
      className={`flex flex-col justify-between overflow-hidden rounded-lg border border-l-[0.5em] border-line bg-surface px-[0.6em] py-[0.2em] shadow-card ${edges[wear === 'reached' ? 'bad' : tone]}`}
    >
      <div className="flex items-center justify-between gap-[0.6em]">
        <h2 className="code shrink-0 text-[1.25em]/tight font-semibold" title={one.id}>
          {one.id}
        </h2>
        <p className={`flex min-w-0 items-center gap-[0.3em] font-semibold ${inks[tone]}`} title={text}>
          <Icon {...inText} />
          <span className="truncate">{text}</span>
        </p>
      </div>
      <div className="flex items-end gap-[0.6em]">
        <p>
          <span className="sr-only">Neste turno </span>
          <span className="block font-semibold" style={{ fontSize: `${hasLine ? 3.5 : 2.75}em`, lineHeight: 1 }}>
            {formatCount(one.turno.pecas)}
          </span>
        </p>
        {one.porHora && <HourBars hours={one.porHora} height={emPx * (rowEm - (hasLine ? 4 : 2.4))} />}
        {!hasLine && (
          <div className="flex min-w-0 flex-col whitespace-nowrap" style={{ fontSize: 'max(0.75em, 0.875rem)' }}>
            {facts}
          </div>
        )}
      </div>
      {hasLine && (
        <div className="flex items-center gap-x-[0.8em] whitespace-nowrap text-muted">
          {facts}
          <span className="min-w-0 truncate">{last}</span>
        </div>
      )}
    </li>
  )
}

/** Pieces left of an order that was worked at today, a tool that wears out, and what the ERP has not confirmed. */
function Facts({
  of: { state, ultimo, miniaplicador, aguardandoErp },
  wear,
}: {
  of: ShownEquipment
  wear: ReturnType<typeof toolWear>
}) {
  const left = state === 'unused' ? null : (ultimo?.restam ?? null)
  return (
    <>
      {left !== null && left > 0 && (
        <span>
          resta{left === 1 ? '' : 'm'} {formatCount(left)}
        </span>
      )}
      {miniaplicador && (wear === 'near' || wear === 'reached') && (
        <span className={`flex items-center gap-[0.3em] font-semibold ${wear === 'reached' ? inks.bad : inks.warn}`}>
          <TriangleAlert {...inText} />
          <span className="code truncate" title={miniaplicador.nome}>
            {miniaplicador.nome}
          </span>
          {formatCount(usedPercent({ numberOfCrimps: miniaplicador.crimpagens, limitOfCrimps: miniaplicador.limite }))}%
        </span>
      )}
      {aguardandoErp > 0 && (
        <span className={`flex items-center gap-[0.3em] font-medium ${inks.warn}`}>
          <Clock {...inText} />
          {formatCount(aguardandoErp)} <span className="sr-only">aguardando </span>ERP
        </span>
      )}
    </>
  )
}
