import { lazy, Suspense } from 'react'
import { isOpenCall } from '../../../../domain/tools/maintenance-calls.ts'
import { useCalls } from '../../../parts/calls/calls.ts'
import { usePlant } from '../../../parts/usePlant.ts'
import { formatCount } from '../../../text/format.ts'
import { Spinner } from '../../../ui/Spinner.tsx'

const CallsTab = lazy(async () => ({ default: (await import('./CallsTab.tsx')).CallsTab }))

/** 'Chamados (2)': how many are open. */
export function useCallsTab() {
  const { data } = useCalls(usePlant().plant)
  return {
    key: 'chamados' as const,
    title: `Chamados (${data ? formatCount(data.chamados.filter(isOpenCall).length) : '…'})`,
    panel: () => (
      <Suspense fallback={<Spinner>Carregando...</Spinner>}>
        <CallsTab />
      </Suspense>
    ),
  }
}
