import { CircleAlert, TriangleAlert } from 'lucide-react'
import { type CrimpCounter, UNLIMITED } from '../../../contract/crimp-counters.ts'
import { type WearLevel, wearLevel } from '../../../domain/crimp-counters.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { limitText } from './limits.ts'

const looks: Record<WearLevel, { look: string; word: string }> = {
  reached: { look: 'font-bold text-bad-ink', word: 'limite atingido' },
  near: { look: 'font-medium text-warn-ink', word: 'perto do limite' },
  fine: { look: 'font-medium text-ok-ink', word: 'abaixo do limite' },
  unlimited: { look: 'font-medium text-ok-ink', word: '' },
}

type Props = { unit: Pick<CrimpCounter, 'numberOfCrimps' | 'limitOfCrimps'>; warningPercent: number }

/** The limit in the colour of how near it is, with a sign where it asks for attention. */
export function Limit({ unit, warningPercent }: Props) {
  const level = wearLevel(unit, warningPercent)
  const { look, word } = looks[level]
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${look}`}>
      {level === 'reached' && <CircleAlert {...icon.sm} />}
      {level === 'near' && <TriangleAlert {...icon.sm} />}
      {limitText(unit.limitOfCrimps)}
      {unit.limitOfCrimps !== UNLIMITED && <span className="sr-only">, {word}</span>}
    </span>
  )
}
