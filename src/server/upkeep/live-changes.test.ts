import { expect, test } from 'vitest'
import { topics } from '../../contract/endpoint.ts'
import { messagesOf } from './live-changes.ts'

/** The page of the version before looks a topic up in these, and reads nothing anew after one that is not among them. */
const before = new Set([
  ...['applicators', 'sealing-stations', 'crimp-counters', 'crimp-history', 'items', 'junctions'],
  ...['pending-recordings', 'documents', 'users', 'sessions', 'settings'],
])

test('a topic that the page of the version before does not know has an event by name, which that page leaves aside', () => {
  const events = messagesOf(topics.map((topic) => ({ topic, key: 'K' }))).split('\n\n')
  expect(events.pop()).toBe('')
  expect(events.filter((event) => event.startsWith('data: '))).toEqual(
    [...before].map((topic) => `data: ${JSON.stringify({ topic, key: 'K' })}`),
  )
  expect(events.filter((event) => event.startsWith('event: mudanca\ndata: '))).toHaveLength(topics.length - before.size)
})
