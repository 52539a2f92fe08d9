import { type ReactNode, useState } from 'react'
import { useSave } from '../../../server/save.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { TextField, type TextFieldProps } from '../../../ui/TextField.tsx'

type Props<Result> = Omit<TextFieldProps, 'value' | 'onChange'> & {
  buttonText: string
  send: (typed: string) => Promise<Result>
  children: (result: Result) => ReactNode
}

/** Tries out whether something outside the panel knows what is typed, and changes nothing there. */
export function TryForm<Result>({ buttonText, send, children, ...field }: Props<Result>) {
  const [text, setText] = useState('')
  const [result, setResult] = useState<Result | null>(null)
  const { save, isBusy, failure } = useSave({ send, onSaved: setResult, onFailed: () => setResult(null) })
  const typed = text.trim()
  return (
    <Form onSubmit={() => typed !== '' && save(typed)} noValidate className="flex flex-col gap-3">
      <TextField {...field} value={text} onChange={setText} />
      <div>
        <Button type="submit" isDisabled={typed === ''} busy={isBusy} busyText="Testando...">
          {buttonText}
        </Button>
      </div>
      {failure && <Alert>{failure}</Alert>}
      {result && !isBusy && children(result)}
    </Form>
  )
}
