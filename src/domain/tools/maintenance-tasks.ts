import type { CrimpCounter, Forecast } from '../../contract/crimp-counters.ts'
import { UNLIMITED } from '../../contract/crimp-counters.ts'
import type { MaintenanceTask, PlanRow } from '../../contract/maintenance-tasks.ts'
import { compareNames } from '../people/names.ts'
import { addDays, daysBetween } from '../plant/plant-time.ts'
import { countedText, countText } from '../text/numbers.ts'
import { isMaintenanceDue, usedPercent } from './crimp-counters.ts'
import { partName } from './wear-parts.ts'

type Due = Pick<MaintenanceTask, 'everyCrimps' | 'everyDays'>
/** Since when a task counts: when it was done last, or since the unit is there. */
export type Since = { lifetime: number; day: string }

const shareOf = (done: number, every: number | null) => (every === null ? -1 : Math.floor((done * 100) / every))

/** How much of a task's time has gone, by crimps or by days, whichever is more. 100: it is due. */
export function taskUse(
  { everyCrimps, everyDays }: Due,
  { lifetimeCrimps, since, today }: { lifetimeCrimps: number; since: Since; today: string },
) {
  const crimps = Math.max(0, lifetimeCrimps - since.lifetime)
  const days = Math.max(0, daysBetween(since.day, today))
  const [byCrimps, byDays] = [shareOf(crimps, everyCrimps), shareOf(days, everyDays)]
  const used = Math.max(byCrimps, byDays)
  return {
    crimps,
    usedPercent: used,
    by: byDays > byCrimps ? ('dias' as const) : ('crimpagens' as const),
    isDue: used >= 100,
    crimpsLeft: everyCrimps === null ? null : Math.max(0, everyCrimps - crimps),
    daysLeft: everyDays === null ? null : Math.max(0, everyDays - days),
  }
}

type Forecaster = (wear: Pick<CrimpCounter, 'numberOfCrimps' | 'limitOfCrimps'>) => Forecast
type Unit = Pick<CrimpCounter, 'miniaplicator' | 'lifetimeCrimps' | 'pecas'>
/** A task of the unit, with when it was done there last; null: never. */
export type OwnTask = { task: MaintenanceTask; since: Since; doneDay: string | null }

/** Parts and tasks of a unit with when they come due. A part without a limit never does. */
export function planOf(
  unit: Unit,
  tasks: readonly OwnTask[],
  { forecast, today }: { forecast: Forecaster; today: string },
): PlanRow[] {
  const { miniaplicator, lifetimeCrimps, pecas = [] } = unit
  const parts = pecas.flatMap((part): PlanRow[] =>
    part.limitOfCrimps === UNLIMITED
      ? []
      : [
          {
            miniaplicator,
            kind: 'part',
            id: part.id,
            name: partName(part),
            usedPercent: usedPercent(part),
            by: 'crimpagens',
            crimpsLeft: Math.max(0, part.limitOfCrimps - part.numberOfCrimps),
            daysLeft: part.previsao.emDias,
            dueDay: part.previsao.dia,
            isDue: isMaintenanceDue(part),
            doneDay: null,
          },
        ],
  )
  const rows = tasks.map(({ task, since, doneDay }): PlanRow => {
    const { crimps, ...use } = taskUse(task, { lifetimeCrimps, since, today })
    const { everyCrimps, id, name } = task
    const byCount = everyCrimps === null ? null : forecast({ numberOfCrimps: crimps, limitOfCrimps: everyCrimps })
    const byCalendar = use.daysLeft === null ? null : addDays(today, use.daysLeft)
    const dueDay = [byCount?.dia, byCalendar].filter((day) => typeof day === 'string').sort()[0] ?? null
    const daysLeft = use.daysLeft ?? byCount?.emDias ?? null
    return { miniaplicator, kind: 'task', id, name, ...use, daysLeft, dueDay, doneDay }
  })
  return [...parts, ...rows]
}

const LATEST = '9999'

/** Due ones first, the most overdue before; then by day; those without a known day at the end. */
export const soonestFirst = (one: PlanRow, other: PlanRow): number =>
  Number(other.isDue) - Number(one.isDue) ||
  (one.isDue ? 0 : compareTexts(one.dueDay ?? LATEST, other.dueDay ?? LATEST)) ||
  other.usedPercent - one.usedPercent ||
  compareNames(one.miniaplicator, other.miniaplicator)

const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Rows of each tool, in the order in which the tools come due. */
export const byTool = (rows: readonly PlanRow[]): PlanRow[][] => [
  ...Map.groupBy(rows, ({ miniaplicator }) => miniaplicator).values(),
]

/** 'em 2 dias ou 3.100 crimpagens', 'Vencido, 30% além' */
export function dueText({
  isDue,
  crimpsLeft,
  daysLeft,
  usedPercent: used,
}: Pick<PlanRow, 'isDue' | 'crimpsLeft' | 'daysLeft' | 'usedPercent'>): string {
  if (isDue) return used > 100 ? `Vencido, ${countText(used - 100)}% além` : 'Vencido'
  const parts = [
    ...(daysLeft === null ? [] : [countedText(daysLeft, 'dia', 'dias')]),
    ...(crimpsLeft === null ? [] : [countedText(crimpsLeft, 'crimpagem', 'crimpagens')]),
  ]
  return `em ${parts.join(' ou ')}`
}

/** 'a cada 25.000 crimpagens ou 7 dias' */
export function everyText({ everyCrimps, everyDays }: Due): string {
  const parts = [
    ...(everyCrimps === null ? [] : [countedText(everyCrimps, 'crimpagem', 'crimpagens')]),
    ...(everyDays === null ? [] : [countedText(everyDays, 'dia', 'dias')]),
  ]
  return `a cada ${parts.join(' ou ')}`
}
