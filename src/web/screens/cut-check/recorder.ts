import { useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { RECEIPT_MESSAGE, receipts } from '../../../contract/receipts.ts'
import { call } from '../../api.ts'
import { failureText } from '../../parts/failure-text.ts'
import { newId } from '../../recordings.ts'
import { showToast } from '../../ui/toasts.ts'

type Taken = 'confirmed' | 'atServer'

const nothingHere: ReadonlySet<string> = new Set()

type Recorder = {
  markReceived: (barcode: string) => void
  onRefused: (text: string) => void
}

/** Confirms receipts, several at a time if hands are faster than the ERP. */
export function useReceiptRecorder({ markReceived, onRefused }: Recorder) {
  const [taken, setTaken] = useState<ReadonlyMap<string, Taken>>(new Map())
  const [busyCount, setBusyCount] = useState(0)

  const confirm = async (item: CutItem) => {
    const code = item.Z1_CODBAR
    setBusyCount((count) => count + 1)
    try {
      const body = { filial: item.Z1_FILIAL, codigoBarras: code }
      const { message, status } = await call(receipts.confirm, { body }, { idempotencyKey: newId() })
      setTaken((before) => new Map(before).set(code, status === 'enviado' ? 'confirmed' : 'atServer'))
      markReceived(code)
      showToast({ kind: status === 'enviado' ? 'success' : 'warning', text: message || RECEIPT_MESSAGE })
    } catch (error) {
      onRefused(failureText(error, 'Erro ao confirmar recebimento'))
    }
    setBusyCount((count) => count - 1)
  }

  return { confirm, known: { here: nothingHere, taken }, isBusy: busyCount > 0 }
}
