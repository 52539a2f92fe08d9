import type { AuditAction, AuditEntry, AuditGroup, AuditSubject, PageExport } from '../../contract/audit-entries.ts'
import { UNLIMITED } from '../../contract/crimp-counters.ts'
import { stepTexts } from '../containments/containment-texts.ts'
import { dayText, momentTextOf } from '../plant/plant-time.ts'
import { planColumns } from '../quality/control-plan-imports.ts'
import { instrumentKindTexts } from '../quality/instruments.ts'
import { planApprovalTexts, planModeTexts } from '../quality/plan-gate.ts'
import { namingTexts } from '../reports/spc-names.ts'
import { type CsvColumns, csvText } from '../text/csv.ts'
import { countText } from '../text/numbers.ts'
import { teamTexts } from '../tools/call-topics.ts'
import { roleTexts } from './permissions.ts'

/** `day` is the plant's, `YYYY-MM-DD`. */
export const auditFileName = (day: string): string => `auditoria_${day}.csv`

export const auditColumns = (timeZone: string): CsvColumns<AuditEntry> => [
  ['Data e hora', (entry) => momentTextOf(timeZone)(entry.at)],
  ['Usuário', (entry) => csvText(entry.userName)],
  ['Ação', (entry) => csvText(auditActionTexts[entry.action])],
  ['Objeto', (entry) => csvText(auditSubjectText(entry))],
  ['Mudança', (entry) => csvText(auditDetailsText(entry.details))],
  ['Motivo', (entry) => csvText(entry.reason ?? '')],
  ['Linha', (entry) => String(entry.id)],
]

export const auditGroupTexts: Record<AuditGroup, string> = {
  pendencias: 'Pendências',
  qualidade: 'Qualidade',
  manutencao: 'Limites e manutenção',
  cadastros: 'Cadastros',
  documentos: 'Documentos',
  usuarios: 'Usuários e sessões',
  configuracao: 'Configuração',
  exportacoes: 'Exportações',
  acessos: 'Acessos',
  exportacoes_tela: 'Exportações da tela',
}

export const auditActionTexts: Record<AuditAction, string> = {
  corrected: 'Pendência corrigida',
  marked_delivered: 'Pendência marcada como entregue',
  discarded: 'Apontamento descartado',
  resent: 'Pendência reenviada',
  retained_taken: 'Apontamento retido aceito',
  retained_discarded: 'Apontamento retido descartado',
  recorded_below_limit: 'Apontado com força abaixo do mínimo',
  release_given: 'Liberação dada pela qualidade',
  plan_created: 'Plano de controle criado',
  plan_approved: 'Plano de controle aprovado',
  plan_ended: 'Plano de controle encerrado',
  plans_imported: 'Planos de controle importados',
  instrument_changed: 'Instrumento alterado',
  limits_set: 'Limites de controle recalculados',
  cause_noted: 'Causa anotada',
  measurement_invalidated: 'Medição invalidada',
  measurement_taken_back: 'Medição devolvida às contas',
  occurrence_treated: 'Ocorrência tratada',
  scrap_undone: 'Refugo desfeito',
  scrap_reason_changed: 'Motivo de refugo alterado',
  containment_opened: 'Contenção aberta',
  containment_window_changed: 'Janela de contenção mudada',
  containment_decided: 'Peças de contenção decididas',
  containment_closed: 'Contenção encerrada',
  containment_reopened: 'Contenção reaberta',
  containment_followed: 'Apontamentos recebidos depois',
  containment_printed: 'Contenção impressa',
  limit_changed: 'Limite alterado',
  maintenance_scheduled: 'Manutenção agendada',
  counter_reset: 'Contador zerado',
  call_resolved: 'Chamado resolvido',
  call_cancelled: 'Chamado cancelado',
  part_mounted: 'Peça montada',
  part_replaced: 'Peça trocada',
  part_removed: 'Peça retirada',
  task_created: 'Tarefa de manutenção criada',
  task_changed: 'Tarefa de manutenção alterada',
  task_run: 'Tarefa de manutenção feita',
  pair_created: 'Par cadastrado',
  pair_changed: 'Par alterado',
  pair_deleted: 'Par excluído',
  document_added: 'Documento incluído',
  document_revised: 'Revisão de documento incluída',
  document_changed: 'Documento alterado',
  revision_renamed: 'Nome da revisão corrigido',
  revision_withdrawn: 'Revisão retirada',
  revision_restored: 'Revisão recolocada',
  user_created: 'Usuário criado',
  user_changed: 'Usuário alterado',
  password_set: 'Senha trocada',
  session_ended: 'Sessão encerrada',
  badge_issued: 'Crachá emitido',
  badge_revoked: 'Crachá cancelado',
  badge_unblocked: 'Crachá liberado',
  pin_set: 'PIN definido',
  station_enrolled: 'Estação compartilhada criada',
  station_removed: 'Estação compartilhada retirada',
  board_enrolled: 'Quadro criado',
  board_removed: 'Quadro retirado',
  settings_changed: 'Configuração alterada',
  directory_tested: 'Diretório testado',
  log_cleared: 'Log do servidor limpo',
  log_tested: 'Entradas de teste no log do servidor',
  epoch_begun: 'Banco mais antigo que o já visto: nova época',
  epoch_doubt_dismissed: 'Dito que nada falta no banco',
  exported: 'Arquivo exportado',
  logged_in: 'Entrou',
  login_failed: 'Usuário ou senha errados',
  login_throttled: 'Tentativa recusada: muitas seguidas',
  logged_out: 'Saiu',
  session_over: 'Sessão encerrada',
  access_refused: 'Acesso negado',
  page_exported: 'Arquivo exportado pela tela',
}

export const pageExportTexts: Record<PageExport, string> = {
  historico_alteracoes: 'histórico de alterações',
  relatorio_producao: 'relatório de produção',
  grafico_producao: 'gráfico de produção',
  grafico_crimpagens: 'gráficos de crimpagens',
  grafico_cep: 'carta de controle',
  log_dispositivo: 'log do dispositivo',
  log_servidor: 'log do servidor',
}

/** Among identical exports within a minute the 1st, 2nd, 4th, 8th… get a line. */
export const isExportWritten = (count: number): boolean => Number.isInteger(Math.log2(count))

const subjectTexts: Record<AuditSubject, string> = {
  recording: 'Apontamento',
  counter: 'Mini aplicador',
  call: 'Chamado',
  task: 'Tarefa',
  applicator: 'Par de mini aplicador',
  sealing_station: 'Par de estação de selo',
  document: 'Documento',
  control_plan: 'Plano de controle',
  instrument: 'Instrumento',
  series: 'Série de medições',
  measurement: 'Medição',
  release: 'Liberação',
  finding: 'Ocorrência',
  scrap: 'Refugo',
  scrap_reason: 'Motivo de refugo',
  containment: 'Contenção',
  user: 'Usuário',
  session: 'Sessão de',
  station: 'Estação',
  settings: 'Configuração',
  log: 'Log do servidor',
  file: 'Arquivo',
  address: 'Endereço',
}

/** Names of the details that a person reads; anything else in them is for programs. */
const fieldTexts: Record<string, string> = {
  ...planColumns,
  fullName: 'Nome',
  role: 'Perfil',
  active: 'Acesso',
  label: 'Nome',
  limitWarningPercent: 'Aviso antes do limite (%)',
  limitRoles: 'Podem zerar e mudar limites',
  planMode: 'Fora do plano de controle',
  planApproval: 'Aprovação de planos de controle',
  instrumentMode: 'Instrumentos de medição',
  instrumentKind: 'Tipo',
  numberOfCrimps: 'Crimpagens',
  limitOfCrimps: 'Limite',
  serviceOrder: 'Ordem de serviço',
  maintenanceDate: 'Manutenção',
  comments: 'Comentários',
  part: 'Peça',
  usedCrimps: 'Usada antes',
  task: 'Tarefa',
  everyCrimps: 'A cada crimpagens',
  everyDays: 'A cada dias',
  taskActive: 'Em uso',
  doneDay: 'Feita em',
  note: 'Observação',
  terminal: 'Terminal',
  miniaplicator: 'Mini aplicador',
  seal: 'Selo',
  sealingStationName: 'Estação de selo',
  deviceName: 'Dispositivo',
  removed: 'Entradas apagadas',
  because: 'Porque',
  by: 'Por',
  barcode: 'Código de barras',
  position: 'Posição',
  force: 'Força',
  callState: 'Situação',
  callTeam: 'Equipe',
  callTeams: 'Quem se chama por aqui',
  cause: 'Causa',
  done: 'Feito',
  machine: 'Máquina',
  sessions: 'Sessões',
  askedBy: 'No tablet de',
  releasedPieces: 'Peças liberadas',
  call: 'Chamada',
  badge: 'Com crachá',
  basic: 'Senha em cada chamada',
  typedLength: 'Letras do nome digitado',
  more: 'Mais vezes, até um minuto depois',
  times: 'No mesmo dia',
  exports: 'No mesmo minuto',
  value: 'Valor',
  isSet: 'Guardada',
  planVersion: 'Versão',
  awaitsApproval: 'Aguarda aprovação',
  validFrom: 'Vale a partir de',
  plansCreated: 'Novas',
  plansChanged: 'Alteradas',
  plansSame: 'Iguais',
  codigo: 'Código',
  descricao: 'Descrição',
  resolucao: 'Resolução',
  calibradoAte: 'Calibrado até',
  ativo: 'Em uso',
  controlLimits: 'Limites',
  samples: 'Amostras',
  samplePeriod: 'Período',
  capabilityNames: 'Nomes dos índices',
  measurementCounts: 'Conta',
  readings: 'Leituras',
  pieces: 'Peças',
  containedRecordings: 'Apontamentos na contenção',
  windowStart: 'Início da janela',
  windowEnd: 'Fim da janela',
  scrapReason: 'Motivo de refugo',
  reasonPosition: 'Posição na lista',
  containmentStep: 'Decisão',
  containmentRows: 'Linhas',
  printed: 'Impresso',
}

/** Fields whose values are words of the panel, one or several. */
const words: Record<string, Record<string, string>> = {
  planApproval: planApprovalTexts,
  instrumentKind: instrumentKindTexts,
  planMode: planModeTexts,
  instrumentMode: planModeTexts,
  capabilityNames: namingTexts,
  containmentStep: stepTexts,
  role: roleTexts,
  limitRoles: roleTexts,
  callTeams: teamTexts,
}

const valueText = (field: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return '—'
  if (value === true) return 'Sim'
  if (value === false) return 'Não'
  if (field === 'limitOfCrimps' && value === UNLIMITED) return 'Ilimitado'
  if (field === 'times') return `${countText(Number(value))} vezes`
  if (/Crimps$/.test(field) && typeof value === 'number') return countText(value)
  const texts = words[field]
  if (texts)
    return [value]
      .flat()
      .map((one) => texts[String(one)] ?? String(one))
      .join(', ')
  return dayText(String(value))
}

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

function parsed(details: string): Fields {
  try {
    return fieldsOf(JSON.parse(details))
  } catch {
    return {}
  }
}

/** The subject of an entry, in words. */
export function auditSubjectText({ subject, details }: Pick<AuditEntry, 'subject' | 'details'>): string {
  const { name } = parsed(details)
  const called = typeof name === 'string' ? name : subject.id
  return [subjectTexts[subject.kind], called].filter(Boolean).join(' ')
}

/** The change, field by field: 'Limite: 100.000 → 50.000'. */
export function auditDetailsText(details: string): string {
  const { was, is, ...rest } = parsed(details)
  const [before, after] = [fieldsOf(was), fieldsOf(is)]
  const changed = Object.keys({ ...before, ...after }).flatMap((field) => {
    const text = fieldTexts[field]
    if (!text) return []
    const [old, young] = [valueText(field, before[field]), valueText(field, after[field])]
    if (!was || !is) return [`${text}: ${was ? old : young}`]
    return field in after && old !== young ? [`${text}: ${old} → ${young}`] : []
  })
  const others = Object.entries(rest).flatMap(([field, value]) =>
    fieldTexts[field] ? [`${fieldTexts[field]}: ${valueText(field, value)}`] : [],
  )
  return [...changed, ...others].join('; ')
}
