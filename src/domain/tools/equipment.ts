import { COMPARED_DAYS, type Equipment } from '../../contract/equipment.ts'
import type { Machine } from '../../contract/machines.ts'
import type { MaintenanceCall } from '../../contract/maintenance-calls.ts'
import { nameKey } from '../acts/recordings.ts'
import { machineIdIn } from '../forms/recording-form.ts'
import { addDays, dayStartMs, plantDay } from '../plant/plant-time.ts'
import { type Shift, type ShiftPlan, type Span, shiftAt, shiftOf } from '../plant/shifts.ts'
import { type WearLevel, wearLevel } from './crimp-counters.ts'

export type EquipmentState = 'producing' | 'stopped' | 'unused'

/** A machine with which somebody recorded so recently is at work. */
const PRODUCING_MS_MAX = 15 * 60_000

/** A machine's state is known only from the last recording made with it (decision 011). */
export function equipmentState(
  { ultimo }: Pick<Equipment, 'ultimo'>,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): EquipmentState {
  if (ultimo === null) return 'unused'
  const lastMs = Date.parse(ultimo.quando)
  if (nowMs - lastMs <= PRODUCING_MS_MAX) return 'producing'
  return plantDay(lastMs, timeZone) === plantDay(nowMs, timeZone) ? 'stopped' : 'unused'
}

type OpenCall = Pick<MaintenanceCall, 'situacao' | 'abertoEm'>
type Watched = Pick<Equipment, 'miniaplicador'> & { state: EquipmentState; call?: OpenCall | undefined }

/** The sooner somebody is needed, the earlier its row. */
const attention: readonly ((state: EquipmentState, wear: WearLevel | null, call?: OpenCall) => boolean)[] = [
  (_state, _wear, call) => call?.situacao === 'aberto',
  (state, _wear, call) => state !== 'unused' && call !== undefined,
  (state, wear) => state !== 'unused' && wear === 'reached',
  (state) => state === 'stopped',
  (state, wear) => state !== 'unused' && wear === 'near',
  (state) => state === 'producing',
  () => true,
]

export const toolWear = ({ miniaplicador }: Pick<Equipment, 'miniaplicador'>, warningPercent: number) =>
  miniaplicador &&
  wearLevel({ numberOfCrimps: miniaplicador.crimpagens, limitOfCrimps: miniaplicador.limite }, warningPercent)

/** Whatever needs somebody comes first, whoever has called for longest before all, in each group as before. */
export function attentionFirst<T extends Watched>(machines: readonly T[], warningPercent: number): T[] {
  const rank = (one: T) => attention.findIndex((needs) => needs(one.state, toolWear(one, warningPercent), one.call))
  const calledAt = ({ call }: T) => (call ? Date.parse(call.abertoEm) : 0)
  return machines.toSorted((one, other) => rank(one) - rank(other) || calledAt(one) - calledAt(other))
}

/** The call that a machine waits with: one that nobody attends before the others, the oldest of them. */
export function openCallOf<T extends OpenCall & Pick<MaintenanceCall, 'maquina'>>(
  machine: string,
  openCalls: readonly T[],
): T | undefined {
  const isHere = (name: string) => nameKey(name) === nameKey(machine)
  const here = openCalls.filter(({ maquina }) => isHere(maquina) || isHere(machineIdIn(maquina)))
  return here.find(({ situacao }) => situacao === 'aberto') ?? here[0]
}

const SEPARATOR = ' - '

/**
 * Finds the machine that a recording names: the listed one whose id the name begins with (the longest, as ids may hold
 * the separator too), else one by the id that stands before it.
 */
export function machineFinder(listed: readonly Machine[]): (name: string) => string {
  const known = new Set(listed.map(({ id }) => nameKey(id)))
  return (name) => {
    const words = name.split(SEPARATOR)
    for (let count = words.length; count > 0; count--) {
      const id = nameKey(words.slice(0, count).join(SEPARATOR))
      if (known.has(id)) return id
    }
    return nameKey(machineIdIn(name))
  }
}

/** A machine that the ERP does not list, named as a recording spelled it. */
export function unlistedMachine(name: string): Machine {
  const id = machineIdIn(name)
  return { id: id.trim(), fabricante: name.slice(id.length + SEPARATOR.length).trim(), descricao: '' }
}

/** Today and this shift, each with those of the seven days before: the nearest first. */
type ComparedSpans = { day: string; shift: Shift; today: Span; days: Span[]; shifts: Span[] }

export function comparedSpans(nowMs: number, plan: ShiftPlan): ComparedSpans {
  const day = plantDay(nowMs, plan.timeZone)
  const shift = shiftAt(nowMs, plan)
  const dayBefore = (count: number): Span => ({
    startMs: dayStartMs(addDays(day, -count), plan.timeZone),
    endMs: dayStartMs(addDays(day, 1 - count), plan.timeZone),
  })
  const before = Array.from({ length: COMPARED_DAYS }, (_, at) => at + 1)
  return {
    day,
    shift,
    today: dayBefore(0),
    days: before.map(dayBefore),
    shifts: before.map((count) => shiftOf(addDays(shift.day, -count), shift.nth, plan)),
  }
}

/** Mean over the days with any: a plant that rests on Sundays is not compared with its Sundays. Null: none had. */
export function meanOfWorked(pieces: readonly number[]): number | null {
  const worked = pieces.filter((count) => count > 0)
  return worked.length === 0 ? null : Math.round(worked.reduce((sum, count) => sum + count, 0) / worked.length)
}
