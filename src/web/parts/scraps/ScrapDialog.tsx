import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ScrapReason } from '../../../contract/scrap-reasons.ts'
import { SCRAP_NOTE_LENGTH_MAX } from '../../../contract/scraps.ts'
import { saysSomething } from '../../../contract/values.ts'
import { machineIdIn } from '../../../domain/forms/recording-form.ts'
import { isBadge } from '../../../domain/people/badges.ts'
import { registeredUnit } from '../../../domain/quality/sampling.ts'
import { readWhole } from '../../../domain/text/numbers.ts'
import { scannedReason } from '../../../domain/text/printed-reasons.ts'
import { isMany, manyText, OTHER, offeredReasons, usualReasons } from '../../../domain/tools/scraps.ts'
import { placeText } from '../../acts/act-texts.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { TextField, takeFocus } from '../../ui/TextField.tsx'
import { readBadge } from '../scanner/badges.ts'
import { playSound } from '../scanner/sounds.ts'
import { useReadings } from '../scanner/useReadings.ts'
import { reasonTextOf } from './reasons.ts'
import type { ScrapWork } from './work.ts'

export type TypedScrap = { reason: string; words: string; pieces: number; isRework: boolean }

type Props = {
  work: ScrapWork
  reasons: readonly ScrapReason[]
  /** Code of the scan that opened it; empty: none did. */
  reasonRead: string
  onSave: (typed: TypedScrap) => void
  onClose: () => void
}

const PIECES_MAX = 1_000_000

/** What is chosen in the section, and what is not. */
function headOf({ part, machine, tool, lot }: ScrapWork): string[] {
  const isCrimp = part === 'l1' || part === 'l2'
  const ofTool = registeredUnit(tool) ? `Mini aplicador: ${tool}` : 'Mini aplicador não escolhido: o contador não muda.'
  return [
    machine ? `Máquina: ${machineIdIn(machine)}` : 'Máquina não escolhida',
    ...(isCrimp ? [ofTool] : []),
    ...(lot.trim() ? [`Lote: ${lot.trim()}`] : []),
  ]
}

/** Content of the dialog; a scan of a printed reason chooses it, wherever the cursor stands. */
function useTyped({ work, reasons, reasonRead }: Props) {
  const offered = offeredReasons(reasons, work.part)
  const root = useRef<HTMLDivElement>(null)
  const piecesBox = useRef<HTMLInputElement>(null)
  const [reason, setReason] = useState(reasonRead)
  const [words, setWords] = useState('')
  const [pieces, setPieces] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const choose = (code: string) => {
    setReason(code)
    setProblem(null)
    // before the next key, which is the number's first digit
    if (code !== OTHER) takeFocus(piecesBox.current)
  }
  const restore = (before: { words: string; pieces: string }) => {
    setWords(before.words)
    setPieces(before.pieces)
  }
  useReadings(root, {
    hold: () => ({ words, pieces }),
    restore,
    onReading: ({ text, fresh }, before) => {
      flushSync(() => before && restore(before))
      if (isBadge(text)) return void readBadge(text)
      if (!fresh) return
      const read = offered.find(({ codigo }) => codigo === scannedReason(text))
      playSound(read ? 'good' : 'bad')
      // its last key is not one of the box
      if (read) setTimeout(() => choose(read.codigo))
      else setProblem('Este código não é um motivo de refugo desta etapa.')
    },
  })
  return {
    ...{ offered, root, piecesBox, reason, choose, words, setWords, pieces, setPieces, problem, setProblem },
  }
}

/** 'Salvar': what is missing, then whether so many were meant. */
function useSaving({ work, onSave }: Props, typed: ReturnType<typeof useTyped>) {
  const { reason, words, setProblem } = typed
  const [isRework, setRework] = useState(false)
  const [asking, setAsking] = useState<TypedScrap | null>(null)
  const isSent = useRef(false)
  const send = (scrap: TypedScrap) => {
    if (!isSent.current) onSave(scrap)
    isSent.current = true
  }
  const save = () => {
    const pieces = readWhole(typed.pieces)
    if (reason === '') return setProblem('Escolha o motivo.')
    if (reason === OTHER && !saysSomething(words)) return setProblem('Escreva qual é o motivo.')
    if (!(pieces >= 1 && pieces <= PIECES_MAX)) {
      takeFocus(typed.piecesBox.current)
      return setProblem('Digite as peças: de 1 a 1.000.000.')
    }
    const scrap = { reason, words: reason === OTHER ? words : '', pieces, isRework }
    if (isMany(pieces, work.ordered)) setAsking(scrap)
    else send(scrap)
  }
  return { isRework, setRework, asking, setAsking, send, save }
}

/** Pieces are thrown away: a reason, a number, 'Salvar'. Mounted while it is open. */
export function ScrapDialog(props: Props) {
  const { work, reasons, onClose } = props
  const typed = useTyped(props)
  const { reason, words, problem } = typed
  const { isRework, setRework, asking, setAsking, send, save } = useSaving(props, typed)
  return (
    <Dialog
      title={`Refugo - ${placeText(work.part, work.junction)}`}
      width="lg"
      onClose={onClose}
      error={problem !== null && <Alert isUntitled>{problem}</Alert>}
      actions={
        <>
          <Button size="lg" onPress={onClose}>
            Cancelar
          </Button>
          <Button variant="primary" size="lg" onPress={save}>
            Salvar
          </Button>
        </>
      }
    >
      <div ref={typed.root} className="flex flex-col gap-4">
        <p className="text-sm text-muted">{headOf(work).join(' · ')}</p>
        <Reasons {...typed} branch={work.branch} />
        {reason === OTHER && (
          <TextField
            label="Qual?"
            autoFocus
            autoCapitalize="sentences"
            maxLength={SCRAP_NOTE_LENGTH_MAX}
            value={words}
            onChange={typed.setWords}
          />
        )}
        <div className="grid items-end gap-x-8 gap-y-4 sm:grid-cols-2">
          <Pieces {...typed} onEnter={save} />
          <SwitchField
            label="Retrabalho"
            description="Foram reparadas e estão entre as boas."
            isOn={isRework}
            onChange={setRework}
          />
        </div>
      </div>
      {asking && (
        <ConfirmDialog
          title={manyText(asking.pieces, work.ordered)}
          kind="warning"
          cancelText="Corrigir"
          isAnswer
          onConfirm={() => send(asking)}
          onClose={() => setAsking(null)}
        >
          <p>{reasonTextOf(reasons, reason, words)}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

type PiecesProps = Pick<ReturnType<typeof useTyped>, 'pieces' | 'setPieces' | 'piecesBox'> & { onEnter: () => void }

const Pieces = ({ pieces, setPieces, piecesBox, onEnter }: PiecesProps) => (
  <TextField
    label="Peças"
    code
    inputMode="numeric"
    maxLength={9}
    inputRef={piecesBox}
    value={pieces}
    onChange={setPieces}
    onKeyDown={(event) => {
      if (event.key === 'Enter') onEnter()
    }}
  />
)

type ReasonsProps = Pick<ReturnType<typeof useTyped>, 'offered' | 'reason' | 'choose'> & { branch: string }

/** The usual ones as large buttons, all of them for who asks. */
function Reasons({ offered, reason, choose, branch }: ReasonsProps) {
  const usual = usualReasons(offered, branch)
  const isUsual = reason === '' || usual.some(({ codigo }) => codigo === reason)
  const [isWhole, setWhole] = useState(!isUsual)
  const shown = isWhole || !isUsual ? offered : usual
  return (
    <fieldset className="grid grid-cols-2 gap-2 md:grid-cols-4">
      <legend className="mb-2 font-semibold">Motivo</legend>
      {shown.map(({ codigo, texto }) => (
        <button
          key={codigo}
          type="button"
          aria-pressed={codigo === reason}
          onClick={() => choose(codigo)}
          className="min-h-14 rounded-md border border-edge bg-surface px-3 py-2 font-semibold wrap-anywhere hover:bg-hover aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink"
        >
          {texto}
        </button>
      ))}
      {shown.length < offered.length && (
        <div className="col-span-full">
          <Button variant="quiet" onPress={() => setWhole(true)}>
            Todos os motivos
          </Button>
        </div>
      )}
    </fieldset>
  )
}
