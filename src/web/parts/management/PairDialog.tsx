import { type FormEvent, useId, useRef } from 'react'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { pairText } from './management.ts'
import { type PairFormArgs, type Problem, usePairForm } from './pair-form.ts'

/** Creates a pair, or changes one. Mounted while it is open. */
export function PairDialog<Field extends string>(props: PairFormArgs<Field>) {
  const { management, pair } = props
  const { fields, texts } = management
  const formId = useId()
  const firstBox = useRef<HTMLInputElement>(null)
  const { form, errors, formError, problem, typed, ...does } = usePairForm(props)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (does.isValid && !does.isSaving) does.save()
  }
  const reload = () => {
    firstBox.current?.focus()
    void does.reload()
  }
  const restoreTyped = () => {
    firstBox.current?.focus()
    does.restoreTyped()
  }
  return (
    <Dialog
      title={pair ? texts.editTitle : texts.createTitle}
      isOpen
      onClose={does.leave}
      error={<FormAlert problem={problem} formError={formError} onReload={reload} />}
      actions={
        <>
          <Button size="lg" onPress={does.cancel}>
            Cancelar
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            isDisabled={!does.isValid}
            busy={does.isSaving}
            busyText="Salvando..."
          >
            Salvar
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {fields.map(({ name, label, placeholder }, index) => (
          <TextField
            key={name}
            label={label}
            placeholder={placeholder}
            code
            isRequired
            autoFocus={index === 0}
            {...(index === 0 ? { inputRef: firstBox } : {})}
            autoComplete="off"
            autoCapitalize="characters"
            value={form[name]}
            onChange={(text) => does.change(name, text)}
            onBlur={() => does.touch(name)}
            // A form that cannot be sent does not hear of Enter: say why.
            onKeyDown={(event) => event.key === 'Enter' && does.touchAll()}
            error={errors[name]}
          />
        ))}
      </form>
      {typed && <Typed text={pairText(management, typed)} onRestore={restoreTyped} />}
      {pair && texts.editNote && <p className="text-sm text-muted">{texts.editNote}</p>}
    </Dialog>
  )
}

const Typed = ({ text, onRestore }: { text: string; onRestore: () => void }) => (
  <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-4">
    <p className="min-w-0 wrap-anywhere">
      Você tinha digitado: <strong className="code">{text}</strong>
    </p>
    <Button variant="quiet" onPress={onRestore}>
      Usar o que digitei
    </Button>
  </div>
)

type AlertProps = { problem: Problem | null; formError: string | null; onReload: () => void }

function FormAlert({ problem, formError, onReload }: AlertProps) {
  const text = problem?.text ?? formError
  if (!text) return null
  return <Alert action={problem?.isConflict && <Button onPress={onReload}>Recarregar</Button>}>{text}</Alert>
}
