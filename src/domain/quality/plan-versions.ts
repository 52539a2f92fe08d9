import type { PlanContent } from '../../contract/control-plans.ts'
import { foldedName } from '../../contract/names.ts'
import { nameKey } from '../acts/recordings.ts'
import { dayStartMs, plantDay } from '../plant/plant-time.ts'
import type { PlanPlace, Validity } from './control-plans.ts'

/** The versions of one plan have it in common, however their names are written. */
export const placeKeyOf = ({ filial = '', terminal, bitola, miniaplicador = '', maquina = '' }: PlanPlace): string =>
  JSON.stringify([filial, nameKey(terminal), bitola, nameKey(miniaplicador), nameKey(maquina)])

const foldedPlace = (place: PlanPlace): PlanPlace => ({
  ...place,
  terminal: foldedName(place.terminal),
  ...(place.miniaplicador === undefined ? {} : { miniaplicador: foldedName(place.miniaplicador) }),
  ...(place.maquina === undefined ? {} : { maquina: foldedName(place.maquina) }),
})

/** Groups of places that look alike on a screen and are kept apart: plans of before names were folded. */
export const listAlikePlaces = <Place extends PlanPlace>(places: readonly Place[]): Place[][] => {
  const groups = Map.groupBy(places, (place) => placeKeyOf(foldedPlace(place)))
  return [...groups.values()].filter((group) => new Set(group.map(placeKeyOf)).size > 1)
}

/** A plan whose place one of `known` has in other bytes stands there: keys of what is kept never change (decision 041). */
export function spelledAsKnown(known: readonly PlanPlace[]): (plan: PlanContent) => PlanContent {
  const exact = new Set(known.map(placeKeyOf))
  const alike = new Map(known.map((place) => [placeKeyOf(foldedPlace(place)), place]))
  return (plan) => {
    const other = exact.has(placeKeyOf(plan)) ? undefined : alike.get(placeKeyOf(foldedPlace(plan)))
    if (!other) return plan
    const { terminal, miniaplicador, maquina } = other
    return { ...plan, terminal, ...(miniaplicador && { miniaplicador }), ...(maquina && { maquina }) }
  }
}

export const isOver = ({ until }: Validity, at: number): boolean => until !== null && until <= at

/** The version was taken back before it began. */
export const isVoid = ({ from, until }: Validity): boolean => until !== null && until <= from

/** When a plan begins that is to hold from a day of the plant on: now where that is today; null where it is over. */
export function startOf(day: string | undefined, now: number, timeZone: string): number | null {
  const today = plantDay(now, timeZone)
  if (day === undefined || day === today) return now
  return day < today ? null : dayStartMs(day, timeZone)
}

/**
 * How a version that begins at an instant stands to the newest one of its place that is not void: there is none by then, that
 * one ends where it begins, or it would not begin after that one.
 */
export function placed(newest: Validity | null, from: number): 'free' | 'follows' | 'overlaps' {
  if (newest === null || isOver(newest, from)) return 'free'
  return newest.from < from ? 'follows' : 'overlaps'
}

/**
 * Fills the fields that a page or a file of a version before leaves out from the plan that this one follows; a first
 * one gets the defaults.
 */
export const completed = (plan: PlanContent, follows: PlanContent | null): PlanContent => ({
  ...plan,
  digitadoVale: plan.digitadoVale ?? follows?.digitadoVale ?? true,
})

/** `day` is the plant's, `YYYY-MM-DD`. */
export const planFileName = (day: string): string => `planos_de_controle_${day}.csv`
