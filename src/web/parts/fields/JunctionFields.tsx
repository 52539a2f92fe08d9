import type { ReactNode } from 'react'
import type { JunctionForm } from '../../../domain/acts/junctions.ts'
import { forceLimit } from '../../../domain/acts/order-limits.ts'
import { formatCount } from '../../text/format.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { useSettings } from '../settings.ts'
import type { FieldCursor } from './cursor.ts'
import { DecimalField } from './DecimalField.tsx'
import { JudgedField, LotField, PickField, type Verdict } from './fields.tsx'

type Props = {
  form: JunctionForm
  /** Welded by ultrasound: no lot, no height, no tightness. */
  isWelded: boolean
  isDisabled?: boolean
  piecesMax: number
  onChange: (fields: Partial<JunctionForm>) => void
  onLeaveLot?: () => void
  onLeaveQuantity?: () => void
  onPickMachine: () => void
  cursorOf?: ((field: string) => FieldCursor) | undefined
  offeredLot?: string | undefined
  /** What the pull test asks for. */
  forceMin?: number | null
  /** How the plan judges what was measured. */
  verdicts?: Record<'force' | 'height', Verdict | null> | null | undefined
  /** What a field says that 'Registrar' has missed. */
  missing?: ((field: string) => string | undefined) | undefined
  /** Under force and height. */
  children?: ReactNode
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
        onBlur={rest.onLeaveLot}
        isDisabled={isClosed}
      />
      <MeasureFields
        {...{ form, isDisabled, isClosed, onChange, cursorOf, missing }}
        forceMin={rest.forceMin ?? null}
        verdicts={rest.verdicts}
      />
      {rest.children}
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

type MeasureProps = Pick<Props, 'form' | 'onChange' | 'cursorOf' | 'missing' | 'verdicts'> & {
  isDisabled: boolean
  isClosed: boolean
  forceMin: number | null
}

function MeasureFields({ form, isDisabled, isClosed, onChange, cursorOf, missing, forceMin, verdicts }: MeasureProps) {
  const { forceUnit } = useSettings()
  return (
    <>
      <JudgedField
        cursor={cursorOf?.('force')}
        limit={forceLimit(form.force, forceMin, forceUnit)}
        error={missing?.('force')}
        label={`Força${forceUnit ? ` (${forceUnit})` : ''}`}
        placeholder="Digite a força"
        decimals={1}
        maxLength={8}
        isMeasured
        verdict={verdicts?.force}
        value={form.force}
        onChange={(force) => onChange({ force })}
        isDisabled={isDisabled}
      />
      <JudgedField
        cursor={cursorOf?.('height')}
        error={missing?.('height')}
        label="Altura (mm)"
        placeholder="Digite a altura"
        decimals={3}
        maxLength={7}
        isMeasured
        verdict={verdicts?.height}
        value={form.height}
        onChange={(height) => onChange({ height })}
        isDisabled={isClosed}
      />
    </>
  )
}
