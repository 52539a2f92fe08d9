import { SealingStationForm, sealingStations } from '../../../contract/sealing-stations.ts'
import { ManagementScreen } from '../../parts/management/ManagementScreen.tsx'
import type { Management } from '../../parts/management/management.ts'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'

const management: Management<keyof SealingStationForm> = {
  topic: 'sealing-stations',
  title: 'Gestão de Estações de Selos',
  subtitle: 'As estações que aplicam cada selo',
  fields: [
    { name: 'seal', label: 'Seal', placeholder: 'Digite o seal' },
    { name: 'sealingStationName', label: 'Estação de Selo', placeholder: 'Digite a estação de selo' },
  ],
  schema: SealingStationForm,
  changes: [sealingStations.list, sealingStations.listBySeal],
  calls: {
    list: query(sealingStations.list, {}),
    get: (id) => call(sealingStations.get, { params: { id } }),
    create: (body) => call(sealingStations.create, { body }),
    update: ({ id, version }, body) => call(sealingStations.update, { params: { id }, body }, { versionSeen: version }),
    delete: ({ id, version }) => call(sealingStations.delete, { params: { id } }, { versionSeen: version }),
  },
  texts: {
    list: 'Estações de selo',
    loading: 'Carregando estações de selo...',
    empty: 'Nenhuma estação de selo encontrada. Clique em "Adicionar" para criar a primeira.',
    createTitle: 'Nova estação de selo',
    editTitle: 'Editar estação de selo',
    created: 'Estação de selo criada com sucesso',
    updated: 'Estação de selo atualizada com sucesso',
    deleted: 'Estação de selo excluída com sucesso',
    loadFailed: 'Erro ao carregar estações de selo',
    createFailed: 'Erro ao criar estação de selo',
    updateFailed: 'Erro ao atualizar estação de selo',
    deleteFailed: 'Erro ao excluir estação de selo',
    deleteQuestion: (pair) =>
      `Tem certeza que deseja excluir a estação de selo "${pair}"? Esta ação não pode ser desfeita.`,
  },
}

export const SealingStationsScreen = () => <ManagementScreen management={management} />
