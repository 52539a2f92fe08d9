import { ClipboardCheck, Download, Filter as FilterIcon, RefreshCw } from 'lucide-react'
import { useRef } from 'react'
import { NAME_LENGTH_MAX } from '../../../contract/applicators.ts'
import { useFilterKey } from '../../parts/useFilterKey.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { TextField } from '../../ui/TextField.tsx'
import type { Filter } from './filters.ts'

type Props = {
  filter: Filter
  /** 'Mostrando 3 de 30 mini aplicadores'. */
  countText: string
  isLoading: boolean
  onRefresh: () => void
  exportFile?: ExportFile
  /** The maintenance records, which the law asks for. */
  exportRecords?: ExportFile
}

type ExportFile = { isBusy: boolean; onPress: () => void }

export function FilterRow({ filter, countText, isLoading, onRefresh, exportFile, exportRecords }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useFilterKey(box)
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <div className="min-w-60 flex-1 max-md:min-w-full">
        <TextField
          label="Filtrar por mini aplicador"
          placeholder="Digite para filtrar"
          value={filter.typed}
          onChange={filter.change}
          maxLength={NAME_LENGTH_MAX}
          autoComplete="off"
          leading={<FilterIcon {...icon.md} />}
          inputRef={box}
        />
      </div>
      <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
        {exportFile && (
          <Button
            size="lg"
            icon={<Download {...icon.md} />}
            busy={exportFile.isBusy}
            busyText="EXPORTANDO..."
            onPress={exportFile.onPress}
          >
            EXPORTAR ARQUIVO
          </Button>
        )}
        {exportRecords && (
          <Button
            size="lg"
            icon={<ClipboardCheck {...icon.md} />}
            busy={exportRecords.isBusy}
            busyText="EXPORTANDO..."
            onPress={exportRecords.onPress}
          >
            REGISTROS NR-12
          </Button>
        )}
        <Button
          size="lg"
          icon={<RefreshCw {...icon.md} />}
          busy={isLoading}
          busyText="CARREGANDO..."
          onPress={onRefresh}
        >
          ATUALIZAR
        </Button>
      </div>
      <p role="status" className="w-full text-sm text-muted">
        {countText}
      </p>
    </div>
  )
}
