import { ScrollText, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { FilterField } from '../../parts/FilterField.tsx'
import { DateField } from '../../parts/fields/DateField.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState } from '../../ui/Page.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { type MinLevel, minLevels, minLevelText } from './entries.ts'

type LevelProps = { value: MinLevel; onChange: (level: MinLevel) => void }

export const LevelField = (props: LevelProps) => (
  <SelectField label="Nível" placeholder="Todos" options={minLevels} textOf={minLevelText} {...props} />
)

type NothingProps = { isFiltered: boolean; filteredText?: string; children: ReactNode }

/** In place of a list: what the filter has left out, or that there is nothing. */
export const Nothing = ({ isFiltered, filteredText = 'Nenhuma entrada com este filtro', children }: NothingProps) =>
  isFiltered ? (
    <EmptyState icon={<SearchX {...icon.xl} />}>{filteredText}</EmptyState>
  ) : (
    <EmptyState icon={<ScrollText {...icon.xl} />}>{children}</EmptyState>
  )

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
