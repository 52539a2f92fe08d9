import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { bundleNames } from '../../scripts/bundle.ts'
import { readConfig } from '../../src/server/config.ts'
import { ErpSettings } from '../../src/server/erp/settings.ts'
import { manualPictures, picturesTaken } from '../support/journeys/pictures.ts'
import { listFiles, readText, root } from '../support/tidy/source.ts'

const files = listFiles()
const readmes = ['README.md', 'README.en.md']
const chapters = files.filter((path) => readmes.includes(path) || /^docs\/manual\/.*\.md$/.test(path))
const matchesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, match = '']) => match)

/** Links and pictures of a page, and the files that it names in passing, by their paths from the top. */
function targetsOf(chapter: string): string[] {
  const text = readText(chapter)
  const links = matchesIn(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^([a-z]+:|#)/.test(link))
  const beside = links.map((link) => posix.join(posix.dirname(chapter), link.replace(/#.*/, '')))
  const named = matchesIn(text, /`([\w./-]+\.md)`/g).map((name) =>
    name.includes('/') || name === name.toUpperCase().replace('.MD', '.md') ? name : posix.join('docs/manual', name),
  )
  return [...beside, ...named]
}

test('every page and picture that the manual and the README lead to is there', () => {
  const targets = chapters.flatMap((chapter) => targetsOf(chapter).map((target) => ({ chapter, target })))
  expect(targets.length).toBeGreaterThan(40)
  expect(targets.filter(({ target }) => !existsSync(join(root, target)))).toEqual([])
})

test('the pictures are those that journeys take, each is shown somewhere, and in the mean they are small', () => {
  const folder = 'docs/manual/imagens'
  const pictures = files.filter((path) => path.startsWith(`${folder}/`))
  const taken = picturesTaken().map(({ name }) => `${folder}/${name}.jpeg`)
  expect(pictures.length).toBeGreaterThan(15)
  expect(pictures.toSorted()).toEqual([...manualPictures()].map((name) => `${folder}/${name}.jpeg`).toSorted())
  expect(pictures.filter((picture) => !taken.includes(picture))).toEqual([])
  const shown = chapters.flatMap(targetsOf)
  expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([])
  const bytes = pictures.reduce((sum, picture) => sum + statSync(join(root, picture)).size, 0)
  expect(bytes / pictures.length).toBeLessThan(68 * 1024)
})

test('each picture has a name of its own and is taken by a journey that can be found by its title', () => {
  const taken = picturesTaken()
  const names = taken.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(taken.filter(({ journey }) => journey === '')).toEqual([])
  // One whose name is not written out, or that stands outside of the journeys, would be missed above.
  const calls = files
    .filter((path) => path.startsWith('test/') && !path.startsWith('test/tidy/'))
    .flatMap((path) => matchesIn(readText(path), /(?<!function )\b(picture)\(/g))
  expect(calls).toHaveLength(taken.length)
})

/** What a screen shows of it. */
const README_LINES_MAX = 55

test('each README fits on one screen, and each promise that it names can be proved by its command', () => {
  const isThere = (command: string) => files.some((path) => path.startsWith(`test/promises/${command}-`))
  for (const readme of readmes.map(readText)) {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES_MAX)
    const commands = matchesIn(readme, /`npm run promises -- (p\d\d)`/g)
    expect(commands.length).toBeGreaterThanOrEqual(5)
    expect(commands.filter((command) => !isThere(command))).toEqual([])
  }
})

const blocksIn = (text: string) => matchesIn(text, /```sh\n(.*?)\n```/gs)
/** What one types, in its order, and where the links lead. */
const actsIn = (text: string) => ({
  blocks: blocksIn(text),
  commands: matchesIn(text, /`((?:\w+=\w+ )?npm [^`]+)`/g),
  links: matchesIn(text, /\]\(([^)\s]+)\)|<(http[^>]+)>/g),
})

test("both READMEs have the same commands and links, each leads to the other first, and the four of the archive are the manual's", () => {
  const [own = '', english = ''] = readmes.map(readText)
  expect(own.split('\n')[0]).toBe('In English: [README.en.md](README.en.md)')
  expect(english.split('\n')[0]).toBe('Em português: [README.md](README.md)')
  const [first = '', ...rest] = english.split('\n')
  const acts = actsIn([first.replaceAll('README.md', 'README.en.md'), ...rest].join('\n'))
  expect(acts).toEqual(actsIn(own))
  expect([acts.blocks.length, acts.commands.length > 5, acts.links.length > 10]).toEqual([2, true, true])
  const installing = readText('docs/manual/instalar-em-15-minutos.md')
  expect(/```\n(.*?)\n```/s.exec(installing)?.[1]).toBe(acts.blocks[1])
})

test('the index of the manual leads to every chapter', () => {
  const index = 'docs/manual/README.md'
  const led = targetsOf(index)
  expect(chapters.filter((path) => path.startsWith('docs/manual/') && path !== index && !led.includes(path))).toEqual(
    [],
  )
})

test('the ERP_CONFIG that the manual shows has all the defaults, and every field of the ERP that is read is named', () => {
  const chapter = readText('docs/manual/protheus-referencia.md')
  const [example = ''] = matchesIn(chapter, /```json\n(.*?)```/gs)
  expect(JSON.parse(example)).toEqual(ErpSettings.parse({}))
  const fields = matchesIn(
    ['src/server/erp/mapping.ts', 'src/contract/recordings.ts', 'src/contract/junctions.ts'].map(readText).join('\n'),
    /\b((?:Z[189]|ZTB)_[A-Z0-9]+|[A-Z]+_(?:CABO|PECAS|APONTADA|REALIZADA|PROD|BARRA|TERMINAL|REGISTRO|OP|MP))\b/g,
  )
  expect(new Set(fields).size).toBeGreaterThan(50)
  expect([...new Set(fields)].filter((field) => !chapter.includes(`\`${field}\``))).toEqual([])
})

test('archives, their folders and sums are called in the manual as `npm run bundle` calls them', () => {
  const shape = /^painel-\d+\.\d+\.\d+-[0-9a-f]{7}(-linux-x64\.tar\.gz(\.sha256)?)?$/
  const named = chapters.flatMap((chapter) => matchesIn(readText(chapter), /\b(painel-\d+\.[\w.-]*\w)/g))
  expect(named.filter((name) => !shape.test(name))).toEqual([])
  const { archive, folder, sum } = bundleNames({ number: '2.1.0', commit: '426d119', day: '' })
  expect(
    [archive.replace(/-[a-z]+-\w+\.tar/, '-linux-x64.tar'), folder, sum].filter((name) => !shape.test(name)),
  ).toEqual([])
  expect(named.some((name) => name.endsWith('.sha256'))).toBe(true)
})

const ENVIRONMENT = /process\.env|readEnvironment/

test('the table of environment variables has each one of the code once, with its default and an example that a start takes', () => {
  const [, section = ''] = readText('docs/manual/servidor.md').split('## 7. Variáveis de ambiente')
  const rows = matchesIn(section, /^\| (`[A-Z_]+` .*) \|$/gm).map((row) => row.split('|').map((cell) => cell.trim()))
  const names = rows.map(([name = '']) => name.replaceAll('`', ''))
  expect(names).toEqual(matchesIn(readText('src/server/variables.ts'), /^ {2}([A-Z_]+): \[/gm))
  expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([])
  expect(section).toContain('**todas precisam de um reinício**')
  const readers = files.filter(
    (path) => /^src\/server\/.*(?<!\.test)\.ts$/.test(path) && ENVIRONMENT.test(readText(path)),
  )
  expect(readers, 'each is read once, when a program begins').toEqual([
    ...['database', 'erp-check', 'support', 'user'].map((name) => `src/server/commands/${name}.ts`),
    'src/server/config.ts',
    'src/server/main.ts',
  ])

  const plant = { ERP_URL: 'http://erp:8080/rest', ERP_USER: 'painel', ERP_PASSWORD: 'senha', DATA_DIR: 'data' }
  const firstCode = (cell = '') => matchesIn(cell, /`'?(.+?)'?`/g)[0]
  // what the first of them cannot do without
  const others: Record<string, object> = {
    LDAP_URL: { LDAP_BASE: 'DC=x', LDAP_USER: 'painel', LDAP_PASSWORD: 'senha', LDAP_GROUPS: 'admin=CN=x' },
  }
  const changedBy = (name: string, value: string) => ({
    name,
    config: readConfig({ ...plant, ...others[name], [name]: value }),
  })
  for (const [at, name] of names.entries()) {
    const byDefault = firstCode(rows[at]?.[1])?.replace(/^DATA_DIR/, 'data')
    // it names a file, and SQLite has this one without being told
    if (byDefault && name !== 'SECRET_KEY_FILE' && name !== 'MODE') {
      expect(changedBy(name, byDefault)).toEqual({ name, config: readConfig(plant) })
    }
    const example = firstCode(rows[at]?.[2])
    expect(example, name).toBeDefined()
    // the file of the example is not here
    if (example && name !== 'ERP_CONFIG') expect(() => changedBy(name, example), name).not.toThrow()
  }
})
