import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import { findUnusedExports } from '../support/tidy/exports.ts'
import { findCrowds, findCycles, rules } from '../support/tidy/rules.ts'
import { listFiles, type Node, parseSource, readText, type Source } from '../support/tidy/source.ts'

const files = listFiles()
const sources = files
  .filter(
    (path) =>
      /^(src|demo|test|bench|deploy|scripts)\/.*\.(ts|tsx|mjs)$|^[^/]+\.ts$/.test(path) && !path.endsWith('.d.mts'),
  )
  .map((path) => parseSource(path, readText(path)))

/** This list may only shrink: lower the number when one goes. */
const EXCEPTIONS_MAX = 2
const exceptions: readonly { rule: string; path: string; reason: string }[] = [
  {
    rule: 'erpNamesStayInErp',
    path: 'src/server/store/items.ts',
    reason: "keeps the contract's item, whose fields the specification names; its columns are in our words",
  },
  {
    rule: 'erpNamesStayInErp',
    path: 'src/server/acts/erp-copies.ts',
    reason: "keeps and finds the contract's items by their barcode",
  },
]

/** Per rule something that it must find: a rule that cannot fail holds nothing. */
const planted: Record<string, readonly [path: string, text: string][]> = {
  followsArrows: [
    ['src/domain/a.ts', "import { b } from '../server/b.ts'"],
    ['src/contract/a.ts', "import { b } from '../domain/b.ts'"],
    ['src/contract/a.ts', "import { z } from 'zod'"],
    ['demo/simulator/a.ts', "import { b } from '../../src/server/erp/mapping.ts'"],
    ['src/server/start.ts', "import { b } from '../../demo/seed.ts'"],
    ['src/server/store/a.ts', "import { b } from '../features/b.ts'"],
    ['src/server/features/a.ts', "import { b } from '../erp/protheus.ts'"],
    ['src/server/features/a.ts', "import { sql } from 'kysely'"],
    ['src/server/acts/a.ts', "import type { Context } from '../panel.ts'"],
    ['src/server/http/a.ts', "import { b } from '../acts/b.ts'"],
    ['src/server/delivery/a.ts', "import { b } from '../../../demo/simulator/b.ts'"],
    ['src/server/erp/a.ts', "import type { B } from '../store/db/db.ts'"],
    ['src/web/ui/A.tsx', "import { b } from '../parts/b.ts'"],
    ['src/web/device/a.ts', "import { b } from '../server/b.ts'"],
    ['src/web/parts/A.tsx', "import { b } from '../app/routes.tsx'"],
    ['src/web/text/a.ts', "import { b } from '../parts/b.ts'"],
    ['src/web/parts/A.tsx', "import { b } from '../screens/search/b.ts'"],
    ['src/web/parts/A.tsx', "import { b } from '../forms/b.ts'"],
    ['src/web/screens/login/A.tsx', "import { b } from '../search/b.ts'"],
    ['src/web/server/a.ts', "const b = await import('../../server/b.ts')"],
    ['src/web/a.ts', ''],
    ['src/server/a.ts', ''],
    ['src/nowhere/a.ts', ''],
  ],
  sqlStaysInStore: [
    ['src/server/features/a.ts', 'const a = `select name from users`'],
    ['src/server/http/a.ts', "run('DELETE FROM users')"],
  ],
  shownCommandsExist: [
    ['src/domain/a.ts', "on('Ainda não há backup. Rode npm run backup e ligue o backup diário.')"],
    ['src/web/screens/settings/A.tsx', 'const a = `o resto, por npm run erp-check no servidor.`'],
    ['src/contract/a.ts', "const a = 'Use: npm start'"],
  ],
  erpNamesStayInErp: [
    ['src/server/features/a.ts', 'const a = item.Z1_QUANT'],
    ['src/server/a.ts', "const a = { ID_INTEGRACAO: '' }"],
    ['src/web/server/api.ts', "const a = row['Z1_OP']"],
  ],
  clockIsReadAtTheEdges: [
    ['src/domain/a.ts', 'const a = new Date()'],
    ['src/server/a.ts', 'const a = Date.now()'],
    ['src/web/a.ts', 'const now = Date.now'],
  ],
  serverIsCalledInOneWay: [
    ['src/web/parts/a.ts', "useQuery({ queryKey: ['a'] })"],
    ['src/web/screens/login/a.ts', 'const { mutate } = useMutation({})'],
  ],
  deviceKeepsForAll: [
    ['src/web/parts/a.ts', "localStorage.setItem('a', '')"],
    ['src/web/acts/a.ts', 'const listeners = new Set<() => void>()'],
    ['src/web/server/a.ts', 'const listeners = new Set<() => void>()'],
  ],
  partsComeLateInOneWay: [
    ['src/web/parts/A.tsx', "import { lazy } from 'react'"],
    ['src/web/parts/A.tsx', "import { Suspense } from 'react'"],
    ['src/web/app/routes.tsx', "import { lazyRouteComponent } from '@tanstack/react-router'"],
    ['src/web/acts/a.ts', "const b = await import('./b.ts')"],
    ['src/web/parts/A.tsx', "const b = deferred(() => load(import('./b.ts')))"],
    ['src/web/parts/A.tsx', "const b = deferred(() => import('./b.ts'), { warm: moments })"],
  ],
  registryIsReadByAll: [
    ['src/web/app/shell/Shell.tsx', "const later = [() => import('../../parts/measuring/Measuring.tsx')]"],
    ['src/web/app/shell/Shell.tsx', "const a = deferred(() => import('../../parts/A.tsx'))"],
    ['scripts/first-files.ts', "const screens = ['/src/web/screens/login/LoginScreen.tsx']"],
    ['vite.config.ts', 'const ofFew = /web[\\\\/]parts[\\\\/](PrintSheet|spc)/'],
  ],
  hasNoDefaultExport: [['src/web/a.ts', 'export default 1']],
  isNoBarrel: [
    ['src/web/index.ts', ''],
    ['src/web/a.ts', "export * from './b.ts'"],
    ['src/web/a.ts', "export { b } from './b.ts'"],
  ],
  isShort: [['src/web/a.ts', 'f()\n'.repeat(401)]],
  functionsAreShort: [['src/web/a.ts', `const a = () => {\n${'f()\n'.repeat(69)}}`]],
  leavesNothingForLater: [
    ['src/web/a.ts', '// TODO later'],
    ['src/web/a.ts', '/* @ts-ignore */'],
  ],
  hasNoAny: [['src/web/a.ts', 'const a = b as any']],
  everyTestRuns: [
    ['src/web/a.test.ts', "test.skip('a', () => {})"],
    ['src/web/a.test.ts', "describe.only('a', () => {})"],
  ],
  namesSaySomething: [
    ['src/server/utils/a.ts', ''],
    ['src/server/user-manager.ts', ''],
    ['src/web/UserHelper.tsx', ''],
    ['src/web/a.ts', 'export const itemData = 1'],
  ],
  namesAreUsualWords: [
    ['src/web/a.ts', 'const told = 1'],
    ['test/server/a.test.ts', 'type Fate = 1'],
    ['src/web/A.tsx', 'const A = () => <B held />'],
  ],
  kindsAreComparedInTheirRows: [
    ['src/web/acts/queue.ts', "const a = recording.kind === 'junction' ? b : c"],
    ['src/web/screens/pending/A.tsx', "const a = tipo !== 'recebimento'"],
    ['src/web/screens/pending/a.ts', "const a = 'codigoBarras' in payload"],
    ['src/server/delivery/attempt.ts', "if (delivery.operation === 'confirmReceipt') f()"],
    ['src/server/features/a.ts', "switch (row.kind) { case 'receipt': f() }"],
  ],
  helpersLiveInSupport: [
    ['test/screenshots.ts', ''],
    ['test/journeys/charting.ts', ''],
  ],
  limitsOfTestsAreScaled: [
    ['test/server/a.test.ts', 'const a = { timeouts: { writeMs: 200 } }'],
    ['test/journeys/a.e2e.ts', 'await expect(a).toBeVisible({ timeout: 500 })'],
    ['test/journeys/a.e2e.ts', 'test.setTimeout(90_000)'],
    ['src/server/erp/a.test.ts', 'await vi.waitUntil(isOver)'],
    ['test/server/a.test.ts', "test.each([1])('a', async () => {}, 60_000)"],
  ],
  codesAreWrittenAsCodes: [['src/domain/a.ts', "const a = [['Máquina', ({ machine }) => csv" + 'Text(machine)]]']],
}

describe('every file', () => {
  for (const [name, rule] of Object.entries(rules)) {
    test(name, () => {
      const excepted = new Set(exceptions.filter((one) => one.rule === name).map((one) => one.path))
      expect(sources.filter(({ path }) => !excepted.has(path)).flatMap(rule)).toEqual([])
      for (const [path, text] of planted[name] ?? []) expect(rule(parseSource(path, text)), text).not.toEqual([])
      expect(planted[name], 'a planted offence').toBeDefined()
    })
  }

  test('an exception has an offence to except, and their number only falls', () => {
    const idle = exceptions.filter(
      ({ rule, path }) => !sources.some((source) => source.path === path && (rules[rule]?.(source) ?? []).length > 0),
    )
    expect(idle).toEqual([])
    expect(exceptions.length).toBe(EXCEPTIONS_MAX)
  })
})

test('no two files import each other, by whatever way round', () => {
  expect(findCycles(sources)).toEqual([])
  const planted = [
    parseSource('src/domain/a.ts', "import { b } from './b.ts'"),
    parseSource('src/domain/b.ts', "import type { C } from './c.ts'"),
    parseSource('src/domain/c.ts', "import type { A } from './a.ts'"),
  ]
  expect(findCycles(planted)).toEqual(['src/domain/a.ts -> src/domain/b.ts -> src/domain/c.ts -> src/domain/a.ts'])
})

test('what is exported is named by another file', () => {
  expect(findUnusedExports(sources)).toEqual([])
  const planted = [
    parseSource('src/domain/a.ts', 'export const seen = 1\nexport const unseen = seen\nexport type Typed = 2'),
    parseSource('src/domain/b.ts', "import { seen } from './a.ts'\ntype Here = import('./a.ts').Typed\nseen as Here"),
  ]
  expect(findUnusedExports(planted)).toEqual(['src/domain/a.ts:2 unseen is exported and named nowhere else'])
})

test('a folder holds no more than one takes in', () => {
  expect(findCrowds(files)).toEqual([])
  const many = (folder: string, count: number) => Array.from({ length: count }, (_, at) => `${folder}/a${at}.ts`)
  expect(findCrowds([...many('src/web/screens/login', 11), ...many('src/server/http', 21)])).toHaveLength(2)
  expect(findCrowds([...many('src/web/screens/login', 10), ...many('src/server/store', 40)])).toEqual([])
})

/** `feature.call` wherever it is handed to a function: that is what binding looks like. */
const handedOver = (source: Source) =>
  source.nodes.flatMap((node) =>
    node.type === 'CallExpression'
      ? (node.arguments as Node[])
          .filter(({ type }) => type === 'MemberExpression')
          .map(({ start, end }) => source.text.slice(start, end))
      : [],
  )

test('every endpoint of the contract is bound once', async () => {
  const names = new Map<unknown, string>()
  for (const path of files.filter((file) => /^src\/contract\/[a-z-]+\.ts$/.test(file))) {
    const module: Record<string, unknown> = await import(/* @vite-ignore */ `../../${path}`)
    for (const [feature, rows] of Object.entries(module)) {
      if (typeof rows !== 'object' || rows === null) continue
      for (const [call, row] of Object.entries(rows)) {
        if (endpoints.includes(row) && !Array.isArray(rows)) names.set(row, `${feature}.${call}`)
      }
    }
  }
  expect(names.size).toBe(endpoints.length)
  const bound = sources
    .filter(({ path }) => /^src\/server\/features\/.*(?<!\.test)\.ts$/.test(path))
    .flatMap(handedOver)
  const wrong = [...names.values()].filter((name) => bound.filter((one) => one === name).length !== 1)
  expect(wrong).toEqual([])
})

const manifest = JSON.parse(readText('package.json')) as Record<string, Record<string, string>>

describe('packages', () => {
  test('have exact versions', () => {
    const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.entries(manifest[kind] ?? {}),
    )
    expect(versions.length).toBeGreaterThan(10)
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  test('are locked without naming where they came from', () => {
    const text = readText('package-lock.json')
    expect(text.length).toBeGreaterThan(10_000)
    expect(text.match(/"resolved": "[^"]*"/g) ?? []).toEqual([])
  })
})

const codeSpans = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '')
const blocks = (text: string) => [...text.matchAll(/```[^\n]*\n([\s\S]*?)```/g)].map(([, code]) => code ?? '')

/** Words of a page that name a file or folder of the repository. Placeholders (`NNN-title.md`, `*.ts`) are not names. */
const pathsNamedIn = (page: string, text: string) => {
  const words = codeSpans(text).flatMap((code) => code.split(/\s+/))
  const inCode = words.filter(
    (word) =>
      /^\.?[\w-]+(\/[\w.-]+)*(\/|\.(ts|tsx|mjs|json|md|css|html))$|^(src|test|scripts|bench|docs|\.ci)\/[\w./-]+$/.test(
        word,
      ) && !/NNN/.test(word),
  )
  const links = [...text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, target]) =>
    posix.join(posix.dirname(page), target ?? ''),
  )
  return [...inCode, ...links]
}

const ignoredFolders = /^(dist|data|screenshots|test-results|node_modules)\//
const exists = (name: string) =>
  ignoredFolders.test(name) ||
  files.some(
    (file) => file === name || file.endsWith(`/${name}`) || `/${file}`.includes(`/${name.replace(/\/$/, '')}/`),
  )

const scriptsNamedIn = (text: string) =>
  [...codeSpans(text), ...blocks(text)].flatMap((code) => [
    ...[...code.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? ''),
    ...[...code.matchAll(/npm (start|test)\b/g)].map(([, name]) => name ?? ''),
  ])

describe('pages', () => {
  const pages = files.filter((path) => path.endsWith('.md')).map((path) => [path, readText(path)] as const)

  test('name only files that exist', () => {
    const missing = pages.flatMap(([page, text]) =>
      pathsNamedIn(page, text)
        .filter((name) => !exists(name))
        .map((name) => `${page}: ${name}`),
    )
    expect(missing).toEqual([])
    expect(pathsNamedIn('A.md', 'see `src/gone.ts`, [b](docs/gone.md)').filter((name) => !exists(name))).toHaveLength(2)
  })

  test('name only npm scripts that exist', () => {
    const missing = pages.flatMap(([page, text]) =>
      scriptsNamedIn(text)
        .filter((name) => !manifest.scripts?.[name])
        .map((name) => `${page}: ${name}`),
    )
    expect(missing).toEqual([])
    expect(scriptsNamedIn('`npm run gone`')).toEqual(['gone'])
  })
})

test('the glossary has each word once', () => {
  const words = [...readText('GLOSSARY.md').matchAll(/^\| (?!-)(.+?) +\|/gm)].map(([, word]) => word)
  const heads = ['Portuguese', 'word', 'not']
  expect(words.length).toBeGreaterThan(60)
  expect(words.filter((word, at) => words.indexOf(word) !== at && !heads.includes(word ?? ''))).toEqual([])
})

/** What one does not read in one go. */
const RECORD_LINES_MAX = 40
const RECORD_WIDTH_MAX = 160

const faultsOfRecord = (text: string): string[] => {
  const lines = text.trimEnd().split('\n')
  const parts = lines.flatMap((line) => /^(Context|Decision|Consequences)(?=[:,])/.exec(line)?.[1] ?? [])
  return [
    ...(/^# \d{3} \S/.test(text) ? [] : ['no number and title']),
    ...([...new Set(parts)].join() === 'Context,Decision,Consequences' ? [] : ['not context, decision, consequences']),
    ...(lines.length > RECORD_LINES_MAX ? [`${lines.length} lines`] : []),
    ...lines.filter(({ length }) => length > RECORD_WIDTH_MAX),
  ]
}

test('every decision record has its three parts, is read in one go, and has a number of its own', () => {
  const records = files.filter((path) => /^docs\/decisions\//.test(path))
  const numbers = records.map((path) => posix.basename(path).slice(0, 3))
  expect(records.length).toBeGreaterThan(30)
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
  expect(records.flatMap((path) => faultsOfRecord(readText(path)).map((fault) => `${path}: ${fault}`))).toEqual([])

  const good = '# 001 Title\n\nContext: a.\n\nDecision, on both sides: b.\n\nConsequences: c.\n'
  expect(faultsOfRecord(good)).toEqual([])
  for (const bad of [
    good.replace('# 001 ', '# '),
    good.replace('Consequences', 'So'),
    good.replace('a.', `a.${'\n'.repeat(RECORD_LINES_MAX)}`),
    good.replace('b.', 'b'.repeat(RECORD_WIDTH_MAX)),
  ]) {
    expect(faultsOfRecord(bad), bad).toHaveLength(1)
  }
  // a number in a text leads to a record
  const cited = sources.flatMap(({ text }) => [...text.matchAll(/\bdecisions? (\d{3})\b/g)].map(([, number]) => number))
  expect(cited.filter((number) => !numbers.includes(number ?? ''))).toEqual([])
})

test('the newest version of the changelog is that of the package, and none has a line that runs on', () => {
  const [, ...sections] = readText('CHANGELOG.md').split(/^## /m)
  const [unreleased = '', ...released] = sections
  expect(unreleased).toMatch(/^Unreleased\n/)
  expect(released.filter((section) => !/^\d+\.\d+\.\d+ – \d{4}-\d\d-\d\d\n/.test(section))).toEqual([])
  expect(released[0]).toMatch(new RegExp(`^${String(manifest.version)} `))
  expect(released.flatMap((section) => section.split('\n')).filter(({ length }) => length > 180)).toEqual([])
})

/** What is read in one go. */
const NOTES_LINES_MAX = 40

test('no heading of the changelog has more under it than is read in one go, and where new lines go is there', () => {
  const headed = readText('CHANGELOG.md').split(/^(?=#{2,4} )/m)
  const faults = (sections: string[]) =>
    sections
      .filter((section) => section.trimEnd().split('\n').length > NOTES_LINES_MAX)
      .map((one) => one.split('\n')[0])
  expect(faults(headed)).toEqual([])
  expect(faults([`### Novo\n${'- a\n'.repeat(NOTES_LINES_MAX)}`])).toEqual(['### Novo'])
  const unreleased = headed.slice(1, 5).map((section) => section.split('\n')[0])
  expect(unreleased).toEqual(['## Unreleased', '### Novo', '### Mudou', '### Corrigido'])
})

test('migrations are as they landed', () => {
  const landed = JSON.parse(readText('test/store/migrations.lock.json')) as Record<string, string>
  const now = Object.fromEntries(
    files
      .filter((path) => /^src\/server\/store\/db\/migrations\/\d.*\.ts$/.test(path))
      .map((path) => [path, createHash('sha256').update(readText(path)).digest('hex')]),
  )
  expect(Object.keys(now).length).toBeGreaterThan(0)
  // A new one is added to the list when it lands; a listed one is never edited, a later one corrects it.
  expect(now).toEqual(landed)
})
