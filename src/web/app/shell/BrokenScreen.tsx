import { useState } from 'react'
import { reloadOnceThere } from '../../device/reloads.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'

/** A screen that failed while it was drawn. What is typed is in drafts, what was recorded in the queue. */
export function BrokenScreen() {
  const [state, setState] = useState<'shown' | 'asking' | 'away'>('shown')
  const retry = async () => {
    setState('asking')
    if (!(await reloadOnceThere())) setState('away')
  }
  return (
    <Alert
      action={
        <Button busy={state === 'asking'} onPress={() => void retry()}>
          Tentar novamente
        </Button>
      }
    >
      Não foi possível abrir esta tela. O que estava salvo continua salvo.
      {state === 'away' && ' Ainda sem conexão com o servidor.'}
    </Alert>
  )
}
