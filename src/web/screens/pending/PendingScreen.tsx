import { useQuery } from '@tanstack/react-query'
import { PageHeading } from '../../ui/Page.tsx'
import { DeviceSection } from './DeviceSection.tsx'
import { pendingQuery } from './pending-actions.ts'
import { RetainedSection } from './RetainedSection.tsx'
import { ServerSections } from './ServerSections.tsx'

/** Acts that the ERP does not have yet, and who has to do something about them. */
export function PendingScreen() {
  const { isFetched, isLoading } = useQuery(pendingQuery)
  return (
    <>
      <PageHeading title="Pendências" subtitle="Apontamentos que ainda não estão no ERP" />
      <RetainedSection />
      <ServerSections />
      {/* below what comes, so that nothing of it moves away under a finger */}
      {(isFetched || !isLoading) && <DeviceSection />}
    </>
  )
}
