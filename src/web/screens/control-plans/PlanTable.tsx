import { CircleStop, Pencil } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import type { ControlPlan } from '../../../contract/control-plans.ts'
import { milliText, occasionsText, rangeText, readingsText, unitText } from '../../../domain/control-plans.ts'
import { placeKeyOf } from '../../../domain/plan-versions.ts'
import { dayText, plantDay } from '../../../domain/plant-time.ts'
import { formatCount } from '../../app/format.ts'
import { serverNow } from '../../device/clock.ts'
import { useSettings } from '../../parts/settings.ts'
import { IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'

/** What a press asks for. */
export type PlanAct = { act: 'edit' | 'end'; plan: ControlPlan }

type OnAct = ((act: PlanAct) => void) | null
type Props = { plans: readonly ControlPlan[]; total: number; onAct: OnAct }

const wasTakenBack = ({ validoDe, validoAte }: ControlPlan): boolean =>
  validoAte !== null && Date.parse(validoAte) <= Date.parse(validoDe)

/** Only the last version of a plan is followed by another one, or ended. */
function newestOf(plans: readonly ControlPlan[]): Set<number> {
  const newest = new Map<string, ControlPlan>()
  for (const plan of plans.filter((one) => !wasTakenBack(one))) {
    const place = placeKeyOf(plan)
    if ((newest.get(place)?.version ?? 0) < plan.version) newest.set(place, plan)
  }
  return new Set([...newest.values()].map(({ id }) => id))
}

export function PlanTable({ plans, total, onAct }: Props) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const newest = useMemo(() => newestOf(plans), [plans])
  const all = `${formatCount(total)} ${total === 1 ? 'registro' : 'registros'}`
  return (
    <div className="flex flex-col gap-2">
      <Table label="Planos de controle" frameRef={setFrame} rowCount={plans.length + 1}>
        <TableHead>
          <Th sticky>Terminal e bitola</Th>
          <Th>Exigido</Th>
          <Th>Amostragem</Th>
          <Th>Vigência</Th>
          {onAct && (
            <Th align="right" stickyEnd>
              Ações
            </Th>
          )}
        </TableHead>
        <LongRows items={plans} keyOf={({ id }) => String(id)} frame={frame}>
          {(plan, place) => <PlanRow plan={plan} isNewest={newest.has(plan.id)} onAct={onAct} place={place} />}
        </LongRows>
      </Table>
      <p role="status" className="text-sm text-muted">
        {plans.length === total ? all : `${formatCount(plans.length)} de ${all}`}
      </p>
    </div>
  )
}

type RowProps = { plan: ControlPlan; isNewest: boolean; onAct: OnAct; place: RowPlace }

function PlainPlanRow({ plan, isNewest, onAct, place }: RowProps) {
  const { plants, forceUnit } = useSettings()
  const { terminal, bitola, miniaplicador, maquina, filial, altura, forcaMin } = plan
  const isOver = plan.validoAte !== null && Date.parse(plan.validoAte) <= serverNow()
  const only = [miniaplicador, maquina].filter(Boolean).join(' · ')
  const named = [terminal, `${milliText(bitola)} mm²`, miniaplicador, maquina].filter(Boolean).join(', ')
  return (
    <Row place={place}>
      <Td label="Terminal e bitola" sticky>
        <span className="flex min-w-0 flex-col max-md:items-end">
          <Code>{terminal}</Code>
          <span>{milliText(bitola)} mm²</span>
          {only && <span className="text-sm text-muted">só {only}</span>}
          {filial && (
            <span className="text-sm text-muted">{plants.find(({ code }) => code === filial)?.label ?? filial}</span>
          )}
        </span>
      </Td>
      <Td label="Exigido">
        <span className="flex flex-col max-md:items-end lg:whitespace-nowrap">
          {altura && <span>{rangeText(altura)} mm</span>}
          {forcaMin !== undefined && <span>mín. {unitText(milliText(forcaMin, 0), forceUnit)}</span>}
        </span>
      </Td>
      <Td label="Amostragem">
        <span className="flex flex-col max-md:items-end">
          {readingsText(plan)}
          <span className="text-sm text-muted empty:hidden">{occasionsText(plan)}</span>
        </span>
      </Td>
      <Td label="Vigência">
        <Validity plan={plan} />
      </Td>
      {onAct && (
        <Td align="right" stickyEnd>
          {isNewest && !isOver && (
            <span className="inline-flex gap-2">
              <IconButton
                label={`Editar ${named}`}
                tone="brand"
                icon={<Pencil {...icon.md} />}
                onPress={() => onAct({ act: 'edit', plan })}
              />
              <IconButton
                label={`Encerrar ${named}`}
                tone="bad"
                icon={<CircleStop {...icon.md} />}
                onPress={() => onAct({ act: 'end', plan })}
              />
            </span>
          )}
        </Td>
      )}
    </Row>
  )
}
const PlanRow = memo(PlainPlanRow)

/** A short code stands in one line. */
const Code = ({ children }: { children: string }) => (
  <span className={`code font-medium ${children.length <= 16 ? 'whitespace-nowrap' : 'wrap-anywhere'}`}>
    {children}
  </span>
)

function Validity({ plan }: { plan: ControlPlan }) {
  const { version, validoDe, validoAte } = plan
  const { timeZone } = useSettings()
  const textOf = (instant: string) => dayText(plantDay(Date.parse(instant), timeZone))
  const begins = `${Date.parse(validoDe) > serverNow() ? 'a partir de' : 'desde'} ${textOf(validoDe)}`
  const isNever = wasTakenBack(plan)
  return (
    <span className="flex flex-col max-md:items-end lg:whitespace-nowrap">
      <span className="font-medium">v{version}</span>
      <span className="text-sm text-muted">{isNever ? 'não chegou a valer' : begins}</span>
      {validoAte !== null && !isNever && <span className="text-sm text-muted">até {textOf(validoAte)}</span>}
    </span>
  )
}
