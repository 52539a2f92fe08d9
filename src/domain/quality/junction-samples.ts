import type { Junction } from '../../contract/junctions.ts'
import { junctionPercent, junctionQuantityBounds } from '../acts/junction-balance.ts'
import type { JunctionForm } from '../acts/junctions.ts'
import { isSameCode } from '../text/spellings.ts'

/** Pieces left by the junction's percentage. */
export const piecesLeft = (junction: Junction): number =>
  Math.max(0, Math.round((junctionQuantityBounds(junction).max * (100 - junctionPercent(junction))) / 100))

/** Another lot has to be measured anew: what its samples gave is emptied. */
export function settleJunction(form: JunctionForm): JunctionForm {
  const { sampledLot, samples, ...rest } = form
  const isOther = sampledLot && form.lot && !isSameCode(sampledLot, form.lot)
  return samples && isOther ? { ...rest, force: '', height: '' } : form
}
