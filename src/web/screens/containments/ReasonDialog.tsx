import { type ReactNode, useState } from 'react'
import { CONTAINMENT_REASON_LENGTH_MAX } from '../../../contract/containments.ts'
import { saysSomething } from '../../../contract/values.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'

type FieldProps = { value: string; onChange: (reason: string) => void; autoFocus?: boolean }

/** Why somebody does it: every act on a containment but its opening has one. */
export const ReasonField = (props: FieldProps) => (
  <TextField
    label="Motivo"
    isRequired
    autoCapitalize="sentences"
    maxLength={CONTAINMENT_REASON_LENGTH_MAX}
    {...props}
  />
)

type Props = {
  title: string
  saveText: string
  /** The consequence. */
  children: ReactNode
  isBusy: boolean
  error: string | undefined
  onSave: (reason: string) => void
  onClose: () => void
}

/** An act that needs nothing but a reason. Mounted while it is open. */
export function ReasonDialog({ children, onSave, ...dialog }: Props) {
  const [reason, setReason] = useState('')
  return (
    <FormDialog {...dialog} isValid={saysSomething(reason)} onSave={() => onSave(reason.trim())}>
      <p>{children}</p>
      <ReasonField value={reason} onChange={setReason} autoFocus />
    </FormDialog>
  )
}
