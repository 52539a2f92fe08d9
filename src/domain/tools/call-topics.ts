import type { CallSymptom, CallTopic } from '../../contract/maintenance-calls.ts'
import type { CallTeam } from '../../contract/values.ts'
import { roleTexts } from '../people/permissions.ts'
import { symptomTexts } from './call-symptoms.ts'

/** As the roles that answer them, where there is one. */
export const teamTexts: Record<CallTeam, string> = { ...roleTexts, material: 'Material' }

/** Apart from those of symptoms, which every page loads first. */
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

/** Reason of a call, in words. */
export const reasonText = ({ sintoma, assunto }: About): string =>
  assunto ? topicTexts[assunto] : symptomTexts[sintoma]
