import { Download, FlaskConical, Trash2 } from 'lucide-react'
import { plantDay } from '../../../domain/plant/plant-time.ts'
import { serverNow } from '../../device/clock.ts'
import { useSettings } from '../../parts/settings.ts'
import { exportFile } from '../../server/export-file.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { entriesCsv, entriesJson, type ShownEntry } from './entries.ts'

type Props = {
  /** Entries for the file. */
  entries: readonly ShownEntry[]
  kind: keyof typeof fileNames
  isTesting?: boolean
  onTest: () => void
  onClear: () => void
  isEmpty: boolean
}

const fileNames = { log_dispositivo: 'log_deste_dispositivo', log_servidor: 'log_do_servidor' } as const

export function LogActions({ entries, kind, isTesting = false, onTest, onClear, isEmpty }: Props) {
  const { timeZone } = useSettings()
  const save = (content: string, type: string, ending: string) =>
    exportFile(new Blob([content], { type }), `${fileNames[kind]}_${plantDay(serverNow(), timeZone)}.${ending}`, kind)
  return (
    <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
      <Button
        icon={<Download {...icon.md} />}
        isDisabled={entries.length === 0}
        onPress={() => save(entriesCsv(entries, timeZone), 'text/csv;charset=utf-8', 'csv')}
      >
        Exportar CSV
      </Button>
      <Button
        icon={<Download {...icon.md} />}
        isDisabled={entries.length === 0}
        onPress={() => save(entriesJson(entries), 'application/json', 'json')}
      >
        Exportar JSON
      </Button>
      <Button icon={<FlaskConical {...icon.md} />} busy={isTesting} busyText="Gerando..." onPress={onTest}>
        Gerar entradas de teste
      </Button>
      <Button icon={<Trash2 {...icon.md} />} isDisabled={isEmpty} onPress={onClear}>
        Limpar
      </Button>
    </div>
  )
}
