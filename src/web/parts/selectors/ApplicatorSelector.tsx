import { useQuery } from '@tanstack/react-query'
import { type ApplicatorPair, applicators, UNREGISTERED } from '../../../contract/applicators.ts'
import { query } from '../../server/query.ts'
import { SelectorDialog } from './SelectorDialog.tsx'

type Choice = Pick<ApplicatorPair, 'terminal' | 'miniaplicator'>
type Props = { terminal?: string | null; onSelect: (choice: Choice) => void; onClose: () => void }

export function ApplicatorSelector({ terminal, onSelect, onClose }: Props) {
  const list = useQuery(
    terminal ? query(applicators.listByTerminal, { params: { terminal } }) : query(applicators.list, {}),
  )
  return (
    <SelectorDialog<Choice>
      reading={list}
      title={`Selecionar Mini Aplicador${terminal ? ` - Terminal ${terminal}` : ''}`}
      filterLabel="Filtrar mini aplicadores:"
      filterPlaceholder="Digite o terminal ou o mini aplicador"
      columns={[
        { label: 'Terminal', of: (row) => row.terminal },
        { label: 'Mini Aplicador', of: ({ miniaplicator }) => miniaplicator },
      ]}
      rows={list.data}
      searchableText={(row) => `${row.terminal}\n${row.miniaplicator}`}
      loadingText="Carregando mini aplicadores..."
      noMatchText="Nenhum mini aplicador encontrado com os critérios de filtro aplicados."
      emptyText={
        terminal
          ? `Nenhum mini aplicador cadastrado para o terminal ${terminal}.`
          : 'Nenhum mini aplicador disponível no sistema.'
      }
      fallback={{ terminal: terminal || 'N/A', miniaplicator: UNREGISTERED }}
      errorText={list.isError && !list.data ? 'Erro ao carregar a lista de mini aplicadores. Tente novamente.' : null}
      onSelect={onSelect}
      onClose={onClose}
    />
  )
}
