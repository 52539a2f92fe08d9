import { codesAreWrittenAsCodes } from './csv.ts'
import { partsComeLateInOneWay, registryIsReadByAll } from './late.ts'
import { isTest, type Node, type Source } from './source.ts'

/** Says what is wrong in one file, a line per offence: `path:line what`. */
type Rule = (source: Source) => string[]

const product = (source: Source) => /^(src|demo)\//.test(source.path) && !isTest(source.path)

/** What a room of the server may import beside `contract`, `domain`, `outside.ts`, `config.ts` and packages. */
const serverRooms = {
  store: ['store'],
  erp: ['erp'],
  http: ['http', 'store', 'erp/gateway.ts'],
  documents: ['documents', 'store', 'http/refused.ts'],
  directory: ['directory', 'http', 'upkeep', 'store'],
  delivery: ['delivery', 'store', 'erp/gateway.ts'],
  acts: ['acts', 'delivery', 'http', 'store', 'erp/gateway.ts'],
  upkeep: ['upkeep', 'documents', 'http', 'store', 'erp/gateway.ts'],
  features: ['features', 'panel.ts', 'acts', 'delivery', 'documents', 'upkeep', 'http', 'store', 'erp/gateway.ts'],
  commands: ['commands', 'features', 'upkeep', 'http', 'store', 'erp'],
} as const

const OUTER = 'src/(contract|domain)/|src/server/(outside|config)\\.ts$'
const paths = (names: readonly string[]) =>
  names.map((name) => (name.endsWith('.ts') ? `${name}$` : `${name}/`)).join('|')
/** Only the store speaks to a database, and the ERP's adapter to the ERP. */
const PACKAGES: Record<string, string> = {
  store: 'node:|kysely|better-sqlite3$|mysql2',
  erp: 'node:|zod/mini$|pino$|fastify$',
}
const NO_DATABASE = '(?!src/|demo/|kysely|better-sqlite3|mysql2)'

const serverArrows = Object.entries(serverRooms).map(([room, targets]): [from: RegExp, to: RegExp] => [
  new RegExp(`^src/server/${room}/`),
  new RegExp(`^(${OUTER}|src/server/(${paths(targets)})|${PACKAGES[room] ?? NO_DATABASE})`),
])

const webRooms = {
  text: ['text'],
  ui: ['ui'],
  device: ['device'],
  server: ['server', 'device'],
  acts: ['acts', 'server', 'device', 'text'],
  parts: ['parts', 'ui', 'server', 'acts', 'device', 'text'],
  forms: ['forms', 'parts', 'ui', 'acts', 'device', 'text'],
  // its own folder is added below: a screen knows no other
  screens: ['forms', 'parts', 'ui', 'server', 'acts', 'device', 'text'],
  app: ['app', 'screens', 'forms', 'parts', 'ui', 'server', 'acts', 'device', 'text'],
} as const

const webArrows = Object.entries(webRooms).map(([room, targets]): [from: RegExp, to: RegExp] => [
  new RegExp(`^src/web/${room}/`),
  room === 'ui'
    ? /^(src\/web\/ui\/|react$|react-dom$|react-aria-components$|lucide-react$|@tanstack\/react-virtual$)/
    : new RegExp(`^(src/(contract|domain)/|src/web/(${paths(targets)})|(?!src/|demo/|node:))`),
])

/** Who may import what; the first row that fits a file counts. Packages are named, files of ours start with `src/`. */
const arrows: readonly [from: RegExp, to: RegExp][] = [
  [/^src\/contract\//, /^(src\/contract\/|zod\/mini$)/],
  [/^src\/domain\//, /^src\/(domain|contract)\//],
  ...serverArrows,
  ...webArrows,
  // A demonstration is loaded by the process, and by nothing else.
  [/^src\/server\/main\.ts$/, /^(src\/|demo\/seed\.ts$|(?!demo\/))/],
  [
    /^src\/server\/(start|app|panel|outside|config|variables)\.ts$/,
    /^(src\/(contract|domain|server)\/|(?!src\/|demo\/))/,
  ],
  [/^demo\/simulator\//, /^(demo\/simulator\/|node:)/],
  [/^demo\//, /^(demo\/|src\/(contract|domain|server)\/|node:)/],
]

const screenOf = (path: string) => /^src\/web\/screens\/[^/]+\//.exec(path)?.[0]

const followsArrows: Rule = (source) => {
  if (!product(source)) return []
  const allowed = arrows.find(([from]) => from.test(source.path))?.[1]
  if (!allowed) return [`${source.path} belongs to no room`]
  const own = screenOf(source.path)
  return source.imports
    .filter((target) => !allowed.test(target) && !(own && target.startsWith(own)))
    .map((target) => `${source.path} -> ${target}`)
}

const textsOf = (source: Source) =>
  source.nodes.flatMap((node): { text: string; at: number }[] => {
    if (node.type === 'Literal' && typeof node.value === 'string') return [{ text: node.value, at: node.start }]
    if (node.type === 'TemplateElement') {
      return [{ text: String((node.value as { raw: string }).raw), at: node.start }]
    }
    return []
  })

const SQL =
  /^\s*(select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|(create|alter|drop)\s+table\s)/is

const sqlStaysInStore: Rule = (source) => {
  if (!product(source) || source.path.startsWith('src/server/store/')) return []
  return textsOf(source)
    .filter(({ text }) => SQL.test(text))
    .map(({ at }) => `${source.path}:${source.lineOf(at)} SQL`)
}

/** Where the program is an archive there is no npm: what is said there is `commandText` of `src/domain/plant/commands.ts`. */
const shownCommandsExist: Rule = (source) => {
  if (!product(source) || !/^src\/(contract|domain|web)\//.test(source.path)) return []
  return textsOf(source)
    .filter(({ text }) => /\bnpm (run|start)\b/.test(text))
    .map(({ at }) => `${source.path}:${source.lineOf(at)} a command that an archive lacks`)
}

/** Columns of the ERP's tables, and what its services call things. */
const ERP_NAME =
  /^(Z1|Z8|ZTB|C2|A1|B1|SZ\d)_[A-Z0-9]+$|^(ID_INTEGRACAO|errorCode|errorMessage|detailedMessage|tenantId)$/
/** The specification itself puts these on the wire, so these rooms speak them. */
const speaksErp = /^(demo|src\/(server\/erp|contract|domain|web\/(screens|forms|parts|acts)))\//

const erpNamesStayInErp: Rule = (source) => {
  if (!product(source) || speaksErp.test(source.path)) return []
  return source.nodes
    .filter(({ type, name, value }) =>
      ERP_NAME.test(String(type === 'Identifier' ? name : type === 'Literal' ? value : '')),
    )
    .map((node) => `${source.path}:${source.lineOf(node.start)} ${source.text.slice(node.start, node.end)}`)
}

const isCallOf = (node: Node, object: string, property: string) => {
  const callee = node.callee as Node | undefined
  return (
    node.type === 'CallExpression' &&
    callee?.type === 'MemberExpression' &&
    (callee.object as Node).name === object &&
    (callee.property as Node).name === property
  )
}

/** Where the world is let in; everything else is given the time. */
const clockEdges =
  /^src\/server\/(main\.ts$|commands\/)|^demo\/simulator\/simulator\.ts$|^src\/web\/device\/(clock|log)\.ts$/

const clockIsReadAtTheEdges: Rule = (source) => {
  if (!product(source) || clockEdges.test(source.path)) return []
  return source.nodes
    .filter(
      (node) =>
        isCallOf(node, 'Date', 'now') ||
        (node.type === 'MemberExpression' && source.text.slice(node.start, node.end) === 'Date.now') ||
        ((node.type === 'NewExpression' || node.type === 'CallExpression') &&
          (node.callee as Node).name === 'Date' &&
          (node.arguments as Node[]).length === 0),
    )
    .map((node) => `${source.path}:${source.lineOf(node.start)} reads the clock`)
}

const hasNoDefaultExport: Rule = (source) =>
  /\.config\.ts$/.test(source.path)
    ? []
    : source.nodes
        .filter((node) => node.type === 'ExportDefaultDeclaration')
        .map((node) => `${source.path}:${source.lineOf(node.start)} default export`)

const isNoBarrel: Rule = (source) => [
  ...(/(^|\/)index\.tsx?$/.test(source.path) ? [`${source.path} is named like a barrel`] : []),
  ...source.nodes
    .filter((node) => node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source))
    .map((node) => `${source.path}:${source.lineOf(node.start)} passes on what another file exports`),
]

const FILE_LINES_MAX = 400
const FUNCTION_LINES_MAX = 70

const isShort: Rule = (source) => {
  const lines = source.text.trimEnd().split('\n').length
  return lines > FILE_LINES_MAX ? [`${source.path} has ${lines} lines`] : []
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** A `describe` holds tests as a file does. */
const functionsAreShort: Rule = (source) => {
  const groups = new Set(
    source.nodes.flatMap((node) =>
      node.type === 'CallExpression' && /^(test\.)?describe/.test(source.text.slice(node.start, node.end))
        ? (node.arguments as Node[])
        : [],
    ),
  )
  return source.nodes
    .filter((node) => functionTypes.has(node.type) && !groups.has(node))
    .map((node) => ({ at: source.lineOf(node.start), lines: source.lineOf(node.end) - source.lineOf(node.start) + 1 }))
    .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
    .map(({ at, lines }) => `${source.path}:${at} a function of ${lines} lines`)
}

const isOfWeb = (source: Source) => product(source) && source.path.startsWith('src/web/')

/** `query` and `useSave` are the one way to read and the one way to save. */
const serverIsCalledInOneWay: Rule = (source) => {
  if (!isOfWeb(source) || source.path.startsWith('src/web/server/')) return []
  return source.nodes
    .filter(
      ({ type, name, key }) =>
        (type === 'Identifier' && name === 'useMutation') || (type === 'Property' && (key as Node).name === 'queryKey'),
    )
    .map((node) => `${source.path}:${source.lineOf(node.start)} ${source.text.slice(node.start, node.end)}`)
}

const deviceKeepsForAll: Rule = (source) => {
  if (!isOfWeb(source) || source.path.startsWith('src/web/device/')) return []
  return source.nodes
    .filter(
      (node) =>
        (node.type === 'Identifier' && /^(localStorage|sessionStorage|indexedDB|openDB)$/.test(String(node.name))) ||
        (node.type === 'NewExpression' && /^new Set<\(/.test(source.text.slice(node.start, node.end))),
    )
    .map((node) => `${source.path}:${source.lineOf(node.start)} ${source.text.slice(node.start, node.end)}`)
}

const leavesNothingForLater: Rule = (source) =>
  source.comments
    .filter(({ value }) => /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|expect-error|nocheck)/.test(value))
    .map(({ start }) => `${source.path}:${source.lineOf(start)} unfinished or silenced`)

const hasNoAny: Rule = (source) =>
  source.nodes
    .filter((node) => node.type === 'TSAnyKeyword')
    .map((node) => `${source.path}:${source.lineOf(node.start)} any`)

const testNames = new Set(['test', 'it', 'describe', 'suite', 'bench'])
const switches = new Set(['skip', 'only', 'todo', 'fixme', 'skipIf', 'runIf', 'fails', 'fail'])

const everyTestRuns: Rule = (source) =>
  source.nodes
    .filter((node) => {
      if (node.type !== 'MemberExpression' || !switches.has(String((node.property as Node).name))) return false
      const [first] = source.text.slice(node.start, node.end).split('.')
      return testNames.has(first ?? '')
    })
    .map((node) => `${source.path}:${source.lineOf(node.start)} ${source.text.slice(node.start, node.end)}`)

const EMPTY_FOLDER = /(^|\/)(utils?|helpers?|services?|types|hooks|libs?|common|shared)(\/|\.tsx?$)/
const EMPTY_WORD = /(^|-)(data|info|managers?|helpers?|utils?|services?)(?=-|\.|$)/
const EMPTY_NAME = /(Data|Info|Manager|Helpers?|Utils?|Services?)$/

/** Names that tell a story, and what the field calls it. */
const storyNames = new Map([
  ['told', 'outcome or claim'],
  ['asked', 'request or query'],
  ['fate', 'outcome'],
  ['deed', 'audit event'],
  ['doer', 'actor'],
  ['lane', 'delivery key'],
  ['seat', 'stream slot'],
  ['mood', 'fault or state'],
  ['kept', 'cached or stored'],
  ['held', 'locked, blocked or sticky'],
])

const namesAreUsualWords: Rule = (source) =>
  source.nodes.flatMap(({ type, name, start }) => {
    const usual = /Identifier$/.test(type) ? storyNames.get(String(name).toLowerCase()) : undefined
    return usual ? [`${source.path}:${source.lineOf(start)} ${String(name)}: ${usual}`] : []
  })

const namesSaySomething: Rule = (source) => {
  const file = source.path.split('/').at(-1) ?? ''
  const stem = file.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
  const declared = source.nodes.filter(
    ({ type, id }) =>
      /^(FunctionDeclaration|VariableDeclarator|TSTypeAliasDeclaration|TSInterfaceDeclaration|ClassDeclaration)$/.test(
        type,
      ) && EMPTY_NAME.test(String((id as Node | null)?.name ?? '')),
  )
  return [
    // What the platform calls a service worker keeps its name.
    ...(EMPTY_FOLDER.test(source.path) || EMPTY_WORD.test(stem.replace('service-worker', '')) ? [source.path] : []),
    ...declared.map((node) => `${source.path}:${source.lineOf(node.start)} ${(node.id as Node).name}`),
  ]
}

/** Of a folder; a screen's are fewer, for its files are read together. */
const FILES_MAX = 20
const fileLimits: readonly [folder: RegExp, max: number][] = [
  // one file a feature, under the contract's names, or a change that landed
  [/^src\/(contract|server\/(features|store|store\/db\/migrations))$/, Number.POSITIVE_INFINITY],
  [/^src\/domain$/, 0],
  [/^src\/domain\/[^/]+$/, 14],
  [/^src\/web\/ui$/, 24],
  [/^src\/web\/screens\/[^/]+$/, 10],
]

/** Says which folders hold more than one can take in, of the product's own code. */
export function findCrowds(files: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of files.filter((one) => /^(src|demo)\/.*\.tsx?$/.test(one) && !isTest(one))) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) => {
    const max = fileLimits.find(([which]) => which.test(folder))?.[1] ?? FILES_MAX
    return count > max ? [`${folder} holds ${count} files, of ${max}`] : []
  })
}

/** Says which files import each other, by whatever way round, types counted: `a -> b -> a`. */
export function findCycles(sources: readonly Source[]): string[] {
  const targets = new Map(sources.filter(product).map(({ path, imports }) => [path, imports]))
  const done = new Set<string>()
  const found: string[] = []
  const walk = (path: string, way: readonly string[]) => {
    const at = way.indexOf(path)
    if (at >= 0) found.push([...way.slice(at), path].join(' -> '))
    if (at >= 0 || done.has(path)) return
    for (const target of targets.get(path) ?? []) if (targets.has(target)) walk(target, [...way, path])
    done.add(path)
  }
  for (const path of targets.keys()) walk(path, [])
  return found
}

const kindNames = new Set([
  ...['cutCrimp', 'junction', 'receipt', 'maintenanceCall', 'measurement', 'scrap'],
  ...['corte-crimpagem', 'juncao', 'recebimento'],
  ...['recordCutCrimp', 'recordJunction', 'confirmReceipt'],
])
/** One row per kind on each side: a new kind of recording is a row more, and no comparison anywhere. */
const kindRows = /^src\/(web\/acts|server\/delivery)\/kinds\.ts$|^src\/server\/acts\//

const kindsAreComparedInTheirRows: Rule = (source) => {
  if (!/^src\/(web|server)\//.test(source.path) || isTest(source.path) || kindRows.test(source.path)) return []
  const namesKind = (node: Node) => /(^|\.)(kind|tipo|operation)$/.test(source.text.slice(node.start, node.end))
  return source.nodes
    .filter((node) => {
      if (node.type === 'SwitchStatement') {
        const tests = (node.cases as Node[]).map(({ test }) => (test as Node | null)?.value)
        return namesKind(node.discriminant as Node) && tests.some((value) => kindNames.has(String(value)))
      }
      if (node.type !== 'BinaryExpression') return false
      const [left, right] = [node.left as Node, node.right as Node]
      if (node.operator === 'in')
        return ['codigoBarras', 'TIPO_REGISTRO', 'sintoma', 'leituras', 'pecas'].includes(String(left.value))
      return namesKind(left) && kindNames.has(String(right.value))
    })
    .map((node) => `${source.path}:${source.lineOf(node.start)} compares a kind of recording`)
}

const helpersLiveInSupport: Rule = ({ path }) =>
  /^test\/(?!support\/)/.test(path) && !/\.(test|e2e)\.ts$/.test(path)
    ? [`${path} is no test: what helps them lives in test/support`]
    : []

const limitNames = /^((test|hook|action|navigation)?[tT]imeout|(connect|read|write|timeout)Ms)$/
const isNumber = (node: Node | undefined) => node?.type === 'Literal' && typeof node.value === 'number'

/** A number of milliseconds says something about the machine that a test was written on. */
const limitsOfTestsAreScaled: Rule = (source) => {
  if (!/^test\/|\.test\.tsx?$|^(playwright|vitest)\.config\.ts$/.test(source.path)) return []
  return source.nodes
    .filter((node) => {
      if (node.type === 'Property')
        return limitNames.test(String((node.key as Node).name)) && isNumber(node.value as Node)
      if (node.type !== 'CallExpression') return false
      const given = node.arguments as Node[]
      if (isCallOf(node, 'vi', 'waitFor') || isCallOf(node, 'vi', 'waitUntil')) return given.length < 2
      if (isCallOf(node, 'test', 'setTimeout')) return isNumber(given[0])
      const isTest = testNames.has(/^\w+/.exec(source.text.slice(node.start, node.end))?.[0] ?? '')
      return isTest && given.length === 3 && isNumber(given[2])
    })
    .map((node) => `${source.path}:${source.lineOf(node.start)} a limit that is not scaled: test/support/slowness.ts`)
}

export const rules: Record<string, Rule> = {
  followsArrows,
  sqlStaysInStore,
  shownCommandsExist,
  erpNamesStayInErp,
  clockIsReadAtTheEdges,
  serverIsCalledInOneWay,
  deviceKeepsForAll,
  partsComeLateInOneWay,
  registryIsReadByAll,
  hasNoDefaultExport,
  isNoBarrel,
  isShort,
  functionsAreShort,
  leavesNothingForLater,
  hasNoAny,
  everyTestRuns,
  namesSaySomething,
  namesAreUsualWords,
  kindsAreComparedInTheirRows,
  helpersLiveInSupport,
  limitsOfTestsAreScaled,
  codesAreWrittenAsCodes,
}
