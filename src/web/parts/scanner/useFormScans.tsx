import { CircleAlert, CircleCheck, ScanBarcode } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CutItem } from '../../../contract/items.ts'
import {
  type KnownCodes,
  NOTHING_TO_FILL,
  type Placed,
  placeAgain,
  placeScan,
  type ScanField,
  type ScanForm,
  type ScanOutcome,
} from '../../../domain/forms/form-scans.ts'
import { makeStore, type Store } from '../../device/store.ts'
import { withinFrame } from '../../device/turns.ts'
import { errorText } from '../../server/api.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { instrumentCodes } from '../measuring/known.ts'
import { readBadge } from './badges.ts'
import { playSound } from './sounds.ts'
import { useReadings } from './useReadings.ts'
import { forgetReading } from './useScanner.ts'

const MOVABLE_MS = 5000

/** A label behind that of another item is of that one, which may still be looked for. */
const OPENING = 'Outro item está abrindo. Espere, ou toque no formulário para ficar neste.'
const kindsOfForm: readonly ScanOutcome<string>['kind'][] = ['fill', 'ask', 'measure', 'reason']

type Target<Part extends string> = {
  root: RefObject<HTMLElement | null>
  isDialogOpen: boolean
  /** As it is filled in and where its cursor stands at the moment of the call. */
  formNow: () => ScanForm<Part>
  codes: () => KnownCodes
  /** How all that is typed stands now: what takes it back to that. */
  hold: () => () => void
  /** Gives what a person had chosen there before. */
  fill: (part: Part, field: ScanField, value: string) => string
  /** The cursor stays, and no keyboard comes over the form. */
  onReading: () => void
  /** Rejects where there is none. */
  findItem: (barcode: string) => Promise<CutItem>
  openItem: (item: CutItem) => void
  openOrder: (order: string) => void
  /** With the instrument that was read. */
  measure: (part: Part, instrument: string) => void
  /** With the reason that was read. */
  scrap: (part: Part, reason: string) => void
}

type Line<Part extends string> = {
  sound: 'good' | 'bad' | 'answer'
  text: string
  part?: Part
  /** What may be the lot instead, and what stood in the field that it went into. */
  movable?: { code: string; part: Part; field: ScanField; before: string } | undefined
  offered?: { lot: string; part: Part } | undefined
  /** Until the next try. */
  isRefusal?: true
  /** Of a recording, or from before 'Registrar': a success may take its place. */
  isOver?: true
}

type ShownLine<Part extends string> = Store<Line<Part> | null>

const refusalLine = <Part extends string>(text: string, part?: Part): Line<Part> => ({
  ...{ sound: 'bad', text, isRefusal: true },
  ...(part && { part }),
})

/** What the line of a form says, of readings and of recordings. It is drawn by itself: most of what it says changes no field. */
function useLine<Part extends string>(root: Target<Part>['root']) {
  const [line] = useState(() => makeStore<Line<Part> | null>(null))
  const setLine = line.set
  const say = (said: Line<Part>) => {
    if (said.sound !== 'answer') playSound(said.sound)
    setLine(said)
  }
  /** A recording was refused, or something of it is missing. */
  const sayRefused = (text: string, part?: Part, isQuiet = false) => (isQuiet ? setLine : say)(refusalLine(text, part))
  /** 'Registrar' was pressed: a refusal is tried again, and what was read before stands. */
  const startOver = () => {
    const before = line.get()
    setLine(before && !before.isRefusal ? { ...before, movable: undefined, isOver: true } : null)
  }
  /** A recording was stored or sent. False, and not said: the line has something newer to say, or the form was left. */
  const sayDone = (text: string, part: Part, isGood: boolean): boolean => {
    const before = line.get()
    if ((before && !before.isOver) || !root.current) return false
    setLine({ sound: isGood ? 'good' : 'answer', text, part, isOver: true })
    return true
  }
  return { line, say, sayRefused, sayDone, startOver }
}

/** Another item is to take the place of this one; one that is not at hand is looked for. */
function useOpening<Part extends string>(
  { root, findItem, openItem }: Target<Part>,
  { say, line }: Pick<ReturnType<typeof useLine<Part>>, 'say' | 'line'>,
) {
  /** Until the item is there, or somebody stays in this one. */
  const opening = useRef<AbortController>(null)
  const stay = () => {
    opening.current?.abort()
    opening.current = null
  }
  const open = async (code: string, isKnown: boolean) => {
    stay()
    const ours = new AbortController()
    const { signal } = ours
    opening.current = ours
    const onTouch = () => {
      stay()
      // a recording may have been refused meanwhile
      if (!line.get()?.isRefusal) line.set(null)
    }
    root.current?.addEventListener('pointerdown', onTouch, { signal })
    /** False: somebody has gone elsewhere meanwhile, or stays. */
    const isWanted = () => !signal.aborted && root.current !== null
    // the line that answers the label is painted before another form is drawn
    await withinFrame()
    try {
      const item = await findItem(code)
      if (!isWanted()) return
      openItem(item)
      if (!isKnown) playSound('good')
    } catch (error) {
      if (!isWanted()) return
      stay()
      say({ sound: 'bad', text: errorText(error) })
    }
  }
  return { open, stay, isUnderWay: () => opening.current !== null }
}

/** What a reading does in a form, and the line that says so. */
export function useFormScans<Part extends string>(target: Target<Part>) {
  const { say, ...spoken } = useLine<Part>(target.root)
  /** Placed while they might still be of something else than a lot. */
  const early = useRef<Placed<Part>[]>([])
  const opening = useOpening(target, { say, line: spoken.line })
  const place = (code: string, outcome: ScanOutcome<Part>) => {
    if (outcome.kind === 'badge') return void readBadge(outcome.code)
    const { sound, text } = outcome
    if (sound === 'bad') forgetReading()
    if (outcome.kind === 'fill') {
      const { part, field, value, canBeLot } = outcome
      const before = target.fill(part, field, value)
      return say({ sound, text, part, movable: canBeLot ? { code: code.trim(), part, field, before } : undefined })
    }
    if (outcome.kind === 'ask') return say({ sound, text, part: outcome.part, offered: outcome })
    say({ sound, text })
    if (outcome.kind === 'confirm') opening.stay()
    if (outcome.kind === 'measure') target.measure(outcome.part, outcome.code)
    if (outcome.kind === 'reason') target.scrap(outcome.part, outcome.code)
    if (outcome.kind === 'open-order') target.openOrder(outcome.code)
    if (outcome.kind === 'open-item') void opening.open(outcome.code, sound === 'good')
  }
  useReadings(target.root, {
    hold: () => ({ form: target.formNow(), takeBack: target.hold() }),
    restore: ({ takeBack }) => takeBack(),
    onReading: ({ text, fresh }, before) => {
      const { form = target.formNow(), takeBack } = before ?? {}
      // At once: the next label may begin with the next key.
      flushSync(() => {
        takeBack?.()
        target.onReading()
        if (!fresh) return
        const codes = target.codes()
        const outcome = placeScan(text, form, codes)
        const isBehind = opening.isUnderWay() && kindsOfForm.includes(outcome.kind)
        const refusal = isBehind ? OPENING : target.isDialogOpen ? NOTHING_TO_FILL : null
        if (refusal !== null && outcome.kind !== 'badge') {
          forgetReading()
          return say({ sound: 'bad', text: refusal })
        }
        if (!isAllKnown(codes)) early.current.push({ code: text, form, outcome })
        place(text, outcome)
      })
    },
  })
  useEarly({ early, target, place })
  return { ...spoken, ...answersTo(spoken.line, target.fill) }
}

type Early<Part extends string> = {
  early: RefObject<Placed<Part>[]>
  target: Target<Part>
  place: (code: string, outcome: ScanOutcome<Part>) => void
}

const isAllKnown = ({ isComplete }: KnownCodes) => isComplete && instrumentCodes.get() !== null

/**
 * Once the lists or the instruments are known a code on one of them is taken out of the lot; what it fills or measures is
 * asked of the form after that.
 */
function useEarly<Part extends string>({ early, target, place }: Early<Part>): void {
  instrumentCodes.use()
  const [found, setFound] = useState<readonly Pick<Placed<Part>, 'code' | 'outcome'>[]>([])
  const takeBack = useEffectEvent(() => {
    if (early.current.length === 0) return
    const codes = target.codes()
    const left: Placed<Part>[] = []
    for (const placed of early.current) {
      const again = placeAgain(placed, target.formNow(), codes)
      if (again?.takenBack) target.fill(again.takenBack.part, 'lot', again.takenBack.before)
      if (again) setFound((before) => [...before, { code: placed.code, outcome: again.outcome }])
      else if (!isAllKnown(codes)) left.push(placed)
    }
    early.current = left
  })
  const placeFound = useEffectEvent(() => {
    for (const { code, outcome } of found) place(code, outcome)
    if (found.length > 0) setFound([])
  })
  // nothing else says that a list has come
  useEffect(takeBack)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is found
  useEffect(() => void placeFound(), [found])
}

/** What a person makes of a reading afterwards. */
function answersTo<Part extends string>(line: ShownLine<Part>, fill: Target<Part>['fill']) {
  const takeAsLot = (lot: string, part: Part) => {
    fill(part, 'lot', lot)
    line.set({ sound: 'good', text: `Lote: ${lot}`, part })
  }
  return {
    moveToLot: () => {
      const { movable } = line.get() ?? {}
      if (!movable) return
      const { code, part, field, before } = movable
      fill(part, field, before)
      takeAsLot(code, part)
    },
    answer: (isLot: boolean) => {
      const { offered } = line.get() ?? {}
      if (offered && isLot) takeAsLot(offered.lot, offered.part)
      else line.set(null)
    },
  }
}

type Props<Part extends string> = {
  scans: ReturnType<typeof useFormScans<Part>>
  /** What it says before the first reading. */
  hint: string
  partName: (part: Part) => string
  /** What the form is about, where its head is out of sight. */
  about?: ReactNode
  children?: ReactNode
}

const looks = {
  good: { box: 'border-ok-line bg-ok-soft text-ok-ink', Icon: CircleCheck },
  bad: { box: 'border-bad-line bg-bad-soft text-bad-ink', Icon: CircleAlert },
  answer: { box: 'border-line bg-surface text-ink', Icon: ScanBarcode },
  none: { box: 'border-line bg-surface text-muted', Icon: ScanBarcode },
}

/** The line as it is now: it may be another thing than a lot for a moment only. */
function useShown<Part extends string>({ use, set }: ShownLine<Part>): Line<Part> | null {
  const line = use()
  useEffect(() => {
    if (!line?.movable) return
    const timer = setTimeout(() => set({ ...line, movable: undefined }), MOVABLE_MS)
    return () => clearTimeout(timer)
  }, [line, set])
  return line
}

/** What the last reading or recording has done: in sight wherever the form is scrolled to. */
export function ScanLine<Part extends string>({ scans, hint, partName, about, children }: Props<Part>) {
  const { moveToLot, answer } = scans
  const line = useShown(scans.line)
  const { box, Icon } = looks[line?.sound ?? 'none']
  return (
    <div className="sticky top-[calc(4.5rem+var(--banner-height))] z-10 flex flex-col gap-2">
      <div
        className={`flex min-h-16 items-center md:min-h-13 gap-x-3 rounded-lg border py-1 pr-1 pl-4 shadow-card ${box} ${about ? 'max-md:flex-wrap' : ''} ${line ? 'font-semibold' : ''}`}
      >
        {about}
        <Icon {...icon.md} className="shrink-0" />
        <p role="status" aria-label="Leitura" className="min-w-0 flex-1 wrap-anywhere">
          {line ? line.text : hint}
          {line?.part !== undefined && <span className="font-normal"> · {partName(line.part)}</span>}
        </p>
        {line?.movable && <Button onPress={moveToLot}>Era o lote</Button>}
        {line?.offered && (
          <>
            <Button onPress={() => answer(false)}>Não</Button>
            <Button onPress={() => answer(true)}>É o lote</Button>
          </>
        )}
      </div>
      {children}
    </div>
  )
}
