import { CircleAlert, CloudUpload, ShieldQuestionMark, UserRoundCog, Wrench } from 'lucide-react'
import { useState } from 'react'
import { type MaintenanceCall, maintenanceCalls } from '../../../../contract/maintenance-calls.ts'
import type { CallTeam } from '../../../../contract/values.ts'
import { reasonText, teamOf, teamTexts } from '../../../../domain/tools/call-topics.ts'
import { callStateText, isOverdue, mayAnswer } from '../../../../domain/tools/maintenance-calls.ts'
import { useUser } from '../../../device/credentials.ts'
import { showToast } from '../../../device/toasts.ts'
import { useCallMoments } from '../../../parts/calls/calls.ts'
import { useSettings } from '../../../parts/settings.ts'
import { call, errorText } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { formatShortInstant } from '../../../text/format.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { CancelDialog, SolveDialog } from './SolveDialog.tsx'

type Act = 'solve' | 'cancel'
const dialogs = { solve: SolveDialog, cancel: CancelDialog }

type Props = { calls: readonly MaintenanceCall[]; nowMs: number }

/** Whether whoever is logged in may answer a call of a team. The server decides again. */
function useMayAnswer(): (team: CallTeam) => boolean {
  const { limitRoles } = useSettings()
  const role = useUser()?.role ?? ''
  return (team) => mayAnswer(role, team, limitRoles)
}

export function OpenCalls({ calls, nowMs }: Props) {
  const may = useMayAnswer()
  const others = [...new Set(calls.map(teamOf))].filter((team) => !may(team))
  const [open, setOpen] = useState<{ act: Act; id: string } | null>(null)
  // as it is now: somebody may acknowledge it meanwhile
  const about = calls.find(({ id }) => id === open?.id)
  const Dialog = open && dialogs[open.act]
  return (
    <>
      {others.length > 0 && (
        <p role="note" className="text-muted">
          Seu perfil não atende chamados de {others.map((team) => teamTexts[team]).join(', ')}.
        </p>
      )}
      <ul aria-label="Chamados abertos" className="grid grid-cols-1 gap-4 xl:grid-cols-2">
        {calls.map((one) => (
          <OpenCall key={one.id} call={one} nowMs={nowMs} onAct={(act) => setOpen({ act, id: one.id })} />
        ))}
      </ul>
      {Dialog && about && <Dialog call={about} onClose={() => setOpen(null)} />}
    </>
  )
}

const acknowledge = ({ id, version }: MaintenanceCall) =>
  call(maintenanceCalls.acknowledge, { params: { id } }, { versionSeen: version })

type CallProps = { call: MaintenanceCall; nowMs: number; onAct: (act: Act) => void }

function OpenCall({ call: one, nowMs, onAct }: CallProps) {
  const may = useMayAnswer()(teamOf(one))
  const { save, isBusy } = useSave({
    send: () => acknowledge(one),
    changes: [maintenanceCalls.list],
    toast: `Chamado ${one.numero} em atendimento por você.`,
    onFailed: (error) => showToast({ kind: 'error', text: errorText(error) }),
  })
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2 className="text-xl font-semibold">
          {one.numero} · {teamTexts[teamOf(one)]} · {reasonText(one)}
        </h2>
        <State of={one} nowMs={nowMs} />
      </div>
      <Where of={one} />
      {one.nota !== '' && <p className="whitespace-pre-line wrap-anywhere">{one.nota}</p>}
      <Opened of={one} nowMs={nowMs} />
      {may && (
        <div className="mt-auto flex flex-wrap gap-2 max-sm:*:grow">
          {one.situacao === 'aberto' && (
            <Button
              variant="primary"
              icon={<UserRoundCog {...icon.md} />}
              aria-label={`Atender chamado ${one.numero}`}
              busy={isBusy}
              onPress={() => save()}
            >
              Atender
            </Button>
          )}
          <Button
            size="lg"
            variant={one.situacao === 'atendido' ? 'primary' : 'secondary'}
            aria-label={`Resolver chamado ${one.numero}`}
            onPress={() => onAct('solve')}
          >
            Resolver
          </Button>
          <Button
            size="lg"
            variant="quiet"
            aria-label={`Cancelar chamado ${one.numero}`}
            onPress={() => onAct('cancel')}
          >
            Cancelar
          </Button>
        </div>
      )}
    </li>
  )
}

const inks = { aberto: 'text-warn-ink', atendido: 'text-brand-ink', resolvido: '', cancelado: '' }

function State({ of: one, nowMs }: { of: MaintenanceCall; nowMs: number }) {
  const write = useCallMoments(nowMs)
  const isLong = isOverdue(one, nowMs)
  const Icon = isLong ? CircleAlert : one.situacao === 'atendido' ? UserRoundCog : Wrench
  return (
    <span className="flex flex-wrap gap-2">
      {one.enviadoDepois && <Badge icon={<CloudUpload {...icon.sm} />}>enviado depois</Badge>}
      {!one.autorConfirmado && (
        <Badge tone="warn" icon={<ShieldQuestionMark {...icon.sm} />}>
          autor não confirmado
        </Badge>
      )}
      <span className={`flex items-center gap-1.5 font-semibold ${isLong ? 'text-bad-ink' : inks[one.situacao]}`}>
        <Icon {...icon.sm} className="shrink-0" />
        {callStateText(one, write)}
      </span>
    </span>
  )
}

/** Empty facts are left out. */
const factsOf = ({ maquina, miniaplicador, ordem, codigoBarras, lado, posicao }: MaintenanceCall) =>
  Object.entries({
    Máquina: maquina,
    'Mini aplicador': miniaplicador,
    Ordem: ordem,
    'Código de barras': codigoBarras,
    Lado: lado,
    Junção: posicao,
  }).filter(([, text]) => text !== '')

const Where = ({ of: one }: { of: MaintenanceCall }) => (
  <dl className="flex flex-wrap gap-x-5 gap-y-1">
    {factsOf(one).map(([name, text]) => (
      <div key={name} className="flex min-w-0 flex-wrap gap-x-1.5">
        <dt className="shrink-0 text-muted">{name}</dt>
        <dd className="code font-semibold break-all">{text}</dd>
      </div>
    ))}
  </dl>
)

function Opened({ of: { abertoEm, abertoPor, juntados }, nowMs }: { of: MaintenanceCall; nowMs: number }) {
  const { timeZone } = useSettings()
  const joined = juntados === 0 ? '' : juntados === 1 ? ' · chamado mais 1 vez' : ` · chamado mais ${juntados} vezes`
  return (
    <p className="text-sm text-muted">
      {formatShortInstant(abertoEm, timeZone, nowMs)} · {abertoPor}
      {joined}
    </p>
  )
}
