import type { CrimpCounter, Forecast, WearPart } from '../../contract/crimp-counters.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { addDays, plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import { FORECAST_DAYS, forecaster } from '../../domain/tools/tool-life.ts'
import { partCrimps } from '../../domain/tools/wear-parts.ts'
import type { Call } from '../panel.ts'
import { findCrimpCounter, listCrimpCounters, type StoredCounter } from '../store/crimp-counters.ts'
import { listCrimpsByDay } from '../store/crimps-by-day.ts'
import { listMountedParts, type MountedPart } from '../store/wear-parts.ts'

export type Reading = Pick<Call, 'db' | 'now' | 'config'>

/** When what wears with a unit reaches its limit. */
type Forecaster = (wear: Pick<CrimpCounter, 'numberOfCrimps' | 'limitOfCrimps'>) => Forecast

const wearPart = (part: MountedPart, unit: StoredCounter, forecast: Forecaster): WearPart => {
  const { id, kind, code, limitOfCrimps } = part
  const wear = { numberOfCrimps: partCrimps(unit.lifetimeCrimps, part), limitOfCrimps }
  return { id, kind, code, ...wear, mountedAt: toInstant(part.mountedAt), previsao: forecast(wear) }
}

/** Units as they wear: with their parts, and by what they crimped on the days before today. */
export async function readLives({ db, now, config }: Reading, unitKey: string | null) {
  const today = plantDay(now(), config.timeZone)
  const period = { from: addDays(today, -FORECAST_DAYS), to: addDays(today, -1) }
  const rowsOf = Map.groupBy(await listCrimpsByDay(db.read, period, unitKey), (row) => row.unitKey)
  const partsOf = Map.groupBy(await listMountedParts(db.read, unitKey), (part) => part.unitKey)
  const forecasterOf = (key: string): Forecaster =>
    forecaster(new Map((rowsOf.get(key) ?? []).map(({ day, crimps }) => [day, crimps])), today)
  const lifeOf = (unit: StoredCounter): { unit: CrimpCounter; forecast: Forecaster } => {
    const key = nameKey(unit.miniaplicator)
    const forecast = forecasterOf(key)
    const pecas = (partsOf.get(key) ?? []).map((part) => wearPart(part, unit, forecast))
    return { unit: { ...unit, previsao: forecast(unit), pecas }, forecast }
  }
  return { today, lifeOf }
}

export async function listUnits(call: Reading): Promise<CrimpCounter[]> {
  const units = await listCrimpCounters(call.db.read)
  const { lifeOf } = await readLives(call, null)
  return units.map((unit) => lifeOf(unit).unit)
}

/** The unit as it was read, with what else there is to say of it. */
export async function withLife(unit: StoredCounter | null, call: Reading): Promise<CrimpCounter | null> {
  return unit && (await readLives(call, nameKey(unit.miniaplicator))).lifeOf(unit).unit
}

export const findUnit = async (name: string, call: Reading): Promise<CrimpCounter | null> =>
  withLife(await findCrimpCounter(call.db.read, name), call)
