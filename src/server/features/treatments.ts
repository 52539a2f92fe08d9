import type { LiveChange } from '../../contract/live-changes.ts'
import { OCCURRENCE_DAYS, OCCURRENCES_PAGE, type TreatedKind, type Treatment } from '../../contract/treatments.ts'
import { addDays, dayStartMs, plantDay } from '../../domain/plant/plant-time.ts'
import { occurrencePeriod } from '../../domain/quality/occurrences.ts'
import { requirePlant } from '../acts/erp-copies.ts'
import { Answer } from '../http/refused.ts'
import type { Call } from '../panel.ts'
import { noteChanges } from '../store/live-changes.ts'
import { insertTreatment, listTreatments } from '../store/treatments.ts'
import { type AuditEvent, recordAuditEvent, signed } from '../upkeep/audit.ts'
import { requirePeriod } from './charts.ts'

type Wanted = { filial?: string | undefined; inicio?: string | undefined; fim?: string | undefined }

/** Days (`YYYY-MM-DD`) and their instants, the end exclusive. */
export function readSpan({ filial, ...days }: Wanted, { config, now }: Pick<Call, 'config' | 'now'>) {
  if (filial !== undefined) requirePlant(filial, { config })
  const { timeZone, plants } = config
  const today = plantDay(now(), timeZone)
  const { from, to } = occurrencePeriod(days, { today, days: OCCURRENCE_DAYS })
  requirePeriod({ inicio: from, fim: to })
  const branches = filial === undefined ? plants.map(({ code }) => code) : [filial]
  const span = { branches, from: dayStartMs(from, timeZone), before: dayStartMs(addDays(to, 1), timeZone) }
  return { from, to, span }
}

export const pageOf = <Row>(rows: readonly Row[], page: number): Row[] =>
  rows.slice((page - 1) * OCCURRENCES_PAGE, page * OCCURRENCES_PAGE)

export const namesOf = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => name !== '').sort((one, other) => one.localeCompare(other, 'pt-BR'))

type Treated = { kind: TreatedKind; subject: string; text: string; changes: LiveChange[] }

/** Resolves to all that was written about it. */
export async function treat(
  { kind, subject, text, changes }: Treated,
  event: Pick<AuditEvent, 'kind' | 'name' | 'details'>,
  call: Call,
): Promise<Answer<Treatment[]>> {
  const by = signed(call)
  const treatments = await call.db.transaction(async (tx) => {
    const isNew = await insertTreatment(tx, { kind, subject, text: text.trim(), ...by })
    if (isNew) {
      await recordAuditEvent(tx, call, { action: 'occurrence_treated', id: subject, reason: text.trim(), ...event })
      await noteChanges(tx, changes, by.at)
    }
    return (await listTreatments(tx, kind, [subject])).get(subject) ?? []
  })
  return new Answer(201, treatments)
}
