import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { temporaryFolder } from '../harness.ts'
import { root } from '../tidy/source.ts'
import { isFull } from './sizes.ts'

/** What an archive is made of. */
const parts = [
  ...['painel', 'package.json', 'package-lock.json', 'CHANGELOG.md', 'LICENSE', '.gitignore'],
  ...['vite.config.ts', 'scripts', 'src', 'demo', 'deploy', 'docs/manual', 'dist/web'],
]

/** All packages of this folder; below full size Node itself is a line that calls the one here. */
function linkPackages(folder: string): void {
  mkdirSync(folder)
  const node = `node-${process.platform}-${process.arch}`
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== node || isFull) symlinkSync(join(root, 'node_modules', name), join(folder, name))
  }
  if (isFull) return
  const bin = join(folder, node, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'node'), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`)
  chmodSync(join(bin, 'node'), 0o755)
  writeFileSync(join(folder, node, 'LICENSE'), 'stands in for Node\n')
}

/** A checkout of what is here now, with a history of its own. */
export function makeCheckout() {
  const folder = join(temporaryFolder(), 'painel')
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true })
  linkPackages(join(folder, 'node_modules'))
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@fabrica.local', ...words], {
      cwd: folder,
      encoding: 'utf8',
    }).trim()
  git('init', '-q')
  return {
    folder,
    dist: join(folder, 'dist'),
    /** Changes a file by one replacement, which must be one. */
    change: (path: string, from: string | RegExp, to: string) => {
      const text = readFileSync(join(folder, path), 'utf8')
      const changed = text.replace(from, to)
      expect(changed, `${path}: ${from}`).not.toBe(text)
      writeFileSync(join(folder, path), changed)
    },
    /** Commits all there is and makes its archive, as `npm run bundle` does. Returns what the program is called. */
    release: (): string => {
      git('add', '-A')
      git('commit', '-q', '-m', 'A release')
      execFileSync(process.execPath, ['scripts/bundle.ts'], { cwd: folder })
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
      return `${version}-${git('rev-parse', 'HEAD').slice(0, 7)}`
    },
  }
}

/** Of all files below a folder, with their paths. */
export function treeHash(folder: string): string {
  const hash = createHash('sha256')
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).toSorted((a, b) =>
    join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
  )) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) hash.update(path).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** Neither Node nor npm nor git. */
function barePath(): string {
  const folder = temporaryFolder()
  for (const program of ['sh', 'readlink', 'dirname', 'mkdir', 'tar', 'gzip', 'ln', 'sha256sum']) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim(), join(folder, program))
  }
  return folder
}

/** The first commands below a heading of a page of the manual; a line that goes on is one. */
export function commandsBelow(page: string, heading: string): string[] {
  const [, section = ''] = readFileSync(join(root, 'docs/manual', page), 'utf8').split(`\n${heading}\n`)
  const [, block = ''] = /```\n(.*?)\n```/s.exec(section) ?? []
  return block.replaceAll(/\\\n\s*/g, '').split('\n')
}

/** A machine as the manual has it, with another place for /opt, and systemd played by this test. */
export function makeMachine() {
  const [opt, DATA_DIR, inbox] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const env = { PATH: barePath(), DATA_DIR, MODE: 'demonstration', DEMO_ERP_PROFILE: 'clean', PORT: '0' }
  let server: ReturnType<typeof spawn> | null = null
  let url = ''
  const run = (line: string): SpawnSyncReturns<string> =>
    spawnSync('/bin/sh', ['-c', line.replaceAll('/opt/', `${opt}/`).replace(/ -C \/opt\b/, ` -C ${opt}`)], {
      cwd: inbox,
      env,
      encoding: 'utf8',
    })
  const stop = async () => {
    if (server === null || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  onTestFinished(stop)
  /** Resolves to what a start that ends has said, else to null once it listens. */
  const start = async (): Promise<string | null> => {
    const child = spawn(join(opt, 'painel', 'painel'), ['start'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    server = child
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
    }
    const ended = once(child, 'close')
    for (;;) {
      const [, origin] = /^Painel Industrial: (\S+)$/m.exec(printed) ?? []
      if (origin) {
        url = origin
        return null
      }
      await Promise.race([once(child.stdout, 'data').catch(() => null), ended])
      if (child.exitCode !== null && !printed.includes('\nPainel Industrial: ')) {
        await ended
        return printed
      }
    }
  }
  return {
    opt,
    dataDir: DATA_DIR,
    inbox,
    run,
    start,
    stop,
    url: () => url,
    /** One line of the manual; resolves to what it printed. */
    type: async (line: string): Promise<string> => {
      const [, verb] = /^systemctl (stop|start|restart) painel$/.exec(line) ?? []
      if (verb === 'stop' || verb === 'restart') await stop()
      if (verb === 'start' || verb === 'restart') expect(await start(), line).toBeNull()
      if (verb) return ''
      const [, path] = /^curl http:\/\/127\.0\.0\.1:3000(\/\S+)$/.exec(line) ?? []
      if (path) return await (await fetch(url + path)).text()
      const { status, stdout, stderr } = run(line.replace(/^systemd-run .*(?=\/opt\/painel\/painel )/, ''))
      expect([status, stderr], line).toEqual([0, ''])
      return stdout
    },
  }
}
