import { foldedName } from '../../contract/names.ts'
import { isBadge } from '../people/badges.ts'

/** Where one may begin within a text; the longest that is one counts. */
const LIKE_A_BADGE = /(?=(PIC-[0-9A-Z]{8,30}))/gi
const BADGE_LENGTH_MIN = 12

function badgesIn(text: string): string[] {
  return [...text.matchAll(LIKE_A_BADGE)].flatMap(([, like = '']) => {
    for (let end = like.length; end >= BADGE_LENGTH_MIN; end--)
      if (isBadge(like.slice(0, end))) return like.slice(0, end)
    return []
  })
}

/** The first one within a text, whatever stands around it; null: none does. */
export const badgeWithin = (text: string): string | null => badgesIn(foldedName(text))[0] ?? null

/** Whether one stands anywhere in a text, whatever stands around it. */
export const holdsBadge = (text: string): boolean => badgeWithin(text) !== null

/** Stands where a badge stood in what a tablet has called saved. */
export const BADGE_REMOVED = '(crachá)'

const withoutBadge = (text: string): string =>
  badgesIn(foldedName(text)).reduce((rest, badge) => rest.replaceAll(badge, BADGE_REMOVED), foldedName(text))

/** A password is no text that anybody reads: its hash alone is stored. */
const isPassword = (field: string): boolean => /senha$|password$/i.test(field)

/** Fields of what somebody sent that hold a badge, as paths. */
export function fieldsWithBadge(sent: unknown, path: readonly string[] = []): string[] {
  if (typeof sent === 'string') return holdsBadge(sent) && !isPassword(path.at(-1) ?? '') ? [path.join('.')] : []
  if (typeof sent !== 'object' || sent === null) return []
  return Object.entries(sent).flatMap(([key, value]) => fieldsWithBadge(value, [...path, key]))
}

/** The same without any badge in a text. */
export function withoutBadges<Sent>(sent: Sent): Sent {
  if (typeof sent === 'string') return (holdsBadge(sent) ? withoutBadge(sent) : sent) as Sent
  if (Array.isArray(sent)) return sent.map(withoutBadges) as Sent
  if (typeof sent !== 'object' || sent === null) return sent
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, withoutBadges(value)])) as Sent
}
