import {
  type ErpJunction,
  isUltrasonic,
  JUNCTION_PIECES_MAX,
  type Junction,
  type JunctionRecording,
} from '../../contract/junctions.ts'
import type { RecordingRefusal } from './recordings.ts'

/** A position in our words. `planned` is 0 where the ERP gives no quantity. */
type JunctionState = { position: string; planned: number; percent: number }

export const stateOf = (junction: ErpJunction): JunctionState => ({
  position: junction.Z8_POSICAO,
  planned: junction.Z8_QTDPECA,
  percent: junction.Z8_PJUNCAO,
})

/** Percentage that `pieces` add to a position. */
export const percentOf = (pieces: number, planned: number): number => (planned > 0 ? (100 * pieces) / planned : 0)

/** A position as it was read, moved on by what was delivered since and is on its way; the percentage as the ERP rounds it. */
export const moveJunction = (read: ErpJunction, moved: { delivered: number; onWay: number }): Junction => {
  const percent = read.Z8_PJUNCAO + percentOf(moved.delivered, read.Z8_QTDPECA)
  return { ...read, Z8_PJUNCAO: Math.round(percent * 100) / 100, aguardandoErp: moved.onWay }
}

/** Two percentages that the ERP rounded to two decimals, and one that was not, may differ by so much and be the same. */
export const ROUNDING_PERCENT = 0.011

/** A position is full from here on: thirds of an order never add up to 100 in the ERP's two decimals. */
export const FULL_PERCENT = 99.99

/** Percent done, pieces on their way included; 100 where nothing is left that the ERP's two decimals could show. */
export function junctionPercent(junction: Junction): number {
  const percent = junction.Z8_PJUNCAO + percentOf(junction.aguardandoErp, junction.Z8_QTDPECA)
  return percent >= FULL_PERCENT ? Math.max(100, percent) : percent
}

export const isJunctionOpen = (junction: Junction): boolean => junctionPercent(junction) < 100

/** Bounds of the pieces of one recording: the ERP tells no balance of a position, only its percentage. */
export const junctionQuantityBounds = (junction: ErpJunction | null) => ({
  min: 1,
  max: Math.floor(junction?.Z8_QTDPECA ?? 0) || JUNCTION_PIECES_MAX,
})

/** The rules of a junction recording against the position as this server knows it. Null: it may be accepted. */
export function decideJunction(payload: JunctionRecording, junction: Junction | null): RecordingRefusal | null {
  if (!junction) return { refused: 'junction_not_found' }
  if (isUltrasonic(payload.GRUPO_MP) !== isUltrasonic(junction.Z8_GRUPOMP)) return { refused: 'group_mismatch' }
  if (!isJunctionOpen(junction)) return { refused: 'section_complete' }
  const { max } = junctionQuantityBounds(junction)
  if (payload.QTD_APONTADA > max) return { refused: 'quantity_exceeds_junction', values: { max } }
  return null
}
