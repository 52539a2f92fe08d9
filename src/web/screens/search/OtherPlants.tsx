import type { Plant } from '../../../contract/settings.ts'
import { BARCODE_LENGTH } from '../../../contract/values.ts'
import { useItemSearch } from '../../parts/lookups/items.ts'
import { useSettings } from '../../parts/settings.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'

type Props = { search: { plant: string; term: string }; onSearchAt: (plant: string) => void }

/** A label that this plant does not know may be the other one's: how codes are made is the ERP's affair, so it is asked. */
export function OtherPlants({ search: { plant, term }, onSearchAt }: Props) {
  const { plants } = useSettings()
  if (term.length !== BARCODE_LENGTH) return null
  return plants
    .filter(({ code }) => code !== plant)
    .map((other) => <OtherPlant key={other.code} plant={other} term={term} onSearch={() => onSearchAt(other.code)} />)
}

type OtherProps = { plant: Plant; term: string; onSearch: () => void }

function OtherPlant({ plant: { code, label }, term, onSearch }: OtherProps) {
  const { data } = useItemSearch({ plant: code, term })
  if (!data || data.items.length === 0) return null
  return (
    <Alert kind="warning" action={<Button onPress={onSearch}>Pesquisar na {label}</Button>}>
      Este código é da {label}.
    </Alert>
  )
}
