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

/** ACCOUNTDISABLE of Active Directory's userAccountControl; other directories have no such attribute. */
const ACCOUNT_DISABLED = 2

export const isDisabledAccount = (userAccountControl: string | undefined): boolean =>
  (Number(userAccountControl ?? 0) & ACCOUNT_DISABLED) !== 0
