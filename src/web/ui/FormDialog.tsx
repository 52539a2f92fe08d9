import { type FormEvent, type ReactNode, useId } from 'react'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  title: string
  width?: 'sm' | 'md'
  /** The fields. */
  children: ReactNode
  /** Under the form: Enter in it saves nothing. */
  after?: ReactNode
  saveText?: string
  isValid: boolean
  isBusy: boolean
  /** What the last try was answered. */
  error?: ReactNode
  onSave: () => void
  onClose: () => void
}

/** Asks for what is then saved. Mounted while it is open. */
export function FormDialog({ title, width = 'sm', children, after, ...rest }: Props) {
  const { saveText = 'Salvar', isValid, isBusy, error, onSave, onClose } = rest
  const formId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid && !isBusy) onSave()
  }
  return (
    <Dialog
      title={title}
      isOpen
      width={width}
      onClose={onClose}
      isBusy={isBusy}
      error={error && <Alert>{error}</Alert>}
      actions={
        <>
          <Button size="lg" isDisabled={isBusy} onPress={onClose}>
            Cancelar
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            isDisabled={!isValid}
            busy={isBusy}
            busyText="Salvando..."
          >
            {saveText}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {children}
      </form>
      {after}
    </Dialog>
  )
}
