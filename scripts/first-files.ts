// Tells the server which files a screen needs, so that a browser asks for them together with the page.
import { basename, dirname, join } from 'node:path'
import { normalizePath, type Plugin, type Rolldown } from 'vite'
import { listDeferred } from './deferred.ts'

const root = join(import.meta.dirname, '..')
const deferred = listDeferred(root).map((script) => ({ ...script, file: normalizePath(join(root, script.file)) }))

const deferredFiles = new Set(deferred.map(({ file }) => file))
/** Whether a file is loaded by itself. */
export const isDeferred = (file: string): boolean => deferredFiles.has(file)

/** The screens that most days begin with or are reloaded on, by their addresses; any other takes one question more. */
const screens = new Map(
  deferred.flatMap(({ file, moments }) =>
    moments.filter((moment) => moment !== 'soon').map((address) => [address, file] as const),
  ),
)

/** What runs before each of them is drawn. */
let neededFirst: ReadonlySet<string>[] = []

/** Whether two screens that most days begin with need this file; the build has read all files by the time it is asked. */
export const isNeededFirst = (file: string): boolean => neededFirst.filter((files) => files.has(file)).length > 1

/**
 * The one screen that most days begin with and needs this file, by the name of its folder; null where none does or several do.
 */
export function soleScreenOf(file: string): string | null {
  const [screen, ...others] = [...screens.values()].filter((_, at) => neededFirst[at]?.has(file))
  return screen === undefined || others.length > 0 ? null : basename(dirname(screen))
}

type Bundle = Rolldown.OutputBundle

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter((file) => file.type === 'chunk')

/** A file and everything that it imports before it runs. */
function withImports(bundle: Bundle, fileName: string, found = new Set<string>()): Set<string> {
  const file = bundle[fileName]
  if (found.has(fileName) || file?.type !== 'chunk') return found
  found.add(fileName)
  for (const imported of file.imports) withImports(bundle, imported, found)
  return found
}

/** What runs first, and the panel itself, which it asks for. */
function startOf(bundle: Bundle) {
  const page = chunksOf(bundle).find(({ name, isEntry }) => isEntry && name === 'index')
  const main = chunksOf(bundle).find(({ name, isEntry }) => isEntry && name === 'main')
  if (!page || !main) throw new Error('The page has no script')
  return { page, ofEveryScreen: withImports(bundle, main.fileName, withImports(bundle, page.fileName)) }
}

export const firstFiles: Plugin = {
  name: 'first-files',
  apply: 'build',
  buildEnd() {
    const add = (file: string, found: Set<string>) => {
      if (found.has(file)) return found
      found.add(file)
      for (const imported of this.getModuleInfo(file)?.importedIds ?? []) add(imported, found)
      return found
    }
    neededFirst = [...screens.values()].map((screen) => add(screen, new Set()))
  },
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const { page, ofEveryScreen } = startOf(bundle)
      return [...ofEveryScreen]
        .filter((fileName) => fileName !== page.fileName)
        .map((fileName) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
          injectTo: 'head',
        }))
    },
  },
  generateBundle(_options, bundle) {
    const { page, ofEveryScreen } = startOf(bundle)
    const styles = [...(page.viteMetadata?.importedCss ?? [])]
    const weightOf = (fileName: string) => {
      const file = bundle[fileName]
      return file?.type === 'chunk' ? file.code.length : 0
    }
    const files = [...screens].map(([path, screen]) => {
      const chunk = chunksOf(bundle).find(({ facadeModuleId }) => facadeModuleId === screen)
      if (!chunk) throw new Error(`No chunk begins with the screen ${screen}`)
      const scripts = withImports(bundle, chunk.fileName, new Set(ofEveryScreen))
      scripts.delete(page.fileName)
      // The heaviest first: otherwise the line is idle while the many small ones are asked for.
      const rest = [...scripts].sort((a, b) => weightOf(b) - weightOf(a))
      return [path, [...styles, page.fileName, ...rest]] as const
    })
    this.emitFile({ type: 'asset', fileName: 'first-files.json', source: JSON.stringify(Object.fromEntries(files)) })
  },
}
