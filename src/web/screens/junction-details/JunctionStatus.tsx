import { CircleCheck, Clock, CloudUpload, type LucideIcon } from 'lucide-react'
import { isJunctionOpen } from '../../../domain/junction-balance.ts'
import { formatCount } from '../../app/format.ts'
import type { JunctionHere } from '../../recording/waiting-here.ts'
import { icon } from '../../ui/icon-sizes.ts'

const piecesText = (count: number, what: string) =>
  count === 1 ? `1 peça aguardando ${what}` : `${formatCount(count)} peças aguardando ${what}`

const Line = ({ Icon, tone, children }: { Icon: LucideIcon; tone: string; children: string }) => (
  <p className={`flex items-center gap-2 ${tone}`}>
    <Icon {...icon.sm} />
    {children}
  </p>
)

/** Why a junction is closed, and what of it the ERP has not confirmed yet. */
export function JunctionStatus({ junction, here }: JunctionHere) {
  const isComplete = !isJunctionOpen(junction)
  if (!isComplete && junction.aguardandoErp === 0) return null
  const atServer = junction.aguardandoErp - here
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 text-sm font-medium">
      {isComplete && (
        <Line Icon={CircleCheck} tone="text-ok-ink">
          Esta junção já está 100% apontada.
        </Line>
      )}
      {atServer > 0 && (
        <Line Icon={Clock} tone="text-muted">
          {piecesText(atServer, 'ERP')}
        </Line>
      )}
      {here > 0 && (
        <Line Icon={CloudUpload} tone="text-muted">
          {piecesText(here, 'envio')}
        </Line>
      )}
    </div>
  )
}
