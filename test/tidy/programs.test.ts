import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, root } from '../support/tidy/source.ts'

type Config = { files?: string[]; references?: { path: string }[] }

/** As `tsconfig.json` names it: a folder stands for the file in it. */
const configIn = (path: string) => (statSync(path).isDirectory() ? join(path, 'tsconfig.json') : path)

/** Files of each program of the type checker, by its configuration, relative to the repository. */
function listPrograms(): Map<string, string[]> {
  const { references = [] } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as Config
  return new Map(
    references.map(({ path }) => {
      const config = configIn(join(root, path))
      const shown = execFileSync('tsc', ['--showConfig', '-p', config], { encoding: 'utf8', cwd: root })
      const { files = [] } = JSON.parse(shown) as Config
      return [relative(root, config), files.map((file) => relative(root, resolve(config, '..', file)))]
    }),
  )
}

/** A sentence for each source that is not in exactly one program. */
function faultsOf(sources: readonly string[], programs: ReadonlyMap<string, readonly string[]>): string[] {
  return sources.flatMap((source) => {
    const having = [...programs].filter(([, files]) => files.includes(source)).map(([config]) => config)
    if (having.length === 1) return []
    return [`${source} is in ${having.length === 0 ? 'no program of the type checker' : having.join(' and ')}`]
  })
}

const isSource = (path: string) => /\.(ts|tsx|mts)$/.test(path) && !path.endsWith('.d.mts')

test('each source is in exactly one program of the type checker', () => {
  const programs = listPrograms()
  expect(programs.size).toBeGreaterThan(5)
  expect(faultsOf(listFiles().filter(isSource), programs)).toEqual([])
  expect(
    faultsOf(
      ['a.ts', 'b.ts', 'c.ts'],
      new Map([
        ['one', ['b.ts', 'c.ts']],
        ['two', ['c.ts']],
      ]),
    ),
  ).toEqual(['a.ts is in no program of the type checker', 'c.ts is in one and two'])
})
