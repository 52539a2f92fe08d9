import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { makeRereader } from './rereading.ts'

/** A list on screen, and a server that answers each reading when it is told to. */
function listOnScreen() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const asked: { answer: (text: string) => void; refuse: () => void; signal: AbortSignal }[] = []
  const queryKey = ['list']
  const observer = new QueryObserver<string>(queries, {
    queryKey,
    queryFn: ({ signal }) =>
      new Promise((answer, reject) => asked.push({ answer, refuse: () => reject(new Error('Away')), signal })),
  })
  const reread = makeRereader(queries)
  const leave = observer.subscribe(() => undefined)
  return {
    asked,
    leave,
    shown: () => observer.getCurrentResult().data,
    change: (word = '') => reread(({ state }) => String(state.data).includes(word)),
  }
}

const isAsked = (list: { asked: readonly unknown[] }, times: number) => expect.poll(() => list.asked.length).toBe(times)

test('a change heard during the first reading is read after it', async () => {
  const list = listOnScreen()
  list.change()
  list.change()
  await isAsked(list, 1)
  list.asked[0]?.answer('before')
  await isAsked(list, 2)
  list.asked[1]?.answer('after')
  await expect.poll(list.shown).toBe('after')
  expect(list.asked).toHaveLength(2)
})

test('a change of what the first answer does not hold is none to it', async () => {
  const list = listOnScreen()
  list.change('another')
  list.asked[0]?.answer('this')
  await expect.poll(list.shown).toBe('this')
  list.change('another')
  await Promise.resolve()
  expect(list.asked).toHaveLength(1)
  list.change('this')
  await isAsked(list, 2)
  list.change('both')
  list.asked[1]?.answer('both this and another')
  await isAsked(list, 3)
})

test('steady changes stop no reading', async () => {
  const list = listOnScreen()
  list.asked[0]?.answer('first')
  await expect.poll(list.shown).toBe('first')
  for (const [round, text] of ['second', 'third', 'fourth'].entries()) {
    for (let changes = 0; changes < 5; changes++) list.change()
    await isAsked(list, round + 2)
    expect(list.asked[round + 1]?.signal.aborted).toBe(false)
    list.change()
    list.asked[round + 1]?.answer(text)
    await expect.poll(list.shown).toBe(text)
  }
})

test('a reading that fails is tried once more, and one that nobody waits for is not', async () => {
  const list = listOnScreen()
  list.change()
  list.asked[0]?.refuse()
  await isAsked(list, 2)
  list.asked[1]?.refuse()
  list.leave()
  list.change()
  await Promise.resolve()
  expect(list.asked).toHaveLength(2)
})
