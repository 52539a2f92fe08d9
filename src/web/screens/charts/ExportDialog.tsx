import { FileSpreadsheet, Image } from 'lucide-react'
import { useState } from 'react'
import { chartCsv, chartFileName } from '../../../domain/charts.ts'
import { plantDay } from '../../../domain/plant-time.ts'
import { serverNow } from '../../device/clock.ts'
import { logFailure } from '../../device/log.ts'
import { pngOf } from '../../parts/charts/Chart.tsx'
import { useSettings } from '../../parts/settings.ts'
import { exportFile } from '../../server/export-file.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { type Contents, joined } from './contents.ts'

type Props = { contents: Contents; name: string; period: string; onClose: () => void }

export function ExportDialog({ contents, name, period, onClose }: Props) {
  const { timeZone } = useSettings()
  const [isDrawing, setDrawing] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const save = (content: Blob, extension: 'csv' | 'png') => {
    const fileName = chartFileName(`crimpagens_${name}`, plantDay(serverNow(), timeZone), extension)
    exportFile(content, fileName, 'grafico_crimpagens')
    onClose()
  }
  const saveNumbers = () => save(new Blob([chartCsv(joined(contents))], { type: 'text/csv;charset=utf-8' }), 'csv')
  const savePicture = async () => {
    setDrawing(true)
    setFailed(false)
    try {
      save(await pngOf([contents.perMonth, contents.perPart], period), 'png')
    } catch (error) {
      logFailure('Imagem dos gráficos', error)
      setFailed(true)
    } finally {
      setDrawing(false)
    }
  }
  return (
    <Dialog title="Exportar" isOpen onClose={onClose} isBusy={isDrawing}>
      <p>
        <strong className="code">{name}</strong> <span className="text-muted">{period}</span>
      </p>
      {hasFailed && <Alert>A imagem não pôde ser criada. Exporte os números.</Alert>}
      <Button
        wide
        size="lg"
        icon={<Image {...icon.md} />}
        busy={isDrawing}
        busyText="Criando a imagem..."
        onPress={() => void savePicture()}
      >
        Imagem dos dois gráficos (PNG)
      </Button>
      <Button wide size="lg" icon={<FileSpreadsheet {...icon.md} />} isDisabled={isDrawing} onPress={saveNumbers}>
        Números para planilha (CSV)
      </Button>
    </Dialog>
  )
}
