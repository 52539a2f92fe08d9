// `npm run galera`: a plant's servers on this one machine, on loopback, to see what happens when one of them dies.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startErpSimulator } from '../../demo/simulator/simulator.ts'
import { findGalera } from '../../scripts/programs.mjs'
import { type Cluster, startCluster } from './cluster.ts'
import type { Node } from './nodes.ts'
import { keep, type RunningProcess, until } from './processes.ts'

const READY_MS_MAX = 60_000
const USERNAME = 'ensaio'
const PASSWORD = 'ensaio-da-fabrica'
const say = (text: string) => console.log(text)

function giveUp(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

/** Nothing here may stand still meanwhile: this process answers for the health of the nodes. */
async function addUser(env: Record<string, string>): Promise<void> {
  const args = ['src/server/commands/user.ts', 'add', USERNAME, '--full-name', 'Pessoa do Ensaio', '--role', 'admin']
  const command = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  command.stdin.end(`${PASSWORD}\n`)
  const [code] = await once(command, 'exit')
  if (code !== 0) throw new Error('O usuário do ensaio não pôde ser criado.')
}

/** Two servers of one plant, on one simulated ERP. */
async function startPanels(cluster: Cluster, erpUrl: string, folder: string): Promise<RunningProcess[]> {
  const env = {
    ...{ ERP_URL: erpUrl, ERP_USER: 'painel', ERP_PASSWORD: 'painel', DATABASE_URL: cluster.databaseUrl },
    ...{ HOST: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn', DATA_DIR: join(folder, 'panel') },
  }
  const panels = await Promise.all(
    cluster.panelPorts.map((port) => keep([process.execPath, 'src/server/main.ts'], { ...env, PORT: String(port) })),
  )
  const isReady = async () => (await fetch(`${cluster.entrance}/ready`).catch(() => null))?.ok ?? false
  const printed = () => panels.map(({ output }) => output()).join('\n')
  await until(() => `O painel não ficou pronto:\n${printed()}`, READY_MS_MAX, isReady)
  await addUser(env)
  return panels
}

/** Each Enter kills the node that writes, or brings the killed one back. */
function killOnEnter({ findWriter }: Cluster): void {
  let killed: Node | null = null
  let isBusy = false
  const turn = async () => {
    if (killed) {
      say(`${killed.name} volta...`)
      await killed.restart()
      say(`${killed.name} voltou e alcançou os outros; quem grava continua sendo ${(await findWriter()).name}.`)
      killed = null
      return
    }
    const writer = await findWriter()
    await writer.kill()
    killed = writer
    say(
      `${writer.name}, que gravava, foi derrubado (kill -9). Em cerca de 5 s outro nó grava. Enter: ${writer.name} volta.`,
    )
  }
  createInterface({ input: process.stdin }).on('line', () => {
    if (isBusy) return
    isBusy = true
    turn()
      .catch((error: Error) => say(error.message))
      .finally(() => {
        isBusy = false
      })
  })
}

async function run(): Promise<void> {
  const programs = findGalera()
  if (!programs)
    giveUp('Faltam programas para o ensaio: apt-get install mariadb-server galera-4 haproxy rsync stunnel4 openssl')
  const folder = mkdtempSync(join(tmpdir(), 'painel-galera-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const end = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end.resolve())
  say('Três nós MariaDB com Galera, HAProxy e dois servidores do painel começam nesta máquina (cerca de 30 s)...')
  const erp = await startErpSimulator()
  const cluster = await startCluster({ folder, port: Number(process.env.PORT ?? 3000), programs })
  const panels = await startPanels(cluster, erp.url, folder).catch(async (error) => {
    await cluster.stop()
    throw error
  })
  say(`\nPainel: ${cluster.entrance}   usuário ${USERNAME}, senha ${PASSWORD}`)
  say(`Quem grava: ${(await cluster.findWriter()).name}. Enter: derruba esse nó. Ctrl+C: termina tudo.\n`)
  killOnEnter(cluster)
  await end.promise
  say('Terminando...')
  await Promise.all(panels.map(({ stop }) => stop()))
  await cluster.stop()
  await erp.close()
  say('Terminado; nada ficou nesta máquina.')
  process.exit(0)
}

run().catch((error: Error) => giveUp(error.message))
