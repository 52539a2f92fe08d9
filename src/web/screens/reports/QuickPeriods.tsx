import type { Period } from '../../../domain/plant/periods.ts'
import { quickChoices, quickChoiceTexts, quickPeriod } from '../../../domain/reports/production-reports.ts'
import { Chips } from '../../ui/Chips.tsx'

type QuickProps = { period: Period; today: string; onChange: (period: Period) => void }

/** The one that is chosen already looks pressed. */
export const QuickPeriods = ({ period, today, onChange }: QuickProps) => (
  <Chips
    label="Período"
    isLabelHidden
    options={quickChoices.map((value) => ({ value, text: quickChoiceTexts[value] }))}
    isOn={(choice) => {
      const { start, end } = quickPeriod(choice, today)
      return start === period.start && end === period.end
    }}
    onPress={(choice) => onChange(quickPeriod(choice, today))}
  />
)
