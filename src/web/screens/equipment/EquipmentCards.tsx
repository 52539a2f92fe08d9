import type { ProducedPieces } from '../../../contract/equipment.ts'
import { formatCount } from '../../app/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import type { ShownEquipment } from './equipment.ts'
import { LastWork, meanText, Tool, WaitingBadge } from './facts.tsx'
import { StateBadge } from './StateBadge.tsx'

type Props = { shown: readonly ShownEquipment[]; nowMs: number }

export const EquipmentCards = ({ shown, nowMs }: Props) => (
  <ul
    aria-label="Máquinas"
    className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] items-stretch gap-4"
  >
    {shown.map((one) => (
      <EquipmentCard key={one.id} of={one} nowMs={nowMs} />
    ))}
  </ul>
)

const EquipmentCard = ({ of: one, nowMs }: { of: ShownEquipment; nowMs: number }) => (
  <li className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card">
    <div className="flex flex-wrap items-start justify-between gap-2">
      <h2 className="code text-xl font-semibold wrap-anywhere">{one.id}</h2>
      <StateBadge state={one.state} />
      <p className="w-full text-sm wrap-anywhere text-muted">
        {[one.fabricante, one.descricao].filter(Boolean).join(' · ') || 'Sem descrição'}
      </p>
    </div>
    <dl className="grid grid-cols-2 gap-3 rounded-md bg-sunken px-3 py-2">
      <Figure name="Hoje" of={one.hoje} />
      <Figure name="Neste turno" of={one.turno} />
    </dl>
    <LastWork of={one} nowMs={nowMs} />
    {(one.miniaplicador || one.aguardandoErp > 0 || !one.cadastrada) && (
      <div className="mt-auto flex flex-col items-start gap-3">
        {one.miniaplicador && <Tool of={one} />}
        <WaitingBadge of={one} />
        {!one.cadastrada && <Badge>Fora do cadastro do ERP</Badge>}
      </div>
    )}
  </li>
)

const Figure = ({ name, of: produced }: { name: string; of: ProducedPieces }) => (
  <div className="min-w-0">
    <dt className="text-sm font-medium text-muted">{name}</dt>
    <dd>
      <span className="block text-2xl font-semibold">
        {formatCount(produced.pecas)} <span className="text-sm font-normal text-muted">peças</span>
      </span>
      <span className="block text-sm text-muted">{meanText(produced)}</span>
    </dd>
  </div>
)
