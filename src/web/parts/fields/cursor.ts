import { useRef, useState } from 'react'
import type { ScanCursor } from '../../../domain/forms/form-scans.ts'
import { nextFrame } from '../../device/turns.ts'
import { isReading } from '../scanner/useScanner.ts'

/** The cursor's part of a field. */
export type FieldCursor = { inputRef: (box: HTMLInputElement | null) => void }

export type CursorControl<Part extends string> = ReturnType<typeof useCursor<Part>>

const nameOf = (part: string, field: string | null) => `${part}|${field}`

/** Somebody answers a dialog that the box is not in. */
function isElsewhere(box: Box | undefined): boolean {
  const dialog = document.activeElement?.closest('[role=dialog], [role=alertdialog]')
  return dialog ? !(box && dialog.contains(box.input)) : false
}

type Box = { input: HTMLInputElement; hasKeyboard: boolean }

/**
 * No keyboard comes over the form where the panel has put the cursor, until the field is tapped. Written to the box itself:
 * a form that is drawn anew for it costs the frame of the press.
 */
function useLockedKeyboard() {
  const locked = useRef<{ input: HTMLInputElement; ownMode: string | null } | null>(null)
  const release = () => {
    const { input, ownMode } = locked.current ?? {}
    locked.current = null
    if (ownMode === null) input?.removeAttribute('inputmode')
    else if (ownMode !== undefined) input?.setAttribute('inputmode', ownMode)
  }
  const hold = (box: Box | undefined) => {
    if (box?.input === locked.current?.input) return
    release()
    if (!box || box.hasKeyboard) return
    locked.current = { input: box.input, ownMode: box.input.getAttribute('inputmode') }
    box.input.setAttribute('inputmode', 'none')
  }
  return { hold, release }
}

/** Boxes of a form by name, and the one that is to have the cursor once it is drawn. */
function useBoxes(first: string | null) {
  const boxes = useRef(new Map<string, Box>())
  const keyboard = useLockedKeyboard()
  const wanted = useRef<{ name: string; isSelected: boolean } | null>(
    first === null ? null : { name: first, isSelected: false },
  )
  const isMoving = useRef(false)
  /** The head of a form just opened stays in sight. */
  const isOpening = useRef(true)

  const focusWanted = () => {
    const box = boxes.current.get(wanted.current?.name ?? '')
    if (!box) return
    keyboard.hold(box)
    const isSelected = wanted.current?.isSelected
    wanted.current = null
    isMoving.current = true
    box.input.focus({ preventScroll: isOpening.current })
    if (isSelected) box.input.select()
    isMoving.current = false
    isOpening.current = false
  }
  return {
    ...{ isMoving, keyboard },
    register: (name: string, hasKeyboard: boolean) => (input: HTMLInputElement | null) => {
      if (input) boxes.current.set(name, { input, hasKeyboard })
      else boxes.current.delete(name)
      if (!input || wanted.current?.name !== name) return
      // in the turn that draws a form the browser would have to lay it all out at once
      if (isOpening.current) void nextFrame().then(focusWanted)
      else focusWanted()
    },
    find: (name: string) => boxes.current.get(name),
    nameOf: (target: Element) => [...boxes.current].find(([, { input }]) => input === target)?.[0],
    want: (name: string, isSelected: boolean) => {
      const isOnItsWay = isOpening.current && wanted.current?.name === name
      wanted.current = { name, isSelected }
      if (isOnItsWay) return
      isOpening.current = false
      focusWanted()
    },
    wantNone: () => {
      wanted.current = null
    },
  }
}

/** `name`: of the box, where the target is one. */
function placeIn<Part extends string>(target: Element, name: string | undefined): ScanCursor<Part> | null {
  const part = target.closest<HTMLElement>('[data-part]')?.dataset.part as Part | undefined
  return part === undefined ? null : { part, field: name?.slice(part.length + 1) ?? null }
}

/** The part that was taken last. The same one again, by the focus of its own box, would draw the form once more for nothing. */
function useTaken<Part extends string>(first: Part | null) {
  const [part, setPart] = useState(first)
  const last = useRef(first)
  const takePart = (next: Part) => {
    if (next !== last.current || next !== part) setPart(next)
    last.current = next
  }
  return { part, takePart }
}

type Start<Part> = { part: Part; field: string } | null

type Hands<Part extends string> = {
  /** A person has moved it. */
  onMoved?: () => void
  /** A hand has ended a box. The Enter of a reading is not heard here. */
  onEnter?: (from: ScanCursor<Part>) => void
}

/**
 * Where the cursor of a form stands. A form is drawn anew only when another part has it; `now()` says the field as well. The root
 * of the form takes `rootProps`, its parts `data-part`.
 */
export function useCursor<Part extends string>(start: Start<Part>, { onMoved, onEnter }: Hands<Part> = {}) {
  const place = useRef<ScanCursor<Part> | null>(start)
  const { part, takePart } = useTaken(start?.part ?? null)
  const stand = (at: ScanCursor<Part> | null) => {
    place.current = at
    if (at) takePart(at.part)
  }
  const boxes = useBoxes(start && nameOf(start.part, start.field))
  /** Somebody types in the field with the cursor, also where the form hears a moment later what it was. */
  const isTyping = useRef(false)
  /** Where it is to go once a label has been read to its end. */
  const due = useRef<{ part: Part; field: string }>(null)
  const placeOf = (target: unknown) => (target instanceof Element ? placeIn<Part>(target, boxes.nameOf(target)) : null)
  /** The panel puts it there; null: nowhere. */
  const moveTo = (at: { part: Part; field: string } | null, isSelected = false) => {
    isTyping.current = false
    stand(at)
    if (at) return boxes.want(nameOf(at.part, at.field), isSelected)
    boxes.wantNone()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }
  /** The text there is selected: the next reading replaces it. A hand that types, or is in a dialog, is not moved. */
  const returnTo = (at: { part: Part; field: string }) => {
    if (isReading()) due.current = at
    else if (!isTyping.current && !isElsewhere(boxes.find(nameOf(at.part, at.field)))) moveTo(at, true)
  }
  /** What is typed in is in hand, and drawn at once, with or without the focus. */
  const onTyped = ({ target }: { target: unknown }) => {
    isTyping.current = true
    stand(placeOf(target) ?? place.current)
  }
  return {
    /** `part`: that had it last, or was taken since. */
    ...{ part, takePart, now: () => place.current, moveTo, returnTo },
    /** After a reading. */
    quiet: () => {
      isTyping.current = false
      if (place.current) boxes.keyboard.hold(boxes.find(nameOf(place.current.part, place.current.field)))
      const next = due.current
      due.current = null
      if (next) returnTo(next)
    },
    /** `hasKeyboard`: nothing but a hand fills it in. */
    of: (part: Part, field: string, hasKeyboard: boolean): FieldCursor => ({
      inputRef: boxes.register(nameOf(part, field), hasKeyboard),
    }),
    rootProps: {
      onFocus: ({ target }: { target: Element }) => {
        boxes.wantNone()
        isTyping.current = false
        stand(placeOf(target))
        if (!boxes.isMoving.current) boxes.keyboard.release()
      },
      onBlur: ({ relatedTarget }: { relatedTarget: Element | null }) => {
        isTyping.current = false
        if (!relatedTarget?.closest('[data-part]')) stand(null)
      },
      ...{ onBeforeInput: onTyped, onInput: onTyped },
      onPointerDown: ({ target }: { target: unknown }) => {
        boxes.keyboard.release()
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
