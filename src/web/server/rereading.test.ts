import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { makeRereader } from './rereading.ts'

/** A list on screen, and a server that answers each reading when it is told to. */
function listOnScreen() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const requests: { answer: (text: string) => void; refuse: () => void; signal: AbortSignal }[] = []
  const queryKey = ['list']
  const observer = new QueryObserver<string>(queries, {
    queryKey,
    queryFn: ({ signal }) =>
      new Promise((answer, reject) => requests.push({ answer, refuse: () => reject(new Error('Away')), signal })),
  })
  const reread = makeRereader(queries)
  const leave = observer.subscribe(() => undefined)
  return {
    requests,
    leave,
    shown: () => observer.getCurrentResult().data,
    change: (word = '') => reread(({ state }) => String(state.data).includes(word)),
  }
}

const hasRequests = (list: { requests: readonly unknown[] }, times: number) =>
  expect.poll(() => list.requests.length).toBe(times)

test('a change heard during the first reading is read after it', async () => {
  const list = listOnScreen()
  list.change()
  list.change()
  await hasRequests(list, 1)
  list.requests[0]?.answer('before')
  await hasRequests(list, 2)
  list.requests[1]?.answer('after')
  await expect.poll(list.shown).toBe('after')
  expect(list.requests).toHaveLength(2)
})

test('a change of what the first answer does not hold is none to it', async () => {
  const list = listOnScreen()
  list.change('another')
  list.requests[0]?.answer('this')
  await expect.poll(list.shown).toBe('this')
  list.change('another')
  await Promise.resolve()
  expect(list.requests).toHaveLength(1)
  list.change('this')
  await hasRequests(list, 2)
  list.change('both')
  list.requests[1]?.answer('both this and another')
  await hasRequests(list, 3)
})

test('steady changes stop no reading', async () => {
  const list = listOnScreen()
  list.requests[0]?.answer('first')
  await expect.poll(list.shown).toBe('first')
  for (const [round, text] of ['second', 'third', 'fourth'].entries()) {
    for (let changes = 0; changes < 5; changes++) list.change()
    await hasRequests(list, round + 2)
    expect(list.requests[round + 1]?.signal.aborted).toBe(false)
    list.change()
    list.requests[round + 1]?.answer(text)
    await expect.poll(list.shown).toBe(text)
  }
})

test('a reading that fails is tried once more, and one that nobody waits for is not', async () => {
  const list = listOnScreen()
  list.change()
  list.requests[0]?.refuse()
  await hasRequests(list, 2)
  list.requests[1]?.refuse()
  list.leave()
  list.change()
  await Promise.resolve()
  expect(list.requests).toHaveLength(2)
})
