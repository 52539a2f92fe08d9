import { useQuery } from '@tanstack/react-query'
import { UserRoundPen } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { stations } from '../../../contract/stations.ts'
import { logFailure } from '../../device/log.ts'
import { beginOperatorChange, useOperatorChange } from '../../parts/scanner/badges.ts'
import { query } from '../../server/query.ts'
import { IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'

type Dialog = ComponentType<{ code: string | null }>

/** Over whatever screen is there, the log-in too. */
export function OperatorChange() {
  const change = useOperatorChange()
  const [Opened, setOpened] = useState<Dialog | null>(null)
  const isWanted = change !== null
  useEffect(() => {
    if (!isWanted) return
    import('./OperatorDialog.tsx').then(
      ({ OperatorDialog }) => setOpened(() => OperatorDialog),
      (error: unknown) => logFailure('Troca de operador', error),
    )
  }, [isWanted])
  return change && Opened && <Opened code={change.code} />
}

/** Only where badges hold. */
export function OperatorChangeButton() {
  const { data } = useQuery({
    ...query(stations.current, {}, { isAfterFrame: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data?.isShared) return null
  return (
    // a phone has no room for it, and reads the badge all the same
    <span className="contents max-sm:hidden">
      <IconButton
        tone="header"
        label="Trocar operador"
        icon={<UserRoundPen {...icon.md} />}
        onPress={beginOperatorChange}
      />
    </span>
  )
}
