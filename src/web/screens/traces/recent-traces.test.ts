import { afterEach, expect, test, vi } from 'vitest'
import { keepTrace, recentTraces } from './traces.ts'

afterEach(() => vi.unstubAllGlobals())

/** A tab's storage, as far as it is used here. */
function openTab(stored: string | null, isFull = false) {
  let text = stored
  const setItem = (_: string, next: string) => {
    if (isFull) throw new DOMException('full', 'QuotaExceededError')
    text = next
  }
  vi.stubGlobal('sessionStorage', { getItem: () => text, setItem })
}

const traced = (n: number) => ({ term: `L${n}`, kind: 'lote' as const })

test('the last five are kept, each once, the last one first', () => {
  openTab(null)
  for (const n of [1, 2, 3, 4, 5, 6, 3]) keepTrace(traced(n))
  expect(recentTraces()).toEqual([3, 6, 5, 4, 2].map(traced))
})

test.each(['{', 'null', '7', '[null, 7, {"term": 1}, {"term": "L1"}, {"term": "L1", "kind": "x"}]'])(
  'what somebody else left there is passed over: %s',
  (stored) => {
    openTab(stored)
    expect(recentTraces()).toEqual([])
    keepTrace(traced(1))
    expect(recentTraces()).toEqual([traced(1)])
  },
)

test('a full storage costs the list only', () => {
  openTab('[]', true)
  keepTrace(traced(1))
  expect(recentTraces()).toEqual([])
})
