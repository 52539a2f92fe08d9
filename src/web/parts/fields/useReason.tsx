import { useState } from 'react'
import { REASON_LENGTH_MAX } from '../../../contract/pending-recordings.ts'
import { saysSomething } from '../../../contract/values.ts'
import { TextField } from '../../ui/TextField.tsx'

/** The reason without which nothing is decided. `withReason` hands it on trimmed, or marks the box that is empty. */
export function useReason() {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const withReason = (decide: (reason: string) => void) => {
    const trimmed = reason.trim()
    const isSaid = saysSomething(trimmed)
    setMissing(!isSaid)
    if (isSaid) decide(trimmed)
  }
  const field = (
    <TextField
      label="Motivo"
      isRequired
      autoFocus
      value={reason}
      onChange={setReason}
      error={isMissing ? 'Informe o motivo.' : undefined}
      maxLength={REASON_LENGTH_MAX}
    />
  )
  return { reason: reason.trim(), field, withReason }
}
