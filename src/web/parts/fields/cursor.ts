import { useRef, useState } from 'react'
import type { ScanCursor } from '../../../domain/acts/form-scans.ts'
import { nextFrame } from '../../device/turns.ts'

/** The cursor's part of a field. */
export type FieldCursor = {
  inputRef: (box: HTMLInputElement | null) => void
  /** 'none' where the panel has put the cursor: no keyboard comes over the form until the field is tapped. */
  inputMode: 'none' | undefined
}

export type CursorControl<Part extends string> = ReturnType<typeof useCursor<Part>>

const nameOf = (part: string, field: string | null) => `${part}|${field}`

/** Where the cursor of a form stands is part of its state. The root of the form takes `rootProps`, its parts `data-part`. */
export function useCursor<Part extends string>(start: { part: Part; field: string } | null) {
  const [cursor, setCursor] = useState<ScanCursor<Part> | null>(start)
  const [isQuiet, setQuiet] = useState(true)
  const boxes = useRef(new Map<string, HTMLInputElement>())
  /** Where it is to go once that field is drawn. */
  const wanted = useRef(start && nameOf(start.part, start.field))
  const isMoving = useRef(false)
  /** The head of a form just opened stays in sight. */
  const isOpening = useRef(true)

  const focusWanted = () => {
    const box = boxes.current.get(wanted.current ?? '')
    if (!box) return
    wanted.current = null
    isMoving.current = true
    box.focus({ preventScroll: isOpening.current })
    isMoving.current = false
    isOpening.current = false
  }
  const register = (name: string) => (box: HTMLInputElement | null) => {
    if (box) boxes.current.set(name, box)
    else boxes.current.delete(name)
    if (!box || wanted.current !== name) return
    // in the turn that draws a form the browser would have to lay it all out at once
    if (isOpening.current) void nextFrame().then(focusWanted)
    else focusWanted()
  }
  const placeOf = (target: Element): ScanCursor<Part> | null => {
    const part = target.closest<HTMLElement>('[data-part]')?.dataset.part as Part | undefined
    if (part === undefined) return null
    const name = [...boxes.current].find(([, box]) => box === target)?.[0]
    return { part, field: name?.slice(part.length + 1) ?? null }
  }
  return {
    cursor,
    /** The panel puts it there; null: nowhere. */
    moveTo: (place: { part: Part; field: string } | null) => {
      isOpening.current = false
      setQuiet(true)
      setCursor(place)
      wanted.current = place && nameOf(place.part, place.field)
      if (place) focusWanted()
      else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    },
    /** After a reading. */
    quiet: () => setQuiet(true),
    of: (part: Part, field: string): FieldCursor => ({
      inputRef: register(nameOf(part, field)),
      inputMode: isQuiet && cursor?.part === part && cursor.field === field ? 'none' : undefined,
    }),
    rootProps: {
      onFocus: ({ target }: { target: Element }) => {
        wanted.current = null
        setCursor(placeOf(target))
        if (!isMoving.current) setQuiet(false)
      },
      onBlur: ({ relatedTarget }: { relatedTarget: Element | null }) => {
        if (!relatedTarget?.closest('[data-part]')) setCursor(null)
      },
      onPointerDown: () => setQuiet(false),
    },
  }
}
