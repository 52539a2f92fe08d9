import type { Situation, Treatment } from '../../contract/treatments.ts'
import { addDays, daysBetween, plantDay } from '../plant/plant-time.ts'

export const situationTexts: Record<Situation, string> = {
  aberta: 'Aberta',
  tratada: 'Tratada',
  medida: 'Medida de novo',
}

/** A note that somebody wrote outweighs a reading. */
export const situationOf = ({ isTreated, isMeasured }: { isTreated: boolean; isMeasured: boolean }): Situation =>
  isTreated ? 'tratada' : isMeasured ? 'medida' : 'aberta'

/** 'Tratada por Ana Lima'; empty: nobody has. */
export const treatedText = (treatments: readonly Treatment[]): string => {
  const last = treatments.at(-1)
  return last ? `Tratada por ${last.por}` : ''
}

/** Every line that was written down: 'Ana Lima: Peças separadas'. */
export const treatmentsText = (treatments: readonly Treatment[]): string =>
  treatments.map(({ por, texto }) => `${por}: ${texto}`).join(' · ')

/** Days of the plant, both of which belong to it; without a begin as many as are shown by themselves. */
export function occurrencePeriod(
  { inicio, fim }: { inicio?: string | undefined; fim?: string | undefined },
  { today, days }: { today: string; days: number },
): { from: string; to: string } {
  const to = fim ?? today
  return { from: inicio ?? addDays(to, 1 - days), to }
}

export type DayCount = { dia: string; total: number; tipos?: Record<string, number> | undefined }

/** How many fall on each day of the plant, and of which kind they are, the first day first; epoch ms. */
export function countByDay(all: readonly { at: number; kind: string }[], timeZone: string): DayCount[] {
  const days = Map.groupBy(all, ({ at }) => plantDay(at, timeZone))
  return [...days]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([dia, some]) => {
      const kinds = Map.groupBy(some, ({ kind }) => kind)
      return {
        dia,
        total: some.length,
        tipos: Object.fromEntries([...kinds].map(([kind, { length }]) => [kind, length])),
      }
    })
}

/** A longer period may come of a slip, and has days in which nothing can have been. */
const DAYS_MAX = 366

/** `YYYY-MM-DD`, of all days of a period, also those without any; of a long one from the first day with some to the last. */
export function dayCounts(dias: readonly DayCount[], period: { from: string; to: string }): DayCount[] {
  const known = new Map(dias.map((day) => [day.dia, day]))
  const [first, last] = [dias[0]?.dia, dias.at(-1)?.dia]
  const isLong = daysBetween(period.from, period.to) >= DAYS_MAX
  if (isLong && (!first || !last)) return []
  const { from, to } = isLong && first && last ? { from: first, to: last } : period
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => {
    const dia = addDays(from, at)
    return known.get(dia) ?? { dia, total: 0 }
  })
}

/** More kinds than these are told apart by nobody: the rest share one. */
const KINDS_MAX = 3

/** A row of figures for each of the most frequent kinds, and one for all others; days as they come. */
export function kindRows(days: readonly DayCount[]): { kinds: string[]; values: number[] }[] {
  const sums = new Map<string, number>()
  for (const { tipos = {} } of days) {
    for (const [kind, count] of Object.entries(tipos)) sums.set(kind, (sums.get(kind) ?? 0) + count)
  }
  const kinds = [...sums].toSorted(([, one], [, other]) => other - one).map(([kind]) => kind)
  const groups = [...kinds.slice(0, KINDS_MAX).map((kind) => [kind]), kinds.slice(KINDS_MAX)]
  return groups
    .filter((group) => group.length > 0)
    .map((group) => ({
      kinds: group,
      values: days.map(({ tipos = {} }) => group.reduce((sum, kind) => sum + (tipos[kind] ?? 0), 0)),
    }))
}
