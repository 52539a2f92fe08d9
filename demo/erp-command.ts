import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, runCommand } from '../src/server/commands/command.ts'
import { readCommandConfig, readEnvironment } from '../src/server/config.ts'
import { PRIVATE_UMASK } from '../src/server/store/db/open-store.ts'
import { prepareFolders } from '../src/server/upkeep/folders.ts'
import { type ProfileName, profileNames } from './simulator/profiles.ts'
import {
  askControl,
  findSimulatorControl,
  ordersText,
  rehearsalFolder,
  rehearsalPassword,
  startStandIn,
} from './stand-in.ts'

const USAGE = `Uso: npm run erp -- [--port 8080] [--profile realistic]   um ERP de ensaio nesta máquina, até Ctrl+C
     --profile: realistic (padrão), clean, dirty ou hostile, como em docs/manual/ensaiar.md`
const PORT = 8080
const PORT_MAX = 65_535

function readArguments(): { port: number; profile: ProfileName | undefined } {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string' }, profile: { type: 'string' } } })
    const port = Number(values.port ?? PORT)
    const profile = profileNames.find((name) => name === values.profile)
    const isPort = Number.isInteger(port) && port >= 1 && port <= PORT_MAX
    if (isPort && (profile !== undefined || values.profile === undefined)) return { port, profile }
  } catch {
    // the message below says it
  }
  throw new CommandError(USAGE)
}

async function run(): Promise<void> {
  process.umask(PRIVATE_UMASK)
  const { port, ...chosen } = readArguments()
  const env = readEnvironment()
  const config = readCommandConfig(env)
  prepareFolders(config)
  const { demoErp } = config
  const profile = chosen.profile ?? demoErp.profile
  const user = env.ERP_USER ?? 'painel'
  const folder = rehearsalFolder(config)
  const other = findSimulatorControl({ dataDir: folder })
  if (other !== null && (await askControl(other, 'GET')) !== null) {
    throw new CommandError(`Já há um ERP de ensaio aberto nesta pasta (${folder}). Feche-o, ou use outra DATA_DIR.`)
  }
  const password = env.ERP_PASSWORD ?? rehearsalPassword(folder)
  const erp = await startStandIn(folder, {
    port,
    profile,
    user,
    password,
    speed: profile === 'clean' ? 0 : 1,
    lookup: demoErp.lookup,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new CommandError(`A porta ${port} já está em uso. Escolha outra: --port 8081`)
    if (error.code === 'EACCES')
      throw new CommandError(`Sem permissão para a porta ${port}. Escolha uma acima de 1023.`)
    throw error
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void erp.close().then(() => process.exit(0)))
  const secret = env.ERP_PASSWORD === undefined ? password : '(a do ambiente ou do .env)'
  console.log(`ERP de ensaio: ${erp.url} (perfil ${profile}), só para esta máquina. Ctrl+C encerra.
No arquivo ${resolve('.env')} do painel que ensaia com ele:
  MODE=plant
${env.DATA_DIR === undefined ? '  DATA_DIR=ensaio\n' : ''}  ERP_URL=${erp.url}
  ERP_USER=${user}
  ERP_PASSWORD=${secret}
Ordens de produção e códigos de barras para experimentar:
${ordersText()}
Conferir: npm run erp-check -- 01621401001      Falhas: npm run fault -- --list
O que for apontado fica em ${folder}; apague essa pasta para recomeçar.`)
}

void runCommand(run)
