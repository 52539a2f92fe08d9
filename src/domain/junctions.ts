import { JUNCTION_PIECES_MAX, type Junction, type JunctionRecording } from '../contract/junctions.ts'
import type { RecordingRefusal } from './recordings.ts'

/** What `pieces` more make of a position's percentage, as the ERP rounds it. It may exceed 100. */
export const junctionPercent = (read: { percent: number; planned: number }, pieces: number): number =>
  read.planned > 0 ? Math.round(100 * read.percent + (10_000 * pieces) / read.planned) / 100 : read.percent

/** At most so many pieces in one recording: those of the position, or the form's own bound where the ERP gives none. */
export const piecesMaxOf = ({ Z8_QTDPECA }: Pick<Junction, 'Z8_QTDPECA'>): number =>
  Z8_QTDPECA >= 1 ? Math.floor(Z8_QTDPECA) : JUNCTION_PIECES_MAX

/** Percent with what is on its way to the ERP; a rounded percentage counts as full from 99.99 on. */
export const isJunctionOpen = ({ Z8_PJUNCAO, Z8_QTDPECA, aguardandoErp }: Junction): boolean =>
  junctionPercent({ percent: Z8_PJUNCAO, planned: Z8_QTDPECA }, aguardandoErp) < 99.99

/** The rules of a junction recording against the position as this server knows it. Null: it may be accepted. */
export function decideJunction(payload: JunctionRecording, junction: Junction | null): RecordingRefusal | null {
  if (!junction) return { refused: 'junction_not_found' }
  if (!isJunctionOpen(junction)) return { refused: 'section_complete' }
  const max = piecesMaxOf(junction)
  if (payload.QTD_APONTADA > max) return { refused: 'quantity_exceeds_junction', values: { max } }
  return null
}
