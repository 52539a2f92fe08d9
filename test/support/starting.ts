import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { demonstration } from '../../demo/seed.ts'
import { ConfigError, readConfig, readEnvironment } from '../../src/server/config.ts'
import { type RunningServer, StartError, startServer } from '../../src/server/start.ts'
import { temporaryFolder } from './harness.ts'
import { compileCache } from './panel.ts'
import { limitMs } from './slowness.ts'

/** Starts, and what they say when they cannot work. */

export const SECRET = 's3nha-secreta'
export const erp = { ERP_URL: 'http://127.0.0.1:9/rest', ERP_USER: 'painel', ERP_PASSWORD: SECRET }

/** A start that is expected to end by itself. */
export function runMain(env: Record<string, string>): SpawnSyncReturns<string> {
  const { PATH = '', HOME = '' } = process.env
  return spawnSync(process.execPath, ['src/server/main.ts'], {
    env: { PATH, HOME, PORT: '0', DATA_DIR: temporaryFolder(), NODE_COMPILE_CACHE: compileCache, ...env },
    encoding: 'utf8',
    timeout: limitMs(60_000),
  })
}

/** The same, where it needs something of this process. */
export async function runMeanwhile(env: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    env: { PORT: '0', NODE_COMPILE_CACHE: compileCache, ...env },
    timeout: limitMs(60_000),
  })
  const texts = [child.stdout, child.stderr].map((stream) => text(stream))
  const [status] = (await once(child, 'exit')) as [number | null]
  const [stdout = '', stderr = ''] = await Promise.all(texts)
  return { status, stdout, stderr }
}

type Ended = Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>

/** In this process, which is as much as main.ts does without exit code and signals; what it logs comes into `lines`. */
export const startHere = (env: Record<string, string>, lines: string[] = []): Promise<RunningServer> =>
  startServer(
    { PORT: '0', ...env },
    {
      now: Date.now,
      out: { write: (line) => void lines.push(line) },
      loadDemonstration: async () => demonstration,
      isTerminal: true,
    },
  )

/** What main.ts would print of a start in this process, or of anything else that is refused. */
async function refusalOf(start: () => unknown): Promise<string> {
  try {
    await start()
  } catch (error) {
    if (error instanceof StartError || error instanceof ConfigError) return `${error.message}\n`
    throw error
  }
  throw new Error('it was not refused')
}

/** A start in this process: nothing that a refused one has opened outlives a test by more than its handles. */
export const refusedHere = (env: Record<string, string>) =>
  refusalOf(async () => await (await startHere({ DATA_DIR: temporaryFolder(), ...env })).stop())

/** What the `.env` of a folder says, as main.ts reads it. */
export const refusedIn = (folder: string) =>
  refusalOf(() => {
    const [cwd, { env }] = [process.cwd(), process]
    process.chdir(folder)
    // vitest has a MODE of its own
    process.env = {}
    try {
      readConfig(readEnvironment())
    } finally {
      process.env = env
      process.chdir(cwd)
    }
  })

export function expectSentence(printed: string, sentence: string | RegExp): void {
  expect(printed).toMatch(sentence)
  expect(printed.trim().split('\n'), 'one line').toHaveLength(1)
  expect(printed).not.toContain(SECRET)
}

export function expectOneSentence({ status, stdout, stderr }: Ended, sentence: string | RegExp): void {
  expectSentence(stderr, sentence)
  expect(stdout).toBe('')
  expect(status).toBe(1)
}

/** A database as one of these starts leaves it; `spoil` changes it before it is started again. */
export async function databaseOf(env: Record<string, string>, spoil = (_: Database.Database): void => undefined) {
  const DATA_DIR = temporaryFolder()
  const server = await startHere({ DATA_DIR, ...env })
  await server.stop()
  const database = new Database(join(DATA_DIR, 'painel.sqlite'))
  spoil(database)
  database.pragma('wal_checkpoint(truncate)')
  database.close()
  return { DATA_DIR }
}
