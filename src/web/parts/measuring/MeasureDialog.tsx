import { useRef, useState } from 'react'
import type { ControlPlan } from '../../../contract/control-plans.ts'
import { INSTRUMENT_CODE_LENGTH_MAX, type Instrument } from '../../../contract/instruments.ts'
import type { MeasurementAction } from '../../../contract/measurements.ts'
import { plantDay } from '../../../domain/plant/plant-time.ts'
import { milliText, readMilli } from '../../../domain/quality/control-plans.ts'
import { instrumentDoubt, instrumentNote, usedNote } from '../../../domain/quality/instruments.ts'
import { disagreementText, type MeasuredHere } from '../../../domain/quality/measuring.ts'
import { serverNow } from '../../device/clock.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SwitchField } from '../../ui/SwitchField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useSettings } from '../settings.ts'
import { useInstrument } from './instrument.ts'
import { hasKeypad, Keypad } from './Keypad.tsx'
import { Reaction } from './Reaction.tsx'
import { ReadingBoxes } from './ReadingBoxes.tsx'
import { type Group, useTypedReadings } from './readings.ts'
import { INSTRUMENT, useBoxes } from './useBoxes.ts'
import type { Sample, SampleSteps, Work } from './work.ts'

type Props = {
  work: Work
  plan: ControlPlan | null
  forceUnit: string
  instruments: readonly Instrument[]
  /** Instrument code of the scan that opened it; empty: none did. */
  instrumentRead: string
  onTwoWires: (hasTwoWires: boolean) => void
  onSave: (sample: Sample, steps: SampleSteps) => void
  onClose: () => void
}

/** Content of the dialog, and its 'Salvar'. */
function useSample({ work, plan, forceUnit, instruments, instrumentRead, onSave }: Props) {
  const { remembered, note } = useInstrument(work.branch)
  const [instrument, setInstrument] = useState(instrumentRead || remembered)
  const [action, setAction] = useState<MeasurementAction | ''>('')
  const [missing, setMissing] = useState<string | null>(null)
  /** The readings that were doubted once. */
  const [doubted, setDoubted] = useState('')
  const saveButton = useRef<HTMLButtonElement>(null)
  /** From the tap until it is on disk: the boxes keep their readings, and a second tap is none. */
  const isSaving = useRef(false)
  const readings = useTypedReadings(work, plan, forceUnit)
  const { typed, setTyped, groups, outside, doubtful, read } = readings
  const codes = instruments.map(({ codigo }) => codigo)
  const toSave = () => saveButton.current?.focus()
  const startOf = (of: MeasuredHere) => groups.find(({ characteristic }) => characteristic === of)?.start ?? ''
  const entered = { typed, setTyped, instrument, setInstrument, instruments: codes, startOf }
  const boxes = useBoxes({ ...entered, onEnd: toSave, onSave: () => save() })
  const isOutside = outside.length > 0
  const isDoubted = doubtful.length > 0 && doubted === JSON.stringify(typed)
  const onKept = () => {
    isSaving.current = false
    if (!readings.clear()) return
    boxes.startOver()
    setAction('')
  }
  const onEnd = () => {
    isSaving.current = false
  }
  const save = () => {
    if (isSaving.current) return
    setMissing(null)
    if (read === null) return setMissing(boxes.firstWrong() ?? 'Digite ao menos uma leitura.')
    if (doubtful.length > 0 && !isDoubted) return setDoubted(JSON.stringify(typed))
    if (isOutside && action === '') {
      // on a phone it is out of sight
      boxes.root.current?.querySelector<HTMLInputElement>('input[type=radio]')?.focus()
      return setMissing('Diga o que você fez.')
    }
    note(instrument.trim())
    isSaving.current = true
    const sample = { instrument, readings: read, action: isOutside && action !== '' ? action : undefined }
    onSave(sample, { onKept, onEnd, giveBack: readings.giveBack })
  }
  return {
    instrument,
    setInstrument,
    readings,
    boxes,
    action,
    setAction,
    missing,
    isOutside,
    isDoubted,
    saveButton,
    save,
  }
}

function titleOf({ terminal, gauge }: Work): string {
  const of = [terminal && `Terminal ${terminal}`, gauge === null ? '' : `${milliText(gauge)} mm²`]
  return ['Medição', of.filter(Boolean).join(', ')].filter(Boolean).join(' - ')
}

/** The note on the instrument, and the objection to it for the readings so far. */
function useNotes(code: string, groups: readonly Group[], { plan, instruments }: Pick<Props, 'plan' | 'instruments'>) {
  const today = plantDay(serverNow(), useSettings().timeZone)
  const used = groups.flatMap(({ characteristic, texts }) => {
    const readings = texts.flatMap((text) => readMilli(text) ?? [])
    return readings.length === 0 ? [] : [{ characteristic, readings }]
  })
  return {
    ofInstrument: instrumentNote(code, instruments, today, plan?.instrumento),
    isInstrumentDoubtful: instrumentDoubt(code, instruments, today) !== '',
    ofReadings: usedNote(code, instruments, used),
  }
}

type BesideProps = {
  sample: ReturnType<typeof useSample>
  plan: ControlPlan | null
  note: string
  disagreement: string
}

/** The keypad, and what is said of the readings. */
const Beside = ({ sample, plan, note, disagreement }: BesideProps) => (
  <div className="flex min-w-0 flex-col gap-3">
    <p role="status" aria-label="Leitura" className="font-semibold text-bad-ink empty:hidden">
      {sample.boxes.said}
    </p>
    {hasKeypad() && <Keypad onKey={sample.boxes.press} />}
    {/* there before its text is */}
    <p role="status" aria-label="Aviso da medição" className="font-semibold text-warn-ink empty:hidden">
      {note}
    </p>
    {sample.isDoubted && (
      <Alert kind="warning" isUntitled>
        {sample.readings.doubtful.join('. ')}. Se a leitura está certa, salve assim mesmo.
      </Alert>
    )}
    <Reaction
      outside={sample.readings.outside}
      reaction={plan?.reacao}
      action={sample.action}
      onAction={sample.setAction}
    />
    <p className="text-sm text-muted empty:hidden">{disagreement}</p>
  </div>
)

/** Some pieces are measured, each reading judged once its box was left. Mounted while it is open. */
export function MeasureDialog(props: Props) {
  const { work, plan, forceUnit, onTwoWires, onClose } = props
  const sample = useSample(props)
  const { readings, boxes, missing, isOutside, isDoubted } = sample
  const notes = useNotes(sample.instrument, readings.groups, props)
  return (
    <Dialog
      title={titleOf(work)}
      width="xl"
      onClose={onClose}
      error={missing !== null && <Alert isUntitled>{missing}</Alert>}
      actions={
        <>
          <Button size="lg" onPress={onClose}>
            Cancelar
          </Button>
          <Button ref={sample.saveButton} variant={isOutside ? 'danger' : 'primary'} size="lg" onPress={sample.save}>
            {isDoubted ? 'Salvar assim mesmo' : isOutside ? 'Salvar medição fora' : 'Salvar medição'}
          </Button>
        </>
      }
    >
      <div ref={boxes.root} className="grid gap-x-8 gap-y-4 md:grid-cols-[3fr_2fr]">
        <div className="flex min-w-0 flex-col gap-4">
          <TextField
            label="Instrumento"
            code
            maxLength={INSTRUMENT_CODE_LENGTH_MAX}
            autoCapitalize="characters"
            placeholder="Leia ou digite o código"
            // a line of its own from the start: what is said later moves nothing
            description={
              <span className={notes.isInstrumentDoubtful ? 'font-semibold text-warn-ink' : ''}>
                {notes.ofInstrument || '\u00a0'}
              </span>
            }
            {...boxes.of(INSTRUMENT)}
            value={sample.instrument}
            onChange={sample.setInstrument}
          />
          {work.part !== 'juncao' && (
            <SwitchField
              label="Dois fios neste terminal"
              description="Sem plano para dois fios: mede-se sem limite."
              isOn={work.hasTwoWires ?? false}
              onChange={onTwoWires}
            />
          )}
          {readings.groups.map((group) => (
            <ReadingBoxes key={group.characteristic} group={group} boxes={boxes} />
          ))}
        </div>
        <Beside
          {...{ sample, plan }}
          note={notes.ofReadings}
          disagreement={disagreementText(plan, work.limits, forceUnit)}
        />
      </div>
    </Dialog>
  )
}
