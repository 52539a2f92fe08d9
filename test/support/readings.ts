import { afterAll, beforeAll, vi } from 'vitest'

/** Readings as a browser gives them to the scanner's listeners, whatever way they come in, without a browser. */

type Heard = {
  type: string
  target: Box | null
  timeStamp: number
  key?: string
  altKey?: boolean
  data?: string
  inputType?: string
  isStopped: boolean
  prevented: boolean
}

/** As much of a text box as readings touch. */
export class Box {
  /** As a browser writes into it. */
  text = ''
  inputMode = ''
  autocapitalize = ''
  type = 'text'
  /** Whether it stands on the screen that listens. */
  isOwn = true
  get value() {
    return this.text
  }
  set value(text: string) {
    this.text = text
  }
  /** Filled from a list, or only shown. */
  isReadOnly = false
  maxLength = -1
  selectionStart = null
  selectionEnd = null
  setSelectionRange = () => undefined
  matches = () => !this.isReadOnly
  closest = () => this
  contains = ({ isOwn }: Box) => isOwn
  select = () => undefined
  dispatchEvent = () => true
}

const listeners: [type: string, hear: (event: unknown) => void][] = []

/** To be called once in a file: events, timers and boxes are those of this file. */
export function standInForBrowser(): void {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    Object.assign(globalThis, {
      ...{ HTMLInputElement: Box, HTMLTextAreaElement: Box, Element: Box },
      localStorage: { getItem: () => null, setItem: () => undefined },
      document: { documentElement: { dataset: {} } },
      window: { addEventListener: (type: string, hear: (event: unknown) => void) => listeners.push([type, hear]) },
    })
  })
  afterAll(() => {
    vi.useRealTimers()
  })
}

/** How to listen to the scanner, once it hears whole texts as well. */
export async function startedScanner() {
  const { listen, startScanner } = await import('../../src/web/parts/scanner/useScanner.ts')
  if (listeners.length === 0) startScanner([])
  while (!listeners.some(([type]) => type === 'compositionend')) await new Promise((go) => setImmediate(go))
  return listen
}

/** Whether the browser goes on with it: nobody has prevented it. */
function fire(type: string, target: Box | null, more: Partial<Heard>): boolean {
  const event = {
    ...{ type, target, timeStamp: performance.now(), repeat: false, ctrlKey: false, altKey: false, metaKey: false },
    ...{ prevented: false, isStopped: false, ...more },
    preventDefault: () => {
      event.prevented = true
    },
    stopImmediatePropagation: () => {
      event.isStopped = true
    },
    // all that listen here listen at the window
    stopPropagation: () => undefined,
  }
  for (const [of, hear] of listeners) if (of === type && !event.isStopped) hear(event)
  return !event.prevented
}

/** As a reader that says the code of each character on the number pad; `heardLateMs`: what the page is behind by then. */
export function typeOnNumberPad(
  label: string,
  target: Box | null,
  gapMs: number,
  heardLateMs: (nth: number) => number,
): void {
  for (const [nth, sign] of [...label].entries()) {
    vi.advanceTimersByTime(gapMs)
    for (const key of ['Alt', ...String(sign.charCodeAt(0)).padStart(3, '0')])
      fire('keydown', target, { key, altKey: true })
    const timeStamp = performance.now() + heardLateMs(nth)
    fire('keypress', target, { key: sign, timeStamp })
    if (target && fire('beforeinput', target, { inputType: 'insertText', data: sign, timeStamp })) target.text += sign
  }
}

export const ways = [
  'keys, Enter',
  'keys, Tab',
  'keys',
  'input method',
  'input method, Enter',
  'composition',
  'paste',
  'drop',
] as const

/** A person has chosen the text. */
export const isChosen = (way: (typeof ways)[number]): boolean => way === 'paste' || way === 'drop'

/** A label that comes in that way, `gapMs` between its keys. */
export function type(label: string, way: (typeof ways)[number], target: Box | null, gapMs: number): void {
  const wait = () => vi.advanceTimersByTime(gapMs)
  const press = (key: string) => {
    wait()
    if (fire('keydown', target, { key }) && key.length === 1 && target) target.text += key
  }
  const insert = (inputType: string) => {
    wait()
    fire('keydown', target, { key: 'Unidentified' })
    // as Chromium says it: nothing can be written there
    if (target === null || target.isReadOnly) return void fire('textInput', target, { data: label })
    if (fire('beforeinput', target, { inputType, data: label })) target.text += label
  }
  if (way.startsWith('keys')) for (const key of label) press(key)
  if (way.startsWith('input method')) insert('insertText')
  if (way === 'paste') insert('insertFromPaste')
  if (way === 'drop') insert('insertFromDrop')
  if (way === 'composition' && target) {
    fire('compositionstart', target, { data: '' })
    fire('compositionupdate', target, { data: label })
    target.text += label
    wait()
    fire('compositionend', target, { data: label })
  }
  if (way.endsWith('Enter') || way === 'composition') press('Enter')
  if (way.endsWith('Tab')) press('Tab')
}
