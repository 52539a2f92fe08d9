import type { Act, PlaceOf } from './act.ts'
import { cutCrimp, type FrozenCutCrimp } from './cut-crimp.ts'
import { type FrozenJunction, junction } from './junctions.ts'
import { type FrozenMaintenanceCall, maintenanceCall } from './maintenance-calls.ts'
import { type FrozenMeasurement, measurement } from './measurements.ts'
import { type FrozenReceipt, receipt } from './receipts.ts'
import { type FrozenScrap, scrap } from './scraps.ts'

export type FrozenAct =
  | FrozenCutCrimp
  | FrozenJunction
  | FrozenReceipt
  | FrozenMaintenanceCall
  | FrozenMeasurement
  | FrozenScrap

export const kinds = { cutCrimp, junction, receipt, maintenanceCall, measurement, scrap }

export type Place = PlaceOf<FrozenAct>

type AnyAct = Act<FrozenAct, unknown>

export const kindOf = (place: Pick<Place, 'kind'>): AnyAct => kinds[place.kind ?? 'cutCrimp']

/** Kind of a content that does not stand on this device. */
export function kindOfPayload(payload: FrozenAct['payload']): AnyAct {
  if ('sintoma' in payload) return kinds.maintenanceCall
  if ('leituras' in payload) return kinds.measurement
  if ('pecas' in payload) return kinds.scrap
  if ('codigoBarras' in payload) return kinds.receipt
  return 'TIPO_REGISTRO' in payload ? kinds.junction : kinds.cutCrimp
}

export const deliveryKeyOf = (place: Place): string => kindOf(place).deliveryKeyOf(place)

/** Whether it is of this kind, and of what `place` names. */
export const isOf = <F extends FrozenAct, Pressed>(
  act: FrozenAct,
  kind: Act<F, Pressed>,
  place: Partial<PlaceOf<F>>,
): act is F => {
  if (kindOf(act) !== kind) return false
  // asked of each that waits, for each item on the screen: without an array for each answer
  for (const name in place) {
    if (act[name as keyof FrozenAct] !== place[name]) return false
  }
  return true
}

/** As the plant knows this person. */
export const authorOf = (act: FrozenAct): string =>
  act.displayName || kindOf(act).work?.operatorIn(act.payload)?.trim() || act.username
