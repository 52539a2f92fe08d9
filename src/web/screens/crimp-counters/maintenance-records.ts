import { type MaintenanceRecord, type SafetyCondition, safetyConditions } from '../../../contract/crimp-counters.ts'

/** As it is typed; all of it empty where nobody writes a record here. */
export type RecordForm = {
  serviceDone: string
  parts: string
  safetyCondition: SafetyCondition | ''
  responsible: string
}

export const emptyRecord: RecordForm = { serviceDone: '', parts: '', safetyCondition: '', responsible: '' }

export const recordFields = [
  'serviceDone',
  'parts',
  'safetyCondition',
  'responsible',
] as const satisfies (keyof RecordForm)[]

export type RecordProblems = Partial<Record<keyof RecordForm, string>>

export const isBegun = (form: RecordForm): boolean => recordFields.some((field) => form[field].trim() !== '')

/** A record is optional; one that was begun is finished. */
export function recordProblems(form: RecordForm): RecordProblems {
  if (!isBegun(form)) return {}
  return {
    ...(form.serviceDone.trim() === '' ? { serviceDone: 'Informe o serviço realizado.' } : {}),
    ...(form.safetyCondition === '' ? { safetyCondition: 'Informe a condição de segurança.' } : {}),
    ...(form.responsible.trim() === '' ? { responsible: 'Informe o responsável.' } : {}),
  }
}

/** What travels with a change; nothing where no record was written. */
export function recordToSend(form: RecordForm): { maintenanceRecord?: MaintenanceRecord } {
  const safetyCondition = safetyConditions.find((known) => known === form.safetyCondition)
  if (!isBegun(form) || !safetyCondition) return {}
  const { serviceDone, parts, responsible } = form
  return {
    maintenanceRecord: {
      serviceDone: serviceDone.trim(),
      parts: parts.trim(),
      safetyCondition,
      responsible: responsible.trim(),
    },
  }
}
