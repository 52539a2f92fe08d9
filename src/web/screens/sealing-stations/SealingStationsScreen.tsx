import { PageHeading } from '../../ui/Page.tsx'

export const SealingStationsScreen = () => <PageHeading title="Gestão de Estações de Selos" />
