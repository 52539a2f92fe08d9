import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createConnection, createPool, type RowDataPacket } from 'mysql2/promise'
import { inject, onTestFinished } from 'vitest'
import type { TestProject } from 'vitest/node'
import { openMysql } from '../../src/server/store/db/db.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import { createDatabase, type MariadbServer, startMariadb } from './mariadb-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    mariadbStarterUrl: string
  }
}

/** Statements that give an empty database what `migrate` gives it: in one go they take a fifth of its time. */
async function writeTables(server: string): Promise<string> {
  const url = await createDatabase(server)
  const db = openMysql(url)
  await migrate(db)
  await db.close()
  const connection = await createConnection(url)
  const [tables] = await connection.query<RowDataPacket[]>('SHOW TABLES')
  const statements: string[] = []
  for (const table of tables) {
    const [name] = Object.values(table)
    const [[made]] = await connection.query<RowDataPacket[]>(`SHOW CREATE TABLE ${name}`)
    const [rows] = await connection.query<RowDataPacket[][]>({ sql: `SELECT * FROM ${name}`, rowsAsArray: true })
    statements.push(made?.['Create Table'])
    if (rows.length > 0) statements.push(connection.format(`INSERT INTO ${name} VALUES ?`, [rows]))
  }
  await connection.query(`DROP DATABASE ${nameOf(url)}`)
  await connection.end()
  return statements.join(';')
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

async function startShared() {
  const server = await startMariadb()
  const tables = await writeTables(server.url)
  const pool = createPool({ uri: server.url, multipleStatements: true })
  return {
    async create(isEmpty: boolean) {
      const url = await createDatabase(server.url)
      if (!isEmpty) await pool.query(`USE ${nameOf(url)}; ${tables}`)
      return url
    },
    /** The more databases there are, the longer every start of a panel looks at their tables. */
    drop: (url: string) => pool.query(`DROP DATABASE ${nameOf(url)}`),
    async stop() {
      await pool.end()
      await server.stop()
    },
  }
}

/**
 * Vitest's global set-up. The database starts when the first test asks for one, so that a run of a few unit tests
 * does not wait for it; test processes ask over loopback.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: ReturnType<typeof startShared> | undefined
  const answer = async (address: URL): Promise<string> => {
    started ??= startShared()
    const { create, drop } = await started
    if (address.pathname !== '/drop') return await create(address.pathname === '/empty')
    await drop(address.searchParams.get('url') ?? '')
    return ''
  }
  const starter = createServer((request, reply) => {
    // a test that starts a process may not listen for longer than a connection is kept
    reply.setHeader('connection', 'close')
    answer(new URL(request.url ?? '', 'http://localhost')).then(
      (text) => reply.end(text),
      (error: Error) => reply.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve) => starter.listen(0, '127.0.0.1', resolve))
  project.provide('mariadbStarterUrl', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`)
  return async () => {
    starter.closeAllConnections()
    starter.close()
    const server = await started?.catch(() => undefined)
    await server?.stop()
  }
}

async function ask(path: string): Promise<string> {
  const answer = await fetch(`${inject('mariadbStarterUrl')}/${path}`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

async function askForDatabase(kind: 'empty' | 'migrated'): Promise<string> {
  const url = await ask(kind)
  onTestFinished(async () => void (await ask(`drop?url=${encodeURIComponent(url)}`)))
  return url
}

/** An empty database of its own on the tests' private MariaDB: `mysql://root@127.0.0.1:port/name`. */
export const freshDatabase = () => askForDatabase('empty')

/** As `freshDatabase`, with the tables of a panel that was started once. */
export const migratedDatabase = () => askForDatabase('migrated')

/** An empty database on a MariaDB that the test may kill and start again. */
export async function startOwnMariadb(): Promise<Pick<MariadbServer, 'url' | 'kill' | 'restart'>> {
  const server = await startMariadb()
  onTestFinished(server.stop)
  return { ...server, url: await createDatabase(server.url) }
}

export const DATABASE_PASSWORD = 'senha-do-banco'

/** A database on the tests' MariaDB whose address holds a password, as a plant's does. */
export async function plantDatabase(rights = 'ALL'): Promise<URL> {
  const url = new URL(await freshDatabase())
  const connection = await createConnection(url.href)
  const name = url.pathname.slice(1)
  await connection.query(`CREATE USER '${name}'@'127.0.0.1' IDENTIFIED BY '${DATABASE_PASSWORD}'`)
  await connection.query(`GRANT ${rights} ON ${name}.* TO '${name}'@'127.0.0.1'`)
  await connection.end()
  url.username = name
  url.password = DATABASE_PASSWORD
  return url
}
