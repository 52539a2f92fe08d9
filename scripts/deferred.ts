// Reads the calls of `deferred` in the page's sources: they are the registry of what comes later, for the build as well.
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { links } from '../src/web/text/links.ts'

const CALL =
  /\bdeferred\(\s*(?:async )?\(\) => (?:\(await )?import\('([^']+)'\)(?:\)[.\w]+)?(?:,\s*\{\s*warm: \[([^\]]*)\],?\s*\})?/g
const MOMENT = /links\.(\w+)|'soon'/g

export type DeferredScript = {
  /** From the repository's top, with slashes. */
  file: string
  /** When it is fetched ahead: `soon`, or with the page of an address. */
  moments: string[]
}

export const deferredIn = (path: string, text: string): DeferredScript[] =>
  [...text.matchAll(CALL)].map(([, target = '', warm = '']) => ({
    file: posix.join(posix.dirname(path), target),
    moments: [...warm.matchAll(MOMENT)].map(([, name]) => (name ? links[name as keyof typeof links] : 'soon')),
  }))

/** In the order of their calls. */
export const listDeferred = (root: string): DeferredScript[] =>
  globSync('src/web/**/*.{ts,tsx}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('.test.'))
    .sort()
    .flatMap((path) => deferredIn(path, readFileSync(join(root, path), 'utf8')))
