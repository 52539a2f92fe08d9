import { Users } from 'lucide-react'
import { type DirectoryTrial, health, type SystemHealth } from '../../../../contract/health.ts'
import { USERNAME_LENGTH_MAX } from '../../../../contract/sessions.ts'
import { directoryFaults } from '../../../../domain/people/directory-faults.ts'
import { roleTexts } from '../../../../domain/people/permissions.ts'
import { serverNow } from '../../../device/clock.ts'
import { useSettings } from '../../../parts/settings.ts'
import { call } from '../../../server/api.ts'
import { formatAgo, formatInstant } from '../../../text/format.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { Section } from '../../../ui/Page.tsx'
import { Facts } from './Facts.tsx'
import { TryForm } from './TryForm.tsx'

type ServerFacts = SystemHealth['servers'][number]
type Directory = NonNullable<ServerFacts['directory']>

const accessTexts: Record<Directory['access'], string> = {
  ok: 'aceita a conta de serviço',
  refused: 'recusa a conta de serviço',
  unknown: 'ainda não usado',
}

/** Nothing where all users are local. */
export function DirectorySection({
  servers,
  withFacts = true,
}: {
  servers: readonly ServerFacts[]
  withFacts?: boolean
}) {
  const known = servers.flatMap(({ server, directory }) => (directory ? [{ server, directory }] : []))
  if (known.length === 0) return null
  return (
    <Section title="Diretório" icon={<Users {...icon.md} />}>
      <div className="flex flex-col gap-4">
        {withFacts ? (
          known.map(({ server, directory }) => (
            <div key={server}>
              {known.length > 1 && <h3 className="pb-1 font-semibold wrap-anywhere">{server}</h3>}
              <DirectoryFacts directory={directory} />
            </div>
          ))
        ) : (
          <p className="text-muted">
            O diretório da empresa se define no servidor, por LDAP_URL e as outras variáveis.
          </p>
        )}
        <TryForm
          label="Usuário do diretório"
          description="Procura a pessoa e os grupos dela. A senha dela não é precisa nem testada; só lê."
          maxLength={USERNAME_LENGTH_MAX}
          autoCapitalize="none"
          buttonText="Testar diretório"
          send={(usuario) => call(health.tryDirectory, { body: { usuario } })}
        >
          {(result) => <TrialResult result={result} />}
        </TryForm>
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

const stepTexts: Record<DirectoryTrial['steps'][number]['about'], string> = {
  connection: 'Conexão',
  account: 'Conta de serviço',
  person: 'Pessoa',
  groups: 'Grupos',
  role: 'Perfil',
}

const TrialResult = ({ result: { role, steps } }: { result: DirectoryTrial }) => (
  <div className="flex flex-col gap-3">
    <Alert kind={role === null ? 'error' : 'success'} isUntitled>
      {role === null ? 'Esta pessoa não entra pelo diretório.' : `Entra com o perfil ${roleTexts[role]}.`}
    </Alert>
    <ul aria-label="O que o diretório respondeu" className="flex flex-col divide-y divide-line">
      {steps.map(({ about, isGood, text }) => (
        <li key={about} className="flex items-start gap-3 py-2">
          <Badge tone={isGood ? 'ok' : 'bad'}>{isGood ? 'Certo' : 'Erro'}</Badge>
          <div className="min-w-0">
            <p className="font-medium">{stepTexts[about]}</p>
            <p className="wrap-anywhere text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  </div>
)
