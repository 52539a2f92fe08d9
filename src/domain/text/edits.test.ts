import { expect, test } from 'vitest'
import { editsBetween } from './edits.ts'

test.each([
  ['ERP_URL', 'ERP_URL', 0],
  ['ERP_ULR', 'ERP_URL', 1],
  ['ERPURL', 'ERP_URL', 1],
  ['ERP_URLS', 'ERP_URL', 1],
  ['TIMEZONE', 'TIME_ZONE', 1],
  ['APP_URL', 'ERP_URL', 2],
  ['', 'PORT', 4],
])('%s is as many mistakes of a typist from %s: %i', (one, other, edits) => {
  expect([editsBetween(one, other), editsBetween(other, one)]).toEqual([edits, edits])
})
