import { useQueryClient } from '@tanstack/react-query'
import { FlaskConical, Trash2 } from 'lucide-react'
import { startTransition, useOptimistic, useState } from 'react'
import { type ScrapAnswer, type ScrapForm, scraps } from '../../../contract/scraps.ts'
import { machineIdIn } from '../../../domain/forms/recording-form.ts'
import { DESTRUCTIVE_TEST } from '../../../domain/tools/scraps.ts'
import { kinds } from '../../acts/kinds.ts'
import { type FormSteps, useRecorder } from '../../acts/useRecorder.ts'
import { readFromDevice, readJson, writeToDevice } from '../../device/store.ts'
import { invalidate } from '../../server/query.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { useMay } from '../permissions.tsx'
import { reasonTextOf, useReasons } from './reasons.ts'
import { ScrapDialog, type TypedScrap } from './ScrapDialog.tsx'
import { ScrapOfToday } from './ScrapOfToday.tsx'
import type { ScrapWork } from './work.ts'

/** Open, with the reason that was read; empty: none was. */
type Opened = { reason: string }

type Props = {
  work: ScrapWork
  /** 'lado 1': tells the button from others of the screen. */
  name: string
  opened: Opened | null
  onOpen: (opened: Opened | null) => void
  /** The list of the day opens or closes. */
  onListing: (isListing: boolean) => void
}

/** Texts that there are. */
const given = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))

function formOf(work: ScrapWork, { reason, words, pieces, isRework }: TypedScrap): Omit<ScrapForm, 'captura'> {
  const { branch, order, part, barcode, junction, machine, tool, lot } = work
  return {
    ...{ filial: branch, ordem: order, parte: part, motivo: reason, pecas: pieces },
    ...given({ codigoBarras: barcode, posicao: junction, maquina: machineIdIn(machine), miniaplicador: tool }),
    ...given({ lote: lot.trim(), texto: words.trim() }),
    ...(isRework ? { retrabalho: true } : {}),
  }
}

/** Samples whose destroyed pieces were thrown away on this device, the newest last: their form may be opened again. */
const TESTED = 'ensaios-lancados'
const TESTED_MAX = 50
function readTested(): readonly string[] {
  const read = readJson(readFromDevice(TESTED))
  return Array.isArray(read) ? read : []
}

/** The last sample whose force was measured: the pull tester has destroyed its pieces. */
function destroyedIn({ samples = [] }: ScrapWork) {
  const last = samples.at(-1)
  const forces = last?.made?.form.leituras.find(({ caracteristica }) => caracteristica === 'forca')
  return last && forces ? { id: last.id, pieces: forces.valores.length } : null
}

/** Throws pieces away with one button at the foot of a section, and says what was thrown away there today. */
export function ScrapHere({ work, name, opened, onOpen, onListing }: Props) {
  const { branch, barcode, part, order, junction } = work
  const place = { branch, barcode, part, order, junction }
  const mayRecord = useMay('record')
  const reasons = useReasons()
  const queries = useQueryClient()
  const [tested, setTested] = useState(readTested)
  const [shown, show] = useOptimistic(opened)
  // the press is drawn at once, the form under the dialog in slices
  const close = () =>
    startTransition(() => {
      show(null)
      onOpen(null)
    })
  const recorder = useRecorder(kinds.scrap, {
    place,
    itemOf: ({ payload }) => reasonTextOf(reasons, payload.motivo, payload.texto),
    onAccepted: (_, answer) => {
      const { refugo } = answer as ScrapAnswer
      void invalidate(queries, scraps.list, { query: { filial: refugo.filial } })
    },
  })
  const save = (typed: TypedScrap, steps: Omit<FormSteps, 'section'> = {}) => {
    close()
    const form = formOf(work, typed)
    // a finger that bounces saves no second one
    void recorder.register(form, { section: JSON.stringify(form), ...steps })
  }
  const destroyed = destroyedIn(work)
  const isOffered = destroyed !== null && !tested.includes(destroyed.id)
  const note = (ids: readonly string[]) => {
    writeToDevice(TESTED, JSON.stringify(ids.slice(-TESTED_MAX)))
    setTested(ids)
  }
  const scrapDestroyed = ({ id, pieces }: NonNullable<typeof destroyed>) => {
    const others = () => readTested().filter((one) => one !== id)
    const steps = { onSaved: () => note([...others(), id]), onNotRecorded: () => note(others()) }
    save({ reason: DESTRUCTIVE_TEST, words: '', pieces, isRework: false }, steps)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      {mayRecord && (
        <Button
          size="tight"
          variant="quiet"
          icon={<Trash2 {...icon.md} />}
          aria-label={`Refugo: ${name}`}
          // the press is drawn at once, the form and the dialog over it in slices
          onPress={() => startTransition(() => onOpen({ reason: '' }))}
        >
          Refugo
        </Button>
      )}
      {mayRecord && isOffered && (
        <Button
          size="tight"
          variant="quiet"
          icon={<FlaskConical {...icon.md} />}
          onPress={() => scrapDestroyed(destroyed)}
        >
          Lançar {destroyed.pieces} do ensaio
        </Button>
      )}
      <ScrapOfToday {...{ place, reasons, onListing }} />
      {shown && (
        <ScrapDialog {...{ work, reasons }} reasonRead={shown.reason} onSave={(typed) => save(typed)} onClose={close} />
      )}
    </div>
  )
}
