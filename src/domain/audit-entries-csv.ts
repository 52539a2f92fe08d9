import type { AuditEntry } from '../contract/audit-entries.ts'
import { auditActionTexts, auditDetailsText, auditMomentText, auditSubjectText } from './audit-entries.ts'
import { csvText } from './csv.ts'

/** `day` is the plant's, `YYYY-MM-DD`. */
export const auditFileName = (day: string): string => `auditoria_${day}.csv`

/** In the order of the cells. */
export const auditHeads = ['Data e hora', 'Usuário', 'Ação', 'Objeto', 'Mudança', 'Motivo', 'Linha']

/** One line of the trail as the cells of a file. */
export const auditCells = (entry: AuditEntry, timeZone: string): string[] => [
  auditMomentText(entry.at, timeZone),
  csvText(entry.userName),
  csvText(auditActionTexts[entry.action]),
  csvText(auditSubjectText(entry)),
  csvText(auditDetailsText(entry.details)),
  csvText(entry.reason ?? ''),
  String(entry.id),
]
