import { useQuery } from '@tanstack/react-query'
import { type Machine, type MachineType, machines } from '../../../contract/machines.ts'
import { machinesAt } from '../../../domain/forms/form-lists.ts'
import { usePreferences } from '../../device/preferences.ts'
import { query } from '../../server/query.ts'
import { SelectorDialog } from './SelectorDialog.tsx'

const typeLabels: Record<MachineType, string> = {
  cabo: 'Cabo',
  'terminal-l1': 'Terminal Lado 1',
  'terminal-l2': 'Terminal Lado 2',
  juncao: 'Junção',
}

type Props = {
  branch: string
  type?: MachineType
  /** Work that was done elsewhere: this device's workplace is none of its business. */
  isElsewhere?: boolean
  onSelect: (machine: Machine) => void
  onClose: () => void
}

export function MachineSelector({ branch, type, isElsewhere = false, onSelect, onClose }: Props) {
  const { workplace } = usePreferences()
  const list = useQuery(query(machines.list, { query: { filial: branch, ...(type ? { tipo: type } : {}) } }))
  const rows = isElsewhere ? list.data : list.data && machinesAt(workplace.machines, list.data)
  const isLimited = rows !== undefined && rows.length < (list.data?.length ?? 0)
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
      rows={rows}
      note={
        isLimited ? `Só as máquinas de ${workplace.name}. As outras se ligam em Configurações, Este dispositivo.` : null
      }
      loadingText="Carregando máquinas..."
      noMatchText="Nenhuma máquina encontrada com os critérios de filtro aplicados."
      emptyText="Nenhuma máquina disponível no sistema."
      errorText={list.isError && !list.data ? 'Erro ao carregar a lista de máquinas. Tente novamente.' : null}
      onSelect={onSelect}
      onClose={onClose}
    />
  )
}
