import type { Role } from '../contract/values.ts'

/** Whoever is in the group has the role. */
export type GroupRole = { role: Role; group: string }

/** Servers write the same name with other cases and blanks. */
const nameKey = (distinguishedName: string): string =>
  distinguishedName
    .trim()
    .toLowerCase()
    .replace(/\s*([,=])\s*/g, '$1')

/** The first rule that fits decides; null: in none of the groups, and so nobody here. */
export function roleOfGroups(groups: readonly string[], rules: readonly GroupRole[]): Role | null {
  const names = new Set(groups.map(nameKey))
  return rules.find(({ group }) => names.has(nameKey(group)))?.role ?? null
}

/** A group that is in others. */
export type NestedGroup = { group: string; within: readonly string[] }

/** Each rule, followed by the same one for every group in its group, however deep. */
export function withNestedGroups(rules: readonly GroupRole[], nested: readonly NestedGroup[]): GroupRole[] {
  return rules.flatMap(({ role, group }) => {
    const reached = new Map([[nameKey(group), group]])
    // a group that is reached later may reach one that was passed before
    for (let before = 0; before < reached.size; ) {
      before = reached.size
      for (const one of nested) {
        if (one.within.some((name) => reached.has(nameKey(name)))) reached.set(nameKey(one.group), one.group)
      }
    }
    return [...reached.values()].map((name) => ({ role, group: name }))
  })
}

/** Under which a directory's groups are, wherever below it its people are: the domain. */
export const groupBaseOf = (base: string): string => /dc\s*=[^,]*(,\s*dc\s*=[^,]*)*$/i.exec(base)?.[0] ?? base

/** ACCOUNTDISABLE of Active Directory's userAccountControl; other directories have no such attribute. */
const ACCOUNT_DISABLED = 2

export const isDisabledAccount = (userAccountControl: string | undefined): boolean =>
  (Number(userAccountControl ?? 0) & ACCOUNT_DISABLED) !== 0
