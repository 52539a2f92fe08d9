import { useEffect, useRef, useState } from 'react'
import type { Trace } from '../../../contract/traces.ts'
import { cleanLot } from '../../../domain/recording-form.ts'
import { ApiError, errorText } from '../../api.ts'
import { useScanAnswer } from '../../parts/useScanAnswer.ts'
import { useScanner } from '../../parts/useScanner.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { Hint, NothingFound } from './empty-states.tsx'
import { KindChoice } from './KindChoice.tsx'
import { TraceForm } from './TraceForm.tsx'
import { TraceResult } from './TraceResult.tsx'
import { type Asked, useTraceAddress } from './trace-address.ts'
import { useTrace } from './traces.ts'

export function TracePanel() {
  const { term, kind, open } = useTraceAddress()
  const [typed, setTyped] = useState(term)
  const [isEmptyAsked, setEmptyAsked] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const trace = useTrace({ term, kind })
  const { data, error, isFetching, isFetchingNextPage, isFetchNextPageError, refetch } = trace
  const { dataUpdatedAt, errorUpdatedAt } = trace
  const first = data?.pages[0]

  // Also after a link or 'back': the box says what is shown, and what is scanned next replaces it.
  useEffect(() => {
    setTyped(term)
    const showing = requestAnimationFrame(() => {
      // Who walks along the tabs goes on walking.
      if (document.activeElement?.matches('[role=tab]:focus-visible')) return
      box.current?.focus()
      box.current?.select()
    })
    return () => cancelAnimationFrame(showing)
  }, [term])

  const traceTerm = (asked: string) => {
    // As lots are kept.
    const next = cleanLot(asked.trim())
    setEmptyAsked(next === '')
    box.current?.focus()
    box.current?.select()
    if (next === '') return
    if (next === term) void refetch()
    else open({ term: next, kind: null })
  }
  const isFound = !error && first !== undefined && first.encontrados.length > 0
  const { noteScan } = useScanAnswer({ isFetching, dataUpdatedAt, errorUpdatedAt }, { term, isFound })
  useScanner((code, isFresh) => {
    setTyped(code)
    if (!isFresh) return
    noteScan(cleanLot(code))
    traceTerm(code)
  }, box)

  const isReading = isFetching && !isFetchingNextPage
  const failure = error && !isFetching && !isFetchNextPageError ? failureText(error) : null
  return (
    <div className="flex flex-col gap-4">
      <TraceForm
        term={typed}
        onTermChange={(text) => {
          setTyped(text)
          setEmptyAsked(false)
        }}
        error={isEmptyAsked ? 'Leia ou digite um código.' : undefined}
        onTrace={() => traceTerm(typed)}
        isBusy={isReading}
        boxRef={box}
      />
      {failure && !first && (
        <Alert action={<Button onPress={() => void refetch()}>Tentar novamente</Button>}>{failure}</Alert>
      )}
      {term === '' && <Hint onOpen={open} />}
      {term !== '' && !first && isReading && <Spinner>Rastreando...</Spinner>}
      {first && <Found term={term} first={first} trace={trace} failure={failure} onOpen={open} />}
    </div>
  )
}

const failureText = (error: Error) => `${errorText(error)}${error instanceof ApiError ? ` Código: ${error.code}` : ''}`

type FoundProps = {
  term: string
  first: Trace
  trace: ReturnType<typeof useTrace>
  failure: string | null
  onOpen: (asked: Asked) => void
}

function Found({ term, first, trace, failure, onOpen }: FoundProps) {
  const { tipo, encontrados, contagens } = first
  return (
    <>
      <KindChoice found={encontrados} kind={tipo} onChoose={(kind) => onOpen({ term, kind })} />
      {tipo === null || contagens.apontamentos === 0 ? (
        <NothingFound term={term} />
      ) : (
        <TraceResult key={`${tipo} ${term}`} current={{ term, kind: tipo }} trace={trace} failure={failure} />
      )}
    </>
  )
}
