import type { Series } from '../../contract/spc.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import type { SeriesPlace } from '../../domain/reports/spc.ts'
import { symptomTexts } from '../../domain/tools/call-symptoms.ts'
import { partName } from '../../domain/tools/wear-parts.ts'
import type { Reader } from './db/db.ts'

type Mark = Series['marcas'][number]
/** Epoch ms; both belong to it. */
type Stretch = { from: number; to: number }

const markOf = (tipo: Mark['tipo'], at: number, texto: string): Mark => ({ em: toInstant(at), tipo, texto })

/** Care of the tool: counter resets, resolved calls, mounted parts, tasks done. */
async function listCare(db: Reader, { branch, unitKey }: SeriesPlace, { from, to }: Stretch): Promise<Mark[]> {
  const resets = await db
    .selectFrom('crimp_history')
    .select('at')
    .where((e) => e.and({ unit_key: unitKey, change: 'reset' }))
    .where((e) => e.between('at', from, to))
    .execute()
  const calls = await db
    .selectFrom('maintenance_calls')
    .select(['settled_at as at', 'call_number as number', 'symptom'])
    .where((e) => e.and({ branch, unit_key: unitKey, team: 'manutencao', state: 'resolvido' }))
    .where((e) => e.between('settled_at', from, to))
    .execute()
  const parts = await db
    .selectFrom('wear_parts')
    .select(['mounted_at as at', 'kind', 'code'])
    .where('unit_key', '=', unitKey)
    .where((e) => e.between('mounted_at', from, to))
    .execute()
  const runs = await db
    .selectFrom('task_runs as r')
    .innerJoin('maintenance_tasks as t', 't.id', 'r.task_id')
    .select(['r.recorded_at as at', 't.name'])
    .where('r.unit_key', '=', unitKey)
    .where((e) => e.between('r.recorded_at', from, to))
    .execute()
  return [
    ...resets.map(({ at }) => markOf('manutencao', at, 'Contador zerado')),
    ...calls.map(({ at, number, symptom }) =>
      markOf('manutencao', at ?? from, `Chamado ${number}: ${symptomTexts[symptom]}`),
    ),
    ...parts.map(({ at, ...part }) => markOf('manutencao', at, `Peça montada: ${partName(part)}`)),
    ...runs.map(({ at, name }) => markOf('manutencao', at, name)),
  ]
}

/** Where a version of a plan began that may speak of the series. */
async function listPlanStarts(db: Reader, place: SeriesPlace, { from, to }: Stretch): Promise<Mark[]> {
  const { branch, unitKey, terminalKey, gaugeMilli } = place
  const plans = await db
    .selectFrom('control_plans')
    .select(['valid_from as at', 'valid_until', 'version', 'unit'])
    .where((e) => e.and({ terminal_key: terminalKey, gauge_milli: gaugeMilli }))
    .where('branch', 'in', ['', branch])
    .where((e) => e.between('valid_from', from, to))
    .execute()
  return plans
    .filter(({ at, valid_until, unit }) => valid_until !== at && ['', unitKey].includes(nameKey(unit)))
    .map(({ at, version }) => markOf('plano', at, `Plano v${version}`))
}

export const listMarks = async (db: Reader, place: SeriesPlace, stretch: Stretch): Promise<Mark[]> => [
  ...(await listCare(db, place, stretch)),
  ...(await listPlanStarts(db, place, stretch)),
]
