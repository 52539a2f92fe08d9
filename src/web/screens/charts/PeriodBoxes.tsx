import type { ComponentProps } from 'react'
import { isReversed, type Period } from '../../../domain/plant/periods.ts'
import { DateField } from '../../parts/fields/DateField.tsx'

/** An end that is not given is open. */
export const periodQuery = ({ start, end }: Period): { inicio?: string; fim?: string } => ({
  ...(start === '' ? {} : { inicio: start }),
  ...(end === '' ? {} : { fim: end }),
})

/** `inputRef`: box of the last day. */
type Props = Pick<ComponentProps<typeof DateField>, 'isRequired' | 'inputRef'> & {
  period: Period
  onChange: (period: Period) => void
}

export const PeriodBoxes = ({ period: { start, end }, onChange, ...last }: Props) => (
  <>
    <DateField
      label="Data inicial"
      value={start}
      onChange={(day) => onChange({ start: day, end })}
      isRequired={last.isRequired}
    />
    <DateField
      {...last}
      label="Data final"
      value={end}
      onChange={(day) => onChange({ start, end: day })}
      error={isReversed({ start, end }) ? 'A data final vem antes da data inicial.' : undefined}
    />
  </>
)
