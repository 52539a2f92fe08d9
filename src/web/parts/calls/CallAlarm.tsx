import type { MaintenanceCall } from '../../../contract/maintenance-calls.ts'
import { reasonText, teamOf, teamTexts } from '../../../domain/tools/call-topics.ts'
import { showToast } from '../../device/toasts.ts'
import { useSettings } from '../settings.ts'
import { useCallBell } from './bell.ts'
import { useCalls } from './calls.ts'

const say = (rung: readonly MaintenanceCall[]) => {
  for (const one of rung) {
    const title = `Chamado ${one.numero}: ${teamTexts[teamOf(one)]}`
    showToast({ kind: 'warning', title, text: `${one.maquina} · ${reasonText(one)}` })
  }
}

function PlantAlarm({ branch }: { branch: string }) {
  useCallBell(useCalls(branch).data?.chamados, say)
  return null
}

/** Whatever screen is open: rings, and says who waits where. */
export function CallAlarm() {
  const { plants } = useSettings()
  return plants.map(({ code }) => <PlantAlarm key={code} branch={code} />)
}
