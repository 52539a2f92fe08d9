import { useState } from 'react'
import { reloadOnceThere } from '../../device/reloads.ts'
import { NotOpened } from '../../parts/Late.tsx'

/** A screen that failed while it was drawn. */
export function BrokenScreen() {
  const [state, setState] = useState<'shown' | 'asking' | 'away'>('shown')
  const retry = async () => {
    setState('asking')
    if (!(await reloadOnceThere())) setState('away')
  }
  return <NotOpened isAsking={state === 'asking'} isAway={state === 'away'} onRetry={() => void retry()} />
}
