import { useQuery } from '@tanstack/react-query'
import { Clock, CloudUpload, type LucideIcon } from 'lucide-react'
import { statusQuery } from '../server/status.ts'
import { formatCount } from '../text/format.ts'
import { icon } from '../ui/icon-sizes.ts'

const piecesText = (count: number, what: string) =>
  count === 1 ? `1 peça aguardando ${what}` : `${formatCount(count)} peças aguardando ${what}`

const Line = ({ Icon, children }: { Icon: LucideIcon; children: string }) => (
  <p className="flex items-center gap-2 text-muted">
    <Icon {...icon.sm} />
    {children}
  </p>
)

type Props = {
  /** Pieces that the ERP has not confirmed yet, and how many of them wait on this device. */
  onWay: number
  here: number
}

/** Comes and goes by itself: below what can be pressed. */
export function RecordingStatus({ onWay, here }: Props) {
  const isPaused = useQuery(statusQuery).data?.sendingPaused
  if (onWay === 0) return null
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 text-sm font-medium">
      {onWay > here && (
        <Line Icon={Clock}>
          {piecesText(onWay - here, isPaused ? 'ERP: envio em pausa, ele recusa tudo com as mesmas palavras' : 'ERP')}
        </Line>
      )}
      {here > 0 && <Line Icon={CloudUpload}>{piecesText(here, 'envio')}</Line>}
    </div>
  )
}
