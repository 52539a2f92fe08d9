import { useMay } from '../../parts/permissions.tsx'
import { useTab } from '../../parts/useAddress.ts'
import { PageHeading } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { AuditTab } from './AuditTab.tsx'
import { DeviceTab } from './DeviceTab.tsx'
import { ServerTab } from './ServerTab.tsx'

const device = { key: 'dispositivo', title: 'Neste dispositivo', panel: () => <DeviceTab /> }
const server = { key: 'servidor', title: 'Servidor', panel: () => <ServerTab /> }
const audit = { key: 'auditoria', title: 'Auditoria', panel: () => <AuditTab /> }

export function LogsScreen() {
  const isAdmin = useMay('administer')
  const mayRead = useMay('plans')
  const tabs = [device, ...(isAdmin ? [server] : []), ...(mayRead ? [audit] : [])]
  const tab = useTab(device.key, ...tabs.map(({ key }) => key))
  return (
    <>
      <PageHeading title="Logs" subtitle="Registro de eventos para encontrar a causa de um problema" />
      <Tabs label="Logs" tabs={tabs} {...tab} />
    </>
  )
}
