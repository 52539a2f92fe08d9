import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { limitMs } from './slowness.ts'
import { root } from './tidy/source.ts'

/** For all tests of a file: what `./painel start` needs of an archive. Node and packages are those of this folder. */
export function unpackedArchive(): string {
  const parent = mkdtempSync(join(tmpdir(), 'painel-test-'))
  afterAll(() => rmSync(parent, { recursive: true, force: true }))
  const archive = join(parent, 'painel-9.9.9')
  const programs = ['painel', 'scripts/painel.mjs', 'scripts/project-node.mjs']
  for (const path of [...programs, 'package.json', 'src/contract', 'src/domain', 'src/server']) {
    mkdirSync(dirname(join(archive, path)), { recursive: true })
    cpSync(join(root, path), join(archive, path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(archive, 'node_modules'))
  symlinkSync(process.execPath, join(archive, 'node'))
  return archive
}

/** A command of it that is expected to end. */
export const runArchive = (archive: string, given: string[], env: Record<string, string> = {}) =>
  spawnSync(join(archive, 'painel'), given, {
    env: { PATH: process.env.PATH ?? '', ...env },
    encoding: 'utf8',
    timeout: limitMs(60_000),
  })
