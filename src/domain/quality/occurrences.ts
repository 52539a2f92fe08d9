import type { Situation, Treatment } from '../../contract/treatments.ts'
import { addDays, plantDay } from '../plant/plant-time.ts'

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

/** How many fall on each day of the plant, the first day first; epoch ms. */
export function countByDay(instants: readonly number[], timeZone: string): { dia: string; total: number }[] {
  const counts = new Map<string, number>()
  for (const at of instants) {
    const day = plantDay(at, timeZone)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([dia, total]) => ({ dia, total }))
}

/** `YYYY-MM-DD`, of all days of a period, also those without any. */
export function dayCounts(
  dias: readonly { dia: string; total: number }[],
  { from, to }: { from: string; to: string },
): { dia: string; total: number }[] {
  const counts = new Map(dias.map(({ dia, total }) => [dia, total]))
  const all: { dia: string; total: number }[] = []
  for (let dia = from; dia <= to; dia = addDays(dia, 1)) all.push({ dia, total: counts.get(dia) ?? 0 })
  return all
}
