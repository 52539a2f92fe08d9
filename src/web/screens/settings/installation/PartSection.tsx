import { useQueryClient } from '@tanstack/react-query'
import { BellRing, Factory, Network } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import {
  type InstallationSettings,
  installationSettings,
  type PageSecret,
  type PageVariable,
  pageSecrets,
} from '../../../../contract/installation-settings.ts'
import { callConfirmed } from '../../../parts/access/PasswordConfirmation.tsx'
import { ApiError } from '../../../server/api.ts'
import { invalidate, query } from '../../../server/query.ts'
import { useSave } from '../../../server/save.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { Section } from '../../../ui/Page.tsx'
import { fieldTexts, type Part } from './parts.ts'
import { isSecret, type Variable, VariableField } from './VariableField.tsx'

export const installationQuery = query(installationSettings.get, {})

const icons: Record<Part['key'], typeof Factory> = { fabrica: Factory, erp: Network, avisos: BellRing }

type Typed = Partial<Record<PageVariable, string>>
type Change = { values: Partial<Record<PageVariable, string | null>>; isSameErp?: boolean }

/** On screen plants stand one below the other. */
const shownText = ({ name, value }: Variable): string | null =>
  name === 'PLANTS' ? (value ?? '').replaceAll(',', '\n') : value
const sentText = (name: PageVariable, text: string): string | null => {
  const sent =
    name === 'PLANTS'
      ? text
          .trim()
          .split(/\s*\n\s*/)
          .join(',')
      : text
  return sent.trim() === '' ? null : sent
}

const SAVED = 'Instalação salva. O painel se refaz com ela em instantes.'
/** Only the webhook's password can have been dropped: a new address of the ERP without its password is refused. */
const savedToast = (dropped: readonly PageSecret[]) =>
  dropped.length === 0
    ? ({ kind: 'success', text: SAVED } as const)
    : ({
        kind: 'warning',
        text: `${SAVED} A senha do webhook era do endereço anterior e foi apagada; se o novo pede uma, escreva-a.`,
        stays: true,
      } as const)

/** Typed fields of a part, and how they are saved. */
function usePart(part: Part, now: InstallationSettings) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState<Typed>({})
  const saving = useSave({
    send: (body: Change) => callConfirmed(installationSettings.change, { body }, { versionSeen: now.version }),
    toast: ({ dropped = [] }) => savedToast(dropped),
    onSaved: (changed) => {
      setTyped({})
      queries.setQueryData(installationQuery.queryKey, changed)
    },
    reread: () => invalidate(queries, installationSettings.get),
  })
  const variables = part.names.flatMap((name): Variable[] => {
    const found = now.variables.find((one) => one.name === name)
    return found ? [{ ...found, name, value: shownText({ ...found, name }) }] : []
  })
  const values: Change['values'] = Object.fromEntries(
    variables.flatMap(({ name, value }) => {
      const text = typed[name]
      return text === undefined || text === (value ?? '') ? [] : [[name, sentText(name, text)]]
    }),
  )
  const type = (name: PageVariable) => (text: string) => setTyped((before) => ({ ...before, [name]: text }))
  return { ...saving, variables, typed, type, values }
}

/** An address that is erased asks for nothing. */
function isForNewAddress(name: PageVariable, values: Change['values']): boolean {
  const address = isSecret(name) ? pageSecrets[name] : null
  return address !== null && typeof values[address] === 'string'
}

type SectionProps = { part: Part; now: InstallationSettings; children?: ReactNode }

/** Its own fields, and what it can be tried out with. */
export function PartSection({ part, now, children }: SectionProps) {
  const { variables, typed, type, values, save, isBusy, error, failure, forget, isChanged, reload } = usePart(part, now)
  const details = error instanceof ApiError ? error.details : []
  const isUnsettled = error instanceof ApiError && error.code === 'erp_unsettled'
  const Icon = icons[part.key]
  const isOfDemonstration = now.isDemonstration && part.key === 'erp'
  const isSame = Object.keys(values).length === 0
  return (
    <Section title={part.title} icon={<Icon {...icon.md} />}>
      {isOfDemonstration && <p>Na demonstração, o ERP é fixo.</p>}
      {!isOfDemonstration && (
        <Form onSubmit={() => !isSame && save({ values })} noValidate className="flex flex-col gap-4">
          {variables.map((variable) => (
            <VariableField
              key={variable.name}
              variable={variable}
              typed={typed[variable.name] ?? null}
              onChange={type(variable.name)}
              error={details.find(({ field }) => field === `values.${variable.name}`)?.message}
              isForNewAddress={isForNewAddress(variable.name, values)}
            />
          ))}
          {failure && !isUnsettled && (
            <Alert action={isChanged && <Button onPress={reload}>Recarregar</Button>}>{failure}</Alert>
          )}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" isDisabled={isSame} busy={isBusy} busyText="Salvando...">
              Salvar
            </Button>
            <EraseButtons
              variables={variables}
              isDisabled={isBusy}
              onErase={(name) => save({ values: { [name]: null } })}
            />
          </div>
        </Form>
      )}
      {children}
      {isUnsettled && (
        <ConfirmDialog
          title="É o mesmo ERP?"
          kind="warning"
          confirmText="É o mesmo ERP"
          isBusy={isBusy}
          onConfirm={() => save({ values, isSameErp: true })}
          onClose={forget}
        >
          <p>{failure}</p>
          <p>Atenção: em outro ERP, os apontamentos já enviados seriam enviados outra vez.</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

type EraseProps = { variables: readonly Variable[]; isDisabled: boolean; onErase: (name: PageVariable) => void }

/** Secrets cannot be read back, so an emptied field cannot mean 'erase': each has a button. */
const EraseButtons = ({ variables, isDisabled, onErase }: EraseProps) =>
  variables
    .filter(({ value, source }) => value === null && source === 'page')
    .map(({ name }) => (
      <Button key={name} isDisabled={isDisabled} onPress={() => onErase(name)}>
        {`Apagar: ${fieldTexts[name].label.replace(/ \(.*/, '')}`}
      </Button>
    ))
