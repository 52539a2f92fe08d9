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
import type { Input } from '../../../contract/endpoint.ts'
import {
  type CapabilityNaming,
  capabilityNamings,
  type PlanApproval,
  type PlanMode,
  type Plant,
  planApprovals,
  planModes,
} from '../../../contract/settings.ts'
import { PLANT_LABEL_LENGTH_MAX, settingsChanges } from '../../../contract/settings-changes.ts'
import { type CallTeam, callTeams, type Role } from '../../../contract/values.ts'
import { limitRolesToChoose, roleTexts } from '../../../domain/people/permissions.ts'
import { instrumentModeHints } from '../../../domain/quality/instruments.ts'
import { planApprovalTexts, planModeHints, planModeTexts } from '../../../domain/quality/plan-gate.ts'
import { namingTexts } from '../../../domain/reports/spc-names.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { teamTexts } from '../../../domain/tools/call-topics.ts'
import { callConfirmed } from '../../parts/access/PasswordConfirmation.tsx'
import { isText, useTyped } from '../../parts/fields/useTyped.ts'
import { settingsQuery, useSettings } from '../../parts/settings.ts'
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
  const { plants, limitWarningPercent, limitRoles, planMode, planApproval, instrumentMode, ...others } = useSettings()
  const { capabilityNames } = others
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
          <LimitRolesForm key={limitRoles.join()} chosen={limitRoles} />
        </Section>
        {/* a server of the version before has no such choice */}
        {others.callTeams && (
          <Section title="Quem se chama por aqui" icon={<PhoneCall {...icon.md} />}>
            <CallTeamsForm key={others.callTeams.join()} chosen={others.callTeams} />
          </Section>
        )}
        <Section title="Fora do plano de controle" icon={<ClipboardCheck {...icon.md} />}>
          <ModeForm
            key={planMode}
            chosen={planMode}
            label="Ao registrar fora do plano"
            hints={planModeHints}
            changeOf={(mode) => ({ planMode: mode })}
          />
        </Section>
        {/* a server of the version before knows neither this nor approvals */}
        {instrumentMode && (
          <Section title="Instrumentos de medição" icon={<Ruler {...icon.md} />}>
            <ModeForm
              key={instrumentMode}
              chosen={instrumentMode}
              label="Ao registrar o que um instrumento em dúvida mediu"
              hints={instrumentModeHints}
              changeOf={(mode) => ({ instrumentMode: mode })}
            />
          </Section>
        )}
        {planApproval && (
          <Section title="Aprovação de planos de controle" icon={<ClipboardPen {...icon.md} />}>
            <PlanApprovalForm key={planApproval} chosen={planApproval} />
          </Section>
        )}
        <Section title="Índices de capacidade" icon={<ChartSpline {...icon.md} />}>
          <CapabilityNamesForm key={capabilityNames} chosen={capabilityNames} />
        </Section>
      </div>
    </div>
  )
}

type Change = Input<typeof settingsChanges.change>['body']

function useSettingsChange() {
  const queries = useQueryClient()
  return useSave({
    send: (body: Change) => callConfirmed(settingsChanges.change, { body }),
    toast: 'Configuração salva.',
    onSaved: (changed) => queries.setQueryData(settingsQuery.queryKey, changed),
  })
}

type FormProps = {
  children: ReactNode
  isValid: boolean
  isBusy: boolean
  failure: string | undefined
  onSave: () => void
}

function SavedForm({ children, isValid, isBusy, failure, onSave }: FormProps) {
  return (
    <Form onSubmit={() => isValid && onSave()} noValidate className="flex flex-col gap-4">
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
  const { save, isBusy, failure } = useSettingsChange()
  const changed = typed.filter(({ label }, at) => label.trim() !== plants[at]?.label)
  const isValid = changed.length > 0 && typed.every(({ label }) => label.trim() !== '')
  const change = (code: string, label: string) =>
    setTyped(typed.map((plant) => (plant.code === code ? { code, label } : plant)))
  return (
    <SavedForm isValid={isValid} isBusy={isBusy} failure={failure} onSave={() => save({ plants: changed })}>
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
  const { save, isBusy, failure } = useSettingsChange()
  const value = readWhole(typed)
  const isNumber = value >= 1 && value <= 100
  return (
    <SavedForm
      isValid={isNumber && value !== percent}
      isBusy={isBusy}
      failure={failure}
      onSave={() => save({ limitWarningPercent: value })}
    >
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

function LimitRolesForm({ chosen }: { chosen: readonly Role[] }) {
  const [roles, setRoles] = useState(chosen)
  const { save, isBusy, failure } = useSettingsChange()
  const isOther = limitRolesToChoose.some((role) => roles.includes(role) !== chosen.includes(role))
  const turn = (role: Role, isOn: boolean) => setRoles(isOn ? [...roles, role] : roles.filter((one) => one !== role))
  return (
    <SavedForm isValid={isOther} isBusy={isBusy} failure={failure} onSave={() => save({ limitRoles: [...roles] })}>
      {limitRolesToChoose.map((role) => (
        <SwitchField
          key={role}
          label={roleTexts[role]}
          isOn={roles.includes(role)}
          onChange={(isOn) => turn(role, isOn)}
        />
      ))}
      <p className="text-sm text-muted">Administradores sempre podem; Consulta nunca.</p>
    </SavedForm>
  )
}

function CallTeamsForm({ chosen }: { chosen: readonly CallTeam[] }) {
  const [teams, setTeams] = useState(chosen)
  const { save, isBusy, failure } = useSettingsChange()
  const isOther = callTeams.some((team) => teams.includes(team) !== chosen.includes(team))
  const turn = (team: CallTeam, isOn: boolean) =>
    setTeams(isOn ? [...teams, team] : teams.filter((one) => one !== team))
  return (
    <SavedForm isValid={isOther} isBusy={isBusy} failure={failure} onSave={() => save({ callTeams: [...teams] })}>
      {callTeams
        .filter((team) => team !== 'manutencao')
        .map((team) => (
          <SwitchField
            key={team}
            label={teamTexts[team]}
            isOn={teams.includes(team)}
            onChange={(isOn) => turn(team, isOn)}
          />
        ))}
      <p className="text-sm text-muted">A manutenção se chama sempre.</p>
    </SavedForm>
  )
}

type ModeProps = {
  chosen: PlanMode
  label: string
  hints: Record<PlanMode, string>
  changeOf: (mode: PlanMode) => Change
}

function ModeForm({ chosen, label, hints, changeOf }: ModeProps) {
  const [mode, setMode] = useState(chosen)
  const { save, isBusy, failure } = useSettingsChange()
  return (
    <SavedForm isValid={mode !== chosen} isBusy={isBusy} failure={failure} onSave={() => save(changeOf(mode))}>
      <RadioChoice
        label={label}
        options={planModes.map((value) => ({ value, label: planModeTexts[value] }))}
        value={mode}
        onChange={setMode}
      />
      <p className="text-sm text-muted">{hints[mode]}</p>
    </SavedForm>
  )
}

function PlanApprovalForm({ chosen }: { chosen: PlanApproval }) {
  const [approval, setApproval] = useState(chosen)
  const { save, isBusy, failure } = useSettingsChange()
  return (
    <SavedForm
      isValid={approval !== chosen}
      isBusy={isBusy}
      failure={failure}
      onSave={() => save({ planApproval: approval })}
    >
      <RadioChoice
        label="Uma versão nova vale"
        options={planApprovals.map((value) => ({ value, label: planApprovalTexts[value] }))}
        value={approval}
        onChange={setApproval}
      />
    </SavedForm>
  )
}

function CapabilityNamesForm({ chosen }: { chosen: CapabilityNaming }) {
  const [naming, setNaming] = useState(chosen)
  const { save, isBusy, failure } = useSettingsChange()
  return (
    <SavedForm
      isValid={naming !== chosen}
      isBusy={isBusy}
      failure={failure}
      onSave={() => save({ capabilityNames: naming })}
    >
      <RadioChoice
        label="Nomes dos índices"
        options={capabilityNamings.map((value) => ({ value, label: namingTexts[value] }))}
        value={naming}
        onChange={setNaming}
      />
    </SavedForm>
  )
}
