import { deferredIn } from '../../../scripts/deferred.ts'
import { isTest, type Node, type Source } from './source.ts'

/** Before the panel itself is there, only this file knows what to say. */
const PANEL_START = 'src/web/app/start.ts'
const isDeferred = ({ type, callee }: Node) => type === 'CallExpression' && (callee as Node).name === 'deferred'

/** `deferred` is the one way to load a part of the page later, written so that the build finds it (`scripts/deferred.ts`). */
export const partsComeLateInOneWay = (source: Source): string[] => {
  if (!source.path.startsWith('src/web/') || isTest(source.path) || source.path === PANEL_START) return []
  const calls = source.nodes.filter(isDeferred)
  const read = deferredIn(source.path, source.text)
  const warm = read.filter(({ moments }) => moments.length > 0).length
  const others = source.nodes.filter(
    ({ type, start, end, imported }) =>
      (type === 'ImportExpression' && !calls.some((call) => call.start < start && end < call.end)) ||
      (type === 'ImportSpecifier' && /^(lazy|Suspense|lazyRouteComponent)$/.test(String((imported as Node).name))),
  )
  return [
    ...others.map((node) => `${source.path}:${source.lineOf(node.start)} comes late in another way`),
    ...(read.length === calls.length && warm === calls.filter((call) => (call.arguments as Node[]).length > 1).length
      ? []
      : [`${source.path} has a call of deferred that the build cannot read`]),
  ]
}

/** They read the registry of what comes late: what such a file names, only it would know. */
const readsRegistry = /^(src\/web\/app\/shell\/Shell\.tsx|scripts\/first-files\.ts|vite\.config\.ts)$/

export const registryIsReadByAll = (source: Source): string[] =>
  readsRegistry.test(source.path)
    ? source.nodes
        .filter(
          (node) =>
            isDeferred(node) ||
            node.type === 'ImportExpression' ||
            (node.type === 'Literal' &&
              /(screens|parts)[\\/[\]]+\(?[\w-]+/.test(source.text.slice(node.start, node.end)) &&
              !source.imports.some((path) => path.endsWith(String(node.value).replace(/^[./]+/, '')))),
        )
        .map((node) => `${source.path}:${source.lineOf(node.start)} names what comes late`)
    : []
