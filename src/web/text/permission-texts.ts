import type { Permission } from '../../contract/values.ts'

/** Each permission in words, as the manual's table shows it. Apart from who has it: a page needs them where somebody may not. */
export const permissionTexts: Record<Permission, string> = {
  session: 'Entrar e sair',
  account: 'Trocar a própria senha, ver e encerrar as próprias sessões',
  board: 'Ver o painel de equipamentos',
  read: 'Procurar e ver ordens, junções, contadores, gráficos, relatórios e documentos',
  record: 'Apontar, conferir o corte, chamar, atender chamados de Material, corrigir as próprias pendências',
  tools: 'Cadastrar mini aplicadores e estações de selos, agendar manutenção',
  limits: 'Zerar contadores e mudar limites',
  maintain: 'Atender chamados de manutenção, trocar peças, cuidar das tarefas',
  correct: 'Corrigir pendências de outras pessoas, atender chamados do Líder',
  documents: 'Incluir, revisar e retirar documentos',
  plans:
    'Mudar planos, instrumentos e motivos de refugo, tratar ocorrências, atender chamados e ler a trilha da qualidade',
  dispose: 'Decidir contenções',
  decide: 'Decidir pendências e retidos',
  administer: 'Usuários, sessões de todos, configuração, auditoria e logs do servidor',
}
