import { CircleStop } from 'lucide-react'
import { useMemo } from 'react'
import type { ControlPlan } from '../../../contract/control-plans.ts'
import { milliText } from '../../../domain/quality/control-plans.ts'
import { listAlikePlaces } from '../../../domain/quality/plan-versions.ts'
import { serverNow } from '../../device/clock.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'

/** Its signs that nobody sees, or that join the letter before them, are named: 'TPU[U+200B]9'. */
const unseenShown = (name: string): string =>
  name.replace(/[\p{Cf}\p{M}]|(?! )\p{Zs}/gu, (sign) => {
    const digits = sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    return `[U+${digits}]`
  })

const namesOf = ({ terminal, miniaplicador, maquina }: ControlPlan): string =>
  [terminal, miniaplicador, maquina]
    .filter((name) => name !== undefined)
    .map(unseenShown)
    .join(', ')

const isOpen = ({ validoAte }: ControlPlan) => validoAte === null || Date.parse(validoAte) > serverNow()

type Props = { plans: readonly ControlPlan[]; onEnd: ((plan: ControlPlan) => void) | null }

/** Plans in force that differ by signs nobody sees, for a person to decide which of them stays. */
export function AlikePlans({ plans, onEnd }: Props) {
  const alike = useMemo(() => listAlikePlaces(plans.filter(isOpen)).flat(), [plans])
  if (alike.length === 0) return null
  return (
    <Section title="Planos que parecem iguais">
      <p>Valem ao mesmo tempo e só diferem num sinal que não se vê. Encerre os que sobram.</p>
      <ul aria-label="Planos que parecem iguais" className="mt-2 divide-y divide-line">
        {alike.map((plan) => (
          <li key={plan.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <span className="wrap-anywhere">
              <span className="code font-medium">{namesOf(plan)}</span> · {milliText(plan.bitola)} mm² · v{plan.version}
            </span>
            {onEnd && (
              <Button icon={<CircleStop {...icon.md} />} onPress={() => onEnd(plan)}>
                Encerrar {namesOf(plan)}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
