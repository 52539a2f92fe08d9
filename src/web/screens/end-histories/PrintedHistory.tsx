import type { EndHistory } from '../../../contract/end-histories.ts'
import { historyCells, type Said } from '../../../domain/histories/end-histories.ts'
import {
  endingText,
  historyFacts,
  historyHeads,
  historySummary,
  runningText,
} from '../../../domain/histories/end-history-sheets.ts'
import { toInstant } from '../../../domain/plant/plant-time.ts'
import { serverNow } from '../../device/clock.ts'
import { PrintSheet } from '../../parts/PrintSheet.tsx'
import { usePlantLabel, useShown } from './shown.ts'

/** Printed by key or menu in place of the screen, whose table has room for some rows and not for its last column. */
export function PrintedHistory({ history }: { history: EndHistory }) {
  const shown = useShown(history)
  const plant = usePlantLabel(history.extremo.filial)
  const facts = [...historyFacts(history.extremo, plant), ...historySummary(history, shown.momentText)]
  return (
    <PrintSheet title="História da medição" facts={facts}>
      {() => (
        <table>
          <thead>
            <tr>
              <th colSpan={historyHeads.length}>
                {runningText(history.extremo, plant, shown.momentText(toInstant(serverNow())))}
              </th>
            </tr>
            <tr>
              {historyHeads.map((name) => (
                <th key={name} scope="col" className="text-left">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {history.entradas.map((entry) => {
              const { moment, title, notes, values, means, people, outcome } = historyCells(entry, shown)
              return (
                <tr key={entry.id}>
                  <Cell of={[moment, title, ...notes.map((text) => ({ text, isBad: true }))]} />
                  <Cell of={values} />
                  <Cell of={means} />
                  <Cell of={people} />
                  <Cell of={outcome} />
                </tr>
              )
            })}
            <tr>
              <th colSpan={historyHeads.length}>{endingText(history)}</th>
            </tr>
          </tbody>
        </table>
      )}
    </PrintSheet>
  )
}

const Cell = ({ of }: { of: readonly (string | Said)[] }) => (
  <td className="text-left">
    {of
      .map((one) => (typeof one === 'string' ? { text: one, isBad: false } : one))
      .map(({ text, isBad }) => (
        <span key={text} className={`block wrap-break-word ${isBad ? 'font-medium' : ''}`}>
          {text}
        </span>
      ))}
  </td>
)
