import { Download } from 'lucide-react'
import { useState } from 'react'
import { plantDay } from '../../domain/plant/plant-time.ts'
import { serverNow } from '../device/clock.ts'
import { saveFile } from '../device/save-file.ts'
import { showToast } from '../device/toasts.ts'
import { errorText } from '../server/api.ts'
import { Button } from '../ui/Button.tsx'
import { icon } from '../ui/icon-sizes.ts'
import { useSettings } from './settings.ts'

type ServerFile = {
  ask: () => Promise<Blob>
  /** File name for the day at the plant on which it is saved. */
  nameOf: (day: string) => string
  /** Where its screen has a place for it; else a toast tells. */
  onFailure?: (error: unknown) => void
}

const tell = (error: unknown) => showToast({ kind: 'error', text: errorText(error) })

/** For a button that saves a file which the server writes. */
export function useServerFile({ ask, nameOf, onFailure = tell }: ServerFile) {
  const { timeZone } = useSettings()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveFile(await ask(), nameOf(plantDay(serverNow(), timeZone)))
    } catch (error) {
      onFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, onPress: () => void save() }
}

type ExportProps = Pick<ServerFile, 'ask' | 'nameOf'> & { size?: 'lg'; isDisabled?: boolean }

/** Of what the server writes as a spreadsheet: also of lines that are too many to be shown. */
export function ExportButton({ ask, nameOf, ...look }: ExportProps) {
  const { isBusy, onPress } = useServerFile({ ask, nameOf })
  return (
    <Button
      {...look}
      icon={<Download {...icon.md} className="shrink-0" />}
      busy={isBusy}
      busyText="Exportando..."
      onPress={onPress}
    >
      Exportar CSV
    </Button>
  )
}
