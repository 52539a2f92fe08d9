import { characteristics } from '../../../../contract/measurements.ts'
import type { SeriesKey } from '../../../../contract/spc.ts'
import { useAddress } from '../../../parts/useAddress.ts'
import { usePlant } from '../../../parts/usePlant.ts'
import { SeriesList } from './SeriesList.tsx'
import { SeriesView } from './SeriesView.tsx'

/** The series that the address names; null: the list. */
function useSeries() {
  const { params, push } = useAddress()
  const { plant } = usePlant()
  const [miniaplicador, terminal, bitola] = ['miniaplicador', 'terminal', 'bitola'].map(
    (name) => params.get(name) ?? '',
  )
  const caracteristica = characteristics.find((one) => one === params.get('caracteristica'))
  const gauge = Number(bitola)
  const isWhole = miniaplicador && terminal && caracteristica && Number.isInteger(gauge) && gauge > 0
  const chosen: SeriesKey | null = isWhole
    ? { filial: plant, miniaplicador, terminal, bitola: gauge, caracteristica }
    : null
  return {
    chosen,
    choose: ({ filial: _plant, bitola: milli, ...of }: SeriesKey) => push({ ...of, bitola: String(milli) }),
    leave: () => push({ miniaplicador: null, terminal: null, bitola: null, caracteristica: null }),
  }
}

export function SpcTab() {
  const { chosen, choose, leave } = useSeries()
  return chosen ? (
    <SeriesView key={JSON.stringify(chosen)} series={chosen} onLeave={leave} />
  ) : (
    <SeriesList onChoose={choose} />
  )
}
