import { useQuery } from '@tanstack/react-query'
import { UserRoundPen } from 'lucide-react'
import { stations } from '../../../contract/stations.ts'
import { deferred } from '../../device/deferred.ts'
import { lateDialog } from '../../parts/Late.tsx'
import { beginOperatorChange, endOperatorChange, useOperatorChange } from '../../parts/scanner/badges.ts'
import { query } from '../../server/query.ts'
import { IconButton } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'

const OperatorDialog = lateDialog(deferred(async () => (await import('./OperatorDialog.tsx')).OperatorDialog))

/** Over whatever screen is there, the log-in too. */
export function OperatorChange() {
  const change = useOperatorChange()
  return change && <OperatorDialog code={change.code} onClose={endOperatorChange} />
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
