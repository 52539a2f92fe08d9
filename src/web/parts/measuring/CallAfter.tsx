import { useState } from 'react'
import type { MeasurementAction } from '../../../contract/measurements.ts'
import type { CallTeam } from '../../../contract/values.ts'
import { teamTexts } from '../../../domain/tools/call-topics.ts'
import { kinds } from '../../acts/kinds.ts'
import type { CallReason } from '../../acts/maintenance-calls.ts'
import { useRecorder } from '../../acts/useRecorder.ts'
import { Button } from '../../ui/Button.tsx'
import { CallDialog } from '../calls/CallDialog.tsx'
import { callPlaceOf } from '../calls/calls.ts'
import { useCallTeams } from '../calls/teams.ts'
import type { Work } from './work.ts'

const MEASURED_OUTSIDE = { symptom: 'outro', team: 'qualidade', topic: 'medicao-fora' } as const

/** The team to call after a reading outside, and the act of that reading, once it is on disk; empty: it never was. */
type Needed = { team: CallTeam; act: Promise<string> }

/** Said until somebody is called: the dialog may be closed, and the word would be all that there is. */
function NotCalled({ team, onCall }: { team: CallTeam; onCall: () => void }) {
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 font-semibold text-bad-ink">
      {teamTexts[team]} não foi chamada
      <Button onPress={onCall}>Chamar</Button>
    </p>
  )
}

/** Calls whom the red panel says that somebody has called. `onShow`: its dialog is open, or is not any more. */
export function useCallAfter(work: Work, onShow: (isShown: boolean) => void) {
  const { branch } = work
  const [needed, setNeeded] = useState<Needed | null>(null)
  const [isCalling, setCalling] = useState(false)
  const callsQuality = useCallTeams().includes('qualidade')
  const place = callPlaceOf(work)
  // of what is delivered later the section's own button tells
  const recorder = useRecorder(kinds.maintenanceCall, { place: { branch: '' } })
  const callFor = (act: string, reason: CallReason) => ({ branch, ...place, ...reason, act })
  const show = (isShown: boolean) => {
    setCalling(isShown)
    onShow(isShown)
  }
  /** By the tap that saves a sample: a call of its own act, for which neither waits. False: nobody is asked anything. */
  const begin = (action: MeasurementAction | undefined) => {
    const isForQuality = action === 'qualidade' && callsQuality
    const isAsked = action === 'manutencao' || (isForQuality && place.machine === '')
    let tell = (_act: string): void => undefined
    const act = new Promise<string>((resolve) => {
      tell = resolve
    })
    setNeeded(isAsked ? { team: isForQuality ? 'qualidade' : 'manutencao', act } : null)
    setCalling(isAsked)
    const onKept = (sample: string) => {
      tell(sample)
      if (!isAsked && isForQuality) void recorder.register(callFor(sample, MEASURED_OUTSIDE))
    }
    // a call is made also where the sample was not kept
    return { isAsked, onKept, onEnd: () => tell('') }
  }
  return {
    begin,
    isCalling,
    note: needed && !isCalling && <NotCalled team={needed.team} onCall={() => show(true)} />,
    dialog: needed && isCalling && (
      <CallDialog
        {...{ branch, place, team: needed.team, item: '' }}
        onCall={(machine, reason) => {
          setNeeded(null)
          show(false)
          void needed.act.then((act) => recorder.register({ ...callFor(act, reason), machine }))
        }}
        onClose={() => show(false)}
      />
    ),
  }
}
