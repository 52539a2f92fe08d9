import { isOpenCall } from '../../../../domain/tools/maintenance-calls.ts'
import { deferred } from '../../../device/deferred.ts'
import { useCalls } from '../../../parts/calls/calls.ts'
import { latePart } from '../../../parts/Late.tsx'
import { usePlant } from '../../../parts/usePlant.ts'
import { counted } from '../table-parts.tsx'

const CallsTab = latePart(deferred(async () => (await import('./CallsTab.tsx')).CallsTab))

/** 'Chamados (2)': how many are open. */
export function useCallsTab() {
  const { data } = useCalls(usePlant().plant)
  return {
    key: 'chamados' as const,
    title: counted('Chamados', data?.chamados.filter(isOpenCall).length),
    panel: () => <CallsTab />,
  }
}
