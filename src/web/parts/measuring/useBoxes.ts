import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { NOTHING_TO_FILL } from '../../../domain/forms/form-scans.ts'
import { isBadge } from '../../../domain/people/badges.ts'
import { isCompleteReading, READING_DECIMALS } from '../../../domain/quality/control-plans.ts'
import {
  boxProblem,
  type MeasuredHere,
  measuredHere,
  placeInDialog,
  type TypedReadings,
} from '../../../domain/quality/measuring.ts'
import { takeFocus } from '../../ui/TextField.tsx'
import { typedDecimal } from '../fields/decimal.ts'
import { readBadge } from '../scanner/badges.ts'
import { playSound } from '../scanner/sounds.ts'
import { useReadings } from '../scanner/useReadings.ts'
import { isReading } from '../scanner/useScanner.ts'
import type { KeypadKey } from './Keypad.tsx'

type Typed = {
  typed: TypedReadings
  setTyped: (typed: TypedReadings) => void
  instrument: string
  setInstrument: (code: string) => void
  /** Codes of the plant's instruments. */
  instruments: readonly string[]
  /** Digits that readings of it begin with. */
  startOf: (characteristic: MeasuredHere) => string
  /** After the last box. */
  onEnd: () => void
  /** Enter in the last box. */
  onSave: () => void
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
const useScansHere = (root: RefObject<HTMLElement | null>, { now, restore, place }: Scanned): void =>
  useReadings(root, {
    hold: () => now,
    restore,
    onReading: ({ text, fresh }, typed) => {
      const before = typed ?? now
      flushSync(() => restore(before))
      if (isBadge(text)) void readBadge(text)
      else if (fresh) place(text, before)
    },
  })

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
    inputOf: (box: string) => inputs.current.get(box),
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

type Inputs = ReturnType<typeof useInputs>

/**
 * What is typed into the boxes. One that is empty begins with its start while it has the cursor, and a reading with all its
 * decimals goes on by itself.
 */
function useTyping({ typed, setTyped, startOf, onSave }: Typed, { goTo }: Inputs, touch: (box: string) => void) {
  const [withStart, setWithStart] = useState<string | null>(null)
  const order = [INSTRUMENT, ...boxesOf(typed).map(({ box }) => box)]
  const after = (box: string) => order[order.indexOf(box) + 1]
  /** The box that a complete reading went on to: the Enter of a habit goes no further. */
  const wentTo = useRef<string | undefined>(undefined)
  const boxOf = (box: string) => boxesOf(typed).find((one) => one.box === box)
  return {
    order,
    after,
    textIn: (box: string) => boxOf(box)?.text || (withStart === box ? startOf(boxOf(box)?.of ?? 'altura') : ''),
    onFocus: (box: string | null) => setWithStart(box),
    onLeave: () => setWithStart(null),
    type: (box: string, text: string) => {
      const target = boxOf(box)
      if (!target) return
      const isStart = text !== '' && text === startOf(target.of)
      touch(box)
      setWithStart(isStart ? box : null)
      setTyped({ ...typed, [target.of]: typed[target.of].with(target.at, isStart ? '' : text) })
      // a scanner's keys are no hand's: its label is placed as a whole
      if (text.length <= target.text.length || !isCompleteReading(text) || isReading()) return
      wentTo.current = after(box)
      goTo(after(box))
    },
    onEnter: (box: string) => {
      if (wentTo.current === box && boxOf(box)?.text === '') wentTo.current = undefined
      else if (box === order.at(-1)) onSave()
      else goTo(after(box))
    },
  }
}

/** A key of the dialog's own keypad: for the reading with the cursor, else the first that is missing. */
const pressIn =
  ({ typed, startOf }: Typed, { goTo, withCursor, inputOf }: Inputs, typing: ReturnType<typeof useTyping>) =>
  (key: KeypadKey) => {
    const current = withCursor()
    const isReadingBox = current !== null && current !== INSTRUMENT
    const target = boxesOf(typed).find(({ box, text }) => (isReadingBox ? box === current : text === ''))
    if (!target) return
    const { box, of } = target
    if (!isReadingBox) goTo(box)
    if (key === 'Enter') return isReadingBox ? typing.onEnter(box) : undefined
    const input = inputOf(box)
    const isSelected = input?.selectionStart === 0 && input.selectionEnd === input.value.length
    const before = isReadingBox ? typing.textIn(box) : startOf(of)
    const prior = isSelected && target.text !== '' ? '' : before
    const text = key === 'Backspace' ? prior.slice(0, -1) : typedDecimal(prior + key, READING_DECIMALS, startOf(of))
    typing.type(box, text)
  }

/** The boxes of the dialog: where the cursor goes after each, what a scan into one does, and which were left. */
export function useBoxes(props: Typed) {
  const { typed, setTyped, instrument, setInstrument, instruments, onEnd } = props
  const root = useRef<HTMLDivElement>(null)
  const inputs = useInputs(onEnd)
  const { goTo, withCursor } = inputs
  const { isLeft, leave, touch, forget } = useLeft(typed)
  const [said, say] = useState('')
  const typing = useTyping(props, inputs, touch)
  const { order, after } = typing

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
    goTo(after(target.box))
  }
  const restore = (before: Standing) => {
    setTyped(before.typed)
    typing.onFocus(withCursor())
    setInstrument(before.instrument)
  }
  useScansHere(root, { now: { typed, instrument }, restore, place })
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it opens
  useEffect(() => goTo(instrument === '' ? INSTRUMENT : boxesOf(typed).find(({ text }) => text === '')?.box), [])

  return {
    root,
    said,
    isLeft,
    textIn: typing.textIn,
    type: typing.type,
    press: pressIn(props, inputs, typing),
    of: (box: string) => ({
      inputRef: inputs.refOf(box),
      onFocus: () => typing.onFocus(box),
      onBlur: () => {
        typing.onLeave()
        if (box !== INSTRUMENT) leave(box)
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        if (!event.repeat) typing.onEnter(box)
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
