import { execFile, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { findGalera } from '../../scripts/programs.mjs'
import { freePort, type Kept, keep, until } from './processes.ts'

const run = promisify(execFile)
const START_MS_MAX = 90_000
/** As Debian's unit does: one that is back before the others have missed it disturbs how they agree that it was gone. */
const RESTART_AFTER_MS = 5000
export const isRoot = process.getuid?.() === 0
/** As a node of a plant does: the database's own user. */
const asUser = isRoot ? ['--user=mysql'] : []

export const here = (name: string) => join(import.meta.dirname, name)

export type Programs = NonNullable<ReturnType<typeof findGalera>>

type Ports = Record<'mysql' | 'group' | 'catchUp' | 'copy' | 'health', number>

export type Node = {
  name: string
  port: number
  healthPort: number
  /** Of the node itself, past HAProxy. */
  url: string
  isHealthy: () => Promise<boolean>
  /** SIGKILL: its files stay. */
  kill: () => Promise<void>
  /** After `kill`. Resolves when it has caught up with the others. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

/** MariaDB does not read a configuration that its user cannot reach. */
function prepareFolder(folder: string): string {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const config = join(folder, 'galera.cnf')
  copyFileSync(here('galera.cnf'), config)
  return config
}

function makeFiles(files: string): void {
  mkdirSync(files, { recursive: true })
  if (!isRoot) return
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'mysql'], { encoding: 'utf8' }))
  chownSync(files, idOf('-u'), idOf('-g'))
}

/** What is said on the command line replaces those of the file, of which the last of a name holds. */
function readProviderOptions(): string {
  const [, options] = /^wsrep-provider-options = "(.*)"$/m.exec(readFileSync(here('galera.cnf'), 'utf8')) ?? []
  if (!options) throw new Error('galera.cnf has no line with wsrep-provider-options: write them in one line, quoted.')
  return options
}

/** What differs from node to node, and what keeps a trial small. */
const argumentsOf = (name: string, files: string, ports: Ports, members: readonly number[]) => [
  `--datadir=${files}`,
  `--socket=${join(files, 's')}`,
  `--pid-file=${join(files, 'pid')}`,
  `--log-error=${join(files, 'log.err')}`,
  `--tmpdir=${files}`,
  `--port=${ports.mysql}`,
  '--bind-address=127.0.0.1',
  '--innodb-buffer-pool-size=32M',
  '--innodb-log-file-size=16M',
  '--performance-schema=OFF',
  `--wsrep-cluster-address=gcomm://${members.map((port) => `127.0.0.1:${port}`).join(',')}`,
  `--wsrep-node-name=${name}`,
  `--wsrep-node-address=127.0.0.1:${ports.group}`,
  `--wsrep-sst-receive-address=127.0.0.1:${ports.copy}`,
  `--wsrep-provider-options=${readProviderOptions()};gcache.size=32M;gmcast.listen_addr=tcp://127.0.0.1:${ports.group};ist.recv_addr=127.0.0.1:${ports.catchUp}`,
  ...asUser,
]

/** What a systemd socket does on a node: the script answers each connection. */
function serveHealth(socketFile: string, port: number): Server {
  const server = createServer((connection) => {
    const script = spawn('sh', [here('galera-health')], {
      env: { ...process.env, MARIADB_OPTIONS: `--no-defaults --socket=${socketFile} --user=root` },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    // whoever asked may have gone
    for (const stream of [connection, script.stdin, script.stdout]) stream.on('error', () => connection.destroy())
    connection.pipe(script.stdin)
    script.stdout.pipe(connection)
  })
  return server.listen(port, '127.0.0.1')
}

/** A node that was killed does not know how far it had come, without which it would have to copy everything. */
async function findPosition(server: string, args: readonly string[], files: string): Promise<string[]> {
  const log = join(files, 'recovery.err')
  await run(server, [...args, '--wsrep-recover', `--log-error=${log}`])
  const [, position] = /Recovered position:\s*(\S+)/.exec(readFileSync(log, 'utf8')) ?? []
  return position ? [`--wsrep-start-position=${position}`] : []
}

const newPorts = async (): Promise<Ports> => ({
  mysql: await freePort(),
  group: await freePort(),
  catchUp: await freePort(),
  copy: await freePort(),
  health: await freePort(),
})

type Plan = { name: string; folder: string; ports: Ports; members: readonly number[]; programs: Programs }

/** The first begins the cluster; the others copy from it. */
async function startNode({ name, folder, ports, members, programs }: Plan, isFirst: boolean): Promise<Node> {
  const files = join(folder, name)
  const config = prepareFolder(folder)
  makeFiles(files)
  const args = [`--defaults-file=${config}`, ...argumentsOf(name, files, ports, members)]
  if (isFirst) {
    const how = ['--no-defaults', `--datadir=${files}`, '--auth-root-authentication-method=normal', '--skip-test-db']
    await run(programs.installer, [...how, ...asUser])
  }
  const url = `mysql://root@127.0.0.1:${ports.mysql}`
  const health = serveHealth(join(files, 's'), ports.health)
  const isHealthy = async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.health}`).catch(() => null)
    return answer?.ok ?? false
  }
  const log = () => readFileSync(join(files, 'log.err'), 'utf8').slice(-2000)
  let mariadbd: Kept
  const launch = async (more: readonly string[]) => {
    mariadbd = await keep([programs.server, ...args, ...more])
    await until(() => `O nó ${name} não ficou pronto:\n${log()}`, START_MS_MAX, isHealthy)
  }
  await launch(isFirst ? ['--wsrep-new-cluster'] : [])
  return {
    ...{ name, url, isHealthy, port: ports.mysql, healthPort: ports.health },
    async kill() {
      process.kill(mariadbd.pid, 'SIGKILL')
      await mariadbd.stop()
    },
    async restart() {
      await new Promise((resolve) => setTimeout(resolve, RESTART_AFTER_MS))
      await launch(await findPosition(programs.server, args, files))
    },
    async stop() {
      health.close()
      await mariadbd.stop()
    },
  }
}

export async function startNodes(folder: string, programs: Programs): Promise<Node[]> {
  const ports = [await newPorts(), await newPorts(), await newPorts()]
  const members = ports.map(({ group }) => group)
  const nodes: Node[] = []
  for (const [at, own] of ports.entries()) {
    const plan = { name: `painel${at + 1}`, folder, ports: own, members, programs }
    nodes.push(await startNode(plan, at === 0))
  }
  // who gave the others their copy has to catch up itself
  const areHealthy = async () => (await Promise.all(nodes.map(({ isHealthy }) => isHealthy()))).every(Boolean)
  await until(() => 'Os três nós não ficaram prontos juntos.', START_MS_MAX, areHealthy)
  return nodes
}
