import type { ControlPlan } from '../../../contract/control-plans.ts'
import { dayText, plantDay } from '../../../domain/plant/plant-time.ts'
import { milliText, occasionsText, rangeText, readingsText, unitText } from '../../../domain/quality/control-plans.ts'
import { PrintSheet, PrintTable } from '../../parts/PrintSheet.tsx'
import { useSettings } from '../../parts/settings.ts'
import { formatCount } from '../../text/format.ts'
import { peopleOf } from './people.tsx'

/** The plans that are on screen, with who made, approved and ended each version. */
export function PrintedPlans({ plans }: { plans: readonly ControlPlan[] }) {
  const { forceUnit, timeZone, plants } = useSettings()
  const dayOf = (instant: string) => dayText(plantDay(Date.parse(instant), timeZone))
  const placeOf = ({ terminal, bitola, miniaplicador, maquina, filial }: ControlPlan) =>
    [
      terminal,
      `${milliText(bitola)} mm²`,
      miniaplicador,
      maquina,
      filial && (plants.find(({ code }) => code === filial)?.label ?? filial),
    ]
      .filter(Boolean)
      .join(' · ')
  const validityOf = ({ validoDe, validoAte, aguardaAprovacao }: ControlPlan) => {
    if (aguardaAprovacao) return 'aguarda aprovação'
    if (validoAte !== null && validoAte <= validoDe) return 'não chegou a valer'
    return validoAte === null ? `desde ${dayOf(validoDe)}` : `${dayOf(validoDe)} a ${dayOf(validoAte)}`
  }
  const all = `${formatCount(plans.length)} ${plans.length === 1 ? 'versão' : 'versões'}`
  return (
    <PrintSheet title="Planos de Controle" facts={[['Listados', all]]}>
      {() => (
        <PrintTable
          columns={['Terminal e bitola', 'Exigido', 'Amostragem', 'Vigência', 'Feito por']}
          rows={plans.map((plan) => [
            `${placeOf(plan)} · v${plan.version}`,
            [
              plan.altura && `${rangeText(plan.altura)} mm`,
              plan.forcaMin !== undefined && `mín. ${unitText(milliText(plan.forcaMin, 0), forceUnit)}`,
            ]
              .filter(Boolean)
              .join(', '),
            [readingsText(plan), occasionsText(plan), plan.digitadoVale === false && 'digitado não vale']
              .filter(Boolean)
              .join(', '),
            validityOf(plan),
            peopleOf(plan, timeZone).join('; '),
          ])}
          totals={[all, '', '', '', '']}
        />
      )}
    </PrintSheet>
  )
}
