import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { pageIdOf, withPageId } from '../../scripts/page-id.ts'
import { root } from '../support/tidy/source.ts'

/** As it travels: brotli, in KB. A tablet on the shop floor's Wi-Fi loads these before anything is seen. */
const budgetsKb = {
  ...{ initialJavaScript: 150, initialCss: 10, firstScreen: 222, otherChunk: 32 },
  ...{ pdf: 135, serviceWorker: 2 },
}
/** What only a PDF asks for: its reader, which runs beside the page, and decoders of scans. */
const pdfReaderKb = 500

const web = join(root, 'dist', 'web')
const read = (path: string) => readFileSync(join(web, path))
/** The build has compressed each file beside itself. */
const sizeKb = (paths: Iterable<string>) =>
  [...paths].reduce((sum, path) => sum + statSync(join(web, `${path}.br`)).size, 0) / 1000

/** A chunk and everything that it imports before it runs. */
function withImports(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const { moduleRequest } of parseSync(path, read(path).toString()).module.staticImports) {
    withImports(posix.join(posix.dirname(path), moduleRequest.value), seen)
  }
  return seen
}

test('what a tablet loads first stays small (built by `npm test`)', () => {
  const page = read('index.html').toString()
  const linked = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, path = '']) => path.replace(/^\.?\//, ''))
  const entries = linked(/<script[^>]+src="([^"]+\.js)"/g)
  // what the script asks for at once
  const panel = linked(/<link[^>]+modulepreload[^>]+href="([^"]+\.js)"/g)
  const styles = linked(/<link[^>]+href="([^"]+\.css)"/g)
  const initial = new Set([...entries, ...panel].flatMap((path) => [...withImports(path)]))
  const others = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.m?js$/.test(path) && !initial.has(path))
  expect(entries).toHaveLength(1)
  expect(panel.some((path) => /\/main-[\w-]+\.js$/.test(path))).toBe(true)
  expect(styles.length).toBeGreaterThan(0)
  expect(sizeKb(initial)).toBeLessThan(budgetsKb.initialJavaScript)
  expect(sizeKb(styles)).toBeLessThan(budgetsKb.initialCss)
  const isPdfReader = (path: string) => /\/pdf\.worker|\/pdfjs-/.test(path)
  const large = others.filter((path) => !isPdfReader(path) && sizeKb([path]) >= budgetsKb.otherChunk).sort()
  expect(large, 'only the library of PDF').toEqual([expect.stringMatching(/\/pdf-[\w-]+\.js$/)])
  expect(sizeKb(large)).toBeLessThan(budgetsKb.pdf)
  expect(sizeKb(others.filter(isPdfReader))).toBeLessThan(pdfReaderKb)
})

test('a browser of 2021, too old for the panel, still reads the script that says so (built by `npm test`)', () => {
  const [, entry = ''] = /<script[^>]+src="\.?\/?([^"]+\.js)"/.exec(read('index.html').toString()) ?? []
  const { program } = parseSync(entry, read(entry).toString())
  const kinds = new Set([...JSON.stringify(program).matchAll(/"type":"(\w+)"/g)].map(([, kind]) => kind))
  for (const kind of ['PrivateIdentifier', 'StaticBlock']) expect(kinds).not.toContain(kind)
})

test('so does each screen that a day begins with, all its files together (built by `npm test`)', () => {
  const files = JSON.parse(read('first-files.json').toString()) as Record<string, string[]>
  expect(Object.keys(files).length).toBeGreaterThan(0)
  for (const [path, names] of Object.entries(files)) {
    expect(sizeKb(names), path).toBeLessThan(budgetsKb.firstScreen)
  }
})

test('the service worker is small, whole and knows every file (built by `npm test`)', () => {
  const worker = read('sw.js').toString()
  expect(sizeKb(['sw.js'])).toBeLessThan(budgetsKb.serviceWorker)
  expect(parseSync('sw.js', worker).module.staticImports).toEqual([])
  const named = [...worker.matchAll(/"\/(assets\/[^"]+)"/g)].map(([, path]) => path)
  expect(named.sort()).toEqual(
    readdirSync(join(web, 'assets'), { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => /\.\w+$/.test(name) && !/\.(br|gz)$/.test(name) && !/^pdfjs-[\d.]+$/.test(name))
      .map((name) => `assets/${name}`)
      .sort(),
  )
})

const withoutId = (page: string) => page.replace(/<meta name="pagina"[^>]*>/, '')

test('the page says which one it is, by its own content and by no commit (built by `npm test`)', () => {
  const page = read('index.html').toString()
  const [, id = ''] = /<meta name="pagina" content="([^"]*)">/.exec(page) ?? []
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const hash = createHash('sha256').update(withoutId(page)).digest('hex')
  expect(id).toBe(`${version.replace(/\d+$/, '0')}-${hash.slice(0, 7)}`)
  expect(id).toMatch(/^[\w.-]{1,16}$/)
  // the worker fetches it as it is served
  expect(read('sw.js').toString()).toContain(createHash('sha256').update(page).digest('base64'))
})

test('another page has another id, and a release that leaves the page alone leaves its id alone', () => {
  const page = '<html><head><title>Painel</title></head></html>'
  expect(pageIdOf(page, '2.1.3')).toBe(pageIdOf(page, '2.1.0'))
  expect(pageIdOf(`${page} `, '2.1.0')).not.toBe(pageIdOf(page, '2.1.0'))
  expect(pageIdOf(page, '2.1.0')).toMatch(/^2\.1\.0-[0-9a-f]{7}$/)
  expect(pageIdOf(page, '2.2.1')).toMatch(/^2\.2\.0-/)
  expect(withoutId(withPageId(page, '2.1.0'))).toBe(page)
  expect(() => withPageId('<html></html>', '2.1.0')).toThrow('no head')
})
