import { useState } from 'react'
import { FIRST_DAY, isWholeDay } from '../../parts/whole-day.ts'
import { TextField } from '../../ui/TextField.tsx'

type DayProps = { label: string; onChange: (day: string) => void }

/** What is half typed stays in the box: only a whole day is asked for, or none. */
export function DayBox({ label, onChange }: DayProps) {
  const [typed, setTyped] = useState('')
  const type = (day: string) => {
    setTyped(day)
    if (day === '' || isWholeDay(day)) onChange(day)
  }
  return <TextField label={label} type="date" min={FIRST_DAY} value={typed} onChange={type} />
}
