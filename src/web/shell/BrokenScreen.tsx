import { Alert } from '../ui/Alert.tsx'
import { Button } from '../ui/Button.tsx'

/** A screen that could not be fetched, or that failed. What is typed is in drafts, what was recorded in the queue. */
export const BrokenScreen = () => (
  <Alert action={<Button onPress={() => window.location.reload()}>Tentar novamente</Button>}>
    Não foi possível abrir esta tela. O que estava salvo continua salvo.
  </Alert>
)
