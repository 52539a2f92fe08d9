import { expect, test } from 'vitest'
import { idleMinutesOf } from './idleness.ts'

test.each([
  { chosen: null, mode: 'plant', isSharedStation: false, minutes: 480 },
  { chosen: null, mode: 'plant', isSharedStation: true, minutes: 15 },
  { chosen: null, mode: 'demonstration', isSharedStation: false, minutes: 0 },
  { chosen: null, mode: 'demonstration', isSharedStation: true, minutes: 0 },
  { chosen: 30, mode: 'plant', isSharedStation: true, minutes: 30 },
  { chosen: 30, mode: 'demonstration', isSharedStation: false, minutes: 30 },
  { chosen: 0, mode: 'plant', isSharedStation: true, minutes: 0 },
] as const)(
  'untouched sessions end after $minutes minutes: IDLE_MINUTES $chosen, $mode, shared station: $isSharedStation',
  ({ minutes, ...device }) => {
    expect(idleMinutesOf(device)).toBe(minutes)
  },
)
