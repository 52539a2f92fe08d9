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
  cursorOf?: ((field: string) => FieldCursor) | undefined
  offeredLot?: string | undefined
  /** What the pull test asks for. */
  forceMin?: number | null
  /** What a field says that 'Registrar' has missed. */
  missing?: ((field: string) => string | undefined) | undefined
}

/** What is told of a junction, in the order in which it is done. To be laid out by a grid around it. */
export function JunctionFields({
  form,
  isWelded,
  isDisabled = false,
  piecesMax,
  onChange,
  cursorOf,
  missing,
  ...rest
}: Props) {
  const isClosed = isDisabled || isWelded
  return (
    <>
      <LotField
        cursor={cursorOf?.('lot')}
        offered={rest.offeredLot}
        error={missing?.('lot')}
        value={form.lot}
        onChange={(lot) => onChange({ lot })}
        isDisabled={isClosed}
      />
      <MeasureFields
        {...{ form, isDisabled, isClosed, onChange, cursorOf, missing }}
        forceMin={rest.forceMin ?? null}
      />
      <PickField
        cursor={cursorOf?.('machine')}
        error={missing?.('machine')}
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
        error={missing?.('tightness')}
        placeholder="Selecione"
        options={['Sim', 'Não']}
        value={form.tightness}
        onChange={(tightness) => onChange({ tightness })}
        isDisabled={isClosed}
      />
      <DecimalField
        {...cursorOf?.('quantity')}
        error={missing?.('quantity')}
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

type MeasureProps = Pick<Props, 'form' | 'onChange' | 'cursorOf' | 'missing'> & {
  isDisabled: boolean
  isClosed: boolean
  forceMin: number | null
}

function MeasureFields({ form, isDisabled, isClosed, onChange, cursorOf, missing, forceMin }: MeasureProps) {
  const { forceUnit } = useSettings()
  const limit = forceLimit(form.force, forceMin, forceUnit)
  return (
    <>
      <DecimalField
        {...cursorOf?.('force')}
        description={limit?.text}
        error={isDisabled ? undefined : (missing?.('force') ?? limit?.wrong)}
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
        error={missing?.('height')}
        label="Altura (mm)"
        placeholder={isClosed ? undefined : 'Digite a altura'}
        decimals={3}
        maxLength={7}
        value={form.height}
        onChange={(height) => onChange({ height })}
        isDisabled={isClosed}
      />
    </>
  )
}
