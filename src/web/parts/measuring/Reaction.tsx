import { OctagonAlert } from 'lucide-react'
import { type MeasurementAction, measurementActions } from '../../../contract/measurements.ts'
import { actionTexts, REACTION, TOLD_QUALITY } from '../../../domain/quality/measuring.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { useCallTeams } from '../calls/teams.ts'

type Props = {
  /** 'Fora do plano: 1,170 mm, máximo 1,150', of each characteristic that is. */
  outside: readonly string[]
  /** As the plan says it. */
  reaction: string | undefined
  action: MeasurementAction | ''
  onAction: (action: MeasurementAction) => void
}

/**
 * Asks for the action after readings outside. It stands beside them from the start, so that nothing moves when it is
 * needed.
 */
export function Reaction({ outside, reaction = REACTION, action, onAction }: Props) {
  const isCalled = useCallTeams().includes('qualidade')
  const options = measurementActions.map((value) => ({
    value,
    label: value === 'qualidade' && !isCalled ? TOLD_QUALITY : actionTexts[value],
  }))
  if (outside.length === 0) return <p className="text-sm text-muted">Se uma leitura sair do limite: {reaction}</p>
  return (
    <>
      <div role="alert" className="flex gap-3 rounded-lg border border-bad-line bg-bad-soft p-4 text-bad-ink">
        <OctagonAlert {...icon.lg} className="shrink-0" />
        <div className="flex min-w-0 flex-col gap-1">
          {outside.map((text) => (
            <p key={text} className="text-lg font-semibold">
              {text}
            </p>
          ))}
          <p>{reaction}</p>
        </div>
      </div>
      <RadioChoice<MeasurementAction | ''>
        label="O que você fez?"
        options={options}
        value={action}
        onChange={(chosen) => chosen !== '' && onAction(chosen)}
      />
    </>
  )
}
