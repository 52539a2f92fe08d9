import { Link } from '@tanstack/react-router'
import { Timer, TriangleAlert } from 'lucide-react'
import type { Status } from '../../../contract/settings.ts'
import { serverNow } from '../../device/clock.ts'
import { isOverdue, waitingSince } from '../../recording/queue.ts'
import { useWaiting } from '../../recording/queue-db.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { links } from '../links.ts'

/** `erp` is what the server says; null while it does not answer. */
type Props = { erp: Pick<Status, 'pending' | 'needPerson' | 'waitingSince'> | null }

/** What the ERP does not have yet, on this device and in the server, and the way to it. */
export function PendingBadge({ erp }: Props) {
  const waiting = useWaiting() ?? []
  const here = waiting.length
  const atServer = erp?.pending ?? 0
  const forPerson = erp?.needPerson ?? 0
  const forErp = atServer - forPerson
  if (here + atServer === 0) return null
  const isLate = [waitingSince(waiting), erp?.waitingSince ?? null].some((since) => isOverdue(since, serverNow()))
  const words = [
    ...(here > 0 ? [`${here} neste dispositivo`] : []),
    ...(forErp > 0 ? [`${forErp} aguardando o ERP`] : []),
    ...(forPerson > 0 ? [`${forPerson} ${forPerson === 1 ? 'precisa' : 'precisam'} de uma pessoa`] : []),
    // the figure that is seen is part of the name, for who speaks to the tablet (WCAG 2.5.3)
    ...([here, forErp, forPerson].filter((count) => count > 0).length > 1 ? [`${here + atServer} ao todo`] : []),
    ...(isLate ? ['há mais de 15 minutos'] : []),
  ]
  const text = `Pendências: ${words.join(', ')}`
  const Icon = isLate ? TriangleAlert : Timer
  return (
    <Link
      to={links.pending}
      title={text}
      aria-label={text}
      className="flex h-11 items-center focus-visible:outline-header-focus"
    >
      <span
        className={`flex h-8 items-center gap-1 rounded-full px-2 text-sm font-semibold ${isLate ? 'bg-bad-fill text-white' : 'bg-warn-soft text-warn-ink'}`}
      >
        <Icon {...icon.sm} />
        {here + atServer}
      </span>
    </Link>
  )
}
