import { CircleAlert, UserRoundCog, VolumeX, Wrench } from 'lucide-react'
import { useEffect } from 'react'
import type { MaintenanceCall } from '../../../contract/maintenance-calls.ts'
import { machineIdIn } from '../../../domain/acts/recording-form.ts'
import { reasonText, teamOf, teamTexts } from '../../../domain/tools/call-topics.ts'
import { callStateText, isOpenCall, isOverdue } from '../../../domain/tools/maintenance-calls.ts'
import { usePreferences } from '../../device/preferences.ts'
import { useCallBell } from '../../parts/calls/bell.ts'
import { useCalls } from '../../parts/calls/calls.ts'
import { turnSoundOn, useIsSoundOn } from '../../parts/scanner/sounds.ts'
import { useSettings } from '../../parts/settings.ts'
import { formatAgo, formatShortInstant } from '../../text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { useWindowEvent } from '../../ui/useWindowEvent.ts'

type Props = { plant: string; nowMs: number }

/** Open calls, the longest waiting first. Those that do not fit are counted. Takes no room while there are none. */
export function CallStrip({ plant, nowMs }: Props) {
  const { data } = useCalls(plant)
  useCallBell(data?.chamados)
  const open = (data?.chamados ?? []).filter(isOpenCall)
  return (
    <>
      <SoundNote />
      {open.length > 0 && (
        <section aria-label="Chamados" className="flex shrink-0 items-stretch gap-[0.75em] max-md:flex-col">
          <h2 className="flex flex-col justify-center font-semibold max-md:block">
            <span className="text-[1.75em]/none">{open.length}</span> {open.length === 1 ? 'chamado' : 'chamados'}
          </h2>
          <ul className="flex h-[4.2em] grow flex-wrap gap-[0.75em] overflow-hidden max-md:h-[8em]">
            {open.map((one) => (
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
  atendido: { look: 'border-full-line bg-full-soft text-full-ink', Icon: UserRoundCog },
}

function Waiting({ call, nowMs }: { call: MaintenanceCall; nowMs: number }) {
  const { timeZone } = useSettings()
  const write = {
    ago: (instant: string) => formatAgo(instant, nowMs),
    time: (instant: string) => formatShortInstant(instant, timeZone, nowMs),
  }
  const { look, Icon } =
    looks[isOverdue(call, nowMs) ? 'overdue' : call.situacao === 'atendido' ? 'atendido' : 'aberto']
  const late = call.enviadoDepois ? ' · enviado depois' : ''
  return (
    <li className={`flex h-full items-center gap-[0.6em] rounded-lg border px-[0.8em] ${look}`}>
      <Icon size="1.75em" strokeWidth={2} aria-hidden className="shrink-0" />
      <p>
        <strong className="block text-[1.25em]/tight">
          {call.numero} · {teamTexts[teamOf(call)]} · <span className="code">{machineIdIn(call.maquina)}</span> ·{' '}
          {reasonText(call)}
        </strong>
        {callStateText(call, write)}
        {late}
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
