import { useState } from 'react'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'

type Props = {
  text: string
  onRetry?: (() => void) | undefined
  /** The box is gone: the focus must not fall to nowhere. */
  onGone: () => void
}

/** Why a search has brought nothing. Give it a key per failure: a new one shows again. */
export function SearchError({ text, onRetry, onGone }: Props) {
  const [isDismissed, setDismissed] = useState(false)
  if (isDismissed) return null
  const dismiss = () => {
    setDismissed(true)
    onGone()
  }
  return (
    <Alert onDismiss={dismiss} action={onRetry && <Button onPress={onRetry}>Tentar novamente</Button>}>
      {text}
    </Alert>
  )
}
