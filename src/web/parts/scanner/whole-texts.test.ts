import { expect, test, vi } from 'vitest'
import { Box, standInForBrowser, startedScanner, type, ways } from '../../../../test/support/readings.ts'

standInForBrowser()

const wholeWays = ways.filter((way) => !way.startsWith('keys'))
const BADGE = 'PIC-000000000'

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
    ownField: { current: new Box() as unknown as HTMLElement },
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
  for (const way of ways.filter((one) => one !== 'paste'))
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
