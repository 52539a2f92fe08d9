import { expect, test } from 'vitest'
import { orderProblem } from '../../domain/acts/check-orders.ts'
import { BANNER_AFTER_MS, snoozeLeftMs } from '../device/install-offer.ts'
import { BROWSER_ENTRIES_MAX } from '../device/log.ts'
import { ANNOUNCED_MS } from '../device/updates.ts'
import { CHECK_MS, TOLERANCE } from '../device/zoom.ts'
import { limitText, SHOWN_MS_MIN } from '../screens/crimp-counters/counters.ts'
import { readLimit, readNewLimit } from '../screens/crimp-counters/limit-edits.ts'
import { DEBOUNCE_MS } from '../screens/crimp-counters/table-parts.tsx'
import { REFOCUS_MS } from '../screens/cut-check/receipts.ts'
import { ENTRIES_SHOWN_MAX } from '../screens/logs/entries.ts'
import { EXPIRING_SOON_MS } from '../server/session.ts'
import { formatCount, formatInstant } from '../text/format.ts'
import { EDITING_ITEM_KEY } from '../text/links.ts'
import { startSidebar } from './shell/sidebar.ts'

/** The rows of the plant's table of limits that a browser keeps; see test/server/limits.test.ts. */

const limit = (number: number) => ({ kind: 'limit', limit: number })

const rows: Record<string, () => void> = {
  'Crimp filter debounce': () => expect(DEBOUNCE_MS).toBe(300),
  'Minimum crimp list loading display': () => expect(SHOWN_MS_MIN).toBe(2000),
  'Unlimited crimp limit': () => {
    expect(limitText(-1)).toBe('Ilimitado')
    expect(['-1', 'Ilimitado', '∞'].map(readLimit)).toEqual([limit(-1), limit(-1), limit(-1)])
  },
  'Default new limit on reset': () => expect(readNewLimit('')).toEqual(limit(100_000)),
  'Token expiring soon': () => expect(EXPIRING_SOON_MS).toBe(1_800_000),
  'Frontend log': () => expect([BROWSER_ENTRIES_MAX, ENTRIES_SHOWN_MAX]).toEqual([1000, 500]),
  'Order input max: cut check': () => {
    expect(orderProblem('1'.repeat(15))).toBeNull()
    expect(orderProblem('1'.repeat(16))).toContain('no máximo 15 caracteres')
  },
  'Barcode refocus delay': () => expect(REFOCUS_MS).toBe(100),
  'Sidebar breakpoints': () => {
    const desk = { textPercent: 100, isCoarse: false }
    const modes = [767, 768, 1199, 1200].map((widthPx) => startSidebar(null, { widthPx, ...desk }).mode)
    expect(modes).toEqual(['collapsed', 'compacted', 'compacted', 'expanded'])
  },
  'Install banner delay / snooze': () => {
    expect(BANNER_AFTER_MS).toBe(3000)
    expect([0, 604_799_999, 604_800_000].map((now) => snoozeLeftMs('0', now))).toEqual([604_800_000, 1, 0])
  },
  'Zoom check': () => expect([CHECK_MS, TOLERANCE]).toEqual([1000, 0.01]),
  'Service worker update reload': () => expect(ANNOUNCED_MS).toBe(2000),
  'Session storage keys: editingItem': () => expect(EDITING_ITEM_KEY).toBe('editingItem'),
  Locale: () => {
    expect(formatCount(1_234_567)).toBe('1.234.567')
    expect(formatInstant('2026-11-21T22:30:00.000Z', 'America/Sao_Paulo')).toBe('21/11/2026 19:30')
  },
}

test.each(Object.entries(rows))('%s', (_, holds) => holds())
