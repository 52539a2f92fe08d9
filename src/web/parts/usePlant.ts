import { useSettings } from './settings.ts'
import { useAddress } from './useAddress.ts'

/** The plant in the address, else the first one of this installation. */
export function usePlant() {
  const { plants } = useSettings()
  const { params, replace } = useAddress()
  const plant = (plants.find(({ code }) => code === params.get('filial')) ?? plants[0])?.code ?? ''
  const isFirst = (code: string) => code === plants[0]?.code
  return {
    plants,
    plant,
    choose: (code: string) => replace({ filial: isFirst(code) ? null : code }),
    /** The address of another screen of the same plant. */
    hrefOf: (link: string) => (isFirst(plant) ? link : `${link}?filial=${plant}`),
  }
}
