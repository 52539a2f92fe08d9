import { PageHeading } from '../../ui/Page.tsx'
import { DeviceSection } from './DeviceSection.tsx'
import { RetainedSection } from './RetainedSection.tsx'
import { ServerSections } from './ServerSections.tsx'

/** Acts that the ERP does not have yet, and who has to do something about them. */
export const PendingScreen = () => (
  <>
    <PageHeading title="Pendências" subtitle="Apontamentos que ainda não estão no ERP" />
    <RetainedSection />
    <ServerSections />
    <DeviceSection />
  </>
)
