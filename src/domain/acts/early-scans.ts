import {
  isKnown,
  type KnownCodes,
  NOTHING_TO_FILL,
  placeScan,
  refuse,
  type ScanForm,
  type ScanOutcome,
} from './form-scans.ts'

/** A reading, the form as it found it, and what it did. */
export type Placed<Part extends string> = { code: string; form: ScanForm<Part>; outcome: ScanOutcome<Part> }

const lotIn = <Part extends string>({ parts }: ScanForm<Part>, of: Part) =>
  parts.find(({ part }) => part === of)?.fields.lot?.value ?? ''

/** The form as a reading found it, with what fits it by now. */
const withChoices = <Part extends string>(then: ScanForm<Part>, now: ScanForm<Part>): ScanForm<Part> => ({
  ...then,
  parts: then.parts.map((place) => {
    const { fields = {} } = now.parts.find(({ part }) => part === place.part) ?? {}
    return { ...place, fields: { ...fields, ...(place.fields.lot && { lot: place.fields.lot }) } }
  }),
})

/** Somebody has chosen what stands in the field that it would fill. */
const isTaken = <Part extends string>(outcome: ScanOutcome<Part>, { parts }: ScanForm<Part>): boolean => {
  if (outcome.kind !== 'fill') return false
  const state = parts.find(({ part }) => part === outcome.part)?.fields[outcome.field]
  return state !== undefined && state.value !== '' && !state.isOffered
}

/**
 * What a reading comes to that was taken for a lot before the lists and the instruments were known, and the lot that is taken
 * back for it. Null: it stays as it is.
 */
export function placeAgain<Part extends string>(
  { code, form, outcome }: Placed<Part>,
  now: ScanForm<Part>,
  codes: KnownCodes,
): { outcome: ScanOutcome<Part>; takenBack: { part: Part; before: string } | null } | null {
  const found = placeScan(code, withChoices(form, now), codes)
  // of lists that come one after another the last one may have it where it belongs
  const isListed = found.kind === 'refuse' || (found.kind === 'fill' && found.field !== 'lot')
  const isNoLot = found.kind === 'measure' || (codes.isComplete && isListed)
  if (!isNoLot || (outcome.kind === 'fill' && outcome.field !== 'lot')) return null
  if (outcome.kind !== 'fill' && outcome.kind !== 'ask')
    return found.kind === 'measure' ? { outcome: found, takenBack: null } : null
  const { part } = outcome
  const isStanding = lotIn(now, part) === (outcome.kind === 'fill' ? outcome.value : outcome.lot)
  const again = isTaken(found, now) ? refuse(NOTHING_TO_FILL) : found
  // what was typed over it since stays, and so does what was done by it
  if (!isStanding) return outcome.kind === 'fill' && again.kind !== 'fill' ? null : { outcome: again, takenBack: null }
  const before = lotIn(form, part)
  return { outcome: again, takenBack: { part, before: isKnown(before, now, codes) ? '' : before } }
}
