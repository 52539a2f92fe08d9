import { PageHeading } from '../../ui/Page.tsx'

export const CrimpCountersScreen = () => <PageHeading title="Controle de Crimpagens" />
