import { type AuditGroup, auditGroups } from '../../../contract/audit-entries.ts'
import { addDays, dayStartMs, toInstant } from '../../../domain/plant-time.ts'

export type AuditFilter = {
  group: AuditGroup | ''
  /** Days at the plant, both within; empty: open. */
  from: string
  to: string
  text: string
}

export const everything: AuditFilter = { group: '', from: '', to: '', text: '' }
export const isFiltered = (filter: AuditFilter): boolean => Object.values(filter).some((chosen) => chosen !== '')
export const groups = Object.keys(auditGroups) as AuditGroup[]

export const auditQueryOf = ({ group, from, to, text }: AuditFilter, timeZone: string) => ({
  ...(group === '' ? {} : { tipo: group }),
  ...(from === '' ? {} : { inicio: toInstant(dayStartMs(from, timeZone)) }),
  ...(to === '' ? {} : { fim: toInstant(dayStartMs(addDays(to, 1), timeZone) - 1) }),
  ...(text === '' ? {} : { texto: text }),
})
