import pino from 'pino'
import { errorTextOf, type Line } from './log-keeper.ts'
import { textOf } from './log-texts.ts'

/** Syslog priorities, as the journal reads them from `<N>` at the beginning of a line. */
const priorityOf = (level: number) => (level >= 60 ? 2 : level >= 50 ? 3 : level >= 40 ? 4 : level >= 30 ? 6 : 7)

const detailText = ([name, value]: [string, unknown]) =>
  `${name}=${typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value)}`

/** A line of pino as a person reads it; the journal itself knows when it came. */
function journalText(line: string): string {
  const { level, time: _, msg, err, ...details } = JSON.parse(line) as Line
  const sentence = typeof msg === 'string' && msg !== '' ? [textOf(msg)] : []
  const about = Object.entries(details).map(detailText).join(', ')
  const error = err === undefined ? [] : [errorTextOf(err)]
  const text = [...sentence, ...(about === '' ? [] : [`(${about})`])].join(' ')
  return [text, ...error]
    .filter(Boolean)
    .join(': ')
    .split('\n')
    .map((one) => `<${priorityOf(level)}>${one}\n`)
    .join('')
}

export const journal = (out: pino.DestinationStream = pino.destination(1)): pino.DestinationStream => ({
  write: (line) => out.write(journalText(line)),
})
