import { type ReactNode, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { serverNow } from '../device/clock.ts'
import { useUser } from '../device/credentials.ts'
import { formatInstant } from '../text/format.ts'
import { displayName } from '../text/labels.ts'
import { useWindowEvent } from '../ui/useWindowEvent.ts'
import { useSettings } from './settings.ts'

/** While the browser prints, whether it was told to by a button, a key or its menu. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  // At once: the browser takes its picture when this event is over.
  useWindowEvent('beforeprint', () => flushSync(() => setPrinting(true)))
  useWindowEvent('afterprint', () => setPrinting(false))
  return isPrinting
}

type SheetProps = {
  title: string
  /** The sheet's subject: 'Filial', 'Período'. */
  facts: readonly (readonly [name: string, value: string])[]
  /** Called when it is printed: a long table costs nothing before. */
  children: () => ReactNode
}

/** Printed in place of the screen: A4, black on white, with the printing person and the time. */
export const PrintSheet = (props: SheetProps) => (usePrinting() ? <Sheet {...props} /> : null)

function Sheet({ title, facts, children }: SheetProps) {
  const user = useUser()
  const { siteName, timeZone } = useSettings()
  const moment = formatInstant(toInstant(serverNow()), timeZone)
  const printed = ['Impresso', user ? `${moment}, por ${displayName(user)}` : moment] as const
  return createPortal(
    <article className="print-sheet">
      <header>
        <p>Painel Industrial - {siteName}</p>
        <h1>{title}</h1>
        <dl>
          {[...facts, printed].map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </header>
      {children()}
    </article>,
    document.body,
  )
}

type TableProps = {
  /** The first column is text, the others are numbers. */
  columns: readonly string[]
  rows: readonly (readonly string[])[]
  totals: readonly string[]
}

/** Its head stands on every page, its totals after the last row only. */
export const PrintTable = ({ columns, rows, totals }: TableProps) => (
  <table>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells) => (
        <PrintRow key={cells[0]} cells={cells} />
      ))}
    </tbody>
    <tbody className="totals">
      <PrintRow cells={totals} />
    </tbody>
  </table>
)

const PrintRow = ({ cells }: { cells: readonly string[] }) => (
  <tr>
    {cells.map((cell, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their places
      <td key={at}>{cell}</td>
    ))}
  </tr>
)
