import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock, CloudUpload, type LucideIcon } from 'lucide-react'
import { statusQuery } from '../server/status.ts'
import { formatCount } from '../text/format.ts'
import { icon } from '../ui/icon-sizes.ts'

const piecesText = (count: number, what: string) =>
  count === 1 ? `1 peça aguardando ${what}` : `${formatCount(count)} peças aguardando ${what}`

const Line = ({ Icon, tone, children }: { Icon: LucideIcon; tone: string; children: string }) => (
  <p className={`flex items-center gap-2 ${tone}`}>
    <Icon {...icon.sm} />
    {children}
  </p>
)

type Props = {
  /** Why no more can be recorded; null while more can. */
  complete: string | null
  /** Pieces that the ERP has not confirmed yet, and how many of them wait on this device. */
  onWay: number
  here: number
}

export function RecordingStatus({ complete, onWay, here }: Props) {
  const isPaused = useQuery(statusQuery).data?.sendingPaused
  if (complete === null && onWay === 0) return null
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 text-sm font-medium">
      {complete !== null && (
        <Line Icon={CircleCheck} tone="text-ok-ink">
          {complete}
        </Line>
      )}
      {onWay > here && (
        <Line Icon={Clock} tone="text-muted">
          {piecesText(onWay - here, isPaused ? 'ERP: envio em pausa, ele recusa tudo com as mesmas palavras' : 'ERP')}
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
