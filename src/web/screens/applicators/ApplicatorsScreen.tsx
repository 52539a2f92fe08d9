import { PageHeading } from '../../ui/Page.tsx'

export const ApplicatorsScreen = () => <PageHeading title="Gestão de Mini Aplicadores" />
