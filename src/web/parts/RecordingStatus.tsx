import { useQuery } from '@tanstack/react-query'
import { Clock, CloudUpload } from 'lucide-react'
import { statusQuery } from '../server/status.ts'
import { formatCount } from '../text/format.ts'
import { icon } from '../ui/icon-sizes.ts'

const piecesText = (count: number, what: string) =>
  count === 1 ? `1 peça aguardando ${what}` : `${formatCount(count)} peças aguardando ${what}`

type Props = {
  /** Pieces that the ERP has not confirmed yet, and how many of them wait on this device. */
  onWay: number
  here: number
}

/** Comes and goes by itself: beside or below what can be pressed. One text, of which no part moves another. */
export function RecordingStatus({ onWay, here }: Props) {
  const isPaused = useQuery(statusQuery).data?.sendingPaused
  if (onWay === 0) return null
  const erp = isPaused ? 'ERP: envio em pausa, ele recusa tudo com as mesmas palavras' : 'ERP'
  const texts = [
    ...(here > 0 ? [piecesText(here, 'envio')] : []),
    ...(onWay > here ? [piecesText(onWay - here, erp)] : []),
  ]
  const Icon = here > 0 ? CloudUpload : Clock
  return (
    <p className="flex items-center gap-2 text-sm font-medium text-muted">
      <Icon {...icon.sm} className="shrink-0" />
      {texts.join(' · ')}
    </p>
  )
}
