import { useUser } from '../../device/credentials.ts'
import { deferred } from '../../device/deferred.ts'
import { PasswordConfirmation } from '../../parts/access/PasswordConfirmation.tsx'
import { latePart } from '../../parts/Late.tsx'
import { useMay } from '../../parts/permissions.tsx'
import { useTab } from '../../parts/useAddress.ts'
import { PageHeading } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { DeviceTab } from './DeviceTab.tsx'
import { PlantTab } from './PlantTab.tsx'
import { SessionsTab } from './SessionsTab.tsx'
import { UsersTab } from './UsersTab.tsx'

const device = { key: 'dispositivo', title: 'Este dispositivo', panel: () => <DeviceTab /> }
const sessions = { key: 'sessoes', title: 'Senha e sessões', panel: () => <SessionsTab /> }
const users = { key: 'usuarios', title: 'Usuários', panel: () => <UsersTab /> }
const plant = { key: 'fabrica', title: 'Fábrica', panel: () => <PlantTab /> }

/** Few look at it, and it is the largest. */
const SystemTab = latePart(deferred(async () => (await import('./system/SystemTab.tsx')).SystemTab))
const system = {
  key: 'sistema',
  title: 'Sistema',
  panel: () => <SystemTab />,
}

const InstallationTab = latePart(
  deferred(async () => (await import('./installation/InstallationTab.tsx')).InstallationTab),
)
const installation = {
  key: 'instalacao',
  title: 'Instalação',
  panel: () => <InstallationTab />,
}

export function SettingsScreen() {
  const user = useUser()
  const tabs = useMay('administer') ? [device, sessions, users, plant, installation, system] : [device, sessions]
  const tab = useTab(device.key, ...tabs.map(({ key }) => key))
  return (
    <>
      <PageHeading title="Configurações" />
      <Tabs label="Configurações" tabs={tabs} {...tab} />
      {user && <PasswordConfirmation username={user.username} />}
    </>
  )
}
