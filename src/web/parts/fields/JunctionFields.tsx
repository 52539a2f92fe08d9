import type { JunctionForm } from '../../../domain/junctions.ts'
import { forceLimit } from '../../../domain/order-limits.ts'
import { formatCount } from '../../app/format.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { useSettings } from '../settings.ts'
import type { FieldCursor } from './cursor.ts'
import { DecimalField } from './DecimalField.tsx'
import { LotField, PickField } from './fields.tsx'

type Props = {
  form: JunctionForm
  /** Welded by ultrasound: no lot, no height, no tightness. */
  isWelded: boolean
  isDisabled?: boolean
  piecesMax: number
  onChange: (fields: Partial<JunctionForm>) => void
  onLeaveQuantity?: () => void
  onPickMachine: () => void
  cursorOf?: (field: string) => FieldCursor
  offeredLot?: string | undefined
  /** What the pull test asks for. */
  forceMin?: number | null
}

/** What is told of a junction, in the order in which it is done. To be laid out by a grid around it. */
export function JunctionFields({ form, isWelded, isDisabled = false, piecesMax, onChange, cursorOf, ...rest }: Props) {
  const { forceUnit } = useSettings()
  const isClosed = isDisabled || isWelded
  const limit = forceLimit(form.force, rest.forceMin ?? null, forceUnit)
  return (
    <>
      <LotField
        cursor={cursorOf?.('lot')}
        offered={rest.offeredLot}
        value={form.lot}
        onChange={(lot) => onChange({ lot })}
        isDisabled={isClosed}
      />
      <DecimalField
        {...cursorOf?.('force')}
        description={limit?.text}
        error={isDisabled ? undefined : limit?.wrong}
        label={`Força${forceUnit ? ` (${forceUnit})` : ''}`}
        placeholder={isDisabled ? undefined : 'Digite a força'}
        decimals={1}
        maxLength={8}
        value={form.force}
        onChange={(force) => onChange({ force })}
        isDisabled={isDisabled}
      />
      <DecimalField
        {...cursorOf?.('height')}
        label="Altura (mm)"
        placeholder={isClosed ? undefined : 'Digite a altura'}
        decimals={2}
        maxLength={7}
        value={form.height}
        onChange={(height) => onChange({ height })}
        isDisabled={isClosed}
      />
      <PickField
        cursor={cursorOf?.('machine')}
        isRemembered={form.isMachineRemembered}
        label="Máquina"
        placeholder="Selecione a máquina"
        pickLabel="Selecionar máquina"
        value={form.machine}
        onPick={rest.onPickMachine}
        isDisabled={isDisabled}
      />
      <SelectField
        label="Estanqueidade"
        placeholder="Selecione"
        options={['Sim', 'Não']}
        value={form.tightness}
        onChange={(tightness) => onChange({ tightness })}
        isDisabled={isClosed}
      />
      <DecimalField
        {...cursorOf?.('quantity')}
        label="Quantidade de peças"
        placeholder={isDisabled ? undefined : 'Digite a quantidade'}
        decimals={0}
        maxLength={7}
        value={form.quantity}
        onChange={(quantity) => onChange({ quantity })}
        onBlur={rest.onLeaveQuantity}
        isDisabled={isDisabled}
        description={isDisabled ? undefined : `De 1 a ${formatCount(piecesMax)} peças por apontamento`}
      />
    </>
  )
}
