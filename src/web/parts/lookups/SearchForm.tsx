import { Factory, Search } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card } from '../../ui/Page.tsx'
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx'
import { PlantChoice } from '../fields/PlantChoice.tsx'
import { useSettings } from '../settings.ts'

type Props = Pick<
  TextFieldProps,
  'label' | 'placeholder' | 'error' | 'maxLength' | 'leading' | 'autoFocus' | 'inputRef'
> & {
  term: string
  onTermChange: (term: string) => void
  plant: string
  onPlantChange: (plant: string) => void
  onSearch: () => void
  isBusy: boolean
  /** The button is pressed only with something to search for; Enter searches even an empty box, which then says what it wants. */
  isTermNeeded?: boolean
}

/** The plant to search in: the one chosen, else that of the last search, else the first of this installation. */
export function useSearchPlant(last: string | undefined) {
  const { plants } = useSettings()
  const [chosen, onPlantChange] = useState(last)
  return { plant: chosen ?? plants[0]?.code ?? '', onPlantChange }
}

/** A plant and what to look for in it. */
export function SearchForm(props: Props) {
  const { term, onTermChange, plant, onPlantChange, onSearch, isBusy, isTermNeeded = false, ...field } = props
  return (
    <Card>
      <Form onSubmit={onSearch} className="flex flex-wrap items-start gap-4">
        <div className="max-lg:w-full">
          <PlantChoice value={plant} onChange={onPlantChange} />
        </div>
        <div className="min-w-72 flex-1 max-md:min-w-full">
          <TextField {...field} value={term} onChange={onTermChange} code />
        </div>
        <div className="max-md:w-full md:w-48 md:pt-6">
          {/* No submit button: disabled it would take Enter from the box. */}
          <Button
            variant="primary"
            wide
            icon={<Search {...icon.md} />}
            busy={isBusy}
            busyText="Pesquisando..."
            isDisabled={isTermNeeded && term.trim() === '' && !isBusy}
            onPress={onSearch}
          >
            Pesquisar
          </Button>
        </div>
      </Form>
    </Card>
  )
}

/** The field of a search by order of production. */
export const orderField = {
  label: 'Ordem de produção',
  placeholder: 'Digite a ordem de produção',
  leading: <Factory {...icon.md} />,
  autoFocus: true,
  isTermNeeded: true,
}
