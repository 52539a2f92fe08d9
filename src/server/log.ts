import pino from 'pino'
import type { LogKeeper } from './log-keeper.ts'

/** Nothing that opens a session or the ERP, wherever it stands. */
const redact = ['password', '*.password', 'authorization', '*.authorization', 'cookie', '*.cookie', 'token', '*.token']

/** What the operator of the machine reads at the level that is configured, and an administrator in the panel from info on. */
export function openLog(
  level: string,
  keeper: Pick<LogKeeper, 'write'>,
  out: pino.DestinationStream = pino.destination(1),
): pino.Logger {
  const { values } = pino.levels
  const isFiner = (values[level] ?? Number.POSITIVE_INFINITY) < (values.info ?? 0)
  return pino(
    { base: null, level: isFiner ? level : 'info', redact },
    pino.multistream([
      { level: level as pino.Level, stream: out },
      { level: 'info', stream: keeper },
    ]),
  )
}
