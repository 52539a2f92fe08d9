import { Factory, Search } from 'lucide-react'
import type { FormEvent, Ref } from 'react'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card } from '../../ui/Page.tsx'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  order: string
  onOrderChange: (order: string) => void
  /** What a box that was left in vain or overfilled says. */
  orderError?: string | undefined
  lengthMax?: number
  plant: string
  plants: readonly { code: string; label: string }[]
  onPlantChange: (plant: string) => void
  onSearch: () => void
  isBusy: boolean
  boxRef: Ref<HTMLInputElement>
}

/** A plant and an order of production. Enter searches even an empty box, which then says what it wants. */
export function OrderSearchForm(props: Props) {
  const { order, onOrderChange, orderError, lengthMax, isBusy } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) props.onSearch()
  }
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-wrap items-start gap-4">
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
            label="Ordem de produção"
            value={order}
            onChange={onOrderChange}
            error={orderError}
            placeholder="Digite a ordem de produção"
            {...(lengthMax === undefined ? {} : { maxLength: lengthMax })}
            leading={<Factory {...icon.md} />}
            code
            autoComplete="off"
            autoFocus
            inputRef={props.boxRef}
          />
        </div>
        <div className="max-md:w-full md:pt-6">
          {/* Pressed by hand only with something to search for; Enter in the box submits by itself. */}
          <Button
            variant="primary"
            wide
            icon={<Search {...icon.md} />}
            busy={isBusy}
            busyText="Pesquisando..."
            isDisabled={order.trim() === '' && !isBusy}
            onPress={props.onSearch}
          >
            Pesquisar
          </Button>
        </div>
      </form>
    </Card>
  )
}
