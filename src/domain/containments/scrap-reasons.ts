import type { Characteristic } from '../../contract/measurements.ts'
import type { ScrapReason } from '../../contract/scrap-reasons.ts'
import type { ScrapPart } from '../../contract/scraps.ts'
import { CONTAINMENT, fitsPart } from '../tools/scraps.ts'

/** The reason that a characteristic outside suggests, where the plant has it. */
const suggested: Partial<Record<Characteristic, string>> = { altura: 'altura-fora', forca: 'forca-baixa' }

/** Reasons by which a containment may scrap pieces of these parts, and the one that is chosen first. */
export function containmentReasons(
  reasons: readonly ScrapReason[],
  parts: ReadonlySet<ScrapPart>,
  characteristic: Characteristic | null,
): { offered: ScrapReason[]; first: string } {
  const offered = reasons
    .filter((reason) => reason.ativo && [...parts].every((part) => fitsPart(reason, part)))
    .toSorted((one, other) => one.posicao - other.posicao)
  const wanted = [characteristic && suggested[characteristic], CONTAINMENT]
  const first = wanted.find((code) => offered.some(({ codigo }) => codigo === code))
  return { offered, first: first ?? offered[0]?.codigo ?? '' }
}
