import type { Role } from '../../contract/values.ts'

/** Members of the group have the role. */
export type GroupRole = { role: Role; group: string }

/** Parts of a text between signs that no backslash escapes (RFC 4514). */
export const splitUnescaped = (text: string, separator: ',' | ';' | '+'): string[] =>
  text.match(new RegExp(`(?:\\\\.|[^\\\\${separator}]|\\\\$)+`, 'gs')) ?? []

/** Bytes as numbers; ones that are no text stay as they are written. */
function textOfBytes(escapes: string): string {
  try {
    return decodeURIComponent(escapes.replaceAll('\\', '%'))
  } catch {
    return escapes
  }
}

/** The value that is meant: escaped are signs, or bytes by their numbers. */
const unescaped = (value: string): string =>
  value.replace(/((?:\\[\da-f]{2})+)|\\(.)/gis, (_, bytes: string | undefined, sign: string) =>
    bytes === undefined ? sign : textOfBytes(bytes),
  )

const plain = (text: string) => text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ')

/** Type and value of each part of one level. */
const partsOf = (level: string): [type: string, value: string][] =>
  splitUnescaped(level, '+').map((part) => {
    const [, type = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? []
    return [plain(type), plain(unescaped(value))]
  })

/** Servers write the same name with other cases, blanks, escapes and forms of accents. */
const nameKey = (distinguishedName: string): string =>
  JSON.stringify(splitUnescaped(distinguishedName, ',').map((level) => partsOf(level).toSorted().flat()))

/** The first rule that fits decides; null: in none of the groups, and so nobody here. */
export function ruleOfGroups(groups: readonly string[], rules: readonly GroupRole[]): GroupRole | null {
  const names = new Set(groups.map(nameKey))
  return rules.find(({ group }) => names.has(nameKey(group))) ?? null
}

export const roleOfGroups = (groups: readonly string[], rules: readonly GroupRole[]): Role | null =>
  ruleOfGroups(groups, rules)?.role ?? null

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

const domainParts = (base: string): string[] => {
  const levels = splitUnescaped(base, ',')
  return levels.slice(levels.findLastIndex((level) => !/^\s*dc\s*=/i.test(level)) + 1)
}

/** Under which a directory's groups are, wherever below it its people are: the domain. */
export const groupBaseOf = (base: string): string => domainParts(base).join(',').trim() || base

type Named = { base: string; loginAttribute: string }

/** The two names of the domain: the one of DNS, and as a rule its first part, Windows' short one. */
function domainsOf(base: string): string[] {
  const labels = domainParts(base).map((level) => partsOf(level)[0]?.[1] ?? '')
  return labels.length === 0 ? [] : [labels.join('.'), labels[0] ?? '']
}

const hasDomainInName = ({ loginAttribute }: Named) => /^(userPrincipalName|mail)$/i.test(loginAttribute)

/**
 * One account, whatever was typed: `name@domain` and `domain\\name` are `name`, where the domain is the directory's own. No name of
 * Windows holds a slash, which many take for the other one.
 */
export function accountNameOf(typed: string, named: Named): string {
  if (hasDomainInName(named)) return typed
  const [, ofWindows, afterIt] = /^([^\\/]+)[\\/]+(.+)$/.exec(typed) ?? []
  const [, beforeIt, ofDns] = /^(.+)@([^@]+)$/.exec(typed) ?? []
  const domain = ofWindows ?? ofDns
  const isOwn = domain !== undefined && domainsOf(named.base).includes(plain(domain))
  return isOwn ? (afterIt ?? beforeIt ?? typed) : typed
}

/** Its domain may be why nobody is found. */
export const isNameWithDomain = (name: string, named: Named): boolean => /[\\/@]/.test(name) && !hasDomainInName(named)

/** ACCOUNTDISABLE of Active Directory's userAccountControl; other directories have no such attribute. */
const ACCOUNT_DISABLED = 2

export const isDisabledAccount = (userAccountControl: string | undefined): boolean =>
  (Number(userAccountControl ?? 0) & ACCOUNT_DISABLED) !== 0
