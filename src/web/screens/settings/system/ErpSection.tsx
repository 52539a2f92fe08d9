import { Network } from 'lucide-react'
import { refusals } from '../../../../contract/errors.ts'
import {
  type ErpCheck,
  type ErpFault,
  health,
  ORDER_LENGTH_MAX,
  type SystemHealth,
} from '../../../../contract/health.ts'
import { commandText } from '../../../../domain/plant/commands.ts'
import { useSettings } from '../../../parts/settings.ts'
import { call } from '../../../server/api.ts'
import { formatCount, formatInstant } from '../../../text/format.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { Section } from '../../../ui/Page.tsx'
import { Facts } from './Facts.tsx'
import { TryForm } from './TryForm.tsx'

type ServerFacts = SystemHealth['servers'][number]

const faultTexts: Record<ErpFault, string> = {
  unreachable: 'não foi possível conectar',
  timeout: 'não respondeu a tempo',
  broken: 'a conexão caiu antes da resposta',
  not_erp: 'respondeu outro em lugar do ERP',
}
const accessTexts = {
  ok: 'aceita o usuário do painel',
  refused: 'recusa o usuário do painel',
  unknown: 'ainda não usado',
}

export const ErpSection = ({ servers }: { servers: readonly ServerFacts[] }) => (
  <Section title="ERP" icon={<Network {...icon.md} />}>
    <div className="flex flex-col gap-4">
      {servers.map(({ server, erp }) => (
        <div key={server}>
          {servers.length > 1 && <h3 className="pb-1 font-semibold wrap-anywhere">{server}</h3>}
          <ErpFacts erp={erp} />
        </div>
      ))}
      {servers.some(({ erp }) => erp.isConfigured !== false) && <CheckForm />}
    </div>
  </Section>
)

function ErpFacts({ erp: { awaySince, latencyMs, fault, access, isConfigured } }: Pick<ServerFacts, 'erp'>) {
  const { timeZone } = useSettings()
  const momentText = (instant: string) => formatInstant(instant, timeZone)
  if (isConfigured === false) return <p>{refusals.erp_unconfigured.message}</p>
  const rows: [string, string][] = [
    ['Resposta', awaySince === null ? `${latencyMs ?? 0} ms` : `nenhuma desde ${momentText(awaySince)}`],
    ['Acesso', accessTexts[access]],
    ['Último erro', fault ? `${faultTexts[fault.reason]}, ${momentText(fault.at)}` : 'nenhum'],
  ]
  return <Facts rows={rows} />
}

export const CheckForm = () => (
  <TryForm
    label="Ordem de produção"
    description="Confere o que o ERP responde sobre ela. Só lê; pode levar meio minuto."
    maxLength={ORDER_LENGTH_MAX}
    code
    buttonText="Testar conexão"
    send={(ordem) => call(health.checkErp, { body: { ordem } })}
  >
    {(result) => <CheckResult result={result} />}
  </TryForm>
)

const levels = { wrong: { tone: 'bad', text: 'Erro' }, notice: { tone: 'warn', text: 'Aviso' } } as const

function CheckResult({ result: { calls, isComplete, by } }: { result: ErpCheck }) {
  const found = calls.flatMap(({ name, branch, findings }) => findings.map((finding) => ({ ...finding, name, branch })))
  const wrongs = found.filter(({ level }) => level === 'wrong').length
  const countText = `${formatCount(calls.length)} ${calls.length === 1 ? 'verificação' : 'verificações'}, ${formatCount(wrongs)} ${wrongs === 1 ? 'erro' : 'erros'}`
  return (
    <div className="flex flex-col gap-3">
      <Alert kind={wrongs > 0 ? 'error' : isComplete ? 'success' : 'warning'} isUntitled>
        {isComplete
          ? `${countText}.`
          : `${countText}. Interrompida após 25 s. A TI pode completar no servidor: ${commandText('erp-check ORDEM', by ? [by] : [])}.`}
      </Alert>
      <ul aria-label="O que foi achado" className="flex flex-col divide-y divide-line">
        {found.map(({ name, branch, level, field, sentence }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is made once and never changes
          <li key={at} className="flex items-start gap-3 py-2">
            <Badge tone={levels[level].tone}>{levels[level].text}</Badge>
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">
                {[branch, name].filter(Boolean).join(' ')}: <span className="code">{field}</span>
              </p>
              <p className="text-muted">{sentence}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
