import { CircleAlert, UserRoundCog, VolumeX, Wrench } from 'lucide-react'
import { useEffect } from 'react'
import type { MaintenanceCall } from '../../../contract/maintenance-calls.ts'
import { machineIdIn } from '../../../domain/forms/recording-form.ts'
import { reasonText, teamOf, teamTexts } from '../../../domain/tools/call-topics.ts'
import { callStateText, isOverdue } from '../../../domain/tools/maintenance-calls.ts'
import { usePreferences } from '../../device/preferences.ts'
import { useCallMoments } from '../../parts/calls/calls.ts'
import { turnSoundOn, useIsSoundOn } from '../../parts/scanner/sounds.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { useWindowEvent } from '../../ui/useWindowEvent.ts'
import { inText } from './BoardCell.tsx'

type Props = { calls: readonly MaintenanceCall[]; nowMs: number }

/** Open calls in their order. Those that do not fit are counted. Takes no room while there are none. */
export function CallStrip({ calls, nowMs }: Props) {
  return (
    <>
      <SoundNote />
      {calls.length > 0 && (
        <section aria-label="Chamados" className="flex shrink-0 items-start gap-[0.75em] max-lg:flex-col">
          <h2 className="font-semibold whitespace-nowrap">
            <span className="text-[1.75em]/none">{calls.length}</span> {calls.length === 1 ? 'chamado' : 'chamados'}
          </h2>
          <ul className="flex min-w-0 grow flex-wrap gap-[0.4em] overflow-hidden max-lg:max-h-[8em] lg:max-h-[4.6em]">
            {calls.map((one) => (
              <Waiting key={one.id} call={one} nowMs={nowMs} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const looks = {
  overdue: { look: 'border-bad-fill bg-bad-fill text-white', Icon: CircleAlert },
  aberto: { look: 'border-warn-line bg-warn-soft text-warn-ink', Icon: Wrench },
  atendido: { look: 'border-brand bg-brand-soft text-brand-ink', Icon: UserRoundCog },
}

function Waiting({ call, nowMs }: { call: MaintenanceCall; nowMs: number }) {
  const write = useCallMoments(nowMs)
  const isLate = isOverdue(call, nowMs)
  const { look, Icon } = looks[isLate ? 'overdue' : call.situacao === 'atendido' ? 'atendido' : 'aberto']
  const state = [callStateText(call, write), isLate && 'ninguém atende', call.enviadoDepois && 'enviado depois']
  return (
    <li className={`flex min-w-0 items-center gap-[0.6em] rounded-lg border px-[0.6em] py-[0.2em] ${look}`}>
      <Icon {...inText} />
      <p className="min-w-0 lg:truncate">
        <strong>
          {call.numero} · {teamTexts[teamOf(call)]} · <span className="code">{machineIdIn(call.maquina)}</span> ·{' '}
          {reasonText(call)}
        </strong>
        {' · '}
        {state.filter(Boolean).join(' · ')}
      </p>
    </li>
  )
}

/** A browser lets a page sound after a touch only; a kiosk's setting may spare it. */
function SoundNote() {
  const hasCallSound = usePreferences().soundingTeams.length > 0
  const isSoundOn = useIsSoundOn()
  useEffect(() => {
    if (hasCallSound) turnSoundOn()
  }, [hasCallSound])
  useWindowEvent('pointerdown', () => hasCallSound && turnSoundOn())
  useWindowEvent('keydown', () => hasCallSound && turnSoundOn())
  if (!hasCallSound || isSoundOn) return null
  return (
    <Button size="lg" icon={<VolumeX {...icon.md} />} onPress={turnSoundOn}>
      Toque para ligar o som
    </Button>
  )
}
