// Installs, checks and builds what is missing before `npm start`, and with --tests before `npm test`. Plain JavaScript
// without dependencies: the first time it runs on whatever Node (20 or later) started npm.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAlive } from './processes.mjs'
import { findChromium, findMariadb, findSpreadsheet } from './programs.mjs'
import { projectNode } from './project-node.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const at = (...parts) => join(root, ...parts)
const forTests = process.argv.includes('--tests')
const say = (text) => console.log(`[preparo] ${text}`)

const lockFile = at('dist', 'setup.lock')
let holdsLock = false
const unlock = () => {
  if (holdsLock) rmSync(lockFile, { force: true })
  holdsLock = false
}
process.on('exit', unlock)

/** The one clear sentence with which a start that cannot work ends. */
function stop(sentence) {
  console.error(`[preparo] ${sentence}`)
  process.exit(1)
}

const read = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function write(file, text) {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    stop(`Não foi possível gravar em ${dirname(file)} (${error.code}): verifique a permissão da pasta.`)
  }
}

/** Of contents, not of times: a fresh clone or a switched branch touches every file. */
function hashOf(paths) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  const add = (path) => {
    if (!existsSync(at(path))) return
    if (statSync(at(path)).isDirectory()) {
      for (const name of readdirSync(at(path)).sort()) add(`${path}/${name}`)
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(`\0${path}\0`).update(readFileSync(at(path)))
    }
  }
  paths.forEach(add)
  return hash.digest('hex')
}

function run(program, args, failure, env = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  if (error || status !== 0) stop(`${failure} (${error ? error.message : `código ${status}`}).`)
}

/** Two first starts at once must not install into the same folder: the second waits, then finds nothing left to do. */
function lock() {
  if (holdsLock) return
  let isAnnounced = false
  for (;;) {
    try {
      mkdirSync(dirname(lockFile), { recursive: true })
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
      holdsLock = true
      return
    } catch (error) {
      if (error.code !== 'EEXIST')
        stop(`Não foi possível gravar em ${dirname(lockFile)}: verifique a permissão da pasta.`)
    }
    const holder = read(lockFile)
    // An empty file is one whose owner is between creating and writing it.
    if (holder && !isAlive(Number(holder))) rmSync(lockFile, { force: true })
    else if (!isAnnounced) say('Outro preparo está em andamento nesta pasta; aguardando.')
    isAnnounced = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  }
}

const dependencyStamp = at('node_modules', '.setup-stamp')
const INTERRUPTED = 'installing'

/** A plant needs no test tools; whoever has them keeps them. */
const wanted = (extent) => `${extent} ${hashOf(['package-lock.json'])}`
const areDependenciesReady = () => {
  const stamp = read(dependencyStamp)
  return stamp === wanted('all') || (!forTests && stamp === wanted('start'))
}

function installDependencies() {
  const before = read(dependencyStamp)
  const all = forTests || before.startsWith('all ')
  say('Instalando as dependências; na primeira vez isto leva alguns minutos.')
  // `npm ci` empties node_modules before it downloads, so without a network nothing would be left; `install` keeps the
  // old tree. Only a tree that npm never finished is not worth keeping.
  const isWhole = existsSync(at('node_modules', '.package-lock.json')) && before !== INTERRUPTED
  const args = [...(isWhole ? ['install', '--no-save'] : ['ci']), '--ignore-scripts', '--prefer-offline']
  args.push('--fetch-retries=1', '--no-audit', '--no-fund', '--loglevel=error', ...(all ? [] : ['--omit=dev']))
  if (isWhole) write(dependencyStamp, INTERRUPTED)
  // The Node and npm that started us: node_modules/.bin/node is about to be replaced.
  const npm = process.env.npm_execpath
  const node = process.env.npm_node_execpath ?? process.execPath
  const { status, error } = npm
    ? spawnSync(node, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (error || status !== 0) {
    if (isWhole && status !== null) write(dependencyStamp, before)
    stop('A instalação das dependências falhou: verifique a rede e tente de novo.')
  }
  write(dependencyStamp, wanted(all ? 'all' : 'start'))
}

/** Settled before anything of ours starts. */
const neededNode = () =>
  projectNode() ??
  stop(`Não há Node 24 do projeto para ${process.platform}-${process.arch}: instale o Node 24 e tente de novo.`)

const webStamp = at('dist', 'web.stamp')
const webHash = () =>
  hashOf([
    'src/web',
    'src/contract',
    'src/domain',
    'public',
    'index.html',
    'vite.config.ts',
    'scripts/licences.mjs',
    'scripts/compressed.ts',
    'scripts/first-files.ts',
    'scripts/installable.ts',
    'scripts/deferred.ts',
    'scripts/page-id.ts',
    'scripts/pdf-extras.ts',
    'package-lock.json',
  ])
const isWebReady = () => read(webStamp) === webHash() && existsSync(at('dist', 'web', 'index.html'))

function buildWeb() {
  say('Montando as telas.')
  const hash = webHash()
  rmSync(webStamp, { force: true })
  run(
    neededNode(),
    [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'],
    'A montagem das telas falhou',
    { NODE_ENV: 'production' },
  )
  write(webStamp, hash)
}

const canInstallPrograms = () => /^ID=debian$/m.test(read('/etc/os-release')) && process.getuid?.() === 0

function installTestPrograms(missing) {
  say(`Instalando ${missing.join(' e ')} para os testes.`)
  // The tests run a database of their own; the package must not start the machine's.
  const policy = '/usr/sbin/policy-rc.d'
  const ownPolicy = !existsSync(policy)
  if (ownPolicy) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  process.on('exit', () => ownPolicy && rmSync(policy, { force: true }))
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const failure = `Não foi possível instalar ${missing.join(' e ')} com apt`
  run('apt-get', ['update', '-qq'], failure, env)
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], failure, env)
}

const missingTestPrograms = () => [
  ...(findMariadb() ? [] : ['mariadb-server']),
  ...(findChromium() ? [] : ['chromium', 'chromium-headless-shell']),
  ...(findSpreadsheet() ? [] : ['libreoffice-calc-nogui']),
]

if (Number(process.versions.node.split('.')[0]) < 20) stop('É preciso o Node 20 ou mais novo.')
const { CHROMIUM } = process.env
if (forTests && CHROMIUM && !findChromium()) stop(`CHROMIUM aponta para ${CHROMIUM}, que não existe.`)
if (forTests && missingTestPrograms().length > 0 && !canInstallPrograms()) {
  const packages = missingTestPrograms().join(' ')
  stop(`Para os testes falta instalar o que no Debian são os pacotes ${packages} (apt-get install ${packages}).`)
}
// Each is asked twice: without the lock, so that a prepared folder may be read-only, and again once it is ours.
if (!areDependenciesReady()) {
  lock()
  if (!areDependenciesReady()) installDependencies()
}
neededNode()
if (!isWebReady()) {
  lock()
  if (!isWebReady()) buildWeb()
}
if (forTests && missingTestPrograms().length > 0) {
  lock()
  const missing = missingTestPrograms()
  if (missing.length > 0) installTestPrograms(missing)
}
unlock()
