// The Node that the project brings along, found by its path: npm up to 10 leaves no link to it in node_modules/.bin where it
// has dropped those of other machines. Plain JavaScript without dependencies, for any Node from 20 on.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const isWindows = process.platform === 'win32'
const modules = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules')

/** better-sqlite3 crashes without a word on an older one, and sources in TypeScript do not start there. */
export const isOldNode = Number(process.versions.node.split('.')[0]) < 24

/** Its path; null where the project has none for this machine and the Node that runs this is too old. */
export function projectNode() {
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  const own = join(modules, name, 'bin', isWindows ? 'node.exe' : 'node')
  if (existsSync(own)) return own
  return isOldNode ? null : process.execPath
}

/** PATH with the project's Node and tools first, for programs that a command starts by name. */
export const projectPath = (node = projectNode()) =>
  [...(node ? [dirname(node)] : []), join(modules, '.bin'), process.env.PATH].join(delimiter)

/** Runs `args` on `node` in place of this process, which hands on its options, signals and exit code. */
export function runOn(node, args) {
  const child = spawn(node, [...process.execArgv, ...args], {
    stdio: 'inherit',
    env: { ...process.env, PATH: projectPath(node) },
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminal interrupts both; without one only this process has heard it.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.on('error', (error) => {
    console.error(`Não foi possível usar ${node}: ${error.message}.`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
