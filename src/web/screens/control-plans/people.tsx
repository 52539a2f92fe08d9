import type { ControlPlan } from '../../../contract/control-plans.ts'
import { dayText, plantDay } from '../../../domain/plant/plant-time.ts'
import { useSettings } from '../../parts/settings.ts'

/** 'criado por Rita Melo em 12/10/2026'; a server of the version before says nothing of it. */
export function peopleOf(plan: ControlPlan, timeZone: string): string[] {
  const acts = [
    ['criado', plan.criadoPor, plan.criadoEm],
    ['aprovado', plan.aprovadoPor, plan.aprovadoEm],
    ['encerrado', plan.encerradoPor, plan.encerradoEm],
  ] as const
  return acts.flatMap(([act, by, at]) =>
    by && at ? [`${act} por ${by} em ${dayText(plantDay(Date.parse(at), timeZone))}`] : [],
  )
}

/** A line an act. */
export function People({ plan }: { plan: ControlPlan }) {
  const { timeZone } = useSettings()
  return peopleOf(plan, timeZone).map((line) => (
    <span key={line} className="text-sm text-muted wrap-anywhere">
      {line}
    </span>
  ))
}
