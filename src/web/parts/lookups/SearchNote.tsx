import { BARCODE_LENGTH } from '../../../contract/values.ts'
import { useSettings } from '../settings.ts'

type Props = {
  term: string
  plant: string
  isUpdating: boolean
  /** The term is known as something that is no order. */
  isOther?: boolean
}

/** The search behind the list below. */
export function SearchNote({ term, plant, isUpdating, isOther = false }: Props) {
  const { plants } = useSettings()
  const kind = term.length === BARCODE_LENGTH ? ' (Código de barras)' : isOther ? '' : ' (Ordem de produção)'
  const label = plants.find(({ code }) => code === plant)?.label ?? plant
  return (
    <p className="text-sm text-muted">
      Última pesquisa: <strong className="code text-ink">{term}</strong>
      {kind} - Filial: {label}
      {isUpdating && <span className="animate-late"> · Atualizando...</span>}
    </p>
  )
}
