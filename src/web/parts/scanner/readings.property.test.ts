import { expect, onTestFinished, test, vi } from 'vitest'
import { randomFrom } from '../../../../test/support/journeys/scanning.ts'
import { Box, standInForBrowser, startedScanner, type, ways } from '../../../../test/support/readings.ts'
import { type KnownCodes, placeScan, type ScanForm, type ScanOutcome } from '../../../domain/forms/form-scans.ts'
import { changePreferences } from '../../device/preferences.ts'

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

standInForBrowser()

const frames: readonly ((label: string) => string)[] = [
  (label) => label,
  (label) => `]C0${label}`,
  (label) => `]E0${label}`,
  (label) => `*${label}*`,
  (label) => `]A0*${label}*`,
]
/** What readers add to each label, as the device was taught it; and how a label is read then. */
const readers = [
  ['\n#\n', (label: string) => `${label}#`],
  ['A\n\n', (label: string) => `A${label}`],
  ['x~\n%\n', (label: string) => `x~${label}%`],
  ['~\n\uFFFD\n', (label: string) => `~${label}\uFFFD`],
  ['\n\n|', (label: string) => `${label.slice(0, -3)}|${label.slice(-3)}`],
  ['#\n#\n|;', (label: string) => `#${label.slice(0, -3)}|${label.slice(-3, -2)};${label.slice(-2)}#`],
] as const
type Write = (label: string) => string
/** The mark of the symbology stands within the signs of the reader, or around them. */
const framed =
  (frame: Write, add: Write, isWithin: boolean): Write =>
  (label) =>
    isWithin ? add(frame(label)) : frame(add(label))
const plain = [['', (label: string) => label]] as const

/** A form with one part that hears readings, until the test ends. */
async function openForm(known: KnownCodes) {
  const listen = await startedScanner()
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

test.each([
  ['of a reader that adds nothing', plain],
  ['without what the device was taught that its reader adds', readers],
])('10,000 readings, however they come, %s: none in a wrong box, none silent, none appended', async (_, added) => {
  const { boxes, outcomes, state, textsNow, restore } = await openForm(codes)
  const { between, pick } = randomFrom(47)
  for (let nth = 0; nth < READINGS; nth++) {
    const lot = `${pick(['L26', 'B23-', '7'])}${nth + 1_000_000}${pick(['', '/2', 'X'])}`
    const known = pick([OWN, ...codes.items, ...codes.orders, ...codes.machines, ...codes.materials, 'PIC-000000000'])
    const code = pick([lot, lot, known, 'KX0001', 'MIC-ALT-01', 'MA-0412'])
    const text = pick([code, code.toLowerCase()])
    const [readerSigns, add] = pick<(typeof added)[number]>(added)
    changePreferences({ readerSigns })
    // another reader at the same device adds nothing
    const addHere = pick([add, add, add, (label: string) => label])
    const label = framed(pick(frames), addHere, pick([true, false]))(text)
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
    const mayBe = isLot ? [before.lot, text] : [before.lot]
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
  changePreferences({ readerSigns: '' })
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
