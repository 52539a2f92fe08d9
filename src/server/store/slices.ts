import { setImmediate } from 'node:timers/promises'

/** A database takes so many values in one statement, a directory so many names in one search. */
export const slicesOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, nth) => all.slice(nth * size, (nth + 1) * size))

/** Rows page by page, each after the last one of the page before, until a page is not full. */
export async function* pagesOf<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await read(last)
    yield rows
    if (rows.length < size) return
    last = rows.at(-1)
    // on SQLite nobody else would be answered meanwhile
    await setImmediate()
  }
}
