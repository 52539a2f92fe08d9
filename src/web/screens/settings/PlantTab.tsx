import { useQueryClient } from '@tanstack/react-query'
import {
  ChartSpline,
  ClipboardCheck,
  ClipboardPen,
  Factory,
  Gauge,
  PhoneCall,
  Ruler,
  UserRoundCheck,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { capabilityNamings, type Plant, planApprovals, planModes } from '../../../contract/settings.ts'
import { PLANT_LABEL_LENGTH_MAX, settingsChanges } from '../../../contract/settings-changes.ts'
import { callTeams } from '../../../contract/values.ts'
import { limitRolesToChoose, roleTexts } from '../../../domain/people/permissions.ts'
import { instrumentModeHints } from '../../../domain/quality/instruments.ts'
import { planApprovalTexts, planModeHints, planModeTexts } from '../../../domain/quality/plan-gate.ts'
import { namingTexts } from '../../../domain/reports/spc-names.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { teamTexts } from '../../../domain/tools/call-topics.ts'
import { callConfirmed } from '../../parts/access/PasswordConfirmation.tsx'
import { isText, useTyped } from '../../parts/fields/useTyped.ts'
import { settingsQuery, useSettings } from '../../parts/settings.ts'
import type { Parts } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Section } from '../../ui/Page.tsx'
import { RadioChoice } from '../../ui/RadioChoice.tsx'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { TextField } from '../../ui/TextField.tsx'

/** Settings of the whole plant, for administrators. */
export function PlantTab() {
  const { plants, limitWarningPercent, limitRoles, callTeams: called } = useSettings()
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">As mudanças valem na hora, em todos os dispositivos.</p>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        <Section title="Nomes das filiais" icon={<Factory {...icon.md} />}>
          {/* Somebody else's change replaces the typed labels. */}
          <LabelsForm key={plants.map(({ code, label }) => `${code}=${label}`).join()} plants={plants} />
        </Section>
        <Section title="Aviso antes do limite" icon={<Gauge {...icon.md} />}>
          <WarningForm key={limitWarningPercent} percent={limitWarningPercent} />
        </Section>
        <Section title="Quem pode zerar e mudar limites" icon={<UserRoundCheck {...icon.md} />}>
          <SeveralForm
            key={limitRoles.join()}
            chosen={limitRoles}
            options={limitRolesToChoose}
            texts={roleTexts}
            note="Administradores sempre podem; Consulta nunca."
            changeOf={(roles) => ({ limitRoles: roles })}
          />
        </Section>
        {/* a server of the version before has no such choice */}
        {called && (
          <Section title="Quem se chama por aqui" icon={<PhoneCall {...icon.md} />}>
            <SeveralForm
              key={called.join()}
              chosen={called}
              options={callTeams.filter((team) => team !== 'manutencao')}
              texts={teamTexts}
              note="A manutenção se chama sempre."
              changeOf={(teams) => ({ callTeams: teams })}
            />
          </Section>
        )}
        <QualitySections />
      </div>
    </div>
  )
}

function QualitySections() {
  const { planMode, planApproval, instrumentMode, capabilityNames } = useSettings()
  return (
    <>
      <Section title="Fora do plano de controle" icon={<ClipboardCheck {...icon.md} />}>
        <ChoiceForm
          key={planMode}
          chosen={planMode}
          label="Ao registrar fora do plano"
          options={planModes}
          texts={planModeTexts}
          hints={planModeHints}
          changeOf={(mode) => ({ planMode: mode })}
        />
      </Section>
      {/* a server of the version before knows neither this nor approvals */}
      {instrumentMode && (
        <Section title="Instrumentos de medição" icon={<Ruler {...icon.md} />}>
          <ChoiceForm
            key={instrumentMode}
            chosen={instrumentMode}
            label="Ao registrar o que um instrumento em dúvida mediu"
            options={planModes}
            texts={planModeTexts}
            hints={instrumentModeHints}
            changeOf={(mode) => ({ instrumentMode: mode })}
          />
        </Section>
      )}
      {planApproval && (
        <Section title="Aprovação de planos de controle" icon={<ClipboardPen {...icon.md} />}>
          <ChoiceForm
            key={planApproval}
            chosen={planApproval}
            label="Uma versão nova vale"
            options={planApprovals}
            texts={planApprovalTexts}
            changeOf={(approval) => ({ planApproval: approval })}
          />
        </Section>
      )}
      <Section title="Índices de capacidade" icon={<ChartSpline {...icon.md} />}>
        <ChoiceForm
          key={capabilityNames}
          chosen={capabilityNames}
          label="Nomes dos índices"
          options={capabilityNamings}
          texts={namingTexts}
          changeOf={(naming) => ({ capabilityNames: naming })}
        />
      </Section>
    </>
  )
}

type Change = Parts<typeof settingsChanges.change>['body']

type FormProps = {
  children: ReactNode
  isValid: boolean
  /** Settings as they are typed. */
  changed: () => Change
}

/** Saves what it holds; a setting left out stays as it is. */
function SavedForm({ children, isValid, changed }: FormProps) {
  const queries = useQueryClient()
  const { save, isBusy, failure } = useSave({
    send: (body: Change) => callConfirmed(settingsChanges.change, { body }),
    toast: 'Configuração salva.',
    onSaved: (saved) => queries.setQueryData(settingsQuery.queryKey, saved),
  })
  return (
    <Form onSubmit={() => isValid && save(changed())} noValidate className="flex flex-col gap-4">
      {children}
      {failure && <Alert>{failure}</Alert>}
      <div>
        <Button type="submit" variant="primary" isDisabled={!isValid} busy={isBusy} busyText="Salvando...">
          Salvar
        </Button>
      </div>
    </Form>
  )
}

const isPlants = (stored: unknown): stored is readonly Plant[] =>
  Array.isArray(stored) && stored.every((plant) => isText(plant?.code) && isText(plant?.label))

function LabelsForm({ plants }: { plants: readonly Plant[] }) {
  const [typed, setTyped] = useTyped('filiais', plants, isPlants)
  const changed = typed.filter(({ label }, at) => label.trim() !== plants[at]?.label)
  const isValid = changed.length > 0 && typed.every(({ label }) => label.trim() !== '')
  const change = (code: string, label: string) =>
    setTyped(typed.map((plant) => (plant.code === code ? { code, label } : plant)))
  return (
    <SavedForm isValid={isValid} changed={() => ({ plants: changed })}>
      {typed.map(({ code, label }) => (
        <TextField
          key={code}
          label={`Filial ${code}`}
          value={label}
          onChange={(text) => change(code, text)}
          maxLength={PLANT_LABEL_LENGTH_MAX}
          isRequired
        />
      ))}
    </SavedForm>
  )
}

function WarningForm({ percent }: { percent: number }) {
  const [typed, setTyped] = useTyped('aviso', String(percent), isText)
  const value = readWhole(typed)
  const isNumber = value >= 1 && value <= 100
  return (
    <SavedForm isValid={isNumber && value !== percent} changed={() => ({ limitWarningPercent: value })}>
      <TextField
        label="Avisar a partir de (% do limite)"
        description="A partir deste percentual do limite, o mini aplicador aparece em aviso."
        value={typed}
        onChange={setTyped}
        error={isNumber ? undefined : 'Esperado um número de 1 a 100'}
        inputMode="numeric"
        maxLength={3}
        code
      />
    </SavedForm>
  )
}

type SeveralProps<Value extends string> = {
  chosen: readonly Value[]
  options: readonly Value[]
  texts: Record<Value, string>
  /** How it is with those that are not offered. */
  note: string
  changeOf: (values: Value[]) => Change
}

function SeveralForm<Value extends string>({ chosen, options, texts, note, changeOf }: SeveralProps<Value>) {
  const [values, setValues] = useState(chosen)
  const isOther = options.some((one) => values.includes(one) !== chosen.includes(one))
  const turn = (value: Value, isOn: boolean) =>
    setValues(isOn ? [...values, value] : values.filter((one) => one !== value))
  return (
    <SavedForm isValid={isOther} changed={() => changeOf([...values])}>
      {options.map((value) => (
        <SwitchField
          key={value}
          label={texts[value]}
          isOn={values.includes(value)}
          onChange={(isOn) => turn(value, isOn)}
        />
      ))}
      <p className="text-sm text-muted">{note}</p>
    </SavedForm>
  )
}

type ChoiceProps<Value extends string> = {
  chosen: Value
  label: string
  options: readonly Value[]
  texts: Record<Value, string>
  /** Consequence of each, below the choice. */
  hints?: Record<Value, string>
  changeOf: (value: Value) => Change
}

function ChoiceForm<Value extends string>({ chosen, label, options, texts, hints, changeOf }: ChoiceProps<Value>) {
  const [value, setValue] = useState(chosen)
  return (
    <SavedForm isValid={value !== chosen} changed={() => changeOf(value)}>
      <RadioChoice
        label={label}
        options={options.map((one) => ({ value: one, label: texts[one] }))}
        value={value}
        onChange={setValue}
      />
      {hints && <p className="text-sm text-muted">{hints[value]}</p>}
    </SavedForm>
  )
}
