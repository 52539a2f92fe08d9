import { useMemo, useState } from 'react'

type Direction = 'ascending' | 'descending'

/** The sorting of a `Th`. `direction` is null while another column decides. */
export type HeadSort = { direction: Direction | null; onToggle: () => void }

/**
 * Rows in the order that a person asked for by pressing a column's head. `compare` is ascending and stands outside of
 * the component: another object sorts anew.
 */
export function useSorted<Row, Column extends string>(
  rows: readonly Row[],
  compare: Record<Column, (one: Row, other: Row) => number>,
  initial: { by: NoInfer<Column>; direction: Direction },
) {
  const [sort, setSort] = useState<{ by: Column; direction: Direction }>(initial)
  const sorted = useMemo(() => {
    const sign = sort.direction === 'ascending' ? 1 : -1
    return rows.toSorted((one, other) => sign * compare[sort.by](one, other))
  }, [rows, compare, sort])
  /** `first`: what the first press asks for. Of figures the largest matter. */
  const sortOf = (column: Column, first: Direction = 'ascending'): HeadSort => {
    const direction = sort.by === column ? sort.direction : null
    const next = direction === null ? first : direction === 'ascending' ? 'descending' : 'ascending'
    return { direction, onToggle: () => setSort({ by: column, direction: next }) }
  }
  return { sorted, sortOf }
}
