import { expect, test } from 'vitest'
import {
  changeSidebar,
  hasOverlay,
  isOverContent,
  type SidebarMode,
  shownMode,
  startSidebar as start,
} from './sidebar.ts'

const PHONE = 390
const MEDIUM = 800
const DESK = 1366

const startSidebar = (stored: string | null, widthPx: number, textPercent = 100, isCoarse = false) =>
  start(stored, { widthPx, textPercent, isCoarse })
const resized = (widthPx: number, textPercent = 100) => ({ type: 'resize', widthPx, textPercent }) as const

test.each<[string | null, number, SidebarMode]>([
  [null, PHONE, 'collapsed'],
  [null, MEDIUM, 'compacted'],
  [null, DESK, 'expanded'],
  ['nonsense', PHONE, 'collapsed'],
  ['nonsense', MEDIUM, 'compacted'],
  ['nonsense', DESK, 'expanded'],
  ['expanded', PHONE, 'collapsed'],
  ['expanded', MEDIUM, 'compacted'],
  ['expanded', DESK, 'expanded'],
  ['compacted', PHONE, 'collapsed'],
  ['compacted', MEDIUM, 'compacted'],
  ['compacted', DESK, 'compacted'],
  ['collapsed', MEDIUM, 'compacted'],
  ['collapsed', DESK, 'expanded'],
])('with %s stored, at %i px it starts %s', (stored, widthPx, shown) => {
  expect(shownMode(startSidebar(stored, widthPx))).toBe(shown)
})

test.each<[number, SidebarMode, SidebarMode]>([
  [767, 'expanded', 'collapsed'],
  [768, 'expanded', 'compacted'],
  [1199, 'expanded', 'compacted'],
  [1200, 'compacted', 'expanded'],
])('at %i px toggling goes to %s and back to %s', (widthPx, first, second) => {
  const once = changeSidebar(startSidebar(null, widthPx), { type: 'toggle' })
  expect(shownMode(once)).toBe(first)
  expect(shownMode(changeSidebar(once, { type: 'toggle' }))).toBe(second)
})

test('a phone shows the menu over the content with an overlay, which closes it', () => {
  const open = changeSidebar(startSidebar(null, PHONE), { type: 'toggle' })
  expect(hasOverlay(open)).toBe(true)
  const closed = changeSidebar(open, { type: 'close' })
  expect(closed.mode).toBe('collapsed')
  expect(hasOverlay(closed)).toBe(false)
})

test('on a medium screen an explicit toggle lays it over the content, without overlay', () => {
  const open = changeSidebar(startSidebar(null, MEDIUM), { type: 'toggle' })
  expect(isOverContent(open)).toBe(true)
  expect(hasOverlay(open)).toBe(false)
  expect(shownMode(changeSidebar(open, { type: 'close' }))).toBe('compacted')
})

test('closing does nothing beside the content', () => {
  const desk = startSidebar('expanded', DESK)
  expect(changeSidebar(desk, { type: 'close' })).toBe(desk)
})

test.each<[SidebarMode, number, number, SidebarMode]>([
  ['expanded', DESK, MEDIUM, 'compacted'],
  ['expanded', DESK, PHONE, 'collapsed'],
  ['compacted', DESK, PHONE, 'collapsed'],
  ['compacted', MEDIUM, DESK, 'compacted'],
  ['collapsed', PHONE, MEDIUM, 'compacted'],
  ['collapsed', PHONE, DESK, 'expanded'],
])('%s at %i px resized to %i px shows %s', (stored, from, to, shown) => {
  expect(shownMode(changeSidebar(startSidebar(stored, from), resized(to)))).toBe(shown)
})

test('expanded at the desk is expanded again after a medium width', () => {
  const medium = changeSidebar(startSidebar('expanded', DESK), resized(MEDIUM))
  expect(shownMode(changeSidebar(medium, resized(DESK)))).toBe('expanded')
})

test('a change of height only, as by a screen keyboard, changes nothing', () => {
  const open = changeSidebar(startSidebar(null, MEDIUM), { type: 'toggle' })
  expect(changeSidebar(open, resized(MEDIUM))).toBe(open)
})

test.each<[number, number, SidebarMode]>([
  [1399, 115, 'compacted'],
  [1399, 130, 'compacted'],
  [1400, 130, 'expanded'],
  [1399, 100, 'expanded'],
])('at %i px with text of %i % it starts %s, beside the content once somebody asks for it', (widthPx, text, shown) => {
  const sidebar = startSidebar('expanded', widthPx, text)
  expect(shownMode(sidebar)).toBe(shown)
  if (shown === 'expanded') return
  const open = changeSidebar(sidebar, { type: 'toggle' })
  expect(shownMode(open)).toBe('expanded')
  expect(isOverContent(open)).toBe(false)
  expect(shownMode(changeSidebar(open, { type: 'toggle' }))).toBe('compacted')
})

test.each<[number, boolean, SidebarMode]>([
  [1280, true, 'compacted'],
  [1399, true, 'compacted'],
  [1400, true, 'expanded'],
  [1280, false, 'expanded'],
])('at %i px, touched by fingers: %s, it starts %s until somebody asks for it', (widthPx, isCoarse, shown) => {
  const sidebar = startSidebar('expanded', widthPx, 100, isCoarse)
  expect(shownMode(sidebar)).toBe(shown)
  if (shown === 'compacted') expect(shownMode(changeSidebar(sidebar, { type: 'toggle' }))).toBe('expanded')
})

test('text that is made larger or smaller changes the menu at once', () => {
  const large = changeSidebar(startSidebar(null, DESK), resized(DESK, 115))
  expect(shownMode(large)).toBe('compacted')
  expect(shownMode(changeSidebar(large, resized(DESK)))).toBe('expanded')
})
