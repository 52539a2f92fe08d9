import { items, parts } from '../../../contract/items.ts'
import { junctions } from '../../../contract/junctions.ts'
import { deliveryKeyOf, type Place } from '../../acts/kinds.ts'
import { whenDoneHere } from '../../device/locks.ts'
import { query, type Reading } from '../../server/query.ts'

/** Longer than a server waits for its ERP. A delivery that nobody answers keeps no screen empty. */
const HELD_MS_MAX = 3000

/**
 * A reading of pieces at these places. An answer that comes while an act of one is under way may count it already, and the act is
 * still counted on this device: it is given once the act has its outcome, which draws what is newer in its place.
 */
const settled = <Data>(reading: Reading<Data>, places: readonly Place[]): Reading<Data> => ({
  ...reading,
  async queryFn(context) {
    const read = await reading.queryFn(context)
    const tooLong = new Promise<void>((go) => setTimeout(go, HELD_MS_MAX))
    await Promise.race([whenDoneHere(places.map(deliveryKeyOf)), tooLong])
    return read
  },
})

type ItemPlace = { plant: string; barcode: string; isAfterFrame?: boolean }

export function itemReading({ plant, barcode, isAfterFrame = false }: ItemPlace) {
  const request = { params: { codigoBarras: barcode }, query: { filial: plant } }
  const places = parts.map((part) => ({ branch: plant, barcode, part }))
  return settled(query(items.get, request, { isAfterFrame }), places)
}

type JunctionPlace = { plant: string; order: string; position: string }

export function junctionReading({ plant, order, position }: JunctionPlace) {
  const request = { query: { filial: plant, numeroOp: order, posicao: position } }
  return settled(query(junctions.details, request), [{ kind: 'junction', branch: plant, order, junction: position }])
}
