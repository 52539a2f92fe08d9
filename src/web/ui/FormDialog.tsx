import { type ReactNode, useId } from 'react'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'

type Props = {
  title: string
  width?: 'sm' | 'md' | 'lg'
  /** The fields. */
  children: ReactNode
  /** Under the form: Enter in it saves nothing. */
  after?: ReactNode
  saveText?: string
  busyText?: string
  isValid: boolean
  isBusy: boolean
  /** Answer to the last try. */
  error?: ReactNode
  errorAction?: ReactNode
  onSave: () => void
  onClose: () => void
  /** 'Cancelar', where it is more than closing. */
  onCancel?: () => void
}

/** Asks for what is then saved. Mounted while it is open. */
export function FormDialog({ title, width = 'sm', children, after, ...rest }: Props) {
  const { saveText = 'Salvar', busyText = 'Salvando...', error, errorAction, ...state } = rest
  const { isValid, isBusy, onSave, onClose, onCancel = onClose } = state
  const formId = useId()
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      isBusy={isBusy}
      error={error && <Alert action={errorAction}>{error}</Alert>}
      actions={
        <>
          <Button size="lg" isDisabled={isBusy} onPress={onCancel}>
            Cancelar
          </Button>
          <Button type="submit" form={formId} variant="primary" isDisabled={!isValid} busy={isBusy} busyText={busyText}>
            {saveText}
          </Button>
        </>
      }
    >
      <Form id={formId} noValidate onSubmit={() => isValid && !isBusy && onSave()} className="flex flex-col gap-4">
        {children}
      </Form>
      {after}
    </Dialog>
  )
}
