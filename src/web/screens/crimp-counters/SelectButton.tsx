import { Circle, CircleDot } from 'lucide-react'
import { icon } from '../../ui/icon-sizes.ts'
import { UnitName } from './UnitName.tsx'

type Props = {
  children: string
  isSelected: boolean
  onSelect: (byKeyboard: boolean) => void
}

/** The name of a row, which selects it. */
export const SelectButton = ({ children, isSelected, onSelect }: Props) => (
  <button
    type="button"
    aria-pressed={isSelected}
    onClick={(event) => {
      // The row hears presses too.
      event.stopPropagation()
      onSelect(event.detail === 0)
    }}
    className="inline-flex min-h-11 items-center gap-2 rounded-md text-left max-md:mr-auto"
  >
    {isSelected ? (
      <CircleDot {...icon.md} className="shrink-0 text-brand-ink" />
    ) : (
      <Circle {...icon.md} className="shrink-0 text-muted" />
    )}
    <UnitName>{children}</UnitName>
  </button>
)
