import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programId, readIdentity } from '../../src/server/upkeep/identity.ts'
import { temporaryFolder } from '../support/harness.ts'
import { readText } from '../support/tidy/source.ts'

const { version } = JSON.parse(readText('package.json')) as { version: string }
const NOTES = '# Notas\n\n## Unreleased\n\n## 2.1.0 – 2026-11-26\n\n- a\n\n## 2.0.0 – 2026-11-23\n'

function makeFolder(manifest: object = {}, folder = join(temporaryFolder(), 'painel')) {
  mkdirSync(folder, { recursive: true })
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@fabrica.local', ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, GIT_COMMITTER_DATE: '2026-11-25T23:30:00-03:00' },
    }).trim()
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('package.json', JSON.stringify({ version: '2.1.0', ...manifest }))
  write('CHANGELOG.md', NOTES)
  write('.gitignore', 'dist/\n')
  const commit = () => {
    git('init', '-q')
    git('add', '-A')
    git('commit', '-q', '-m', 'First')
    return git('rev-parse', 'HEAD')
  }
  return { folder, write, commit }
}

test('a program is told by its number and seven characters of its commit, with the day of that commit apart', () => {
  const { folder, write, commit } = makeFolder()
  const hash = commit()
  mkdirSync(join(folder, 'dist'))
  write('dist/page.html', 'built')
  const identity = readIdentity(folder)
  expect(identity).toEqual({ number: '2.1.0', commit: hash.slice(0, 7), day: '2026-11-25' })
  expect(programId(identity)).toBe(`2.1.0-${hash.slice(0, 7)}`)
})

test.each([
  ['a file of the commit was changed', 'CHANGELOG.md'],
  ['a file was added', 'nova.ts'],
])("where %s the program says 'alterado', and the day that it was changed from", (_, name) => {
  const { folder, commit } = makeFolder()
  commit()
  appendFileSync(join(folder, name), '\n')
  expect(readIdentity(folder)).toEqual({ number: '2.1.0', commit: 'alterado', day: '2026-11-25' })
})

test("a folder without git says 'sem-commit' and the day of its release, also inside a folder with git", () => {
  const outer = makeFolder()
  outer.commit()
  const { folder } = makeFolder({}, join(outer.folder, 'copia'))
  expect(readIdentity(folder)).toEqual({ number: '2.1.0', commit: 'sem-commit', day: '2026-11-26' })
  expect(readIdentity(makeFolder({ version: '9.9.9' }).folder).day, 'of no release').toBe('')
})

test('an archive says what it was made of, wherever it was unpacked', () => {
  const { folder, commit } = makeFolder({ commit: '426d119', day: '2026-11-24' })
  commit()
  expect(readIdentity(folder)).toEqual({ number: '2.1.0', commit: '426d119', day: '2026-11-24' })
})

test('whatever this number is followed by fits where the page and its server keep it', () => {
  for (const commit of ['426d119', 'sem-commit', 'alterado']) {
    expect(programId({ number: version, commit, day: '' })).toMatch(/^[\w.-]{1,16}$/)
  }
})
