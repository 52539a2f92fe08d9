import { useState } from 'react'
import { FilterField } from '../../parts/FilterField.tsx'
import { DateField } from '../../parts/fields/DateField.tsx'

type DayProps = { label: string; onChange: (day: string) => void }

export function DayBox({ label, onChange }: DayProps) {
  const [day, setDay] = useState('')
  const choose = (next: string) => {
    setDay(next)
    onChange(next)
  }
  return <DateField label={label} value={day} onChange={choose} />
}

type Props = { placeholder: string; text: string; onChange: (text: string) => void }

/** Asks the server, so not at every letter: on Enter, on leaving, and when emptied. */
export function TextFilter({ placeholder, text, onChange }: Props) {
  const [typed, setTyped] = useState(text)
  const ask = () => onChange(typed.trim())
  return (
    <FilterField
      label="Filtrar por texto"
      placeholder={placeholder}
      value={typed}
      onChange={(next) => {
        setTyped(next)
        if (next === '') onChange('')
      }}
      onKeyDown={({ key }) => key === 'Enter' && ask()}
      onBlur={ask}
      maxLength={100}
    />
  )
}
