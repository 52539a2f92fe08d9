import { type FormEvent, type KeyboardEvent, type RefObject, useId, useRef } from 'react'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type PairField, pairText } from './management.ts'
import { type PairFormArgs, type PairFormState, usePairForm } from './pair-form.ts'

/** Creates a pair, or changes one. Mounted while it is open. */
export function PairDialog<Field extends string>(props: PairFormArgs<Field>) {
  const { management, pair } = props
  const { fields, texts } = management
  const formId = useId()
  const firstBox = useRef<HTMLInputElement>(null)
  const { formError, problem, isConflict, typed, ...does } = usePairForm(props)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (does.isValid) does.save()
  }
  const reload = () => {
    firstBox.current?.focus()
    does.reload()
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
      isBusy={does.isSaving}
      error={<FormAlert text={problem ?? formError} onReload={isConflict ? reload : null} />}
      actions={
        <>
          <Button size="lg" isDisabled={does.isSaving} onPress={does.cancel}>
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
      <form id={formId} noValidate onSubmit={submit}>
        <Fields fields={fields} pairForm={does} firstBox={firstBox} />
      </form>
      {typed && <Typed text={pairText(management, typed)} onRestore={restoreTyped} />}
      {pair && texts.editNote && <p className="text-sm text-muted">{texts.editNote}</p>}
    </Dialog>
  )
}

type FieldsProps<Field extends string> = {
  fields: readonly PairField<Field>[]
  pairForm: Pick<PairFormState<Field>, 'form' | 'errors' | 'change' | 'touch' | 'touchAll'>
  firstBox: RefObject<HTMLInputElement | null>
}

function Fields<Field extends string>({ fields, pairForm, firstBox }: FieldsProps<Field>) {
  const { form, errors, change, touch, touchAll } = pairForm
  const lastBox = useRef<HTMLInputElement>(null)
  const hear = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // A scanner ends each code with it: only the last box is where somebody means to save.
    if (event.target === firstBox.current) {
      event.preventDefault()
      return lastBox.current?.focus()
    }
    // A form that cannot be sent does not hear of Enter: say why.
    touchAll()
  }
  return (
    <div className="flex flex-col gap-4">
      {fields.map(({ name, label, placeholder }, index) => (
        <TextField
          key={name}
          label={label}
          placeholder={placeholder}
          code
          isRequired
          autoFocus={index === 0}
          inputRef={index === 0 ? firstBox : lastBox}
          autoComplete="off"
          autoCapitalize="characters"
          value={form[name]}
          onChange={(text) => change(name, text)}
          // What is scanned into it takes the place of what stands there.
          onFocus={({ target }) => target.select()}
          onBlur={() => touch(name)}
          onKeyDown={hear}
          error={errors[name]}
        />
      ))}
    </div>
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

type AlertProps = { text: string | null; onReload: (() => void) | null }

function FormAlert({ text, onReload }: AlertProps) {
  if (!text) return null
  return <Alert action={onReload && <Button onPress={onReload}>Recarregar</Button>}>{text}</Alert>
}
