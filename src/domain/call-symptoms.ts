import type { CallSymptom, CallTopic } from '../contract/maintenance-calls.ts'
import type { CallTeam } from '../contract/values.ts'

/** Apart from the rest of calls: what waits on a tablet is told by them, so that every page loads them first. */
export const symptomTexts: Record<CallSymptom, string> = {
  'altura-fora': 'Altura fora',
  'forca-baixa': 'Força baixa',
  'terminal-nao-avanca': 'Terminal não avança',
  'corte-do-talao': 'Corte do talão ruim',
  'selo-falha': 'Selo falha',
  'maquina-parada': 'Máquina parada',
  outro: 'Outro',
}

export const teamTexts: Record<CallTeam, string> = {
  manutencao: 'Manutenção',
  qualidade: 'Qualidade',
  material: 'Material',
  lider: 'Líder',
}

export const topicTexts: Record<CallTopic, string> = {
  'medicao-fora': 'Medição fora',
  'peca-duvidosa': 'Peça duvidosa',
  'plano-em-duvida': 'Plano em dúvida',
  'terminal-acabando': 'Terminal acabando',
  'cabo-acabando': 'Cabo acabando',
  'selo-acabando': 'Selo acabando',
  'lote-errado': 'Lote errado',
  ajuda: 'Ajuda',
  outro: 'Outro',
}

/** A server of the version before knows no teams: there all are for maintenance. */
export const teamOf = ({ equipe = 'manutencao' }: { equipe?: CallTeam | undefined }): CallTeam => equipe

type About = { sintoma: CallSymptom; assunto?: CallTopic | '' | undefined }

/** What somebody is called for. */
export const reasonText = ({ sintoma, assunto }: About): string =>
  assunto ? topicTexts[assunto] : symptomTexts[sintoma]
