import { expect, test } from 'vitest'
import { openSlots } from './slots.ts'

const STREAMS = { refusal: 'too_many_streams', retryAfterS: 5 } as const
const slots = () => openSlots({ ...STREAMS, max: 10, keptForOthers: 4, few: 2 })

/** Of one person each, who may have as many as there are. */
const takes = (open: ReturnType<typeof slots>, person: string) => open.take([{ holder: person, max: 10 }], person)

test('the last slots are for those who have few', () => {
  const open = slots()
  for (let n = 0; n < 6; n++) takes(open, 'ana')
  expect(() => takes(open, 'ana')).toThrow('too_many_streams')
  for (const person of ['bia', 'bia', 'caio', 'caio']) takes(open, person)
  expect(() => takes(open, 'duda'), 'all are taken').toThrow('overloaded')
})

test('a slot is given back once', () => {
  const open = openSlots({ ...STREAMS, max: 2, keptForOthers: 0, few: 1 })
  const leave = takes(open, 'ana')
  takes(open, 'ana')
  leave()
  leave()
  takes(open, 'ana')
  expect(() => takes(open, 'ana')).toThrow('overloaded')
})

test('each holder has a limit of its own', () => {
  const open = slots()
  const device = (person: string) => open.take([{ holder: 'device', max: 1 }], person)
  const leave = device('ana')
  expect(() => device('bia')).toThrow('too_many_streams')
  leave()
  device('bia')
})
