import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type PairField, pairText } from './management.ts'
import { type PairFormArgs, type PairFormState, usePairForm } from './pair-form.ts'

/** Creates a pair, or changes one. Mounted while it is open. */
export function PairDialog<Field extends string>(props: PairFormArgs<Field>) {
  const { management, pair } = props
  const { fields, texts } = management
  const firstBox = useRef<HTMLInputElement>(null)
  const { formError, problem, isConflict, typed, ...does } = usePairForm(props)
  const reload = () => {
    firstBox.current?.focus()
    does.reload()
  }
  const restoreTyped = () => {
    firstBox.current?.focus()
    does.restoreTyped()
  }
  return (
    <FormDialog
      title={pair ? texts.editTitle : texts.createTitle}
      isValid={does.isValid}
      isBusy={does.isSaving}
      error={problem ?? formError}
      errorAction={isConflict && <Button onPress={reload}>Recarregar</Button>}
      after={
        <>
          {typed && <Typed text={pairText(management, typed)} onRestore={restoreTyped} />}
          {pair && texts.editNote && <p className="text-sm text-muted">{texts.editNote}</p>}
        </>
      }
      onSave={does.save}
      onClose={does.leave}
      onCancel={does.cancel}
    >
      <Fields fields={fields} pairForm={does} firstBox={firstBox} />
    </FormDialog>
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
          autoCapitalize="characters"
          value={form[name]}
          onChange={(text) => change(name, text)}
          // A scan replaces the text of the field.
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
