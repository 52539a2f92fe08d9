import { expect, test } from 'vitest'
import { boardGrid } from './board-grid.ts'

/** What a header, two lines of calls and the idle ones leave. */
const wall = { width: 77, height: 33 }

test('24 machines stand on one page of a wall 1920 wide, and few of them are larger', () => {
  expect(boardGrid(24, wall)).toMatchObject({ columns: 4, rows: 6 })
  expect(boardGrid(12, wall)).toMatchObject({ columns: 4, rows: 3 })
  expect(boardGrid(4, wall)).toMatchObject({ columns: 2, rows: 2 })
  expect(boardGrid(1, wall)).toEqual({ columns: 1, rows: 1, rowEm: 14 })
})

test('more than there is room for turn as pages', () => {
  const { columns, rows } = boardGrid(70, { width: 48, height: 33 })
  expect(columns * rows).toBe(12)
})

test('nothing and no room make one cell', () =>
  expect(boardGrid(0, { width: 0, height: 0 })).toEqual({ columns: 1, rows: 1, rowEm: 5 }))
