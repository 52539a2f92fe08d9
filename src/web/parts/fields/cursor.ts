import { useRef, useState } from 'react'
import type { ScanCursor } from '../../../domain/forms/form-scans.ts'
import { nextFrame } from '../../device/turns.ts'
import { isReading } from '../scanner/useScanner.ts'

/** The cursor's part of a field. */
export type FieldCursor = {
  inputRef: (box: HTMLInputElement | null) => void
  /** 'none' where the panel has put the cursor: no keyboard comes over the form until the field is tapped. */
  inputMode: 'none' | undefined
}

export type CursorControl<Part extends string> = ReturnType<typeof useCursor<Part>>

const nameOf = (part: string, field: string | null) => `${part}|${field}`

/** Somebody answers a dialog that the box is not in. */
function isElsewhere(box: HTMLInputElement | undefined): boolean {
  const dialog = document.activeElement?.closest('[role=dialog], [role=alertdialog]')
  return dialog ? !(box && dialog.contains(box)) : false
}

/** Boxes of a form by name, and the one that is to have the cursor once it is drawn. */
function useBoxes(first: string | null) {
  const boxes = useRef(new Map<string, HTMLInputElement>())
  const wanted = useRef<{ name: string; isSelected: boolean } | null>(
    first === null ? null : { name: first, isSelected: false },
  )
  const isMoving = useRef(false)
  /** The head of a form just opened stays in sight. */
  const isOpening = useRef(true)

  const focusWanted = () => {
    const box = boxes.current.get(wanted.current?.name ?? '')
    if (!box) return
    const isSelected = wanted.current?.isSelected
    wanted.current = null
    isMoving.current = true
    box.focus({ preventScroll: isOpening.current })
    if (isSelected) box.select()
    isMoving.current = false
    isOpening.current = false
  }
  return {
    isMoving,
    register: (name: string) => (box: HTMLInputElement | null) => {
      if (box) boxes.current.set(name, box)
      else boxes.current.delete(name)
      if (!box || wanted.current?.name !== name) return
      // in the turn that draws a form the browser would have to lay it all out at once
      if (isOpening.current) void nextFrame().then(focusWanted)
      else focusWanted()
    },
    find: (name: string) => boxes.current.get(name),
    nameOf: (target: Element) => [...boxes.current].find(([, box]) => box === target)?.[0],
    want: (name: string, isSelected: boolean) => {
      isOpening.current = false
      wanted.current = { name, isSelected }
      focusWanted()
    },
    wantNone: () => {
      wanted.current = null
    },
  }
}

type Hands<Part extends string> = {
  /** A person has moved it. */
  onMoved?: () => void
  /** A hand has ended a box. The Enter of a reading is not heard here. */
  onEnter?: (from: ScanCursor<Part>) => void
}

/** Where the cursor of a form stands is part of its state. The root of the form takes `rootProps`, its parts `data-part`. */
export function useCursor<Part extends string>(start: { part: Part; field: string } | null, hands: Hands<Part> = {}) {
  const { onMoved, onEnter } = hands
  const [cursor, setCursor] = useState<ScanCursor<Part> | null>(start)
  const [isQuiet, setQuiet] = useState(true)
  const boxes = useBoxes(start && nameOf(start.part, start.field))
  /** Somebody types in the field with the cursor. */
  const isTyping = useRef(false)
  /** Where it is to go once a label has been read to its end. */
  const due = useRef<{ part: Part; field: string }>(null)

  const placeOf = (target: Element): ScanCursor<Part> | null => {
    const part = target.closest<HTMLElement>('[data-part]')?.dataset.part as Part | undefined
    return part === undefined ? null : { part, field: boxes.nameOf(target)?.slice(part.length + 1) ?? null }
  }
  /** The panel puts it there; null: nowhere. */
  const moveTo = (place: { part: Part; field: string } | null, isSelected = false) => {
    isTyping.current = false
    setQuiet(true)
    setCursor(place)
    if (place) return boxes.want(nameOf(place.part, place.field), isSelected)
    boxes.wantNone()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }
  /** The text there is selected: the next reading replaces it. A hand that types, or is in a dialog, is not moved. */
  const returnTo = (place: { part: Part; field: string }) => {
    if (isReading()) due.current = place
    else if (!isTyping.current && !isElsewhere(boxes.find(nameOf(place.part, place.field)))) moveTo(place, true)
  }
  return {
    ...{ cursor, moveTo, returnTo },
    /** After a reading. */
    quiet: () => {
      isTyping.current = false
      setQuiet(true)
      const place = due.current
      due.current = null
      if (place) returnTo(place)
    },
    of: (part: Part, field: string): FieldCursor => ({
      inputRef: boxes.register(nameOf(part, field)),
      inputMode: isQuiet && cursor?.part === part && cursor.field === field ? 'none' : undefined,
    }),
    rootProps: {
      onFocus: ({ target }: { target: Element }) => {
        boxes.wantNone()
        isTyping.current = false
        setCursor(placeOf(target))
        if (!boxes.isMoving.current) setQuiet(false)
      },
      onBlur: ({ relatedTarget }: { relatedTarget: Element | null }) => {
        isTyping.current = false
        if (!relatedTarget?.closest('[data-part]')) setCursor(null)
      },
      onInput: () => {
        isTyping.current = true
      },
      onPointerDown: ({ target }: { target: unknown }) => {
        setQuiet(false)
        if (target instanceof Element && target.closest('input, select, label')) onMoved?.()
      },
      onKeyDown: ({ key, target }: { key: string; target: unknown }) => {
        if (key === 'Tab') onMoved?.()
        const from = key === 'Enter' && target instanceof HTMLInputElement ? placeOf(target) : null
        if (from) onEnter?.(from)
      },
    },
  }
}
