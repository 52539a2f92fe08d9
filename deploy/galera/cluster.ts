import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createConnection } from 'mysql2/promise'
import { mysqlAddress } from '../../src/server/store/db/mysql-address.ts'
import { caOf, here, isRoot, type Node, type Programs, startNodes } from './nodes.ts'
import { freePort, keep, until } from './processes.ts'

/** HAProxy answers by then, whatever it finds behind itself. */
const ENTRANCE_MS_MAX = 20_000

export type Cluster = {
  nodes: Node[]
  /** Through HAProxy, as the panel's own user. */
  databaseUrl: string
  /** Where people go; behind it are the panels on `panelPorts`. */
  entrance: string
  panelPorts: [number, number]
  /** The node that everybody writes to. */
  findWriter: () => Promise<Node>
  stop: () => Promise<void>
}

/** Runs what a plant's administrator runs once. Resolves to the password of the panel's user. */
async function makeUsers({ urlOf }: Node): Promise<string> {
  const password = randomBytes(18).toString('base64url')
  const connection = await createConnection({ ...mysqlAddress(urlOf('')), multipleStatements: true })
  await connection.query(readFileSync(here('users.sql'), 'utf8').replace('troque-esta-senha', password))
  await connection.end()
  return password
}

async function startHaproxy(nodes: readonly Node[], options: { folder: string; port: number; programs: Programs }) {
  const loopback = (port: number) => `127.0.0.1:${port}`
  const databasePort = await freePort()
  const panelPorts: [number, number] = [await freePort(), await freePort()]
  const socketFile = join(options.folder, 'haproxy')
  const env: Record<string, string> = {
    PANEL_BIND: loopback(options.port),
    DATABASE_BIND: loopback(databasePort),
    PEER: loopback(await freePort()),
    ADMIN_SOCKET: socketFile,
  }
  for (const [at, port] of panelPorts.entries()) env[`PANEL_${at + 1}`] = loopback(port)
  for (const [at, { port, healthPort }] of nodes.entries()) {
    env[`NODE_${at + 1}`] = loopback(port)
    env[`HEALTH_${at + 1}`] = loopback(healthPort)
  }
  const config = join(options.folder, 'haproxy.cfg')
  const plant = readFileSync(here('haproxy.cfg'), 'utf8')
  // only root can become somebody else
  writeFileSync(config, isRoot ? plant : plant.replace(/^ +(user|group) .*\n/gm, ''))
  const proxy = await keep([options.programs.haproxy, '-db', '-f', config], env)
  const ask = (question: string) => {
    const socket = connect(socketFile)
    socket.end(`${question}\n`)
    return text(socket).catch(() => '')
  }
  const writers = async () =>
    [...(await ask('show table database')).matchAll(/server_key=(\S+)/g)].map(([, key]) => key)
  return { proxy, databasePort, panelPorts, writers }
}

/** Three nodes and HAProxy on this machine's loopback, with their files in `folder`. */
export async function startCluster(options: { folder: string; port: number; programs: Programs }): Promise<Cluster> {
  const nodes = await startNodes(options.folder, options.programs)
  const [first] = nodes
  if (!first) throw new Error('a cluster without nodes')
  const password = await makeUsers(first)
  const { proxy, databasePort, panelPorts, writers } = await startHaproxy(nodes, options)
  const databaseUrl = `mysql://painel:${password}@127.0.0.1:${databasePort}/painel?ssl-ca=${encodeURIComponent(caOf(options.folder))}`
  const findWriter = async () => {
    const keys = await writers()
    const writer = nodes.find(({ name }) => keys.length === 1 && name === keys[0])
    if (!writer) throw new Error(`writers: ${keys.join(', ') || 'none'}`)
    return writer
  }
  const isReachable = async () => {
    const connection = await createConnection(mysqlAddress(databaseUrl)).catch(() => null)
    await connection?.end()
    return connection !== null
  }
  await until(() => `HAProxy não respondeu:\n${proxy.output()}`, ENTRANCE_MS_MAX, isReachable)
  return {
    ...{ nodes, databaseUrl, entrance: `http://127.0.0.1:${options.port}`, panelPorts, findWriter },
    async stop() {
      await proxy.stop()
      // one after the other, as a plant is shut down: each hands over what it has
      for (const node of nodes.toReversed()) await node.stop()
    },
  }
}
