import { useQuery, useQueryClient } from '@tanstack/react-query'
import { UNREGISTERED } from '../../../contract/applicators.ts'
import { type SealingStation, sealingStations } from '../../../contract/sealing-stations.ts'
import { present } from '../../../domain/acts/recordings.ts'
import { query } from '../../server/query.ts'
import { stationsAtHand } from '../lookups/known.ts'
import { SelectorDialog } from './SelectorDialog.tsx'

type Choice = Pick<SealingStation, 'seal' | 'sealingStationName'>
type Lookup = { failed: boolean }
type Props = {
  seal: string | null
  onSelect: (choice: Choice, lookup: Lookup) => void
  onClose: (lookup: Lookup) => void
}

/** Only a look-up that answered empty offers 'Sem Cadastro'; a failed one says so, and the recording remembers it. */
export function SealingStationSelector({ seal, onSelect, onClose }: Props) {
  const wanted = present(seal ?? '')
  const list = useQuery({
    ...query(sealingStations.listBySeal, { params: { seal: wanted ?? '' } }),
    enabled: wanted !== null,
    gcTime: 0,
  })
  const client = useQueryClient()
  const rows = wanted === null ? [] : (list.data ?? stationsAtHand(client, wanted))
  const lookup = { failed: list.isError && !rows }
  return (
    <SelectorDialog<Choice>
      reading={list}
      title={`Selecionar Seladora${wanted ? ` - Selo ${wanted}` : ''}`}
      filterLabel="Filtrar seladoras:"
      filterPlaceholder="Digite o selo ou a seladora"
      columns={[
        { label: 'Selo', of: (row) => row.seal },
        { label: 'Seladora', of: ({ sealingStationName }) => sealingStationName },
      ]}
      rows={rows}
      loadingText="Carregando seladoras..."
      noMatchText="Nenhuma seladora encontrada com os critérios de filtro aplicados."
      emptyText={
        wanted ? `Nenhuma seladora cadastrada para o selo ${wanted}.` : 'Nenhuma seladora disponível no sistema.'
      }
      fallback={{ seal: wanted ?? 'N/A', sealingStationName: UNREGISTERED }}
      errorText={lookup.failed ? 'Não foi possível consultar as seladoras' : null}
      onSelect={(choice) => onSelect(choice, lookup)}
      onClose={() => onClose(lookup)}
    />
  )
}
