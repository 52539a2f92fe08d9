import { ScanBarcode, Search } from 'lucide-react'
import type { FormEvent, Ref } from 'react'
import { SEARCH_TERM_LENGTH_MAX } from '../../../contract/items.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card } from '../../ui/Page.tsx'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  term: string
  onTermChange: (term: string) => void
  plant: string
  plants: readonly { code: string; label: string }[]
  onPlantChange: (plant: string) => void
  onSearch: () => void
  isBusy: boolean
  boxRef: Ref<HTMLInputElement>
}

export function SearchForm(props: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onSearch()
  }
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-4">
        <div className="max-lg:w-full">
          <RadioChoice
            label="Filial"
            value={props.plant}
            onChange={props.onPlantChange}
            options={props.plants.map(({ code, label }) => ({ value: code, label }))}
          />
        </div>
        <div className="min-w-72 flex-1 max-md:min-w-full">
          <TextField
            label="Código de barras ou ordem de produção"
            value={props.term}
            onChange={props.onTermChange}
            placeholder="Código de barras (22 caracteres) ou ordem de produção"
            maxLength={SEARCH_TERM_LENGTH_MAX}
            leading={<ScanBarcode {...icon.md} />}
            code
            autoComplete="off"
            inputRef={props.boxRef}
          />
        </div>
        <div className="max-md:w-full">
          <Button
            type="submit"
            variant="primary"
            wide
            icon={<Search {...icon.md} />}
            busy={props.isBusy}
            busyText="Pesquisando..."
          >
            Pesquisar
          </Button>
        </div>
      </form>
    </Card>
  )
}
