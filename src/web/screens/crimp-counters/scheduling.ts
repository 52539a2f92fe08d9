import { type ReactNode, useState } from 'react'
import {
  type CrimpCounter,
  crimpCounters,
  type MaintenanceRecord,
  type SafetyCondition,
  SERVICE_ORDER_MAX,
  safetyConditions,
} from '../../../contract/crimp-counters.ts'
import { refusals } from '../../../contract/errors.ts'
import { saysSomething } from '../../../contract/values.ts'
import { dayText, plantDay } from '../../../domain/plant/plant-time.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { serverNow } from '../../device/clock.ts'
import { currentUser } from '../../device/credentials.ts'
import { readFromTab, writeToTab } from '../../device/store.ts'
import { useSettings } from '../../parts/settings.ts'
import { call } from '../../server/api.ts'
import { isChangedMeanwhile, useSave } from '../../server/save.ts'
import { formatCount } from '../../text/format.ts'
import { counterChange, LOAD_FAILED, useReload } from './counters.ts'
import { failureText } from './table-parts.tsx'

export const emptyRecord = { serviceDone: '', parts: '', safetyCondition: '' as SafetyCondition | '', responsible: '' }

/** As it is typed; all of it empty where nobody writes a record here. */
export type RecordForm = typeof emptyRecord

export const recordFields = Object.keys(emptyRecord) as (keyof RecordForm)[]

export type RecordProblems = Partial<Record<keyof RecordForm, string>>

export const isBegun = (form: RecordForm): boolean => recordFields.some((field) => form[field].trim() !== '')

/** A record is optional; one that was begun is finished. */
function recordProblems(form: RecordForm): RecordProblems {
  if (!isBegun(form)) return {}
  return {
    ...(saysSomething(form.serviceDone) ? {} : { serviceDone: 'Informe o serviço realizado.' }),
    ...(form.safetyCondition === '' ? { safetyCondition: 'Informe a condição de segurança.' } : {}),
    ...(saysSomething(form.responsible) ? {} : { responsible: 'Informe o responsável.' }),
  }
}

/** The record to send with a change; nothing where none was written. */
export function recordToSend(form: RecordForm): { maintenanceRecord?: MaintenanceRecord } {
  const safetyCondition = safetyConditions.find((known) => known === form.safetyCondition)
  if (!isBegun(form) || !safetyCondition) return {}
  const { serviceDone, parts, responsible } = form
  return {
    maintenanceRecord: {
      serviceDone: serviceDone.trim(),
      parts: parts.trim(),
      safetyCondition,
      responsible: responsible.trim(),
    },
  }
}

/** A record that stands by itself in a dialog. */
export function useRecordForm() {
  const [form, setForm] = useState(emptyRecord)
  const [problems, setProblems] = useState<RecordProblems>({})
  const onChange = (fields: Partial<RecordForm>) => {
    setForm((before) => ({ ...before, ...fields }))
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in fields))))
  }
  /** Whether it may be sent; what is wrong is then said. */
  const check = (): boolean => {
    const found = recordProblems(form)
    setProblems(found)
    return Object.keys(found).length === 0
  }
  return { form, problems, onChange, check }
}

type Scheduled = { serviceOrder: string; maintenanceDate: string; comments: string }
/** As it is typed. */
export type ScheduleForm = Scheduled & RecordForm

export const scheduleOf = (unit: CrimpCounter | null): ScheduleForm => ({
  serviceOrder: String(unit?.serviceOrder ?? ''),
  maintenanceDate: unit?.maintenanceDate ?? '',
  comments: unit?.comments ?? '',
  ...emptyRecord,
})

/** A line under some of the boxes. */
type ScheduleTexts = Partial<Record<keyof ScheduleForm, string>>

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

/** 'sexta-feira, 15/01/2027' */
export const weekdayText = (day: string): string => `${weekday.format(Date.parse(`${day}T00:00Z`))}, ${dayText(day)}`

const inWords = {
  serviceOrder: (order: string) => order,
  maintenanceDate: weekdayText,
  comments: (comments: string) => comments,
} satisfies Record<keyof Scheduled, (value: string) => string>

/** Stored values where others were typed: nobody overwrites a colleague's value unseen. */
export function storedTexts(stored: Scheduled, typed: Scheduled): ScheduleTexts {
  const others = (Object.keys(inWords) as (keyof Scheduled)[]).filter(
    (field) => stored[field] !== '' && stored[field] !== typed[field],
  )
  return Object.fromEntries(others.map((field) => [field, `Atual: ${inWords[field](stored[field])}`]))
}

/** Typed fields of a unit that are not saved, over the unit as it was when that began. */
type ScheduleDraft = { fields: Partial<ScheduleForm>; versionSeen: number }
type ScheduleDrafts = Readonly<Record<string, ScheduleDraft>>

const keyOf = () => `agendamentos:${currentUser()?.username ?? ''}`

const readDrafts = () => (readFromTab(keyOf()) as ScheduleDrafts | null) ?? {}

type Waiting = {
  /** The form is on screen. */
  isShown: boolean
  units: readonly CrimpCounter[]
  /** The server has just said so. */
  isRead: boolean
  /** And no filter hides one: who is not among them waits no longer. */
  isWhole: boolean
}

/** Which unit the form is about. Nobody's choice is changed while the unit is only out of sight. */
function useSelection({ isShown, units, isRead, isWhole }: Waiting, drafts: ScheduleDrafts) {
  const [selected, select] = useState<CrimpCounter | null>(null)
  const [firstName, setFirstName] = useState<string | null>(null)
  const found = units.find(({ miniaplicator }) => miniaplicator === selected?.miniaplicator)
  const isGone = selected !== null && !found && isWhole
  const isPaused = selected !== null && (isGone || !isRead || drafts[selected.miniaplicator] !== undefined)
  const first = units.find(({ miniaplicator }) => miniaplicator === firstName) ?? units[0]
  const unit = found ?? (isPaused ? selected : first) ?? null
  // Once it was seen another that comes before it must not take its place under the hand.
  const seenName = isShown && unit === first ? unit?.miniaplicator : undefined
  if (seenName !== undefined && seenName !== firstName) setFirstName(seenName)
  const isChosen = selected !== null
  /** Of one alone: another may have been chosen while its change was under way. */
  const leave = (name: string) => {
    select((now) => (now?.miniaplicator === name ? null : now))
    setFirstName(null)
  }
  return { unit, isGone, isChosen, select, leave }
}

function useDrafts() {
  const [drafts, setDrafts] = useState(readDrafts)
  const change = (next: (before: ScheduleDrafts) => ScheduleDrafts) =>
    setDrafts((before) => {
      const after = next(before)
      writeToTab(keyOf(), after)
      return after
    })
  const put = (name: string, draft: ScheduleDraft) => change((before) => ({ ...before, [name]: draft }))
  const drop = (name: string) => change(({ [name]: _dropped, ...rest }) => rest)
  return { drafts, change, put, drop }
}

type Send = { unit: CrimpCounter; form: ScheduleForm; versionSeen: number }

const schedule = ({ unit: { miniaplicator }, form, versionSeen }: Send) => {
  const { maintenanceDate, comments } = form
  const scheduled = { serviceOrder: readWhole(form.serviceOrder), maintenanceDate, comments: comments.trim() }
  const body = { miniaplicator, ...scheduled, ...recordToSend(form) }
  return call(crimpCounters.schedule, { params: { miniaplicator }, body }, { versionSeen })
}

type Notice = { kind: 'success' | 'error'; text: ReactNode }

/** The form over the unit that it is about. What is typed outlives a refresh, a change of tab and a reload of the page. */
function useScheduleForm(waiting: Waiting) {
  const { drafts, change, put, drop } = useDrafts()
  const { unit, isGone, isChosen, select, leave } = useSelection(waiting, drafts)
  const [problems, setProblems] = useState<ScheduleTexts>({})
  const name = unit?.miniaplicator ?? ''
  const draft = drafts[name]
  const stored = scheduleOf(unit)
  const form = { ...stored, ...draft?.fields }
  const versionSeen = draft?.versionSeen ?? unit?.version ?? 0

  const choose = (chosen: CrimpCounter) => {
    if (chosen.miniaplicator !== name) setProblems({})
    select(chosen)
  }
  const type = (fields: Partial<ScheduleForm>) => {
    if (!unit) return
    select(unit)
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in fields))))
    put(name, { fields: { ...draft?.fields, ...fields }, versionSeen })
  }
  const discard = () => {
    drop(name)
    setProblems({})
    leave(name)
  }
  /** Keeps the draft, now meant for this version. */
  const adopt = (version: number) => draft && put(name, { ...draft, versionSeen: version })
  /** A change of this very person is no surprise to what they are typing. */
  const follow = ({ miniaplicator, version }: CrimpCounter, versionBefore: number) =>
    change((before) => {
      const own = before[miniaplicator]
      return own?.versionSeen === versionBefore
        ? { ...before, [miniaplicator]: { ...own, versionSeen: version } }
        : before
    })
  const texts = storedTexts(stored, form)
  const shown = { unit, isGone, isChosen, isTyped: draft !== undefined, form, stored: texts, problems, versionSeen }
  return { ...shown, choose, type, discard, adopt, follow, setProblems }
}

/** The form beside the waiting list, and what saving it answered. */
export function useScheduling(waiting: Waiting) {
  const { timeZone } = useSettings()
  const { versionSeen, setProblems, adopt, ...typing } = useScheduleForm(waiting)
  const { unit, isGone, form, choose, discard } = typing
  const [notice, setNotice] = useState<Notice | null>(null)
  /** The unit whose last change was refused as another had come first. */
  const [refused, setRefused] = useState<string | null>(null)
  const reload = useReload()
  const today = plantDay(serverNow(), timeZone)
  const isOvertaken = unit !== null && (refused === unit.miniaplicator || versionSeen !== unit.version)

  /** Done with this unit. */
  const finish = (text: string) => {
    discard()
    setRefused(null)
    setNotice({ kind: 'success', text })
  }
  const { save: send, isBusy } = useSave({
    ...counterChange,
    send: schedule,
    onSaved: () => finish('Agendamento de manutenção realizado com sucesso.'),
    onFailed: (error, { unit: { miniaplicator } }) => {
      if (isChangedMeanwhile(error)) setRefused(miniaplicator)
      else setNotice({ kind: 'error', text: failureText('Erro ao agendar manutenção', error) })
    },
  })
  /** Answers what keeps the form from being sent. */
  const save = (): ScheduleTexts => {
    if (!unit || isBusy) return {}
    const found = scheduleProblems(form, today)
    setProblems(found)
    if (Object.keys(found).length > 0) return found
    setNotice(null)
    choose(unit)
    send({ unit, form, versionSeen })
    return {}
  }
  const takeCurrent = async () => {
    if (!unit) return
    try {
      const { version } = await reload(unit.miniaplicator)
      setRefused(null)
      adopt(version)
    } catch (error) {
      setNotice({ kind: 'error', text: failureText(LOAD_FAILED, error) })
    }
  }
  const isChanged = isOvertaken && !isGone && !isBusy
  return { ...typing, isChanged, isBusy, today, notice, setNotice, save, takeCurrent, finish }
}

export type Scheduling = ReturnType<typeof useScheduling>
