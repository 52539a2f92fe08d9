import type { ErpJunction, Junction } from '../../contract/junctions.ts'
import { isJunctionOpen, junctionPercent, junctionQuantityBounds } from '../acts/junction-balance.ts'
import { isSameCode } from '../text/spellings.ts'
import type { JunctionForm } from './junctions.ts'

const emptyJunctionForm = { lot: '', force: '', height: '', machine: '', tightness: '' } as const

/** Where the ERP gives no quantity, nobody can tell what is left. */
export const freshJunctionForm = ({ Z8_QTDPECA: planned }: Pick<ErpJunction, 'Z8_QTDPECA'>): JunctionForm => ({
  ...emptyJunctionForm,
  quantity: planned > 0 ? null : '',
})

/** Pieces left by the junction's percentage. */
export const piecesLeft = (junction: Junction): number =>
  Math.max(0, Math.round((junctionQuantityBounds(junction).max * (100 - junctionPercent(junction))) / 100))

/** The quantity as the form shows it: until somebody types, all that is left. */
export const junctionQuantityText = ({ quantity }: { quantity: string | null }, junction: Junction): string =>
  quantity ?? String(isJunctionOpen(junction) ? Math.max(1, piecesLeft(junction)) : 0)

/** Another lot has to be measured anew: what its samples gave is emptied. */
export function settleJunction(form: JunctionForm): JunctionForm {
  const { sampledLot, samples, ...rest } = form
  const isOther = sampledLot && form.lot && !isSameCode(sampledLot, form.lot)
  return samples && isOther ? { ...rest, force: '', height: '' } : form
}
