import { ApplicatorForm, applicators } from '../../../contract/applicators.ts'
import { ManagementScreen } from '../../parts/management/ManagementScreen.tsx'
import type { Management } from '../../parts/management/management.ts'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'

const management: Management<keyof ApplicatorForm> = {
  topic: 'applicators',
  title: 'Gestão de Mini Aplicadores',
  subtitle: 'Os mini aplicadores de cada terminal',
  fields: [
    { name: 'terminal', label: 'Terminal', placeholder: 'Digite o terminal' },
    { name: 'miniaplicator', label: 'Miniaplicador', placeholder: 'Digite o miniaplicador' },
  ],
  schema: ApplicatorForm,
  changes: [applicators.list, applicators.listByTerminal],
  calls: {
    list: query(applicators.list, {}),
    get: (id) => call(applicators.get, { params: { id } }),
    create: (body) => call(applicators.create, { body }),
    update: ({ id, version }, body) => call(applicators.update, { params: { id }, body }, { versionSeen: version }),
    delete: ({ id, version }) => call(applicators.delete, { params: { id } }, { versionSeen: version }),
  },
  texts: {
    list: 'Mini aplicadores',
    loading: 'Carregando mini aplicadores...',
    empty: 'Nenhum mini aplicador encontrado. Clique em "Adicionar" para criar o primeiro.',
    createTitle: 'Novo mini aplicador',
    editTitle: 'Editar mini aplicador',
    created: 'Mini aplicador criado com sucesso',
    updated: 'Mini aplicador atualizado com sucesso',
    deleted: 'Mini aplicador excluído com sucesso',
    loadFailed: 'Erro ao carregar mini aplicadores',
    createFailed: 'Erro ao criar mini aplicador',
    updateFailed: 'Erro ao atualizar mini aplicador',
    deleteFailed: 'Erro ao excluir mini aplicador',
    deleteQuestion: (pair) =>
      `Tem certeza que deseja excluir o mini aplicador "${pair}"? Esta ação não pode ser desfeita.`,
    editNote: 'Mudar o nome do miniaplicador não muda o contador de crimpagens: ele fica com o nome anterior.',
    deleteNote: 'O contador de crimpagens do mini aplicador continua guardado.',
  },
}

export const ApplicatorsScreen = () => <ManagementScreen management={management} />
