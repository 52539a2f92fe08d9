// `npm run bundle`: all that a server needs, Node included, in one archive that starts without Internet, git or npm.
// `-- --folder PATH` puts the files there instead, for an image.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Identity, programId, readIdentity } from '../src/server/upkeep/identity.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = `${process.platform}-${process.arch}`

type Manifest = { name: string; license: string; type: string }
const { name, license, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
type Packages = Record<string, { dependencies?: Record<string, string> }>
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Packages }

const programs = ['painel', 'scripts/painel.mjs', 'scripts/project-node.mjs']
const written = [...programs, 'CHANGELOG.md', 'LICENSE', 'dist/web', 'docs/manual', 'deploy', 'demo']
const code = ['src/contract', 'src/domain', 'src/server']
/** Tests, trials, and what needs the repository to build an image of. */
const notForPlants = /\.test\.ts$|^deploy\/(container\/|.*\.ts$)/

const filesIn = (paths: string[]): string[] =>
  paths
    .flatMap((path) => (statSync(join(root, path)).isFile() ? [path] : globSync(`${path}/**`, { cwd: root })))
    .filter((path) => statSync(join(root, path)).isFile())

/** Where npm has put a package that is asked for by one in `from`. */
function placeOf(wanted: string, from: string): string {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${wanted}`
    if (packages[place]) return place
    if (at === '') throw new Error(`${wanted} is not in package-lock.json`)
  }
}

/** As an import names it, also one that waits for its first use. */
const PACKAGE = /\b(?:from|import\() ?'((?:@[\w-]+\/)?(?!node:)[\w-]+)/g

/** What these files import and what that needs: the page's own libraries are in dist/web already. */
function packagesOf(files: string[]): string[] {
  const imported = files
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(PACKAGE)])
    .map(([, wanted = '']) => wanted)
  const found = new Set<string>()
  const add = (place: string) => {
    if (found.has(place)) return
    found.add(place)
    for (const wanted of Object.keys(packages[place]?.dependencies ?? {})) add(placeOf(wanted, place))
  }
  for (const wanted of new Set(imported)) add(placeOf(wanted, ''))
  return [...found].sort()
}

/** Sources of a native module, and what other machines would load of it. */
const isOfThisMachine = (path: string) =>
  !/^node_modules\/better-sqlite3\/(deps|src)\//.test(path) && (!/\/prebuilds\//.test(path) || path.includes(target))

/** By path from the top of the panel's folder. Node itself is no part of it. */
export function bundleFiles(): string[] {
  const own = filesIn([...written, ...code]).filter((path) => !notForPlants.test(path))
  const theirs = filesIn(packagesOf(own)).filter(isOfThisMachine)
  // a package may stand inside another
  return [...own, ...new Set(theirs)]
}

/** Two programs never share a name, so that one is never unpacked over the other. */
export function bundleNames(identity: Identity) {
  const { number: version, commit, day } = identity
  const folder = `painel-${programId(identity)}`
  const archive = `${folder}-${target}.tar.gz`
  // nobody runs npm there: what it says is what the program is
  const manifest = { name, version, commit, day, license, type, private: true }
  return { folder, archive, sum: `${archive}.sha256`, manifest }
}

function fill(folder: string, { manifest }: ReturnType<typeof bundleNames>): void {
  for (const path of bundleFiles()) cpSync(join(root, path), join(folder, path), { preserveTimestamps: true })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest)}\n`)
  const node = join(root, 'node_modules', `node-${target}`)
  cpSync(join(node, 'bin', 'node'), join(folder, 'node'))
  cpSync(join(node, 'LICENSE'), join(folder, 'LICENSE.node'))
}

/** Returns the archive; beside it stands its SHA-256, as `sha256sum -c` reads it. */
export function makeBundle(into: string): string {
  const names = bundleNames(readIdentity(root))
  const scratch = mkdtempSync(join(into, '.bundle-'))
  try {
    const top = names.folder
    fill(join(scratch, top), names)
    const archive = join(scratch, 'archive')
    const { status } = spawnSync(
      'tar',
      ['-czf', archive, '--owner=0', '--group=0', '--mode=u=rwX,go=rX', '-C', scratch, top],
      { stdio: 'inherit' },
    )
    if (status !== 0) throw new Error('tar failed')
    const file = join(into, names.archive)
    const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex')
    renameSync(archive, file)
    writeFileSync(join(into, names.sum), `${sha256}  ${names.archive}\n`)
    return file
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { folder } = parseArgs({ options: { folder: { type: 'string' } } }).values
  if (folder === undefined) {
    const file = makeBundle(join(root, 'dist'))
    console.log(`${file} (${(statSync(file).size / 2 ** 20).toFixed(0)} MiB)`)
  } else fill(folder, bundleNames(readIdentity(root)))
}
