import { useState } from 'react'
import type { ContainmentWindow } from '../../../contract/containments.ts'
import { saysSomething } from '../../../contract/values.ts'
import { plantMoment, toInstant, wallMs } from '../../../domain/plant/plant-time.ts'
import { DateField } from '../../parts/fields/DateField.tsx'
import { useSettings } from '../../parts/settings.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { ReasonField } from './ReasonDialog.tsx'

/** Ends of a window that somebody has changed, and why. */
export type ChangedEnds = { inicio?: string; fim?: string; motivo: string }

/** A day and a time of the plant's clock, as they are typed; both empty: no end. */
type Moment = { day: string; time: string }

const momentOf = (instant: string | null, timeZone: string): Moment => {
  if (instant === null) return { day: '', time: '' }
  const { day, time } = plantMoment(Date.parse(instant), timeZone)
  return { day, time: time.slice(0, 5) }
}

/** '6:05', '0605' and '06:05' are one time; null: none. */
function readTime(text: string): string | null {
  const [, hour = '', minute = ''] = /^(\d{1,2}):?(\d{2})$/.exec(text.trim()) ?? []
  const isTime = hour !== '' && Number(hour) < 24 && Number(minute) < 60
  return isTime ? `${hour.padStart(2, '0')}:${minute}` : null
}

type Read = { instant: string | undefined; problem: string | undefined }

/** `isNeeded`: it may not stay empty. */
function readMoment({ day, time }: Moment, timeZone: string, isNeeded: boolean): Read {
  if (day === '' && time === '') return { instant: undefined, problem: isNeeded ? 'Informe dia e hora' : undefined }
  const read = readTime(time)
  if (day === '' || read === null) return { instant: undefined, problem: 'Informe dia e hora' }
  return { instant: toInstant(wallMs(day, read, timeZone)), problem: undefined }
}

type FieldsProps = { name: string; value: Moment; problem: string | undefined; onChange: (value: Moment) => void }

const MomentFields = ({ name, value, problem, onChange }: FieldsProps) => (
  <div className="grid grid-cols-2 items-start gap-4">
    <DateField label={name} value={value.day} onChange={(day) => onChange({ ...value, day })} error={problem} />
    <TextField
      label={`Hora do ${name.toLowerCase()}`}
      placeholder="hh:mm"
      inputMode="numeric"
      maxLength={5}
      value={value.time}
      onChange={(time) => onChange({ ...value, time })}
    />
  </div>
)

type Props = {
  /** Null: nothing is known of it before its ends are. */
  window: Pick<ContainmentWindow, 'inicio' | 'fim'> | null
  needsBoth: boolean
  isBusy?: boolean
  error?: string | undefined
  onSave: (ends: ChangedEnds) => void
  onClose: () => void
}

const isSame = (one: Moment, other: Moment) => one.day === other.day && one.time === other.time

/** Both ends of a window and why they change; an end that is left as it is stays exactly where it is. */
export function WindowDialog({ window, needsBoth, isBusy = false, error, onSave, onClose }: Props) {
  const { timeZone } = useSettings()
  const before = { start: momentOf(window?.inicio ?? null, timeZone), end: momentOf(window?.fim ?? null, timeZone) }
  const [start, setStart] = useState(before.start)
  const [end, setEnd] = useState(before.end)
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  // an end that there was is not taken away: emptied it would silently stay as it was
  const isNeeded = ({ day }: Moment) => needsBoth || day !== ''
  const from = readMoment(start, timeZone, isNeeded(before.start))
  const until = readMoment(end, timeZone, isNeeded(before.end))
  const isReversed = from.instant !== undefined && until.instant !== undefined && until.instant <= from.instant
  const isChanged = !isSame(start, before.start) || !isSame(end, before.end)
  const save = () => {
    setTried(true)
    if (from.problem || until.problem || isReversed) return
    onSave({
      ...(from.instant && !isSame(start, before.start) ? { inicio: from.instant } : {}),
      ...(until.instant && !isSame(end, before.end) ? { fim: until.instant } : {}),
      motivo: reason.trim(),
    })
  }
  const shown = (problem: string | undefined) => (isTried ? problem : undefined)
  return (
    <FormDialog
      title="Ampliar a janela"
      width="md"
      saveText="Ampliar"
      isValid={saysSomething(reason) && isChanged}
      isBusy={isBusy}
      error={error}
      onSave={save}
      onClose={onClose}
    >
      <MomentFields name="Início" value={start} problem={shown(from.problem)} onChange={setStart} />
      <MomentFields
        name="Fim"
        value={end}
        problem={shown(until.problem ?? (isReversed ? 'O fim vem antes do início' : undefined))}
        onChange={setEnd}
      />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  )
}
