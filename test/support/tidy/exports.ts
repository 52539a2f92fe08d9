import { isTest, type Source } from './source.ts'

/** `import()` in a type names its file, too. */
const importedAsType = /\bimport\('(\.[^']+)'\)/g

const exported = /^export (?:async )?(?:const|function\*?|class|type|let) (\w+)/gm

/**
 * Exports of the product that no other file names: each is one more thing that a reader must suppose somebody uses. A name is looked
 * for in the files that import its own, as a word.
 */
export function findUnusedExports(sources: readonly Source[]): string[] {
  const importers = new Map<string, Source[]>()
  for (const source of sources) {
    const asTypes = [...source.text.matchAll(importedAsType)].map(([, target = '']) =>
      new URL(target, `file:///${source.path}`).pathname.slice(1),
    )
    for (const target of new Set([...source.imports, ...asTypes])) {
      const others = importers.get(target)
      if (others) others.push(source)
      else importers.set(target, [source])
    }
  }
  return sources
    .filter(({ path }) => /^(src|demo)\//.test(path) && !isTest(path))
    .flatMap(({ path, text, lineOf }) =>
      [...text.matchAll(exported)].flatMap(({ 1: name = '', index }) => {
        const word = new RegExp(`\\b${name}\\b`)
        const isNamed = importers.get(path)?.some((other) => other.path !== path && word.test(other.text))
        return isNamed ? [] : [`${path}:${lineOf(index)} ${name} is exported and named nowhere else`]
      }),
    )
}
