import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { badgeWithin } from '../../../domain/text/badge-texts.ts'
import { signsAround } from '../../../domain/text/reader-signs.ts'
import { changePreferences } from '../../device/preferences.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { BarCode } from './BarCode.tsx'
import { readBadge } from './badges.ts'
import { signsText } from './reader-signs.ts'
import { READING_LENGTH_MIN } from './scanner.ts'
import { playSound } from './sounds.ts'
import { useReadings } from './useReadings.ts'

/** On the screen at first. */
const SAMPLE = 'PAINEL-0123'
const LABEL_LENGTH_MAX = 60

/** A label whose text is known, and what the reader was found to put around it. */
function useLesson() {
  const root = useRef<HTMLDivElement>(null)
  const [printed, setPrinted] = useState(SAMPLE)
  const [found, setFound] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const label = printed.trim()
  const say = (signs: string | null, words: string) => {
    playSound(signs === null ? 'bad' : 'good')
    setFound(signs)
    setProblem(words)
  }
  useReadings(root, {
    hold: () => printed,
    restore: setPrinted,
    onReading: ({ typed }, before) => {
      flushSync(() => before !== null && setPrinted(before))
      const badge = badgeWithin(typed)
      if (badge !== null) return void readBadge(badge)
      const text = (before ?? printed).trim()
      if (text.length < READING_LENGTH_MIN) return say(null, 'Digite o texto inteiro da etiqueta, e leia de novo.')
      const signs = signsAround(typed, text)
      say(signs, signs === null ? `Isto não é ${text} com poucos sinais em volta: confira e leia de novo.` : '')
    },
  })
  const type = (text: string) => {
    setPrinted(text)
    setFound(null)
    setProblem('')
  }
  return { root, printed, label, type, found, problem }
}

const isPrintable = (label: string): boolean => /^[ -~]+$/.test(label)

/** 'Ensinar o leitor'. Mounted while it is open. */
export function TeachReader({ onClose }: { onClose: () => void }) {
  const { root, printed, label, type, found, problem } = useLesson()
  const save = () => {
    if (found === null) return
    changePreferences({ readerSigns: found })
    onClose()
  }
  return (
    <Dialog
      title="Ensinar o leitor"
      width="md"
      onClose={onClose}
      error={
        <>
          {problem !== '' && <Alert isUntitled>{problem}</Alert>}
          <p role="status" className="font-semibold">
            {found !== null && signsText(found)}
          </p>
        </>
      }
      actions={
        <>
          <Button onPress={onClose}>Cancelar</Button>
          <Button variant="primary" isDisabled={found === null} onPress={save}>
            Usar neste dispositivo
          </Button>
        </>
      }
    >
      <div ref={root} className="flex flex-col gap-4">
        <p>Leia este código. O painel descobre o que o leitor põe em volta.</p>
        {isPrintable(label) && <BarCode code={label} label={`Código de barras de ${label}`} />}
        <TextField
          label="Texto da etiqueta"
          description="O leitor não lê da tela? Digite o texto de uma etiqueta, e leia-a."
          code
          maxLength={LABEL_LENGTH_MAX}
          value={printed}
          onChange={type}
        />
      </div>
    </Dialog>
  )
}
