import { Users } from 'lucide-react'
import type { SystemHealth } from '../../../../contract/health.ts'
import { directoryFaults } from '../../../../domain/directory-faults.ts'
import { formatAgo, formatInstant } from '../../../app/format.ts'
import { serverNow } from '../../../device/clock.ts'
import { useSettings } from '../../../parts/settings.ts'
import { icon } from '../../../ui/icon-sizes.ts'
import { Section } from '../../../ui/Page.tsx'
import { Facts } from './Facts.tsx'

type ServerFacts = SystemHealth['servers'][number]
type Directory = NonNullable<ServerFacts['directory']>

const accessTexts: Record<Directory['access'], string> = {
  ok: 'aceita a conta de serviço',
  refused: 'recusa a conta de serviço',
  unknown: 'ainda não usado',
}

/** Nothing where all users are local. */
export function DirectorySection({ servers }: { servers: readonly ServerFacts[] }) {
  const known = servers.flatMap(({ server, directory }) => (directory ? [{ server, directory }] : []))
  if (known.length === 0) return null
  return (
    <Section title="Diretório" icon={<Users {...icon.md} />}>
      <div className="flex flex-col gap-4">
        {known.map(({ server, directory }) => (
          <div key={server}>
            {known.length > 1 && <h3 className="pb-1 font-semibold wrap-anywhere">{server}</h3>}
            <DirectoryFacts directory={directory} />
          </div>
        ))}
      </div>
    </Section>
  )
}

function DirectoryFacts({ directory: { awaySince, lastOkAt, fault, access } }: { directory: Directory }) {
  const { timeZone } = useSettings()
  const momentText = (instant: string) => formatInstant(instant, timeZone)
  const answerText =
    lastOkAt === null ? 'ainda nenhuma' : `${momentText(lastOkAt)}, ${formatAgo(lastOkAt, serverNow())}`
  const rows: [string, string][] = [
    ['Situação', awaySince === null ? 'responde' : `não responde desde ${momentText(awaySince)}`],
    ['Última resposta', answerText],
    ['Acesso', accessTexts[access]],
    ['Último erro', fault ? `${momentText(fault.at)}: ${directoryFaults[fault.reason].sentence}` : 'nenhum'],
  ]
  if (awaySince === null && lastOkAt === null) rows.splice(0, 1)
  return <Facts rows={rows} />
}
