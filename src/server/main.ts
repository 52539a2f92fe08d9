import { ConfigError, readConfig } from './config.ts'
import { demonstrationText } from './demonstration.ts'
import { readEnvironment } from './environment.ts'
import { STOP_WAIT_MS, StartError, startServer } from './start.ts'
import { isStoreUnreachable } from './store/db.ts'
import { isOfNewerVersion } from './store/migrate.ts'

const NODE_MAJOR_MIN = 24

/** Ends the start with one sentence that says what is wrong. */
function giveUp(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

async function main(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
    giveUp(`O painel precisa do Node ${NODE_MAJOR_MIN} ou mais novo, este é o ${process.versions.node}. Use: npm start`)
  }
  // until there is something to end gently; the first process of a container dies of no signal by itself
  let stop = (): void => process.exit(0)
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop())
  const server = await startServer(readConfig(readEnvironment()), { now: Date.now })
  stop = () => {
    stop = () => undefined
    setTimeout(() => process.exit(0), STOP_WAIT_MS)
    void server.stop().then(() => process.exit(0))
  }
  console.log(`\nPainel Industrial: ${server.origin}`)
  if (server.erpUrl !== null) console.log(`${demonstrationText(server.erpUrl)}\n`)
}

main().catch((error: unknown) => {
  if (error instanceof StartError || error instanceof ConfigError) giveUp(error.message)
  if (isStoreUnreachable(error)) giveUp(`O banco de dados não respondeu: ${(error as Error).message}`)
  if (isOfNewerVersion(error)) {
    giveUp(
      'O banco de dados é de uma versão mais nova do painel: instale essa versão ou ponha de volta um backup desta.',
    )
  }
  console.error(error)
  process.exit(1)
})
