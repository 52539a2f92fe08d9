import { plantMoment } from '../domain/plant/plant-time.ts'
import { ConfigError, isJournal, readEnvironment } from './config.ts'
import { STOP_WAIT_MS, StartError, startServer } from './start.ts'
import { PRIVATE_UMASK, storeFault } from './store/db/open-store.ts'

/** Ends the start with one sentence that says what is wrong. */
function giveUp(sentence: string): never {
  // in the journal an error, not one line among others
  console.error(isJournal(process.env.JOURNAL_STREAM) ? `<3>${sentence}` : sentence)
  process.exit(1)
}

async function main(): Promise<void> {
  process.umask(PRIVATE_UMASK)
  // until there is something to stop gracefully; no signal ends the first process of a container by itself
  let stop = (): void => process.exit(0)
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop())
  const server = await startServer(readEnvironment(), {
    now: Date.now,
    loadDemonstration: async () => (await import('../../demo/seed.ts')).demonstration,
    isTerminal: process.stdout.isTTY === true,
    // as `./painel start` says it, which installs a plant; `npm start` shows the demonstration
    mode: process.argv[2] === 'plant' ? 'plant' : undefined,
    onLost: end,
  })
  stop = () => {
    stop = () => undefined
    setTimeout(() => process.exit(0), STOP_WAIT_MS)
    void server.stop().then(() => process.exit(0))
  }
  const { time } = plantMoment(Date.now(), server.timeZone)
  const introduction = server.introduction === null ? '' : `${server.introduction}\n`
  // at once: whoever waits for the first line has all of them
  console.log(
    `\nPainel Industrial: ${server.origin}\nAgora são ${time.slice(0, 5)} em ${server.timeZone}.\n${introduction}`,
  )
}

/** By a sentence, where one says it. */
function end(error: unknown): never {
  if (error instanceof StartError || error instanceof ConfigError) giveUp(error.message)
  const fault = storeFault(error)
  if (fault !== null) giveUp(fault)
  console.error(error)
  process.exit(1)
}

main().catch(end)
