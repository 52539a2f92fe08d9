import { foldedName } from '../../contract/names.ts'
import { nameKey } from '../acts/recordings.ts'

const collator = new Intl.Collator('pt-BR', { numeric: true })

/** As a person counts: MA-2 comes before MA-10. */
export const compareNames = (one: string, other: string): number => collator.compare(one, other)

/** The same for names that nobody can tell apart on a screen. What is counted goes by `nameKey`, which never changes. */
export const lookOf = (name: string): string => nameKey(foldedName(name).replace(/[\p{Pd}\u2212]/gu, '-'))

/** Whether both are one name, whatever nobody sees in them: programs write them in their own dress. */
export const isSameName = (one: string, other: string): boolean =>
  nameKey(foldedName(one)) === nameKey(foldedName(other))

/** The keys under which a name of another program may stand here: as it is written, and as it was folded. */
export const keysOfName = (name: string): string[] => [nameKey(name), nameKey(foldedName(name))]

/** `name` as one of `known` has it, if that is the same text in other bytes: a second counter would begin for it. */
export function spelledAs(name: string, known: readonly string[]): string {
  if (known.some((other) => nameKey(other) === nameKey(name))) return name
  return known.find((other) => isSameName(other, name)) ?? name
}

/** Groups of names that look alike and are counted apart. */
export function listLookAlikes(names: readonly string[]): string[][] {
  const byKey = new Map<string, string>()
  for (const name of names) if (!byKey.has(nameKey(name))) byKey.set(nameKey(name), name)
  const groups = Map.groupBy(byKey.values(), lookOf)
  return [...groups.values()].filter(({ length }) => length > 1)
}
