import { useQuery } from '@tanstack/react-query'
import { type Machine, type MachineType, machines } from '../../../contract/machines.ts'
import { query } from '../../server/query.ts'
import { SelectorDialog } from './SelectorDialog.tsx'

const typeLabels: Record<MachineType, string> = {
  cabo: 'Cabo',
  'terminal-l1': 'Terminal Lado 1',
  'terminal-l2': 'Terminal Lado 2',
  juncao: 'Junção',
}

type Props = { branch: string; type?: MachineType; onSelect: (machine: Machine) => void; onClose: () => void }

export function MachineSelector({ branch, type, onSelect, onClose }: Props) {
  const list = useQuery(query(machines.list, { query: { filial: branch, ...(type ? { tipo: type } : {}) } }))
  return (
    <SelectorDialog
      reading={list}
      title={`Selecionar Máquina${type ? ` - ${typeLabels[type]}` : ''}`}
      filterLabel="Filtrar máquinas:"
      filterPlaceholder="Digite o ID, o fabricante ou a descrição"
      columns={[
        { label: 'ID', of: ({ id }) => id },
        { label: 'Fabricante', of: ({ fabricante }) => fabricante },
        { label: 'Descrição', of: ({ descricao }) => descricao },
      ]}
      rows={list.data}
      searchableText={({ id, fabricante, descricao }) => `${id}\n${fabricante}\n${descricao}`}
      loadingText="Carregando máquinas..."
      noMatchText="Nenhuma máquina encontrada com os critérios de filtro aplicados."
      emptyText="Nenhuma máquina disponível no sistema."
      errorText={list.isError && !list.data ? 'Erro ao carregar a lista de máquinas. Tente novamente.' : null}
      onSelect={onSelect}
      onClose={onClose}
    />
  )
}
