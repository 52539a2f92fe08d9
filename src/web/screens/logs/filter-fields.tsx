import { useState } from 'react'
import { FilterField } from '../../parts/FilterField.tsx'
import { FIRST_DAY, isWholeDay } from '../../parts/fields/whole-day.ts'
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

type Props = { placeholder: string; text: string; onChange: (text: string) => void }

/** Asks the server, so not at every letter: on Enter (`submit` of the form it stands in), on leaving, and when emptied. */
export function useTextFilter({ placeholder, text, onChange }: Props) {
  const [typed, setTyped] = useState(text)
  const ask = () => onChange(typed.trim())
  const field = (
    <FilterField
      label="Filtrar por texto"
      placeholder={placeholder}
      value={typed}
      onChange={(next) => {
        setTyped(next)
        if (next === '') onChange('')
      }}
      onBlur={ask}
      maxLength={100}
    />
  )
  return { field, ask }
}
