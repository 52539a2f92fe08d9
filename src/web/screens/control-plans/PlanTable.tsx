import { CircleCheck, CircleStop, Hourglass, Pencil } from 'lucide-react'
import { memo, useMemo } from 'react'
import type { ControlPlan } from '../../../contract/control-plans.ts'
import { dayText, plantDay } from '../../../domain/plant/plant-time.ts'
import { milliText, occasionsText, rangeText, readingsText, unitText } from '../../../domain/quality/control-plans.ts'
import { placeKeyOf } from '../../../domain/quality/plan-versions.ts'
import { serverNow } from '../../device/clock.ts'
import { useSettings } from '../../parts/settings.ts'
import { formatCount } from '../../text/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { People } from './people.tsx'

/** A press on a row of the table. */
export type PlanAct = { act: 'edit' | 'end' | 'approve'; plan: ControlPlan }

type OnAct = ((act: PlanAct) => void) | null
type Props = { plans: readonly ControlPlan[]; total: number; onAct: OnAct }

const wasTakenBack = ({ validoDe, validoAte }: ControlPlan): boolean =>
  validoAte !== null && Date.parse(validoAte) <= Date.parse(validoDe)
const isOver = ({ validoAte }: ControlPlan): boolean => validoAte !== null && Date.parse(validoAte) <= serverNow()

/** Only the last version of a plan is ended; it is followed by another one unless one waits for its approval, which is then. */
function actsOn(plans: readonly ControlPlan[]): Map<number, PlanAct['act'][]> {
  const acts = new Map<number, PlanAct['act'][]>()
  for (const versions of Map.groupBy(plans, placeKeyOf).values()) {
    const waiting = versions.find(({ aguardaAprovacao }) => aguardaAprovacao === true)
    const newest = versions
      .filter((one) => !wasTakenBack(one))
      .reduce<ControlPlan | null>((best, one) => (best && best.version > one.version ? best : one), null)
    if (waiting) acts.set(waiting.id, ['approve', 'edit', 'end'])
    if (newest && !isOver(newest)) acts.set(newest.id, waiting ? ['end'] : ['edit', 'end'])
  }
  return acts
}

const looks = {
  approve: { text: 'Aprovar', tone: 'brand', Icon: CircleCheck },
  edit: { text: 'Editar', tone: 'brand', Icon: Pencil },
  end: { text: 'Encerrar', tone: 'bad', Icon: CircleStop },
} as const

export function PlanTable({ plans, total, onAct }: Props) {
  const acts = useMemo(() => actsOn(plans), [plans])
  const all = `${formatCount(total)} ${total === 1 ? 'registro' : 'registros'}`
  return (
    <div className="flex flex-col gap-2">
      <Table label="Planos de controle" rowCount={plans.length + 1}>
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
        <LongRows items={plans} keyOf={({ id }) => String(id)}>
          {(plan, place) => <PlanRow plan={plan} acts={acts.get(plan.id)} onAct={onAct} place={place} />}
        </LongRows>
      </Table>
      <p role="status" className="text-sm text-muted">
        {plans.length === total ? all : `${formatCount(plans.length)} de ${all}`}
      </p>
    </div>
  )
}

type RowProps = { plan: ControlPlan; acts: readonly PlanAct['act'][] | undefined; onAct: OnAct; place: RowPlace }

function PlainPlanRow({ plan, acts = [], onAct, place }: RowProps) {
  const { plants, forceUnit } = useSettings()
  const { terminal, bitola, miniaplicador, maquina, filial, altura, forcaMin } = plan
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
        <span className="flex flex-col whitespace-nowrap max-md:items-end">
          {altura && <span>{rangeText(altura)} mm</span>}
          {forcaMin !== undefined && <span>mín. {unitText(milliText(forcaMin, 0), forceUnit)}</span>}
        </span>
      </Td>
      <Td label="Amostragem">
        <span className="flex flex-col max-md:items-end">
          {readingsText(plan)}
          <span className="text-sm text-muted empty:hidden">{occasionsText(plan)}</span>
          {plan.digitadoVale === false && <span className="text-sm text-muted">digitado não vale</span>}
        </span>
      </Td>
      <Td label="Vigência">
        <span className="flex min-w-40 flex-col max-md:items-end max-md:text-right">
          <Validity plan={plan} />
          <People plan={plan} />
        </span>
      </Td>
      {onAct && (
        <Td align="right" stickyEnd>
          <span className="inline-flex gap-2">
            {acts.map((act) => {
              const { text, tone, Icon } = looks[act]
              return (
                <IconButton
                  key={act}
                  label={`${text} ${named}`}
                  tone={tone}
                  icon={<Icon {...icon.md} />}
                  onPress={() => onAct({ act, plan })}
                />
              )
            })}
          </span>
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
  const textOfToday = dayText(plantDay(serverNow(), timeZone))
  const isLater = Date.parse(validoDe) > serverNow() && textOf(validoDe) !== textOfToday
  const isNever = wasTakenBack(plan)
  if (plan.aguardaAprovacao)
    return (
      <span className="flex flex-col items-start gap-1 max-md:items-end">
        <span className="font-medium">v{version}</span>
        <Badge tone="warn" icon={<Hourglass {...icon.sm} />}>
          Aguarda aprovação
        </Badge>
        {isLater && <span className="text-sm text-muted">a partir de {textOf(validoDe)}</span>}
      </span>
    )
  const begins = `${isLater ? 'a partir de' : 'desde'} ${textOf(validoDe)}`
  return (
    <span className="flex flex-col whitespace-nowrap max-md:items-end">
      <span className="font-medium">v{version}</span>
      <span className="text-sm text-muted">{isNever ? 'não chegou a valer' : begins}</span>
      {validoAte !== null && !isNever && <span className="text-sm text-muted">até {textOf(validoAte)}</span>}
    </span>
  )
}
