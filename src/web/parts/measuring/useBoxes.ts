import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { NOTHING_TO_FILL } from '../../../domain/acts/form-scans.ts'
import { isBadge } from '../../../domain/people/badges.ts'
import {
  boxProblem,
  type MeasuredHere,
  measuredHere,
  placeInDialog,
  type TypedReadings,
} from '../../../domain/quality/measuring.ts'
import { takeFocus } from '../../ui/TextField.tsx'
import { readBadge } from '../scanner/badges.ts'
import { playSound } from '../scanner/sounds.ts'
import { useReadings } from '../scanner/useScanner.ts'

type Typed = {
  typed: TypedReadings
  setTyped: (typed: TypedReadings) => void
  instrument: string
  setInstrument: (code: string) => void
  /** Their codes. */
  instruments: readonly string[]
  /** After the last box. */
  onEnd: () => void
}

export type Boxes = ReturnType<typeof useBoxes>

/** The box of the instrument; those of readings are called 'altura 0'. */
export const INSTRUMENT = 'instrument'

/** 'altura 0', in the order in which they are filled in. */
const boxesOf = (typed: TypedReadings): { box: string; of: MeasuredHere; at: number; text: string }[] =>
  measuredHere.flatMap((of) => typed[of].map((text, at) => ({ box: `${of} ${at}`, of, at, text })))

/** Content of the boxes. */
type Standing = { typed: TypedReadings; instrument: string }

type Scanned = {
  now: Standing
  restore: (before: Standing) => void
  place: (code: string, before: Standing) => void
}

/** Takes a scan out of the box that it was read into, and places it. */
function useScansHere(root: RefObject<HTMLElement | null>, { now, restore, place }: Scanned): void {
  /** Before the first key of a reading. */
  const sticky = useRef<Standing | null>(null)
  const last = useRef<Standing | null>(null)
  useReadings(root, {
    onResume: () => {
      sticky.current = last.current
      flushSync(() => last.current && restore(last.current))
    },
    onFirstKey: () => {
      sticky.current = now
    },
    onReading: ({ text, fresh }) => {
      const before = sticky.current ?? now
      last.current = sticky.current
      sticky.current = null
      flushSync(() => restore(before))
      if (isBadge(text)) void readBadge(text)
      else if (fresh) place(text, before)
    },
  })
}

/** The boxes by their names, and the way from one to the next. */
function useInputs(onEnd: () => void) {
  const inputs = useRef(new Map<string, HTMLInputElement>())
  return {
    goTo: (box: string | undefined) => {
      const input = box === undefined ? undefined : inputs.current.get(box)
      if (input) takeFocus(input)
      else onEnd()
    },
    withCursor: () => [...inputs.current].find(([, input]) => input === document.activeElement)?.[0] ?? null,
    refOf: (box: string) => (input: HTMLInputElement | null) => {
      if (input) inputs.current.set(box, input)
      else inputs.current.delete(box)
    },
  }
}

/** Which boxes were left: until then nothing is said of what stands in them. */
function useLeft(typed: TypedReadings) {
  const [left, setLeft] = useState<readonly string[]>(() =>
    boxesOf(typed).flatMap(({ box, text }) => (text === '' ? [] : [box])),
  )
  return {
    isLeft: (box: string) => left.includes(box),
    leave: (...boxes: string[]) => setLeft((before) => [...before, ...boxes.filter((box) => !before.includes(box))]),
    touch: (box: string) => setLeft((before) => before.filter((one) => one !== box)),
    forget: () => setLeft([]),
  }
}

/** The boxes of the dialog: where the cursor goes after each, what a scan into one does, and which were left. */
export function useBoxes({ typed, setTyped, instrument, setInstrument, instruments, onEnd }: Typed) {
  const root = useRef<HTMLDivElement>(null)
  const { goTo, withCursor, refOf } = useInputs(onEnd)
  const { isLeft, leave, touch, forget } = useLeft(typed)
  const [said, say] = useState('')
  const order = [INSTRUMENT, ...boxesOf(typed).map(({ box }) => box)]

  const place = (code: string, before: Standing) => {
    const box = withCursor()
    const kind = box === null ? null : box === INSTRUMENT ? 'instrument' : 'reading'
    const placed = placeInDialog(code, kind, instruments)
    playSound(placed ? 'good' : 'bad')
    say(placed ? '' : NOTHING_TO_FILL)
    if (placed?.fills === 'instrument') {
      setInstrument(placed.text)
      return goTo(boxesOf(before.typed).find(({ text }) => text === '')?.box)
    }
    const target = boxesOf(before.typed).find((one) => one.box === box)
    if (!placed || !target) return
    setTyped({ ...before.typed, [target.of]: before.typed[target.of].with(target.at, placed.text) })
    goTo(order[order.indexOf(target.box) + 1])
  }
  const restore = (before: Standing) => {
    setTyped(before.typed)
    setInstrument(before.instrument)
  }
  useScansHere(root, { now: { typed, instrument }, restore, place })
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it opens
  useEffect(() => goTo(instrument === '' ? INSTRUMENT : boxesOf(typed).find(({ text }) => text === '')?.box), [])

  return {
    root,
    said,
    typed,
    isLeft,
    /** Called as a box is typed into: its verdict waits until it is left. */
    touch,
    of: (box: string) => ({
      inputRef: refOf(box),
      onBlur: () => box !== INSTRUMENT && leave(box),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        goTo(order[order.indexOf(box) + 1])
      },
    }),
    /** Goes there and says what is wrong; null: no box is. */
    firstWrong: (): string | null => {
      leave(...order)
      const wrong = boxesOf(typed).find(({ of, text }) => boxProblem(text, typed[of]) !== null)
      if (wrong) goTo(wrong.box)
      return wrong ? boxProblem(wrong.text, typed[wrong.of]) : null
    },
    startOver: () => {
      forget()
      goTo(order[1])
    },
  }
}
