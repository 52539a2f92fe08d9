import { execFile, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { findGalera } from '../../scripts/programs.mjs'
import { freePort, keep, type RunningProcess, until } from './processes.ts'

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
  groupPort: number
  healthPort: number
  /** Of a database on the node itself, past HAProxy. */
  urlOf: (database: string) => string
  isHealthy: () => Promise<boolean>
  /** SIGKILL: its files stay. */
  kill: () => Promise<void>
  /** After `kill`. Resolves when it has caught up with the others. */
  restart: () => Promise<void>
  log: () => string
  stop: () => Promise<void>
}

function giveToMysql(path: string): void {
  if (!isRoot) return
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'mysql'], { encoding: 'utf8' }))
  chownSync(path, idOf('-u'), idOf('-g'))
}

export const caOf = (folder: string) => join(folder, 'ca.pem')

/** What is equal on the three nodes: certificates and configuration, whose file's name is answered. */
async function prepareFolder(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  // MariaDB does not read a configuration that its user cannot reach
  chmodSync(folder, 0o755)
  await run('sh', [here('make-certificates'), '127.0.0.1'], { cwd: folder })
  giveToMysql(join(folder, 'node.key'))
  const config = join(folder, 'galera.cnf')
  writeFileSync(config, readFileSync(here('galera.cnf'), 'utf8').replaceAll('/etc/mysql/painel', folder))
  return config
}

function makeFiles(files: string): void {
  mkdirSync(files, { recursive: true })
  giveToMysql(files)
}

/** What is said on the command line replaces those of the file, of which the last of a name holds. */
function readProviderOptions(config: string): string {
  const [, options] = /^wsrep-provider-options = "(.*)"$/m.exec(readFileSync(config, 'utf8')) ?? []
  if (!options) throw new Error('galera.cnf has no line with wsrep-provider-options: write them in one line, quoted.')
  return options
}

type Plan = {
  name: string
  folder: string
  config: string
  ports: Ports
  members: readonly number[]
  programs: Programs
}

/** What differs from node to node, and what keeps a trial small. */
const argumentsOf = ({ name, config, ports, members }: Plan, files: string) => [
  `--defaults-file=${config}`,
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
  `--wsrep-provider-options=${readProviderOptions(config)};gcache.size=32M;gmcast.listen_addr=ssl://127.0.0.1:${ports.group};ist.recv_addr=127.0.0.1:${ports.catchUp}`,
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

/** The first begins the cluster; the others copy from it. */
async function startNode(plan: Plan, isFirst: boolean): Promise<Node> {
  const { name, folder, ports, programs } = plan
  const files = join(folder, name)
  makeFiles(files)
  const args = argumentsOf(plan, files)
  if (isFirst) {
    const how = ['--no-defaults', `--datadir=${files}`, '--auth-root-authentication-method=normal', '--skip-test-db']
    await run(programs.installer, [...how, ...asUser])
  }
  const urlOf = (database: string) =>
    `mysql://root@127.0.0.1:${ports.mysql}/${database}?ssl-ca=${encodeURIComponent(caOf(folder))}`
  const health = serveHealth(join(files, 's'), ports.health)
  const isHealthy = async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.health}`).catch(() => null)
    return answer?.ok ?? false
  }
  const log = () => readFileSync(join(files, 'log.err'), 'utf8')
  let mariadbd: RunningProcess
  const launch = async (more: readonly string[]) => {
    mariadbd = await keep([programs.server, ...args, ...more])
    await until(() => `O nó ${name} não ficou pronto:\n${log().slice(-2000)}`, START_MS_MAX, isHealthy)
  }
  await launch(isFirst ? ['--wsrep-new-cluster'] : [])
  return {
    ...{ name, urlOf, isHealthy, log, port: ports.mysql, groupPort: ports.group, healthPort: ports.health },
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
  const config = await prepareFolder(folder)
  const nodes: Node[] = []
  for (const [at, own] of ports.entries()) {
    const plan = { name: `painel${at + 1}`, folder, config, ports: own, members, programs }
    nodes.push(await startNode(plan, at === 0))
  }
  // who gave the others their copy has to catch up itself
  const areHealthy = async () => (await Promise.all(nodes.map(({ isHealthy }) => isHealthy()))).every(Boolean)
  await until(() => 'Os três nós não ficaram prontos juntos.', START_MS_MAX, areHealthy)
  return nodes
}
