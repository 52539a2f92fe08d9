import { useCallback, useEffect, useRef, useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { BARCODE_LENGTH } from '../../../contract/values.ts'
import { ownerIn } from '../../../domain/acts/check-orders.ts'
import { isReceived, rowOf } from '../../../domain/acts/recordings.ts'
import { itemName } from '../../acts/cut-crimp.ts'
import { kinds } from '../../acts/kinds.ts'
import { useReceivedHere } from '../../acts/queue-db.ts'
import { useIsBusy, useRecorder } from '../../acts/useRecorder.ts'
import { preferences } from '../../device/preferences.ts'
import { useMay } from '../../parts/permissions.tsx'
import { KEY_GAP_MS_MAX } from '../../parts/scanner/scanner.ts'
import { playSound } from '../../parts/scanner/sounds.ts'
import { useFlash } from '../../parts/scanner/useScanAnswer.ts'
import { useScanner } from '../../parts/scanner/useScanner.ts'
import { useWindowEvent } from '../../ui/useWindowEvent.ts'

/** Longer than a scanner pauses: what it is still typing must not be cut off at the 22nd character. */
const TYPED_MS = KEY_GAP_MS_MAX + 30
export const REFOCUS_MS = 100

type Listeners = { onCode: (code: string) => void; onWrongLength: () => void }

/** The box that barcodes are scanned or typed into. A scan is heard wherever the focus is, other text boxes aside. */
function useCodeBox({ onCode, onWrongLength }: Listeners) {
  const [code, setCode] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const typed = useRef<ReturnType<typeof setTimeout>>(undefined)
  const refocus = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(typed.current)
      clearTimeout(refocus.current)
    },
    [],
  )

  const read = (whole: string) => {
    clearTimeout(typed.current)
    // A box that is emptied late would take away what is scanned next.
    clearTimeout(refocus.current)
    setCode(whole)
    onCode(whole)
  }
  useScanner(read, box)

  const clear = () => {
    clearTimeout(typed.current)
    setCode('')
    clearTimeout(refocus.current)
    refocus.current = setTimeout(() => box.current?.focus({ preventScroll: true }), REFOCUS_MS)
  }
  return {
    code,
    box,
    clear,
    type: (text: string) => {
      setCode(text)
      clearTimeout(typed.current)
      if (text.length === BARCODE_LENGTH) typed.current = setTimeout(() => read(text), TYPED_MS)
    },
    enter: () => {
      if (code.length === BARCODE_LENGTH) return read(code)
      if (code !== '') onWrongLength()
    },
  }
}

/** A dialog that has just opened answers to no key: it may belong to the scan that opened it. */
const DEAF_MS = 400
/** A scanner that is as slow as a hand is no burst: the Enter after its last character still may not answer. */
const SUFFIX_MS = 300

/** Keeps a scanner from answering the dialog. */
function useDeafDialog(isDialogOpen: boolean): void {
  const openedAt = useRef(Number.NEGATIVE_INFINITY)
  const characterAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (isDialogOpen) openedAt.current = performance.now()
  }, [isDialogOpen])
  const hear = (event: KeyboardEvent) => {
    const { key, timeStamp } = event
    const isStray = timeStamp - openedAt.current < DEAF_MS || timeStamp - characterAt.current < SUFFIX_MS
    if (key.length === 1 && key !== ' ') characterAt.current = timeStamp
    if (!isDialogOpen || !isStray || (key !== 'Enter' && key !== ' ')) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  useWindowEvent('keydown', hear, { capture: true })
}

/** Rules for the codes that are read, one after another: pure, so that every order of events can be tried. */

/** The same code within this time is the same scan: a trigger held a little too long. */
const REPEAT_MS = 2000

export type Reading = {
  /** The code that the dialog asks about; null while none is open. */
  awaiting: string | null
  /** Last code that was read and counted; null after 'Não', when the same code counts again at once. */
  last: { code: string; atMs: number } | null
  /** When anything was read last: a trigger that is held reads on and on. */
  heardAtMs: number
}

export const noReading: Reading = { awaiting: null, last: null, heardAtMs: Number.NEGATIVE_INFINITY }

type Verdict =
  /** The same scan once more: nothing happens. */
  | 'repeated'
  /** The dialog is open for another one, which has to be answered first. */
  | 'interrupting'
  /** On no row of the list. */
  | 'unknown'
  | 'asked'
  /** The code that is asked about, read once more: 'Sim'. */
  | 'confirmed'

type Read = { code: string; atMs: number; isListed: boolean; confirmsBySecondScan?: boolean }

/** `atMs` of any clock that only goes forward. */
export function readCode(
  reading: Reading,
  { code, atMs, isListed, confirmsBySecondScan = false }: Read,
): { reading: Reading; verdict: Verdict } {
  const heard = { ...reading, heardAtMs: atMs }
  // Nothing was read since, so it is at least as long after the first.
  const isSecond = confirmsBySecondScan && reading.awaiting === code && atMs - reading.heardAtMs >= REPEAT_MS
  if (isSecond) return { reading: heard, verdict: 'confirmed' }
  const isSame = reading.last?.code === code && atMs - reading.last.atMs <= REPEAT_MS
  if (reading.awaiting === code || isSame) return { reading: heard, verdict: 'repeated' }
  // Not counted: it is to be read again once the dialog is answered.
  if (reading.awaiting !== null) return { reading: heard, verdict: 'interrupting' }
  const last = { code, atMs }
  return isListed
    ? { reading: { ...heard, awaiting: code, last }, verdict: 'asked' }
    : { reading: { ...heard, awaiting: null, last }, verdict: 'unknown' }
}

export const answerYes = (reading: Reading): Reading => ({ ...reading, awaiting: null })
export const answerNo = (): Reading => noReading

type Props = {
  /** The plant of the list. */
  branch: string
  items: readonly CutItem[]
  markReceived: (barcode: string, isWaiting: boolean) => void
  /** Null: what was wrong before is so no more. `hint`: what may help beside it. */
  onProblem: (text: string | null, hint?: string) => void
}

type Recorder = Pick<Props, 'branch' | 'items' | 'markReceived'> & { onRefused: (text: string) => void }

/** Confirms receipts, several at a time if hands are faster than the ERP. */
const useReceiptRecorder = ({ branch, items, markReceived, onRefused }: Recorder) =>
  useRecorder(kinds.receipt, {
    place: { branch },
    itemOf: ({ barcode }) => itemName(items.find(({ Z1_CODBAR }) => Z1_CODBAR === barcode)),
    onAccepted: ({ barcode }, { status }) => markReceived(barcode, status === 'pendente'),
    onRefused,
  })

const NOT_LISTED = 'Código de barras não encontrado na lista de itens'

function ownerText(code: string, items: readonly CutItem[]): string | undefined {
  const owner = ownerIn(code, items)
  return owner ? `É da OP ${owner.order}, item ${owner.item}` : undefined
}

/** As the list writes it. */
const codeIn = (items: readonly CutItem[], read: string) => rowOf(items, read)?.Z1_CODBAR ?? read

/** From a code that is read to a receipt that is confirmed. */
export function useReceipts({ branch, items, markReceived, onProblem }: Props) {
  const reading = useRef(noReading)
  const [awaiting, setAwaiting] = useState<CutItem | null>(null)
  const [interrupting, setInterrupting] = useState<string | null>(null)
  const flash = useFlash()
  useDeafDialog(awaiting !== null)

  const complain = (text: string, hint?: string) => {
    playSound('bad')
    onProblem(text, hint)
    if (reading.current.awaiting === null) form.clear()
  }
  const recorder = useReceiptRecorder({ branch, items, markReceived, onRefused: complain })
  const here = useReceivedHere(branch)
  const read = (code: string) => {
    const item = items.find((one) => one.Z1_CODBAR === code)
    const of = { ...preferences(), atMs: performance.now(), code, isListed: item !== undefined }
    const step = readCode(reading.current, of)
    reading.current = step.reading
    if (step.verdict === 'asked' || step.verdict === 'confirmed') playSound('good')
    if (step.verdict === 'confirmed') answer(true)
    if (step.verdict === 'unknown') complain(NOT_LISTED, ownerText(code, items))
    if (step.verdict === 'repeated' && step.reading.awaiting === null) form.clear()
    if (step.verdict === 'interrupting') {
      playSound('bad')
      setInterrupting(code)
    }
    if (step.verdict === 'asked' && item) {
      onProblem(null)
      flash.show(code)
      setAwaiting(item)
    }
  }
  const isAllowed = useMay('record')
  const form = useCodeBox({
    onCode: (code) => (isAllowed ? read(codeIn(items, code)) : complain('Seu perfil não pode conferir o corte.')),
    onWrongLength: () => complain('O código de barras deve ter exatamente 22 caracteres'),
  })

  const close = () => {
    setAwaiting(null)
    setInterrupting(null)
    form.clear()
  }
  const answer = (isYes: boolean) => {
    // Closed already: the second click of a double click.
    if (!awaiting || reading.current.awaiting !== awaiting.Z1_CODBAR) return
    reading.current = isYes ? answerYes(reading.current) : answerNo()
    close()
    if (!isYes) return
    flash.show(awaiting.Z1_CODBAR)
    void recorder.register({ branch, barcode: awaiting.Z1_CODBAR })
  }

  const { box } = form
  return {
    form: { code: form.code, type: form.type, enter: form.enter, box },
    focusBox: useCallback(() => box.current?.focus({ preventScroll: true }), [box]),
    awaiting: awaiting && {
      item: awaiting,
      isReceived: isReceived(awaiting) || here.has(awaiting.Z1_CODBAR),
      interrupting,
      onYes: () => answer(true),
      onNo: () => answer(false),
    },
    here,
    flashing: flash.code,
    isBusy: useIsBusy(recorder),
  }
}
