import { useCallback, useRef, useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { isReceived } from '../../../domain/recordings.ts'
import { playSound } from '../../parts/sounds.ts'
import { useFlash } from '../../parts/useFlash.ts'
import { useCodeBox } from './code-box.ts'
import { answerNo, answerYes, noReading, readCode } from './reading.ts'
import { useReceiptRecorder } from './recorder.ts'
import { useDeafDialog } from './useDeafDialog.ts'

type Props = {
  /** The plant of the list. */
  branch: string
  items: readonly CutItem[]
  markReceived: (barcode: string, isWaiting: boolean) => void
  /** Null: what was wrong before is so no more. */
  onProblem: (text: string | null) => void
}

/** From a code that is read to a receipt that is confirmed. */
export function useReceipts({ branch, items, markReceived, onProblem }: Props) {
  const reading = useRef(noReading)
  const [asked, setAsked] = useState<CutItem | null>(null)
  const [interrupting, setInterrupting] = useState<string | null>(null)
  const flash = useFlash()
  useDeafDialog(asked !== null)

  const complain = (text: string) => {
    playSound('bad')
    onProblem(text)
    if (reading.current.asked === null) form.clear()
  }
  const { confirm, here, isBusy } = useReceiptRecorder({ branch, markReceived, onRefused: complain })

  const read = (code: string) => {
    const item = items.find((one) => one.Z1_CODBAR === code)
    const step = readCode(reading.current, { code, atMs: performance.now(), isListed: item !== undefined })
    reading.current = step.reading
    if (step.verdict === 'unknown') complain('Código de barras não encontrado na lista de itens')
    if (step.verdict === 'repeated' && step.reading.asked === null) form.clear()
    if (step.verdict === 'interrupting') {
      playSound('bad')
      setInterrupting(code)
    }
    if (step.verdict === 'asked' && item) {
      playSound('good')
      onProblem(null)
      flash.show(code)
      setAsked(item)
    }
  }
  const form = useCodeBox({
    onCode: read,
    onWrongLength: () => complain('O código de barras deve ter exatamente 22 caracteres'),
  })

  const close = () => {
    setAsked(null)
    setInterrupting(null)
    form.clear()
  }
  const answer = (isYes: boolean) => {
    // Closed already: the second click of a double click.
    if (!asked || reading.current.asked !== asked.Z1_CODBAR) return
    reading.current = isYes ? answerYes(reading.current) : answerNo()
    close()
    if (!isYes) return
    flash.show(asked.Z1_CODBAR)
    void confirm(asked)
  }

  const { box } = form
  return {
    form: { code: form.code, type: form.type, enter: form.enter, box },
    focusBox: useCallback(() => box.current?.focus({ preventScroll: true }), [box]),
    asked: asked && {
      item: asked,
      isReceived: isReceived(asked) || here.has(asked.Z1_CODBAR),
      interrupting,
      onYes: () => answer(true),
      onNo: () => answer(false),
    },
    here,
    flashing: flash.code,
    isBusy,
  }
}
