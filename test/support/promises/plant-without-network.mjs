// Runs inside a network namespace of its own, by the Node of the bundle: what an administrator does from the unpacked folder to
// a running plant. Prints one JSON line.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

const [folder = '', dataDir = '', PATH = ''] = process.argv.slice(2)
const painel = join(folder, 'painel')
const begunMs = performance.now()

const untilSaid = async (child, word) => {
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text) => {
      printed += text
    })
  }
  const ended = once(child, 'exit')
  while (!printed.includes(word)) {
    const more = Promise.race([once(child.stdout, 'data'), ended])
    await more
    if (child.exitCode !== null && !printed.includes(word)) throw new Error(printed)
  }
  return printed
}
const env = { PATH, DATA_DIR: dataDir, ERP_USER: 'painel', ERP_PASSWORD: 'senha-do-erp' }
const command = (args, more = {}, input = '') =>
  new Promise((resolve) => {
    const child = execFile(painel, args, { env: { ...env, ...more } }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
    child.stdin.end(input)
  })

const erp = spawn(painel, ['erp', '--port', '8080', '--profile', 'clean'], { env })
await untilSaid(erp, 'ERP de ensaio: ')
const plant = { MODE: 'plant', ERP_URL: 'http://127.0.0.1:8080/rest', PORT: '3000' }
const server = spawn(painel, ['start'], { env: { ...env, ...plant } })
const started = await untilSaid(server, 'Painel Industrial: ')
const added = await command(
  ['user', 'add', 'ana', '--full-name', 'Ana Lima', '--role', 'admin'],
  plant,
  'chicote-azul-7\n',
)
const origin = 'http://127.0.0.1:3000'
const ready = await (await fetch(`${origin}/ready`)).json()
const page = await (await fetch(origin)).text()
const login = await fetch(`${origin}/api/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'ana', password: 'chicote-azul-7' }),
})
const checked = await command(['erp-check', '01621401001'], plant)
const backup = await command(['backup'], plant)
const version = await command(['--version'])
const seconds = Math.round((performance.now() - begunMs) / 1000)
server.kill('SIGTERM')
const [code] = await once(server, 'exit')
erp.kill('SIGTERM')
const found = { started, added, ready, page, login: login.status, checked, backup, version, code, seconds }
console.log(JSON.stringify({ ...found, interfaces: Object.keys(networkInterfaces()) }))
