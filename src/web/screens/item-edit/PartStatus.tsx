import { CircleCheck, Clock, CloudUpload, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { completionPercent, isSectionOpen } from '../../../domain/recording-form.ts'
import { formatCount } from '../../app/format.ts'
import { CompletionBadge } from '../../parts/CompletionBadge.tsx'
import type { ItemHere } from '../../recording/waiting-here.ts'
import { icon } from '../../ui/icon-sizes.ts'

export const PartBadge = ({ item, part }: { item: CutItem; part: Part }) => (
  <CompletionBadge percent={completionPercent(item, part)} />
)

const Line = ({ mark, children }: { mark: ReactNode; children: ReactNode }) => (
  <p className="flex items-center gap-2">
    {mark}
    {children}
  </p>
)

const piecesText = (count: number, what: string) =>
  count === 1 ? `1 peça aguardando ${what}` : `${formatCount(count)} peças aguardando ${what}`

const Waiting = ({ pieces, what, Icon }: { pieces: number; what: string; Icon: LucideIcon }) =>
  pieces > 0 && (
    <span className="text-muted">
      <Line mark={<Icon {...icon.sm} />}>{piecesText(pieces, what)}</Line>
    </span>
  )

/** Why a part is closed, and what of it the ERP has not confirmed yet: at the server, and on this device. */
export function PartStatus({ item, here, part }: ItemHere & { part: Part }) {
  const isComplete = !isSectionOpen(item, part)
  if (!isComplete && item.aguardandoErp[part] === 0) return null
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 text-sm font-medium">
      {isComplete && (
        <span className="text-ok-ink">
          <Line mark={<CircleCheck {...icon.sm} />}>Esta etapa já está 100% apontada.</Line>
        </span>
      )}
      <Waiting pieces={item.aguardandoErp[part] - here[part]} what="ERP" Icon={Clock} />
      <Waiting pieces={here[part]} what="envio" Icon={CloudUpload} />
    </div>
  )
}
