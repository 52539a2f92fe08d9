import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/harness.ts'
import { root } from '../support/tidy/source.ts'

/** As npm up to 10 leaves the folder: the packages of Node are there, the link to the one for this machine is not. */
function checkoutWithoutLink(): string {
  const folder = temporaryFolder()
  for (const path of ['painel', 'scripts', 'package.json', 'CHANGELOG.md']) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  symlinkSync(join(root, 'src'), join(folder, 'src'))
  mkdirSync(join(folder, 'node_modules'))
  const own = `node-${process.platform}-${process.arch}`
  symlinkSync(join(root, 'node_modules', own), join(folder, 'node_modules', own))
  return folder
}

/** The first process takes itself for Node 22; those that it starts say what they are. */
const OLD = `if (process.env.OLD_NODE) {
  delete process.env.OLD_NODE
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.23.3' } })
}`

test('commands run on the project’s Node without a link to it, started by an older one', () => {
  const folder = checkoutWithoutLink()
  const preload = join(folder, 'old.mjs')
  writeFileSync(preload, OLD)
  const run = (program: string, args: string[], env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', ...env },
      encoding: 'utf8',
    })
    return { status, stderr, first: stdout.split('\n')[0] }
  }
  const version = { status: 0, stderr: '', first: expect.stringMatching(/^Painel Industrial \d/) as string }
  expect(run('./painel', ['--version'])).toEqual(version)
  const onOld = (...args: string[]) => run(process.execPath, ['--import', preload, ...args], { OLD_NODE: '1' })
  expect(onOld('scripts/painel.mjs', '--version')).toEqual(version)
  expect(onOld('scripts/painel.mjs', 'user', 'dance')).toMatchObject({ status: 1 })
  writeFileSync(
    join(folder, 'say.ts'),
    'const code: number = 7\nconsole.log(process.versions.node)\nprocess.exit(code)\n',
  )
  expect(onOld('scripts/run.mjs', 'say.ts')).toEqual({ status: 7, stderr: '', first: process.versions.node })
})
