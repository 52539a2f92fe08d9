import { expect, test, vi } from 'vitest'
import {
  Box,
  isChosen,
  standInForBrowser,
  startedScanner,
  type,
  typeOnNumberPad,
  ways,
} from '../../../../test/support/readings.ts'
import { changePreferences } from '../../device/preferences.ts'

standInForBrowser()

const wholeWays = ways.filter((way) => !way.startsWith('keys'))
const BADGE = 'PIC-000000000'
const root = new Box() as unknown as HTMLElement

/** A form with a box of that kind. */
async function formWith(kind: Partial<Pick<Box, 'inputMode' | 'autocapitalize'>>) {
  const listen = await startedScanner()
  const box = Object.assign(new Box(), kind)
  const heard: string[] = []
  let before = ''
  const hold = () => {
    before = box.value
  }
  const leave = listen({
    ownField: { current: root },
    form: { onFirstKey: hold, onResume: () => undefined },
    hear: ({ text }) => {
      box.value = before
      heard.push(text)
    },
  })
  const read = (text: string, way: (typeof ways)[number]) => {
    heard.length = 0
    box.value = ''
    type(text, way, box, 20)
    vi.advanceTimersByTime(3000)
    return { heard: [...heard], box: box.value }
  }
  return { read, leave }
}

test('a box of sentences keeps what is said into it, chosen from a keyboard, or pasted', async () => {
  const { read, leave } = await formWith({ autocapitalize: 'sentences' })
  const sentences = ['terminal amassado', 'Rebarba', 'amassado ', 'lado 1 torto, fio 3', 'fio decapado a 4 mm do fim']
  for (const way of wholeWays)
    for (const text of sentences) expect(read(text, way), `${text}, ${way}`).toEqual({ heard: [], box: text })
  expect(read('L261121001', 'paste')).toEqual({ heard: [], box: 'L261121001' })
  leave()
})

test('a label that is read with the cursor there is a reading, and a badge never stays', async () => {
  const { read, leave } = await formWith({ autocapitalize: 'sentences' })
  for (const way of ways.filter((one) => !isChosen(one)))
    for (const label of ['REF-altura-fora', 'L261121001']) expect(read(label, way)).toEqual({ heard: [label], box: '' })
  for (const way of ways) expect(read(BADGE, way).box, way).toBe('')
  for (const way of wholeWays) expect(read(`crachá ${BADGE} lido`, way).box, way).toBe('')
  leave()
})

test('a number stays in the box of one, and a label does not', async () => {
  const { read, leave } = await formWith({ inputMode: 'numeric' })
  for (const way of wholeWays) {
    expect(read('1200', way)).toEqual({ heard: [], box: '1200' })
    expect(read('01621401001', way)).toEqual({ heard: ['01621401001'], box: '' })
  }
  leave()
})

test('a label that comes at once where nothing can be written is a reading', async () => {
  const listen = await startedScanner()
  const heard: string[] = []
  const form = { onFirstKey: () => undefined, onResume: () => undefined }
  const leave = listen({ ownField: { current: root }, form, hear: ({ text }) => heard.push(text) })
  const places = [null, Object.assign(new Box(), { isReadOnly: true })]
  for (const [at, place] of places.entries())
    for (const way of ['input method', 'input method, Enter'] as const) {
      type(`L26112100${at}`, way, place, 20)
      vi.advanceTimersByTime(3000)
    }
  expect(heard).toEqual(['L261121000', 'L261121000', 'L261121001', 'L261121001'])
  expect(places[1]?.value).toBe('')
  leave()
})

const reader = 'A\n#\n'
const order = 'A01621401001#'

test('a box gets the label alone, of a reader that the device was taught, whatever way it comes in', async () => {
  changePreferences({ readerSigns: reader })
  const leave = (await startedScanner())({ hear: () => undefined, ownField: { current: root } })
  const written = (box: Box, text: string, way: (typeof ways)[number]) => {
    box.value = ''
    type(text, way, box, 20)
    vi.advanceTimersByTime(3000)
    return box.value
  }
  const other = Object.assign(new Box(), { isOwn: false })
  for (const way of ways) {
    expect(written(new Box(), order, way), way).toBe('01621401001')
    expect(written(new Box(), '01621401001', way), way).toBe('01621401001')
    // what somebody pastes elsewhere is no reading
    expect(written(other, order, way), way).toBe(isChosen(way) ? order : '01621401001')
    expect(written(other, BADGE, way), way).toBe('')
    const secret = Object.assign(new Box(), { isOwn: false, type: 'password' })
    expect(written(secret, order, way), way).toBe(order)
  }
  changePreferences({ readerSigns: 'A\n\n' })
  for (const way of wholeWays) expect(written(other, 'Amanda escreve', way), way).toBe('Amanda escreve')
  changePreferences({ readerSigns: '' })
  for (const way of ways) expect(written(new Box(), order, way), `forgotten, ${way}`).toBe(order)
  leave()
})

test('a reader that was taught wrongly keeps nobody from an item or a badge', async () => {
  const { read, leave } = await formWith({})
  for (const readerSigns of ['0\n\n', 'P\n\n', '\n7\n', '01\n07\n', '\n\n|', 'damaged'])
    for (const way of ways) {
      changePreferences({ readerSigns })
      for (const label of ['0101621401001000010007', BADGE, 'MA-0412']) expect(read(label, way).heard).toEqual([label])
    }
  changePreferences({ readerSigns: '' })
  leave()
})

test('start and end marks in a whole text are no part of the label, and a separator within is never dropped silently', async () => {
  const { read, leave } = await formWith({})
  const marked = ['\u0002KX0001\u0003', 'KX0001\r\n', 'KX0001\t', '\u0002]C0KX0001\u0003\r']
  const separated = [
    '010789123456789510L261121001\u001D3730',
    'L261121001\u001DKX0001',
    '[)>\u001E06\u001D1TL26112\u001E\u0004',
  ]
  for (const way of wholeWays) {
    for (const text of marked)
      expect(read(text, way), `${JSON.stringify(text)}, ${way}`).toEqual({ heard: ['KX0001'], box: '' })
    for (const text of separated) {
      const { heard, box } = read(text, way)
      expect([heard.length, heard[0]?.includes('\uFFFD'), box], `${JSON.stringify(text)}, ${way}`).toEqual([
        1,
        true,
        '',
      ])
    }
  }
  leave()
})

test('a box that no screen reads gets a label without the marks of its reader', async () => {
  const leave = (await startedScanner())({ hear: () => undefined, ownField: { current: root } })
  const other = Object.assign(new Box(), { isOwn: false })
  for (const way of wholeWays.filter((one) => !isChosen(one))) {
    other.value = ''
    type('\u0002MA-0412\u0003', way, other, 20)
    vi.advanceTimersByTime(3000)
    expect(other.value, way).toBe('MA-0412')
  }
  leave()
})

test('in the box of a search a label takes the place of what stood there, and what a hand types does not', async () => {
  const leave = (await startedScanner())({ hear: () => undefined, ownField: { current: root } })
  const search = Object.assign(new Box(), { value: '00A3F701002' })
  const note = Object.assign(new Box(), { value: 'Ordem ', isOwn: false })
  for (const way of ['keys, Enter', 'keys, Tab'] as const) {
    type('01621401001', way, search, 20)
    vi.advanceTimersByTime(3000)
    expect(search.value, way).toBe('01621401001')
  }
  type('/2', 'keys, Enter', search, 90)
  type('12345678', 'keys, Enter', search, 90)
  expect(search.value).toBe('01621401001/212345678')
  type('01621401001', 'keys, Enter', note, 20)
  vi.advanceTimersByTime(3000)
  expect(note.value).toBe('Ordem 01621401001')
  leave()
})

test('a label on the number pad is one, however late a busy page hears its characters, and with the cursor nowhere', async () => {
  const listen = await startedScanner()
  const heard: string[] = []
  const leave = listen({
    ownField: { current: root },
    form: { onFirstKey: () => undefined, onResume: () => undefined },
    hear: ({ text }) => void heard.push(text),
  })
  const labels = ['KX0001', '0101621401001000010007', 'L261121001']
  for (const target of [new Box(), null]) {
    heard.length = 0
    for (const label of labels) {
      typeOnNumberPad(label, target, 10, (nth) => (nth > label.length / 3 ? 120 : 0))
      vi.advanceTimersByTime(3000)
    }
    expect(heard).toEqual(labels)
  }
  leave()
})
