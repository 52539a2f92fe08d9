// What is done at the server, whether by `npm run NAME -- …` or by `./painel NAME …`: one table for both. Plain JavaScript
// without dependencies, so that it can hand over to the project's Node where it was started on one that is too old.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isOldNode, projectNode, runOn } from './project-node.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** The program, and what stands before the words that were typed. */
const commands = {
  start: ['src/server/main.ts'],
  user: ['src/server/commands/user.ts'],
  'erp-check': ['src/server/commands/erp-check.ts'],
  backup: ['src/server/commands/database.ts', 'backup'],
  restore: ['src/server/commands/database.ts', 'restore'],
  'copy-database': ['src/server/commands/database.ts', 'copy'],
  'rotate-key': ['src/server/commands/database.ts', 'rotate-key'],
  support: ['src/server/commands/support.ts'],
  erp: ['demo/erp-command.ts'],
  fault: ['demo/fault-command.ts'],
}

/** What is printed names commands as npm has them; where `./painel` was typed there may be no npm. */
function sayOwnCommands() {
  for (const method of ['log', 'error']) {
    const print = console[method]
    const owned = (text) => text.replace(/npm (?:run (?=[a-z])|(?=start\b))([\w-]+)(?: --(?= ))?/g, './painel $1')
    console[method] = (...parts) => print(...parts.map((part) => (typeof part === 'string' ? owned(part) : part)))
  }
}

const [name = '', ...typed] = process.argv.slice(2)
if (name !== '--version' && !Object.hasOwn(commands, name)) {
  console.error(`Uso: ./painel ${Object.keys(commands).join('|')}|--version`)
  process.exitCode = 1
} else if (isOldNode) {
  const node = projectNode()
  if (node) runOn(node, process.argv.slice(1))
  else {
    console.error(`O painel precisa do Node 24 ou mais novo, este é o ${process.versions.node}. Instale o Node 24.`)
    process.exitCode = 1
  }
} else if (name === '--version') {
  const { identityText, ownIdentity } = await import('../src/server/upkeep/identity.ts')
  console.log(`${identityText(ownIdentity())}\n\nNotas de versão: ${join(root, 'CHANGELOG.md')}`)
} else {
  const isOwn = process.env.npm_lifecycle_event === undefined
  if (isOwn) sayOwnCommands()
  const [file, ...first] = commands[name]
  // whoever has no npm installs a plant, also before its ERP is known; MODE and the database have their say first
  if (isOwn && name === 'start') first.push('plant')
  const program = join(root, file)
  process.argv = [process.execPath, program, ...first, ...typed]
  await import(pathToFileURL(program).href)
}
