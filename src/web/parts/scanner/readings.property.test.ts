import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type KnownCodes, placeScan, type ScanForm, type ScanOutcome } from '../../../domain/acts/form-scans.ts'
import { unmarked } from '../../../domain/text/frames.ts'

const READINGS = 10_000
const OWN = '0101621401001000010007'

const codes: KnownCodes = {
  item: { barcode: OWN, number: '000010' },
  items: ['0101621401001000020004'],
  orders: ['01621401001'],
  applicators: ['MA-0412'],
  machines: ['KX0001', 'US0001'],
  stations: ['Seladora 01'],
  instruments: ['MIC-ALT-01'],
  materials: ['T1326030', 'CB050AMVD'],
  isComplete: true,
  reasons: [],
}

type Heard = {
  type: string
  target: Box | null
  timeStamp: number
  key?: string
  data?: string
  inputType?: string
  stopped: boolean
  prevented: boolean
}

/** As much of a text box as readings touch; it stands in a form that hears any label. */
class Box {
  text = ''
  inputMode = ''
  get value() {
    return this.text
  }
  set value(text: string) {
    this.text = text
  }
  matches = () => true
  closest = () => this
  contains = () => true
  select = () => undefined
  dispatchEvent = () => true
}

const listeners: [type: string, hear: (event: unknown) => void][] = []

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  Object.assign(globalThis, {
    ...{ HTMLInputElement: Box, HTMLTextAreaElement: Box, Element: Box },
    window: { addEventListener: (type: string, hear: (event: unknown) => void) => listeners.push([type, hear]) },
  })
  const { startScanner } = await import('./useScanner.ts')
  startScanner()
  while (!listeners.some(([type]) => type === 'compositionend')) await new Promise((go) => setImmediate(go))
})
afterAll(() => {
  vi.useRealTimers()
})

/** Whether the browser goes on with it: nobody has prevented it. */
function fire(type: string, target: Box | null, more: Partial<Heard>): boolean {
  const event = {
    ...{ type, target, timeStamp: performance.now(), repeat: false, ctrlKey: false, altKey: false, metaKey: false },
    ...{ prevented: false, ...more },
    preventDefault: () => {
      event.prevented = true
    },
    stopImmediatePropagation: () => undefined,
  }
  for (const [of, hear] of listeners) if (of === type) hear(event)
  return !event.prevented
}

/** Mulberry32. */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    between: (min: number, max: number) => min + Math.floor(next() * (max - min + 1)),
    pick: <Of>(of: readonly Of[]) => of[Math.floor(next() * of.length)] as Of,
  }
}

const frames: readonly ((label: string) => string)[] = [
  (label) => label,
  (label) => `]C0${label}`,
  (label) => `]E0${label}`,
  (label) => `*${label}*`,
  (label) => `]A0*${label}*`,
]
const ways = [
  'keys, Enter',
  'keys, Tab',
  'keys',
  'input method',
  'input method, Enter',
  'composition',
  'paste',
] as const

function type(label: string, way: (typeof ways)[number], target: Box | null, gapMs: number): void {
  const wait = () => vi.advanceTimersByTime(gapMs)
  const press = (key: string) => {
    wait()
    if (fire('keydown', target, { key }) && key.length === 1 && target) target.value += key
  }
  const insert = (inputType: string) => {
    wait()
    fire('keydown', target, { key: 'Unidentified' })
    if (fire('beforeinput', target, { inputType, data: label }) && target) target.value += label
  }
  if (way.startsWith('keys')) for (const key of label) press(key)
  if (way.startsWith('input method')) insert('insertText')
  if (way === 'paste') insert('insertFromPaste')
  if (way === 'composition' && target) {
    fire('compositionstart', target, { data: '' })
    fire('compositionupdate', target, { data: label })
    target.value += label
    wait()
    fire('compositionend', target, { data: label })
  }
  if (way.endsWith('Enter') || way === 'composition') press('Enter')
  if (way.endsWith('Tab')) press('Tab')
}

/** A form with one part that hears readings, until the test ends. */
async function openForm(known: KnownCodes) {
  const { listen } = await import('./useScanner.ts')
  const boxes = { lot: new Box(), machine: new Box(), quantity: new Box() }
  boxes.quantity.inputMode = 'numeric'
  const outcomes: ScanOutcome<'cabo'>[] = []
  const state = { cursor: null as keyof typeof boxes | null }
  const form = (): ScanForm<'cabo'> => ({
    cursor: { part: 'cabo', field: state.cursor },
    parts: [
      {
        ...{ part: 'cabo', isOpen: true, terminal: null, seal: null, machineOf: 'do cabo', of: 'do cabo' },
        fields: {
          lot: { value: boxes.lot.value, choices: [] },
          machine: { value: boxes.machine.value, choices: [{ code: 'KX0001', text: 'KX0001 - Komax' }] },
        },
      },
    ],
  })
  const textsNow = () => ({ lot: boxes.lot.value, machine: boxes.machine.value, quantity: boxes.quantity.value })
  const restore = (texts: ReturnType<typeof textsNow>) => {
    for (const name of ['lot', 'machine', 'quantity'] as const) boxes[name].value = texts[name]
  }
  let start = { form: form(), texts: textsNow() }
  const hold = () => {
    start = { form: form(), texts: textsNow() }
  }
  const leave = listen({
    ownField: { current: new Box() as unknown as HTMLElement },
    form: { onFirstKey: hold, onResume: () => restore(start.texts) },
    hear: ({ text, fresh }) => {
      restore(start.texts)
      if (!fresh) return
      const outcome = placeScan(text, start.form, known)
      outcomes.push(outcome)
      if (outcome.kind === 'fill' && outcome.field in boxes) boxes[outcome.field as 'lot'].value = outcome.value
    },
  })
  onTestFinished(leave)
  return { boxes, outcomes, state, textsNow, restore }
}

test('10,000 readings, however they come: none in a wrong box, none silent, none appended', async () => {
  const { boxes, outcomes, state, textsNow, restore } = await openForm(codes)
  const { between, pick } = randomFrom(47)
  for (let nth = 0; nth < READINGS; nth++) {
    const lot = `${pick(['L26', 'B23-', '7'])}${nth + 1_000_000}${pick(['', '/2', 'X'])}`
    const known = pick([OWN, ...codes.items, ...codes.orders, ...codes.machines, ...codes.materials, 'PIC-000000000'])
    const code = pick([lot, lot, known, 'KX0001', 'MIC-ALT-01', 'MA-0412'])
    const label = pick(frames)(pick([code, code.toLowerCase()]))
    const way = pick(ways)
    const cursor = way.startsWith('keys')
      ? pick(['lot', 'quantity', null] as const)
      : pick(['lot', 'quantity'] as const)
    state.cursor = cursor
    restore({ lot: pick(['', 'L1', lot]), machine: pick(['', 'KX0001 - Komax']), quantity: pick(['', '120']) })
    const before = textsNow()
    const heardBefore = outcomes.length
    type(label, way, cursor && boxes[cursor], between(5, 50))
    vi.advanceTimersByTime(3000)
    const after = textsNow()
    const which = `reading ${nth}: ${label} by ${way} with the cursor in ${cursor}, lot '${before.lot}'`
    expect(outcomes.length - heardBefore, `${which}: said once`).toBe(1)
    expect([after.quantity, [before.machine, 'KX0001 - Komax'].includes(after.machine)], which).toEqual([
      before.quantity,
      true,
    ])
    const isLot = code === lot
    const mayBe = isLot ? [before.lot, unmarked(label)] : [before.lot]
    expect(mayBe, `${which}: ${after.lot}`).toContain(after.lot)
    if (isLot && cursor === 'lot') expect(after.lot.toLowerCase(), which).toBe(lot.toLowerCase())
    if (code === 'KX0001') expect(after.machine, which).toBe('KX0001 - Komax')
  }
})

const printed = [
  ...['comprimento-errado', 'isolacao-danificada', 'fios-cortados', 'gravacao-errada', 'cabo-errado'],
  ...['peca-de-ajuste', 'ensaio-destrutivo', 'outro', 'rebarba', 'rebarba-2', 'x', '5', 'l26', 'kx0001'],
]

test('84 readings of printed reasons at 5, 20 and 50 ms, with and without Enter: each its reason, and no lot', async () => {
  const reasons = printed.map((code) => ({ code, text: code, stage: code === 'outro' ? 'todas' : 'corte' }))
  const { boxes, outcomes, state, textsNow, restore } = await openForm({ ...codes, reasons })
  const before = { lot: 'L1', machine: '', quantity: '120' }
  for (const gapMs of [5, 20, 50])
    for (const way of ['keys, Enter', 'keys'] as const)
      for (const [nth, code] of printed.entries()) {
        state.cursor = (['lot', 'quantity', null] as const)[nth % 3] ?? null
        restore(before)
        const label = nth % 2 === 0 ? `REF-${code}` : `ref-${code.toUpperCase()}`
        type(label, way, state.cursor && boxes[state.cursor], gapMs)
        vi.advanceTimersByTime(3000)
        const which = `${label} by ${way} at ${gapMs} ms with the cursor in ${state.cursor}`
        expect(outcomes.splice(0), which).toMatchObject([{ kind: 'reason', part: 'cabo', code }])
        expect(textsNow(), which).toEqual(before)
      }
})
