import { type CrimpCounter, SERVICE_ORDER_MAX } from '../../../contract/crimp-counters.ts'
import { refusals } from '../../../contract/errors.ts'
import { readWhole } from '../../../domain/numbers.ts'
import { dayText } from '../../../domain/plant-time.ts'
import { currentUser } from '../../credentials.ts'
import { formatCount } from '../../format.ts'
import { keepInTab, keptInTab } from '../../tab-storage.ts'
import { emptyRecord, type RecordForm, recordProblems } from './maintenance-records.ts'

type Scheduled = { serviceOrder: string; maintenanceDate: string; comments: string }
/** As it is typed. */
export type ScheduleForm = Scheduled & RecordForm

export const emptySchedule: ScheduleForm = { serviceOrder: '', maintenanceDate: '', comments: '', ...emptyRecord }

export const scheduleOf = ({ serviceOrder, maintenanceDate, comments }: CrimpCounter): ScheduleForm => ({
  serviceOrder: serviceOrder === null ? '' : String(serviceOrder),
  maintenanceDate: maintenanceDate ?? '',
  comments: comments ?? '',
  ...emptyRecord,
})

/** A line under some of the boxes. */
export type ScheduleTexts = Partial<Record<keyof ScheduleForm, string>>

/** `today` is the plant's, `YYYY-MM-DD`. */
export function scheduleProblems(form: ScheduleForm, today: string): ScheduleTexts {
  const { serviceOrder, maintenanceDate } = form
  const order = readWhole(serviceOrder)
  return {
    ...(!(order > 0) ? { serviceOrder: 'Informe a ordem de serviço, diferente de zero.' } : {}),
    ...(order > SERVICE_ORDER_MAX ? { serviceOrder: `A ordem vai até ${formatCount(SERVICE_ORDER_MAX)}.` } : {}),
    ...(maintenanceDate === '' ? { maintenanceDate: 'Informe a previsão de manutenção.' } : {}),
    ...(maintenanceDate !== '' && maintenanceDate < today
      ? { maintenanceDate: refusals.maintenance_in_past.message }
      : {}),
    ...recordProblems(form),
  }
}

const weekday = new Intl.DateTimeFormat('pt-BR', { weekday: 'long', timeZone: 'UTC' })

/** 'sexta-feira, 15/01/2027': browsers write a date in their own language, where 03/04 may be the fourth of March. */
export const weekdayText = (day: string): string => `${weekday.format(Date.parse(`${day}T00:00Z`))}, ${dayText(day)}`

const inWords = {
  serviceOrder: (order: string) => order,
  maintenanceDate: weekdayText,
  comments: (comments: string) => comments,
} satisfies Record<keyof Scheduled, (value: string) => string>

/** What is stored where something else was typed: nobody overwrites a colleague's value unseen. */
export function storedTexts(stored: Scheduled, typed: Scheduled): ScheduleTexts {
  const others = (Object.keys(inWords) as (keyof Scheduled)[]).filter(
    (field) => stored[field] !== '' && stored[field] !== typed[field],
  )
  return Object.fromEntries(others.map((field) => [field, `Atual: ${inWords[field](stored[field])}`]))
}

/** What was typed for a unit and is not saved, over the unit as it was when that began. */
export type ScheduleDraft = { fields: Partial<ScheduleForm>; versionSeen: number }
export type ScheduleDrafts = Readonly<Record<string, ScheduleDraft>>

const keyOf = () => `agendamentos:${currentUser()?.username ?? ''}`

export const readDrafts = (): ScheduleDrafts => (keptInTab(keyOf()) as ScheduleDrafts | null) ?? {}

export const keepDrafts = (drafts: ScheduleDrafts): void => keepInTab(keyOf(), drafts)
