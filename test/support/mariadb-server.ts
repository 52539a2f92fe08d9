import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { freePort } from '../../deploy/galera/processes.ts'
import { findMariadb } from '../../scripts/programs.mjs'
import { limitMs } from './slowness.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const START_MS_MAX = limitMs(60_000)

/**
 * The shell outlives us on purpose: however this process ends, SIGKILL included, the pipe to `cat` closes, and then
 * the database is killed and its folder removed.
 */
const KEEPER = 'folder=$1; shift; "$@" </dev/null & cat >/dev/null; kill -9 $!; wait; rm -rf "$folder"'

const asUser = isRoot ? ['--user=mysql'] : []

async function installFiles(folder: string): Promise<void> {
  const mariadb = findMariadb()
  if (!mariadb) throw new Error('MariaDB não encontrado: instale o pacote mariadb-server e repita os testes.')
  const args = [
    '--no-defaults',
    `--datadir=${join(folder, 'files')}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...asUser,
  ]
  await run(mariadb.installer, args, { env: { ...process.env, TMPDIR: folder } })
}

function spawnServer(folder: string, port: number): ChildProcess {
  const files = join(folder, 'files')
  const server = [
    findMariadb()?.server ?? '',
    '--no-defaults',
    `--datadir=${files}`,
    `--socket=${join(files, 's')}`,
    `--pid-file=${join(files, 'pid')}`,
    `--log-error=${join(files, 'log')}`,
    // one that starts removes what it takes for forgotten temporary tables, in a shared folder those of another too
    `--tmpdir=${files}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    // newer ones would offer it with a certificate of their own making
    '--skip-ssl',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_nopad_bin',
    '--innodb-flush-log-at-trx-commit=1',
    '--innodb-buffer-pool-size=32M',
    '--innodb-log-file-size=16M',
    // a table is made several times faster on a disk when it needs no file of its own
    '--innodb-file-per-table=OFF',
    '--performance-schema=OFF',
    '--max-connections=200',
    ...asUser,
  ]
  return spawn('sh', ['-c', KEEPER, 'sh', folder, ...server], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const connection = await createConnection(url)
    await connection.end()
    return true
  } catch {
    return false
  }
}

export type MariadbServer = {
  url: string
  /** SIGKILL to the database alone: its files stay. */
  kill: () => Promise<void>
  /** On the same files and port, after `kill`. Resolves when it answers. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

/** A MariaDB of its own, on files of its own. */
export async function startMariadb(): Promise<MariadbServer> {
  const folder = await mkdtemp(join(tmpdir(), 'painel-mariadb-'))
  // it runs as a user of its own, which may write nowhere else
  if (isRoot) await chmod(folder, 0o777)
  const port = await freePort()
  const url = `mysql://root@127.0.0.1:${port}`
  const read = (name: string) => readFile(join(folder, 'files', name), 'utf8')
  const keepers: ChildProcess[] = []
  const stop = async () => {
    const gone = keepers.map((keeper) => new Promise((resolve) => keeper.once('exit', resolve)))
    for (const { stdin } of keepers) stdin?.end()
    await Promise.all(gone)
  }
  const launch = async () => {
    keepers.push(spawnServer(folder, port))
    const giveUpAt = performance.now() + START_MS_MAX
    while (!(await isAnswering(url))) {
      if (performance.now() < giveUpAt) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        continue
      }
      const log = await read('log').catch(() => '')
      await stop()
      throw new Error(`A MariaDB dos testes não respondeu em ${START_MS_MAX / 1000} s:\n${log.slice(-2000)}`)
    }
  }
  await installFiles(folder).catch(async (error) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  await launch()
  // a start of the panel looks at every table that there is: not at the hundred views of this one
  const connection = await createConnection(url)
  await connection.query('DROP DATABASE IF EXISTS sys')
  await connection.end()
  return {
    url,
    async kill() {
      process.kill(Number(await read('pid')), 'SIGKILL')
      while (await isAnswering(url)) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    restart: launch,
    stop,
  }
}

/** An empty one: `mysql://root@127.0.0.1:port/name`. */
export const createDatabase = async (url: string): Promise<string> => {
  const name = `painel_${randomBytes(6).toString('hex')}`
  const connection = await createConnection(url)
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin`)
  await connection.end()
  return `${url}/${name}`
}
