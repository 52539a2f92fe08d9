import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { useSettings } from '../settings.ts'

type Props = {
  value: string
  onChange: (plant: string) => void
  /** An empty value is all of them, and can be chosen. */
  hasAll?: boolean
}

/** The one way to choose a plant: there are few, and all of them are in sight. */
export function PlantChoice({ value, onChange, hasAll = false }: Props) {
  const { plants } = useSettings()
  const own = plants.map(({ code, label }) => ({ value: code, label }))
  const options = hasAll ? [{ value: '', label: 'Todas' }, ...own] : own
  return <RadioChoice label="Filial" {...{ value, onChange, options }} />
}
