import { type ReactNode, useState } from 'react'
import {
  type ControlPlan,
  controlPlans,
  type PlanContent,
  REACTION_LENGTH_MAX,
} from '../../../contract/control-plans.ts'
import { type PlanForm, planChanges } from '../../../contract/plan-changes.ts'
import type { PlanApproval } from '../../../contract/settings.ts'
import { plantDay } from '../../../domain/plant/plant-time.ts'
import {
  emptyTexts,
  type PlanColumn,
  type PlanTexts,
  planColumns,
  planTexts,
  readPlan,
} from '../../../domain/quality/control-plan-imports.ts'
import { milliText } from '../../../domain/quality/control-plans.ts'
import { serverNow } from '../../device/clock.ts'
import { DateField } from '../../parts/fields/DateField.tsx'
import { CrimpSection } from '../../parts/plan/CrimpSection.tsx'
import { useSettings } from '../../parts/settings.ts'
import { call } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { People } from './people.tsx'

type Props = {
  /** The version that the next one follows; null for a plan where there is none. */
  seen: ControlPlan | null
  onClose: () => void
}

/** A version once made never changes: what is saved is the next one. Mounted while it is open. */
export function PlanDialog({ seen, onClose }: Props) {
  const { timeZone, planApproval } = useSettings()
  const [texts, setTexts] = useState<PlanTexts>(() => (seen ? planTexts(seen) : emptyTexts))
  const [touched, setTouched] = useState<ReadonlySet<PlanColumn>>(new Set())
  const [day, setDay] = useState('')
  const { plan, faults } = readPlan(texts)
  const { save, isBusy, failure } = useSave({
    send: (body: PlanForm) => call(planChanges.create, { body }, seen ? { versionSeen: seen.version } : {}),
    changes: [controlPlans.list],
    toast: ({ aguardaAprovacao }) => ({
      kind: 'success',
      text: `${seen ? 'Nova versão do plano salva' : 'Plano de controle salvo'}${aguardaAprovacao ? ': aguarda aprovação.' : '.'}`,
    }),
    onSaved: onClose,
  })
  const trySave = () => {
    if (plan) return save({ ...known(plan, planApproval), ...(day === '' ? {} : { valeAPartirDe: day }) })
    setTouched(new Set(faults.map(({ column }) => column)))
  }
  const field: FieldOf = (column) => ({
    value: texts[column],
    onChange: (text) => setTexts({ ...texts, [column]: text }),
    onBlur: () => setTouched(new Set([...touched, column])),
    error: touched.has(column) ? faults.find((fault) => fault.column === column)?.message : undefined,
  })
  const title = seen ? `Plano de ${seen.terminal}, ${milliText(seen.bitola)} mm²` : 'Novo plano de controle'
  return (
    <FormDialog
      title={title}
      width="md"
      isValid
      isBusy={isBusy}
      error={failure}
      onSave={trySave}
      onClose={onClose}
      after={<After seen={seen} isApproved={planApproval === 'outra-pessoa'} />}
    >
      {!seen && <PlaceFields field={field} />}
      <CrimpSection
        height={texts.alturaNominal}
        width={texts.larguraNominal}
        insulationHeight={texts.alturaIsolanteNominal}
      />
      <ToleranceFields name="Altura de crimpagem (mm)" of="altura" field={field} />
      <ForceField field={field} />
      <ToleranceFields name="Largura (mm)" of="largura" field={field} />
      <ToleranceFields name="Altura isolante (mm)" of="alturaIsolante" field={field} />
      <SamplingFields field={field} hasTyped={planApproval !== undefined} />
      <TextField label={planColumns.instrumento} code {...field('instrumento')} />
      <TextField label={planColumns.reacao} maxLength={REACTION_LENGTH_MAX} {...field('reacao')} />
      <DateField
        label="Vale a partir de"
        description="Vazio: vale assim que for salvo."
        value={day}
        onChange={setDay}
        aheadOf={plantDay(serverNow(), timeZone)}
      />
    </FormDialog>
  )
}

/** A server of the version before refuses what it does not know. */
function known(plan: PlanContent, approval: PlanApproval | undefined): PlanContent {
  const { digitadoVale: _, ...older } = plan
  return approval === undefined ? older : plan
}

const After = ({ seen, isApproved }: Pick<Props, 'seen'> & { isApproved: boolean }) => (
  <p className="flex flex-col text-sm text-muted">
    {seen && !seen.aguardaAprovacao && <span>A versão v{seen.version} termina onde a nova começa.</span>}
    {seen?.aguardaAprovacao && <span>A versão nova toma o lugar da v{seen.version}, que aguarda aprovação.</span>}
    {isApproved && <span>A nova vale depois que outra pessoa a aprovar.</span>}
    {seen && <People plan={seen} />}
  </p>
)

type FieldOf = (column: PlanColumn) => {
  value: string
  onChange: (text: string) => void
  onBlur: () => void
  error: string | undefined
}
type FieldsProps = { field: FieldOf }

const Group = ({ name, children }: { name: string; children: ReactNode }) => (
  <fieldset className="flex min-w-0 flex-col gap-1">
    <legend className="pb-1 text-sm font-semibold text-muted">{name}</legend>
    <div className="grid grid-cols-3 items-start gap-3 max-sm:grid-cols-1">{children}</div>
  </fieldset>
)

function PlaceFields({ field }: FieldsProps) {
  const { plants } = useSettings()
  const { onBlur: _, ...branch } = field('filial')
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3 max-sm:grid-cols-1">
        <TextField label={planColumns.terminal} isRequired autoFocus code {...field('terminal')} />
        <TextField label="Bitola (mm²)" isRequired code inputMode="decimal" {...field('bitola')} />
        <TextField label={planColumns.miniaplicador} description="Vazio: todos" code {...field('miniaplicador')} />
        <TextField label={planColumns.maquina} description="Vazio: todas" code {...field('maquina')} />
      </div>
      {plants.length > 1 && (
        <SelectField
          label={planColumns.filial}
          placeholder="Todas"
          options={plants.map(({ code }) => code)}
          textOf={(code) => plants.find((plant) => plant.code === code)?.label ?? code}
          {...branch}
        />
      )}
    </>
  )
}

type ToleranceProps = FieldsProps & { name: string; of: 'altura' | 'largura' | 'alturaIsolante' }

const tolerances = [
  { part: 'Nominal', label: 'Nominal' },
  { part: 'Menos', label: 'Tolerância −' },
  { part: 'Mais', label: 'Tolerância +' },
] as const

const ToleranceFields = ({ name, of, field }: ToleranceProps) => (
  <Group name={name}>
    {tolerances.map(({ part, label }) => (
      <TextField key={part} label={label} code inputMode="decimal" {...field(`${of}${part}` as const)} />
    ))}
  </Group>
)

function ForceField({ field }: FieldsProps) {
  const { forceUnit } = useSettings()
  const label = [planColumns.forcaMin, forceUnit && `(${forceUnit})`].filter(Boolean).join(' ')
  return <TextField label={label} code inputMode="decimal" {...field('forcaMin')} />
}

function SamplingFields({ field, hasTyped }: FieldsProps & { hasTyped: boolean }) {
  const [last, typed] = [field('ultimaPeca'), field('digitadoVale')]
  return (
    <>
      <Group name="Amostragem">
        {(['leiturasAltura', 'leiturasForca'] as const).map((column) => (
          <TextField
            key={column}
            label={planColumns[column]}
            placeholder="3"
            code
            inputMode="numeric"
            {...field(column)}
          />
        ))}
        <TextField label={planColumns.aCadaPecas} code inputMode="numeric" {...field('aCadaPecas')} />
      </Group>
      <SwitchField
        label={planColumns.ultimaPeca}
        description="Medir também a última peça da etapa"
        isOn={last.value === 'S'}
        onChange={(isOn) => last.onChange(isOn ? 'S' : 'N')}
      />
      {hasTyped && (
        <SwitchField
          label={planColumns.digitadoVale}
          description="O que se digita no apontamento conta como medição; desligado, só o que se mede com 'Medir'"
          isOn={typed.value !== 'N'}
          onChange={(isOn) => typed.onChange(isOn ? 'S' : 'N')}
        />
      )}
    </>
  )
}
