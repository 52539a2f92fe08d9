/** In em of the board. */
type Room = { width: number; height: number }

/** Least size of a cell, to be read from afar: its figure alone is nearly three em high. */
const CELL_MIN: Room = { width: 18, height: 5 }
/** A cell as high as a wall is no easier to read. */
const CELL_HEIGHT_MAX = 14
export const GAP_EM = 0.5

const countIn = (length: number, least: number) => Math.max(1, Math.floor((length + GAP_EM) / (least + GAP_EM)))

type BoardGrid = { columns: number; rows: number; rowEm: number }

/** Cells for so many machines: as few columns as they need, so that each is as large as can be. */
export function boardGrid(count: number, { width, height }: Room): BoardGrid {
  const columnsMax = countIn(width, CELL_MIN.width)
  const rowsMax = countIn(height, CELL_MIN.height)
  const shown = Math.max(1, Math.min(count, columnsMax * rowsMax))
  const columns = Math.min(columnsMax, Math.max(Math.ceil(Math.sqrt(shown)), Math.ceil(shown / rowsMax)))
  const rows = Math.ceil(shown / columns)
  const rowEm = (height + GAP_EM) / rows - GAP_EM
  return { columns, rows, rowEm: Math.max(CELL_MIN.height, Math.min(CELL_HEIGHT_MAX, rowEm)) }
}
