import { foldedName } from '../../contract/names.ts'

/** Stands in a reading for a key that says no character. */
export const UNREADABLE = '\uFFFD'

/** Signs that are never part of a label: the AIM identifier of its symbology, and the start and stop marks of Code 39. */
const marks = [/^\][A-Z][0-9A-Z](.+)$/i, /^\*(.+)\*$/]
/** The start and stop marks of Codabar are letters, in either of its two alphabets, which a label may have itself. */
const frames = [...marks, /^[A-ENT]([\d$:/.+-]{8,})[A-ENT*]$/i]

/** A label without what is never part of one. */
export function unmarked(label: string): string {
  const folded = foldedName(label)
  for (const mark of marks) {
    const inner = mark.exec(folded)?.[1]?.trim()
    if (inner) return unmarked(inner)
  }
  return folded
}

/** A label as it stands, and without each frame around it; what nobody sees is no part of it. */
export function framedIn(label: string): string[] {
  const found = [foldedName(label)]
  for (const one of found) {
    for (const frame of frames) {
      const inner = frame.exec(one)?.[1]?.trim()
      if (inner && !found.includes(inner)) found.push(inner)
    }
  }
  return found
}

/** A label without what one reader puts before it, after it and between its parts, a line each; whole where it lacks either end. */
export function withoutSigns(label: string, signs: string): string {
  const [before = '', after = '', between = ''] = signs.toLowerCase().split('\n')
  const low = label.toLowerCase()
  if (!low.startsWith(before) || !low.endsWith(after)) return label
  const inner = [...label.slice(before.length, label.length - after.length)]
  return inner.filter((sign) => !between.includes(sign)).join('') || label
}

/** Every run of so many signs within a text. */
export const runsOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length))
