import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')

/** A node of the syntax tree: what the rules need of it. */
export type Node = { type: string; start: number; end: number; [key: string]: unknown }

export type Source = {
  /** From the repository's top, with slashes. */
  path: string
  text: string
  nodes: readonly Node[]
  comments: readonly { value: string; start: number }[]
  /** Files of ours by path from the top, packages by name as written. */
  imports: readonly string[]
  lineOf: (offset: number) => number
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function flatten(node: Node, into: Node[] = []): Node[] {
  into.push(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) flatten(child, into)
  }
  return into
}

const resolved = (from: string, target: string) =>
  target.startsWith('.') ? posix.join(posix.dirname(from), target.replace(/\?.*$/, '')) : target

export function parseSource(path: string, text: string): Source {
  const { program, module, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const nodes = flatten(program as unknown as Node)
  const dynamic = nodes.flatMap(({ type, source }) =>
    type === 'ImportExpression' && isNode(source) && typeof source.value === 'string' ? [source.value] : [],
  )
  const targets = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap((one) => one.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...dynamic,
  ]
  return {
    path,
    text,
    nodes,
    comments,
    imports: targets.map((target) => resolved(path, target)),
    lineOf: (offset) => text.slice(0, offset).split('\n').length,
  }
}

const notOurs = new Set(['node_modules', '.git', 'dist', 'data', 'screenshots', 'test-results'])

/** Every file of the repository, by its path from the top. */
export function listFiles(folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : [relative(root, path).split(sep).join('/')]
  })
}

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8')

export const isTest = (path: string): boolean => /^test\/|^bench\/|\.(test|e2e)\.tsx?$/.test(path)
